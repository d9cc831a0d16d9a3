"""``scrapy status``: every source, when it last worked, what is wrong with it, and where all its URLs are."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from rich.table import Table
from scrapy.commands import ScrapyCommand

from newsmon.crawl.runtime import store_url
from newsmon.errors import StoreError
from newsmon.model import Outcome
from newsmon.storage import FeedStatus, SiteStatus, Store

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Shows the state of every source."""

    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "[options] [SITE ...]"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Show every source: last success, last new article, error, next poll, counts"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "Reads the store (NEWSMON_STORE_URL, or the SQLite file in NEWSMON_STATE_DIR) and shows one line per "
            "site, then its feeds. It may run beside a crawl. Exit code 1 when a site needs attention: a broken rule "
            "file, a failing feed, pages that were given up."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--json`` and ``--feeds``."""
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
        parser.add_argument("--feeds", action="store_true", help="show every feed, not only those with an error")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the state of the sites named, or of all."""
        assert self.settings is not None
        state_dir = Path(self.settings["NEWSMON_STATE_DIR"])
        try:
            store = Store.open(store_url(self.settings), owner="status", state_dir=state_dir, exclusive=False)
        except StoreError as error:
            print(f"scrapy status: {error}")
            self.exitcode = 2
            return
        try:
            sites = [site for site in store.status() if not args or site.domain in args]
        finally:
            store.close()
        unknown = sorted(set(args) - {site.domain for site in sites})
        if unknown:
            print(f"scrapy status: nothing is known of {', '.join(unknown)}; has it a rule file, and has a crawl run?")
            self.exitcode = 2
            return
        show(sites, as_json=opts.json, all_feeds=opts.feeds)
        self.exitcode = 1 if any(map(needs_attention, sites)) else 0


def show(sites: list[SiteStatus], *, as_json: bool, all_feeds: bool) -> None:
    """Print the sites as a table or as JSON."""
    if as_json:
        print(json.dumps([dataclasses.asdict(site) for site in sites], default=_json, ensure_ascii=False, indent=2))
        return
    now = datetime.now(UTC)
    console = Console()
    console.print(sites_table(sites, now))
    feeds = [feed for site in sites for feed in site.feeds if all_feeds or feed.error]
    if feeds:
        console.print(feeds_table(feeds, now))
    for site in sites:
        if site.rule_error:
            console.print(f"[red]{site.domain}: its rule file is broken:[/] {site.rule_error}", highlight=False)


def needs_attention(site: SiteStatus) -> bool:
    """Say whether a person should look at the site."""
    failed = site.pages.done.get(Outcome.FAILED, 0)
    return bool(site.rule_error or failed or any(feed.error for feed in site.feeds))


def sites_table(sites: list[SiteStatus], now: datetime) -> Table:
    """One line per site."""
    table = Table(title="Sources", title_justify="left")
    for column in ("site", "last success", "last article", "next poll"):
        table.add_column(column)
    for column in ("found", "stored", "not article", "duplicate", "refused", "gone", "failed", "pending"):
        table.add_column(column, justify="right")
    table.add_column("last reason", overflow="fold")
    for site in sites:
        done = site.pages.done
        refused = done.get(Outcome.REFUSED, 0) + done.get(Outcome.FORBIDDEN, 0)
        counts = [site.pages.discovered, done.get(Outcome.STORED, 0), done.get(Outcome.NOT_ARTICLE, 0)]
        counts += [done.get(Outcome.DUPLICATE, 0), refused, done.get(Outcome.GONE, 0), done.get(Outcome.FAILED, 0)]
        counts += [site.pages.pending + site.pages.leased]
        times = [ago(site.last_success, now), ago(site.last_article, now), ago(site.next_poll, now)]
        state = "broken rule" if site.rule_error else "" if site.active else "no rule file"
        name = f"{site.domain} [red]({state})[/]" if state else site.domain
        table.add_row(name, *times, *(str(count or "") for count in counts), site.last_reason or "")
    return table


def feeds_table(feeds: list[FeedStatus], now: datetime) -> Table:
    """One line per feed."""
    table = Table(title="Feeds", title_justify="left")
    for column in ("feed", "state", "last success", "last new", "next poll", "error"):
        table.add_column(column, overflow="fold")
    for feed in feeds:
        error = f"{feed.error} ({feed.errors} times, since {ago(feed.error_since, now)})" if feed.error else ""
        times = [ago(feed.last_success, now), ago(feed.last_new, now), ago(feed.next_poll, now)]
        table.add_row(feed.url, feed.status, *times, error)
    return table


def ago(moment: datetime | None, now: datetime) -> str:
    """Say how far a moment is from now.

    >>> from datetime import timedelta
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> ago(noon - timedelta(minutes=90), noon), ago(noon + timedelta(seconds=20), noon), ago(None, noon)
    ('1.5 h ago', 'in 20 s', 'never')
    """
    if moment is None:
        return "never"
    seconds = (now - moment).total_seconds()
    size = abs(seconds)
    for unit, length in (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if size >= length or unit == "s":
            amount = f"{size / length:.1f}".removesuffix(".0") if unit != "s" else f"{size:.0f}"
            return f"{amount} {unit} ago" if seconds >= 0 else f"in {amount} {unit}"
    return "now"


def _json(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
