"""A site's past: ``scrapy crawl backfill -a site=zarya.example -a since=2024-01-01 -a until=2024-02-01``.

::

    rule file's sitemaps, else robots.txt ─> index ─> sitemaps of the time ─> entries of the time ─> frontier ─> pages

An article is of the time by its publication as the sitemap states it, else by the date in its address, else by the date
in the address of the sitemap if that lies in the time as a whole, else by its last change; days are those of the site's
time zone. An article without any date is fetched. A sitemap that cannot be read is asked once more at the end.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from newsmon.errors import NewsmonError
from newsmon.feeds.parse import parse_feed
from newsmon.spiders.articles import ArticleSpider, header

if TYPE_CHECKING:
    from collections.abc import Iterable

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

    def __init__(self, site: str = "", since: str = "", until: str = "", sites: str = "", **kwargs: Any) -> None:
        super().__init__(sites=site or sites, **kwargs)
        self.site, self._since, self._until = site.strip().lower(), since, until

    def check_arguments(self) -> None:
        """Read site and days too."""
        super().check_arguments()
        self.first, self.last = period(self.site, self._since, self._until, today=datetime.now(UTC).date())

    async def prepare(self) -> None:
        """Write every article of the time to the frontier."""
        pending, seen, failed = deque(await self._sitemaps()), set[str](), list[str]()
        found = added = 0
        while pending and len(seen) < MAX_SITEMAPS:
            url = pending.popleft()
            if url in seen or not overlaps(url, self.first, self.last):
                continue
            document = await self._fetch(url)
            if document is None and url not in failed:
                failed.append(url)
                pending.append(url)
                continue
            seen.add(url)
            if document is None:
                continue
            failed = [other for other in failed if other != url]
            pending.extend(document.children)
            wanted = self._of_the_time(document.entries, url)
            found += len(wanted)
            links = list(self.links(wanted, site=self.site))
            added += await self.runtime.gate.attempt(
                self.runtime.store.add_urls, links, site=self.site, now=datetime.now(UTC)
            )
        for url in failed:
            self.logger.error("What the sitemap %s names is missing: run the same backfill again later", url)
        self.logger.info(
            "%s: %d articles of %s to %s in %d sitemaps, %d of them new",
            self.site,
            found,
            self.first,
            self.last,
            len(seen) - len(failed),
            added,
        )

    def _of_the_time(self, entries: Iterable[Entry], sitemap: str) -> list[Entry]:
        zone = ZoneInfo(self.runtime.library.sites[self.site].time_zone or "UTC")
        if lies_in(sitemap, self.first, self.last):
            return [entry for entry in entries if belongs(replace(entry, updated=None), self.first, self.last, zone)]
        return [entry for entry in entries if belongs(entry, self.first, self.last, zone)]

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
        response = await self.fetch_sitemap(url, site=self.site)
        if response is None:
            return None
        return parse_feed(response.body, url=response.url, content_type=header(response, "Content-Type") or None)


def period(site: str, since: str, until: str, *, today: date) -> tuple[date, date]:
    """Read the spider's arguments.

    :raises NewsmonError: one is missing or is not a day.

    >>> period("zarya.example", "2024-01-01", "", today=date(2024, 1, 5))
    (datetime.date(2024, 1, 1), datetime.date(2024, 1, 5))
    """
    if not site or not since:
        raise NewsmonError("backfill needs one site and a first day: -a site=zarya.example -a since=2024-01-01")
    try:
        first, last = date.fromisoformat(since), date.fromisoformat(until) if until else today
    except ValueError as error:
        raise NewsmonError(f"backfill: since and until are days like 2024-01-31 ({error})") from error
    if first > last:
        raise NewsmonError(f"backfill: since ({first}) is after until ({last})")
    return first, last


def days_in_url(url: str) -> tuple[date, date] | None:
    """First and last day that an address names: a day or a month; None when it names none.

    >>> days_in_url("https://zarya.example/news/2024/05/03/thaw")
    (datetime.date(2024, 5, 3), datetime.date(2024, 5, 3))
    >>> days_in_url("https://zarya.example/sitemap-2024-02.xml")
    (datetime.date(2024, 2, 1), datetime.date(2024, 2, 29))
    >>> days_in_url("https://zarya.example/news/20245"), days_in_url("https://zarya.example/news/2024/02/31/")
    (None, None)
    """
    match = DAY_IN_URL.search(url)
    if match is not None:
        day = _date(*match.groups())
        return (day, day) if day is not None else None
    match = MONTH_IN_URL.search(url)
    if match is None:
        return None
    begin = date(int(match[1]), int(match[2]), 1)
    return begin, (begin + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:  # 31 February
        return None


def overlaps(url: str, first: date, last: date) -> bool:
    """Say whether a sitemap may hold articles of the time, by its address; True when that names no date.

    >>> overlaps("https://a.example/sitemap-2023-05.xml", date(2024, 1, 1), date(2024, 1, 31))
    False
    """
    days = days_in_url(url)
    return days is None or (days[0] <= last and first <= days[1])


def lies_in(url: str, first: date, last: date) -> bool:
    """Say whether all that a sitemap holds is of the time, by its address."""
    days = days_in_url(url)
    return days is not None and first <= days[0] and days[1] <= last


def belongs(entry: Entry, first: date, last: date, zone: tzinfo) -> bool:
    """Say whether an entry is of the time; True when nothing tells.

    >>> from newsmon.model import Entry
    >>> late = datetime(2024, 1, 31, 22, 30, tzinfo=UTC)  # February in Moscow
    >>> january = date(2024, 1, 1), date(2024, 1, 31)
    >>> belongs(Entry("http://a.example/1", published=late), *january, ZoneInfo("Europe/Moscow"))
    False
    """
    if entry.published is not None:
        return first <= local_day(entry.published, zone) <= last
    days = days_in_url(entry.url)
    if days is not None:
        return days[0] <= last and first <= days[1]
    return entry.updated is None or first <= local_day(entry.updated, zone) <= last


def local_day(moment: datetime, zone: tzinfo) -> date:
    """The day of a moment where the site is; midnight in UTC is a date that was written without a time."""
    return moment.date() if moment.time() == time() else moment.astimezone(zone).date()
