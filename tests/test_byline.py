"""Authors that stand next to the headline, in many languages; and what is no author."""

from __future__ import annotations

import pytest
from lxml import html

from newsmon.extraction.byline import byline, looks_like_a_name
from newsmon.extraction.eastern import chinese_names, editors, is_eastern_name, korean_names, signed
from newsmon.extraction.surroundings import LINES_AFTER, marks, surroundings, top
from tests.pages import SENTENCE, linked, meta, read

PROSE = f"<p>{SENTENCE * 3}</p>" * 3


def authors(lines: str, before: str = "", *, site: str = "The Post") -> tuple[str, ...]:
    tree = html.document_fromstring(f"<body><div>{before}<h1>Dam opens</h1>{lines}{PROSE}<p>By Late Comer</p></div>")
    heading = tree.find(".//h1")
    assert heading is not None
    return byline(surroundings(heading), not_people=[site])


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ("<p>By Ann Lee</p>", ("Ann Lee",)),
        ("<p>BY ANN LEE and Bob Ray</p>", ("ANN LEE", "Bob Ray")),
        ("<p>By <a href='/a'>Ann Lee</a>, <a>Bob Ray</a> | December 5, 2023</p>", ("Ann Lee", "Bob Ray")),
        ("<p>By Ann Lee December 5, 2023 9:05 AM</p>", ("Ann Lee",)),
        ("<p>Published 5 May</p><div><span>By</span> <b>Ann van der Lee</b></div>", ("Ann van der Lee",)),
        ("<li>Von: <a>Max MUSTER</a><span>, </span><a>Eva Klein</a></li>", ("Max MUSTER", "Eva Klein")),
        ("<p>Von Max Muster, Berlin-Korrespondent</p>", ("Max Muster",)),
        ("<p>Text &amp; Fotos: Max Muster</p>", ("Max Muster",)),
        ("<p>Par Jeanne Moreau, Paris</p>", ("Jeanne Moreau",)),
        ("<p>Par Jeanne Moreau</p>", ("Jeanne Moreau",)),
        ("<p>Por Ana García y Luis Pérez</p>", ("Ana García", "Luis Pérez")),
        ("<p>Di Maria Rossi</p>", ("Maria Rossi",)),
        ("<p>Autor: Jan Kowalski</p>", ("Jan Kowalski",)),
        ("<p>Автор: Иван Петров</p>", ("Иван Петров",)),
        ("<p>Текст: Анна Сидорова и Пётр Иванов</p>", ("Анна Сидорова", "Пётр Иванов")),
        ("<p>Журналіст Іван Франко</p>", ("Іван Франко",)),
        ("<p>Yazan: Orhan Veli</p>", ("Orhan Veli",)),
        ("<p>Γράφει ο Νίκος Παπαδόπουλος</p>", ("Νίκος Παπαδόπουλος",)),
        ("<p>本报记者 王小明 李华 北京报道</p>", ("王小明", "李华")),
        ("<p>本报实习生 刘国 周炜</p><p>本报记者 王燕平</p>", ("刘国", "周炜", "王燕平")),
        ("<p>5月3日 홍길동 기자</p>", ("홍길동",)),
        ("<p>王小明</p>", ("王小明",)),
        # boxes
        ("<div class='post-author'>Ann Lee</div>", ("Ann Lee",)),
        ("<div><a href='/author/ann'>Ann Lee</a><a href='/author/bob'>Bob Ray</a></div>", ("Ann Lee", "Bob Ray")),
        ("<span itemprop='author'><b>Ann Lee</b></span>", ("Ann Lee",)),
        ("<div class='byline'>Ann Lee, 5 May 2024</div>", ("Ann Lee",)),
        # beside the date
        ("<div><span>Ann Lee-Ray</span> <i>Dec 05, 2023</i> <i>2 shares</i></div>", ("Ann Lee-Ray",)),
        ("<p>May 14, 2025</p><p><b>Ann Lee</b></p>", ("Ann Lee",)),
        # nobody
        ("<p>By the river, two floods came</p>", ()),
        ("<p>Von Berlin nach Paris</p>", ()),
        ("<p>By The Post Staff</p>", ()),
        ("<p>By Post Media Desk</p>", ()),
        ("<p>By The Post</p>", ()),
        ("<p>New York, May 14, 2025</p>", ()),
        ("<p>World News</p><p>May 14, 2025</p>", ()),
        ("<p>May 14, 2025</p><p>Facebook Twitter Mail</p>", ()),
        ("<div class='author-bio'>Ann Lee</div>", ()),
        ("<div class='comment-author'>Ann Lee</div>", ()),
        ("<div class='author'>42 articles</div>", ()),
        ("<p>记者训练营</p>", ()),
        ("<p>作者：经济日报</p>", ()),
        ("<p>高清</p>", ()),
        ("", ()),
    ],
)
def test_bylines(lines: str, names: tuple[str, ...]) -> None:
    assert authors(lines) == names


def test_in_front_of_the_headline_and_far_below() -> None:
    assert authors("", "<p class='author'>Ann Lee</p>") == ("Ann Lee",)
    assert authors("<p>Bob Ray opened it.</p>" * (LINES_AFTER + 1) + "<p>By Ann Lee</p>") == ()


def test_departments_of_the_site_are_no_authors() -> None:
    line = "<p>By Ann Lee, MDR Sachsen</p>"
    assert authors(line, site="mdr.de") == ("Ann Lee",)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Ann Lee", True),
        ("José María de la Cruz", True),
        ("J. R. R. Tolkien", True),
        ("O’Hara Jean-Luc", True),
        ("Ann", False),
        ("ann lee", False),
        ("Ann Lee said so", False),
        ("A B C D E F", False),
        ("Ann Lee!", False),
        ("University Of Tokyo", False),
        ("アン・リー", True),
        ("山田 太郎", False),
        ("山田太郎", True),
    ],
)
def test_names(text: str, verdict: bool) -> None:
    assert looks_like_a_name(text) is verdict


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("作者：王小明、李华", ["王小明", "李华"]),
        ("（记者 格桑边觉）", ["格桑边觉"]),
        ("（信报记者 蔡雪婧)", ["蔡雪婧"]),
        ("晨报记者马俊峰/文受访者供图", ["马俊峰"]),
        ("文：眉间尺", ["眉间尺"]),
        ("記者欧阳小明", ["欧阳小明"]),
        ("记者：首先欢迎你来到这里", []),
        ("记者从上海获悉", []),
        ("记者方面首次了解到", []),
        ("论文王朝", []),
    ],
)
def test_chinese_reporters(text: str, names: list[str]) -> None:
    assert list(chinese_names(text)) == names


def test_other_eastern_names() -> None:
    assert list(korean_names("입력 2024.05.03 홍길동 기자 hong@post.example")) == ["홍길동"]
    assert list(editors("（责任编辑：王小明）")) == ["王小明"]
    assert [is_eastern_name(text) for text in ("习近平", "卡尔·马克思", "新华社", "首页 新闻")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("end", "names"),
    [
        ("<p>来源：晨报 作者：<a>王小明</a> 李华</p>", ("王小明", "李华")),
        ("<p>水库启用。" + "水" * 80 + "（记者 王小明）</p>", ("王小明",)),
        ("<p>（李华）</p>", ("李华",)),
        ("<p>编辑：李华</p>", ("李华",)),
        ("<p>编辑：李华</p><p>作者：王小明</p>", ("王小明",)),
        ("<p>记者" + "水" * 80 + "</p>", ()),
    ],
)
def test_signatures_at_the_end_of_chinese_texts(end: str, names: tuple[str, ...]) -> None:
    assert signed(html.document_fromstring(f"<body><p>{'水库今天启用。' * 30}</p>{end}")) == names


def test_neighbourhood_is_bounded() -> None:
    tree = html.document_fromstring("<h1>Dam</h1><p>" + "<i>By Ann Lee</i>" * 20_000)
    heading = tree.find(".//h1")
    assert heading is not None
    found = surroundings(heading)
    assert len(found.after) == 1
    assert len(found.after[0].pieces) <= 40


def test_first_lines_of_a_page_without_headline() -> None:
    tree = html.document_fromstring(f"<body><p>Home</p><p>By Ann Lee</p>{PROSE}")
    assert [line.text for line in top(tree).after][:2] == ["Home", "By Ann Lee"]
    assert not top(tree).heading


def test_marks_name_the_boxes_around() -> None:
    tree = html.document_fromstring("<div class='Byline'><p id='x'><a rel='author' href='/Ann'>Ann</a></p></div>")
    link = tree.find(".//a")
    assert link is not None
    assert {"byline", "x", "author", "/ann"} <= {*marks(link).split()}


def test_the_byline_stands_behind_people_of_json_ld_and_before_meta_and_organisations() -> None:
    title = "Dam opens</h1><p>By Ann Lee</p><h1>"
    assert read(linked(author={"name": "Bob Ray"}), title=title).authors == ("Bob Ray",)
    found = read(linked(author={"@type": "Organization", "name": "Water Agency"}), title=title)
    assert (found.authors, found.origins["authors"]) == (("Ann Lee",), "visible")
    assert read('<meta name="author" content="Web Works Inc">', title=title).authors == ("Ann Lee",)


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ({"@type": "Organization", "name": "Water Agency"}, ("Water Agency",)),
        ({"@type": "Person", "name": "Zarya"}, ("Zarya",)),
        ("Zarya staff", ("Zarya staff",)),
        ("admin", ()),
        ("https://zarya.example/ann", ()),
    ],
)
def test_an_organisation_is_the_author_when_nobody_else_is(author: object, expected: tuple[str, ...]) -> None:
    assert read(linked(headline="x", author=author) + meta(og__site_name="Zarya")).authors == expected
