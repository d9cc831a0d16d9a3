"""The main job: ``scrapy crawl news`` polls feeds when they are due and fetches the articles they name.

::

    store.lease_work ─> feed request ─> parse_feed ─> feeds.parse_feed ─> polling.decide ─> store.record_poll
          ^                                                                                      |
          |                                                             frontier rows (PENDING) <'
          '──> page request ─> parse_page ─> item pipelines ─> store.finish (article + frontier row DONE)
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from newsmon.crawl.downloader import HostHeld
from newsmon.crawl.stopping import CrawlStopped
from newsmon.errors import LeaseLost
from newsmon.feeds.http_hints import parse_cache_control, parse_retry_after, permanent_target
from newsmon.feeds.parse import parse_feed
from newsmon.feeds.policies import POLICIES
from newsmon.feeds.polling import PollDecision, PollLimits, PollResult, PollState, decide
from newsmon.feeds.sitemap import both_ends
from newsmon.model import FeedState
from newsmon.spiders.articles import ArticleSpider, header, header_dict, rule_headers
from newsmon.storage import FeedLease, NewUrl
from newsmon.urls import host_of

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsmon.model import Entry, FeedDocument
    from newsmon.siterules import PollingRule

LARGE_FEED = 512 * 1024  # bytes from which a feed is read in a thread, beside the event loop
ERRORS_AFTER_MOVE = 3
MAX_CHILDREN = 10  # sitemaps of an index that are read at one poll; the newest come first
INDEX = re.compile(rb"<(?:\w+:)?sitemapindex[\s>]")
BROKEN = {FeedState.HTML, FeedState.UNREADABLE}


class NewsSpider(ArticleSpider):
    """Follows feeds to article pages, for ever or once over what is due.

    ``scrapy crawl news`` sleeps until the next feed is due; ``-a once=1`` ends when nothing is;
    ``-a sites=zarya.example,courier.example`` takes only these.
    """

    name = "news"

    async def request_for(self, work: Any) -> Request | None:
        """Return the request for a leased feed or page."""
        return self.feed_request(work) if isinstance(work, FeedLease) else await self.page_request(work)

    # --- feeds --------------------------------------------------------------------------------------------------------

    def feed_request(self, feed: FeedLease) -> Request:
        """Return the request of a feed, conditional unless it is time for a full answer."""
        headers = rule_headers(self.runtime.library.sites.get(feed.site))
        if feed.poll_state is not None and feed.poll_state.conditional:
            validators = {"If-None-Match": feed.etag, "If-Modified-Since": feed.last_modified}
            headers.update({name: value for name, value in validators.items() if value})
        errors = feed.poll_state.errors if feed.poll_state is not None else 0
        # A feed that moved and then fails may be back where the rule file says it is: every other try is there.
        url = feed.listed_url if errors >= ERRORS_AFTER_MOVE and errors % 2 else feed.url
        return Request(
            url,
            callback=self.parse_feed,
            errback=self.feed_failed,
            headers=headers,
            meta={"work": feed},
            priority=1,
            dont_filter=True,
        )

    async def parse_feed(self, response: Response) -> None:
        """Read a feed, decide when to poll it next, and write its new links to the frontier."""
        with suppress(CrawlStopped):  # the feed is given back as it was
            await self._poll(response.meta["work"], response)

    async def _poll(self, feed: FeedLease, response: Response) -> None:
        result = self._result(response)
        if not 200 <= response.status < 300:
            await self._record(feed, result, [], None)
            errors = feed.poll_state.errors if feed.poll_state is not None else 0
            await self.hold(host_of(response.url), self._judge(response, errors).hold_host)
            return
        sitemaps: list[Response] = []
        if _is_index(response):
            # An index stays the same while the sitemaps in it change: it is followed every time, validators or not.
            sitemaps = await self._sitemaps(response)
            result = replace(result, etag=None, last_modified=None)
        digest = _digest([response, *sitemaps])
        entries: list[NewUrl] = []
        if digest != feed.body_sha256:
            result, entries = await self._news(response, sitemaps, feed, result)
        await self._record(feed, result, entries, digest)

    async def _news(
        self, response: Response, sitemaps: list[Response], feed: FeedLease, result: PollResult
    ) -> tuple[PollResult, list[NewUrl]]:
        """What a changed body brings: links not met before, and known ones with a time of change."""
        document = await self._read(response, sitemaps)
        links = list(self.links(document.entries, site=feed.site))
        new = await self._unknown(links)
        result = replace(result, changed=True, feed=document, new=len(new), total=len(document.entries))
        return result, [link for link in links if link.key in new or _was_edited(link.entry)]

    async def feed_failed(self, failure: Failure) -> None:
        """Back off from a feed that gave no answer."""
        feed: FeedLease = failure.request.meta["work"]  # type: ignore[attr-defined]
        error = failure.value
        if isinstance(error, CrawlStopped):
            return
        reason = str(error) if isinstance(error, IgnoreRequest) else f"{type(error).__name__}: {error}"[:300]
        host = urlsplit(failure.request.url).hostname or feed.host  # type: ignore[attr-defined]
        refused = self.runtime.refused_address(host)
        if refused is not None:
            reason = f"{host} resolves to the private address {refused}"
        wait = error.seconds if isinstance(error, HostHeld) else None
        await self._record(feed, PollResult(at=datetime.now(UTC), error=reason, retry_after=wait), [], None)

    def _result(self, response: Response) -> PollResult:
        now = datetime.now(UTC)
        hops = zip(
            response.meta.get("redirect_reasons", []),
            [*response.meta.get("redirect_urls", [])[1:], response.url],
            strict=False,
        )
        return PollResult(
            at=now,
            status=response.status,
            not_modified=response.status == 304,
            retry_after=parse_retry_after(header(response, "Retry-After") or None, now),
            max_age=parse_cache_control(header_dict(response), now),
            etag=header(response, "ETag") or None,
            last_modified=header(response, "Last-Modified") or None,
            moved_to=permanent_target(hops) or _moved_back(response),
        )

    async def _sitemaps(self, index: Response) -> list[Response]:
        """Fetch the newest sitemaps of an index, and of the indexes in it."""
        pending = list((await self._feed_document(index)).children[:MAX_CHILDREN])
        seen: set[str] = set()
        found: list[Response] = []
        while pending and len(seen) < MAX_CHILDREN * 2:
            url = pending.pop(0)
            if url in seen:
                continue
            seen.add(url)
            response = await self.fetch_sitemap(url, site=index.meta["work"].site)
            if response is None:
                continue
            found.append(response)
            if _is_index(response):
                pending.extend((await self._feed_document(response)).children[:MAX_CHILDREN])
        return found

    async def _read(self, response: Response, sitemaps: list[Response]) -> FeedDocument:
        """The feed; an index with the entries of its sitemaps."""
        document = await self._feed_document(response)
        entries = list(document.entries)
        for sitemap in sitemaps:
            entries.extend((await self._feed_document(sitemap)).entries)
        limit = self.settings.getint("NEWSMON_MAX_ENTRIES")
        state = FeedState.OK if entries and document.state is FeedState.EMPTY else document.state
        return replace(document, entries=tuple(_newest(entries, limit)), state=state)

    async def _feed_document(self, response: Response) -> FeedDocument:
        arguments: dict[str, Any] = {
            "url": response.url,
            "content_type": header(response, "Content-Type") or None,
        }
        if len(response.body) < LARGE_FEED:
            return parse_feed(response.body, **arguments)
        return await asyncio.to_thread(parse_feed, response.body, **arguments)

    async def _unknown(self, links: list[NewUrl]) -> set[str]:
        """Keys not met before: the filter answers for most new ones, the database confirms every hit."""
        hits = {link.key for link in links if link.key in self.runtime.seen}
        misses = {link.key for link in links} - hits
        return misses | await self.runtime.gate.attempt(self.runtime.store.unknown, hits)

    async def _record(self, feed: FeedLease, result: PollResult, entries: list[NewUrl], digest: str | None) -> None:
        runtime, now = self.runtime, datetime.now(UTC)
        decision = self._decide(feed, result, now)
        # An unchanged body may come under a new validator, which the next request must name.
        full = digest is not None and (result.feed is None or result.feed.state not in BROKEN)
        try:
            added = await runtime.gate.attempt(
                runtime.store.record_poll,
                feed,
                decision,
                entries,
                now=now,
                http_status=result.status,
                feed_state=result.feed.state if result.feed is not None else None,
                etag=result.etag if full else None,
                last_modified=result.last_modified if full else None,
                body_sha256=digest if full else None,
                error=decision.reason if decision.state.errors else None,
            )
        except CrawlStopped:
            return
        except LeaseLost as error:
            self.logger.info("%s", error)
            added = 0
        for link in entries:
            runtime.seen.add(link.key)
        if decision.state.errors:
            self.logger.warning("The feed %s of %s: %s", feed.url, feed.site, decision.reason)
        assert runtime.dispatcher is not None
        runtime.dispatcher.done(feed)
        if added:
            runtime.dispatcher.wake()

    def _decide(self, feed: FeedLease, result: PollResult, now: datetime) -> PollDecision:
        rules = self.runtime.library.sites.get(feed.site)
        polling = rules.polling if rules is not None else None
        name = feed.policy or (polling.policy if polling else None) or self.settings["NEWSMON_POLLING"]
        return decide(
            feed.poll_state or PollState(),
            result,
            policy=POLICIES[name](self.settings.getfloat("NEWSMON_POLL_BUDGET")),
            limits=self._limits(polling),
            now=now,
            jitter=random.uniform(-1, 1),
        )

    def _limits(self, polling: PollingRule | None) -> PollLimits:
        """The bounds of the rule file where it names them; the other side gives way where they contradict."""
        minimum, maximum = self.settings.getfloat("NEWSMON_POLL_MIN"), self.settings.getfloat("NEWSMON_POLL_MAX")
        if polling is not None and polling.min_minutes is not None:
            minimum = polling.min_minutes * 60
            maximum = max(maximum, minimum)
        if polling is not None and polling.max_minutes is not None:
            maximum = polling.max_minutes * 60
            minimum = min(minimum, maximum)
        return PollLimits(minimum, maximum, self.settings.getint("NEWSMON_FULL_GET_EVERY"))

    async def broke(self, work: Any, error: BaseException) -> None:
        """Back off from a feed on which newsmon itself failed."""
        if isinstance(work, FeedLease):
            reason = f"newsmon failed: {type(error).__name__}: {error}"[:300]
            await self._record(work, PollResult(at=datetime.now(UTC), error=reason), [], None)
        else:
            await super().broke(work, error)


def _moved_back(response: Response) -> str | None:
    """The listed address of a feed that had moved away and answers there again."""
    feed: FeedLease = response.meta["work"]
    asked = response.meta.get("redirect_urls", [response.url])[0]
    return feed.listed_url if asked == feed.listed_url != feed.url else None


def _newest(entries: list[Entry], limit: int) -> list[Entry]:
    """At most ``limit`` entries: the newest by what they state, and of those without a time both ends of the feed."""
    if len(entries) <= limit:
        return entries
    dated = [entry for entry in entries if entry.updated or entry.published]
    dated.sort(key=lambda entry: entry.updated or entry.published or datetime.min.replace(tzinfo=UTC), reverse=True)
    undated = [entry for entry in entries if not (entry.updated or entry.published)]
    return [*dated, *both_ends(undated)][:limit]


def _is_index(response: Response) -> bool:
    return INDEX.search(response.body, 0, 4096) is not None


def _digest(responses: list[Response]) -> str:
    digest = hashlib.sha256()
    for response in responses:
        digest.update(response.body)
    return digest.hexdigest()


def _was_edited(entry: Entry | None) -> bool:
    return entry is not None and entry.updated is not None
