"""Complete dates inside a line written for people, in any language, with the time of day and the zone beside them.

::

    By Ann Lee | Updated December 5, 2023 at 9:05 p.m. ET      Опубликовано: 3 мая 2024, 08:15 (МСК)
    2024年5月3日 下午3:15 来源：新华网                             Stand: 03.05.2024 08:15 Uhr

One regular expression for each order of day, month and year; names of months come from :mod:`newsmon.months`. A date
without a year is none here: what it means depends on the day it is read.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from newsmon.months import month_number

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE = 400
"""Characters of a line that are searched."""

_WORD = r"(?P<word>[^\W\d_]{3,12})"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_DAY = r"(?<![\d.,:/-])(?P<day>[0-3]?\d)"
_ORDERS = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?(?P<sign>[-./]|[年년])\s?(?P<month>[01]?\d)\s?(?:(?P=sign)|[月월])\s?(?P<day>[0-3]?\d)(?!\d)[일日.]?",
        rf"{_DAY}(?:st|nd|rd|th|er|\.?º|ª|\.|-го|-е)?[\s\-/]{{0,2}}(?:de\s|of\s|di\s)?{_WORD}\.?,?[\s\-/]{{0,2}}(?:de\s|del\s)?{_YEAR}",
        rf"\b{_WORD}\.?\s(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?:,\s{{0,2}}|\s{{1,2}}){_YEAR}",
        rf"{_DAY}(?P<sign>[./-])\s?(?P<month>[01]?\d)(?P=sign)\s?{_YEAR}",
        r"(?<!\d)(?P<first>[01]?\d)(?P<sign>/)(?P<second>[0-3]?\d)/(?P<year>(?:19|20)\d\d)(?!\d)",
        rf"(?<!\d)(?P<year>(?:19|20)\d\d)\.?\s{_WORD}\s(?P<day>[0-3]?\d)(?!\d)",
    )
]
_CLOCK = (
    r"(?P<half>[上下]午|午[前後]|오[전후]|凌晨|早上|中午|晚上)?\s?(?<!\d)(?P<hour>[0-2]?\d)"
    r"(?:\s?[:：hH時时]\s?(?P<minute>[0-5]\d)(?!\d)(?:\s?[:：分]\s?(?P<second>[0-5]\d)(?!\d))?|\.(?P<dotted>[0-5]\d)(?!\d)(?=\s?(?:Uhr|[apAP]\.?[mM]|GMT|BST))|(?=\s?[apAP]\.?[mM]\b))"
    r"(?:\s?(?P<ampm>[apAP])\.?[mM]\b\.?)?"
)
_AFTER = re.compile(rf"[^\d]{{0,16}}?{_CLOCK}")
_BEFORE = re.compile(rf"(?P<clock>{_CLOCK})[^\d]{{0,24}}$")
_OFFSET = re.compile(
    r"\s?\(?(?:(?:UTC|GMT)\s?(?P<sign>[+-])(?P<h>\d{1,2})(?::?(?P<m>\d\d))?|(?P<name>[A-ZМСК]{2,5}|Z)\b)"
)
_AFTERNOON = {"下午", "午後", "晚上", "오후"}
_ZONES = {
    "UTC": UTC,
    "GMT": UTC,
    "Z": UTC,
    "EST": timezone(timedelta(hours=-5)),
    "EDT": timezone(timedelta(hours=-4)),
    "CST": timezone(timedelta(hours=-6)),
    "CDT": timezone(timedelta(hours=-5)),
    "MST": timezone(timedelta(hours=-7)),
    "MDT": timezone(timedelta(hours=-6)),
    "PST": timezone(timedelta(hours=-8)),
    "PDT": timezone(timedelta(hours=-7)),
    "BST": timezone(timedelta(hours=1)),
    "CET": timezone(timedelta(hours=1)),
    "CEST": timezone(timedelta(hours=2)),
    "EET": timezone(timedelta(hours=2)),
    "EEST": timezone(timedelta(hours=3)),
    "SAST": timezone(timedelta(hours=2)),
    "JST": timezone(timedelta(hours=9)),
    "KST": timezone(timedelta(hours=9)),
}
_REGIONS = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "PT": "America/Los_Angeles",
    "МСК": "Europe/Moscow",
    "MSK": "Europe/Moscow",
    "MEZ": "Europe/Berlin",
    "MESZ": "Europe/Berlin",
}


class FoundDate(NamedTuple):
    """A date of a line: naive unless the line names a zone.

    :param timed: True when the time of day is stated.
    :param start: where it begins in the line.
    """

    moment: datetime
    timed: bool
    start: int
    end: int


def find_dates(line: str, *, month_first: bool = False) -> list[FoundDate]:
    """The dates of a line in the order they stand in.

    :param month_first: 05/03/2024 is the third of May, as Americans write.

    >>> [str(found.moment) for found in find_dates("Updated December 5, 2023 at 9:05 p.m. ET")]
    ['2023-12-05 21:05:00-05:00']
    >>> find_dates("call 2023 or 10.10.10")
    []
    """
    text = line[:MAX_LINE]
    found = sorted(_matches(text, month_first), key=lambda item: item.start)
    return [item for at, item in enumerate(found) if not at or item.start >= found[at - 1].end]


def _matches(text: str, month_first: bool) -> Iterator[FoundDate]:
    for order in _ORDERS:
        for match in order.finditer(text):
            if date := _date(match.groupdict(), month_first):
                yield _with_time(text, match, date)


def _date(parts: dict[str, str | None], month_first: bool) -> datetime | None:
    if parts.get("word"):
        month = month_number(parts["word"] or "")
    elif parts.get("first"):  # seen only when the day stands second: 12/31/2024, or where months come first
        month, parts = int(parts["first"] or 0), {**parts, "day": parts["second"]}
        if not month_first and int(parts["day"] or 0) <= 12:
            return None
    else:
        month = int(parts["month"] or 0)
        if month_first and parts["sign"] == "/" and int(parts["day"] or 0) <= 12:
            return None
    try:
        return datetime(int(parts["year"] or 0), month or 0, int(parts["day"] or 0))  # noqa: DTZ001 - the zone follows
    except ValueError:
        return None


def _with_time(text: str, match: re.Match[str], date: datetime) -> FoundDate:
    after = _AFTER.match(text, match.end())
    clock = after or _BEFORE.search(text[max(0, match.start() - 40) : match.start()])
    moment = _at(date, clock) if clock else None
    if clock is None or moment is None:
        return FoundDate(date, False, match.start(), match.end())
    zone = _zone(text[after.end() :] if after else clock.string[clock.end("clock") :])
    return FoundDate(moment.replace(tzinfo=zone), True, match.start(), after.end() if after else match.end())


def _at(date: datetime, clock: re.Match[str]) -> datetime | None:
    hour, minute = int(clock["hour"]), int(clock["minute"] or clock["dotted"] or 0)
    half = (clock["ampm"] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    if (clock["half"] in _AFTERNOON or half == "p") and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return date.replace(hour=hour, minute=minute, second=int(clock["second"] or 0)) if hour < 24 else None


def _zone(text: str) -> tzinfo | None:
    match = _OFFSET.match(text)
    if match is None:
        return None
    if match["name"]:
        return _named_zone(match["name"])
    offset = timedelta(hours=int(match["h"]), minutes=int(match["m"] or 0))
    return timezone(offset if match["sign"] == "+" else -offset) if offset <= timedelta(hours=14) else None


@cache
def _named_zone(name: str) -> tzinfo | None:
    return _ZONES.get(name) or (ZoneInfo(_REGIONS[name]) if name in _REGIONS else None)
