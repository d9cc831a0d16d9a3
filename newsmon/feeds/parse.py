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
from collections.abc import Callable, Sequence
from dataclasses import replace

from lxml import etree

from newsmon.feeds.atom import read_atom
from newsmon.feeds.fallback import read_with_feedparser
from newsmon.feeds.gunzip import gunzip
from newsmon.feeds.jsonfeed import read_json
from newsmon.feeds.plaintext import one_line
from newsmon.feeds.rss import read_rss
from newsmon.feeds.sitemap import read_index, read_sitemap, read_text_sitemap
from newsmon.feeds.xmlfields import short_name
from newsmon.feeds.xmltext import Markup, feed_text, find_markup, looks_like_html, parse_xml
from newsmon.model import FeedDocument, FeedState

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
    body, is_cut = gunzip(body)
    text = feed_text(body, content_type)
    document = _read(text, url, content_type or "", max_entries)
    if is_cut and document.state in (FeedState.OK, FeedState.EMPTY):
        document = replace(document, state=FeedState.PARTIAL)
    return document if document.problem else replace(document, problem=_problem(document))
