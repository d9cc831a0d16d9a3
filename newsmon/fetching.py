"""Fetches a few pages for a command, through Scrapy with the project's settings: guard, robots.txt, limits, delays.

::

    command ──plan──> fetch_plan ── spider ──Fetch──> downloader ──Page or FetchFailure──> plan ... ──> its result

A plan is a generator: it yields what it wants to see, is sent what came, and returns the result of the command. A crawl
may run at the same time, because the store of the crawl is not touched.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Generator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest

from newsmon.crawl.browser import Browser
from newsmon.crawl.runtime import Runtime
from newsmon.errors import NewsmonError, UrlError
from newsmon.page import Page
from newsmon.urls import host_of

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsmon.siterules import SiteRules

Result = TypeVar("Result")


@dataclass(frozen=True)
class Fetch:
    """An address a plan wants to see.

    :param rules: the site's rules: their headers are sent, their browser is used.
    """

    url: str
    rules: SiteRules | None = None


@dataclass(frozen=True)
class FetchFailure:
    """Why there is no page."""

    url: str
    reason: str


Plan = Generator[Fetch, Page | FetchFailure, Result]


class FetchSpider(Spider):
    """Does what a plan asks, one request after the other."""

    name = "newsmon-fetch"

    def __init__(self, plan: Plan[Any], results: list[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._plan, self._results = plan, results

    async def start(self) -> AsyncIterator[Any]:
        """Yield the first request."""
        for request in self._advance(None):
            yield request

    def parse(self, response: Response, **kwargs: Any) -> Iterable[Request]:
        """Hand a page to the plan."""
        asked = str(response.meta["asked"])
        if not 200 <= response.status < 300:
            return self._advance(FetchFailure(asked, f"answered {response.status}"))
        return self._advance(page_of(response, asked))

    def failed(self, failure: Failure) -> Iterable[Request]:
        """Tell the plan why there is no page."""
        request = failure.request  # type: ignore[attr-defined]
        error = failure.value
        reason = str(error) if isinstance(error, IgnoreRequest) else f"{type(error).__name__}: {error}"
        runtime = Runtime.of(self.crawler)
        refused = runtime.refused_address(host_of(request.url))
        if refused is not None:
            reason = f"its host resolves to the private address {refused}"
        return self._advance(FetchFailure(str(request.meta["asked"]), reason.removeprefix(f"{request.url}: ")))

    def closed(self, reason: str) -> None:
        """Close the throwaway store of this crawl."""
        runtime = Runtime.of(self.crawler)
        if "store" in runtime.__dict__:
            runtime.store.close()

    def _advance(self, answer: Page | FetchFailure | None) -> list[Request]:
        try:
            wanted = next(self._plan) if answer is None else self._plan.send(answer)
            while isinstance(request := self._request(wanted), FetchFailure):
                wanted = self._plan.send(request)
        except StopIteration as end:
            self._results.append(end.value)
            return []
        return [request]

    def _request(self, wanted: Fetch) -> Request | FetchFailure:
        rules = wanted.rules
        try:
            host_of(wanted.url)
            request = Request(
                wanted.url,
                callback=self.parse,
                errback=self.failed,
                headers=dict(rules.headers) if rules else None,
                meta={"asked": wanted.url},
                dont_filter=True,
            )
        except (UrlError, ValueError) as error:
            return FetchFailure(wanted.url, str(error).removeprefix(f"{wanted.url}: "))
        if rules is None or rules.browser is None:
            return request
        missing = Runtime.of(self.crawler).browser_missing
        return FetchFailure(wanted.url, missing) if missing else Browser.ask(request, rules.browser)


def fetch_plan(process: CrawlerProcessBase, plan: Plan[Result]) -> Result:
    """Run a plan in the crawler process of a command and return what the plan returns.

    :raises NewsmonError: when the crawl ended before the plan did.
    """
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="newsmon-fetch-") as state:
        # A store of its own: that of the crawl belongs to one process, and must not hear of these pages.
        for name, value in (("NEWSMON_STATE_DIR", state), ("NEWSMON_STORE_URL", None), ("ITEM_PIPELINES", {})):
            process.settings.set(name, value, priority="cmdline")
        process.crawl(FetchSpider, plan=plan, results=results)
        process.start()
    if not results:
        raise NewsmonError("the fetch was broken off; run the command again with -L INFO to see why")
    return results[0]


def page_of(response: Response, asked: str) -> Page:
    """Make a page of a response.

    :param asked: the address before redirects.
    """
    headers = {
        name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
        for name, values in response.headers.items()
    }
    return Page(
        url=asked,
        final_url=response.url,
        status=response.status,
        body=response.body,
        fetched_at=datetime.now(UTC),
        headers=headers,
        rendered="playwright" in response.flags,
    )
