"""Dates as feeds write them, to aware UTC times.

RSS asks for RFC 822, Atom and sitemaps for ISO 8601 (W3C), and publishers write what their library prints. Both forms
are read by hand, because every entry has one or two; anything else goes to :func:`newsmon.dates.parse_date`. A date
without a zone is UTC, as RFC 822 and W3C leave it open and feedparser does.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from newsmon.dates import EARLIEST_YEAR, parse_date

MAX_WORDED = 200
"""Dates of one feed that may go to the slow reader (about 1 ms each)."""

_MONTHS = {name: number + 1 for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
)}  # fmt: skip
_HOURS = {
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "JST": 9, "KST": 9,
    "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "MSD": 4,
}  # fmt: skip
_RFC822 = re.compile(
    r"(?:[^\W\d]+\.?,?\s*)?(\d{1,2})[\s-]+([A-Za-z]{3})[a-z]*\.?,?[\s-]+(\d{4}|\d\d),?"
    r"(?:\s+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(.*)"
)
_OFFSET = re.compile(r"(?:GMT|UTC?)?\s*([+-])(\d{1,2}):?(\d\d)?(?:\s*\(.*\))?")
_PARTIAL = re.compile(r"(\d{4})(?:-(\d\d))?")
_ZONE_APART = re.compile(r"\s+(?=[+-]\d\d:?\d\d$|Z$|UTC$|GMT$)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNIX_ZERO = datetime(1970, 1, 1, tzinfo=UTC)


class FeedDates:
    """Reads the dates of one feed.

    >>> read = FeedDates().read
    >>> read("Fri, 3 May 2024 08:15:00 +0300"), read("Fri, 3 May 2024 08:15 MSK") == read("2024-05-03T08:15:00+03:00")
    (datetime.datetime(2024, 5, 3, 5, 15, tzinfo=datetime.timezone.utc), True)
    """

    def __init__(self) -> None:
        self._worded_left = MAX_WORDED

    def read(self, text: str | None) -> datetime | None:
        """Return the time a feed states, or None when it states none that can be read.

        :param text: without white space around it.
        """
        if not text or len(text) > 100:
            return None
        try:
            moment = _iso(text) if text[:4].isdigit() else _rfc822(text)
            if moment is None:
                return self._worded(text)
            utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):  # 31 February, the year 9999 in another zone
            return None
        return None if utc.year < EARLIEST_YEAR or utc == _UNIX_ZERO else utc

    def _worded(self, text: str) -> datetime | None:
        """A date with its year in any language; the end of that year serves as the present."""
        year = _YEAR.search(text)
        if year is None or self._worded_left == 0:
            return None
        self._worded_left -= 1
        return parse_date(text, now=datetime(int(year[0]), 12, 31, tzinfo=UTC))


def _iso(text: str) -> datetime | None:
    """ISO 8601 as Python reads it, with the zone set apart, and the W3C forms without a day."""
    partial = _PARTIAL.fullmatch(text)
    if partial:
        return datetime(int(partial[1]), int(partial[2] or 1), 1, tzinfo=UTC)
    joined = _ZONE_APART.sub("", text).replace("UTC", "Z").replace("GMT", "Z") if " " in text else text
    try:
        return datetime.fromisoformat(joined)
    except ValueError:
        return None


def _rfc822(text: str) -> datetime | None:
    match = _RFC822.fullmatch(text)
    if match is None:
        return None
    day, name, year, hour, minute, second, zone_name = match.groups()
    month, zone = _MONTHS.get(name.lower()), _zone(zone_name)
    if month is None or zone is None:
        return None
    in_century = int(year)
    if in_century < 100:
        in_century += 1900 if in_century > 68 else 2000
    midnight = datetime(in_century, month, int(day), tzinfo=zone)
    return midnight + timedelta(
        hours=int(hour or 0), minutes=int(minute or 0), seconds=int(second or 0)
    )  # 24:00 is real


@lru_cache(maxsize=256)
def _zone(text: str) -> timezone | None:
    """The zone of an RFC 822 date; UTC when there is none, None when it is unknown."""
    text = text.strip().upper()
    if text in ("", "GMT", "UTC", "UT", "Z"):
        return UTC
    if text in _HOURS:
        return timezone(timedelta(hours=_HOURS[text]))
    offset = _OFFSET.fullmatch(text)
    if offset is None:
        return None
    minutes = int(offset[2]) * 60 + int(offset[3] or 0)
    return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
