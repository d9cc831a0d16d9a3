"""``scrapy rules discover``: the feeds of a site, and a rule file to begin with."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from rich.table import Table

from newsmon.commands.ruleactions.consoles import plain_console
from newsmon.errors import NewsmonError
from newsmon.feeds.discovery import Answer, discover
from newsmon.fetching import Fetch, FetchFailure, fetch_plan
from newsmon.rulefile import write_rules
from newsmon.siterules import FeedRule, SiteRules
from newsmon.subscriptions import MAX_NAME
from newsmon.urls import canonical, host_of

if TYPE_CHECKING:
    import argparse

    from rich.console import Console
    from scrapy.crawler import CrawlerProcessBase

    from newsmon.feeds.discovery import FoundFeed
    from newsmon.fetching import Plan


@dataclasses.dataclass(frozen=True)
class Discovery:
    """What a search found.

    :param failures: address -> why it gave nothing; most are guesses that were wrong.
    """

    url: str
    feeds: list[FoundFeed]
    failures: dict[str, str]


def discover_feeds(names: list[str], opts: argparse.Namespace, process: CrawlerProcessBase) -> int:
    """Search one site.

    :raises NewsmonError: when not exactly one address is named.
    """
    if len(names) != 1:
        raise NewsmonError("name one address, like: scrapy rules discover https://lenta.ru/")
    url = canonical(names[0] if "://" in names[0] else f"https://{names[0]}/")
    found = fetch_plan(process, search(url))
    if opts.json:
        print(json.dumps(_as_json(found), ensure_ascii=False, indent=2))
    else:
        show(found, plain_console())
    if found.feeds:
        return 0
    return 2 if found.url in found.failures else 1


def search(url: str) -> Plan[Discovery]:
    """Run :func:`newsmon.feeds.discovery.discover` on fetched pages."""
    failures: dict[str, str] = {}
    steps = discover(url)
    wanted = next(steps)
    while True:
        answer = yield Fetch(wanted)
        if isinstance(answer, FetchFailure):
            failures[wanted] = answer.reason
        try:
            wanted = steps.send(
                None
                if isinstance(answer, FetchFailure)
                else Answer(answer.final_url, answer.body, answer.headers.get("content-type"))
            )
        except StopIteration as end:
            return Discovery(url, end.value, failures)


def first_rules(found: Discovery) -> SiteRules:
    """Return rules to begin with: the feeds that hold news, the sitemaps that do not."""
    return SiteRules(
        domain=host_of(found.url).removeprefix("www."),
        name=next((feed.title[:MAX_NAME] for feed in found.feeds if feed.title), None),
        feeds=tuple(FeedRule(url=feed.url) for feed in found.feeds if feed.has_news),
        sitemaps=tuple(feed.url for feed in found.feeds if not feed.has_news and feed.kind.startswith("sitemap")),
    )


def show(found: Discovery, console: Console) -> None:
    """Print what was found."""
    if not found.feeds:
        reason = found.failures.get(found.url)
        console.print(f"{found.url}: {reason or 'no feed and no sitemap found'}", soft_wrap=True)
        return
    table = Table()
    for column in ("address", "kind", "entries", "found by", "title"):
        table.add_column(column, overflow="fold")
    for feed in found.feeds:
        kind = feed.kind if feed.has_news or not feed.kind.startswith("sitemap") else f"{feed.kind} (past articles)"
        table.add_row(feed.url, kind, str(feed.entries), str(feed.source), feed.title or "")
    console.print(table)
    rules = first_rules(found)
    console.print(f"A rule file to begin with, {rules.domain}.yaml:\n", soft_wrap=True)
    print(write_rules(rules))


def _as_json(found: Discovery) -> dict[str, object]:
    return {
        "url": found.url,
        "feeds": [dataclasses.asdict(feed) for feed in found.feeds],
        "failures": found.failures,
        "rules": write_rules(first_rules(found)),
    }
