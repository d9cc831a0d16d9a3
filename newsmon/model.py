"""The records that travel between the stages; frozen, without logic.

::

    FeedDocument --entries--> Entry --> Lease --> Page --> Extract --> Article
                                                    |         |
                                              ArchiveRef   Document (what the item pipelines carry)

All times are timezone-aware UTC unless a field says otherwise; all text is ``str`` without lone surrogates or NUL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from newsmon.page import Page


class FeedState(StrEnum):
    """What a fetched feed body turned out to be."""

    OK = "ok"
    EMPTY = "empty"  # a valid feed without entries
    PARTIAL = "partial"  # cut off: the entries before the cut are good
    HTML = "html"  # an HTML page where a feed should be: an error
    UNREADABLE = "unreadable"  # nothing a feed reader understands: an error


class Kind(StrEnum):
    """What a fetched page is; only ARTICLE is stored as an article."""

    ARTICLE = "article"
    CONSENT = "consent"
    PAYWALL = "paywall"
    CHALLENGE = "challenge"
    LOGIN = "login"
    SOFT_404 = "soft_404"
    VIDEO = "video"
    TICKER = "ticker"
    SECTION = "section"
    SHELL = "shell"  # a JavaScript application without its content
    EMPTY = "empty"  # an article page whose text could not be found
    UNPARSABLE = "unparsable"


class Role(StrEnum):
    """What a paragraph is in its article."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"  # of a list
    QUOTE = "quote"
    ROW = "row"  # of a table, cells joined by " | "
    CODE = "code"
    CAPTION = "caption"  # of an image or a table


class FrontierState(StrEnum):
    """Life of a URL in the frontier."""

    PENDING = "pending"
    LEASED = "leased"
    DONE = "done"


class Outcome(StrEnum):
    """Why a frontier row is DONE."""

    STORED = "stored"
    NOT_ARTICLE = "not_article"  # stored as a document of another kind
    DUPLICATE = "duplicate"  # its final or canonical URL is stored already
    FORBIDDEN = "forbidden"  # robots.txt
    REFUSED = "refused"  # network guard, scheme, size
    GONE = "gone"  # 404, 410
    FAILED = "failed"  # attempts used up


@dataclass(frozen=True, slots=True)
class Entry:
    """One link of a feed or a sitemap, as the feed states it."""

    url: str
    id: str | None = None
    title: str | None = None
    summary: str | None = None
    published: datetime | None = None
    updated: datetime | None = None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    image: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class FeedDocument:
    """A read feed.

    :param kind: ``rss``, ``rdf``, ``atom``, ``json``, ``sitemap`` or ``sitemapindex``; empty when unreadable.
    :param children: sitemap addresses of a sitemap index.
    :param ttl: seconds the feed asks to be left alone (``ttl``, ``sy:updatePeriod``), None when silent.
    :param skip_hours: hours 0..23 UTC in which the feed asks not to be polled.
    :param skip_days: ISO weekdays 1..7 (Monday is 1) in which it asks not to be polled.
    :param parser: ``fast`` or ``feedparser``.
    :param problem: one sentence for a person when ``state`` is not OK.
    """

    state: FeedState
    kind: str = ""
    entries: tuple[Entry, ...] = ()
    children: tuple[str, ...] = ()
    title: str | None = None
    link: str | None = None
    language: str | None = None
    ttl: float | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()
    hub: str | None = None
    parser: str = "fast"
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """A URL handed to this process for fetching, until it is finished, retried or dropped."""

    id: int
    key: str
    url: str
    host: str
    site: str
    attempts: int = 0
    feed_id: int | None = None
    entry: Entry | None = None
    revision_of: int | None = None  # article id, when an edited article is fetched again


@dataclass(frozen=True, slots=True)
class RobotsVerdict:
    """What robots.txt said of one URL, and which robots.txt it was."""

    allowed: bool
    reason: str  # "rule", "no robots.txt (404)", "unreachable (503)" ...
    sha256: str | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ArchiveRef:
    """Where the raw page lies: a compressed WARC record."""

    file: str  # name relative to the archive folder
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A piece of an article's text, without empty lines inside.

    :param level: of a heading 1..6, of a list item how deep its list lies (1 and more), 0 of everything else.
    """

    text: str
    role: Role = Role.PARAGRAPH
    level: int = 0


@dataclass(frozen=True, slots=True)
class Extract:
    """What extraction read from one page.

    :param origins: field name -> where it came from: ``rule:<version>``, ``json-ld``, ``opengraph``, ``microdata``,
        ``meta``, ``visible`` (next to the headline), ``feed``, ``html``, ``url``, ``text`` (guessed from it), ``site``
        (the rule file's default).
    :param published: in the zone the page states it in, as ``modified``: its day is the day readers see.
    :param text: the texts of the paragraphs, an empty line between two of them.
    :param method: who gave the text: ``rule``, ``json-ld``, ``microdata``, ``script``, ``svm``, ``paper`` or ``none``.
    :param confidence: 0..1, how sure it is that the text is right and whole; None when nobody judged it.
    :param reason: why the page is not an article, or has no text.
    """

    kind: Kind
    title: str | None = None
    text: str = ""
    paragraphs: tuple[Paragraph, ...] = ()
    summary: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    image: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    canonical_url: str | None = None
    paywalled: bool | None = None
    method: str = "none"
    confidence: float | None = None
    rule_version: str | None = None
    origins: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The item of the pipelines: a fetched page and what each stage found out about it."""

    page: Page
    site: str
    lease: Lease | None = None
    entry: Entry | None = None
    robots: RobotsVerdict | None = None
    extract: Extract | None = None


@dataclass(frozen=True, slots=True)
class Article:
    """A stored document, flat: what the store, the exports and the Scrapy feed exports give."""

    id: int
    url: str
    final_url: str
    canonical_url: str | None
    site: str
    feed: str | None
    kind: Kind
    title: str | None
    text: str
    paragraphs: tuple[Paragraph, ...]
    summary: str | None
    authors: tuple[str, ...]
    published: datetime | None
    modified: datetime | None
    language: str | None
    image: str | None
    section: str | None
    tags: tuple[str, ...]
    paywalled: bool | None
    method: str
    confidence: float | None
    rule_version: str | None
    origins: Mapping[str, str]
    reason: str | None
    status: int
    rendered: bool
    fetched_at: datetime
    revision: int
    text_sha256: str
    robots: RobotsVerdict | None
    archive: ArchiveRef | None
