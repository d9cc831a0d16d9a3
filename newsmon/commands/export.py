"""``scrapy export``: stored articles as JSON Lines, CSV, XML, Markdown, Parquet or WARC."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from rich.progress import track
from scrapy.commands import ScrapyCommand

from newsmon.crawl.runtime import open_to_read
from newsmon.errors import ExportError, NewsmonError
from newsmon.export import SUFFIXES, ExportReport, export, format_of
from newsmon.model import Kind
from newsmon.storage import Archive, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsmon.model import Article


class Command(ScrapyCommand):
    """Exports stored articles."""

    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "[options] --out PATH"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Export stored articles to JSON Lines, CSV, XML, Markdown, Parquet or WARC"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "Reads the store (NEWSMON_STORE_URL, or the SQLite file in NEWSMON_STATE_DIR); it may run beside a crawl. "
            "The records are those of Scrapy's feed exports. XML gives a folder with one document per article, valid "
            "against newsmon/schemas/article.xsd, and Markdown one file per article; both keep headings, lists, quotes "
            "and tables. WARC gives the raw pages with the records beside them. Exit code 1 when raw pages were "
            "missing, 2 when nothing was exported."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add where to, in which form, and which articles."""
        super().add_options(parser)
        formats = sorted(set(SUFFIXES.values()))
        parser.add_argument(
            "--out", metavar="PATH", required=True, help="new file, or for XML and Markdown a new folder"
        )
        parser.add_argument("--format", choices=formats, help="default: as the name of the file says")
        parser.add_argument(
            "--since", type=moment, metavar="TIME", help="fetched at or after (ISO 8601; UTC if no zone)"
        )
        parser.add_argument("--until", type=moment, metavar="TIME", help="fetched before")
        parser.add_argument("--published", action="store_true", help="--since and --until mean the publication time")
        parser.add_argument("--site", type=names, metavar="A,B", default=frozenset(), help="only these domains")
        parser.add_argument("--language", type=names, metavar="A,B", default=frozenset(), help="only these languages")
        parser.add_argument(
            "--kind",
            type=kinds,
            metavar="A,B",
            default=frozenset({Kind.ARTICLE}),
            help=f"documents of these kinds (default article): {', '.join(Kind)}, or all",
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the export and say what is in it."""
        out = Path(opts.out)
        try:
            kind = opts.format or format_of(out)
            if args:
                raise ExportError(f"unexpected: {' '.join(args)}; see scrapy export --help")
            report = self._export(kind, out, selection(opts))
        except NewsmonError as error:
            print(f"scrapy export: {error}", file=sys.stderr)
            self.exitcode = 2
            return
        show(report, kind, out, as_json=opts.json)
        self.exitcode = 1 if report.without_page else 0

    def _export(self, kind: str, out: Path, wanted: Selection) -> ExportReport:
        assert self.settings is not None
        state_dir = Path(self.settings["NEWSMON_STATE_DIR"])
        with open_to_read(self.settings, "export") as store:
            articles = _watched(store.articles(wanted), store.count(wanted))
            return export(articles, kind, out, archive=Archive(state_dir / "archive"))


def selection(opts: argparse.Namespace) -> Selection:
    """Which documents the options ask for."""
    return Selection(
        since=opts.since,
        until=opts.until,
        sites=opts.site,
        kinds=opts.kind,
        languages=opts.language,
        by_published=opts.published,
    )


def show(report: ExportReport, kind: str, out: Path, *, as_json: bool) -> None:
    """Print what was written."""
    if as_json:
        print(json.dumps({"format": kind, "out": str(out), **vars(report)}, ensure_ascii=False))
        return
    print(f"{report.articles} documents written to {out} ({kind})")
    if not report.articles:
        print("  the store holds none of that kind, site and time; scrapy status shows what is in it")
    for problem in report.without_page:
        print(f"  without its raw page: {problem}")


def _watched(articles: Iterable[Article], total: int) -> Iterable[Article]:
    """Show a progress bar where someone watches."""
    console = Console(stderr=True)
    return track(articles, "Exporting", total=total, console=console) if console.is_terminal else articles


def moment(text: str) -> datetime:
    """Read a time of the command line; without a zone it is UTC.

    >>> moment("2024-05-01").isoformat()
    '2024-05-01T00:00:00+00:00'
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time; write 2024-05-01 or 2024-05-01T12:00+03:00"
        ) from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def names(text: str) -> frozenset[str]:
    """Read a list of names.

    >>> sorted(names("b.example, a.example"))
    ['a.example', 'b.example']
    """
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def kinds(text: str) -> frozenset[Kind]:
    """Read a list of kinds of documents; ``all`` is every one.

    >>> sorted(kinds("consent,paywall"))
    [<Kind.CONSENT: 'consent'>, <Kind.PAYWALL: 'paywall'>]
    """
    try:
        return frozenset(Kind) if text == "all" else frozenset(Kind(name) for name in names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}; there are {', '.join(Kind)}, and all") from error
