"""RSS 0.90 to 0.94 and 2.0, and RSS 1.0 (RDF), with the modules that news sites use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon.feeds.feed_dates import FeedDates
from newsmon.feeds.plaintext import plain, summary
from newsmon.feeds.xmlfields import (
    Fields,
    as_language,
    distinct,
    fields_of,
    language_of,
    markup_of,
    person,
    raw,
    text,
)
from newsmon.feeds.xmllinks import hub_of, is_address, picture, resolve
from newsmon.model import Entry, FeedDocument, FeedState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml import etree

DAY = 86_400.0
_PERIODS = {"hourly": 3600.0, "daily": DAY, "weekly": 7 * DAY, "monthly": 30 * DAY, "yearly": 365 * DAY}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_ABOUT = f"{{{_RDF}}}about"


def read_rss(root: etree._Element, items: Sequence[etree._Element], url: str) -> FeedDocument:
    """Read an RSS or RDF document whose entries are ``items``.

    :param url: address of the feed, which relative links start from when the channel has no link.
    """
    parts = fields_of(root)
    channel = fields_of(parts["channel"][0]) if "channel" in parts else parts
    link = resolve(raw(channel, "link"), url, root)
    language = as_language(raw(channel, "language")) or language_of(root)
    dates = FeedDates(language)
    entries = (_entry(item, link or url, dates) for item in items)
    return FeedDocument(
        state=FeedState.OK,
        kind="rdf" if root.tag.lower().endswith("rdf") else "rss",
        entries=tuple(entry for entry in entries if entry),
        title=text(channel, "title"),
        link=link,
        language=language,
        ttl=_ttl(channel),
        skip_hours=frozenset(_hours(channel)),
        skip_days=frozenset(_days(channel)),
        hub=hub_of(channel.get("atom:link", ()), url),
    )


def _entry(item: etree._Element, base: str, dates: FeedDates) -> Entry | None:
    fields = fields_of(item)
    url = _link(fields, item, base)
    if url is None:
        return None
    return Entry(
        url=url,
        id=raw(fields, "guid") or item.get(_ABOUT),
        title=text(fields, "title") or text(fields, "media:title"),
        summary=_summary(fields, "summary") or _summary(fields, "content"),
        published=dates.read(raw(fields, "published")),
        updated=dates.read(raw(fields, "updated")),
        authors=_authors(fields),
        tags=distinct([plain(markup_of(element)) for element in fields.get("category", ())]),
        image=picture(fields, base),
        language=as_language(raw(fields, "language")) or language_of(item),
    )


def _summary(fields: Fields, name: str) -> str | None:
    for element in fields.get(name, ()):
        if found := summary(markup_of(element)):
            return found
    return None


def _authors(fields: Fields) -> tuple[str, ...]:
    stated = fields.get("author") or fields.get("itunes:author") or ()
    return distinct([person(markup_of(element)) for element in stated])


def _link(fields: Fields, item: etree._Element, base: str) -> str | None:
    """The address of the article: past a redirector if the feed says so, else link, else a guid that is one."""
    stated = raw(fields, "feedburner:origlink") or raw(fields, "link")
    if stated:
        return resolve(stated, base, item)
    for link in (*fields.get("link", ()), *fields.get("atom:link", ())):
        if link.get("rel", "alternate") == "alternate" and link.get("href"):
            return resolve(link.get("href"), base, link)
    return next(filter(None, (_permalink(guid, base) for guid in fields.get("guid", ()))), None)


def _permalink(guid: etree._Element, base: str) -> str | None:
    stated, permanent = (guid.text or "").strip(), guid.get("isPermaLink", "").lower()
    if permanent != "false" and (permanent == "true" or is_address(stated)):
        return resolve(stated, base, guid)
    return None


def _ttl(channel: Fields) -> float | None:
    """Seconds: ``ttl`` in minutes, else the syndication module's period divided by its frequency."""
    minutes = _whole(raw(channel, "ttl"))
    if minutes:
        return minutes * 60.0
    period = _PERIODS.get((raw(channel, "sy:updateperiod") or "").lower())
    return period / (_whole(raw(channel, "sy:updatefrequency")) or 1) if period else None


def _whole(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) <= 6 else 0


def _hours(channel: Fields) -> Iterable[int]:
    for element in channel.get("skiphours", ()):
        for hour in element:
            stated = (hour.text or "").strip()
            if stated.isdecimal() and len(stated) <= 2 and int(stated) <= 24:
                yield int(stated) % 24  # RSS 0.91 counts 1 to 24


def _days(channel: Fields) -> Iterable[int]:
    for element in channel.get("skipdays", ()):
        for day in element:
            stated = (day.text or "").strip().lower()
            if stated in _WEEKDAYS:
                yield _WEEKDAYS.index(stated) + 1
