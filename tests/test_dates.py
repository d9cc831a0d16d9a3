"""Dates as sites write them: one table, read at one moment, and what must hold for any text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.dates import FUTURE_TOLERANCE, parse_date

NOW = datetime(
    2024, 5, 10, 12, 0, tzinfo=UTC
)  # a Friday; 15:00 in Moscow and Kyiv, 20:00 in Shanghai, 8:00 in New York

# zone of the site, language of the page, the text, what it means in UTC (None: refused)
TABLE = """
Europe/Moscow    ru | 2024-05-03T08:15:00+03:00                    | 2024-05-03 05:15
Europe/Moscow    ru | 2024-05-03T08:15:00Z                         | 2024-05-03 08:15
Europe/Moscow    ru | 2024-05-03T08:15:00.123456789Z               | 2024-05-03 08:15
Europe/Moscow    ru | 2024-05-03T08:15:00                          | 2024-05-03 05:15
Europe/Moscow    ru | 2024-05-03T08:15+0300                        | 2024-05-03 05:15
Europe/Moscow    ru | 2024-05-03 08:15:00 +0300                    | 2024-05-03 05:15
Europe/Moscow    ru | 2024-05-03 08:15:00 UTC                      | 2024-05-03 08:15
Europe/Moscow    ru | 2024-05-03 08:15:00+0300 (MSK)               | 2024-05-03 05:15
Europe/Moscow    ru | 2024-05-03 8:15                              | 2024-05-03 05:15
Europe/Moscow    ru | 2024-05-03                                   | 2024-05-02 21:00
Europe/Moscow    ru | 20240503T081500Z                             | 2024-05-03 08:15
Europe/Moscow    ru | 20240503                                     | 2024-05-02 21:00
Europe/Moscow    ru | Fri, 03 May 2024 08:15:00 GMT                | 2024-05-03 08:15
Europe/Moscow    ru | Fri, 3 May 2024 08:15:00 +0300               | 2024-05-03 05:15
Europe/Moscow    ru | Fri, 03 May 2024 08:15:00                    | 2024-05-03 05:15
America/New_York en | Fri, 03 May 2024 08:15:00 MSK                | 2024-05-03 05:15
America/New_York en | Fri May 03 2024 08:15:00 GMT+0300 (MSK)      | 2024-05-03 05:15
Europe/Moscow    ru | 1714713300                                   | 2024-05-03 05:15
Europe/Moscow    ru | 1714713300000                                | 2024-05-03 05:15
Europe/Moscow    ru | 03.05.2024, 08:15                            | 2024-05-03 05:15
Europe/Moscow    ru | 08:15 03.05.2024                             | 2024-05-03 05:15
Europe/Moscow    en | 03.05.2024 08:15                             | 2024-05-03 05:15
Europe/Moscow    ru | 3.05.24                                      | 2024-05-02 21:00
Europe/Moscow    ru | 03.05 08:15                                  | 2024-05-03 05:15
Europe/Moscow    ru | 03/05/2024                                   | 2024-05-02 21:00
America/New_York en | 03/05/2024                                   | 2024-03-05 05:00
America/New_York en | 2024/05/03 3:15 PM                           | 2024-05-03 19:15
Europe/Moscow    ru | 3 мая 2024, 08:15                            | 2024-05-03 05:15
Europe/Moscow    ru | 3 мая 2024 г. в 08:15                        | 2024-05-03 05:15
Europe/Moscow    ru | 3 мая 2024 года                              | 2024-05-02 21:00
Europe/Moscow    ru | 08:15, 3 мая 2024                            | 2024-05-03 05:15
Europe/Moscow    ru | пятница, 3 мая 2024, 08:15                   | 2024-05-03 05:15
Europe/Moscow    ru | Опубликовано: 3 мая 2024, 08:15              | 2024-05-03 05:15
Europe/Moscow    ru | Иван Петров, 3 мая 2024 года, 08:15, Москва  | 2024-05-03 05:15
Asia/Vladivostok ru | 3 мая 2024, 08:15 (МСК)                      | 2024-05-03 05:15
Europe/Moscow    ru | 3 мая, 08:15                                 | 2024-05-03 05:15
Europe/Moscow    ru | 3 декабря, 10:00                             | 2023-12-03 07:00
Europe/Moscow    ru | вчера, 15:30                                 | 2024-05-09 12:30
Europe/Moscow    ru | Вчера в 23:59                                | 2024-05-09 20:59
Europe/Moscow    ru | сегодня в 08:15                              | 2024-05-10 05:15
Europe/Moscow    ru | сегодня                                      | 2024-05-09 21:00
Europe/Moscow    ru | позавчера, 10:00                             | 2024-05-08 07:00
Europe/Moscow    ru | 3 часа назад                                 | 2024-05-10 09:00
Europe/Moscow    ru | час назад                                    | 2024-05-10 11:00
Europe/Moscow    ru | обновлено 15 минут назад                     | 2024-05-10 11:45
Europe/Moscow    ru | только что                                   | 2024-05-10 12:00
Europe/Moscow    ru | 14:30                                        | 2024-05-10 11:30
Europe/Moscow    ru | 22:30                                        | 2024-05-09 19:30
Europe/Kyiv      uk | 3 травня 2024, 08:15                         | 2024-05-03 05:15
Europe/Kyiv      uk | 3 травня 2024 р., 08:15                      | 2024-05-03 05:15
Europe/Kyiv      uk | П'ятниця, 3 травня 2024                      | 2024-05-02 21:00
Europe/Kyiv      uk | 3 години тому                                | 2024-05-10 09:00
Europe/Kyiv      uk | вчора о 15:30                                | 2024-05-09 12:30
Europe/Kyiv      uk | сьогодні, 08:15                              | 2024-05-10 05:15
Europe/Kyiv      uk | позавчора 08:15                              | 2024-05-08 05:15
Europe/Kyiv      uk | 10 хв тому                                   | 2024-05-10 11:50
Europe/Kyiv      uk | щойно                                        | 2024-05-10 12:00
Europe/Kyiv      en | 3 травня 2024, 08:15                         | 2024-05-03 05:15
Asia/Shanghai    zh | 2024年5月3日 08:15                           | 2024-05-03 00:15
Asia/Shanghai    zh | 2024年05月03日08时15分                       | 2024-05-03 00:15
Asia/Shanghai    zh | 2024年5月3日 星期五 08:15                    | 2024-05-03 00:15
Asia/Shanghai    zh | 2024年5月3日 下午3:15                        | 2024-05-03 07:15
Asia/Shanghai    zh | 发布时间：2024年5月3日 08:15 来源：新华社    | 2024-05-03 00:15
Asia/Shanghai    zh | 2024-05-03 08:15:30 来源：新华网             | 2024-05-03 00:15
Asia/Shanghai    zh | 2024/05/03 08:15                             | 2024-05-03 00:15
Asia/Shanghai    zh | 2024.05.03 08:15                             | 2024-05-03 00:15
Asia/Shanghai    zh | 5月3日 08:15                                 | 2024-05-03 00:15
Asia/Shanghai    zh | 昨天 15:30                                   | 2024-05-09 07:30
Asia/Shanghai    zh | 今天 08:00                                   | 2024-05-10 00:00
Asia/Shanghai    zh | 今天                                         | 2024-05-09 16:00
Asia/Shanghai    zh | 3小时前                                      | 2024-05-10 09:00
Asia/Shanghai    zh | 5分钟前                                      | 2024-05-10 11:55
Asia/Shanghai    zh | 刚刚                                         | 2024-05-10 12:00
Asia/Taipei      zh | 2024年5月3日 上午8:15                        | 2024-05-03 00:15
Asia/Tokyo       ja | 2024年5月3日 午後3時15分                     | 2024-05-03 06:15
Asia/Seoul       ko | 2024. 5. 3. 오후 3:15                        | 2024-05-03 06:15
America/New_York en | May 3, 2024 8:15 AM                          | 2024-05-03 12:15
America/New_York en | May 3rd, 2024                                | 2024-05-03 04:00
America/New_York en | Friday, May 3, 2024 at 8:15 p.m. ET          | 2024-05-04 00:15
America/New_York en | May 3, 2024 8:15 AM EDT                      | 2024-05-03 12:15
America/New_York en | January 3, 2024 8:15 AM EST                  | 2024-01-03 13:15
America/New_York en | Published 3 May 2024, updated 4 May 2024     | 2024-05-03 04:00
America/New_York en | Updated 4 May 2024                           | 2024-05-04 04:00
America/New_York en | Sept. 3, 2023                                | 2023-09-03 04:00
America/New_York en | yesterday at 3:30 PM                         | 2024-05-09 19:30
America/New_York en | 2 hours ago                                  | 2024-05-10 10:00
America/New_York en | just now                                     | 2024-05-10 12:00
Europe/Berlin    de | 3. Mai 2024, 08:15 Uhr                       | 2024-05-03 06:15
Europe/Berlin    de | Veröffentlicht am 3. Mai 2024 um 8.15 Uhr    | 2024-05-03 06:15
Europe/Berlin    de | Stand: 03.05.2024 08:15 Uhr                  | 2024-05-03 06:15
Europe/Berlin    de | gestern, 15:30 Uhr                           | 2024-05-09 13:30
Europe/Berlin    de | vor 3 Stunden                                | 2024-05-10 09:00
Europe/Madrid    es | 3 de mayo de 2024, 08:15                     | 2024-05-03 06:15
- no zone           | 2024-05-03 08:15                             | 2024-05-03 08:15
- no zone           | 3 мая 2024, 08:15                            | 2024-05-03 08:15
- future         ru | 1 июня 2031                                  |
- future            | 2031-05-03T00:00:00Z                         |
- expiry            | Thu, 01 Jan 2099 00:00:00 GMT                |
- announced      en | tomorrow at 10:00                            |
- announced      ru | через 3 дня                                  |
- empty value       | 0001-01-01T00:00:00+03:00                    |
- empty value       | 1970-01-01T00:00:00Z                         |
- impossible        | 2024-13-45                                   |
- impossible     ru | 31 февраля 2024                              |
- incomplete     en | May 2024                                     |
- incomplete        | 2024                                         |
- a number          | 12                                           |
- a duration     en | 5 min read                                   |
- a duration     ru | Срок действия 30 дней                        |
- a count        ru | 5 комментариев                               |
- a name         ru | Иван Петров                                  |
- no text           |                                              |
"""


def rows() -> list[tuple[str, str, str, str]]:
    split = ([cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines())
    return [
        (*where.rsplit(" ", 1), text, meant) if where[-3:-2] == " " else (where, "", text, meant)
        for where, text, meant in split
    ]


def test_table_is_large_enough() -> None:
    assert len(rows()) >= 100


@pytest.mark.parametrize(("zone", "language", "text", "meant"), rows(), ids=[f"{row[1]} {row[2]}" for row in rows()])
def test_table(zone: str, language: str, text: str, meant: str) -> None:
    time_zone = None if zone.startswith("-") else ZoneInfo(zone.strip())
    found = parse_date(text, now=NOW, time_zone=time_zone, languages=[language] if language else [])
    expected = datetime.fromisoformat(meant).replace(tzinfo=UTC) if meant else None
    assert (found and found.replace(second=0, microsecond=0)) == expected
    assert found is None or found.tzinfo is UTC


def test_same_clock_time_in_two_zones() -> None:
    tokyo, lima = (
        parse_date("2024-05-03 08:15", now=NOW, time_zone=ZoneInfo(z)) for z in ("Asia/Tokyo", "America/Lima")
    )
    assert tokyo
    assert lima
    assert lima - tokyo == timedelta(hours=14)


def test_time_of_reading_counts_for_relative_dates_only() -> None:
    later = NOW + timedelta(days=1)
    for text, moved in [("вчера, 15:30", timedelta(days=1)), ("3 мая 2024, 08:15", timedelta(0))]:
        first, second = (parse_date(text, now=now, languages=["ru"]) for now in (NOW, later))
        assert first
        assert second
        assert second - first == moved


def test_tolerance_for_clocks_and_zones() -> None:
    inside, outside = NOW + FUTURE_TOLERANCE, NOW + FUTURE_TOLERANCE + timedelta(seconds=1)
    assert parse_date(inside.isoformat(), now=NOW) == inside
    assert parse_date(outside.isoformat(), now=NOW) is None


def test_unknown_languages_do_no_harm() -> None:
    expected = datetime(2024, 5, 3, tzinfo=UTC)
    assert parse_date("3 May 2024", now=NOW, languages=["xx", "", "tlh-Latn"]) == expected
    assert parse_date("3 May 2024", now=NOW, languages=["en_US"]) == expected


@given(
    st.datetimes(min_value=NOW.replace(year=1800, tzinfo=None), max_value=NOW.replace(day=9, tzinfo=None)),
    st.integers(-14 * 60, 14 * 60),
    st.sampled_from(["T", " "]),
)
def test_iso_round_trip(naive: datetime, offset: int, separator: str) -> None:
    moment = naive.replace(tzinfo=timezone(timedelta(minutes=offset)))
    assert parse_date(moment.isoformat(separator), now=NOW, time_zone=ZoneInfo("Asia/Tokyo")) == moment


ALPHABET = "0123456789 :.,/-+TZ年月日時分前今昨天мая вчераназдягоMay3rdPMuhrago()"


@given(
    st.one_of(st.text(max_size=30), st.text(ALPHABET, max_size=25)),
    st.sampled_from([(), ("ru",), ("zh", "en"), ("de",)]),
)
def test_any_text_gives_none_or_a_past_utc_time(text: str, languages: tuple[str, ...]) -> None:
    found = parse_date(text, now=NOW, time_zone=ZoneInfo("Europe/Moscow"), languages=languages)
    assert found is None or (found.tzinfo is UTC and found <= NOW + FUTURE_TOLERANCE)
