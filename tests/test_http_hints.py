"""Headers that say when to come back and where to: both forms, and all the nonsense servers send."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.feeds.http_hints import parse_cache_control, parse_http_date, parse_retry_after, permanent_target

NOW = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("99999999999999999999", 2.0**31),
        ("Fri, 01 Mar 2024 12:10:00 GMT", 600.0),
        ("Friday, 01-Mar-24 12:10:00 GMT", 600.0),
        ("Fri Mar  1 12:10:00 2024", 600.0),
        ("Fri, 01 Mar 2024 15:10:00 +0300", 600.0),
        ("Fri, 01 Mar 2024 11:00:00 GMT", 0.0),
        (None, None),
        ("", None),
        ("-5", None),
        ("nan", None),
        ("inf", None),
        ("1e9", None),
        ("tomorrow", None),
        ("Fri, 99 Mar 2024 12:10:00 GMT", None),
        ("٣", None),
    ],
)
def test_retry_after_in_both_forms(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"cache-control": "public"}, None),
        ({"cache-control": "max-age=600"}, 600.0),
        ({"cache-control": 'Public, Max-Age="600"'}, 600.0),
        ({"cache-control": "s-maxage=9000, max-age=600"}, 600.0),
        ({"cache-control": "s-maxage=9000"}, None),
        ({"cache-control": "max-age=600", "age": "450"}, 150.0),
        ({"cache-control": "max-age=600", "age": "900"}, 0.0),
        ({"cache-control": "max-age=600", "age": "old"}, 600.0),
        ({"cache-control": "max-age=600, no-cache"}, 0.0),
        ({"cache-control": "no-store"}, 0.0),
        ({"cache-control": "max-age=-1"}, 0.0),
        ({"cache-control": "max-age"}, 0.0),
        ({"cache-control": "max-age=60, max-age=900"}, 60.0),
        ({"cache-control": "max-age=60", "expires": "Fri, 01 Mar 2024 13:00:00 GMT"}, 60.0),
        ({"expires": "Fri, 01 Mar 2024 13:00:00 GMT"}, 3600.0),
        ({"expires": "Fri, 01 Mar 2024 13:00:00 GMT", "date": "Fri, 01 Mar 2024 12:45:00 GMT"}, 900.0),
        ({"expires": "Fri, 01 Mar 2024 11:00:00 GMT"}, 0.0),
        ({"expires": "0"}, 0.0),
    ],
)
def test_freshness_lifetime(headers: dict[str, str], seconds: float | None) -> None:
    assert parse_cache_control(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("hops", "target"),
    [
        ([], None),
        ([(301, "b")], "b"),
        ([(308, "b"), (301, "c")], "c"),
        ([(302, "b")], None),
        ([(307, "b"), (308, "c")], None),
        ([(301, "b"), (302, "c"), (301, "d")], "b"),
    ],
)
def test_only_leading_permanent_redirects_move_a_feed(hops: list[tuple[int, str]], target: str | None) -> None:
    assert permanent_target(hops) == target


@given(st.text())
def test_header_values_never_raise(value: str) -> None:
    wait = parse_retry_after(value, NOW)
    assert wait is None or wait >= 0
    for name in ("cache-control", "expires"):
        fresh = parse_cache_control({name: value, "age": value, "date": value}, NOW)
        assert fresh is None or fresh >= 0
    date = parse_http_date(value)
    assert date is None or date.tzinfo is UTC
