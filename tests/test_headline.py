"""The headline chosen between the heading, the titles for machines, and the page's title with its site's name."""

from __future__ import annotations

import pytest
from lxml import html

from newsmon.extraction.headline import article_heading, choose_headline, find_heading
from tests.pages import linked, meta, read

SITE = ["The Post", "www.post.example"]


@pytest.mark.parametrize(
    ("stated", "headings", "expected"),
    [
        ({"title": "Dam opens"}, [], ("Dam opens", "title")),
        ({"title": "Dam opens - World - The Post"}, ["Dam opens"], ("Dam opens", "heading")),
        ({"opengraph": "Dam opens | The Post", "title": "Dam opens | The Post"}, [], ("Dam opens", "opengraph")),
        # readers' words against a title for search engines, alone and agreed upon
        ({"json-ld": "Where is all that water?"}, ["Dam opens after years"], ("Where is all that water?", "json-ld")),
        ({"json-ld": "New dam opens: where it is"}, ["The dam opens at last"], ("The dam opens at last", "heading")),
        (
            {"json-ld": "Dam opens in the old town", "opengraph": "Dam opens in the old town", "title": "Dam opens"},
            ["Town's dam opens"],
            ("Dam opens in the old town", "opengraph"),
        ),
        # the site's menu and brand are headings too
        ({"opengraph": "Dam opens"}, ["Log in", "The Post", "Dam opens"], ("Dam opens", "heading")),
        ({"opengraph": "Dam opens"}, ["Football"], ("Dam opens", "opengraph")),
        # a kicker in front
        ({"opengraph": "Dam opens"}, ["Opinion | Dam opens"], ("Dam opens", "heading")),
        ({"opengraph": "Dam opens"}, ["World Dam opens"], ("Dam opens", "heading")),
        ({"opengraph": "Dam opens"}, ["Why the Dam opens"], ("Why the Dam opens", "heading")),
        # cut off for machines
        ({"json-ld": "The new dam above the old town op..."}, ["The new dam above the old town opens"],
         ("The new dam above the old town opens", "heading")),
        # boxes leave a space, quotation marks differ
        ({"opengraph": "Dam: it opens"}, ["Dam : it opens"], ("Dam: it opens", "heading")),
        ({"opengraph": "'Dam' opens"}, ["‘Dam’ opens"], ("‘Dam’ opens", "heading")),
        ({"title": "水库今天启用_新闻_晨报", "opengraph": "水库今天启用"}, [], ("水库今天启用", "opengraph")),
        ({}, [], None),
        ({"title": "The Post"}, [], None),
        ({"title": "x" * 600}, ["y" * 600], None),
    ],
)  # fmt: skip
def test_choice(stated: dict[str, str], headings: list[str], expected: tuple[str, str] | None) -> None:
    assert choose_headline(stated, headings, SITE, kickers=["World"]) == expected


def test_heading_of_the_article_among_others() -> None:
    assert article_heading(["Sport", "Dam opens"], ["Dam opens at last"]) == "Dam opens"
    assert article_heading(["Anything"], []) == "Anything"
    assert article_heading(["Subscribe now"], ["Dam opens"]) is None
    assert article_heading(["水库昨天启用", "今日新闻"], ["水库昨天启用了 - 晨报"]) == "水库昨天启用"


def test_headline_that_is_no_h1() -> None:
    page = (
        "<title>Dam opens today - Post</title><a>Dam opens today</a><td><b>Dam opens today</b><td>Dam opens today, all"
    )
    tree = html.document_fromstring(page)
    found = find_heading(tree, "Dam opens today - Post")
    assert found is not None
    assert found.tag == "b"
    assert find_heading(tree, 'A "quoted" title') is None
    assert find_heading(tree, "Dam") is None


def test_kickers_of_a_page() -> None:
    found = read(meta(og__title="Dam opens"), title="<span>World</span> <b>Dam opens</b>")
    assert found.title == "Dam opens"


def test_the_origin_is_named() -> None:
    found = read(linked(headline="Dam opens") + meta(og__title="Dam opens"), title="")
    assert (found.title, found.origins["title"]) == ("Dam opens", "opengraph")
    found = read(meta(og__title="Dam opens"), title="Dam opens")
    assert (found.title, found.origins["title"]) == ("Dam opens", "html")
