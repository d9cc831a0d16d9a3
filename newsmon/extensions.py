"""What runs beside a crawl: keeping leases, saving the Bloom filter, stopping in time."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import signals

from newsmon.crawl.downloader import PoliteDownloader
from newsmon.crawl.fetchpolicy import FetchDecision
from newsmon.crawl.runtime import Runtime
from newsmon.crawl.stopping import FAILED, Settled
from newsmon.errors import StoreError, StoreUnavailable
from newsmon.model import Document, Lease, Outcome

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Self

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class LeaseKeeper:
    """Renews the leases of this process, ends work that failed on the way, and gives everything back at the end."""

    def __init__(self, runtime: Runtime, ttl: float) -> None:
        self._runtime, self._ttl = runtime, ttl
        self._task: asyncio.Task[None] | None = None
        self._mending: set[asyncio.Task[None]] = set()
        self._store_failed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to the ends that an item can come to."""
        self = cls(Runtime.of(crawler), crawler.settings.getfloat("NEWSMON_LEASE_SECONDS"))
        for handler, signal in (
            (self.item_scraped, signals.item_scraped),
            (self.item_dropped, signals.item_dropped),
            (self.item_error, signals.item_error),
            (self.spider_error, signals.spider_error),
            (self.spider_closed, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal=signal)
        return self

    async def item_scraped(self, item: Any, response: Any, spider: Any) -> None:
        """The pipelines are through with a page; one that none of them stored would be leased for ever."""
        work = _work(response)
        if isinstance(item, Document) or (work is not None and item is None):
            await self._mend(spider, work, ValueError("no pipeline stored the page: is StoragePipeline the last?"))
        self._ended(work)

    async def item_dropped(self, response: Any, exception: Exception, spider: Any) -> None:
        """A page was put aside: by newsmon, which has settled its row, or by a pipeline of the user's."""
        work = _work(response)
        if isinstance(work, Lease) and not isinstance(exception, Settled):
            reason = f"dropped by a pipeline: {exception}"
            await spider.settle(work, FetchDecision(reason, outcome=Outcome.REFUSED))
        self._ended(work)

    def _ended(self, work: Any) -> None:
        if work is not None and self._runtime.dispatcher is not None:
            self._runtime.dispatcher.done(work)

    async def item_error(self, response: Any, failure: Any, spider: Any) -> None:
        """A pipeline failed: the page is fetched again later, the reason is kept."""
        work = _work(response)
        if work is not None:
            await self._mend(spider, work, failure.value)

    def spider_error(self, response: Any, failure: Any, spider: Any) -> None:
        """A callback failed: the same. Scrapy sends this signal without waiting, so a task of its own does it."""
        work = _work(response)
        if work is not None:
            self._beside(self._mend(spider, work, failure.value))

    async def _mend(self, spider: Any, work: Any, error: BaseException) -> None:
        try:
            await spider.broke(work, error)
        except StoreError as failure:
            # Nothing can be stored and no work be ended any more: going on would only fetch in vain.
            if not self._store_failed:
                self._store_failed = True
                logger.critical("The store has failed, the crawl ends: %s", failure)
                self._beside(spider.crawler.engine.close_spider_async(reason=FAILED))
        finally:
            self._ended(work)  # whatever happens here, the host must not be blocked

    def _beside(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._mending.add(task)
        task.add_done_callback(self._mending.discard)

    def start(self) -> None:
        """Begin to renew leases; the spider calls this when it has opened the store."""
        self._task = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._ttl / 3)
            await self._runtime.gate.attempt(self._runtime.store.renew, datetime.now(UTC), ttl=self._ttl)

    def spider_closed(self) -> None:
        """Give unfinished work back and close the store."""
        if self._task is not None:
            self._task.cancel()
            self._release()
        self._runtime.close()

    def _release(self) -> None:
        try:
            self._runtime.store.release(datetime.now(UTC), last_fetch=self._runtime.last_fetches())
        except StoreUnavailable as error:
            logger.warning("Unfinished work could not be given back; it is when the next crawl starts: %s", error)
        except StoreError as error:
            logger.error("Unfinished work could not be given back: %s", error)


class SeenSaver:
    """Writes the Bloom filter to disk every ten minutes and at the end."""

    INTERVAL = 600.0

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Save at the end of the crawl."""
        self = cls(Runtime.of(crawler))
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)
        return self

    def start(self) -> None:
        """Begin to save; the spider calls this when it has opened the store."""
        self._task = asyncio.get_running_loop().create_task(self._save_often())

    async def _save_often(self) -> None:
        while True:
            await asyncio.sleep(self.INTERVAL)
            self.save()

    def save(self) -> None:
        """Write the filter; without it the next start rebuilds it from the database, so a full disk only costs time."""
        try:
            self._runtime.seen.save(self._runtime.seen_path)
        except OSError as error:
            logger.warning(
                "The filter of seen URLs could not be saved (%s); it will be rebuilt at the next start.", error
            )

    def spider_closed(self) -> None:
        """Save once more."""
        if self._task is not None:
            self._task.cancel()
            self.save()


class StopPatience:
    """Lets a stop wait for requests under way only so long; their leases are given back, and nothing is lost.

    Without it a slow server or a long crawl-delay would hold up SIGTERM for minutes.
    """

    LOOK = 0.25  # seconds; Scrapy has no signal for the beginning of a stop

    def __init__(self, crawler: Crawler, patience: float) -> None:
        self._crawler, self._patience = crawler, patience
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Watch the engine from its start to the end of the crawl."""
        self = cls(crawler, crawler.settings.getfloat("NEWSMON_STOP_PATIENCE"))
        crawler.signals.connect(self.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)
        return self

    def spider_opened(self) -> None:
        """Begin to watch."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        engine = self._crawler.engine
        while not engine.running:
            await asyncio.sleep(self.LOOK)
        while engine.running:
            await asyncio.sleep(self.LOOK)
        await asyncio.sleep(self._patience)
        if isinstance(engine.downloader, PoliteDownloader):
            engine.downloader.let_go()

    def spider_closed(self) -> None:
        """The stop has come to its end."""
        if self._task is not None:
            self._task.cancel()


def _work(response: Any) -> Any:
    request = getattr(response, "request", None)
    return request.meta.get("work") if request is not None else None
