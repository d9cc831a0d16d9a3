"""``scrapy search``: full text search in what was stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from rich.markup import escape
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from newsmon.crawl.runtime import open_to_read
from newsmon.errors import StoreError
from newsmon.records import as_record

if TYPE_CHECKING:
    import argparse

    from newsmon.model import Article


class Command(ScrapyCommand):
    """Finds stored articles by their words."""

    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "[options] WORD ..."

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Find stored articles by words of their title and text"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "All words must occur; the best matches come first. Works in every language the crawl stores, Chinese "
            "included. Exit code 1 when nothing is found, 2 when the store cannot be read."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--limit`` and ``--json``."""
        super().add_options(parser)
        parser.add_argument("--limit", type=int, default=10, help="most articles to show (default 10)")
        parser.add_argument("--json", action="store_true", help="print whole articles as JSON lines")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the articles found."""
        if not args:
            raise UsageError("say what to search for", print_help=False)
        assert self.settings is not None
        try:
            store = open_to_read(self.settings, "search")
        except StoreError as error:
            print(f"scrapy search: {error}")
            self.exitcode = 2
            return
        try:
            found = store.search(" ".join(args), limit=opts.limit)
        finally:
            store.close()
        for article in found:
            show(article, as_json=opts.json)
        self.exitcode = 0 if found else 1


def show(article: Article, *, as_json: bool) -> None:
    """Print one article: a line of JSON, or title, time, address and the beginning of the text."""
    if as_json:
        print(json.dumps(as_record(article), ensure_ascii=False))
        return
    console = Console()
    day = article.published.date().isoformat() if article.published else "no date"
    console.print(f"[bold]{escape(article.title or 'no title')}[/] {day}", highlight=False)
    console.print(f"  {escape(article.url)}", highlight=False)
    console.print(f"  {escape(' '.join(article.text.split())[:200])}", highlight=False)
