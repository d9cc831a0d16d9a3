"""Scrapy's downloader with per-host delays that hold, and its HTTP handler behind the network guard."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING

from scrapy.core.downloader import Downloader, Slot
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.exceptions import IgnoreRequest
from twisted.python.failure import Failure

from newsmon.crawl.fetchpolicy import DAY
from newsmon.crawl.headlimit import HeadLimitedFactory
from newsmon.crawl.resolver import GuardedResolver
from newsmon.crawl.runtime import Runtime
from newsmon.crawl.stopping import CrawlStopped
from newsmon.errors import UrlError
from newsmon.feeds.http_hints import parse_retry_after
from newsmon.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

MOMENT = 1e-3  # seconds
BUSY = frozenset({429, 503})
PATIENCE = 60.0  # seconds for which a request waits for a host that is held


class HostHeld(IgnoreRequest):
    """The host asked to be left alone, for longer than a request can wait.

    :param seconds: for how long.
    """

    def __init__(self, url: str, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"{url}: the host asked to be left alone for {seconds:.0f} s")


class PoliteDownloader(Downloader):
    """Gives every slot the delay that :class:`~newsmon.crawl.politeness.Politeness` asks for, each time it is used.

    Scrapy forgets an idle slot after 60 s and makes it anew with the default delay; its jitter goes below the delay; a
    redirect to another host waits in the slot of the first; a delay counts from the beginning of a request, which may
    reach the server late; AutoThrottle lowers a crawl-delay step by step, because it knows only ``DOWNLOAD_DELAY``; and
    a new process starts without knowing when the last one asked. All are mended here.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._politeness = Runtime.of(crawler).politeness
        self._under_way: set[asyncio.Task[Any]] = set()
        self._let_go = False

    def get_slot_key(self, request: Request) -> str:
        """The host that is asked; Scrapy wants to know before the guard has refused what has none."""
        try:
            return host_of(request.url)
        except UrlError:
            return ""

    def _process_queue(self, slot: Slot) -> None:
        if slot.queue:
            host = self.get_slot_key(slot.queue[0][0])
            held = self._politeness.held(host)
            if held > PATIENCE:
                _turn_away(slot, lambda url: HostHeld(url, held))
                return
            self._obey(host, slot)
        super()._process_queue(slot)

    def _obey(self, host: str, slot: Slot) -> None:
        delay, half = self._politeness.delay(host), self._politeness.jitter / 2
        ready = self._politeness.ready_at(host)
        if ready > monotonic():
            delay = max(delay, MOMENT)  # a slot without a delay would not wait for a held host
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
            _turn_away(slot, CrawlStopped)
        for task in self._under_way:
            task.cancel()


def _turn_away(slot: Slot, reason: Callable[[str], Exception]) -> None:
    """End the requests that wait in a slot."""
    while slot.queue:
        request, answer = slot.queue.popleft()
        answer.errback(Failure(reason(request.url)))  # type: ignore[no-untyped-call]


class GuardedDownloadHandler(HTTP11DownloadHandler):
    """HTTP through the guarded resolver; through the browser for requests that ask for it."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = HeadLimitedFactory
        self._runtime = Runtime.of(crawler)

    async def download_request(self, request: Request) -> Response:
        """Fetch one request, and leave a host alone that answers with Retry-After."""
        host, politeness = host_of(request.url), self._runtime.politeness
        politeness.seen(host)
        try:
            response = await self._download(request, host)
        finally:
            politeness.seen(host)
        if response.status in BUSY:
            asked = (response.headers.get("Retry-After") or b"").decode("latin-1")
            politeness.hold(host, min(parse_retry_after(asked, datetime.now(UTC)) or 0.0, DAY))
        return response

    async def _download(self, request: Request, host: str) -> Response:
        """The address is checked where the connection is made."""
        self._guard()
        if request.meta.get("playwright"):
            return await self._runtime.browser.download(request, host)
        return await super().download_request(request)

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
