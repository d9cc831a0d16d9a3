"""Scrapy's downloader with per-host delays that hold, and its HTTP handler behind the network guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader import Downloader, Slot
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.utils.httpobj import urlparse_cached

from newsmon.crawl.resolver import GuardedResolver
from newsmon.crawl.runtime import Runtime

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class PoliteDownloader(Downloader):
    """Gives every slot the delay that :class:`~newsmon.crawl.politeness.Politeness` asks for, each time it is used.

    Scrapy forgets an idle slot after 60 s and makes it anew with the default delay; its jitter goes below the delay;
    and a new process starts without knowing when the last one asked. All three are mended here.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._politeness = Runtime.of(crawler).politeness

    def _get_slot(self, request: Request, spider: Spider | None = None) -> tuple[str, Slot]:
        key, slot = super()._get_slot(request)
        delay = self._politeness.delay(key)
        stretch = 1 + self._politeness.jitter
        # Scrapy draws from delay * (1 ± jitter); stretched like this the draw never falls below the delay.
        slot.delay = max(slot.delay if self._throttled else 0.0, delay * stretch)
        slot.jitter = self._politeness.jitter / stretch
        ready = self._politeness.ready_at(key)
        slot.lastseen = max(slot.lastseen, ready - delay)
        return key, slot

    @property
    def _throttled(self) -> bool:
        return self.settings.getbool("AUTOTHROTTLE_ENABLED")

    async def _download(self, slot: Slot, request: Request) -> Response:
        self._politeness.seen(self.get_slot_key(request))
        return await super()._download(slot, request)


class GuardedDownloadHandler(HTTP11DownloadHandler):
    """HTTP through the guarded resolver; through the browser for requests that ask for it."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._runtime = Runtime.of(crawler)

    async def download_request(self, request: Request) -> Response:
        """Fetch one request; the address is checked where the connection is made."""
        self._guard()
        if request.meta.get("playwright"):
            return await self._runtime.browser.download(request, urlparse_cached(request).hostname or "")
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
