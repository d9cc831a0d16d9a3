"""Extraction beside other tools: texts, titles, dates and authors against gold, and CPU time per page, in one run.

    python -m bench.extraction DATA_DIR [--only newsmon,trafilatura] [--json FILE]

DATA_DIR is a set (``gold.jsonl`` and ``pages/``) or a folder of sets, as for ``scrapy evaluate extraction``. Every tool
reads every page before the next page comes, so that a busy machine slows all alike; tools that are not installed are
named and left out.

What makes the comparison fair: all get the bytes decoded by newsmon's decoder (several have none, and this helps them)
and the address where it is known; that time counts for all, and so does the time for metadata, where a tool has any.
The language of the page is told to jusText only, which cannot work without; an error of a tool is an empty text, and
counted. Sites that newsmon's model was trained on are read with a model that does not know them.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings
from datetime import UTC, datetime, time
from importlib import import_module
from pathlib import Path
from time import process_time_ns
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from newsmon.commands.evaluate import document
from newsmon.corpora import GOLD, read_gold
from newsmon.encoding import decode
from newsmon.errors import EvaluationError
from newsmon.evaluation import find_sets
from newsmon.evaluation.extraction import read, rows
from newsmon.evaluation.extraction.figures import Gold, PageScore, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from newsmon.corpora import GoldPage
    from newsmon.evaluation import DataSet, Row


class Found(NamedTuple):
    """What a peer gives."""

    text: str
    title: str | None = None
    published: datetime | None = None
    authors: tuple[str, ...] | None = None


class Peer(NamedTuple):
    """Another tool.

    :param modules: what it needs.
    :param make: modules -> its reader, which takes the page and its markup and gives what it found.
    :param gives: figures it can have besides those of the text.
    """

    modules: tuple[str, ...]
    make: Callable[..., Callable[[GoldPage, str], Found]]
    gives: frozenset[str] = frozenset()


# --- peers: each as its documentation shows it, set for news, without comments ----------------------------------------


def trafilatura(tool: Any) -> Callable[[GoldPage, str], Found]:
    def read_page(page: GoldPage, markup: str) -> Found:
        found = tool.bare_extraction(markup, url=page.url, with_metadata=True, include_comments=False)
        if found is None:
            return Found("")
        authors = tuple(found.author.split("; ")) if found.author else ()
        return Found(found.text or "", found.title, _day(found.date), authors)

    return read_page


def readability(tool: Any, html_text: Any) -> Callable[[GoldPage, str], Found]:
    def read_page(page: GoldPage, markup: str) -> Found:
        article = tool.Document(markup, url=page.url)
        return Found(html_text.extract_text(article.summary(html_partial=True)), article.short_title())

    return read_page


def newspaper(tool: Any) -> Callable[[GoldPage, str], Found]:
    config = tool.Config()
    config.fetch_images = False  # nothing is fetched here

    def read_page(page: GoldPage, markup: str) -> Found:
        article = tool.Article(page.url or "http://page.example/", config=config)
        article.download(input_html=markup)
        article.parse()
        date = article.publish_date if isinstance(article.publish_date, datetime) else None
        return Found(article.text, article.title, date, tuple(article.authors))

    return read_page


def resiliparse(tool: Any) -> Callable[[GoldPage, str], Found]:
    options = {"main_content": True, "links": False, "alt_texts": False}
    return lambda page, markup: Found(tool.extract_plain_text(markup, **options))


def justext(tool: Any) -> Callable[[GoldPage, str], Found]:
    known = tool.get_stoplists()
    names = {code: name for code, name in STOP_LISTS.items() if name in known}

    def read_page(page: GoldPage, markup: str) -> Found:
        language = names.get((page.language or "").split("-")[0].lower())
        words = tool.get_stoplist(language) if language else frozenset()
        without_list = {} if language else {"stopwords_low": 0.0, "stopwords_high": 0.0}
        paragraphs = tool.justext(markup, words, **without_list)
        return Found("\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate))

    return read_page


STOP_LISTS = dict(
    pair.split(":")
    for pair in (
        "ar:Arabic bg:Bulgarian ca:Catalan cs:Czech da:Danish de:German el:Greek en:English es:Spanish et:Estonian "
        "fa:Persian fi:Finnish fr:French hr:Croatian hu:Hungarian id:Indonesian is:Icelandic it:Italian ja:Japanese "
        "ko:Korean la:Latin lt:Lithuanian lv:Latvian nl:Dutch no:Norwegian_Bokmal pl:Polish pt:Portuguese ro:Romanian "
        "ru:Russian sk:Slovak sl:Slovenian sv:Swedish tr:Turkish uk:Ukrainian vi:Vietnamese zh:Chinese"
    ).split()
)
TITLE, DATE, AUTHORS = "title_exact", "date_day", "author_f1"
PEERS = {
    "trafilatura": Peer(("trafilatura",), trafilatura, frozenset({TITLE, DATE, AUTHORS})),
    "readability-lxml": Peer(("readability", "html_text"), readability, frozenset({TITLE})),
    "newspaper4k": Peer(("newspaper",), newspaper, frozenset({TITLE, DATE, AUTHORS})),
    "resiliparse": Peer(("resiliparse.extract.html2text",), resiliparse),
    "justext": Peer(("justext",), justext),
}
OURS = {"newsmon": "auto", "newsmon-svm": "svm", "newsmon-paper": "paper"}
DEFAULT = ("newsmon", "newsmon-paper", *PEERS)

# --- measuring --------------------------------------------------------------------------------------------------------


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="a set, or a folder of sets")
    parser.add_argument("--only", default=",".join(DEFAULT), help=f"of {', '.join((*OURS, *PEERS))}, with commas")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as scrapy evaluate --json does")
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := set(wanted) - {*OURS, *PEERS}:
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join((*OURS, *PEERS))}")
    _silence()
    try:
        sets = find_sets(options.data, GOLD)
        scores = list(_scores(sets, _readers(wanted)))
        found = [row for row in rows(scores, [data.name for data in sets]) if _is_given(row)]
    except EvaluationError as error:
        print(f"bench.extraction: {error}", file=sys.stderr)
        return 1
    _print(found)
    if options.json:
        options.json.write_text(json.dumps(document("extraction", options.data, found), indent=1) + "\n", "utf-8")
    return 0


def _readers(wanted: Sequence[str]) -> dict[str, Callable[[GoldPage, bytes], Reading]]:
    readers = {}
    for name in wanted:
        if name in OURS:
            readers[name] = _own_reader(OURS[name])
            continue
        try:
            readers[name] = _peer_reader(PEERS[name].make(*map(import_module, PEERS[name].modules)))
        except ImportError as error:
            print(f"{name} is left out: {error}; see bench/requirements.txt")
    return readers


def _is_given(row: Row) -> bool:
    """False for a figure of something the tool does not give at all."""
    fields = {TITLE, DATE, AUTHORS}
    return row.metric not in fields or row.method not in PEERS or row.metric in PEERS[row.method].gives


def _own_reader(method: str) -> Callable[[GoldPage, bytes], Reading]:
    return lambda page, body: read(page, body, method)


def _peer_reader(tool: Callable[[GoldPage, str], Found]) -> Callable[[GoldPage, bytes], Reading]:
    def read_page(page: GoldPage, body: bytes) -> Reading:
        begin = process_time_ns()
        try:
            found, failed = tool(page, decode(body).text), False
        except (Exception, SystemExit):  # noqa: BLE001 - another program's fault is a figure of this bench
            found, failed = Found(""), True
        cpu_ms = (process_time_ns() - begin) / 1e6
        return Reading(found.text, cpu_ms, found.title, found.published, found.authors, failed=failed)

    return read_page


def _scores(sets: Sequence[DataSet], readers: dict[str, Callable[[GoldPage, bytes], Reading]]) -> Iterator[PageScore]:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for data in sets:
            pages = list(read_gold(data))
            for number, page in enumerate(bar.track(pages, description=data.name)):
                gold, body = Gold(page), page.body()
                for name, reader in readers.items():
                    if not number:
                        reader(page, body)  # imports and models are no page's time
                    yield gold.compare(name, reader(page, body))


def _silence() -> None:
    """Tools that warn of every page would hide the table."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


def _print(found: Sequence[Row]) -> None:
    """A table per figure: a line per tool, a column per set."""
    console = Console(width=None if sys.stdout.isatty() else 250)
    groups = list(dict.fromkeys(row.group for row in found))
    values = {(row.metric, row.method, row.group): row.value for row in found}
    for title, form in TABLES.items():
        table = Table("tool", *groups, title=title, title_justify="left")
        for method in dict.fromkeys(row.method for row in found):
            cells = [
                _cell(form, {metric: values.get((metric, method, group)) for metric in METRICS}) for group in groups
            ]
            if any(cells):
                table.add_row(method, *cells)
        if table.row_count:
            console.print(table)


def _cell(form: str, values: dict[str, float | None]) -> str:
    known = {name: value for name, value in values.items() if value is not None}
    try:
        return form.format(**known)
    except KeyError:  # the set has no gold for it, or the tool does not give it
        return ""


METRICS = ("f1", "precision", "recall", "line_f1", TITLE, DATE, AUTHORS, "cpu_ms_median", "cpu_ms_p95", "errors")
TABLES = {
    "Texts: F1 of 4-gram shingles (mean precision/recall); of segments where a set has only these": (
        "{f1:.3f} ({precision:.2f}/{recall:.2f})"
    ),
    "Lines: F1": "{line_f1:.3f}",
    "Title, exact": f"{{{TITLE}:.3f}}",
    "Date, exact day": f"{{{DATE}:.3f}}",
    "Authors, F1": f"{{{AUTHORS}:.3f}}",
    "CPU ms per page: median (95th percentile)": "{cpu_ms_median:.1f} ({cpu_ms_p95:.0f})",
    "Pages on which the tool raised an error": "{errors:.0f}",
}


def _day(text: str | None) -> datetime | None:
    try:
        return datetime.combine(datetime.fromisoformat(text), time(), UTC) if text else None
    except ValueError:
        return None


if __name__ == "__main__":
    sys.exit(main())
