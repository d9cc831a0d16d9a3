"""``scrapy status``: every source, when it last worked, what is wrong with it, and where all its URLs are."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from scrapy.commands import ScrapyCommand

from newsmon.crawl.runtime import open_to_read
from newsmon.errors import StoreError
from newsmon.feeds.polling import PollStatus
from newsmon.model import FeedState, Outcome

if TYPE_CHECKING:
    import argparse

    from newsmon.storage import FeedStatus, SiteStatus


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
        parser.add_argument("--feeds", action="store_true", help="show every feed")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the state of the sites named, or of all."""
        assert self.settings is not None
        try:
            store = open_to_read(self.settings, "status")
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
    console.print(sites_table(sites, now), counts_table(sites))
    feeds = [feed for site in sites for feed in site.feeds] if all_feeds else []
    if feeds:
        console.print(feeds_table(feeds, now))
    for site in sites:
        for remark in remarks(site):
            console.print(f"[bold]{escape(site.domain)}[/] {escape(remark)}", highlight=False, soft_wrap=True)


def needs_attention(site: SiteStatus) -> bool:
    """Say whether a person should look at the site."""
    failed = site.pages.done.get(Outcome.FAILED, 0)
    return bool(site.rule_error or site.rule_failure or failed or any(feed.error for feed in site.feeds))


def sites_table(sites: list[SiteStatus], now: datetime) -> Table:
    """When each site worked last, and what is wrong with it."""
    table = Table(title="Sources", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("site", "last success", "last article", "next poll"):
        table.add_column(column, no_wrap=column != "site")
    table.add_column("state", no_wrap=True)
    for site in sites:
        times = [ago(moment, now) for moment in (site.last_success, site.last_article, site.next_poll)]
        table.add_row(escape(site.domain), *times, _state(site))
    return table


def counts_table(sites: list[SiteStatus]) -> Table:
    """Where the URLs of each site are; the columns add up to the first."""
    table = Table(title="Pages", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    table.add_column("site", no_wrap=True)
    for column in ("found", "stored", "other", "double", "refused", "gone", "failed", "due"):
        table.add_column(column, justify="right", no_wrap=True)
    for site in sites:
        done = {outcome: site.pages.done.get(outcome, 0) for outcome in Outcome}
        refused = done[Outcome.REFUSED] + done[Outcome.FORBIDDEN]
        counts = [site.pages.discovered, done[Outcome.STORED], done[Outcome.NOT_ARTICLE], done[Outcome.DUPLICATE]]
        counts += [refused, done[Outcome.GONE], done[Outcome.FAILED], site.pages.pending + site.pages.leased]
        table.add_row(escape(site.domain), *(str(count or "") for count in counts))
    return table


def _state(site: SiteStatus) -> str:
    if site.rule_error:
        return "[red]broken rule file[/]"
    if not site.active:
        return "no rule file any more"
    if site.rule_failure:
        return "[red]rule fails[/]"
    return "[red]feed error[/]" if any(feed.error for feed in site.feeds) else "ok"


def remarks(site: SiteStatus) -> list[str]:
    """What there is to say of a site in words."""
    said = [f"broken rule file: {site.rule_error}"] if site.rule_error else []
    said += [f"{feed.url}: {feed.error}" for feed in site.feeds if feed.error]
    said += [f"the newest article was read without the rule: {site.rule_failure}"] if site.rule_failure else []
    return said + ([f"last page without an article: {site.last_reason}"] if site.last_reason else [])


def feeds_table(feeds: list[FeedStatus], now: datetime) -> Table:
    """One line per feed."""
    table = Table(title="Feeds", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("feed", overflow="fold")
    for column in ("state", "last success", "last new", "next poll"):
        table.add_column(column, no_wrap=True)
    for feed in feeds:
        times = [ago(moment, now) for moment in (feed.last_success, feed.last_new, feed.next_poll)]
        table.add_row(escape(feed.url), state_of(feed), *times)
    return table


def state_of(feed: FeedStatus) -> str:
    """Say in a word or two how a feed is: ``failing, 3x``, ``gone``, ``empty``, ``partial``, ``active``."""
    if feed.errors and feed.status != PollStatus.GONE:
        return f"{feed.status}, {feed.errors}x"
    odd = feed.feed_state in (FeedState.EMPTY, FeedState.PARTIAL) and feed.status == PollStatus.ACTIVE
    return str(feed.feed_state) if odd else feed.status


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
