"""The records that pass between the store and the crawl."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newsmon.model import Entry, FrontierState, Kind, Lease, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from newsmon.feeds.polling import PollState


@dataclass(frozen=True, slots=True)
class NewUrl:
    """A link that a feed or a sitemap states, on its way into the frontier.

    :param key: identity of the page (:func:`newsmon.urls.page_key`).
    :param url: address to request (:func:`newsmon.urls.canonical`).
    :param host: host of ``url``; the frontier is leased by it.
    """

    key: str
    url: str
    host: str
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class FeedLease:
    """A feed handed to this process for polling, until :meth:`Store.record_poll`.

    :param url: where the feed is now; ``listed_url`` is what the rule file says (they differ after a 301).
    :param policy: polling policy the rule file names for this feed, None for the site's or the default one.
    :param poll_state: what earlier polls taught, None before the first.
    :param body_sha256: digest of the last body, None before the first.
    """

    id: int
    url: str
    listed_url: str
    host: str
    site: str
    policy: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    body_sha256: str | None = None
    poll_state: PollState | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """What one call of :meth:`Store.lease_work` hands out; every host in it belongs to the caller."""

    feeds: list[FeedLease] = field(default_factory=list)
    pages: list[Lease] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where every discovered URL is at one instant; ``discovered == pending + leased + sum(done.values())``."""

    discovered: int
    pending: int
    leased: int
    done: Mapping[Outcome, int]


@dataclass(frozen=True, slots=True)
class PageState:
    """Where one URL is, and why.

    :param outcome: None until it is DONE.
    """

    key: str
    url: str
    site: str
    state: FrontierState
    outcome: Outcome | None
    reason: str | None
    attempts: int


@dataclass(frozen=True, slots=True)
class StoredRobots:
    """The last robots.txt of an origin, as it came.

    :param status: HTTP status, None when there was no answer.
    :param failure: why there was no answer, None when there was one.
    :param max_age: seconds of its ``Cache-Control``.
    :param unreachable_since: time of the first of the failures in a row (RFC 9309 2.3.1.4), None when it is readable.
    :param tried_at: time of the last of them; ``retry_after`` the seconds it asked to wait.
    """

    origin: str
    status: int | None
    body: bytes
    fetched_at: datetime
    max_age: float | None = None
    failure: str | None = None
    unreachable_since: datetime | None = None
    tried_at: datetime | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which documents to read: all conditions hold together, an empty one holds always.

    :param since: fetched at or after (or published, see ``by_published``).
    :param until: fetched before.
    :param by_published: ``since`` and ``until`` speak of the publication time; documents without one are left out.
    """

    since: datetime | None = None
    until: datetime | None = None
    sites: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset({Kind.ARTICLE})
    languages: frozenset[str] = frozenset()
    by_published: bool = False


@dataclass(frozen=True, slots=True)
class Revision:
    """An earlier state of an edited article; number 1 is the first one stored."""

    article_id: int
    number: int
    title: str | None
    text: str
    text_sha256: str
    modified: datetime | None
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """One feed in ``scrapy status``.

    :param status: ``active``, ``failing``, ``gone`` or ``unlisted`` (no rule file names it any more).
    :param last_success: last poll that gave a readable feed, or 304.
    :param last_new: last poll that gave a new entry.
    :param error: what is wrong now, None when nothing is; ``errors`` polls in a row, since ``error_since``.
    """

    id: int
    url: str
    listed_url: str
    site: str
    status: str
    http_status: int | None
    feed_state: str | None
    last_poll: datetime | None
    last_success: datetime | None
    last_new: datetime | None
    next_poll: datetime | None
    error: str | None
    error_since: datetime | None
    errors: int


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """One site in ``scrapy status``.

    :param rule_error: why its rule file cannot be used, None when it can; such a site is not crawled.
    :param active: a usable rule file names the site.
    :param last_article: when the newest article was stored.
    :param rule_failure: why the site's rule gave no text of the newest article, None when it did or there is no rule.
    :param last_reason: why the last page that gave no article gave none.
    """

    domain: str
    name: str | None
    active: bool
    rule_error: str | None
    feeds: tuple[FeedStatus, ...]
    pages: Ledger
    last_success: datetime | None
    last_article: datetime | None
    rule_failure: str | None
    last_reason: str | None
    next_poll: datetime | None
