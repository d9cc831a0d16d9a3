"""The records of the news farm: what it answers, what it expects of a crawler, what it was asked.

::

    Site --routes--> Reply (or a function of the Visit) --server--> bytes on the wire, and one Hit in the log
      └--expected--> Expectation: what a correct crawler makes of each address
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from newsmon.errors import NewsmonError

if TYPE_CHECKING:
    from datetime import datetime

HTML = "text/html; charset=utf-8"
OutcomeName = Literal["stored", "not_article", "duplicate", "forbidden", "refused", "gone", "failed"]
Manner = Literal["whole", "drip", "reset"]


class FarmError(NewsmonError):
    """The farm cannot be set up as asked; the text names the folder or file and what it should hold."""


@dataclass(frozen=True)
class Reply:
    """One HTTP answer.

    :param body: the body as the client should see it.
    :param content_type: None sends no such header.
    :param etag: sent as ``ETag``; a request that names it in ``If-None-Match`` gets a 304.
    :param pause: seconds to wait before answering.
    :param manner: ``drip`` sends one byte every 100 ms of a promised megabyte; ``reset`` cuts the connection.
    :param packed: the body compressed with gzip, where that is what is at hand; ``body`` is then ignored.
    :param only_packed: send ``packed`` whatever the client accepts, because unpacking it would be an attack on us.
    """

    body: bytes = b""
    status: int = 200
    content_type: str | None = HTML
    headers: Mapping[str, str] = field(default_factory=dict)
    etag: str | None = None
    pause: float = 0.0
    manner: Manner = "whole"
    packed: bytes | None = None
    only_packed: bool = False

    @cached_property
    def plain(self) -> bytes:
        """The body without content coding."""
        return self.body if self.packed is None else gzip.decompress(self.packed)

    @cached_property
    def gzipped(self) -> bytes:
        """The body with gzip content coding, made once."""
        return gzip.compress(self.body, 6, mtime=0) if self.packed is None else self.packed

    @cached_property
    def wire_headers(self) -> dict[str, str]:
        """Header lines that do not depend on the request."""
        own = {"Content-Type": self.content_type, "ETag": self.etag}
        return {name: value for name, value in own.items() if value} | dict(self.headers)


@dataclass(frozen=True, slots=True)
class Visit:
    """One request, as a reply function sees it.

    :param target: path and query as they were sent.
    :param count: how many times this address was asked for before.
    :param now: the farm's time, aware UTC.
    """

    host: str
    target: str
    headers: Mapping[str, str]
    count: int
    stage: int
    now: datetime


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the request log; ``at`` is monotonic seconds, ``headers`` those a crawler's manners show in."""

    at: float
    host: str
    target: str
    method: str
    headers: Mapping[str, str]
    status: int


Answer = Reply | Callable[[Visit], Reply]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a correct crawler makes of one address that it meets in a feed.

    :param site: the site's domain, as in rule files.
    :param kind: value of :class:`newsmon.model.Kind`; only for pages that are fetched and kept.
    :param paragraphs: exact paragraphs of the article, white space collapsed.
    :param authors: exact names, as the page gives them.
    :param final_url: the address that answers, where that is another one after redirects.
    :param same_as: for duplicates the address whose article this is: one of the two is stored, whichever comes first.
    :param stage: stage of the farm from which on this holds; a later expectation for the same URL replaces it.
    :param revision: 2 when the article was edited since an earlier stage.
    :param backfill: the address stands in the archive sitemaps only, so a crawl of the feeds never meets it.
    :param note: why, for a person.
    """

    url: str
    site: str
    outcome: OutcomeName
    kind: str | None = None
    title: str | None = None
    paragraphs: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    language: str | None = None
    needs_browser: bool = False
    final_url: str | None = None
    same_as: str | None = None
    stage: int = 0
    revision: int = 1
    backfill: bool = False
    note: str = ""

    @property
    def text(self) -> str:
        """The paragraphs, separated by an empty line."""
        return "\n\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class FeedExpectation:
    """What a correct crawler makes of one feed.

    :param state: value of :class:`newsmon.model.FeedState`, or ``forbidden`` when robots.txt cannot be read.
    :param kind: ``rss``, ``rdf``, ``atom``, ``json``, ``sitemap`` or ``sitemapindex``.
    :param links: number of http(s) links it can be read to have.
    """

    url: str
    site: str
    state: str
    kind: str
    links: int
    stage: int = 0
    note: str = ""


def route_key(target: str) -> str:
    """The form of a path and query under which an answer is filed: crawlers may respell percent-encoding.

    >>> route_key("/news/%D1%85?a=1") == route_key("/news/х?a=1")
    True
    """
    return unquote(target)


@dataclass
class Site:
    """One host of the farm (with its other names), what it answers and what is expected.

    :param rules: the site's rule file as plain values, for sites that have none under ``rules/``.
    """

    host: str
    name: str = ""
    language: str = "en"
    aliases: tuple[str, ...] = ()
    expected: list[Expectation] = field(default_factory=list)
    expected_feeds: list[FeedExpectation] = field(default_factory=list)
    rules: Mapping[str, object] | None = None
    _routes: dict[str, list[tuple[int, Answer]]] = field(default_factory=dict, repr=False)

    @property
    def domain(self) -> str:
        """The name under which rule files know the site: the host without ``www.``."""
        return self.host.removeprefix("www.")

    @property
    def hosts(self) -> tuple[str, ...]:
        """All host names that reach the site."""
        return (self.host, *self.aliases)

    @property
    def targets(self) -> tuple[str, ...]:
        """All paths that are answered in some stage."""
        return tuple(self._routes)

    def url(self, target: str, *, host: str | None = None) -> str:
        """The absolute address of a path of this site."""
        return f"http://{host or self.host}{target}"

    def add(self, target: str, answer: Answer, *, stage: int = 0) -> None:
        """Answer a path (with query) so from a stage of the farm on."""
        turns = self._routes.setdefault(route_key(target), [])
        turns.append((stage, answer))
        turns.sort(key=lambda turn: turn[0])

    def answer(self, target: str, stage: int) -> Answer | None:
        """What the site answers now; parameters it does not know are ignored, as real sites do."""
        key = route_key(target)
        for known in (key, key.partition("?")[0]):
            valid = [answer for since, answer in self._routes.get(known, ()) if since <= stage]
            if valid:
                return valid[-1]
        return None
