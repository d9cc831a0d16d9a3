"""feedparser, for feeds that the fast readers cannot read: other formats, other cases, broken nesting."""

from __future__ import annotations

from calendar import timegm
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import feedparser

from newsmon.feeds.plaintext import plain, summary
from newsmon.feeds.xmlfields import as_language, distinct, person
from newsmon.feeds.xmllinks import resolve
from newsmon.model import Entry, FeedDocument, FeedState
from newsmon.text import one_line

MAX_TEXT = 1 << 19
"""Characters given to feedparser, which takes up to two seconds for so many."""

_HEADERS = {"content-type": "application/xml; charset=utf-8"}
_FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What feedparser and the parsers below it have raised on broken input."""


def read_with_feedparser(text: str, url: str, *, limit: int) -> FeedDocument | None:
    """Read a feed without a prolog; None when feedparser finds no entry with a link."""
    stream = BytesIO(text[:MAX_TEXT].encode("utf-8", "replace"))  # a string could be taken for a file name
    try:
        found = feedparser.parse(
            stream,
            response_headers={**_HEADERS, "content-location": url},
            resolve_relative_uris=False,
            sanitize_html=False,
        )
    except _FAULTS:
        return None
    base = resolve(found.feed.get("link"), url) or url
    entries = tuple(entry for entry in (_entry(item, base) for item in found.entries[:limit]) if entry)
    if not entries:
        return None
    return FeedDocument(
        state=FeedState.PARTIAL if len(text) > MAX_TEXT else FeedState.OK,
        kind=_kind(found.version),
        entries=entries,
        title=plain(found.feed.get("title") or "") or None,
        link=resolve(found.feed.get("link"), url),
        language=as_language(found.feed.get("language")),
        parser="feedparser",
    )


def _kind(version: str) -> str:
    if version.startswith("atom"):
        return "atom"
    return "rdf" if version in ("rss090", "rss10") else "rss"


def _entry(item: Any, base: str) -> Entry | None:
    url = resolve(item.get("link"), base)
    if url is None:
        return None
    return Entry(
        url=url,
        id=one_line(item.get("id") or "") or None,
        title=plain(item.get("title") or "") or None,
        summary=summary(item.get("summary") or "") or None,
        published=_moment(item.get("published_parsed")),
        updated=_moment(item.get("updated_parsed") if "updated" in item else None),
        authors=distinct(person(author.get("name") or "") for author in item.get("authors") or ()),
        tags=distinct(one_line(tag.get("term") or "") for tag in item.get("tags") or ()),
    )


def _moment(parsed: Any) -> datetime | None:
    """feedparser's time tuple, which is UTC."""
    try:
        return datetime.fromtimestamp(timegm(parsed), UTC) if parsed else None
    except (ValueError, OverflowError):
        return None
