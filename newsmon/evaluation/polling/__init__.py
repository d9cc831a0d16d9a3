"""``scrapy evaluate polling``: how late articles are found, and at the price of how many polls.

Data: ``docs.jsonl`` with ``source`` and ``published`` (to the minute or better). Every policy is calibrated to the same
mean number of polls a day and feed; then the delay from publication to detection is what tells them apart::

    docs.jsonl ─> streams by source ─> replay against each schedule, calibrated ─> delay, loss, polls

Groups: the set, and ``all``, at the first number of ``--polls``; at the others ``GROUP@NUMBER``. Media Cloud's rule
has no knob to calibrate and is measured at the number of polls it makes.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from newsmon.errors import EvaluationError
from newsmon.evaluation import ALL, DataSet, Evaluation, Progress, Row, data_file, read_records
from newsmon.evaluation.polling.peers import MediaCloud, Miniflux
from newsmon.evaluation.polling.simulation import (
    Figures,
    PolicySchedule,
    Schedule,
    Stream,
    calibrated,
    read_streams,
    run,
)
from newsmon.feeds.polling import FixedPolicy, SharePolicy, SqrtPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MARKER = "docs.jsonl"


def _sqrt(budget: float, seed: int) -> Schedule:
    return PolicySchedule(SqrtPolicy(budget), seed)


def _share(budget: float, seed: int) -> Schedule:
    return PolicySchedule(SharePolicy(budget), seed)


def _fixed(budget: float, seed: int) -> Schedule:
    return PolicySchedule(FixedPolicy(budget), seed)


def _miniflux(budget: float, seed: int) -> Schedule:
    return Miniflux(budget / 24)


CALIBRATED: Mapping[str, Callable[[float, int], Schedule]] = {
    "default": _sqrt,
    "share": _share,
    "fixed": _fixed,
    "miniflux": _miniflux,
}


def _poll_numbers(text: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers or not all(1 <= number <= 288 for number in numbers):
        raise argparse.ArgumentTypeError(f"numbers from 1 to 288 with commas between are wanted, as 24,8; got {text!r}")
    return numbers


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--polls",
        type=_poll_numbers,
        default=[24.0, 8.0],
        metavar="N[,N...]",
        help="polls a day and feed, from 1 to 288, to which every policy is calibrated (default: 24,8)",
    )


def _measure(sets: Sequence[DataSet], options: argparse.Namespace, progress: Progress) -> Iterator[Row]:
    groups = _groups(sets)
    steps, done = len(groups) * (len(options.polls) * len(CALIBRATED) + 1), 0
    for group, streams in groups.items():
        for polls in options.polls:
            at = group if polls == options.polls[0] else f"{group}@{polls:g}"
            for method, make in CALIBRATED.items():
                progress(f"{method} at {polls:g} polls a day on {group}", done, steps)
                yield from _rows(method, at, calibrated(streams, make, polls, guess=polls))
                done += 1
        progress(f"mediacloud on {group}", done, steps)
        yield from _rows("mediacloud", group, run(streams, lambda seed: MediaCloud()))
        done += 1


def _groups(sets: Sequence[DataSet]) -> dict[str, list[Stream]]:
    """Streams by group; sets without any are left out."""
    streams = {data.name: _streams_of(data) for data in sets}
    usable = {name: found for name, found in streams.items() if found}
    if not usable:
        where = ", ".join(streams)
        raise EvaluationError(f"no source in {where} has 10 documents with a time of day in `published`")
    everything = [stream for found in usable.values() for stream in found]
    return {ALL: everything} if len(sets) == 1 else {**usable, ALL: everything}


def _streams_of(data: DataSet) -> list[Stream]:
    path = data_file(data.path, MARKER)
    return read_streams(read_records(path)) if path else []


def _rows(method: str, group: str, figures: Figures) -> Iterator[Row]:
    row = partial(Row, method, group)
    yield row("delay_mean", figures.delay_mean, figures.items)
    yield row("delay_p90", figures.delay_p90, figures.items)
    yield row("delay_p99", figures.delay_p99, figures.items)
    yield row("lost_share", figures.lost_share, figures.items)
    yield row("polls_per_day", figures.polls_per_day, figures.feeds)


EVALUATION = Evaluation(
    summary="delay from publication to detection (minutes) of polling policies at the same number of polls",
    marker=MARKER,
    add_options=_add_options,
    measure=_measure,
)
