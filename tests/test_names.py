"""Names of bylines, and headlines without the name of their site."""

from __future__ import annotations

import pytest

from newsmon.extraction.names import author_names, without_site_name


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Ann Lee", ("Ann Lee",)),
        ("By Ann Lee and Bob Ray", ("Ann Lee", "Bob Ray")),
        ("Ann Lee, Bob Ray & Eve Fox", ("Ann Lee", "Bob Ray", "Eve Fox")),
        ("Ann Lee, Political Correspondent", ("Ann Lee",)),
        ("Lee, Ann", ("Lee, Ann",)),
        ("Автор: Иван Петров", ("Иван Петров",)),
        ("Иван Петров и Анна Сидорова", ("Иван Петров", "Анна Сидорова")),
        ("Von Max Muster und Eva Klein", ("Max Muster", "Eva Klein")),
        ("作者：王小明、李华", ("王小明", "李华")),
        ("Ann Lee; ann lee", ("Ann Lee",)),
        ("https://facebook.com/ann", ()),
        ("ann@zarya.example", ()),
        ("admin", ()),
        ("Редакция", ()),
        ("The Post", ()),
        ("www.post.example", ()),
        ("Updated 3 Hours Ago", ()),
        ("x" * 80, ()),
        ("Martí Abad (Enviado especial)", ("Martí Abad",)),
        ("Ann Lee (in Kyiv, for The Post) and Bob Ray", ("Ann Lee", "Bob Ray")),
        ("(Ann Lee)", ("Ann Lee",)),
        ("Gavin Newsom", ("Gavin Newsom",)),
        ("Staffan Heimerson", ("Staffan Heimerson",)),
        ("News desk", ()),
        ("v7878", ()),
        ("", ()),
    ],
)
def test_author_names(value: str, names: tuple[str, ...]) -> None:
    assert author_names([value], not_people=["The Post", "www.post.example"]) == names


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("v7878", ("v7878",)),
        ("Ann Lee, 2fast4u", ("Ann Lee", "2fast4u")),
        ("Ann Lee, 15 May 2024, 16:30", ("Ann Lee",)),
        ("2024-05-15", ()),
        ("ann@zarya.example", ()),
        ("Редакция", ()),
    ],
)
def test_a_rule_knows_where_logins_stand(value: str, names: tuple[str, ...]) -> None:
    assert author_names([value], chosen=True) == names


def test_a_page_cannot_fill_the_store_with_names() -> None:
    letters = "abcdefghij"
    assert len(author_names([f"{a}{b} {c}" for a in letters for b in letters for c in letters])) == 50


@pytest.mark.parametrize(
    ("title", "headings", "expected"),
    [
        ("Dam opens | The Post", [], "Dam opens"),
        ("Dam opens - World - The Post", [], "Dam opens - World"),
        ("Dam opens - World - The Post", ["Dam opens"], "Dam opens"),
        ("The Post: Dam opens", ["Dam opens"], "The Post: Dam opens"),
        ("The Post | Dam opens", [], "Dam opens"),
        ("Dam opens — thepost.com", [], "Dam opens"),
        ("Dam opens - a first look", [], "Dam opens - a first look"),
        ("Rock'n'roll dam", ["Rock’n’roll dam"], "Rock’n’roll dam"),
        ("Well-known dam", [], "Well-known dam"),
        ("The Post", [], "The Post"),
        ("", [], ""),
    ],
)
def test_site_name_leaves_the_title(title: str, headings: list[str], expected: str) -> None:
    assert without_site_name(title, ["The Post", "www.thepost.com"], headings) == expected
