"""Dates as feeds write them: RFC 822 with its oddities, ISO 8601, W3C, words of several languages."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsmon.feeds.feed_dates import FeedDates
from tests.feeding import read, rss

# (what the feed says, the moment in UTC)
DATES = [
    ("Fri, 03 May 2024 08:15:00 +0300", "2024-05-03T05:15:00"),
    ("Fri, 3 May 24 08:15 GMT", "2024-05-03T08:15:00"),
    ("03 May 2024 08:15:00 MSK", "2024-05-03T05:15:00"),
    ("Thu,  2 May 2024 22:15:00 PDT", "2024-05-03T05:15:00"),
    ("Friday, 3 May 2024 8:15:00 +03:00", "2024-05-03T05:15:00"),
    ("Fri, 03 May 2024 08:15:00 GMT+0300", "2024-05-03T05:15:00"),
    ("Fri, 03 May 2024 08:15:00 +0300 (MSK)", "2024-05-03T05:15:00"),
    ("Fri, 03 September 2021 08:15:00.123 Z", "2021-09-03T08:15:00"),
    ("03-May-2024 08:15:00 UTC", "2024-05-03T08:15:00"),
    ("Fri, 03 May 2024", "2024-05-03T00:00:00"),
    ("Fri, 03 May 2024 08:15:00", "2024-05-03T08:15:00"),
    ("Mon, 03 May 2024 08:15:00 +0300", "2024-05-03T05:15:00"),  # it was a Friday
    ("2024-05-03T08:15:00+03:00", "2024-05-03T05:15:00"),
    ("2024-05-03T08:15:00.1234567Z", "2024-05-03T08:15:00.123456"),
    ("2024-05-03T08:15:00+0300", "2024-05-03T05:15:00"),
    ("2024-05-03 08:15:00 +0300", "2024-05-03T05:15:00"),
    ("2024-05-03 08:15:00 UTC", "2024-05-03T08:15:00"),
    ("2024-05-03T08:15Z", "2024-05-03T08:15:00"),
    ("2024-05-03 08:15", "2024-05-03T08:15:00"),
    ("2024-05-03", "2024-05-03T00:00:00"),
    ("2024-05", "2024-05-01T00:00:00"),
    ("2024", "2024-01-01T00:00:00"),
    ("3 мая 2024, 08:15", "2024-05-03T08:15:00"),
    ("Птн, 03 Май 2024 08:15:00 +0300", "2024-05-03T05:15:00"),
    ("3 травня 2024 08:15", "2024-05-03T08:15:00"),
    ("May 3, 2024 08:15:00", "2024-05-03T08:15:00"),
    ("03.05.2024 08:15", "2024-05-03T08:15:00"),
    ("Fri, 31 Feb 2024 08:15:00 GMT", None),
    ("0001-01-01T00:00:00Z", None),
    ("9999-12-31T23:59:59-12:00", None),
    ("1970-01-01T00:00:00Z", None),
    ("yesterday", None),
    ("08:15", None),
    ("²³¹²", None),
    ("", None),
    ("x" * 10_000 + " 2024", None),
]


@pytest.mark.parametrize(("stated", "expected"), DATES, ids=[row[0][:40] for row in DATES])
def test_date(stated: str, expected: str | None) -> None:
    moment = datetime.fromisoformat(expected).replace(tzinfo=UTC) if expected else None
    assert FeedDates().read(stated) == moment


@pytest.mark.parametrize(("language", "month"), [("de-AT", "Mai"), ("ru", "мая"), ("uk", "травня"), ("en", "May")])
def test_dates_in_the_language_of_the_feed(language: str, month: str) -> None:
    item = f"<item><link>/1</link><pubDate>3 {month} 2024 08:15</pubDate></item>"
    entry = read(rss(item, channel=f"<language>{language}</language>")).entries[0]
    assert entry.published == datetime(2024, 5, 3, 8, 15, tzinfo=UTC)


def test_unknown_language_does_not_hinder_dates() -> None:
    assert FeedDates("xx-XX").read("3 мая 2024") == datetime(2024, 5, 3, tzinfo=UTC)


@given(st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(9990, 1, 1), timezones=st.timezones()))  # noqa: DTZ001
@settings(max_examples=50)
def test_iso_dates_come_back(moment: datetime) -> None:
    assert FeedDates().read(moment.isoformat()) == moment.astimezone(UTC)


def test_dates_that_only_the_slow_reader_knows_are_limited() -> None:
    dates = FeedDates()
    begin = time.perf_counter()
    read_dates = [dates.read(f"le jour {number} de 2024") for number in range(5000)]
    assert len(read_dates) == 5000
    assert time.perf_counter() - begin < 5
