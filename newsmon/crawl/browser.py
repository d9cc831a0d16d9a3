"""The browser for sites that need one: found by itself, started on first use, guarded, with a page budget."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

from newsmon.crawl.guardproxy import GuardProxy
from newsmon.errors import AddressRefused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsmon.addresses import AddressPolicy
    from newsmon.siterules import BrowserRule

EXECUTABLES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
BLOCKED_RESOURCES = frozenset({"image", "media", "font"})
LAUNCH_ARGUMENTS = (
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
ROBOTS_PATIENCE = 10.0  # seconds a sub-request waits for the robots.txt of its host before it is dropped


def find_executable(configured: str | None = None) -> str | None:
    """Path of the browser: the configured one, else the first of :data:`EXECUTABLES` on the PATH."""
    if configured:
        return shutil.which(configured)
    return next(filter(None, map(shutil.which, EXECUTABLES)), None)


def missing(configured: str | None = None) -> str | None:
    """Say in one sentence why no browser can be used, or None when one can."""
    if importlib.util.find_spec("scrapy_playwright") is None:
        return "needs a browser: install scrapy-playwright (pip install scrapy-playwright)"
    if find_executable(configured) is None:
        return "needs a browser: install chromium (Debian: apt-get install chromium) or set NEWSMON_BROWSER to its path"
    return None


class Browser:
    """Downloads requests whose meta asks for ``playwright``, through the network guard.

    A context per site is closed after ``budget`` pages, because browsers grow with every page they have shown.

    :param allowed: robots.txt for the browser's own requests: an awaitable yes or no for a URL.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        policy: AddressPolicy,
        connect_to: Mapping[str, str],
        allowed: Callable[[str], Awaitable[bool]],
        executable: str | None,
        budget: int = 50,
    ) -> None:
        self._crawler, self._policy, self._allowed, self._budget = crawler, policy, allowed, budget
        self._executable = executable
        self._proxy = GuardProxy(policy, connect_to)
        self._lock = asyncio.Lock()
        self._handler: Any = None
        self._shown: Counter[str] = Counter()
        self._open: Counter[str] = Counter()

    @staticmethod
    def ask(request: Request, rule: BrowserRule) -> Request:
        """Return the request with the meta that sends it through the browser and waits for the rule's selector."""
        from scrapy_playwright.page import PageMethod  # noqa: PLC0415 - optional: only sites with a browser rule need it

        milliseconds = rule.timeout * 1000
        methods = [PageMethod("wait_for_selector", rule.wait_for, timeout=milliseconds)] if rule.wait_for else []
        request.meta.update(
            playwright=True,
            playwright_page_methods=methods,
            playwright_page_goto_kwargs={"wait_until": "domcontentloaded", "timeout": milliseconds},
            playwright_context_kwargs={"accept_downloads": False, "service_workers": "block"},
        )
        return request

    async def download(self, request: Request, site: str) -> Response:
        """Fetch one request in the context of its site."""
        handler = await self._started()
        context = f"{site}#{self._shown[site] // self._budget}"
        request.meta["playwright_context"] = context
        self._shown[site] += 1
        self._open[context] += 1
        try:
            response: Response = await handler.download_request(request)
            return response
        finally:
            self._open[context] -= 1
            await self._retire(site, context)

    async def close(self) -> None:
        """Close the browser and its proxy."""
        if self._handler is not None:
            await self._handler.close()
            await self._proxy.stop()

    async def _started(self) -> Any:
        async with self._lock:
            if self._handler is None:
                self._handler = await self._start()
        return self._handler

    async def _start(self) -> Any:
        from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler  # noqa: PLC0415 - optional, see ask()

        handler = ScrapyPlaywrightDownloadHandler.from_crawler(self._crawler)
        handler.config.launch_options = {
            "executable_path": self._executable,
            "headless": True,
            "args": list(LAUNCH_ARGUMENTS),
            "proxy": {"server": await self._proxy.start(), "bypass": "<-loopback>"},
            **handler.config.launch_options,
        }
        handler.config.max_pages_per_context = min(handler.config.max_pages_per_context, 2)
        handler.abort_request = self._aborts
        # The handler starts its browser manager at engine_started, which is long past when the first page needs it.
        await handler._maybe_launch_in_thread()
        return handler

    async def _retire(self, site: str, context: str) -> None:
        current = f"{site}#{self._shown[site] // self._budget}"
        if context != current and not self._open[context]:
            wrapper = self._handler.context_wrappers.get(context)
            if wrapper is not None:
                await wrapper.context.close()

    async def _aborts(self, request: Any) -> bool:
        """Say whether the browser must not make one of its own requests."""
        if request.resource_type in BLOCKED_RESOURCES:
            return True
        url = request.url
        if url.startswith(("data:", "blob:", "about:")):
            return False
        try:
            self._policy.check_url(url)
            return not await asyncio.wait_for(self._allowed(url), ROBOTS_PATIENCE)
        except (AddressRefused, TimeoutError):
            return True
