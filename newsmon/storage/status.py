"""How every source is doing, for ``scrapy status``."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from newsmon.model import Kind, Outcome
from newsmon.storage.feeds import POLLED
from newsmon.storage.frontier import ledgers
from newsmon.storage.part import StorePart
from newsmon.storage.schema import documents, feeds, frontier, sites
from newsmon.storage.work import FeedStatus, Ledger, SiteStatus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_NONE = Ledger(discovered=0, pending=0, leased=0, done={})


class Status(StorePart):
    """Health of sites and feeds."""

    def status(self) -> list[SiteStatus]:
        """Return every site in the store with its feeds, those with broken rule files included, by domain."""
        with self._database.read() as connection:
            of_site = _feeds_by_site(connection)
            next_polls = _next_polls(connection)
            newest, reasons, pages = _newest_articles(connection), _last_reasons(connection), ledgers(connection)
            failures = _rule_failures(connection)
            return [
                SiteStatus(
                    domain=row.domain,
                    name=row.name,
                    active=row.active,
                    rule_error=row.rule_error,
                    feeds=tuple(of_site[row.domain]),
                    pages=pages.get(row.domain, _NONE),
                    last_success=_latest(feed.last_success for feed in of_site[row.domain]),
                    last_article=newest.get(row.domain),
                    rule_failure=failures.get(row.domain),
                    last_reason=reasons.get(row.domain),
                    next_poll=next_polls.get(row.domain) if row.active else None,
                )
                for row in connection.execute(sa.select(sites).order_by(sites.c.domain))
            ]


def _feeds_by_site(connection: sa.Connection) -> dict[str, list[FeedStatus]]:
    found: dict[str, list[FeedStatus]] = defaultdict(list)
    for row in connection.execute(sa.select(feeds).order_by(feeds.c.listed_url)):
        found[row.site].append(_feed(row))
    return found


def _latest(times: Iterable[datetime | None]) -> datetime | None:
    return max((time for time in times if time is not None), default=None)


def _next_polls(connection: sa.Connection) -> dict[str, datetime]:
    query = sa.select(feeds.c.site, sa.func.min(feeds.c.next_poll)).where(POLLED).group_by(feeds.c.site)
    return dict(connection.execute(query).all())


def _newest_articles(connection: sa.Connection) -> dict[str, datetime]:
    newest = (
        sa.select(sa.func.max(documents.c.fetched_at))
        .where(documents.c.site == sites.c.domain, documents.c.kind == Kind.ARTICLE.value)
        .scalar_subquery()
    )
    return {domain: time for domain, time in connection.execute(sa.select(sites.c.domain, newest)) if time is not None}


def _rule_failures(connection: sa.Connection) -> dict[str, str]:
    """Why the rule gave no text of the newest article, of each site where it did not."""
    reason = sa.case((documents.c.rule_version.is_(None), documents.c.reason))
    newest = (
        sa.select(reason)
        .where(documents.c.site == sites.c.domain, documents.c.kind == Kind.ARTICLE.value)
        .order_by(documents.c.fetched_at.desc(), documents.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    found = connection.execute(sa.select(sites.c.domain, newest))
    return {domain: failure for domain, failure in found if failure is not None}


def _last_reasons(connection: sa.Connection) -> dict[str, str]:
    """The newest reason of each site for which a page did not become an article, or waits."""
    fine = frontier.c.outcome.in_([Outcome.STORED.value, Outcome.DUPLICATE.value])
    given = sa.and_(sa.or_(frontier.c.outcome.is_(None), sa.not_(fine)), frontier.c.reason.is_not(None))
    newest = sa.func.coalesce(frontier.c.done_at, frontier.c.due).desc()
    place = sa.func.row_number().over(partition_by=frontier.c.site, order_by=newest)
    ranked = sa.select(frontier.c.site, frontier.c.reason, place.label("place")).where(given).subquery()
    query = sa.select(ranked.c.site, ranked.c.reason).where(ranked.c.place == 1)
    return dict(connection.execute(query).all())


def _feed(row: Any) -> FeedStatus:
    return FeedStatus(
        id=row.id,
        url=row.url,
        listed_url=row.listed_url,
        site=row.site,
        status=row.status,
        http_status=row.http_status,
        feed_state=row.feed_state,
        last_poll=row.last_poll,
        last_success=row.last_success,
        last_new=row.last_new,
        next_poll=row.next_poll if row.status != "unlisted" else None,
        error=row.error,
        error_since=row.error_since,
        errors=row.errors,
    )
