"""A fetched body to a :class:`newsmon.model.FeedDocument`; never raises.

::

    body ── gunzip ── text ──┬── {    JSON Feed
                             ├── XML  rss rdf feed urlset sitemapindex ── tree ── items ── reader ── entries
                             │                                              │
                             │                               (lost items)   └── feedparser
                             ├── one address a line: a text sitemap
                             └── HTML, or nothing that is a feed: an error state with a sentence

The fast readers walk one lxml tree; feedparser, some 25 times slower, sees only what they cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape

from lxml import etree

from newsmon.feeds.atom import read_atom
from newsmon.feeds.fallback import read_with_feedparser
from newsmon.feeds.gunzip import gunzip
from newsmon.feeds.jsonfeed import read_json
from newsmon.feeds.rss import read_rss
from newsmon.feeds.sitemap import read_index, read_sitemap, read_text_sitemap
from newsmon.feeds.xmlfields import names_in, namespace_of
from newsmon.feeds.xmltext import Markup, ends_inside, feed_text, find_markup, looks_like_html, parse_xml
from newsmon.model import FeedDocument, FeedState
from newsmon.text import one_line

MAX_ENTRIES = 50_000
"""What sitemaps.org allows a sitemap to hold."""

Reader = Callable[[etree._Element, Sequence[etree._Element], str], FeedDocument]

_READERS: dict[str, tuple[Reader, str]] = {
    "rss": (read_rss, "item"),
    "rdf": (read_rss, "item"),
    "feed": (read_atom, "entry"),
    "urlset": (read_sitemap, "url"),
    "sitemapindex": (read_index, "sitemap"),
}
_ENTRY = re.compile(r"<(?:[\w.-]+:)?(?:item|entry)[\s>]", re.IGNORECASE)
_JSON = re.compile(r"\s*\{")
_PAGE = re.compile(r"\s*<(?:!doctype\s+)?html\b", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)


def parse_feed(
    body: bytes, *, url: str, content_type: str | None = None, max_entries: int = MAX_ENTRIES
) -> FeedDocument:
    """Read a feed or a sitemap; never raises, whatever the body holds.

    :param body: the body, its content encoding undone; a gzipped sitemap may still be gzipped.
    :param url: where it came from, for relative links.
    :param content_type: the response header, for its charset.
    :param max_entries: more are not read, and the state is PARTIAL then.

    >>> feed = parse_feed(b"<rss><channel><item><link>/1</link></item></channel></rss>", url="http://zarya.example/rss")
    >>> feed.state.value, feed.kind, feed.entries[0].url
    ('ok', 'rss', 'http://zarya.example/1')
    >>> parse_feed(b"<!doctype html><title>Gone</title>", url="http://zarya.example/rss").problem
    'an HTML page came instead of a feed: "Gone"'
    """
    text, is_cut = _text(body, content_type)
    document = _read_markup(text, url, max_entries + 1) or _read_other(text, url, max_entries + 1)
    if document is None:
        return _refuse(text, content_type)
    if max(len(document.entries), len(document.children)) > max_entries:
        document = _shortened(document, max_entries)
    elif is_cut:
        document = replace(document, state=FeedState.PARTIAL)
    elif document.state is FeedState.OK and not (document.entries or document.children):
        document = replace(document, state=FeedState.EMPTY)
    return document if document.problem else replace(document, problem=_problem(document))


def _text(body: bytes, content_type: str | None) -> tuple[str, bool]:
    """The text, and whether its end is missing; apart, so that the unpacked bytes go before the tree comes."""
    unpacked, is_cut = gunzip(body)
    return feed_text(unpacked, content_type), is_cut


def _read_markup(text: str, url: str, limit: int) -> FeedDocument | None:
    markup = find_markup(text)
    if markup is None:
        return None
    readings = _readings(markup, url, limit)
    first = next(readings)
    found = [first, *readings]
    document = replace(
        first.document,
        entries=tuple(entry for reading in found for entry in reading.document.entries),
        children=tuple(child for reading in found for child in reading.document.children),
    )
    items = sum(reading.items for reading in found)
    if items == 0 or not (first.well_formed or len(found) > 1):
        document = _with_lost_entries(document, markup, items, url, limit)
    if items >= limit:
        return _shortened(document, limit - 1)
    if not (first.well_formed or markup.has_end):
        return replace(document, state=FeedState.PARTIAL)
    if items and not (document.entries or document.children):
        return replace(document, state=FeedState.EMPTY, problem=f"none of the {items} entries has a link")
    return document


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of one piece."""

    document: FeedDocument
    items: int  # entries in the tree, with or without a link
    well_formed: bool


def _readings(markup: Markup, url: str, limit: int) -> Iterator[_Reading]:
    """Read a document piece by piece until it ends or ``limit`` entries are read; at least one reading."""
    reader, name = _READERS[markup.kind]
    read = 0
    for piece in markup.pieces():
        root, well_formed = parse_xml(piece)
        if root is None:
            yield _Reading(FeedDocument(FeedState.OK, kind=markup.kind), 0, well_formed=False)
            continue
        items = _items(root, name)
        if items and not well_formed and ends_inside(piece, items[-1]):
            items.pop()
        yield _Reading(reader(root, items[: limit - read], url), len(items), well_formed)
        read += len(items)
        if read >= limit:
            return


def _with_lost_entries(document: FeedDocument, markup: Markup, read: int, url: str, limit: int) -> FeedDocument:
    """feedparser's reading, when the text holds entries that the tree does not: in capitals, or badly nested."""
    end = re.compile(rf"</(?:[\w.-]+:)?{_READERS[markup.kind][1]}\s*>", re.IGNORECASE)
    lost = len(end.findall(markup.text, markup.start)) - read
    other = read_with_feedparser(markup.text[markup.start :], url, limit=limit) if lost > 0 else None
    return other if other and len(other.entries) > len(document.entries) else document


def _read_other(text: str, url: str, limit: int) -> FeedDocument | None:
    """Everything that does not begin with the root element of a feed or sitemap."""
    if _JSON.match(text):
        return read_json(text, url, limit=limit)
    if _PAGE.match(text):
        return None
    document = read_text_sitemap(text, url, limit=limit)
    if document is None and _ENTRY.search(text):
        document = read_with_feedparser(text, url, limit=limit)
    return document


def _items(root: etree._Element, name: str) -> list[etree._Element]:
    """The entries of a document, without elements of that name from modules."""
    names = names_in(namespace_of(root))
    return [element for element in root.iter("{*}" + name) if names[element.tag] == name]


def _shortened(document: FeedDocument, limit: int) -> FeedDocument:
    return replace(
        document,
        state=FeedState.PARTIAL,
        entries=document.entries[:limit],
        children=document.children[:limit],
        problem=f"the feed is longer than {limit} entries; the rest was not read",
    )


def _problem(document: FeedDocument) -> str | None:
    if document.state is FeedState.PARTIAL:
        return f"the feed is cut off after {len(document.entries or document.children)} whole entries"
    return "the feed has no entries" if document.state is FeedState.EMPTY else None


def _refuse(text: str, content_type: str | None) -> FeedDocument:
    if looks_like_html(text) or (text.strip() and "html" in (content_type or "").lower()):
        title = _TITLE.search(text)
        named = f': "{one_line(unescape(title[1]))}"' if title else ""
        return FeedDocument(FeedState.HTML, problem=f"an HTML page came instead of a feed{named}")
    start = one_line(text[:200])[:40]
    problem = f'neither XML nor JSON of a feed; it begins with "{start}"' if start else "the body holds no text"
    return FeedDocument(FeedState.UNREADABLE, problem=problem)
