"""What both spiders share: leased pages become requests, answers become documents for the item pipelines.

::

    Dispatcher --Lease--> page_request --> (guard, robots.txt, delay, browser) --> parse_page --Document--> pipelines
                                                     |                                |
                                                page_failed                    decide_status
                                                     '--> FetchDecision: try again later, or give up and why
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider, DownloadCancelledError, IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from newsmon.crawl.browser import Browser
from newsmon.crawl.dispatcher import Dispatcher
from newsmon.crawl.downloader import HostHeld
from newsmon.crawl.fetchpolicy import DAY, FetchDecision, decide_failure, decide_status
from newsmon.crawl.network import NETWORK_ERRORS
from newsmon.crawl.runtime import Runtime
from newsmon.crawl.settingcheck import check_settings
from newsmon.crawl.stopping import FAILED, CrawlStopped
from newsmon.errors import NewsmonError, UrlError
from newsmon.extensions import LeaseKeeper, SeenSaver
from newsmon.feeds.http_hints import parse_retry_after
from newsmon.middlewares import RobotsForbidden
from newsmon.model import Document, Lease, Outcome
from newsmon.page import Page
from newsmon.storage import NewUrl
from newsmon.urls import canonical, host_of, page_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterable, Iterator

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsmon.model import Entry
    from newsmon.siterules import SiteRules

PAGE_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain", "application/vnd.wap")
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


class ArticleSpider(Spider):
    """Fetches leased pages. Subclasses say where the pages come from.

    :param once: ``1``: end when nothing is due any more; ``0``: sleep until something is.
    :param sites: comma-separated domains; empty: every site with a rule file.
    """

    once_by_default = False
    polls_feeds = True

    def __init__(self, once: str | bool | None = None, sites: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # Scrapyd adds arguments of its own, with an underscore.
        self._unknown_arguments = sorted(name for name in kwargs if not name.startswith("_"))
        self._asked_once = str(self.once_by_default if once is None else once)
        self.once = self._asked_once.lower() in YES
        self.only_sites = [site.strip().lower() for site in sites.split(",") if site.strip()]

    @property
    def runtime(self) -> Runtime:
        """The edges of this crawl."""
        return Runtime.of(self.crawler)

    async def start(self) -> AsyncIterator[Any]:
        """Open the store and yield requests as their hosts become ready; an error that will not pass ends the crawl."""
        try:
            await self.open()
            await self.prepare()
            assert self.runtime.dispatcher is not None
            async for work in self.runtime.dispatcher.work():
                request = await self.request_for(work)
                if request is not None:
                    yield request
        except CrawlStopped:
            return
        except NewsmonError as error:
            self.logger.critical("%s", error)
            raise CloseSpider(FAILED) from error

    async def open(self) -> None:
        """Read the rules, open the store, start what runs beside the crawl.

        :raises NewsmonError: when the settings, the arguments, the rules or the store cannot be used.
        """
        check_settings(self.settings)
        self.check_arguments()
        if not self.settings["NEWSMON_CONTACT"]:
            self.logger.warning(
                "Site owners cannot reach you: set NEWSMON_CONTACT in the environment to a page or address"
            )
        runtime = self.runtime
        sites = self.chosen_sites()
        await runtime.gate.attempt(
            runtime.store.sync_sites,
            runtime.library.sites.values(),
            {str(name): str(error) for name, error in runtime.library.broken.items()},
            now=datetime.now(UTC),
        )
        runtime.dispatcher = Dispatcher(
            runtime.store,
            runtime.politeness,
            runtime.gate,
            concurrency=self.settings.getint("CONCURRENT_REQUESTS"),
            per_host=self.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
            once=self.once,
            sites=sites,
            patience=self.settings.getfloat("NEWSMON_ONCE_PATIENCE"),
            feeds=self.polls_feeds,
            lease=self.settings.getfloat("NEWSMON_LEASE_SECONDS"),
        )
        for component in (self.crawler.get_extension(LeaseKeeper), self.crawler.get_extension(SeenSaver)):
            if component is not None:
                component.start()

    def check_arguments(self) -> None:
        """Check what was given with ``-a``.

        :raises NewsmonError: when an argument is wrong, or none of this spider.
        """
        if self._unknown_arguments:
            raise NewsmonError(f"the spider {self.name} knows no argument {', '.join(self._unknown_arguments)}")
        if self._asked_once.lower() not in (*YES, *NO):
            raise NewsmonError(f"the argument once is 1 or 0, not {self._asked_once!r}")

    def chosen_sites(self) -> list[str] | None:
        """Domains to crawl, None for all; those with a broken rule file are left out, as in a crawl of all.

        :raises NewsmonError: when a domain was named that has no rule file, or nothing is left to crawl.
        """
        library = self.runtime.library
        chosen = self.only_sites or self.settings.getlist("NEWSMON_ONLY_SITES")
        unknown = [site for site in chosen if site not in library.sites and library.fault_of(site) is None]
        if unknown:
            raise NewsmonError(f"no rule file for {', '.join(unknown)}; sites with one: {_some(library.sites)}")
        usable = [site for site in chosen or library.sites if site in library.sites]
        if not usable:
            folder = self.settings["NEWSMON_RULES_DIR"] or "the folder of rule files"
            raise NewsmonError(f"nothing to crawl: no usable rule file in {folder}")
        return usable if chosen else None

    async def prepare(self) -> None:
        """Do what must be done before the first request; nothing by default."""

    async def request_for(self, work: Any) -> Request | None:
        """Return the request for a piece of work, None when it cannot be fetched by this process."""
        return await self.page_request(work)

    async def page_request(self, lease: Lease) -> Request | None:
        """Return the request of a leased page; a page that needs a browser waits for a machine that has one."""
        rules = self.runtime.rules_for(lease.site, lease.url)
        request = Request(
            lease.url,
            callback=self.parse_page,
            errback=self.page_failed,
            headers=rule_headers(rules),
            meta={"work": lease},
            dont_filter=True,
        )
        if rules is None or rules.browser is None:
            return request
        if self.runtime.browser_missing is None:
            return Browser.ask(request, rules.browser)
        await self.settle(lease, FetchDecision(self.runtime.browser_missing, wait=DAY, counts=False))
        return None

    async def parse_page(self, response: Response) -> AsyncIterator[Any]:
        """Make a document of a page; decide about any other answer."""
        lease: Lease = response.meta["work"]
        if not 200 <= response.status < 300:
            decision = self._judge(response, lease.attempts)
            await self.settle(lease, decision)
            await self.hold(host_of(response.url), decision.hold_host)
            return
        content_type = header(response, "Content-Type").partition(";")[0].strip().lower()
        if content_type and not content_type.startswith(PAGE_TYPES):
            await self.settle(lease, FetchDecision(f"not a page: {content_type}", outcome=Outcome.REFUSED))
            return
        yield Document(
            page=_page(response, lease),
            site=lease.site,
            lease=lease,
            entry=lease.entry,
            robots=response.meta.get("robots_verdict"),
        )

    async def page_failed(self, failure: Failure) -> None:
        """Decide about a page that gave no answer; one that a stop did not wait for keeps its lease to the end."""
        lease: Lease = failure.request.meta["work"]  # type: ignore[attr-defined]
        if not isinstance(failure.value, CrawlStopped):
            await self.settle(lease, self._judge_failure(failure.value, lease, failure.request.url))  # type: ignore[attr-defined]

    async def broke(self, work: Any, error: BaseException) -> None:
        """Fetch a page on which newsmon itself failed again later, or give it up; the reason is kept."""
        if isinstance(work, Lease):
            await self.settle(work, self._judge_failure(error, work, work.url))

    def _judge(self, response: Response, attempts: int) -> FetchDecision:
        retry_after = parse_retry_after(header(response, "Retry-After") or None, now=datetime.now(UTC))
        most = self.settings.getint("NEWSMON_MAX_ATTEMPTS")
        return decide_status(response.status, attempts, retry_after=retry_after, max_attempts=most)

    def _judge_failure(self, error: BaseException | None, lease: Lease, url: str) -> FetchDecision:
        """:param url: what was asked: the lease's, or where a redirect led."""
        most = self.settings.getint("NEWSMON_MAX_ATTEMPTS")
        if isinstance(error, HostHeld):
            return FetchDecision(str(error), wait=error.seconds, counts=False)
        host = urlsplit(url).hostname or lease.host
        refused = self.runtime.refused_address(host)
        if refused is not None:
            # Tried again, because some networks answer so for every name until somebody has signed in.
            reason = f"{host} resolves to the private address {refused}"
            return decide_failure(reason, lease.attempts, max_attempts=most, outcome=Outcome.REFUSED)
        if isinstance(error, RobotsForbidden):
            if error.retry_at is None:
                return FetchDecision(error.verdict.reason, outcome=Outcome.FORBIDDEN)
            wait = (error.retry_at - datetime.now(UTC)).total_seconds()
            return FetchDecision(f"robots.txt {error.verdict.reason}", wait=max(wait, 1.0), counts=False)
        if isinstance(error, IgnoreRequest | DownloadCancelledError) and "max redirections" not in str(error):
            return FetchDecision(str(error), outcome=Outcome.REFUSED)
        reason = f"{type(error).__name__}: {error}".partition("\n")[0][:300]
        return decide_failure(reason, lease.attempts, max_attempts=most)

    def links(self, entries: Iterable[Entry], *, site: str) -> Iterator[NewUrl]:
        """The article links among entries that the site's rule file wants, each once."""
        rules = self.runtime.library.sites.get(site)
        url_rules = self.runtime.url_rules(site)
        seen: set[str] = set()
        for entry in entries:
            try:
                url = canonical(entry.url, rules=url_rules)
                key = page_key(url, rules=url_rules)
            except UrlError as error:
                self.logger.info("A link in a feed of %s cannot be followed: %s", site, error)
                continue
            if key not in seen and (rules is None or rules.wants(url)):
                seen.add(key)
                yield NewUrl(key=key, url=url, host=host_of(url), entry=entry)

    async def fetch_sitemap(self, url: str, *, site: str) -> Response | None:
        """Fetch a sitemap beside the leased work; None, with a warning that says why, when it cannot be had."""
        assert self.crawler.engine is not None
        try:
            headers = rule_headers(self.runtime.library.sites.get(site))
            request = Request(canonical(url), callback=NO_CALLBACK, headers=headers, priority=1, dont_filter=True)
            response = await self.crawler.engine.download_async(request)
        except (IgnoreRequest, UrlError, *NETWORK_ERRORS) as error:
            self.logger.warning("The sitemap %s could not be read: %s", url, error)
            return None
        if response.status == 200:
            return response
        self.logger.warning("The sitemap %s could not be read: HTTP %d", url, response.status)
        return None

    async def settle(self, lease: Lease, decision: FetchDecision) -> None:
        """Write a decision about a page to the store and end the work."""
        runtime, now = self.runtime, datetime.now(UTC)
        if decision.outcome is None:
            due = now + timedelta(seconds=decision.wait)
            write = partial(runtime.store.retry, lease, due=due, counts=decision.counts)
        else:
            write = partial(runtime.store.drop, lease, decision.outcome)
        with suppress(CrawlStopped):  # the lease is given back with all others
            await runtime.gate.attempt(write, reason=decision.reason, now=now)
        assert runtime.dispatcher is not None
        runtime.dispatcher.done(lease)

    async def hold(self, host: str, seconds: float) -> None:
        """Leave a host alone that asked for it."""
        if seconds:
            assert self.runtime.dispatcher is not None
            self.runtime.politeness.hold(host, seconds)
            with suppress(CrawlStopped):  # the leases are given back with all others
                await self.runtime.dispatcher.hold(host, seconds)


def _some(names: Collection[str], most: int = 20) -> str:
    listed = ", ".join(sorted(names)[:most]) or "none"
    return f"{listed} and {len(names) - most} more" if len(names) > most else listed


def rule_headers(rules: SiteRules | None) -> dict[str, str]:
    """Request headers a rule file asks for."""
    return dict(rules.headers) if rules is not None else {}


def header(response: Response, name: str) -> str:
    """A response header as text, empty when absent."""
    value = response.headers.get(name)
    return value.decode("latin-1") if value else ""


def header_dict(response: Response) -> dict[str, str]:
    """The response headers, names in lower case."""
    return {
        name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
        for name, values in response.headers.items()
    }


def _page(response: Response, lease: Lease) -> Page:
    return Page(
        url=lease.url,
        final_url=response.url,
        status=response.status,
        body=response.body,
        fetched_at=datetime.now(UTC),
        headers=header_dict(response),
        rendered="playwright" in response.flags,
    )
