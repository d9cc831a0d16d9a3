"""A site's past: ``scrapy crawl backfill -a site=zarya.example -a since=2024-01-01 -a until=2024-02-01``.

::

    rule file's sitemaps, else robots.txt ─> index ─> sitemaps of the time ─> entries of the time ─> frontier ─> pages

A sitemap or an article belongs to the time by what the sitemap says of it, else by the date in its address; an article
without any date is fetched.
"""

from __future__ import annotations

import re
from collections import deque
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from newsmon.crawl.network import NETWORK_ERRORS
from newsmon.errors import NewsmonError
from newsmon.feeds.parse import parse_feed
from newsmon.spiders.articles import ArticleSpider, header

if TYPE_CHECKING:
    from newsmon.model import Entry, FeedDocument

MAX_SITEMAPS = 5000
DAY_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/_]?(0[1-9]|1[0-2])[-/_]?(0[1-9]|[12]\d|3[01])(?!\d)")
MONTH_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/_]?(0[1-9]|1[0-2])(?!\d)")


class BackfillSpider(ArticleSpider):
    """Fetches the articles that a site's sitemaps name, published between two days.

    :param site: domain with a rule file.
    :param since: first day, ``YYYY-MM-DD``.
    :param until: last day, today when empty.
    """

    name = "backfill"
    once_by_default = True
    polls_feeds = False

    def __init__(self, site: str = "", since: str = "", until: str = "", **kwargs: Any) -> None:
        super().__init__(sites=site, **kwargs)
        self.site, self._since, self._until = site.strip().lower(), since, until

    async def open(self) -> None:
        """Check the arguments first."""
        self.first, self.last = period(self.site, self._since, self._until, today=datetime.now(UTC).date())
        await super().open()

    async def prepare(self) -> None:
        """Write every article of the time to the frontier."""
        pending, seen = deque(await self._sitemaps()), set[str]()
        found = added = 0
        while pending and len(seen) < MAX_SITEMAPS:
            url = pending.popleft()
            if url in seen or not month_overlaps(url, self.first, self.last):
                continue
            seen.add(url)
            document = await self._fetch(url)
            if document is None:
                continue
            pending.extend(document.children)
            wanted = [entry for entry in document.entries if belongs(entry, self.first, self.last)]
            found += len(wanted)
            links = list(self.links(wanted, site=self.site))
            added += await self.runtime.gate.attempt(
                self.runtime.store.add_urls, links, site=self.site, now=datetime.now(UTC)
            )
        self.logger.info(
            "%s: %d articles of %s to %s in %d sitemaps, %d of them new",
            self.site,
            found,
            self.first,
            self.last,
            len(seen),
            added,
        )

    async def _sitemaps(self) -> list[str]:
        rules = self.runtime.library.sites[self.site]
        if rules.sitemaps:
            return list(rules.sitemaps)
        for scheme in ("https", "http"):
            file = await self.runtime.robots.file(f"{scheme}://{self.site}/")
            if file.sitemaps:
                return list(file.sitemaps)
        self.logger.error(
            "%s: neither its rule file nor its robots.txt names a sitemap; add `sitemaps:` to the rule file", self.site
        )
        return []

    async def _fetch(self, url: str) -> FeedDocument | None:
        request = Request(url, callback=NO_CALLBACK, dont_filter=True)
        assert self.crawler.engine is not None
        try:
            response = await self.crawler.engine.download_async(request)
        except (IgnoreRequest, *NETWORK_ERRORS) as error:
            self.logger.warning("The sitemap %s could not be read: %s", url, error)
            return None
        if response.status != 200:
            self.logger.warning("The sitemap %s could not be read: HTTP %d", url, response.status)
            return None
        return parse_feed(response.body, url=response.url, content_type=header(response, "Content-Type") or None)


def period(site: str, since: str, until: str, *, today: date) -> tuple[date, date]:
    """Read the spider's arguments.

    :raises NewsmonError: one is missing or is not a day.

    >>> period("zarya.example", "2024-01-01", "", today=date(2024, 1, 5))
    (datetime.date(2024, 1, 1), datetime.date(2024, 1, 5))
    """
    if not site or not since:
        raise NewsmonError("backfill needs a site and a first day: -a site=zarya.example -a since=2024-01-01")
    try:
        first, last = date.fromisoformat(since), date.fromisoformat(until) if until else today
    except ValueError as error:
        raise NewsmonError(f"backfill: since and until are days like 2024-01-31 ({error})") from error
    if first > last:
        raise NewsmonError(f"backfill: since ({first}) is after until ({last})")
    return first, last


def day_in_url(url: str) -> date | None:
    """The day an address names, None when it names none.

    >>> day_in_url("https://zarya.example/news/2024/05/03/thaw"), day_in_url("https://zarya.example/news/20245")
    (datetime.date(2024, 5, 3), None)
    """
    match = DAY_IN_URL.search(url)
    if match is None:
        return None
    year, month, day = map(int, match.groups())
    try:
        return date(year, month, day)
    except ValueError:  # 31 February
        return None


def month_overlaps(url: str, first: date, last: date) -> bool:
    """Say whether a sitemap whose address names a month may hold articles of the time; True when it names none.

    >>> month_overlaps("https://a.example/sitemap-2023-05.xml", date(2024, 1, 1), date(2024, 1, 31))
    False
    """
    match = MONTH_IN_URL.search(url)
    if match is None:
        return True
    year, month = map(int, match.groups())
    begin = date(year, month, 1)
    end = (begin + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return begin <= last and end >= first


def belongs(entry: Entry, first: date, last: date) -> bool:
    """Say whether an entry is of the time: by its publication, else by its address, else by its last change."""
    day = (entry.published.date() if entry.published else None) or day_in_url(entry.url)
    if day is None:
        return entry.updated is None or entry.updated.date() >= first
    return first <= day <= last
