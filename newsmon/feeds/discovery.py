"""Which feeds and sitemaps a site has.

:func:`discover` is the whole search without the network: a generator that yields the addresses it wants to see, is sent
the answers, and returns what it found::

    page ── <link rel=alternate>, anchors ──┐
    robots.txt ── Sitemap lines ────────────┼── candidates ── fetch ──┬── a feed or sitemap: found
    usual paths, when these give nothing ───┘        ▲                ├── an index: found, and its news sitemaps ──┐
                                                     │                └── a page that lists feeds: its links ──────┤
                                                     └─────────────────────────────────────────────────────────────┘

A candidate counts only when what it answers is a feed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from protego import Protego

from newsmon.encoding import decode
from newsmon.feeds.pagelinks import FeedLink, Source, discover_in_page
from newsmon.feeds.parse import parse_feed
from newsmon.model import FeedDocument, FeedState

__all__ = ["Answer", "FeedLink", "FoundFeed", "Source", "discover"]
__all__ += ["discover_in_page", "sitemaps_in_robots", "usual_paths"]

MAX_REQUESTS = 60
MAX_NEWS_CHILDREN = 3
"""Sitemaps of one index that are looked into."""

USUAL_FEEDS = (
    *("feed", "rss", "rss.xml", "feed.xml", "atom.xml"),
    *("index.xml", "index.rdf", "feed.json", "feeds", "rss/news"),
)
USUAL_SITEMAPS = (
    *("news-sitemap.xml", "sitemap-news.xml", "sitemap_news.xml"),
    *("sitemap.xml", "sitemap_index.xml", "sitemap.xml.gz"),
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answered.

    :param url: the address after redirects.
    """

    url: str
    body: bytes
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class FoundFeed:
    """A feed or sitemap that exists.

    :param kind: as in :class:`newsmon.model.FeedDocument`.
    :param entries: how many entries it holds; sitemaps, for an index.
    :param has_news: whether its entries have titles, so that it can be polled like a feed; a sitemap without them
        serves the search of past articles.
    """

    url: str
    kind: str
    title: str | None
    entries: int
    has_news: bool
    source: Source


Search = Generator[str, Answer | None, list[FoundFeed]]


def sitemaps_in_robots(text: str) -> list[str]:
    """Absolute addresses of the Sitemap lines of a robots.txt, each once.

    >>> sitemaps_in_robots("User-agent: *\\nSitemap: http://zarya.example/map.xml\\nSITEMAP: /relative.xml")
    ['http://zarya.example/map.xml']
    """
    return [url for url in dict.fromkeys(Protego.parse(text).sitemaps) if url.startswith(("http://", "https://"))]


def usual_paths(url: str) -> list[str]:
    """Where sites keep feeds and sitemaps: below the section a page is in, then at the root.

    >>> usual_paths("http://zarya.example/")[:2], usual_paths("http://zarya.example/blog/")[0]
    (['http://zarya.example/feed', 'http://zarya.example/rss'], 'http://zarya.example/blog/feed')
    """
    return [*_below_and_root(url, USUAL_FEEDS), *_at_root(url, USUAL_SITEMAPS)]


def discover(url: str) -> Search:
    """Search a site for feeds, beginning at a page of it, or at a feed.

    Yields addresses to fetch; is sent an :class:`Answer`, or None when there is none (404, refused, no connection).
    Returns what was found, in the order of belief.

    >>> search = discover("http://zarya.example/rss.xml")
    >>> next(search)
    'http://zarya.example/rss.xml'
    >>> feed = b"<rss><channel><title>Zarya</title><item><title>Dam</title><link>/1</link></item></channel></rss>"
    >>> try:
    ...     search.send(Answer("http://zarya.example/rss.xml", feed))
    ... except StopIteration as end:
    ...     print(end.value[0].kind, end.value[0].title, end.value[0].has_news)
    rss Zarya True
    """
    collection = _Collection()
    page = yield url
    collection.visited.add(url)
    if page is not None and (yield from collection.look_into(page, Source.ITSELF)):
        return collection.found
    start = page.url if page else url
    links = discover_in_page(decode(page.body, page.content_type).text, start) if page else []
    robots = yield urljoin(start, "/robots.txt")
    sitemaps = sitemaps_in_robots(robots.body.decode("utf-8", "replace")) if robots else []
    yield from collection.try_all([*links, *(FeedLink(address, source=Source.ROBOTS) for address in sitemaps)])
    if not any(feed.has_news for feed in collection.found):
        yield from collection.try_all(_guesses(_below_and_root(start, USUAL_FEEDS)), until_found=True)
    if not any(feed.kind.startswith("sitemap") for feed in collection.found):
        yield from collection.try_all(_guesses(_at_root(start, USUAL_SITEMAPS)))
    return collection.found


class _Collection:
    """What a search has seen and found."""

    def __init__(self) -> None:
        self.found: list[FoundFeed] = []
        self.visited: set[str] = set()
        self._contents: set[tuple[str, ...]] = set()

    def try_all(self, links: list[FeedLink], *, until_found: bool = False) -> Generator[str, Answer | None, None]:
        """Fetch the candidates and the links of pages that list feeds."""
        queue = deque((link, True) for link in links)
        while queue and len(self.visited) < MAX_REQUESTS:
            link, may_list = queue.popleft()
            if link.url in self.visited:
                continue
            self.visited.add(link.url)
            answer = yield link.url
            if answer is None:
                continue
            if (yield from self.look_into(answer, link.source)):
                if until_found:
                    return
            elif may_list and link.source is Source.ANCHOR:
                page = decode(answer.body, answer.content_type).text
                queue.extend((listed, False) for listed in discover_in_page(page, answer.url))

    def look_into(self, answer: Answer, source: Source) -> Generator[str, Answer | None, bool]:
        """Note the feed that an answer is, and the news sitemaps of an index; False when it is no feed."""
        document = parse_feed(answer.body, url=answer.url, content_type=answer.content_type)
        if document.state in (FeedState.HTML, FeedState.UNREADABLE):
            return False
        self._note(document, answer.url, source)
        news = [child for child in document.children if "news" in urlsplit(child).path.lower()]
        for child in news[:MAX_NEWS_CHILDREN]:
            if child not in self.visited and len(self.visited) < MAX_REQUESTS:
                self.visited.add(child)
                answered = yield child
                if answered is not None:
                    yield from self.look_into(answered, Source.INDEX)
        return True

    def _note(self, document: FeedDocument, url: str, source: Source) -> None:
        """Add a feed, unless the same feed was found at another address."""
        content = (document.kind, *document.children, *(entry.url for entry in document.entries))
        address = ("address", url)
        if address in self._contents or (len(content) > 1 and content in self._contents):
            return
        self._contents |= {content, address}
        self.found.append(
            FoundFeed(
                url=url,
                kind=document.kind,
                title=document.title,
                entries=len(document.entries or document.children),
                has_news=any(entry.title for entry in document.entries),
                source=source,
            )
        )


def _guesses(urls: list[str]) -> list[FeedLink]:
    return [FeedLink(url, source=Source.USUAL_PATH) for url in urls]


def _at_root(url: str, names: tuple[str, ...]) -> list[str]:
    return [urljoin(url, "/" + name) for name in names]


def _below_and_root(url: str, names: tuple[str, ...]) -> list[str]:
    folder = urlsplit(url).path.rpartition("/")[0]
    below = [urljoin(url, f"{folder}/{name}") for name in names[:3]] if folder else []
    return [*below, *_at_root(url, names)]
