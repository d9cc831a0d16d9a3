"""What HTTP headers say about when to come back, and where to.

Sources: RFC 9110 (10.2.3 Retry-After, 15.4 redirects), RFC 9111 (4.2.1 freshness lifetime, 5.2.2 Cache-Control).
Nothing here raises on header values: servers send all sorts of things, and nonsense means silence.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PERMANENT = frozenset({301, 308})
_LONGEST = 2**31  # RFC 9111, 1.2.2: what a delta-seconds that is too large to represent counts as
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_DIRECTIVE = re.compile(r'([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;]*)))?', re.ASCII)


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header, in either of its forms; None when absent or meaningless.

    >>> noon = datetime(2024, 3, 1, 12, tzinfo=UTC)
    >>> parse_retry_after("120", noon), parse_retry_after("Fri, 01 Mar 2024 12:05:00 GMT", noon)
    (120.0, 300.0)
    >>> parse_retry_after("soon", noon) is None
    True
    """
    if value is None:
        return None
    seconds = _seconds(value)
    if seconds is not None:
        return seconds
    date = parse_http_date(value)
    return None if date is None else max((date - now).total_seconds(), 0.0)


def parse_cache_control(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds for which an answer stays fresh by Cache-Control (less Age), else by Expires; None when both are silent.

    ``no-store`` and ``no-cache`` mean 0. ``s-maxage`` speaks to shared caches, which newsmon is not.

    :param headers: response headers, names in lower case.
    :param now: stands in for a missing Date header.

    >>> parse_cache_control({"cache-control": "public, max-age=600", "age": "100"}, datetime.now(UTC))
    500.0
    """
    directives = _directives(headers.get("cache-control", ""))
    if "no-store" in directives or "no-cache" in directives:
        return 0.0
    if "max-age" in directives:
        age = _seconds(headers.get("age", "")) or 0.0
        return max((_seconds(directives["max-age"]) or 0.0) - age, 0.0)
    return _lifetime_by_expires(headers, now)


def permanent_target(hops: Iterable[tuple[int, str]]) -> str | None:
    """The new address when a chain of redirects begins with permanent ones (301, 308), else None.

    A temporary hop ends the move: what lies behind it may be another place tomorrow.

    :param hops: (status, the address it pointed to) in the order followed.

    >>> permanent_target([(301, "https://a.example/feed"), (302, "https://cdn.example/feed")])
    'https://a.example/feed'
    >>> permanent_target([(302, "https://a.example/feed"), (301, "https://b.example/feed")]) is None
    True
    """
    target = None
    for status, url in hops:
        if status not in PERMANENT:
            break
        target = url
    return target


def parse_http_date(value: str) -> datetime | None:
    """An HTTP date in any of its three forms as aware UTC time, None when it is none."""
    try:
        date = parsedate_to_datetime(value.strip())
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _seconds(value: str) -> float | None:
    text = value.strip()
    if not _SECONDS.fullmatch(text):
        return None
    return min(float(text), float(_LONGEST))


def _directives(value: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, quoted, plain in _DIRECTIVE.findall(value):
        found.setdefault(name.lower(), quoted or plain)
    return found


def _lifetime_by_expires(headers: Mapping[str, str], now: datetime) -> float | None:
    if "expires" not in headers:
        return None
    expires = parse_http_date(headers["expires"])
    if expires is None:  # RFC 9111, 5.3: an invalid date, especially "0", is in the past
        return 0.0
    date = parse_http_date(headers.get("date", "")) or now
    return max((expires - date).total_seconds(), 0.0)
