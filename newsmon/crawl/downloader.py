"""Scrapy's downloader with per-host delays that hold, and its HTTP handler behind the network guard."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from scrapy.core.downloader import Downloader, Slot
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from twisted.python.failure import Failure

from newsmon.crawl.resolver import GuardedResolver
from newsmon.crawl.runtime import Runtime
from newsmon.crawl.stopping import CrawlStopped
from newsmon.urls import host_of

if TYPE_CHECKING:
    from typing import Any

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

MOMENT = 1e-3  # seconds


class PoliteDownloader(Downloader):
    """Gives every slot the delay that :class:`~newsmon.crawl.politeness.Politeness` asks for, each time it is used.

    Scrapy forgets an idle slot after 60 s and makes it anew with the default delay; its jitter goes below the delay; a
    redirect to another host waits in the slot of the first; a delay counts from the beginning of a request, which may
    reach the server late; and a new process starts without knowing when the last one asked. All are mended here.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._politeness = Runtime.of(crawler).politeness
        self._under_way: set[asyncio.Task[Any]] = set()
        self._let_go = False

    def get_slot_key(self, request: Request) -> str:
        """The host that is asked."""
        return host_of(request.url)

    def _process_queue(self, slot: Slot) -> None:
        if slot.queue:
            self._obey(self.get_slot_key(slot.queue[0][0]), slot)
        super()._process_queue(slot)

    def _obey(self, host: str, slot: Slot) -> None:
        delay, half = self._politeness.delay(host), self._politeness.jitter / 2
        ready = self._politeness.ready_at(host)
        if ready > monotonic():
            delay = max(delay, MOMENT)  # Scrapy lets a slot without a delay wait for nothing, not for a held host either
        # Scrapy draws from delay * (1 ± jitter); stretched like this it draws from delay .. delay * (1 + 2 * half).
        slot.delay = max(slot.delay if self._throttled else 0.0, delay * (1 + half))
        slot.jitter = half / (1 + half)
        slot.lastseen = max(slot.lastseen, ready - delay)

    @property
    def _throttled(self) -> bool:
        return self.settings.getbool("AUTOTHROTTLE_ENABLED")

    async def _download(self, slot: Slot, request: Request) -> Response:
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            return await super()._download(slot, request)
        except asyncio.CancelledError as error:
            raise CrawlStopped(request.url) from error
        finally:
            self._under_way.discard(task)

    async def _enqueue_request(self, request: Request) -> Response:
        if self._let_go:
            raise CrawlStopped(request.url)
        return await super()._enqueue_request(request)

    def let_go(self) -> None:
        """End all downloads with :class:`CrawlStopped`, those that wait for their delay too, and begin no more."""
        self._let_go = True
        for slot in self.slots.values():
            while slot.queue:
                request, answer = slot.queue.popleft()
                answer.errback(Failure(CrawlStopped(request.url)))
        for task in self._under_way:
            task.cancel()


class GuardedDownloadHandler(HTTP11DownloadHandler):
    """HTTP through the guarded resolver; through the browser for requests that ask for it."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._runtime = Runtime.of(crawler)

    async def download_request(self, request: Request) -> Response:
        """Fetch one request; the address is checked where the connection is made."""
        self._guard()
        host = host_of(request.url)
        self._runtime.politeness.seen(host)
        try:
            if request.meta.get("playwright"):
                return await self._runtime.browser.download(request, host)
            return await super().download_request(request)
        finally:
            self._runtime.politeness.seen(host)

    async def close(self) -> None:
        """Close pooled connections and, when one was started, the browser."""
        await super().close()
        await self._runtime.close_browser()

    def _guard(self) -> None:
        from twisted.internet import reactor  # noqa: PLC0415 - importing it installs a reactor

        # Scrapy installs its own resolver when the process starts, after the handlers were made.
        if reactor.nameResolver is not self._runtime.resolver:
            current = reactor.nameResolver
            if isinstance(current, GuardedResolver):
                current = current.fallback
            self._runtime.resolver = GuardedResolver(current, self._runtime.policy, connect_to=self._runtime.connect_to)
            reactor.installNameResolver(self._runtime.resolver)
