"""Handing out work: a host belongs to one process at a time, and with it all its feeds and pages.

::

    hosts whose lease ran out: their rows go back
    due feeds, hosts with due pages --> claim hosts --> feeds and pages of the claimed hosts --> LEASED
                                    (owner, lease_until)

On PostgreSQL hosts are claimed with ``FOR UPDATE SKIP LOCKED``, so workers pass each other by instead of waiting.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from newsmon.model import FrontierState, Lease
from newsmon.storage.entries import load_entry
from newsmon.storage.feeds import POLLED, feed_lease
from newsmon.storage.part import StorePart, dialect_insert
from newsmon.storage.schema import LEASED, OWNED, PENDING, UtcTime, feeds, frontier, hosts, sites
from newsmon.storage.search import catch_up
from newsmon.storage.work import FeedLease, Work

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class Leasing(StorePart):
    """Leases by host."""

    def lease_work(
        self,
        now: datetime,
        *,
        feeds: int,
        pages: int,
        per_host: int,
        sites: Collection[str] | None = None,
        ttl: float = 900.0,
        feeds_due: datetime | None = None,
    ) -> Work:
        """Lease due feeds and pages, longest due first, spread over as many hosts as there are.

        :param feeds: most feeds, ``pages`` most pages in this call.
        :param per_host: most feeds and most pages of one host in this owner's hands at once, earlier calls included.
        :param sites: only work of these sites; sites without a usable rule file are left alone in any case.
        :param ttl: seconds until another process may take a host over, unless :meth:`renew` is called.
        :param feeds_due: feeds that were due then; None: that are due now.
        """
        self._reclaim(now)
        with self._database.read() as connection:
            due_feeds = _due_feeds(connection, feeds_due or now, feeds, per_host, sites) if feeds > 0 else {}
            shares = self._shares(connection, now, pages, per_host, sites) if pages > 0 else {}
        wanted = shares.keys() | due_feeds.values()
        if not wanted:
            return Work()
        with self._database.write() as connection:
            catch_up(connection)
            owned = self._claim(connection, wanted, now + timedelta(seconds=ttl))
            return Work(
                feeds=self._lease_feeds(connection, [feed for feed, host in due_feeds.items() if host in owned]),
                pages=self._lease_pages(connection, {h: n for h, n in shares.items() if h in owned}, now, pages, sites),
            )

    def _shares(
        self, connection: sa.Connection, now: datetime, pages: int, per_host: int, sites: Collection[str] | None
    ) -> dict[str, int]:
        """Hosts with due pages, and how many pages to take of each: one of every host before a second of any."""
        held = _held(connection, self._owner)
        full = [host for host, number in held.items() if number >= per_host]
        found = connection.scalars(_hosts_with_due_pages(now, self._owner, sites, without=full).limit(pages)).all()
        share = ceil(pages / len(found)) if found else 0
        return {host: min(share, per_host - held.get(host, 0)) for host in found}

    def _reclaim(self, now: datetime) -> None:
        """Take the work of owners that have not renewed their leases back into the queue.

        Their hosts count as asked just now: what a killed process had sent to them is not known.
        """
        run_out = sa.and_(OWNED, hosts.c.owner != self._owner, hosts.c.lease_until <= now)
        with self._database.read() as connection:
            if connection.execute(sa.select(hosts.c.host).where(run_out).limit(1)).first() is None:
                return
        with self._database.write() as connection:
            lost = _lock_hosts(connection, run_out)
            values = {"owner": None, "lease_until": None, "last_fetch": now}
            connection.execute(sa.update(hosts).where(hosts.c.host.in_(lost)).values(values))
            _free_rows(connection, now, feeds.c.host.in_(lost), frontier.c.host.in_(lost))

    def _claim(self, connection: sa.Connection, wanted: Iterable[str], until: datetime) -> set[str]:
        """Make this owner the owner of those hosts that are free."""
        owned = _lock_hosts(connection, sa.and_(hosts.c.host.in_(sorted(wanted)), _free(self._owner)))
        connection.execute(sa.update(hosts).where(hosts.c.host.in_(owned)).values(owner=self._owner, lease_until=until))
        return set(owned)

    def _lease_feeds(self, connection: sa.Connection, ids: list[int]) -> list[Any]:
        still_free = sa.and_(feeds.c.id.in_(ids), feeds.c.owner.is_(None))
        rows = connection.execute(sa.select(feeds).where(still_free).order_by(feeds.c.next_poll)).all()
        connection.execute(sa.update(feeds).where(still_free).values(owner=self._owner))
        return [feed_lease(row) for row in rows]

    def _lease_pages(
        self,
        connection: sa.Connection,
        shares: Mapping[str, int],
        now: datetime,
        pages: int,
        sites: Collection[str] | None,
    ) -> list[Lease]:
        of_host = (
            sa.select(frontier)
            .where(
                PENDING, frontier.c.host == sa.bindparam("of_host"), frontier.c.due <= now, *_crawled(frontier, sites)
            )
            .order_by(frontier.c.due, frontier.c.id)
            .limit(sa.bindparam("share"))
        )
        found = [
            row
            for host, share in shares.items()
            for row in connection.execute(of_host, {"of_host": host, "share": share})
        ][:pages]
        connection.execute(
            sa.update(frontier)
            .where(frontier.c.id.in_([row.id for row in found]))
            .values(state=FrontierState.LEASED.value, owner=self._owner)
        )
        return [_lease(row) for row in found]

    def next_due(self, now: datetime, *, sites: Collection[str] | None = None, feeds: bool = True) -> datetime | None:
        """Return when there will be work for this owner: ``now``, or when something is due, or a taken host runs out.

        What is leased already is not counted. None: there is nothing to wait for.
        """
        times = [_next_page(self._owner, sites)]
        if feeds:
            times.append(_next_feed(self._owner, sites))
        with self._database.read() as connection:
            found = [connection.execute(statement).scalar() for statement in times]
        return min((max(time, now) for time in found if time is not None), default=None)

    def renew(self, now: datetime, *, ttl: float = 900.0) -> None:
        """Keep the hosts on which this owner has work in hand for another ``ttl`` seconds; the others run out."""
        with_pages = sa.select(frontier.c.host).where(LEASED, frontier.c.owner == self._owner)
        with_feeds = sa.select(feeds.c.host).where(feeds.c.owner == self._owner)
        busy = sa.or_(hosts.c.host.in_(with_pages), hosts.c.host.in_(with_feeds))
        with self._database.write() as connection:
            connection.execute(
                sa.update(hosts)
                .where(hosts.c.owner == self._owner, busy)
                .values(lease_until=now + timedelta(seconds=ttl))
            )

    def release(self, now: datetime, *, last_fetch: Mapping[str, datetime] | None = None) -> None:
        """Give everything back at a clean stop, and remember when each host was asked last."""
        with self._database.write() as connection:
            connection.execute(
                sa.update(hosts).where(hosts.c.owner == self._owner).values(owner=None, lease_until=None)
            )
            _free_rows(connection, now, feeds.c.owner == self._owner, frontier.c.owner == self._owner)
            catch_up(connection)
            for host, at in sorted((last_fetch or {}).items()):
                remember_fetch(connection, host, at)

    def release_dead(self, now: datetime) -> None:
        """Give back what any process has leased; right only when no other process can be alive.

        Their hosts count as asked just now: what a killed process had sent to them is not known.
        """
        with self._database.write() as connection:
            connection.execute(sa.update(hosts).where(OWNED).values(owner=None, lease_until=None, last_fetch=now))
            _free_rows(connection, now, feeds.c.owner.is_not(None), LEASED)

    def hold_host(self, host: str, until: datetime, *, queued: Collection[FeedLease | Lease] = ()) -> None:
        """Hand out nothing of a host before ``until``, after a restart neither.

        :param queued: leases of this owner that it has not used and gives back.
        """
        of_feeds = _waiting(feeds, feeds.c.owner.is_(None), self._owner, queued, FeedLease)
        of_pages = _waiting(frontier, PENDING, self._owner, queued, Lease)
        with self._database.write() as connection:
            connection.execute(
                sa.update(feeds)
                .where(feeds.c.host == host, feeds.c.next_poll < until, of_feeds)
                .values(owner=None, next_poll=until)
            )
            connection.execute(
                sa.update(frontier)
                .where(frontier.c.host == host, frontier.c.due < until, of_pages)
                .values(state=FrontierState.PENDING.value, owner=None, due=until)
            )

    def host_seen(self, host: str, at: datetime) -> None:
        """Remember when a host was asked last, so that its crawl-delay holds across restarts."""
        with self._database.write() as connection:
            remember_fetch(connection, host, at)

    def host_last_fetch(self, host: str) -> datetime | None:
        """Return when a host was asked last by any process, as far as is known."""
        with self._database.read() as connection:
            return connection.execute(sa.select(hosts.c.last_fetch).where(hosts.c.host == host)).scalar()


def remember_fetch(connection: sa.Connection, host: str, at: datetime) -> None:
    """Set a host's last fetch, unless a later one is known."""
    insert = dialect_insert(connection, hosts).values(host=host, last_fetch=at)
    older = sa.or_(hosts.c.last_fetch.is_(None), hosts.c.last_fetch < at)
    connection.execute(insert.on_conflict_do_update(index_elements=["host"], set_={"last_fetch": at}, where=older))


def _free_rows(
    connection: sa.Connection, now: datetime, of_feeds: sa.ColumnElement[bool], of_frontier: sa.ColumnElement[bool]
) -> None:
    connection.execute(sa.update(feeds).where(of_feeds).values(owner=None))
    # To the end of the queue: a page on which a process died should not be the first one again.
    connection.execute(
        sa.update(frontier).where(LEASED, of_frontier).values(state=FrontierState.PENDING.value, owner=None, due=now)
    )


def _waiting(
    table: sa.Table,
    free: sa.ColumnElement[bool],
    owner: str,
    queued: Collection[FeedLease | Lease],
    kind: type[FeedLease | Lease],
) -> sa.ColumnElement[bool]:
    """Rows that nobody has leased, and those that their owner gives back."""
    given_back = [lease.id for lease in queued if isinstance(lease, kind)]
    return sa.or_(free, sa.and_(table.c.owner == owner, table.c.id.in_(given_back)))


def _lock_hosts(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> list[str]:
    query = sa.select(hosts.c.host).where(condition).with_for_update(skip_locked=True, key_share=True)
    return list(connection.scalars(query))


def _free(owner: str) -> sa.ColumnElement[bool]:
    return sa.or_(hosts.c.owner.is_(None), hosts.c.owner == owner)


def _crawled(table: sa.Table, only: Collection[str] | None) -> list[sa.ColumnElement[bool]]:
    """The row's site has a usable rule file, and is among those asked for."""
    usable = sa.exists().where(sites.c.domain == table.c.site, sites.c.active.is_(True))
    return [usable] if only is None else [usable, table.c.site.in_(sorted(only))]


def _held(connection: sa.Connection, owner: str) -> dict[str, int]:
    number = sa.func.count()
    held = sa.select(frontier.c.host, number).where(LEASED, frontier.c.owner == owner).group_by(frontier.c.host)
    return dict(connection.execute(held).all())


def _due_feeds(
    connection: sa.Connection, now: datetime, limit: int, per_host: int, only: Collection[str] | None
) -> dict[int, str]:
    """Ids and hosts of due feeds; those of one host that are being polled count towards its ``per_host``."""
    due = sa.and_(feeds.c.owner.is_(None), feeds.c.next_poll <= now, POLLED, *_crawled(feeds, only))
    place = sa.func.row_number().over(
        partition_by=feeds.c.host, order_by=(feeds.c.owner.is_(None), feeds.c.next_poll, feeds.c.id)
    )
    ranked = (
        sa.select(feeds.c.id, feeds.c.host, feeds.c.owner, feeds.c.next_poll, place.label("place"))
        .where(sa.or_(feeds.c.owner.is_not(None), due))
        .subquery()
    )
    first = (
        sa.select(ranked.c.id, ranked.c.host)
        .where(ranked.c.owner.is_(None), ranked.c.place <= per_host)
        .order_by(ranked.c.next_poll)
        .limit(limit)
    )
    return dict(connection.execute(first).all())


def _pending_hosts(only: Collection[str] | None) -> sa.Subquery:
    """Every host with pending pages, and when its first one is due.

    The recursive query jumps from host to host along the index: its cost grows with hosts, not with pages.
    """
    first = sa.select(sa.func.min(frontier.c.host).label("host")).where(PENDING).cte("pending_hosts", recursive=True)
    following = sa.select(sa.func.min(frontier.c.host)).where(PENDING, frontier.c.host > first.c.host).scalar_subquery()
    names = first.union_all(sa.select(following).where(first.c.host.is_not(None)))
    first_due = (
        sa.select(sa.func.min(frontier.c.due))
        .where(PENDING, frontier.c.host == names.c.host, *_crawled(frontier, only))
        .scalar_subquery()
    )
    return sa.select(names.c.host, sa.type_coerce(first_due, UtcTime).label("due")).subquery()


def _hosts_with_due_pages(
    now: datetime, owner: str, only: Collection[str] | None, *, without: Collection[str]
) -> sa.Select[str]:
    pending = _pending_hosts(only)
    return (
        sa.select(pending.c.host)
        .join(hosts, hosts.c.host == pending.c.host)
        .where(pending.c.due <= now, _free(owner), hosts.c.host.not_in(sorted(without)))
        .order_by(pending.c.due)
    )


def _available(due: Any, owner: str) -> sa.ColumnElement[datetime]:
    """When this owner could get work that is due at ``due``: not while another process has the host."""
    taken = sa.and_(hosts.c.owner != owner, hosts.c.lease_until > due)
    return sa.func.min(sa.case((taken, hosts.c.lease_until), else_=due), type_=UtcTime)


def _next_page(owner: str, only: Collection[str] | None) -> sa.Select[datetime]:
    pending = _pending_hosts(only)
    return (
        sa.select(_available(pending.c.due, owner))
        .select_from(pending.join(hosts, hosts.c.host == pending.c.host))
        .where(pending.c.due.is_not(None))
    )


def _next_feed(owner: str, only: Collection[str] | None) -> sa.Select[datetime]:
    return (
        sa.select(_available(feeds.c.next_poll, owner))
        .select_from(feeds.join(hosts, hosts.c.host == feeds.c.host))
        .where(feeds.c.owner.is_distinct_from(owner), POLLED, *_crawled(feeds, only))
    )


def _lease(row: Any) -> Lease:
    return Lease(
        id=row.id,
        key=row.key,
        url=row.url,
        host=row.host,
        site=row.site,
        attempts=row.attempts,
        feed_id=row.feed_id,
        entry=load_entry(row.entry),
        revision_of=row.revision_of,
    )
