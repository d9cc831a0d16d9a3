"""The robots.txt of every origin a crawl meets: from memory, from the store, or fetched.

::

    file(url) ─> memory (fresh?) ─> store (fresh?) ─> fetch ─> RobotsFile ─> store, memory, crawl-delay
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from newsmon.crawl.network import NETWORK_ERRORS
from newsmon.feeds.http_hints import parse_cache_control, parse_retry_after
from newsmon.robots import MAX_REDIRECTS, RobotsFile, RobotsPolicy
from newsmon.storage import StoredRobots
from newsmon.urls import host_of, origin_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsmon.crawl.gate import Gate
    from newsmon.crawl.politeness import Politeness
    from newsmon.model import RobotsVerdict
    from newsmon.storage import Store

logger = logging.getLogger(__name__)

REMEMBERED = 20_000  # origins; a record is little more than the text of its file
TIMEOUT = 30.0  # seconds for a robots.txt, where DOWNLOAD_TIMEOUT is not shorter
KEPT = ("status", "body", "fetched_at", "max_age", "failure", "unreachable_since", "tried_at", "retry_after")

Fetch = Callable[[str], Awaitable["Response"]]


class RobotsCache:
    """Gives the :class:`~newsmon.robots.RobotsFile` in force for a URL, one fetch per origin at a time.

    :param fetch: downloads a robots.txt, redirects followed; raises what Scrapy raises.
    :param store: where files are kept across restarts; None: nowhere.
    :param agent: product token matched against the ``User-agent`` lines.
    """

    def __init__(
        self,
        fetch: Fetch,
        store: Callable[[], Store | None],
        gate: Callable[[], Gate],
        politeness: Politeness,
        *,
        agent: str,
        policy: RobotsPolicy,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._fetch, self._store, self._gate, self._politeness = fetch, store, gate, politeness
        self._agent, self._policy, self._now = agent, policy, now
        self._files: OrderedDict[str, RobotsFile] = OrderedDict()
        self._fetching: dict[str, asyncio.Task[RobotsFile]] = {}

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, store: Callable[[], Store | None], gate: Callable[[], Gate], politeness: Politeness
    ) -> RobotsCache:
        """Fetch through the crawl itself, so that guard, limits and delays hold for robots.txt too."""
        settings = crawler.settings
        timeout = min(settings.getfloat("DOWNLOAD_TIMEOUT"), TIMEOUT)

        async def fetch(url: str) -> Response:
            meta = {"dont_obey_robotstxt": True, "redirect_ttl": MAX_REDIRECTS, "download_timeout": timeout}
            request = Request(url, callback=NO_CALLBACK, meta=meta, priority=1000, dont_filter=True)
            assert crawler.engine is not None
            return await crawler.engine.download_async(request)

        agent = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        policy = RobotsPolicy(max_delay=settings.getfloat("NEWSMON_MAX_CRAWL_DELAY"))
        return cls(fetch, store, gate, politeness, agent=agent, policy=policy)

    async def file(self, url: str) -> RobotsFile:
        """Return the file in force for a URL."""
        origin = str(origin_of(url))
        known = self._files.get(origin)
        if known is None:
            known = await self._stored(origin)
        if known is not None and known.expires_at > self._now():
            self._remember(origin, known)
            return known
        if origin not in self._fetching:
            task = asyncio.get_running_loop().create_task(self._update(origin, known))
            self._fetching[origin] = task
            task.add_done_callback(lambda _: self._fetching.pop(origin, None))
        # A request that is cancelled must not take the fetch away from the others that wait for it.
        return await asyncio.shield(self._fetching[origin])

    def verdict(self, file: RobotsFile, url: str) -> RobotsVerdict:
        """What the file says of a URL to us."""
        return file.verdict(url, self._agent)

    async def allows(self, url: str) -> bool:
        """Whether robots.txt allows a URL; for the browser's own requests."""
        return self.verdict(await self.file(url), url).allowed

    async def _update(self, origin: str, previous: RobotsFile | None) -> RobotsFile:
        file = await self._ask(f"{origin}/robots.txt", previous)
        self._remember(origin, file)
        store = self._store()
        if store is not None:
            kept = {name: getattr(file, name) for name in KEPT}
            await self._gate().attempt(store.save_robots, StoredRobots(origin, **kept))
        if file.failure is not None:
            logger.warning(
                "%s/robots.txt cannot be read (%s): the host is left alone until it can be", origin, file.failure
            )
        return file

    async def _ask(self, url: str, previous: RobotsFile | None) -> RobotsFile:
        now = self._now()
        try:
            response = await self._fetch(url)
        except IgnoreRequest as error:
            if "max redirections" in str(error):  # RFC 9309 2.3.1.2: too many hops mean there is none
                return RobotsFile.from_response(310, b"", now, policy=self._policy)
            return RobotsFile.from_failure(str(error), now, previous=previous, policy=self._policy)
        except NETWORK_ERRORS as error:
            return RobotsFile.from_failure(_reason(error), now, previous=previous, policy=self._policy)
        headers = {
            name.decode("latin-1").lower(): values[-1].decode("latin-1") for name, values in response.headers.items()
        }
        return RobotsFile.from_response(
            response.status,
            response.body,
            now,
            max_age=parse_cache_control(headers, now) or None,
            retry_after=parse_retry_after(headers.get("retry-after"), now),
            previous=previous,
            policy=self._policy,
        )

    def _remember(self, origin: str, file: RobotsFile) -> None:
        if self._files.get(origin) is not file:
            self._politeness.ask(host_of(origin), origin, file.crawl_delay(self._agent))
        self._files[origin] = file
        self._files.move_to_end(origin)
        if len(self._files) > REMEMBERED:
            self._files.popitem(last=False)

    async def _stored(self, origin: str) -> RobotsFile | None:
        store = self._store()
        stored = None if store is None else await self._gate().attempt(store.robots, origin)
        if stored is None:
            return None
        return RobotsFile(**{name: getattr(stored, name) for name in KEPT}, policy=self._policy)


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
