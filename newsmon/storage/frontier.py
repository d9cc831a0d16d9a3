"""The frontier: every URL ever discovered, in one state at any instant.

::

    add_urls, record_poll --> PENDING --lease_work--> LEASED --finish, drop--> DONE (outcome)
                                 ^                       |                        |
                                 +---- retry, release ---+                        |
                                 +---- the feed says the article was edited ------+
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from newsmon.errors import LeaseLost
from newsmon.model import FrontierState, Lease, Outcome
from newsmon.storage.entries import dump_entry
from newsmon.storage.part import StorePart, batches, insert_new
from newsmon.storage.schema import LEASED, document_keys, documents, frontier, hosts
from newsmon.storage.text import bounded_key, clean
from newsmon.storage.work import Ledger, NewUrl, PageState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime


class Frontier(StorePart):
    """Discovery, giving up and accounting of URLs; :mod:`newsmon.storage.leasing` hands them out."""

    def add_urls(self, urls: Iterable[NewUrl], *, site: str, now: datetime) -> int:
        """Add the URLs that are not known yet as PENDING; return their number."""
        with self._database.write() as connection:
            return add_urls(connection, urls, site=site, feed_id=None, now=now)

    def unknown(self, keys: Iterable[str]) -> set[str]:
        """Return those of ``keys`` that were never discovered and under which no article is stored."""
        asked = {bounded_key(key): key for key in keys}
        with self._database.read() as connection:
            return {asked[key] for key in asked.keys() - _known(connection, asked)}

    def is_known(self, key: str) -> bool:
        """Say exactly whether a key was discovered, or an article is stored under it."""
        return not self.unknown([key])

    def keys(self) -> Iterator[str]:
        """Iterate over all known keys, as the Bloom filter wants them when it is rebuilt; some come twice."""
        for column in (frontier.c.key, document_keys.c.key):
            yield from self._column(column)

    def _column(self, column: sa.Column[str], size: int = 20_000) -> Iterator[str]:
        # Page by page, so that no long transaction keeps SQLite from shortening its log.
        last = ""
        while True:
            with self._database.read() as connection:
                page = connection.scalars(sa.select(column).where(column > last).order_by(column).limit(size)).all()
            yield from page
            if len(page) < size:
                return
            last = page[-1]

    def retry(self, lease: Lease, *, due: datetime, reason: str, now: datetime, counts: bool = True) -> bool:
        """Give a URL back, to be fetched not before ``due``.

        :param counts: whether this uses up one of its attempts.
        :returns: False when the lease was lost to another process, which then decides.
        """
        values = {
            "state": FrontierState.PENDING.value,
            "due": due,
            "attempts": lease.attempts + (1 if counts else 0),
            "reason": clean(reason),
        }
        return self._end(lease, now, values)

    def drop(self, lease: Lease, outcome: Outcome, reason: str, *, now: datetime) -> bool:
        """Give a URL up for good and say why.

        The URL of a stored article that was to be fetched again stays STORED: the article is still there.

        :returns: False when the lease was lost to another process, which then decides.
        """
        return self._end(lease, now, done_values(outcome if lease.revision_of is None else Outcome.STORED, reason, now))

    def _end(self, lease: Lease, now: datetime, values: dict[str, Any]) -> bool:
        with self._database.write() as connection:
            try:
                end_lease(connection, lease, self._owner, values, fetched_at=now)
            except LeaseLost:
                return False
        return True

    def ledger(self, site: str | None = None) -> Ledger:
        """Count where the URLs are, of all sites or of one."""
        with self._database.read() as connection:
            counts = ledgers(connection)
        wanted = counts.values() if site is None else filter(None, [counts.get(site)])
        return merge_ledgers(wanted)

    def pages(self, site: str | None = None) -> Iterator[PageState]:
        """Iterate over where every URL is, in the order of discovery."""
        of_site = sa.true() if site is None else frontier.c.site == site
        last = 0
        while True:
            page = sa.select(frontier).where(frontier.c.id > last, of_site).order_by(frontier.c.id).limit(5_000)
            with self._database.read() as connection:
                rows = connection.execute(page).all()
            yield from map(_page_state, rows)
            if not rows:
                return
            last = rows[-1].id

    def stored_under(self, key: str) -> str | None:
        """Return the URL of the article stored under a key, None when there is none."""
        wanted = document_keys.c.key == bounded_key(key)
        with self._database.read() as connection:
            return connection.execute(sa.select(documents.c.url).join(document_keys).where(wanted)).scalar()


def _page_state(row: Any) -> PageState:
    return PageState(
        key=row.key,
        url=row.url,
        site=row.site,
        state=FrontierState(row.state),
        outcome=Outcome(row.outcome) if row.outcome else None,
        reason=row.reason,
        attempts=row.attempts,
    )


def add_urls(
    connection: sa.Connection, urls: Iterable[NewUrl], *, site: str, feed_id: int | None, now: datetime
) -> int:
    """Add unknown URLs as PENDING, queue edited articles once more; return how many were added."""
    added = 0
    for batch in batches({bounded_key(url.key): url for url in urls}.items()):
        offered = dict(batch)
        known = _known(connection, offered)
        rows = [_row(key, url, site, feed_id, now) for key, url in offered.items() if key not in known]
        added += _insert(connection, rows)
        _queue_edited(connection, {key: url for key, url in offered.items() if key in known}, now)
    return added


def _row(key: str, url: NewUrl, site: str, feed_id: int | None, now: datetime) -> dict[str, Any]:
    return {
        "key": key,
        "url": clean(url.url),
        "host": clean(url.host),
        "site": site,
        "feed_id": feed_id,
        "entry": dump_entry(url.entry),
        "state": FrontierState.PENDING.value,
        "due": now,
        "updated": url.entry.updated if url.entry else None,
        "discovered_at": now,
    }


def _insert(connection: sa.Connection, rows: Sequence[dict[str, Any]]) -> int:
    if not rows:
        return 0
    add_hosts(connection, {row["host"] for row in rows})
    # In the order of keys, so that two processes with the same links wait for each other instead of locking up.
    ordered = sorted(rows, key=lambda row: row["key"])
    statement = insert_new(connection, frontier).returning(frontier.c.id)
    return len(connection.execute(statement, ordered).all())


def add_hosts(connection: sa.Connection, names: Iterable[str]) -> None:
    """Make host rows for hosts met for the first time."""
    asked = sorted(names)
    known = connection.scalars(sa.select(hosts.c.host).where(hosts.c.host.in_(asked))).all()
    # An INSERT of a known host would wait for whoever is leasing it, ON CONFLICT or not.
    new = [{"host": name} for name in asked if name not in set(known)]
    if new:
        connection.execute(insert_new(connection, hosts), new)


def _known(connection: sa.Connection, keys: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for batch in batches(keys):
        in_frontier = sa.select(frontier.c.key).where(frontier.c.key.in_(batch))
        stored = sa.select(document_keys.c.key).where(document_keys.c.key.in_(batch))
        found.update(connection.scalars(sa.union_all(in_frontier, stored)))
    return found


def _queue_edited(connection: sa.Connection, known: dict[str, NewUrl], now: datetime) -> None:
    """Queue a stored article again, once for each new ``updated`` that is later than our copy of it."""
    stated = {key: url for key, url in known.items() if url.entry is not None and url.entry.updated is not None}
    if not stated:
        return
    rows = connection.execute(
        sa.select(
            document_keys.c.key, documents.c.id, documents.c.frontier_id, documents.c.fetched_at, frontier.c.updated
        )
        .join(documents, documents.c.id == document_keys.c.document_id)
        .join(frontier, frontier.c.id == documents.c.frontier_id)
        .where(document_keys.c.key.in_(stated))
        .order_by(documents.c.frontier_id)
    ).all()
    for row in rows:
        entry = stated[row.key].entry
        # Against the site's own earlier statement where there is one: its clock may be wrong. Else against our copy.
        since = row.updated or row.fetched_at
        if entry is not None and entry.updated is not None and entry.updated > since:
            _queue_again(connection, row, dump_entry(entry), entry.updated, now)
    _queue_given_up(connection, stated, now)


def _queue_given_up(connection: sa.Connection, stated: dict[str, NewUrl], now: datetime) -> None:
    """Try a URL that was given up again, once for each new ``updated``: it may have come to life."""
    lost = frontier.c.outcome.in_([Outcome.FAILED.value, Outcome.GONE.value])
    given_up = sa.select(frontier.c.key, frontier.c.updated).where(frontier.c.key.in_(stated), lost)
    for key, before in connection.execute(given_up).all():
        entry = stated[key].entry
        if entry is not None and entry.updated is not None and (before is None or entry.updated > before):
            values = {"outcome": None, "reason": None, "due": now, "attempts": 0, "done_at": None}
            again = sa.update(frontier).where(frontier.c.key == key, lost)
            connection.execute(
                again.values(
                    state=FrontierState.PENDING.value, entry=dump_entry(entry), updated=entry.updated, **values
                )
            )


def _queue_again(connection: sa.Connection, row: Any, entry: str | None, updated: datetime, now: datetime) -> None:
    # A feed that states a time in the future would be believed at every poll: each stated time counts once.
    unseen = sa.or_(frontier.c.updated.is_(None), frontier.c.updated < updated)
    settled = sa.and_(frontier.c.state == FrontierState.DONE.value, frontier.c.outcome == Outcome.STORED.value)
    connection.execute(
        sa.update(frontier)
        .where(frontier.c.id == row.frontier_id, settled, unseen)
        .values(
            state=FrontierState.PENDING.value,
            outcome=None,
            reason=None,
            due=now,
            attempts=0,
            entry=entry,
            updated=updated,
            revision_of=row.id,
        )
    )


# Statements of the hot path are built once: building one takes longer than running it.
_touch_host = sa.update(hosts).where(hosts.c.host == sa.bindparam("of_host"))
_end_lease = sa.update(frontier).where(
    frontier.c.id == sa.bindparam("of_id"), LEASED, frontier.c.owner == sa.bindparam("of_owner")
)


def end_lease(
    connection: sa.Connection, lease: Lease, owner: str, values: dict[str, Any], *, fetched_at: datetime
) -> None:
    """Take a row out of LEASED, and remember when its host was asked.

    :raises LeaseLost: when the row is not leased by this owner (any more).
    """
    connection.execute(_touch_host, {"of_host": lease.host, "last_fetch": fetched_at})
    ended = connection.execute(_end_lease, {"of_id": lease.id, "of_owner": owner, "owner": None, **values})
    if ended.rowcount == 0:
        raise LeaseLost(f"{lease.url} is not leased by this process any more")


def done_values(
    outcome: Outcome, reason: str | None, now: datetime, *, document_id: int | None = None
) -> dict[str, Any]:
    """Column values of a DONE row; the entry is dropped, what it said is in the document."""
    values: dict[str, Any] = {
        "state": FrontierState.DONE.value,
        "outcome": outcome.value,
        "reason": None if reason is None else clean(reason),
        "done_at": now,
        "entry": None,
        "revision_of": None,
    }
    return values if document_id is None else {**values, "document_id": document_id}


def ledgers(connection: sa.Connection) -> dict[str, Ledger]:
    """Return the ledger of every site that has URLs."""
    columns = (frontier.c.site, frontier.c.state, frontier.c.outcome)
    counts: dict[str, list[tuple[str, str | None, int]]] = {}
    for site, state, outcome, number in connection.execute(sa.select(*columns, sa.func.count()).group_by(*columns)):
        counts.setdefault(site, []).append((state, outcome, number))
    return {site: _ledger(rows) for site, rows in counts.items()}


def _ledger(rows: list[tuple[str, str | None, int]]) -> Ledger:
    return Ledger(
        discovered=sum(number for _, _, number in rows),
        pending=sum(number for state, _, number in rows if state == FrontierState.PENDING),
        leased=sum(number for state, _, number in rows if state == FrontierState.LEASED),
        done={Outcome(outcome): number for state, outcome, number in rows if outcome and state == FrontierState.DONE},
    )


def merge_ledgers(parts: Iterable[Ledger]) -> Ledger:
    """Add ledgers up."""
    parts = list(parts)
    return Ledger(
        discovered=sum(part.discovered for part in parts),
        pending=sum(part.pending for part in parts),
        leased=sum(part.leased for part in parts),
        done={outcome: total for outcome in Outcome if (total := sum(part.done.get(outcome, 0) for part in parts))},
    )
