"""Dates as news pages and feeds write them, to aware UTC times.

Readers are tried from the cheapest and strictest to the most lenient; the first that understands the text answers::

    ISO 8601        2024-05-03T08:15:00+03:00                        about 1 microsecond
    e-mail form     Fri, 03 May 2024 08:15:00 GMT (RFC 822)
    Unix time       1714713300, in seconds or milliseconds
    numbers         03.05.2024, 08:15 · 2024年5月3日 下午3:15 · 5月3日 08:15
    clock           15:30 (today, or yesterday when that is still to come)
    words           3 мая 2024, 08:15 · вчера, 15:30 · 3 години тому     dateparser, 0.3 to 2 ms; full dates are cached

A date without a zone is in the site's zone. A date from the future is refused: it is a misread expiry date, an
announced event or a broken clock. The tolerance of one day covers a page whose zone is unknown or wrong (zones span
26 hours).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import dateparser
from dateparser.data.languages_info import language_locale_dict

FUTURE_TOLERANCE = timedelta(days=1)
EARLIEST_YEAR = 1700
"""Below the first newspaper archives; ``0001-01-01`` is an empty value of some systems."""

MAX_LENGTH = 200
_UNIX_ZERO = datetime(1970, 1, 1, tzinfo=UTC)  # an empty value of other systems

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}(?:T|$)")
_EMAIL = re.compile(
    r"(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})?(?: (?:[+-]\d{4}|GMT|UTC?|[EP][SD]T))?"
)
_UNIX = re.compile(r"\d{10}(?:\d{3})?")
_CLOCK = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)")
_TIME = (
    r"(?:[^\d上下午오]{0,12}?(?P<half>[上下]午|午[前後]|오[전후]|凌晨|早上|中午|晚上)?\s?(?P<hour>\d{1,2})\s?[:：时時点點]\s?(?P<minute>\d{2})"
    r"(?:[:：分](?P<second>\d{2})?(?:\.\d+)?秒?)?(?!\s?[ap]\.?m)(?:\s?\(?(?:(?:UTC|GMT)?(?P<offset>[+-]\d{2}:?\d{2})|(?P<utc>Z\b|UTC|GMT)))?)?"
)
_NUMBERS = [
    re.compile(rf"(?<!\d){date}{_TIME}", re.IGNORECASE)
    for date in (
        r"(?P<year>\d{4})\s?[-./年]\s?(?P<month>\d{1,2})\s?[-./月]\s?(?P<day>\d{1,2})(?!\d)日?",
        r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}|\d{2})(?!\d|\.\d)",
        r"(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})(?=,? \d{1,2}:\d{2})",
    )
]
_AFTERNOON = {"下午", "午後", "晚上", "오후"}
_ZONES = {
    **dict.fromkeys(("МСК", "MSK"), ZoneInfo("Europe/Moscow")),
    **dict.fromkeys(("MEZ", "MESZ"), ZoneInfo("Europe/Berlin")),
    "ET": ZoneInfo("America/New_York"),
    "PT": ZoneInfo("America/Los_Angeles"),
}
_ZONE = re.compile(rf"(?<=[\d\s.(])\(?({'|'.join(_ZONES)})\b\)?")
_UPDATED = re.compile(r"\b(?:updated|modified|обновл|изменен|оновлен|aktualisiert|actualizado)\w*|更新", re.IGNORECASE)
_UHR = re.compile(r"(\d{1,2})\.(\d{2})(?=\s?Uhr)")
_JUST_NOW = re.compile(r"just now|только что|щойно|刚刚|剛剛|gerade eben|soeben", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_LABEL = re.compile(
    r"^(?:\W*\b(?:veröffentlicht|erstellt|erschienen|stand|vom|am|опубликовано|опубліковано|published|posted|on)\b)+\W*",
    re.IGNORECASE,
)
_DAY_WORD = re.compile(
    r"\b(?:сегодня|(?:поза)?вчера|сьогодні|(?:поза)?вчора|(?:vor)?gestern|heute|today|yesterday|hoy|ayer|hier|aujourd.hui"
    r"|oggi|ieri|hoje|ontem|dzisiaj|wczoraj|bugün|dün)\b|[今昨前]天|[今昨]日|오늘|어제",
    re.IGNORECASE,
)
_AGO = re.compile(  # without such a word "5 min" is how long the reading takes
    r"\b(?:назад|тому|ago|vor|hace|il y a|fa|há|temu|önce|sedan|siden)\b"
    r"|\d\s?(?:分钟|分鐘|小时|小時|天|分|時間)\s?前|전\b",
    re.IGNORECASE,
)
_MONTH_WORD = re.compile(r"[^\W\d_]{3}")
_SCRIPTS = (
    (re.compile(r"[іїєґ]", re.IGNORECASE), ("uk",)),
    (re.compile(r"[а-яё]", re.IGNORECASE), ("ru", "uk")),
    (re.compile(r"[\u3040-\u30ff]"), ("ja",)),
    (re.compile(r"[\u4e00-\u9fff]"), ("zh",)),
    (re.compile(r"[\uac00-\ud7af]"), ("ko",)),
    (re.compile(r"[a-z]", re.IGNORECASE), ("en",)),
)

Reader = Callable[[str], datetime | None]


def parse_date(
    value: str, *, now: datetime, time_zone: tzinfo | None = None, languages: Sequence[str] = ()
) -> datetime | None:
    """Read a date as :func:`read_date` does, to UTC.

    >>> now = datetime(2024, 5, 10, 12, tzinfo=UTC)
    >>> parse_date("вчера, 15:30", now=now, time_zone=ZoneInfo("Europe/Moscow"), languages=["ru"]).isoformat()
    '2024-05-09T12:30:00+00:00'
    """
    found = read_date(value, now=now, time_zone=time_zone, languages=languages)
    return found.astimezone(UTC) if found else None


def read_date(
    value: str, *, now: datetime, time_zone: tzinfo | None = None, languages: Sequence[str] = ()
) -> datetime | None:
    """Read a date in the zone it is written in: its day is the day readers see.

    :param now: aware time of reading: what "yesterday" is counted from and what the future is.
    :param time_zone: the site's zone, for dates that name none; UTC when unknown.
    :param languages: language codes to try first for month names and the order of day and month; the languages of
        the script the text is written in follow.
    :returns: aware time, or None when the text holds no complete date, or an impossible one.

    >>> now = datetime(2024, 5, 10, 12, tzinfo=UTC)
    >>> read_date("2024-05-03T01:15:00+03:00", now=now).isoformat()
    '2024-05-03T01:15:00+03:00'
    >>> read_date("2031-01-01", now=now) is None
    True
    """
    zone = time_zone or UTC
    if not isinstance(value, str) or len(value) > MAX_LENGTH:
        return None
    text = " ".join(value.split())
    for reader in (_iso, _email, _unix):
        if (found := reader(text)) is not None:
            return _settle(found, zone, now)
    return _human(text, zone, now, tuple(languages))


def _settle(found: datetime, zone: tzinfo, now: datetime) -> datetime | None:
    """With its zone, unless it cannot be true."""
    if not EARLIEST_YEAR <= found.year <= now.year + 1:
        return None
    moment = found if found.tzinfo else found.replace(tzinfo=zone)
    return None if moment > now + FUTURE_TOLERANCE or moment == _UNIX_ZERO else moment


def _iso(text: str) -> datetime | None:
    if not _ISO.match(text):
        return None
    head, space, offset = text.rpartition(" ")
    if space and offset[:1] in "+-":
        text = head + offset
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _email(text: str) -> datetime | None:
    if not _EMAIL.fullmatch(text):
        return None
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        return None


def _unix(text: str) -> datetime | None:
    if not _UNIX.fullmatch(text):
        return None
    return datetime.fromtimestamp(int(text[:10]), UTC)


def _human(text: str, zone: tzinfo, now: datetime, languages: tuple[str, ...]) -> datetime | None:
    """The first date in a text written for people; of "published ..., updated ..." the first."""
    if named := _ZONE.search(text):
        zone, text = _ZONES[named[1]], text.replace(named[0], " ")
    local = now.astimezone(zone).replace(tzinfo=None)
    for part in _UPDATED.split(text):
        stripped = part.strip(" ,;:|•·()—–-：")
        found = _numbers(stripped, local) or _clock(stripped, local) or _words(stripped, local, languages)
        if found and (settled := _settle(found, zone, now)):
            return settled
    return None


def _numbers(text: str, local: datetime) -> datetime | None:
    for pattern in _NUMBERS:
        if match := pattern.search(text):
            parts = match.groupdict()
            if parts["hour"] is None and _CLOCK.search(text):
                return None  # the time stands somewhere else, which dateparser understands
            return _from_parts(parts, local)
    return None


def _from_parts(parts: dict[str, str | None], local: datetime) -> datetime | None:
    month, day, hour, minute, second = (int(parts[key] or 0) for key in ("month", "day", "hour", "minute", "second"))
    if parts["half"] in _AFTERNOON and hour < 12:
        hour += 12
    year = _full_year(parts.get("year"))
    try:
        found = local.replace(year or local.year, month, day, hour, minute, second, 0)
        if year is None and found > local + FUTURE_TOLERANCE:
            found = found.replace(year=found.year - 1)
    except ValueError:
        return None
    return found.replace(tzinfo=_offset(parts["offset"]) if parts["offset"] else UTC if parts["utc"] else None)


def _full_year(text: str | None) -> int | None:
    return int(text) + (2000 if len(text) == 2 else 0) if text else None


def _offset(text: str) -> tzinfo | None:
    hours, minutes = int(text[1:3]), int(text[-2:])
    if hours > 14 or minutes > 59:
        return None
    return timezone((1 if text[0] == "+" else -1) * timedelta(hours=hours, minutes=minutes))


def _clock(text: str, local: datetime) -> datetime | None:
    if _JUST_NOW.search(text):
        return local
    if not (match := _CLOCK.fullmatch(text)):
        return None
    found = local.replace(hour=int(match[1]), minute=int(match[2]), second=0, microsecond=0)
    return found if found <= local + timedelta(hours=1) else found - timedelta(days=1)


def _words(text: str, local: datetime, languages: tuple[str, ...]) -> datetime | None:
    known = tuple(dict.fromkeys(code for code in (*map(_primary, languages), *_languages_of(text)) if code))
    if not known:
        return None
    text = _UHR.sub(r"\1:\2", _LABEL.sub("", text))
    if _DAY_WORD.search(text):
        found = _counted_from_now(text, known, local)
        return (
            found if found is None or _DIGIT.search(text) else found.replace(hour=0, minute=0, second=0, microsecond=0)
        )
    if _AGO.search(text):
        return _counted_from_now(text, known, local)
    if not _DIGIT.search(text):
        return None
    return _complete_date(text, known) or _date_without_year(text, known, local)


def _primary(language: str) -> str | None:
    code = language.replace("_", "-").partition("-")[0].lower()
    return code if code in language_locale_dict else None


def _languages_of(text: str) -> tuple[str, ...]:
    return next((codes for pattern, codes in _SCRIPTS if pattern.search(text)), ())


@lru_cache(maxsize=4096)
def _complete_date(text: str, languages: tuple[str, ...]) -> datetime | None:
    """A date with day, month and year: the same whenever it is read, so it can be cached."""
    return _dateparser(text, languages, PARSERS=["absolute-time"], REQUIRE_PARTS=["day", "month", "year"])


def _counted_from_now(text: str, languages: tuple[str, ...], local: datetime) -> datetime | None:
    """As "3 години тому" or "yesterday at 3:30 PM"."""
    return _dateparser(text, languages, PARSERS=["relative-time"], RELATIVE_BASE=local, PREFER_DATES_FROM="past")


def _date_without_year(text: str, languages: tuple[str, ...], local: datetime) -> datetime | None:
    """As "3 мая, 08:15"."""
    if not _MONTH_WORD.search(text):
        return None
    return _dateparser(
        text,
        languages,
        PARSERS=["absolute-time"],
        REQUIRE_PARTS=["day", "month"],
        RELATIVE_BASE=local,
        PREFER_DATES_FROM="past",
        IGNORE_SURROUNDING_TEXT=False,
    )


def _dateparser(text: str, languages: tuple[str, ...], **settings: Any) -> datetime | None:
    options = {"IGNORE_SURROUNDING_TEXT": True, "USE_GIVEN_LANGUAGE_ORDER": True, **settings}
    try:
        found: datetime | None = dateparser.parse(text, languages=list(languages), settings=options)
    except (ValueError, OverflowError):  # numbers out of range
        return None
    return found
