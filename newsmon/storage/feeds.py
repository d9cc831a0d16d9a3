"""Sites and feeds: what the rule files list, and what each poll gave."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from newsmon.errors import LeaseLost
from newsmon.feeds.polling import PollDecision, PollState, PollStatus
from newsmon.storage.frontier import add_hosts, add_urls
from newsmon.storage.part import StorePart, batches, dialect_insert
from newsmon.storage.schema import UtcTime, feeds, hosts, sites
from newsmon.storage.text import clean, clean_optional
from newsmon.storage.work import FeedLease, NewUrl
from newsmon.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from newsmon.model import FeedState
    from newsmon.siterules import SiteRules

UNLISTED = "unlisted"
POLLED = feeds.c.status.in_([PollStatus.ACTIVE.value, PollStatus.FAILING.value])


class Feeds(StorePart):
    """Feeds and their polls; :mod:`newsmon.storage.leasing` hands them out."""

    def sync_sites(self, rules: Iterable[SiteRules], broken: Mapping[str, str], *, now: datetime) -> None:
        """Make the store follow the rule files.

        New feeds are due at once. Feeds and sites that are no longer listed stay in the store with all they gave, but
        are left alone; a site whose rule file is broken is left alone until it is mended.

        :param broken: why a rule file cannot be used, by its domain or file name.
        """
        listed = {site.domain: site for site in rules}
        faults = {_domain(name): clean(error) for name, error in broken.items()}
        with self._database.write() as connection:
            if not self._database.sqlite:
                # Workers that start together would lock the same rows in different orders.
                connection.execute(sa.text("LOCK TABLE sites IN SHARE ROW EXCLUSIVE MODE"))
            connection.execute(sa.update(sites).values(active=False, rule_error=None))
            _write_sites(connection, [_site_row(site.domain, site.name, None) for site in listed.values()])
            _write_sites(connection, [_site_row(domain, None, error) for domain, error in faults.items()])
            _write_feeds(connection, [row for site in listed.values() for row in _feed_rows(site, now)])
            _unlist_others(connection, [feed.url for site in listed.values() for feed in site.feeds])

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
        body_sha256: str | None = None,
        error: str | None = None,
    ) -> int:
        """Store what a poll gave, feed and frontier in one transaction; return how many URLs were new.

        :param entries: what the feed links to; known URLs are skipped, edited articles are queued once more.
        :param body_sha256: digest of a full body; without one the validators and digest of the last body stay.
        :param error: what was wrong, when the decision's status is not ``active``.
        :raises LeaseLost: when another process has taken the feed over.
        """
        url = clean(decision.url or feed.url)
        values = {
            "url": url,
            "host": host_of(url),
            "owner": None,
            "status": decision.status.value,
            "next_poll": decision.next_poll,
            "poll_state": decision.state.to_json(),
            "http_status": http_status,
            "last_poll": now,
            "errors": decision.state.errors,
            **_health(decision, error, now),
            **({} if feed_state is None else {"feed_state": feed_state.value}),
        }
        if body_sha256 is not None:
            validators = {"etag": clean_optional(etag), "last_modified": clean_optional(last_modified)}
            values |= {"body_sha256": body_sha256, **validators}
        with self._database.write() as connection:
            connection.execute(sa.update(hosts).where(hosts.c.host == feed.host).values(last_fetch=now))
            if decision.url is not None:
                add_hosts(connection, [values["host"]])
            self._update(connection, feed, values)
            new = add_urls(connection, entries, site=feed.site, feed_id=feed.id, now=now)
            if new:
                connection.execute(sa.update(feeds).where(feeds.c.id == feed.id).values(last_new=now))
        return new

    def _update(self, connection: sa.Connection, feed: FeedLease, values: dict[str, Any]) -> None:
        mine = sa.and_(feeds.c.id == feed.id, feeds.c.owner == self._owner)
        if connection.execute(sa.update(feeds).where(mine).values(**values)).rowcount == 0:
            raise LeaseLost(f"the feed {feed.url} is not leased by this process any more")


def feed_lease(row: Any) -> FeedLease:
    """Make the lease of a row of ``feeds``."""
    return FeedLease(
        id=row.id,
        url=row.url,
        listed_url=row.listed_url,
        host=row.host,
        site=row.site,
        policy=row.policy,
        etag=row.etag,
        last_modified=row.last_modified,
        body_sha256=row.body_sha256,
        poll_state=None if row.poll_state is None else PollState.from_json(row.poll_state),
    )


def _health(decision: PollDecision, error: str | None, now: datetime) -> dict[str, Any]:
    if decision.status is PollStatus.ACTIVE:
        return {"error": None, "error_since": None, "last_success": now}
    since = sa.func.coalesce(feeds.c.error_since, sa.literal(now, UtcTime))
    return {"error": clean(error or decision.reason), "error_since": since}


def _domain(name: str) -> str:
    """The site a broken rule file is for: rule files are named after their domain.

    >>> _domain("rules/zarya.example.yaml"), _domain("zarya.example")
    ('zarya.example', 'zarya.example')
    """
    path = PurePath(name)
    return path.stem if path.suffix in (".yaml", ".yml") else name


def _site_row(domain: str, name: str | None, rule_error: str | None) -> dict[str, Any]:
    return {"domain": domain, "name": clean_optional(name), "active": rule_error is None, "rule_error": rule_error}


def _write_sites(connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    insert = dialect_insert(connection, sites)
    new = insert.excluded
    # A broken file does not tell the site's name: the one it had stays.
    columns = {"active": new.active, "rule_error": new.rule_error, "name": sa.func.coalesce(new.name, sites.c.name)}
    connection.execute(insert.on_conflict_do_update(index_elements=["domain"], set_=columns), rows)


def _feed_rows(site: SiteRules, now: datetime) -> list[dict[str, Any]]:
    return [
        {
            "listed_url": feed.url,
            "url": feed.url,
            "host": host_of(feed.url),
            "site": site.domain,
            "policy": feed.policy,
            "status": PollStatus.ACTIVE.value,
            "next_poll": now,
        }
        for feed in site.feeds
    ]


def _write_feeds(connection: sa.Connection, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    add_hosts(connection, {row["host"] for row in rows})
    insert = dialect_insert(connection, feeds)
    listed_again = sa.case((feeds.c.status == UNLISTED, PollStatus.ACTIVE.value), else_=feeds.c.status)
    columns = {"site": insert.excluded.site, "policy": insert.excluded.policy, "status": listed_again}
    connection.execute(insert.on_conflict_do_update(index_elements=["listed_url"], set_=columns), rows)


def _unlist_others(connection: sa.Connection, listed: Sequence[str]) -> None:
    known = set(connection.scalars(sa.select(feeds.c.listed_url).where(feeds.c.status != UNLISTED)))
    for batch in batches(sorted(known.difference(listed))):
        connection.execute(sa.update(feeds).where(feeds.c.listed_url.in_(batch)).values(status=UNLISTED))
