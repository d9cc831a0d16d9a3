"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

import json
import re
from typing import Any

from newsmon.feeds.feed_dates import FeedDates
from newsmon.feeds.plaintext import plain, summary
from newsmon.feeds.xmlfields import MAX_LENGTH, as_language, distinct
from newsmon.feeds.xmllinks import is_address, resolve
from newsmon.model import Entry, FeedDocument, FeedState
from newsmon.text import one_line

_ITEMS = re.compile(r'"items"\s*:\s*\[\s*')
_BETWEEN = re.compile(r"\s*,?\s*")


def read_json(text: str, url: str, *, limit: int) -> FeedDocument | None:
    """Read a JSON Feed; None when the text is none. Of a feed that is cut off, the whole items are read."""
    record, is_cut = _load(text)
    items = record.get("items")
    if not isinstance(items, list) or not ("version" in record or is_cut):
        return None
    base = resolve(_text(record, "home_page_url"), url) or url
    language = as_language(record.get("language"))
    dates = FeedDates(language)
    entries = (_entry(item, base, dates) for item in items[:limit] if isinstance(item, dict))
    return FeedDocument(
        state=FeedState.PARTIAL if is_cut else FeedState.OK,
        kind="json",
        entries=tuple(entry for entry in entries if entry),
        title=one_line(_text(record, "title")) or None,
        link=resolve(_text(record, "home_page_url"), url),
        language=language,
        hub=next((resolve(_text(hub, "url"), url) for hub in _records(record, "hubs")), None),
    )


def _load(text: str) -> tuple[dict[str, Any], bool]:
    """The feed and whether it is cut off; an empty record when there is none."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return _load_cut(text), True
    return (record, False) if isinstance(record, dict) else ({}, False)


def _load_cut(text: str) -> dict[str, Any]:
    """The items before the cut, and what stands before them."""
    start = _ITEMS.search(text)
    if start is None:
        return {}
    items, position, decoder = [], start.end(), json.JSONDecoder()
    while position < len(text):
        try:
            item, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        items.append(item)
        position = _BETWEEN.match(text, position).end()  # type: ignore[union-attr]
    try:
        head = json.loads(text[: start.end()] + "]}")
    except (ValueError, RecursionError):
        head = {}
    return {**head, "items": items}


def _entry(item: dict[str, Any], base: str, dates: FeedDates) -> Entry | None:
    identifier = _text(item, "id")
    stated = _text(item, "url") or (identifier if is_address(identifier) else _text(item, "external_url"))
    url = resolve(stated, base)
    if url is None:
        return None
    people = [*_records(item, "authors"), *([item["author"]] if isinstance(item.get("author"), dict) else [])]
    tags = item.get("tags")
    return Entry(
        url=url,
        id=one_line(identifier) or None,
        title=plain(_text(item, "title")) or None,
        summary=summary(_text(item, "summary") or _text(item, "content_text"), html=False)
        or summary(_text(item, "content_html"))
        or None,
        published=dates.read(_text(item, "date_published")),
        updated=dates.read(_text(item, "date_modified")),
        authors=distinct(one_line(_text(author, "name")) for author in people),
        tags=distinct(one_line(tag) for tag in (tags if isinstance(tags, list) else ()) if isinstance(tag, str)),
        image=resolve(_text(item, "image") or _text(item, "banner_image"), base),
        language=as_language(item.get("language")),
    )


def _text(record: dict[str, Any], name: str) -> str:
    """A text of the record; identifiers are sometimes numbers."""
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**20 else ""
    return value[:MAX_LENGTH] if isinstance(value, str) else ""


def _records(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    values = record.get(name)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []
