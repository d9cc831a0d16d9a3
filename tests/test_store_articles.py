"""Storing documents, duplicates, revisions and search, the same on both databases."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsmon.errors import LeaseLost
from newsmon.model import ArchiveRef, Kind, Lease, Outcome, Paragraph, Role
from newsmon.storage import Selection, Store
from newsmon.storage.roles import pack_roles, unpack_paragraphs
from tests.storing import MINUTE, NOW, Feed, Rules, Written, decision, document, link, put, sync, take


def lease(store: Store, url: str, **entry: object) -> Lease:
    store.add_urls([link(url, **entry)], site="a.example", now=NOW)
    return next(one for one in take(store) if one.url == url)


def test_every_field_comes_back(store: Store) -> None:
    store.sync_sites([Rules("a.example", (Feed("http://a.example/rss"),))], {}, now=NOW)  # type: ignore[list-item]
    [feed] = store.lease_work(NOW, feeds=1, pages=0, per_host=1, sites=None, ttl=60).feeds
    written = Written(
        "Заголовок",
        "Текст статьи.\n\nВторой абзац 北京.",
        extract={
            "summary": "Коротко",
            "authors": ("A. Б.", "C"),
            "published": datetime(2024, 4, 30, 23, 0, tzinfo=timezone(timedelta(hours=3))),
            "modified": NOW,
            "language": "ru",
            "image": "http://a.example/1.jpg",
            "section": "Мир",
            "tags": ("x", "y"),
            "canonical_url": "http://a.example/canonical",
            "paywalled": False,
            "origins": {"title": "rule:2024", "language": "html"},
        },
    )
    store.record_poll(feed, decision(), [link("http://a.example/1")], now=NOW)
    [page] = take(store)
    work = document(page, written, at=NOW)
    stored = store.finish(page, work, ArchiveRef("newsmon-00-000001-20240501.warc.gz", 300, 4000), now=NOW)
    assert stored is not None
    assert stored.feed == "http://a.example/rss"
    assert stored == store.article(stored.id)
    assert stored.published == datetime(2024, 4, 30, 20, 0, tzinfo=UTC)
    assert (stored.title, stored.text, stored.authors, stored.tags) == (
        "Заголовок",
        written.text,
        ("A. Б.", "C"),
        ("x", "y"),
    )
    assert stored.origins == {"title": "rule:2024", "language": "html"}
    assert stored.text_sha256 == hashlib.sha256(written.text.encode()).hexdigest()
    assert stored.robots == work.robots
    assert stored.archive == ArchiveRef("newsmon-00-000001-20240501.warc.gz", 300, 4000)
    assert (stored.kind, stored.revision, stored.paywalled, stored.status) == (Kind.ARTICLE, 1, False, 200)


STRUCTURED = (
    Paragraph("Warum", Role.HEADING, 2),
    Paragraph("Text,\nzwei Zeilen."),
    *(Paragraph(f"level {level}", Role.ITEM, level) for level in (1, 2, 12)),
    Paragraph("Because\x00.", Role.QUOTE),
    Paragraph("a | b", Role.ROW),
    Paragraph("  if a:\n    b", Role.CODE),
    Paragraph("Photo: A", Role.CAPTION),
)


def structured(paragraphs: Iterable[Paragraph]) -> Written:
    found = tuple(paragraphs)
    text = "\n\n".join(paragraph.text for paragraph in found)
    return Written("Title", text, extract={"paragraphs": found, "confidence": 0.875})


def test_the_structure_comes_back(store: Store) -> None:
    stored = put(store, "http://a.example/1", structured(STRUCTURED))
    read = store.article(stored.id)
    assert stored == read
    assert (read.paragraphs[5].text, read.confidence) == ("Because.", 0.875)
    assert read.paragraphs == (*STRUCTURED[:5], Paragraph("Because.", Role.QUOTE), *STRUCTURED[6:])
    assert read.text == "\n\n".join(paragraph.text for paragraph in read.paragraphs)


def test_an_edit_brings_its_own_structure(store: Store) -> None:
    original = put(store, "http://a.example/1", structured(STRUCTURED))
    plain = Written("Title", "Only this.\n\nAnd that.")
    edit(store, "http://a.example/1", NOW + 5 * MINUTE, plain, now=NOW + 10 * MINUTE)
    edited = store.article(original.id)
    assert edited is not None
    assert (edited.paragraphs, edited.confidence) == ((Paragraph("Only this."), Paragraph("And that.")), None)


@pytest.mark.parametrize(
    ("paragraphs", "text", "names"),
    [
        pytest.param(STRUCTURED[1:2], STRUCTURED[1].text, None, id="plain text needs none"),
        pytest.param((), "", None, id="no text"),
        pytest.param((Paragraph("a", Role.QUOTE),), "b", None, id="not the text"),
        pytest.param((Paragraph("a\n\nb", Role.QUOTE), Paragraph("c")), "a\n\nb\n\nc", None, id="not aligned"),
        pytest.param(
            (Paragraph("a", Role.ITEM, 1), Paragraph("b", Role.ITEM, 2)), "a\n\nb", ["li", "li2"], id="levels"
        ),
    ],
)
def test_roles_fit_the_text_or_are_left_out(paragraphs: Any, text: str, names: list[str] | None) -> None:
    assert pack_roles(paragraphs, text) == names
    assert "\n\n".join(found.text for found in unpack_paragraphs(text, names)) == text


def test_roles_of_a_newer_version_are_plain_text() -> None:
    found = unpack_paragraphs("a\n\nb\n\nc\n\nd", ["h2", "poem", "", "li"])
    assert [(each.role, each.level) for each in found] == [
        (Role.HEADING, 2),
        (Role.PARAGRAPH, 0),
        (Role.PARAGRAPH, 0),
        (Role.ITEM, 1),
    ]
    assert unpack_paragraphs("a\n\nb", ["h2"]) == (Paragraph("a"), Paragraph("b"))


def test_finishing_twice_stores_once(store: Store) -> None:
    sync(store, "a.example")
    page = lease(store, "http://a.example/1")
    first = store.finish(page, document(page), None, now=NOW)
    again = store.finish(page, document(page), None, now=NOW)
    assert first is not None
    assert first == again
    assert len(list(store.articles())) == 1
    assert store.ledger().done == {Outcome.STORED: 1}


def test_a_page_given_back_cannot_be_finished(store: Store) -> None:
    sync(store, "a.example")
    page = lease(store, "http://a.example/1")
    store.retry(page, due=NOW, reason="HTTP 500", now=NOW)
    with pytest.raises(LeaseLost):
        store.finish(page, document(page), None, now=NOW)
    assert list(store.articles()) == []
    assert store.ledger().pending == 1


def test_the_same_article_under_another_address_is_a_duplicate(store: Store) -> None:
    sync(store, "a.example")
    first = lease(store, "http://a.example/1")
    second = lease(store, "http://a.example/amp/1")
    assert store.finish(first, document(first), None, keys=["a.example/1", "a.example/canonical"], now=NOW)
    assert store.finish(second, document(second), None, keys=["a.example/canonical"], now=NOW) is None
    assert store.finish(second, document(second), None, keys=["a.example/canonical"], now=NOW) is None
    assert store.ledger().done == {Outcome.STORED: 1, Outcome.DUPLICATE: 1}
    assert store.is_known("a.example/canonical")
    assert store.add_urls([link("http://a.example/canonical")], site="a.example", now=NOW) == 0


def test_pages_that_are_no_articles_claim_no_address(store: Store) -> None:
    """All articles of a site may end on one consent page; the next one must be tried nevertheless."""
    sync(store, "a.example")
    for number in range(3):
        page = lease(store, f"http://a.example/{number}")
        wall = Written(None, "", kind=Kind.CONSENT, extract={"reason": "asks for cookies"})
        stored = store.finish(page, document(page, wall), None, keys=["a.example/consent"], now=NOW)
        assert stored is not None
        assert stored.kind is Kind.CONSENT
    assert store.ledger().done == {Outcome.NOT_ARTICLE: 3}
    assert list(store.articles()) == []
    assert len(list(store.articles(Selection(kinds=frozenset({Kind.CONSENT}))))) == 3


def edit(store: Store, url: str, updated: datetime, written: Written, *, now: datetime) -> tuple[int, object]:
    """A feed states that an article was edited; fetch it again if the store wants to."""
    new = store.add_urls([link(url, updated=updated)], site="a.example", now=now)
    pages = take(store, now)
    return new, [store.finish(page, document(page, written, at=now), None, now=now) for page in pages]


def test_an_edited_article_gets_a_revision(store: Store) -> None:
    sync(store, "a.example")
    original = put(store, "http://a.example/1", Written("Old", "The first text about ёлки."))
    now = NOW + 10 * MINUTE
    new, [edited] = edit(store, "http://a.example/1", NOW + 5 * MINUTE, Written("New", "The second text."), now=now)
    assert new == 0
    assert (edited.id, edited.revision, edited.title) == (original.id, 2, "New")
    assert edited == store.article(original.id)
    [kept] = store.revisions(original.id)
    assert (kept.number, kept.title, kept.text, kept.fetched_at) == (1, "Old", "The first text about ёлки.", NOW)
    assert store.search("елки") == []
    assert store.search("second") == [edited]
    assert store.ledger().done == {Outcome.STORED: 1}


def test_an_edit_that_changes_nothing_makes_no_revision(store: Store) -> None:
    sync(store, "a.example")
    original = put(store, "http://a.example/1")
    assert edit(store, "http://a.example/1", NOW + 5 * MINUTE, Written(), now=NOW + 10 * MINUTE) == (0, [None])
    assert store.article(original.id) == original
    assert store.revisions(original.id) == []


def test_each_stated_edit_is_followed_once(store: Store) -> None:
    sync(store, "a.example")
    put(store, "http://a.example/1")
    tomorrow = NOW + timedelta(days=1)  # a feed whose clock is wrong
    _, first = edit(store, "http://a.example/1", tomorrow, Written("New"), now=NOW + MINUTE)
    _, second = edit(store, "http://a.example/1", tomorrow, Written("Newer"), now=NOW + 2 * MINUTE)
    _, older = edit(store, "http://a.example/1", NOW - MINUTE, Written("Newest"), now=NOW + 3 * MINUTE)
    assert [len(first), len(second), len(older)] == [1, 0, 0]


def test_a_wall_in_front_of_an_edited_article_leaves_it_alone(store: Store) -> None:
    sync(store, "a.example")
    original = put(store, "http://a.example/1")
    wall = Written(None, "", kind=Kind.CONSENT)
    assert edit(store, "http://a.example/1", NOW + 5 * MINUTE, wall, now=NOW + 10 * MINUTE) == (0, [None])
    store.add_urls([link("http://a.example/1", updated=NOW + 20 * MINUTE)], site="a.example", now=NOW + 30 * MINUTE)
    [page] = take(store, NOW + 30 * MINUTE)
    assert page.revision_of == original.id
    store.drop(page, Outcome.GONE, "HTTP 410", now=NOW + 31 * MINUTE)
    assert store.article(original.id) == original
    assert store.ledger().done == {Outcome.STORED: 1}


def test_hostile_text_is_stored_without_what_no_database_bears(store: Store) -> None:
    hostile = "NUL \x00, bell \x07, half \ud83d a pair, override \u202egpj.exe, \ufffe and a real 😀"
    stored = put(store, "http://a.example/1", Written(hostile, hostile, extract={"authors": (hostile,)}))
    expected = "NUL , bell , half  a pair, override gpj.exe,  and a real 😀"
    assert (stored.title, stored.text, stored.authors) == (expected, expected, (expected,))
    assert store.article(stored.id) == stored


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(alphabet=st.characters(codec=None), max_size=60))
def test_any_text_is_stored_and_found_again(store: Store, text: str) -> None:
    url = f"http://a.example/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
    if store.is_known(url.removeprefix("http://")):
        return
    stored = put(store, url, Written(text, text))
    assert store.article(stored.id) == stored
    store.search(text)


def test_selections(store: Store) -> None:
    for number, (domain, language) in enumerate([("a.example", "ru"), ("a.example", "en"), ("b.example", "ru")]):
        written = Written(extract={"language": language, "published": NOW - timedelta(days=number)})
        put(store, f"http://{domain}/{number}", written, now=NOW + number * MINUTE)

    def chosen(**conditions: object) -> list[str]:
        return [article.url[-1] for article in store.articles(Selection(**conditions))]  # type: ignore[arg-type]

    assert chosen() == ["0", "1", "2"]
    assert chosen(since=NOW + MINUTE) == ["1", "2"]
    assert chosen(until=NOW + MINUTE) == ["0"]
    assert chosen(since=NOW - timedelta(days=1), by_published=True) == ["0", "1"]
    assert chosen(sites=frozenset({"b.example"})) == ["2"]
    assert chosen(languages=frozenset({"ru"}), sites=frozenset({"a.example"})) == ["0"]


def test_naive_times_are_refused(store: Store) -> None:
    sync(store, "a.example")
    page = lease(store, "http://a.example/1")
    naive = Written(extract={"published": datetime(2024, 1, 1)})  # noqa: DTZ001
    with pytest.raises(Exception, match="without a zone"):
        store.finish(page, document(page, naive), None, now=NOW)
    assert store.ledger().leased == 1


TEXTS = {
    "ru": ("Ёлки и экономика", "Президент посетил «Белый дом». Экономика растёт."),
    "en": ("The café opens", "White house in the house of white walls"),
    "zh": ("北京大学今天开学", "中国经济增长，学生们在北京大学上课。"),
    "de": ("Über die Brücke", "Straßenbahn fährt über die Brücke, 2024er Modell"),
    "ko": ("대한민국 경제", "경제가 성장했다"),
}


QUERIES: list[tuple[str, list[str]]] = [
    ("экономика", ["ru"]),
    ("ЭКОНОМИКА растет", ["ru"]),
    ("елки", ["ru"]),
    ("эконом*", ["ru"]),
    ("эконом", []),
    ('"белый дом"', ["ru"]),
    ('"дом белый"', []),
    ("cafe", ["en"]),
    ('"white house"', ["en"]),
    ('"house white"', []),
    ("house café", ["en"]),
    ("北京大学", ["zh"]),
    ("大学", ["zh"]),
    ("经济", ["zh"]),
    ("学", ["zh"]),
    ("京北", []),
    ("uber brucke", ["de"]),
    ("2024er", ["de"]),
    ("대한", ["ko"]),
    ("nothing", []),
    ("", []),
    ('"', []),
    ("!!! *** ()", []),
    ("дом' OR 1=1 --", []),
    ("NEAR(white, 2)", []),
]


def test_search(store: Store) -> None:
    for name, (title, text) in TEXTS.items():
        put(store, f"http://a.example/{name}", Written(title, text))
    for query, expected in QUERIES:
        found = [article.url.rpartition("/")[2] for article in store.search(query)]
        assert found == expected, query


def test_titles_weigh_more_than_text(store: Store) -> None:
    put(store, "http://a.example/text", Written("Other", "One word about elections among many others here"))
    put(store, "http://a.example/title", Written("Elections", "Something else is written in this longer text"))
    assert [article.url for article in store.search("elections", limit=1)] == ["http://a.example/title"]


def test_a_very_long_text_is_stored_and_searched(store: Store) -> None:
    text = " ".join(f"слово{number}" for number in range(300_000))
    stored = put(store, "http://a.example/1", Written("Long", text))
    assert stored.text == text
    assert store.search("слово7") == [stored]
