"""An article as one flat record of JSON values: what Scrapy's feed exports and ``scrapy export`` give."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC
from typing import TYPE_CHECKING, Any

from newsmon.model import ArchiveRef, Article, RobotsVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

_NESTED = {"robots": RobotsVerdict, "archive": ArchiveRef}


# The paragraphs say nothing that the text does not, but what they are: see the exports in Markdown and XML.
_COLUMNS = tuple(column for column in fields(Article) if column.name != "paragraphs")


def _field_names() -> Iterator[str]:
    for column in _COLUMNS:
        nested = _NESTED.get(column.name)
        yield from (f"{column.name}_{part.name}" for part in fields(nested)) if nested else [column.name]


FIELDS: tuple[str, ...] = tuple(_field_names())  # in this order everywhere


def as_record(article: Article) -> dict[str, Any]:
    """Return an article as a dict with the keys :data:`FIELDS`, in their order.

    Times are ISO 8601 in UTC with their offset, lists are lists of text, ``origins`` is an object; the verdict of
    robots.txt and the place in the archive are spread over columns of their own, so that the record fits into a table.
    """
    record: dict[str, Any] = {}
    for column in _COLUMNS:
        value = getattr(article, column.name)
        nested = _NESTED.get(column.name)
        if nested is None:
            record[column.name] = _plain(value)
        else:
            record |= {f"{column.name}_{part.name}": _plain(getattr(value, part.name, None)) for part in fields(nested)}
    return record


def iso_time(time: datetime) -> str:
    """Write an aware time in UTC, with seconds at least.

    >>> from datetime import datetime, timedelta, timezone
    >>> iso_time(datetime(2024, 5, 1, 15, 30, tzinfo=timezone(timedelta(hours=3))))
    '2024-05-01T12:30:00+00:00'
    """
    return time.astimezone(UTC).isoformat()


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return iso_time(value)
    if isinstance(value, tuple):
        return list(value)
    if hasattr(value, "items"):
        return dict(value)
    # Enumerations of text become text, so that every exporter writes them alike.
    return str(value) if isinstance(value, str) else value
