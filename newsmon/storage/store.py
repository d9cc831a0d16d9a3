"""SKELETON (signatures are final; bodies follow)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newsmon.model import ArchiveRef, Article, Document, FeedState, Lease, Outcome
from newsmon.storage.work import (
    FeedLease,
    Ledger,
    NewUrl,
    Revision,
    Selection,
    SiteStatus,
    StoredRobots,
    Work,
)

if TYPE_CHECKING:
    from newsmon.feeds.polling import PollDecision
    from newsmon.siterules import SiteRules


class Store:
    @classmethod
    def open(cls, url: str, *, owner: str, state_dir: Path, exclusive: bool) -> Store: ...  # SQLite: lock file; PG: no-op
    def close(self) -> None: ...
    # --- sites and feeds
    def sync_sites(self, sites: Iterable[SiteRules], broken: Mapping[str, str], *, now: datetime) -> None: ...
    def record_poll(
        self,
        feed: FeedLease,
        decision: PollDecision,
        entries: Sequence[NewUrl] = (),
        *,
        now: datetime,
        http_status: int | None = None,
        feed_state: FeedState | None = None,
        etag: str | None = None,
        last_modified: str | None = None,
        body_sha256: str | None = None,  # None on 304 / error: the validators and digest stored before stay
        error: str | None = None,
    ) -> int: ...  # number of new URLs; raises LeaseLost
    def unknown(self, keys: Iterable[str]) -> set[str]: ...  # exact, one query per 500: the `new` of PollResult
    # --- frontier
    def add_urls(self, urls: Iterable[NewUrl], *, site: str, now: datetime) -> int: ...  # backfill
    def lease_work(
        self, now: datetime, *, feeds: int, pages: int, per_host: int, sites: Collection[str] | None, ttl: float
    ) -> Work: ...
    def next_due(self, now: datetime, *, sites: Collection[str] | None = None, feeds: bool = True) -> datetime | None: ...
    def renew(self, now: datetime, *, ttl: float) -> None: ...
    def release(self, now: datetime, *, last_fetch: Mapping[str, datetime] | None = None) -> None: ...
    def retry(self, lease: Lease, *, due: datetime, reason: str, now: datetime, counts: bool = True) -> bool: ...
    def drop(self, lease: Lease, outcome: Outcome, reason: str, *, now: datetime) -> bool: ...
    def ledger(self, site: str | None = None) -> Ledger: ...
    # --- identity
    def is_known(self, key: str) -> bool: ...
    def stored_under(self, key: str) -> str | None: ...  # URL of the article stored under this key
    def keys(self) -> Iterator[str]: ...
    # --- documents
    def finish(
        self, lease: Lease, document: Document, archive: ArchiveRef | None, *, keys: Iterable[str] = (), now: datetime
    ) -> Article | None: ...  # None: DUPLICATE; raises LeaseLost when another worker has the URL
    def article(self, article_id: int) -> Article | None: ...
    def articles(self, selection: Selection = Selection()) -> Iterator[Article]: ...
    def revisions(self, article_id: int) -> list[Revision]: ...
    def search(self, query: str, *, limit: int = 20) -> list[Article]: ...
    # --- hosts
    def robots(self, origin: str) -> StoredRobots | None: ...
    def save_robots(self, robots: StoredRobots) -> None: ...
    def host_seen(self, host: str, at: datetime) -> None: ...
    def host_last_fetch(self, host: str) -> datetime | None: ...
    # --- status
    def status(self) -> list[SiteStatus]: ...
