"""The feeds of a site: from its pages, robots.txt, usual paths and sitemap indexes; none where there are none."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsmon.feeds.discovery import (
    MAX_REQUESTS,
    Answer,
    FeedLink,
    FoundFeed,
    Source,
    discover,
    discover_in_page,
    sitemaps_in_robots,
    usual_paths,
)

HOME = "http://zarya.example/"
RSS = b"<rss version='2.0'><channel><title>Zarya</title><item><title>A</title><link>/1</link></item></channel></rss>"
ATOM = (
    b"<feed xmlns='http://www.w3.org/2005/Atom'><title>Z</title><entry><title>A</title><link href='/1'/></entry></feed>"
)
JSON = b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "/2", "title": "A"}]}'
SITEMAP = b"<urlset><url><loc>http://zarya.example/old/1</loc></url></urlset>"
NEWS = (
    b"<urlset xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'><url><loc>http://zarya.example/9</loc>"
    b"<n:news><n:title>A</n:title></n:news></url></urlset>"
)
PAGE = b"<!doctype html><title>Zarya</title><a href='/feedback'>Feedback</a><a href='/about'>About our feed</a>"


def index(*children: str) -> bytes:
    return b"<sitemapindex>%s</sitemapindex>" % b"".join(
        b"<sitemap><loc>%s</loc></sitemap>" % child.encode() for child in children
    )


def search(web: dict[str, bytes], start: str = HOME) -> tuple[list[FoundFeed], list[str]]:
    """Run a search on a small web; what it found, and what it asked for."""
    asked: list[str] = []
    steps = discover(start)
    try:
        url = next(steps)
        while True:
            asked.append(url)
            path = url.removeprefix("http://zarya.example")
            url = steps.send(Answer(url, web[path]) if path in web else None)
    except StopIteration as end:
        return end.value, asked


# page variants: (head and body of a page, the exact addresses it names)
TYPE = "application/rss+xml"
VARIANTS: dict[str, tuple[str, list[str]]] = {
    "link rel": (f'<link rel="alternate" type="{TYPE}" href="/rss.xml">', ["/rss.xml"]),
    "three types": (
        f'<link rel=alternate type={TYPE} href=a><link rel=alternate type="application/atom+xml; charset=utf-8" href=b>'
        '<link rel="ALTERNATE" type="application/feed+json" href=c>',
        ["/a", "/b", "/c"],
    ),
    "vague type": (
        '<link rel="alternate" type="text/xml" href="/news.xml" title="RSS">'
        '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/1">'
        '<link rel="alternate" type="application/json+oembed" href="/oembed?url=rss">',
        ["/news.xml"],
    ),
    "base": (f'<base href="http://zarya.example/de/"><link rel=alternate type={TYPE} href=rss>', ["/de/rss"]),
    "feed scheme": (
        f'<link rel=alternate type={TYPE} href="feed://zarya.example/a"><link rel=alternate type={TYPE} '
        'href="feed:http://zarya.example/b">',
        ["/a", "/b"],
    ),
    "twice": (f'<link rel=alternate type={TYPE} href="/rss"><a href="/rss#x">RSS</a>', ["/rss"]),
    "comments last": (
        f'<link rel=alternate type={TYPE} href="/comments/feed/"><link rel=alternate type={TYPE} href="/feed/">',
        ["/feed/", "/comments/feed/"],
    ),
    "anchors by path": (
        '<a href="/rss">News</a><a href="/feed/">x</a><a href="/export/rss2_full.xml">y</a><a href="/news.rdf">z</a>'
        '<a href="/rss/politics.xml">p</a><a href="/?feed=rss2">w</a><a href="/feed.json">j</a>',
        ["/rss", "/feed/", "/export/rss2_full.xml", "/news.rdf", "/rss/politics.xml", "/?feed=rss2", "/feed.json"],
    ),
    "anchor by name": (
        '<a href="/export/all"><img alt=""> RSS </a><a href="/lenta">RSS-лента</a>',
        ["/export/all", "/lenta"],
    ),
    "anchors that are no feeds": (
        '<a href="/feedback">f</a><a href="/rss.png">i</a><a href="/what-is-rss.html">What is RSS?</a>'
        '<a href="http://other.example.org/rss.xml">RSS</a><a href="javascript:rss()">RSS</a><a>RSS</a>'
        '<a href="https://feedly.com/i/subscription/feed/http%3A%2F%2Fzarya.example%2Frss.xml">feedly</a>',
        [],
    ),
    "other languages of the page": ('<link rel="alternate" hreflang="de" href="/de/">', []),
    "declared before linked": (f'<a href="/rss">RSS</a><link rel=alternate type={TYPE} href="/z">', ["/z", "/rss"]),
    "a page without": ("<p>Nothing here", []),
    "nothing": ("", []),
    "only a comment": ("<!-- x -->", []),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_page_names_exactly_these_feeds(name: str) -> None:
    page, expected = VARIANTS[name]
    assert [link.url for link in discover_in_page(page, HOME)] == ["http://zarya.example" + path for path in expected]


def test_links_have_title_and_source() -> None:
    page = f'<link rel=alternate type={TYPE} href="/a" title=" All\nnews "><a href="/rss">RSS</a>'
    assert discover_in_page(page, HOME) == [
        FeedLink(HOME + "a", "All news", Source.LINK),
        FeedLink(HOME + "rss", "RSS", Source.ANCHOR),
    ]


def test_feeds_on_a_host_for_feeds_belong_to_the_site() -> None:
    page = '<a href="http://feeds.feedburner.com/zarya">x</a><a href="http://rss.zarya.example/all.xml">RSS</a>'
    assert len(discover_in_page(page, "http://www.zarya.example/")) == 1  # nothing in the first address says feed
    page = '<a href="http://feeds.feedburner.com/zarya">RSS</a>'
    assert len(discover_in_page(page, "http://www.zarya.example/")) == 1


@given(st.text(max_size=200), st.sampled_from([HOME, "http://[", "", "x"]))
@settings(max_examples=80)
def test_any_page_can_be_looked_at(text: str, url: str) -> None:
    discover_in_page(f"<a href='{text}'>RSS</a><link rel=alternate type={TYPE} href='{text}'>" + text, url)


# robots.txt and usual paths


def test_sitemaps_in_robots() -> None:
    text = (
        "\ufeffUser-agent: *\nDisallow: /x\nsitemap:http://zarya.example/a.xml # main\nSITEMAP : http://zarya.example/b.xml\n"
        "Sitemap: http://zarya.example/a.xml\nSitemap: /relative.xml\nSitemap: javascript:x\nSitemap:\n"
    )
    assert sitemaps_in_robots(text) == ["http://zarya.example/a.xml", "http://zarya.example/b.xml"]
    assert sitemaps_in_robots("<html>Not found</html>") == []


def test_usual_paths_are_distinct_and_on_the_host() -> None:
    for url in (HOME, "http://zarya.example", "http://zarya.example/blog/2024/x.html?y#z"):
        paths = usual_paths(url)
        assert len(paths) == len(set(paths)) > 10
        assert all(path.startswith(HOME) for path in paths)
        assert {HOME + "feed", HOME + "rss.xml", HOME + "sitemap.xml"} <= set(paths)


# the whole search: (what the site has, the exact feeds found)
SITES: dict[str, tuple[dict[str, bytes], list[tuple[str, str, Source]]]] = {
    "nothing at all": ({}, []),
    "a page and nothing else": ({"/": PAGE}, []),
    "the address is the feed": ({"/": ATOM}, [("/", "atom", Source.ITSELF)]),
    "link rel": (
        {"/": f"<link rel=alternate type={TYPE} href=/a>".encode(), "/a": RSS, "/feed": ATOM},
        [("/a", "rss", Source.LINK)],
    ),
    "a link that leads nowhere": (
        {"/": f"<link rel=alternate type={TYPE} href=/gone>".encode(), "/rss": RSS},
        [("/rss", "rss", Source.USUAL_PATH)],
    ),
    "anchor": ({"/": b"<a href=/rss.xml>RSS</a>", "/rss.xml": RSS}, [("/rss.xml", "rss", Source.ANCHOR)]),
    "a page that lists feeds": (
        {"/": b"<a href=/rss/>RSS</a>", "/rss/": b"<a href=/rss/a.xml>A</a><a href=/rss/b.json>B</a>"}
        | {"/rss/a.xml": RSS, "/rss/b.json": JSON},
        [("/rss/a.xml", "rss", Source.ANCHOR), ("/rss/b.json", "json", Source.ANCHOR)],
    ),
    "usual path, the first that answers": (
        {"/": PAGE, "/feed.xml": RSS, "/atom.xml": ATOM},
        [("/feed.xml", "rss", Source.USUAL_PATH)],
    ),
    "robots.txt": (
        {"/": PAGE, "/robots.txt": b"Sitemap: http://zarya.example/m.xml", "/m.xml": NEWS},
        [("/m.xml", "sitemap", Source.ROBOTS)],
    ),
    "gzipped index with a news sitemap": (
        {"/": PAGE, "/robots.txt": b"Sitemap: http://zarya.example/i.xml.gz"}
        | {"/i.xml.gz": gzip.compress(index("/2023.xml.gz", "/news.xml.gz")), "/news.xml.gz": gzip.compress(NEWS)},
        [("/i.xml.gz", "sitemapindex", Source.ROBOTS), ("/news.xml.gz", "sitemap", Source.INDEX)],
    ),
    "feed and sitemap": (
        {"/": b"<a href=/rss>RSS</a>", "/rss": RSS, "/sitemap.xml": SITEMAP},
        [("/rss", "rss", Source.ANCHOR), ("/sitemap.xml", "sitemap", Source.USUAL_PATH)],
    ),
    "one feed at two addresses": (
        {"/": b"<a href=/rss>RSS</a><a href=/feed>RSS</a>", "/rss": RSS, "/feed": RSS},
        [("/rss", "rss", Source.ANCHOR)],
    ),
    "an HTML page for everything": (
        {"/": PAGE, "/feed": PAGE, "/rss": PAGE, "/sitemap.xml": PAGE, "/robots.txt": PAGE},
        [],
    ),
    "an index that names itself": (
        {"/": PAGE, "/sitemap.xml": index("/sitemap.xml", "/news-a.xml"), "/news-a.xml": index("/sitemap.xml")},
        [("/sitemap.xml", "sitemapindex", Source.USUAL_PATH), ("/news-a.xml", "sitemapindex", Source.INDEX)],
    ),
}


@pytest.mark.parametrize("name", SITES)
def test_search_finds_exactly_these_feeds(name: str) -> None:
    web, expected = SITES[name]
    found, asked = search(web)
    assert [(feed.url.removeprefix("http://zarya.example"), feed.kind, feed.source) for feed in found] == expected
    assert len(asked) == len(set(asked)), "no address is asked for twice"


def test_found_feed_says_what_it_holds() -> None:
    found, _ = search({"/": b"<a href=/rss>RSS</a>", "/rss": RSS, "/sitemap.xml": SITEMAP})
    assert [(feed.title, feed.entries, feed.has_news) for feed in found] == [("Zarya", 1, True), (None, 1, False)]


def test_search_ends_on_a_site_without_end() -> None:
    """Every sitemap is an index of three more, a thousand levels deep."""

    class Endless(dict[str, bytes]):
        def __contains__(self, path: object) -> bool:
            return True

        def __missing__(self, path: str) -> bytes:
            return index(*(f"{path.rstrip('/')}/news{number}" for number in range(3)))

    found, asked = search(Endless())
    assert len(asked) <= MAX_REQUESTS + 1
    assert found[0].kind == "sitemapindex"
