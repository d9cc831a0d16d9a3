"""The browser for sites that need one: found by itself, started on first use, guarded, with a page budget."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import shutil
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError, IgnoreRequest

from newsmon.crawl.guardproxy import GuardProxy
from newsmon.errors import AddressRefused
from newsmon.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsmon.addresses import AddressPolicy
    from newsmon.crawl.politeness import Politeness
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
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
GRACE = 5.0  # seconds for opening and closing a page
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

    A context per site is closed after ``budget`` pages, because browsers grow with every page they have shown, or when
    its place is wanted. What a page asks for while it is loaded belongs to its visit: it obeys robots.txt and the guard
    and counts as asked, but does not wait for the delay of its host.

    :param politeness: is told of the hosts that the browser asks by itself.
    :param allowed: robots.txt for the browser's own requests: an awaitable yes or no for a URL.
    :param largest: bytes; a page that has grown larger is given up.
    """

    def __init__(
        self,
        crawler: Crawler,
        *,
        policy: AddressPolicy,
        connect_to: Mapping[str, str],
        politeness: Politeness,
        allowed: Callable[[str], Awaitable[bool]],
        executable: str | None,
        agent: str = "newsmon",
        budget: int = 50,
        contexts: int = 4,
        largest: int = 16 * 1024 * 1024,
    ) -> None:
        self._crawler, self._policy, self._allowed, self._politeness = crawler, policy, allowed, politeness
        self._agent = agent
        self._executable, self._budget, self._contexts, self._largest = executable, budget, contexts, largest
        self._proxy = GuardProxy(policy, connect_to, self._admits)
        self._lock = asyncio.Lock()
        self._places = asyncio.Semaphore(contexts)
        self._handler: Any = None
        self._shown: Counter[str] = Counter()
        self._busy: Counter[str] = Counter()
        self._asked: set[str | None] = set()  # hosts

    @staticmethod
    def ask(request: Request, rule: BrowserRule) -> Request:
        """Return the request with the meta that sends it through the browser and waits for the rule's selector."""
        request.meta.update(playwright=True, browser_rule=rule, download_timeout=2 * rule.timeout + GRACE)
        return request

    async def download(self, request: Request, site: str) -> Response:
        """Fetch one request in the context of its site."""
        from scrapy_playwright.page import PageMethod  # noqa: PLC0415 - optional: only sites with a browser rule need it

        handler = await self._started()
        rule: BrowserRule = request.meta["browser_rule"]
        goto = {"wait_until": "domcontentloaded", "timeout": rule.timeout * 1000}
        request.meta.update(
            playwright_page_init_callback=self._watch,
            playwright_page_methods=[PageMethod(partial(self._wait, rule))],
            playwright_page_goto_kwargs=goto,
            playwright_context_kwargs={
                "accept_downloads": False,
                "service_workers": "block",
                "user_agent": self._agent,  # for what does not pass the page's routes
            },
        )
        async with self._places:
            context = self._context(site)
            request.meta["playwright_context"] = context
            self._shown[site] += 1
            self._busy[context] += 1
            try:
                await self._make_room()
                return await self._fetch(handler, request, context)
            finally:
                self._busy -= Counter({context: 1})
                if context != self._context(site) and not self._busy[context]:
                    await self._close_context(context)

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
        from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler  # noqa: PLC0415 - optional, see download()

        # It would log a traceback for every page that failed; the reason is kept with the page.
        logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)
        handler = ScrapyPlaywrightDownloadHandler.from_crawler(self._crawler)
        handler.config.launch_options = {
            "executable_path": self._executable,
            "headless": True,
            "args": list(LAUNCH_ARGUMENTS),
            **handler.config.launch_options,
            "proxy": {"server": await self._proxy.start(), "bypass": "<-loopback>"},
        }
        handler.config.max_pages_per_context = self._contexts
        handler.abort_request = self._aborts
        handler.process_request_headers = _headers
        # The handler starts its browser manager at engine_started, which is long past when the first page needs it.
        await handler._maybe_launch_in_thread()
        return handler

    def _context(self, site: str) -> str:
        return f"{site}#{self._shown[site] // self._budget}"

    async def _fetch(self, handler: Any, request: Request, context: str) -> Response:
        seconds = request.meta["download_timeout"]
        try:
            async with asyncio.timeout(seconds):
                response: Response = await handler.download_request(request)
        except TimeoutError as error:
            # The page may be in an endless loop, and its context would keep it.
            await self._close_context(context)
            raise DownloadTimeoutError(f"The browser took longer than {seconds:g} s for {request.url}") from error
        try:
            self._policy.check_url(response.url)  # where redirects have led; the proxy has answered in its place
        except AddressRefused as error:
            raise IgnoreRequest(str(error)) from error
        return response

    async def _make_room(self) -> None:
        """Close contexts that show nothing, the oldest first, until those that are needed have a place."""
        wanted = self._handler.context_wrappers.keys() | self._busy.keys()
        idle = [name for name in self._handler.context_wrappers if name not in self._busy]
        for name in idle[: max(0, len(wanted) - self._contexts)]:
            await self._close_context(name)

    async def _close_context(self, name: str) -> None:
        wrapper = self._handler.context_wrappers.get(name)
        if wrapper is not None:
            await wrapper.context.close()

    async def _watch(self, page: Any, request: Request) -> None:
        """Note the hosts that a page asks, redirects and web sockets included, and let it open no other page."""
        page.on("request", lambda asked: self._asked.add(urlsplit(asked.url).hostname))
        page.on("websocket", lambda asked: self._asked.add(urlsplit(asked.url).hostname))
        page.on("popup", _close)

    async def _admits(self, url: str) -> bool:
        """Whether the proxy passes a request on: if a page has asked for it, not what the browser wants for itself.

        Here robots.txt is looked at again, because the browser follows redirects by itself; the path of an encrypted
        request cannot be seen.
        """
        parts = urlsplit(url)
        for _ in range(100):
            if parts.hostname in self._asked:
                return parts.scheme == "https" or await self._allowed(url)
            await asyncio.sleep(0.05)  # what a page asks for is told at the same time
        return False

    async def _wait(self, rule: BrowserRule, page: Any) -> None:
        """Wait for what the rule names, unless there is no page; give a page up that has grown too large."""
        status = await page.evaluate("performance.getEntriesByType('navigation')[0]?.responseStatus")
        if page.url == "about:blank" or (status and not 200 <= status < 300):  # a download, an error
            return
        if rule.wait_for:
            await page.wait_for_selector(rule.wait_for, timeout=rule.timeout * 1000)
        size = await page.evaluate("document.documentElement.outerHTML.length")
        if size > self._largest:
            raise DownloadCancelledError(
                f"the page has {size} characters, more than DOWNLOAD_MAXSIZE ({self._largest})"
            )

    async def _aborts(self, request: Any) -> bool:
        """Say whether the browser must not make one of its own requests."""
        if request.resource_type in BLOCKED_RESOURCES:
            return True
        url = request.url
        if url.startswith(("data:", "blob:", "about:")):
            return False
        try:
            self._policy.check_url(url)
            allowed = await asyncio.wait_for(self._allowed(url), ROBOTS_PATIENCE)
        except (AddressRefused, TimeoutError):
            return True
        self._politeness.seen(host_of(url))
        return not allowed


async def _close(page: Any) -> None:
    await page.close()


async def _headers(
    *, browser_type_name: str, playwright_request: Any, scrapy_request_data: dict[str, Any]
) -> dict[str, str]:
    """The headers of a rule file are for its site only; a page may ask for others, in frames for example."""
    from scrapy_playwright.headers import use_scrapy_headers  # noqa: PLC0415 - optional, see Browser.download

    if urlsplit(playwright_request.url).hostname != urlsplit(scrapy_request_data["url"]).hostname:
        agent = scrapy_request_data["headers"].get("User-Agent", b"").decode("latin-1")
        own: dict[str, str] = await playwright_request.all_headers()
        return own | {"user-agent": agent}
    headers: dict[str, str] = await use_scrapy_headers(
        browser_type_name=browser_type_name,
        playwright_request=playwright_request,
        scrapy_request_data=scrapy_request_data,
    )
    return headers
