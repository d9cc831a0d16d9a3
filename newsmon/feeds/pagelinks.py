"""The feeds that an HTML page links to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lxml import etree, html

from newsmon.feeds.xmllinks import resolve
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Source(StrEnum):
    """Where a feed's address was found, in the order of belief."""

    ITSELF = "itself"  # the address asked for
    LINK = "link"  # <link rel="alternate">
    ANCHOR = "anchor"  # <a href>
    ROBOTS = "robots"  # Sitemap line of robots.txt
    INDEX = "index"  # sitemap index
    USUAL_PATH = "usual path"


@dataclass(frozen=True, slots=True)
class FeedLink:
    """An address that may be a feed."""

    url: str
    title: str | None = None
    source: Source = Source.LINK


_FEED_TYPE = re.compile(r"application/(?:x-)?(?:rss|atom|rdf)\+xml|text/(?:x-)?rss(?:\+xml)?|application/feed\+json")
_VAGUE_TYPE = re.compile(r"(?:application|text)/(?:xml|json)")
_FEED_WORD = re.compile(r"\b(?:rss|atom|feed|rdf)", re.IGNORECASE)
_FEED_PATH = re.compile(
    r"/(?:rss|feed|atom|rdf)(?:[12](?:\.0)?|0\.9\d?)?/?$"
    r"|\.(?:rss|rdf|atom)$"
    r"|/(?:[^/]*[-_.])?(?:rss|feed|atom|rdf)\d?(?:[-_.][^/]*)?\.(?:xml|json|php|aspx?)$"
    r"|/(?:rss|feeds?|atom)/(?:[^/]+/){0,3}[^/]+\.(?:xml|json)$"
    r"|/(?:rss|feeds?)/[\w-]+/?$",
    re.IGNORECASE,
)
_FEED_QUERY = re.compile(r"(?:^|&)(?:feed|format|type|output|alt)=(?:rss2?|atom|rdf)(?:&|$)", re.IGNORECASE)
_FEED_NAME = re.compile(r"(?:rss|atom)(?:[\s-]*(?:2\.0|1\.0|feeds?|лента|ленты|канал|стрічка))?", re.IGNORECASE)
_FEED_HOST = re.compile(r"(?:feeds?\d?|rss)\.|feeds\.feedburner\.com$")
_COMMENTS = re.compile(r"/comments/feed|comments?[-_]feed|[?&]feed=comments", re.IGNORECASE)


def discover_in_page(page_text: str, url: str) -> list[FeedLink]:
    """Feeds a page names, declared ones first, each address once; feeds of comments come last.

    :param url: address of the page; its ``<base href>`` is heeded.

    >>> page = '<link rel="alternate" type="application/rss+xml" href="/rss.xml" title="News"><a href="/feedback">!</a>'
    >>> discover_in_page(page, "http://zarya.example/")
    [FeedLink(url='http://zarya.example/rss.xml', title='News', source=<Source.LINK: 'link'>)]
    """
    tree = _tree(page_text)
    if tree is None:
        return []
    bases = (resolve(base.get("href"), url) for base in tree.iter("base"))
    base = next(filter(None, bases), url)
    found: dict[str, FeedLink] = {}
    for link in (*_declared(tree, base), *_anchored(tree, base, url)):
        found.setdefault(link.url, link)
    return sorted(found.values(), key=lambda link: _COMMENTS.search(link.url) is not None)


def _tree(page_text: str) -> html.HtmlElement | None:
    parser = html.HTMLParser(encoding="utf-8", no_network=True)
    try:
        return html.document_fromstring(page_text.encode("utf-8", "replace"), parser=parser)
    except etree.LxmlError:  # nothing but white space or comments
        return None


def _declared(tree: html.HtmlElement, base: str) -> Iterator[FeedLink]:
    for link in tree.iter("link"):
        rel = link.get("rel", "").lower().split()
        kind = link.get("type", "").partition(";")[0].strip().lower()
        if ("alternate" in rel or "feed" in rel) and _is_feed_type(link, kind):
            yield from _link(link.get("href"), base, link.get("title"), Source.LINK)


def _is_feed_type(link: html.HtmlElement, kind: str) -> bool:
    if _FEED_TYPE.fullmatch(kind):
        return True
    if _VAGUE_TYPE.fullmatch(kind) or not kind:  # also what WordPress calls its programming interface
        return _FEED_WORD.search(f"{link.get('href')} {link.get('title')}") is not None
    return False


def _anchored(tree: html.HtmlElement, base: str, url: str) -> Iterator[FeedLink]:
    for anchor in tree.iter("a"):
        name = one_line(str(anchor.text_content())[:200])
        for link in _link(anchor.get("href"), base, name, Source.ANCHOR):
            if _is_feed_address(link.url, named=_FEED_NAME.fullmatch(name) is not None, page=url):
                yield link


def _is_feed_address(address: str, *, named: bool, page: str) -> bool:
    parts = urlsplit(address)
    if not (_same_site(parts.netloc, urlsplit(page).netloc) or _FEED_HOST.match(parts.netloc)):
        return False
    return named or any((_FEED_PATH.search(parts.path), _FEED_QUERY.search(parts.query)))


def _same_site(one: str, other: str) -> bool:
    """Whether two hosts share their last two labels: the feeds of other sites are theirs."""
    return one.lower().split(".")[-2:] == other.lower().split(".")[-2:]


def _link(href: str | None, base: str, title: str | None, source: Source) -> Iterable[FeedLink]:
    """The link, when it leads anywhere; ``feed:`` before an address is an old habit."""
    address = resolve((href or "").strip().removeprefix("feed:").partition("#")[0], base)
    return [FeedLink(address, title=one_line(title or "") or None, source=source)] if address else []
