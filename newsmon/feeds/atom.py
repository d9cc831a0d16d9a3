"""Atom 0.3 and 1.0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from newsmon.feeds.feed_dates import FeedDates
from newsmon.feeds.plaintext import plain, summary
from newsmon.feeds.xmlfields import (
    Fields,
    distinct,
    fields_of,
    language_of,
    markup_of,
    namespace_of,
    person,
    raw,
)
from newsmon.feeds.xmllinks import hub_of, picture, resolve
from newsmon.model import Entry, FeedDocument, FeedState
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml import etree

_PAGES = ("", "text/html", "application/xhtml+xml")


def read_atom(root: etree._Element, entries: Sequence[etree._Element], url: str) -> FeedDocument:
    """Read an Atom document whose entries are ``entries``.

    :param url: address of the feed, which relative links start from.
    """
    home = namespace_of(root)
    feed = fields_of(root, home)
    dates = FeedDates(language_of(root))
    read = [entry for entry in (_entry(element, home, url, dates) for element in entries) if entry]
    authors = _authors(feed, home)  # they wrote every entry that names nobody (RFC 4287, 4.2.1)
    return FeedDocument(
        state=FeedState.OK,
        kind="atom",
        entries=tuple(entry if entry.authors else replace(entry, authors=authors) for entry in read),
        title=_text(feed, "title"),
        link=_alternate(feed.get("link", ()), url),
        language=language_of(root),
        hub=hub_of(feed.get("link", ()), url),
    )


def _entry(element: etree._Element, home: str, base: str, dates: FeedDates) -> Entry | None:
    fields = fields_of(element, home)
    url = _link(fields, base)
    if url is None:
        return None
    return Entry(
        url=url,
        id=raw(fields, "id"),
        title=_text(fields, "title") or _text(fields, "media:title"),
        summary=_summary(fields, "summary") or _summary(fields, "content"),
        published=dates.read(raw(fields, "published")),
        updated=dates.read(raw(fields, "updated")),
        authors=_authors(fields, home),
        tags=distinct([_tag(category) for category in fields.get("category", ())]),
        image=_enclosed_picture(fields, base) or picture(fields, base),
        language=language_of(element),
    )


def _text(fields: Fields, name: str) -> str | None:
    for element in fields.get(name, ()):
        content = markup_of(element)
        if found := plain(content) if _is_html(element) else one_line(content):
            return found
    return None


def _summary(fields: Fields, name: str) -> str | None:
    for element in fields.get(name, ()):
        if found := summary(markup_of(element), html=_is_html(element)):
            return found
    return None


def _is_html(element: etree._Element) -> bool:
    """Whether a text construct holds HTML; the default is plain text (RFC 4287, 3.1.1)."""
    return len(element) > 0 or "html" in element.get("type", "")


def _link(fields: Fields, base: str) -> str | None:
    """The page of an entry: past a redirector if the feed says so, else its link, else an id that is an address."""
    original = raw(fields, "feedburner:origlink")
    if original:
        return resolve(original, base)
    return _alternate(fields.get("link", ()), base) or _identifier(fields, base)


def _alternate(links: Iterable[etree._Element], base: str) -> str | None:
    """The last link to a page, as feedparser has it; a link written as in RSS, without ``href``, is one."""
    found = None
    for link in links:
        address = link.get("href") or link.text
        is_page = link.get("rel", "alternate") == "alternate" and link.get("type", "").lower() in _PAGES
        if is_page or link.get("href") is None:
            found = resolve(address, base, link) or found
    return found


def _identifier(fields: Fields, base: str) -> str | None:
    for element in fields.get("id", ()):
        stated = (element.text or "").strip()
        if stated and len(stated.split()) == 1:
            return resolve(stated, base, element)
    return None


def _authors(fields: Fields, home: str) -> tuple[str, ...]:
    people = fields.get("author", ())
    return distinct([person(raw(fields_of(author, home), "name") or author.text or "") for author in people])


def _tag(category: etree._Element) -> str:
    return one_line(category.get("label") or category.get("term") or category.text or "")


def _enclosed_picture(fields: Fields, base: str) -> str | None:
    for link in fields.get("link", ()):
        if link.get("rel") == "enclosure" and link.get("type", "").startswith("image/"):
            return resolve(link.get("href"), base, link)
    return None
