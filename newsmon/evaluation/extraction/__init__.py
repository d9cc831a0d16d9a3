"""``scrapy evaluate extraction``: how near the extracted articles come to those people copied from the pages.

Data: ``gold.jsonl`` and ``pages/ID.html``. Every page is read by every method, from its bytes, without rules::

    gold.jsonl ─> GoldPage ─┬─ bytes ─> Page ─> extract(method, model) ─> Reading ─┐
                            └─ gold ────────────────────────────────────────────────┴─> PageScore ─> rows

The metric of the texts is that of the public article-extraction-benchmark, see :mod:`newsmon.scoring`. A set that knows
segments only (``with_``, ``without``) has precision, recall and F1 of its segments in the same columns, which are left
out of those of ``all``. ``title_exact``, ``date_day`` and ``author_f1`` are means over the pages with that gold;
``as_article`` is the share of pages taken for articles. CPU time is the process's, from the bytes to the result with
all metadata.

The models in the package were trained on some public corpora too. A page of a site they know is therefore read by a
model that was trained without that site, unless ``--seen`` asks for the model of the package.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from time import process_time_ns
from typing import TYPE_CHECKING, Any

from newsmon.corpora import GOLD, read_gold
from newsmon.errors import EvaluationError
from newsmon.evaluation import ALL, DataSet, Evaluation, Progress, Row
from newsmon.evaluation.extraction.figures import Gold, PageScore, Reading, figures
from newsmon.extraction import METHODS, classifier, extract, paper
from newsmon.model import Extract, Kind
from newsmon.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsmon.corpora import GoldPage

NAMES = {"auto": "default"}
"""Name of a method in the rows, where it is not its own."""


def _methods(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found or not set(found) <= set(METHODS):
        raise argparse.ArgumentTypeError(f"choose from {', '.join(METHODS)}, with commas between; got {text!r}")
    return found


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--method",
        type=_methods,
        action="extend",
        metavar="M[,M...]",
        help=f"{', '.join(METHODS)} (default: auto,paper; auto is shown as default)",
    )
    parser.add_argument(
        "--seen",
        action="store_true",
        help="read every page with the model of the package, even when it was trained on the page's site",
    )
    parser.add_argument(
        "--pages", type=Path, metavar="FILE", help="write the figures of every page to FILE, as JSON Lines"
    )


def _measure(sets: Sequence[DataSet], options: argparse.Namespace, progress: Progress) -> Iterator[Row]:
    if options.pages and not options.pages.parent.is_dir():  # told before the long work, not after it
        raise EvaluationError("no such folder to write to", path=options.pages.parent)
    methods = list(dict.fromkeys(options.method or ["auto", "paper"]))
    scores = [score for data in sets for score in _scores_of(data, methods, options, progress)]
    if not scores:
        raise EvaluationError(f"no page of {', '.join(data.name for data in sets)} is there to be read")
    if options.pages:
        records = (json.dumps(score.as_record(), ensure_ascii=False) + "\n" for score in scores)
        options.pages.write_text("".join(records), encoding="utf-8")
    yield from rows(scores, [data.name for data in sets])


def rows(scores: Sequence[PageScore], sets: Sequence[str]) -> Iterator[Row]:
    """Figures of each set and of ``all`` pages, by method; one set is ``all``."""
    methods = list(dict.fromkeys(score.method for score in scores))
    groups = {name: [score for score in scores if score.set == name] for name in sets} if len(sets) > 1 else {}
    for group, members in {**groups, ALL: list(scores)}.items():
        for method in methods:
            if of_method := [score for score in members if score.method == method]:
                yield from figures(method, group, of_method)


def _scores_of(
    data: DataSet, methods: Sequence[str], options: argparse.Namespace, progress: Progress
) -> Iterator[PageScore]:
    pages = list(read_gold(data))
    for done, page in enumerate(pages):
        progress(data.name, done, len(pages))
        gold, body = Gold(page), page.body()
        for method in methods:
            if not done:
                read(page, body, method, seen=options.seen)  # loads the models, which is no page's time
            yield gold.compare(NAMES.get(method, method), read(page, body, method, seen=options.seen))


def read(gold: GoldPage, body: bytes, method: str, *, seen: bool = False) -> Reading:
    """Read a page from its bytes as newsmon would that has never seen its site.

    :param seen: use the model of the package whatever it was trained on.
    """
    address = gold.address
    extras = model_options(method, None if seen else gold.site)
    begin = process_time_ns()
    page = Page(address, address, 200, body, datetime.now(UTC))
    try:
        found, failed = extract(page, **extras), False
    except Exception as error:  # noqa: BLE001 - a fault of newsmon costs one page of the measurement, and is counted
        found, failed = Extract(kind=Kind.UNPARSABLE, reason=repr(error)), True
    cpu_ms = (process_time_ns() - begin) / 1e6
    return Reading(found.text, cpu_ms, found.title, found.published, found.authors, str(found.kind), failed)


def model_options(method: str, site: str | None) -> dict[str, Any]:
    """The arguments of ``extract`` for a page: its method, and the model that does not know its site.

    :param site: None when the model of the package is wanted.
    """
    if site is None:
        return {"method": method}
    return {"method": method, "model": (paper if method == "paper" else classifier).PACKAGED.without(site)}


EVALUATION = Evaluation(
    summary="texts (4-gram shingles, lines), title, date, authors and CPU time of extraction without rules",
    marker=GOLD,
    add_options=_add_options,
    measure=_measure,
)
