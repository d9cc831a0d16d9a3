"""Sitemaps, news sitemaps and sitemap indexes (sitemaps.org 0.9, Google's news and image extensions)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from newsmon.feeds.feed_dates import FeedDates
from newsmon.feeds.xmlfields import as_language, distinct, fields_of, namespace_of, raw, text
from newsmon.feeds.xmllinks import resolve
from newsmon.model import Entry, FeedDocument, FeedState
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml import etree

Item = TypeVar("Item")


def read_sitemap(root: etree._Element, rows: Sequence[etree._Element], url: str) -> FeedDocument:
    """Read a sitemap whose ``url`` elements are ``rows``; with the news extension the entries have titles and dates."""
    home = namespace_of(root)
    dates = FeedDates()
    entries = (_entry(row, home, url, dates) for row in rows)
    return FeedDocument(state=FeedState.OK, kind="sitemap", entries=tuple(entry for entry in entries if entry))


def read_index(root: etree._Element, rows: Sequence[etree._Element], url: str) -> FeedDocument:
    """Read a sitemap index, the newest sitemaps first; its own address is no child of it.

    Where no time of change is stated, the last ones come first in turn with the first ones: some sites put the newest
    at the end, some at the beginning.
    """
    home = namespace_of(root)
    dates = FeedDates()
    changed: dict[str, datetime | None] = {}
    for row in rows:
        fields = fields_of(row, home)
        address = resolve(raw(fields, "loc"), url, row)
        if address and address != url:
            changed.setdefault(address, dates.read(raw(fields, "lastmod")))
    children = _newest_first(changed) if any(changed.values()) else both_ends(list(changed))
    return FeedDocument(state=FeedState.OK, kind="sitemapindex", children=tuple(children))


def both_ends(items: list[Item]) -> list[Item]:
    """The last, the first, the last but one, the second and so on.

    >>> both_ends([1, 2, 3, 4, 5])
    [5, 1, 4, 2, 3]
    """
    half = len(items) // 2
    ends = zip(reversed(items), items, strict=False)
    taken = [item for pair in ends for item in pair][: 2 * half]
    return taken + items[half : len(items) - half]


def _newest_first(changed: dict[str, datetime | None]) -> list[str]:
    oldest = datetime.min.replace(tzinfo=UTC)
    return sorted(changed, key=lambda address: changed[address] or oldest, reverse=True)


def read_text_sitemap(text: str, url: str, *, limit: int) -> FeedDocument | None:
    """Read a sitemap of one address a line; None when a line is anything else.

    >>> read_text_sitemap("http://zarya.example/1\\nhttp://zarya.example/2\\n", "", limit=10).entries[1].url
    'http://zarya.example/2'
    """
    lines = text.split()
    if not lines or not all(line.startswith(("http://", "https://")) for line in lines):
        return None
    entries = tuple(Entry(url=line) for line in lines[:limit])
    return FeedDocument(state=FeedState.OK, kind="sitemap", entries=entries)


def _entry(row: etree._Element, home: str, base: str, dates: FeedDates) -> Entry | None:
    fields = fields_of(row, home)
    url = resolve(raw(fields, "loc"), base, row)
    if url is None:
        return None
    updated = dates.read(raw(fields, "lastmod"))
    if len(fields) == 1 or ("news:news" not in fields and "image:image" not in fields):
        return Entry(url=url, updated=updated)
    news = {name: found for part in fields.get("news:news", ()) for name, found in fields_of(part, home).items()}
    publication = {name: found for part in news.get("news:publication", ()) for name, found in fields_of(part).items()}
    images = (raw(fields_of(image, home), "image:loc") for image in fields.get("image:image", ()))
    return Entry(
        url=url,
        title=text(news, "news:title"),
        published=dates.read(raw(news, "news:publication_date")),
        updated=updated,
        tags=distinct(one_line(tag) for tag in (raw(news, "news:keywords") or "").split(",")),
        image=resolve(next(filter(None, images), None), base, row),
        language=as_language(raw(publication, "news:language")),
    )
