"""Feed entries as the JSON text of a frontier row."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from newsmon.model import Entry
from newsmon.storage.text import clean

_TIMES = ("published", "updated")
_LISTS = ("authors", "tags")


def dump_entry(entry: Entry | None) -> str | None:
    """JSON object of the fields that are not empty; None stays None.

    >>> dump_entry(Entry("http://a.example/1", title="A"))
    '{"url": "http://a.example/1", "title": "A"}'
    """
    if entry is None:
        return None
    return json.dumps({name: _plain(value) for name, value in asdict(entry).items() if value}, ensure_ascii=False)


def load_entry(text: str | None) -> Entry | None:
    """Inverse of :func:`dump_entry`."""
    if text is None:
        return None
    values = json.loads(text)
    values.update({name: datetime.fromisoformat(values[name]) for name in _TIMES if name in values})
    values.update({name: tuple(values[name]) for name in _LISTS if name in values})
    return Entry(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple):
        return [clean(part) for part in value]
    return clean(value)
