"""What the tests of feeds share: small feeds, their reading, and records as plain values."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from newsmon.feeds.parse import parse_feed
from newsmon.model import FeedDocument

FOLDER = Path(__file__).parent / "feeds"
FIXTURES = sorted(path.name for path in FOLDER.iterdir())
URL = "http://zarya.example/feed"
ITEM = "<item><title>News {0}</title><link>http://zarya.example/{0}</link><description>Text</description></item>"


def read(body: bytes | str, content_type: str | None = None, **options: Any) -> FeedDocument:
    """Read a body that came from :data:`URL`."""
    return parse_feed(body.encode() if isinstance(body, str) else body, url=URL, content_type=content_type, **options)


def rss(*items: str, channel: str = "") -> str:
    """An RSS feed of these items."""
    return f"<rss version='2.0'><channel><title>Zarya</title>{channel}{''.join(items)}</channel></rss>"


def many(count: int) -> list[str]:
    """Items with the links http://zarya.example/0, /1 ..."""
    return [ITEM.format(number) for number in range(count)]


def plain_values(value: Any) -> Any:
    """A record as JSON values, sets sorted."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {name: plain_values(part) for name, part in value.items()}
    return [plain_values(part) for part in value] if isinstance(value, list | tuple) else value
