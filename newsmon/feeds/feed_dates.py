"""Dates as feeds write them, to aware UTC times.

RSS asks for RFC 822, Atom and sitemaps for ISO 8601 (W3C), and publishers write what their library prints. Both forms
are read by hand, because every entry has one or two; anything else goes to :func:`newsmon.dates.parse_date`. A date
without a zone is UTC, as RFC 822 and W3C leave it open and feedparser does.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from newsmon.dates import EARLIEST_YEAR, parse_date

MAX_WORDED = 200
"""Dates of one feed that may go to the slow reader (about 1 ms each)."""

_MONTHS = {
    "jan": "01", "feb": "02", "mar": "03", "apr": "04", "may": "05", "jun": "06",
    "jul": "07", "aug": "08", "sep": "09", "oct": "10", "nov": "11", "dec": "12",
}  # fmt: skip
_OFFSETS = {
    **dict.fromkeys(("", "GMT", "UTC", "UT", "Z", "WET"), "+00:00"),
    **dict.fromkeys(("WEST", "BST", "CET", "MEZ"), "+01:00"),
    **dict.fromkeys(("CEST", "MESZ", "EET"), "+02:00"),
    **dict.fromkeys(("EEST", "MSK"), "+03:00"),
    **dict.fromkeys(("JST", "KST"), "+09:00"),
    **dict.fromkeys(("CST", "MDT"), "-06:00"),
    **dict.fromkeys(("EST", "CDT"), "-05:00"),
    **dict.fromkeys(("MST", "PDT"), "-07:00"),
    "MSD": "+04:00",
    "EDT": "-04:00",
    "PST": "-08:00",
}
_RFC822 = re.compile(
    r"(?:[^\W\d]+\.?,?\s*)?(\d{1,2})[\s-]+([A-Za-z]{3})[a-z]*\.?,?[\s-]+(\d{4}|\d\d),?"
    r"(?:\s+(\d{1,2}:\d\d(?::\d\d)?)(?:\.\d+)?)?\s*(.*)"
)
_OFFSET = re.compile(r"(?:GMT|UTC?)?\s*([+-])(\d{1,2}):?(\d\d)?(?:\s*\(.*\))?")
_PARTIAL = re.compile(r"(\d{4})(?:-(\d\d))?")
_ZONE_APART = re.compile(r"\s+(?=[+-]\d\d:?\d\d$|Z$)|\s+(?:UTC|GMT)$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNIX_ZERO = datetime(1970, 1, 1, tzinfo=UTC)


class FeedDates:
    """Reads the dates of one feed.

    :param language: code of the feed's language, for the names of months.

    >>> read = FeedDates().read
    >>> read("Fri, 3 May 2024 08:15:00 +0300"), read("Fri, 3 May 2024 08:15 MSK") == read("2024-05-03T08:15:00+03:00")
    (datetime.datetime(2024, 5, 3, 5, 15, tzinfo=datetime.timezone.utc), True)
    """

    def __init__(self, language: str | None = None) -> None:
        self._languages = [re.split("[-_]", language.lower())[0]] if language else []
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
        return parse_date(text, now=datetime(int(year[0]), 12, 31, tzinfo=UTC), languages=self._languages)


def _iso(text: str) -> datetime | None:
    """ISO 8601 as Python reads it, with the zone set apart, and the W3C forms without a day."""
    try:
        return datetime.fromisoformat(_ZONE_APART.sub("", text) if " " in text else text)
    except ValueError:
        partial = _PARTIAL.fullmatch(text)
        return datetime(int(partial[1]), int(partial[2] or 1), 1, tzinfo=UTC) if partial else None


def _rfc822(text: str) -> datetime | None:
    """RFC 822 by way of ISO 8601: to put the parts in another order is all it takes."""
    match = _RFC822.fullmatch(text)
    if match is None:
        return None
    day, name, year, clock, zone = match.groups("")
    month, offset = _MONTHS.get(name.lower()), _offset(zone)
    if month is None or offset is None:
        return None
    if len(year) == 2:
        year = ("19" if year > "68" else "20") + year
    clock = clock if clock[2:3] == ":" else f"0{clock or '0:00'}"
    return datetime.fromisoformat(f"{year}-{month}-{day:0>2}T{clock}{offset}")


@lru_cache(maxsize=256)
def _offset(zone: str) -> str | None:
    """Offset of an RFC 822 zone as ISO 8601 has it; none stated is UTC, None when it is unknown."""
    zone = zone.strip().upper()
    if zone in _OFFSETS:
        return _OFFSETS[zone]
    stated = _OFFSET.fullmatch(zone)
    return f"{stated[1]}{stated[2]:0>2}:{stated[3] or '00'}" if stated else None
