"""Metadata: every source, the order between them, and what is not to be believed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html

from newsmon.extraction import extract
from newsmon.extraction.jsonld import parse_json
from newsmon.extraction.languages import can_be, guess_language
from newsmon.extraction.metadata import ORDER
from newsmon.extraction.microdata import read_microdata
from newsmon.extraction.text import paragraphs
from newsmon.model import Entry
from tests.pages import NOW, SENTENCE, TEXT, URL, article, linked, meta, page, read, real_pages, rules

if TYPE_CHECKING:
    from pathlib import Path


# JSON-LD


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' \n[{"a": 1}] ', [{"a": 1}]),
        ('<!-- {"a": 1} -->', {"a": 1}),
        ('<![CDATA[ {"a": 1} ]]>', {"a": 1}),
        ('//<![CDATA[\n{"a": 1}\n//]]>', {"a": 1}),
        ('/*<![CDATA[*/{"a": 1}/*]]>*/', {"a": 1}),
        ('{"a": 1};', {"a": 1}),
        ('{"a": "line\nbreak\tand\x01control"}', {"a": "line\nbreak\tand\x01control"}),
        ('{"a": [1, 2, ], "b": {"c": 1,\n},}', {"a": [1, 2], "b": {"c": 1}}),
        ('{"a": "a comma, } in text",}', {"a": "a comma, } in text"}),
        ("{broken", None),
        ("", None),
        ("[" * 100_000, None),
    ],
)
def test_json_that_is_not_quite_json(script: str, value: Any) -> None:
    assert parse_json(script) == value


FULL = {
    "headline": "Dam opens",
    "description": "After six years.",
    "datePublished": "2024-05-03T08:15:00+03:00",
    "dateModified": "2024-05-04T10:00:00Z",
    "author": [{"@type": "Person", "name": "Ann Lee"}, {"@type": "Person", "name": "Bob Ray"}],
    "publisher": {"@type": "Organization", "name": "Zarya"},
    "image": {"@type": "ImageObject", "url": "/dam.jpg"},
    "articleSection": "City",
    "keywords": ["dams", "floods"],
    "inLanguage": "en-GB",
    "isAccessibleForFree": True,
}
READ = {
    "title": "Dam opens",
    "summary": "After six years.",
    "published": datetime(2024, 5, 3, 5, 15, tzinfo=UTC),
    "modified": datetime(2024, 5, 4, 10, tzinfo=UTC),
    "authors": ("Ann Lee", "Bob Ray"),
    "image": "http://zarya.example/dam.jpg",
    "section": "City",
    "tags": ("dams", "floods"),
    "language": "en",
    "paywalled": False,
}
WRAPPED = {
    "a node": linked(**FULL),
    "a list": linked({"@type": "WebSite", "name": "x"}, **FULL),
    "a graph": linked({"@context": "x", "@graph": [{"@type": "WebPage"}, {"@type": "NewsArticle", **FULL}]}),
    "a subtype": linked({"@type": "ReportageNewsArticle", **FULL}),
    "several types": linked({"@type": ["WebPage", "OpinionNewsArticle"], **FULL}),
    "full type": linked({"@type": "http://schema.org/NewsArticle", **FULL}),
    "the main entity": linked({"@type": "WebPage", "mainEntity": {"@type": "Article", **FULL}}),
    "a second script": linked({"@type": "BreadcrumbList"})
    + '<script type="application/ld+json">{oops</script>'
    + linked(**FULL),
}


@pytest.mark.parametrize("head", WRAPPED.values(), ids=WRAPPED)
def test_json_ld_gives_every_field(head: str) -> None:
    found = read(head)
    assert {name: getattr(found, name) for name in READ} == READ
    assert {found.origins[name] for name in READ} == {"json-ld"}


@pytest.mark.parametrize(
    ("value", "authors"),
    [
        ("Ann Lee", ("Ann Lee",)),
        (["Ann Lee", "Bob Ray"], ("Ann Lee", "Bob Ray")),
        ({"name": ["Ann Lee", "Bob Ray"]}, ("Ann Lee", "Bob Ray")),
        ({"@id": "#ann"}, ("Ann Lee",)),
        ([{"@type": "Person", "givenName": "Ann"}, {"name": None}, None, 5], ()),
        ([{"@type": "Organization", "name": "Zarya"}, {"@type": "Person", "name": "Ann Lee"}], ("Ann Lee",)),
        ({"@type": "Person", "givenName": "Ann", "familyName": "Lee"}, ("Ann Lee",)),
        ([[{"name": "Ann Lee"}], "by Bob Ray"], ("Bob Ray",)),
        ({"name": "&quot;Ann&quot; O&#39;Hara"}, ('"Ann" O\'Hara',)),
    ],
)
def test_authors_of_json_ld(value: Any, authors: tuple[str, ...]) -> None:
    graph = [{"@id": "#ann", "@type": "Person", "name": "Ann Lee"}]
    assert read(linked(*graph, author=value, publisher={"name": "Zarya"})).authors == authors


def test_the_pages_own_article_is_chosen_among_teasers() -> None:
    teasers = [
        {"@type": "NewsArticle", "headline": f"Teaser {n}", "url": f"http://zarya.example/{n}"} for n in range(3)
    ]
    own = {"@type": "NewsArticle", "headline": "Own", "mainEntityOfPage": {"@id": URL + "?utm_source=x"}}
    assert read(linked(*teasers, own)).title == "Own"
    assert (
        read(linked(*teasers, {"@type": "NewsArticle", "headline": "Fuller", "datePublished": "2024"})).title
        == "Fuller"
    )


@pytest.mark.parametrize(
    ("names", "section"),
    [
        (["Home", "World", "Asia", "Dam opens"], "World"),
        (["Home", "World"], "World"),
        (["Home", "The new dam above the old town opens"], None),
        (["Home"], None),
        ([], None),
    ],
)
def test_section_of_breadcrumbs(names: list[str], section: str | None) -> None:
    steps = [{"@type": "ListItem", "item": {"name": name}} for name in names]
    trail = {"@type": "BreadcrumbList", "itemListElement": steps}
    assert read(linked(trail, headline="Dam opens")).section == section


def test_html_in_json_ld_becomes_text() -> None:
    assert read(linked(headline="<b>Dam</b> &amp; town", description="a&nbsp;b")).title == "Dam & town"


# the other sources

OPENGRAPH = meta(
    og__title="Dam opens",
    og__description="After six years.",
    article__published_time="2024-05-03T08:15:00+03:00",
    article__modified_time="2024-05-04T10:00:00Z",
    article__author="Ann Lee, Bob Ray",
    og__image="/dam.jpg",
    article__section="City",
    article__tag="dams, floods",
    og__locale="en_GB",
    article__content_tier="free",
)
MICRODATA = """
<div itemscope itemtype="https://schema.org/NewsArticle">
  <h2 itemprop="headline">Dam opens</h2><meta itemprop="description" content="After six years.">
  <time itemprop="datePublished" datetime="2024-05-03T08:15:00+03:00">3 May</time>
  <meta itemprop="dateModified" content="2024-05-04T10:00:00Z"><meta itemprop="inLanguage" content="en">
  <span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ann Lee</b>, editor</span>
  <span itemprop="author">Bob Ray</span>
  <div itemprop="image" itemscope itemtype="https://schema.org/ImageObject"><link itemprop="url" href="/dam.jpg"></div>
  <i itemprop="articleSection">City</i><meta itemprop="keywords" content="dams, floods">
  <meta itemprop="isAccessibleForFree" content="true">
  <div itemprop="publisher" itemscope itemtype="https://schema.org/Organization"><b itemprop="headline">Zarya</b></div>
  <div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><b itemprop="author">Troll</b></div>
</div>"""


@pytest.mark.parametrize(("head", "origin"), [(OPENGRAPH, "opengraph"), (MICRODATA, "microdata")])
def test_opengraph_and_microdata_give_every_field(head: str, origin: str) -> None:
    found = extract(page(article(head=head, title="")), rules=rules(TEXT))
    assert {name: getattr(found, name) for name in READ} == READ
    assert {found.origins[name] for name in READ} == {origin}


def test_microdata_text_and_choice_of_the_article_with_text() -> None:
    teaser = '<div itemscope itemtype="http://schema.org/Article"><b itemprop="headline">Teaser</b></div>'
    own = f'<div itemprop="articleBody"><p>{SENTENCE}</p><p>b</p></div>'
    own = f'<div itemscope itemtype="http://schema.org/Article">{own}</div>'
    found = read_microdata(html.document_fromstring(teaser + own))
    assert [each.text for each in paragraphs(found.body)] == [SENTENCE.strip(), "b"]
    assert read_microdata(html.document_fromstring("<p>nothing</p>")) == ({}, [])


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("author", "Ann Lee", "authors", ("Ann Lee",)),
        ("byl", "By Ann Lee", "authors", ("Ann Lee",)),
        ("sailthru.author", "Ann Lee", "authors", ("Ann Lee",)),
        ("DC.creator", "Ann Lee", "authors", ("Ann Lee",)),
        ("parsely-pub-date", "2024-05-03T08:15:00Z", "published", datetime(2024, 5, 3, 8, 15, tzinfo=UTC)),
        ("sailthru.date", "Fri, 03 May 2024 08:15:00 GMT", "published", datetime(2024, 5, 3, 8, 15, tzinfo=UTC)),
        ("DC.date.issued", "2024-05-03T08:15:00Z", "published", datetime(2024, 5, 3, 8, 15, tzinfo=UTC)),
        ("pubdate", "20240503", "published", datetime(2024, 5, 3, tzinfo=UTC)),
        ("last-modified", "2024-05-03T08:15:00Z", "modified", datetime(2024, 5, 3, 8, 15, tzinfo=UTC)),
        ("news_keywords", "dams; floods", "tags", ("dams", "floods")),
        ("keywords", "плотина, паводок", "tags", ("плотина", "паводок")),
        ("description", "After six years.", "summary", "After six years."),
        ("twitter:image", "https://cdn.example/dam.jpg", "image", "https://cdn.example/dam.jpg"),
        ("parsely-section", "City", "section", "City"),
        ("content_tier", "locked", "paywalled", True),
        ("twitter:title", "Dam opens", "title", "Dam opens"),
    ],
)
def test_meta_elements(name: str, value: str, field: str, expected: Any) -> None:
    found = read(f'<meta name="{name}" content="{value}">')
    assert (getattr(found, field), found.origins[field]) == (expected, "meta")


@pytest.mark.parametrize(
    "name", ["article:expiration_time", "expires", "unpublish_date", "og:event:start_time", "validThrough"]
)
def test_expiry_and_event_dates_are_not_publication_dates(name: str) -> None:
    assert read(f'<meta property="{name}" content="2024-05-03T08:15:00Z">').published is None


def test_sources_in_order_of_belief() -> None:
    entry = Entry(URL, summary="From feed")
    heads = [
        linked(description="From JSON-LD"),
        meta(og__description="From OpenGraph"),
        MICRODATA,
        '<meta name="dc.description" content="From meta">',
    ]
    expected = ["From JSON-LD", "From OpenGraph", "After six years.", "From meta", "From feed"]
    for start, summary in enumerate(expected):
        found = read("".join(heads[start:]), entry=entry)
        assert (found.summary, found.origins["summary"]) == (summary, ORDER["summary"][start + 1])


def test_unusable_values_pass_the_turn_on() -> None:
    head = linked(
        datePublished="2099-01-01", author="https://x.example/ann", image="data:image/png;base64,x", headline=""
    )
    found = read(head + OPENGRAPH)
    assert (found.published, found.authors, found.image, found.title) == tuple(
        READ[name] for name in ("published", "authors", "image", "title")
    )
    assert {found.origins[name] for name in ("published", "authors", "image", "title")} == {"opengraph"}


@pytest.mark.parametrize(
    "url", ["/img/logo.png", "/img/site-logo_2x.jpg", "/placeholder.jpg", "/a/default-image.png", "/icons/x.svg"]
)
def test_furniture_is_no_image(url: str) -> None:
    found = read(linked(image=url) + meta(og__image="/dam.jpg"))
    assert (found.image, found.origins["image"]) == ("http://zarya.example/dam.jpg", "opengraph")
    assert read(meta(og__image="/logos/2024/dam.jpg")).image == "http://zarya.example/logos/2024/dam.jpg"


def test_image_of_a_link() -> None:
    assert read('<link rel="image_src" href="/dam.jpg">').image == "http://zarya.example/dam.jpg"


def test_tags_are_cleaned() -> None:
    head = linked(keywords=["topic/dams", "sections/world", "Zarya", "a line of words " * 10, "dams"])
    assert read(head + meta(og__site_name="Zarya")).tags == ("dams", "world")


def test_tags_of_links_unless_they_are_a_cloud() -> None:
    links = '<a rel="tag" href="/t">dams</a><a rel="category tag">floods</a>'
    assert read(title=f"Dam</h1>{links}<h1>").tags == ("dams", "floods")
    assert read(title=f"Dam</h1>{links * 10}<h1>").tags == ()


# dates


def test_zone_of_the_site_for_dates_without_one() -> None:
    head = meta(article__published_time="2024-05-03T08:15:00")
    assert read(head, time_zone="Asia/Vladivostok").published == datetime(2024, 5, 2, 22, 15, tzinfo=UTC)
    assert read(head).published == datetime(2024, 5, 3, 8, 15, tzinfo=UTC)


def test_relative_dates_by_rule_language_and_time_of_fetch() -> None:
    body = f"<html lang='ru'><body><i class='d'>вчера, 15:30</i><article><p>{'Плотина открыта. ' * 40}</p></article>"
    found = extract(
        page(body, fetched_at=NOW), rules=rules({**TEXT, "published": ["//i[@class='d']"]}, time_zone="Europe/Moscow")
    )
    assert (found.published, found.origins["published"]) == (datetime(2024, 5, 9, 12, 30, tzinfo=UTC), "rule:1")


@pytest.mark.parametrize(
    ("url", "times", "expected", "origin"),
    [
        ("http://a.example/2024/05/03/dam", "", datetime(2024, 5, 3, tzinfo=UTC), "url"),
        ("http://a.example/2024-05-03/dam", "", datetime(2024, 5, 3, tzinfo=UTC), "url"),
        ("http://a.example/20240503/dam", "", datetime(2024, 5, 3, tzinfo=UTC), "url"),
        ("http://a.example/2024/5/3/", "", datetime(2024, 5, 3, tzinfo=UTC), "url"),
        ("http://a.example/2099/05/03/dam", "", None, None),
        ("http://a.example/dam-2024050312345", "", None, None),
        ("http://a.example/dam", "<time>14:20</time>", None, None),
        (
            "http://a.example/dam",
            "<time datetime='2024-05-03T08:15Z'>",
            datetime(2024, 5, 3, 8, 15, tzinfo=UTC),
            "html",
        ),
        (
            "http://a.example/2024/05/03/x",
            "<time datetime='2024-05-03T08:15Z'>",
            datetime(2024, 5, 3, 8, 15, tzinfo=UTC),
            "html",
        ),
        (
            "http://a.example/2024/05/03/x",
            "<time datetime='2024-05-09T08:15Z'>",
            datetime(2024, 5, 3, tzinfo=UTC),
            "url",
        ),
    ],
)
def test_dates_of_markup_and_address(url: str, times: str, expected: datetime | None, origin: str | None) -> None:
    found = read(times, url=url)
    assert (found.published, found.origins.get("published")) == (expected, origin)


# language


@pytest.mark.parametrize(
    ("lang", "head", "text", "site", "expected"),
    [
        ("ru-RU", "", "Плотина открыта. ", None, ("ru", "html")),
        ("zh-Hant-TW", "", "水庫今天啟用。", None, ("zh", "html")),
        ("ua", "", "Греблю відкрито. ", None, ("uk", "html")),
        ("en", meta(og__locale="ru_RU"), "Плотина открыта. ", None, ("ru", "opengraph")),
        ("en", "", "Плотина открыта. ", "ru", ("ru", "site")),
        ("", "", "Плотина открыта. ", "ru", ("ru", "site")),
        ("", '<meta http-equiv="Content-Language" content="de">', "Der Damm ist offen. ", None, ("de", "meta")),
        ("ru", "", "NASA, SpaceX и Boeing: плотина. ", None, ("ru", "html")),
        ("en", "", "Плотина открыта. ", None, ("ru", "text")),
        ("en-US", "", "Der Damm ist nicht von den Leuten der Stadt und auch nicht für sie. ", None, ("de", "text")),
        ("la", "", "Arma virumque cano, Troiae qui primus ab oris. ", None, ("la", "html")),
        ("", "", "Arma virumque cano, Troiae qui primus ab oris. ", None, (None, None)),
    ],
)
def test_language(lang: str, head: str, text: str, site: str | None, expected: tuple[str | None, str | None]) -> None:
    body = article(text * 40, head=head, title="").replace("<html>", f'<html lang="{lang}">')
    found = extract(page(body), rules=rules(TEXT, language=site))
    assert (found.language, found.origins.get("language")) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The dam above the town is open and it was not easy for the people of the town. ", "en"),
        ("Der Damm ist offen, und das ist nicht leicht für die Leute. ", "de"),
        ("Le barrage est ouvert et ce ne fut pas facile pour les gens de la ville qui sont dans le sud. ", "fr"),
        ("La presa que está en el sur no fue fácil para los que la hicieron con las manos. ", "es"),
        ("La diga non è stata facile per la gente che vive nella città e anche per gli altri del sud. ", "it"),
        ("A barragem não foi fácil para os que a fizeram com as mãos, mais do que uma em dois. ", "pt"),
        ("Zapora jest otwarta i nie było to łatwe dla ludzi, którzy się z tego cieszą na co dzień. ", "pl"),
        ("Плотина открыта, это было нелегко. Мэр рад. ", "ru"),
        ("Греблю відкрито, це було нелегко, її збудували. ", "uk"),
        ("Язовирът е открит, това беше трудно, първият път. ", "bg"),
        ("Το φράγμα άνοιξε. ", "el"),
        ("水庫今天啟用。", "zh"),
        ("ダムが今日開いた。", "ja"),
        ("댐이 오늘 열렸다.", "ko"),
        ("السد مفتوح اليوم", "ar"),
        ("סכר נפתח היום", "he"),
        ("Dam", None),
        ("", None),
    ],
)
def test_guess_at_the_language(text: str, language: str | None) -> None:
    assert guess_language(text * (3 if text else 1)) == language


def test_languages_and_scripts() -> None:
    assert can_be("sr", "Београд")
    assert can_be("sr", "Beograd")
    assert not can_be("ja", "Beograd " * 20)
    assert can_be("tlh", "anything")


# paywall flag


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (linked(headline="x", isAccessibleForFree=False), True),
        (linked(headline="x", isAccessibleForFree="False"), True),
        (linked(headline="x", isAccessibleForFree="http://schema.org/False"), True),
        (linked(headline="x", isAccessibleForFree=True), False),
        (linked(headline="x", isAccessibleForFree=True, hasPart={"isAccessibleForFree": "False"}), True),
        (meta(article__content_tier="locked"), True),
        (meta(article__content_tier="free"), False),
        (meta(article__content_tier="metered"), None),
        ("", None),
    ],
)
def test_paywall_flag(head: str, expected: bool | None) -> None:
    assert read(head).paywalled is expected


def test_real_pages_have_the_title_and_day_of_their_gold(shared_data: Path) -> None:
    titles, days = [], []
    for fetched, line in real_pages(shared_data):
        found = extract(fetched)
        if line.get("gold_title") and "vc.ru" not in fetched.url:  # its gold is the title with author and site name
            titles.append(found.title == " ".join(line["gold_title"].split()))
        if line.get("date"):
            days.append(
                found.published and abs(found.published.date() - datetime.fromisoformat(line["date"]).date()).days <= 1
            )
    assert sum(titles) >= 0.97 * len(titles) > 50
    assert sum(map(bool, days)) >= 0.99 * len(days) > 100
