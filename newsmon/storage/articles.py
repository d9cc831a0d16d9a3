"""Stored documents: the one transaction that ends a page's way, and reading them back.

::

    finish(lease, document) --> documents + document_keys + search + frontier DONE      all or nothing
                  |
                  '-- fetched again because it was edited: text or title differ? the old ones --> revisions
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from newsmon.errors import LeaseLost, StoreUnavailable
from newsmon.model import ArchiveRef, Article, Document, FrontierState, Kind, Lease, Outcome
from newsmon.storage.documents import document_row, load_article
from newsmon.storage.frontier import done_values, end_lease
from newsmon.storage.part import insert_new
from newsmon.storage.schema import document_keys, documents, feeds, frontier, revisions
from newsmon.storage.search import Search, index, index_again
from newsmon.storage.text import bounded_key
from newsmon.storage.work import Revision, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

_feed_of = sa.select(feeds.c.listed_url).where(feeds.c.id == sa.bindparam("feed_id")).scalar_subquery()
_insert = sa.insert(documents).values(feed=_feed_of).returning(documents.c.id, documents.c.feed)
_insert_keys = sa.insert(document_keys)
_KEPT_IN_REVISIONS = ("title", "text", "text_sha256", "modified", "fetched_at")


class Articles(Search):
    """Documents of every kind, articles among them."""

    def finish(
        self, lease: Lease, document: Document, archive: ArchiveRef | None, *, keys: Iterable[str] = (), now: datetime
    ) -> Article | None:
        """Store what a leased page gave and end its lease, in one transaction.

        Calling this twice for one lease stores once and returns the same article.

        :param keys: further keys of the page (final and canonical URL), besides the lease's own.
        :returns: the stored document, whatever its kind; None when nothing new was stored: an article is stored under
            one of the keys already, or the page was fetched again and has not changed.
        :raises LeaseLost: when the URL was leased to another process in the meantime; nothing is stored.
        """
        row = document_row(document, archive)
        known_as = list(dict.fromkeys(bounded_key(key) for key in (lease.key, *keys)))
        try:
            with self._database.write() as connection:
                if lease.revision_of is not None:
                    return self._store_again(connection, lease, row, known_as, now)
                return self._store(connection, lease, row, known_as, now)
        except (IntegrityError, LeaseLost) as conflict:
            return self._settle(lease, known_as, now, conflict)

    def _store(
        self, connection: sa.Connection, lease: Lease, row: dict[str, Any], keys: list[str], now: datetime
    ) -> Article:
        stored = connection.execute(_insert, {**row, "frontier_id": lease.id, "feed_id": lease.feed_id}).one()
        outcome = Outcome.NOT_ARTICLE
        # Only articles claim their addresses: one consent page would otherwise make duplicates of a whole site.
        if row["kind"] == Kind.ARTICLE:
            outcome = Outcome.STORED
            connection.execute(_insert_keys, [{"key": key, "document_id": stored.id} for key in keys])
            index(connection, stored.id, row["title"], row["text"])
        values = done_values(outcome, row["reason"], now, document_id=stored.id)
        end_lease(connection, lease, self._owner, values, fetched_at=row["fetched_at"])
        return load_article({**row, "id": stored.id, "feed": stored.feed})

    def _store_again(
        self, connection: sa.Connection, lease: Lease, row: dict[str, Any], keys: list[str], now: datetime
    ) -> Article | None:
        """Compare with the stored article; what is no article any more (consent page, error) changes nothing."""
        old = connection.execute(sa.select(documents).where(documents.c.id == lease.revision_of)).one()
        changed = (row["text_sha256"], row["title"]) != (old.text_sha256, old.title)
        is_article = row["kind"] == Kind.ARTICLE
        if is_article and changed:
            self._revise(connection, old, row, keys)
        reason = None if is_article else f"fetched again, but it was {row['kind']}: {row['reason']}"
        end_lease(
            connection, lease, self._owner, done_values(Outcome.STORED, reason, now), fetched_at=row["fetched_at"]
        )
        return self._read(connection, old.id) if is_article and changed else None

    def _revise(self, connection: sa.Connection, old: Any, row: dict[str, Any], keys: list[str]) -> None:
        kept = {name: getattr(old, name) for name in _KEPT_IN_REVISIONS}
        where = {name: getattr(old, name) for name in ("archive_file", "archive_offset", "archive_length")}
        connection.execute(sa.insert(revisions), {"document_id": old.id, "number": old.revision, **kept, **where})
        index_again(connection, old.id, (old.title, old.text), (row["title"], row["text"]))
        values = {**row, "revision": old.revision + 1, "published": row["published"] or old.published}
        connection.execute(sa.update(documents).where(documents.c.id == old.id).values(values))
        connection.execute(insert_new(connection, document_keys), [{"key": key, "document_id": old.id} for key in keys])

    def _settle(self, lease: Lease, keys: list[str], now: datetime, conflict: Exception) -> Article | None:
        """Find out why a page could not be stored: finished before, lost, or stored under another address."""
        with self._database.write() as connection:
            row = connection.execute(sa.select(frontier).where(frontier.c.id == lease.id)).one()
            if row.state == FrontierState.DONE:
                return None if row.outcome == Outcome.DUPLICATE else self._read(connection, row.document_id)
            if row.state != FrontierState.LEASED or row.owner != self._owner:
                raise LeaseLost(f"{lease.url} is not leased by this process any more") from conflict
            stored = connection.execute(
                sa.select(documents.c.id, documents.c.url).join(document_keys).where(document_keys.c.key.in_(keys))
            ).first()
            if stored is None:
                raise StoreUnavailable(
                    f"{self._database.name}: {lease.url} was changed by another process"
                ) from conflict
            values = done_values(Outcome.DUPLICATE, f"stored already as {stored.url}", now, document_id=stored.id)
            end_lease(connection, lease, self._owner, values, fetched_at=now)
        return None

    def _read(self, connection: sa.Connection, article_id: int | None) -> Article | None:
        row = connection.execute(sa.select(documents).where(documents.c.id == article_id)).one_or_none()
        return None if row is None else load_article(row._mapping)

    def article(self, article_id: int) -> Article | None:
        """Return a stored document by its id."""
        with self._database.read() as connection:
            return self._read(connection, article_id)

    def articles(self, selection: Selection | None = None) -> Iterator[Article]:
        """Iterate over stored documents in the order they were stored; by default over all articles."""
        wanted = _conditions(selection or Selection())
        last = 0
        # Page by page: a long export holds no transaction open and sees documents stored meanwhile.
        while True:
            page = sa.select(documents).where(documents.c.id > last, *wanted).order_by(documents.c.id).limit(500)
            with self._database.read() as connection:
                found = [load_article(row) for row in connection.execute(page).mappings()]
            yield from found
            if not found:
                return
            last = found[-1].id

    def count(self, selection: Selection | None = None) -> int:
        """Count stored documents; by default all articles."""
        wanted = _conditions(selection or Selection())
        with self._database.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(documents).where(*wanted)).scalar_one()

    def revisions(self, article_id: int) -> list[Revision]:
        """Return what an edited article said before, oldest first; empty for one that was never edited."""
        columns = (revisions.c.document_id.label("article_id"), revisions.c.number)
        kept = (revisions.c[name] for name in _KEPT_IN_REVISIONS)
        query = sa.select(*columns, *kept).where(revisions.c.document_id == article_id).order_by(revisions.c.number)
        with self._database.read() as connection:
            return [Revision(**row) for row in connection.execute(query).mappings()]

    def search(self, query: str, *, limit: int = 20) -> list[Article]:
        """Return the articles that match a query (see :mod:`newsmon.storage.search`), best first."""
        ids = self.search_ids(query, limit=limit)
        with self._database.read() as connection:
            rows = connection.execute(sa.select(documents).where(documents.c.id.in_(ids))).mappings()
            found = {row["id"]: load_article(row) for row in rows}
        return [found[one] for one in ids if one in found]


def _conditions(selection: Selection) -> list[sa.ColumnElement[bool]]:
    time = documents.c.published if selection.by_published else documents.c.fetched_at
    conditions = []
    if selection.since is not None:
        conditions.append(time >= selection.since)
    if selection.until is not None:
        conditions.append(time < selection.until)
    for column, values in (
        (documents.c.site, selection.sites),
        (documents.c.kind, selection.kinds),
        (documents.c.language, selection.languages),
    ):
        if values:
            conditions.append(column.in_(sorted(values)))
    return conditions
