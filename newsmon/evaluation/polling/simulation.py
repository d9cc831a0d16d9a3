"""Replays when articles were published against a polling schedule, and counts how late each would have been found.

A feed shows its FEED_LENGTH newest entries. Every feed is first polled when it is full; from then on the schedule says
when to come again, within LIMITS. An entry that appears and scrolls off between two polls is lost.

Feeds count by what they publish in a day, not by how long their record is, as if all were followed side by side:
delays are weighted by entries a day, and the number of polls a day is the mean over the feeds.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from newsmon.feeds.activity import DAY
from newsmon.feeds.polling import Policy, PollLimits, PollResult, PollState, decide
from newsmon.model import Entry, FeedDocument, FeedState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FEED_LENGTH = 20
LIMITS = PollLimits(minimum=300.0, maximum=DAY)
SHORTEST_STREAM = 10  # entries
LONGEST_STREAM = timedelta(days=90)  # the last days of a longer record tell as much
_TOLERANCE = 0.003  # of the wanted number of polls
_ATTEMPTS = 12


class Stream(NamedTuple):
    """What one source published, in the order of time."""

    source: str
    entries: tuple[Entry, ...]
    times: tuple[float, ...]  # seconds since the epoch


class Schedule(Protocol):
    """A polling rule at work on one feed."""

    def first(self, shown: Sequence[Entry], now: datetime) -> float:
        """Seconds to the second poll; ``shown`` is what the feed shows at the first, oldest entry first."""
        ...

    def again(self, shown: Sequence[Entry], new: int, now: datetime) -> float:
        """Seconds to the next poll; the last ``new`` of the entries shown were not seen before."""
        ...


class PolicySchedule:
    """A policy of newsmon as it runs in the crawl: through :func:`newsmon.feeds.polling.decide`, jitter included."""

    def __init__(self, policy: Policy, seed: int = 0) -> None:
        self._policy, self._random, self._state = policy, random.Random(seed), PollState()

    def first(self, shown: Sequence[Entry], now: datetime) -> float:
        """Let the policy learn from the entries' own times."""
        return self.again(shown, len(shown), now)

    def again(self, shown: Sequence[Entry], new: int, now: datetime) -> float:
        """Ask :func:`decide`; without new entries the answer is 304."""
        if new:
            feed = FeedDocument(FeedState.OK, kind="rss", entries=tuple(shown))
            result = PollResult(now, status=200, changed=True, new=new, total=len(shown), feed=feed)
        else:
            result = PollResult(now, status=304, not_modified=True)
        jitter = self._random.uniform(-1, 1)
        decision = decide(self._state, result, policy=self._policy, limits=LIMITS, now=now, jitter=jitter)
        self._state = decision.state
        return (decision.next_poll - now).total_seconds()


@dataclass(frozen=True, slots=True)
class Replay:
    """One feed under one schedule: ``delays`` in seconds of the entries found, ``days`` from first to last poll."""

    delays: list[float]
    lost: int
    polls: int
    days: float

    @property
    def items(self) -> int:
        """Entries published."""
        return len(self.delays) + self.lost


@dataclass(frozen=True, slots=True)
class Figures:
    """All feeds under one schedule; delays in minutes, ``lost_share`` from 0 to 1."""

    delay_mean: float
    delay_p90: float
    delay_p99: float
    lost_share: float
    polls_per_day: float
    items: int
    feeds: int


def read_streams(records: Iterable[dict[str, Any]]) -> list[Stream]:
    """The streams in documents with ``source`` and ``published``; dates without a time of day are of no use."""
    times: defaultdict[str, list[datetime]] = defaultdict(list)
    for record in records:
        published = _moment(record.get("published"))
        if published is not None and record.get("source"):
            times[str(record["source"])].append(published)
    streams = (_stream(source, sorted(moments)) for source, moments in sorted(times.items()))
    return [stream for stream in streams if len(stream.entries) >= SHORTEST_STREAM]


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str) or len(value) <= len("2024-03-01"):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _stream(source: str, moments: list[datetime]) -> Stream:
    recent = [moment for moment in moments if moments[-1] - moment <= LONGEST_STREAM]
    entries = tuple(Entry(url="", published=moment) for moment in recent)
    return Stream(source, entries, tuple(moment.timestamp() for moment in recent))


def replay(stream: Stream, schedule: Schedule) -> Replay:
    """Poll a stream by a schedule from the moment its feed is full until its last entry is out."""
    known = min(FEED_LENGTH, len(stream.times) // 2)
    start = now = stream.times[known - 1]
    wait = schedule.first(stream.entries[:known], _at(now))
    delays: list[float] = []
    lost = polls = 0
    while known < len(stream.times):
        now += min(max(wait, LIMITS.minimum), LIMITS.maximum)
        polls += 1
        out = bisect_right(stream.times, now, known)
        oldest = max(out - FEED_LENGTH, 0)
        lost += max(oldest - known, 0)
        delays.extend(now - time for time in stream.times[max(known, oldest) : out])
        wait = schedule.again(stream.entries[oldest:out], min(out - known, FEED_LENGTH), _at(now))
        known = out
    return Replay(delays, lost, polls, (now - start) / DAY)


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def figures(replays: Sequence[Replay]) -> Figures:
    """The replays of several feeds taken together."""
    weighted = [(replay, replay.items / replay.days) for replay in replays]
    delays = sorted((delay, weight / replay.items) for replay, weight in weighted for delay in replay.delays)
    found = sum(weight for _, weight in delays)
    return Figures(
        delay_mean=sum(delay * weight for delay, weight in delays) / found / 60,
        delay_p90=_quantile(delays, 0.9 * found) / 60,
        delay_p99=_quantile(delays, 0.99 * found) / 60,
        lost_share=sum(replay.lost / replay.days for replay in replays) / sum(weight for _, weight in weighted),
        polls_per_day=sum(replay.polls / replay.days for replay in replays) / len(replays),
        items=sum(replay.items for replay in replays),
        feeds=len(replays),
    )


def _quantile(weighted: Sequence[tuple[float, float]], mass: float) -> float:
    """The smallest of the sorted values up to which the weights add to ``mass``."""
    for value, weight in weighted:
        mass -= weight
        if mass <= 0:
            return value
    return weighted[-1][0]


def run(streams: Sequence[Stream], make: Callable[[int], Schedule]) -> Figures:
    """Replay every stream with a schedule of its own; ``make`` takes the number of the stream as a seed."""
    return figures([replay(stream, make(number)) for number, stream in enumerate(streams)])


def calibrated(
    streams: Sequence[Stream], make: Callable[[float, int], Schedule], polls_per_day: float, guess: float
) -> Figures:
    """The figures at the budget with which a schedule polls that often; at the nearest one when limits forbid it.

    :param make: (budget, seed) -> schedule; more budget, more polls.
    :param guess: budget to begin with; polls grow about in proportion to it, and so does the next guess.
    """
    budget, tried = guess, list[Figures]()
    while len(tried) < _ATTEMPTS:
        tried.append(run(streams, partial(make, budget)))
        ratio = polls_per_day / tried[-1].polls_per_day
        if abs(ratio - 1) < _TOLERANCE:
            break
        budget *= ratio
    return min(tried, key=lambda figures: abs(figures.polls_per_day - polls_per_day))
