"""Small rule files, links and documents for tests of the store."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from newsmon.feeds.polling import PollDecision, PollState, PollStatus
from newsmon.model import Document, Entry, Extract, Kind, Lease, RobotsVerdict
from newsmon.page import Page
from newsmon.storage import NewUrl, Store
from newsmon.urls import host_of

NOW = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Feed:
    """What the store reads of a feed in a rule file."""

    url: str
    policy: str | None = None


@dataclass(frozen=True)
class Rules:
    """What the store reads of a rule file."""

    domain: str
    feeds: tuple[Feed, ...] = ()
    name: str | None = None


def rules(domain: str, *feeds: str) -> Any:
    return Rules(domain, tuple(Feed(f"http://{domain}/{feed}") for feed in feeds))


def sync(store: Store, *domains: str, now: datetime = NOW) -> None:
    """List sites without feeds."""
    store.sync_sites([rules(domain) for domain in domains], {}, now=now)


def link(url: str, **entry: Any) -> NewUrl:
    return NewUrl(key=url.removeprefix("http://"), url=url, host=host_of(url), entry=Entry(url, **entry))


def links(host: str, count: int) -> list[NewUrl]:
    return [link(f"http://{host}/{number}") for number in range(count)]


def decision(
    status: PollStatus = PollStatus.ACTIVE, *, due: datetime = NOW + 5 * MINUTE, url: str | None = None, errors: int = 0
) -> PollDecision:
    return PollDecision(PollState(errors=errors, period=300.0), due, status, url, "a test")


@dataclass(frozen=True)
class Written:
    """An article as a test wants it."""

    title: str | None = "Title"
    text: str = "Text of an article."
    kind: Kind = Kind.ARTICLE
    extract: dict[str, Any] = field(default_factory=dict)


def document(
    lease: Lease, written: Written | None = None, *, at: datetime = NOW, body: bytes = b"<p>page</p>"
) -> Document:
    """What the pipelines would make of a leased page."""
    written = written or Written()
    page = Page(lease.url, lease.url, 200, body, at, headers={"content-type": "text/html"})
    extract = Extract(kind=written.kind, title=written.title, text=written.text, method="rule", rule_version="2024")
    return Document(
        page=page,
        site=lease.site,
        lease=lease,
        entry=lease.entry,
        robots=RobotsVerdict(True, "rule", "ab" * 32, at),
        extract=replace(extract, **written.extract),
    )


def take(store: Store, now: datetime = NOW, *, pages: int = 100, per_host: int = 100, **options: Any) -> list[Lease]:
    """Lease pages only."""
    return store.lease_work(now, feeds=0, pages=pages, per_host=per_host, **options).pages


def put(store: Store, url: str, written: Written | None = None, *, now: datetime = NOW, **entry: Any) -> Any:
    """Discover, lease and finish one page; return what ``finish`` returned."""
    known = store.status()
    domain = host_of(url)
    if domain not in {site.domain for site in known}:
        store.sync_sites([*(Rules(site.domain) for site in known), Rules(domain)], {}, now=now)  # type: ignore[list-item]
    store.add_urls([link(url, **entry)], site=domain, now=now)
    [lease] = [lease for lease in take(store, now) if lease.url == url]
    return store.finish(lease, document(lease, written, at=now), None, now=now)
