"""Dates in lines written for people, and the lines around a headline that hold them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from lxml import html

from newsmon.dates import read_date
from newsmon.datesearch import find_dates
from newsmon.extraction.dateline import Dateline, dateline, labelled_date
from newsmon.extraction.surroundings import surroundings
from newsmon.months import month_number
from tests.pages import NOW, SENTENCE, linked, meta, read


@pytest.mark.parametrize(
    ("line", "dates"),
    [
        ("By Ann Lee | Updated December 5, 2023 at 9:05 p.m. ET", ["2023-12-05 21:05:00-05:00"]),
        ("4:55 PM EST, Fri December 22, 2023", ["2023-12-22 16:55:00-05:00"]),
        ("Fri 22 Dec 2023 06.00 GMT", ["2023-12-22 06:00:00+00:00"]),
        ("Dec. 5, 2023, 12 a.m.", ["2023-12-05 00:00:00"]),
        ("Posted: Aug 8, 2024 | Updated: Aug 9th, 2024", ["2024-08-08 00:00:00", "2024-08-09 00:00:00"]),
        ("Опубликовано: 3 мая 2024, 08:15 (МСК)", ["2024-05-03 08:15:00+03:00"]),
        ("08:15, 3 травня 2024 року", ["2024-05-03 08:15:00"]),
        ("Stand: 03.05.2024, 08:15 Uhr", ["2024-05-03 08:15:00"]),
        ("Freitag, 3. Mai 2024, 8.15 Uhr", ["2024-05-03 08:15:00"]),
        ("Publié le 3 février 2024 à 08h15", ["2024-02-03 08:15:00"]),
        ("3 de mayo de 2024 a las 15:30", ["2024-05-03 15:30:00"]),
        ("1.º de março de 2024 às 9h05", ["2024-03-01 09:05:00"]),
        ("venerdì 3 maggio 2024 ore 18:20", ["2024-05-03 18:20:00"]),
        ("Opublikowano 3 maja 2024 08:15", ["2024-05-03 08:15:00"]),
        ("Παρασκευή 3 Μαΐου 2024 10:30", ["2024-05-03 10:30:00"]),
        ("3 Mayıs 2024 10:05 Güncelleme: 4 Mayıs 2024 11:00", ["2024-05-03 10:05:00", "2024-05-04 11:00:00"]),
        ("2024. május 3. 10:30", ["2024-05-03 10:30:00"]),
        ("2024年5月3日 下午3:15 来源：新华网", ["2024-05-03 15:15:00"]),
        ("WWW.POST.EXAMPLE 2005年3月11日12:12", ["2005-03-11 12:12:00"]),
        ("2024년 5월 3일 오후 3:15", ["2024-05-03 15:15:00"]),
        ("입력 2024.05.03 18:40", ["2024-05-03 18:40:00"]),
        ("Thứ sáu, 3/5/2024, 08:00 (GMT+7)", ["2024-05-03 08:00:00+07:00"]),
        ("PTI | 03:01 PM,Jan 12,2012", ["2012-01-12 15:01:00"]),
        ("12/31/2024", ["2024-12-31 00:00:00"]),
        ("2024-05-03T08:15:00", ["2024-05-03 08:15:00"]),
        ("31 April 2024 and 2024-13-01", []),
        ("phone 10.10.10, 020 2024 2006-13-45", []),
        ("12 Monkeys 2024", []),
        ("3 мая, 08:15", []),
        ("", []),
        ("1 " * 5000, []),
    ],
)
def test_dates_of_a_line(line: str, dates: list[str]) -> None:
    assert [str(found.moment) for found in find_dates(line)] == dates


def test_order_of_day_and_month() -> None:
    assert find_dates("05/03/2024")[0].moment.month == 3
    assert find_dates("05/03/2024", month_first=True)[0].moment.month == 5


def test_names_of_months() -> None:
    words = ["декабря", "Dez.", "Σεπτεμβρίου", "MÄRZ", "Aralık", "listopada", "joulukuuta", "Monday", "of"]
    assert [month_number(word) for word in words] == [12, 12, 9, 3, 12, 11, 12, None, None]


def near(after: str, before: str = "") -> Dateline:
    page = f"<body><div>{before}<h1>Dam opens</h1>{after}<p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p><p>1 May 1999</p>"
    heading = html.document_fromstring(page).find(".//h1")
    assert heading is not None
    return dateline(surroundings(heading))


@pytest.mark.parametrize(
    ("lines", "published", "modified"),
    [
        ("<p>By Ann Lee, 3 May 2024 08:15</p>", "2024-05-03T08:15:00", None),
        ("<p><span>3</span> <span>May</span> <span>2024</span></p>", "2024-05-03", None),
        ("<p>Updated: 4 May 2024</p><p>Published: 3 May 2024</p>", "2024-05-03", "2024-05-04"),
        ("<p>3 мая 2024, обновлено 4 мая 2024</p>", "2024-05-03", "2024-05-04"),
        ("<p>更新：2024年5月4日 08:15</p>", "2024-05-04T08:15:00", "2024-05-04T08:15:00"),
        ("<time datetime='2024-05-03T08:15+03:00'>2 hours ago</time>", "2024-05-03T08:15+03:00", None),
        ("<p class='date'>yesterday, 15:30</p>", "yesterday, 15:30", None),
        ("<p>Опубликовано: сегодня в 16:18</p>", "Опубликовано: сегодня в 16:18", None),
        ("<p>yesterday at 15:30 nobody came</p>", None, None),
        ("<p>The great flood of May 3, 2019 broke the old dam, and nobody wrote about it until today.</p>", None, None),
        ("<figcaption>The dam on 3 May 2019</figcaption>", None, None),
        ("<p>5 comments</p>", None, None),
    ],
)
def test_datelines(lines: str, published: str | None, modified: str | None) -> None:
    found = near(lines)
    assert (found.published[:1], found.modified[:1]) == ([published] * bool(published), [modified] * bool(modified))


def test_in_front_of_a_headline_stands_today() -> None:
    menu = "<p>World</p><p>City</p>"
    assert near("", f"<p>Friday, 3 May 2024</p>{menu}").published == []
    assert near("", "<p>Friday, 3 May 2024</p>").published == ["2024-05-03"]
    assert near("", "<p>3 May 2024 08:15</p>").published == ["2024-05-03T08:15:00"]
    assert near("", "<p class='post-date'>3 May 2024</p>").published == ["2024-05-03"]


def test_labelled_date_elsewhere() -> None:
    tree = html.document_fromstring("<p>3 May 2019</p><p>网易 <i>发布时间</i> <b>2005/05/17 22:11:42</b> by 王</p>")
    assert labelled_date(tree) == ["2005-05-17T22:11:42"]
    assert labelled_date(html.document_fromstring("<p>Published in 1999</p>")) == []


def test_a_visible_date_in_the_zone_of_the_site() -> None:
    title = "Dam opens</h1><p>3 May 2024, 01:15</p><h1>"
    found = read(title=title, time_zone="Asia/Tokyo", url="http://a.example/dam")
    assert (found.published, found.origins["published"]) == (datetime(2024, 5, 2, 16, 15, tzinfo=UTC), "visible")


@pytest.mark.parametrize(
    ("url", "locale", "month"),
    [
        ("http://a.com/dam", "en_US", 3),
        ("http://a.com/dam", "en", 3),
        ("http://a.co.uk/dam", "en", 4),
        ("http://a.com/dam", "en_GB", 4),
        ("http://a.com/dam", "es", 4),
    ],
)
def test_american_dates(url: str, locale: str, month: int) -> None:
    found = read(meta(og__locale=locale), title="Dam opens</h1><p>03/04/2024</p><h1>", url=url)
    assert found.published is not None
    assert found.published.month == month


def test_dates_keep_the_zone_they_are_stated_in() -> None:
    stated = "2024-05-03T01:15:00+08:00"
    found = read(linked(datePublished=stated))
    assert found.published is not None
    assert found.published.isoformat() == stated
    parsed = read_date("Fri, 03 May 2024 01:15:00 -0700", now=NOW)
    assert parsed == datetime(2024, 5, 3, 1, 15, tzinfo=timezone(timedelta(hours=-7)))
    assert parsed is not None
    assert parsed.day == 3


def test_a_change_before_publication_is_none() -> None:
    head = meta(article__published_time="2024-05-03T08:15:00Z", article__modified_time="2024-05-01T08:15:00Z")
    assert read(head).modified is None
    assert "modified" not in read(head).origins
