"""Which canonical address is believed."""

from __future__ import annotations

import pytest

from newsmon.extraction import extract
from newsmon.extraction.canonical import same_site, trusted_canonical
from newsmon.extraction.metadata import canonical_link
from tests.pages import URL, article, linked, meta, page, read

PAGE = "https://www.news.example/2024/05/03/dam"


@pytest.mark.parametrize(
    ("url", "stated", "expected"),
    [
        pytest.param(PAGE, PAGE, PAGE, id="itself"),
        pytest.param(PAGE + "?utm_source=x", PAGE, PAGE, id="without tracking"),
        pytest.param("https://m.news.example/2024/05/03/dam", PAGE, PAGE, id="mobile host"),
        pytest.param("https://amp.news.example/2024/05/03/dam", PAGE, PAGE, id="AMP host"),
        pytest.param(PAGE + "/amp/", PAGE, PAGE, id="AMP path"),
        pytest.param(PAGE + "/page/2", PAGE, PAGE, id="second page"),
        pytest.param(PAGE, "/2024/05/03/dam-opens", "https://www.news.example/2024/05/03/dam-opens", id="relative"),
        pytest.param(PAGE, "//news.example/a", "https://news.example/a", id="without scheme"),
        pytest.param(PAGE, PAGE + "#top", PAGE, id="fragment"),
        pytest.param(PAGE, PAGE + "?utm_source=x&fbclid=y", PAGE, id="tracking in the canonical itself"),
        pytest.param(PAGE, "https://user@www.news.example/dam", None, id="user name"),
        pytest.param(PAGE, "https://city.news.example/dam", "https://city.news.example/dam", id="subdomain"),
        pytest.param(PAGE, "https://www.news.example/?p=5", "https://www.news.example/?p=5", id="query address"),
        pytest.param(PAGE, "https://other.example/dam", None, id="another site"),
        pytest.param(PAGE, "https://badnews.example/dam", None, id="a name that only ends alike"),
        pytest.param(PAGE, "https://www.news.example/", None, id="front page"),
        pytest.param("https://news.example/?p=5", "https://news.example/", None, id="front page of a query address"),
        pytest.param(PAGE, "https://www.news.example/2024/05", None, id="a folder above"),
        pytest.param("https://news.example/city/12345", "https://news.example/city", None, id="its section"),
        pytest.param(PAGE, "javascript:void(0)", None, id="no http address"),
        pytest.param(PAGE, "http://[broken", None, id="no address"),
    ],
)
def test_canonical(url: str, stated: str, expected: str | None) -> None:
    assert trusted_canonical(url, [stated]) == expected


def test_canonical_on_another_site_needs_the_articles_confirmation() -> None:
    other = "https://agency.example/dam"
    head = f'<link rel="canonical" href="{other}">'
    assert read(head).canonical_url is None
    assert read(head + linked(headline="x", url="https://third.example/")).canonical_url is None
    confirmed = read(head + linked(headline="x", mainEntityOfPage=other))
    assert (confirmed.canonical_url, confirmed.origins["canonical_url"]) == (other, "html")


def test_contradicting_canonicals_are_not_believed_and_og_url_stands_in() -> None:
    first, second = URL + "-1", URL + "-2"
    assert read(f'<link rel="canonical" href="{first}"><link rel="canonical" href="{second}">').canonical_url is None
    found = read(meta(og__url=first))
    assert (found.canonical_url, found.origins["canonical_url"]) == (first, "opengraph")
    assert read(meta(og__url=first) + f'<link rel="canonical" href="{second}">').canonical_url == second


def test_canonical_link_is_the_extracts() -> None:
    for head in (
        "",
        f'<link rel="canonical" href="{URL}-1">',
        meta(og__url=URL + "-2"),
        meta(og__url="http://x.example/"),
    ):
        fetched = page(article(head=head))
        assert canonical_link(fetched) == extract(fetched).canonical_url
    assert canonical_link(page("")) is None


def test_same_site() -> None:
    assert same_site("https://www.a.example/x", "http://m.a.example/")
    assert not same_site("https://a.example", "https://b.example")
