"""The edges of one crawl, made from its settings once and shared by all its Scrapy components."""

from __future__ import annotations

import logging
import os
import socket
import uuid
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from newsmon.addresses import AddressPolicy
from newsmon.crawl import browser
from newsmon.crawl.browser import Browser
from newsmon.crawl.gate import Gate
from newsmon.crawl.politeness import Politeness
from newsmon.crawl.robots import RobotsCache
from newsmon.dedup import SeenFilter
from newsmon.errors import StoreError
from newsmon.library import Library, load_library
from newsmon.storage import Archive, Store
from newsmon.urls import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from newsmon.crawl.dispatcher import Dispatcher
    from newsmon.crawl.resolver import GuardedResolver
    from newsmon.siterules import SiteRules
    from newsmon.urls import UrlRules

logger = logging.getLogger(__name__)

_runtimes: WeakKeyDictionary[Any, Runtime] = WeakKeyDictionary()


class Runtime:
    """Store, archive, rules, Bloom filter, politeness, guard and browser of one crawl; each made when first used."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self.settings: BaseSettings = crawler.settings
        self.resolver: GuardedResolver | None = None
        self.dispatcher: Dispatcher | None = None

    @classmethod
    def of(cls, crawler: Crawler) -> Runtime:
        """Return the runtime of a crawler; the same one for all its components."""
        runtime = _runtimes.get(crawler)
        if runtime is None:
            runtime = _runtimes[crawler] = cls(crawler)
        return runtime

    @cached_property
    def state_dir(self) -> Path:
        """Folder of the database, the archive and the Bloom filter."""
        return Path(self.settings["NEWSMON_STATE_DIR"]).expanduser().resolve()

    @cached_property
    def library(self) -> Library:
        """The rule files; broken ones are named, the others work."""
        library = load_library(self.settings["NEWSMON_RULES_DIR"])
        for file, error in library.broken.items():
            logger.error("The rule file %s is broken, its site is left alone until it is mended: %s", file, error)
        return library

    @cached_property
    def policy(self) -> AddressPolicy:
        """Which addresses may be connected to."""
        return AddressPolicy(allow=self.settings.getlist("NEWSMON_ALLOW_ADDRESSES"))

    @cached_property
    def connect_to(self) -> dict[str, str]:
        """Host names that are reached at another address and port (``*`` for all)."""
        return dict(self.settings.getdict("NEWSMON_CONNECT_TO"))

    @cached_property
    def politeness(self) -> Politeness:
        """The delays of every host."""
        return Politeness(
            default_delay=self.settings.getfloat("DOWNLOAD_DELAY"),
            jitter=self.settings.getfloat("NEWSMON_DELAY_JITTER"),
            rule_delay=self._rule_delay,
        )

    def _rule_delay(self, host: str) -> float | None:
        rules = self.library.for_host(host)
        return rules.delay if rules is not None else None

    @cached_property
    def store(self) -> Store:
        """The database, opened for writing.

        :raises newsmon.errors.StoreInUse: when another process crawls on the same SQLite store.
        """
        return Store.open(store_url(self.settings), owner=_owner(), state_dir=self.state_dir, exclusive=True)

    @property
    def opened_store(self) -> Store | None:
        """The store if the spider has opened it: other spiders of a project have guard and robots.txt without it."""
        return self.__dict__.get("store")

    @cached_property
    def archive(self) -> Archive:
        """The WARC files of raw pages; torn tails are repaired on opening."""
        archive = Archive(self.state_dir / "archive")
        archive.repair()
        return archive

    @cached_property
    def robots(self) -> RobotsCache:
        """The robots.txt of every origin met."""
        return RobotsCache.from_crawler(self._crawler, lambda: self.opened_store, lambda: self.gate, self.politeness)

    @cached_property
    def seen(self) -> SeenFilter:
        """The Bloom filter over page keys, rebuilt from the database when its file is missing or corrupt."""
        capacity = self.settings.getint("NEWSMON_SEEN_CAPACITY")
        rate = self.settings.getfloat("NEWSMON_SEEN_ERROR_RATE")
        loaded = self._saved_filter(capacity, rate)
        if loaded is not None:
            return loaded
        fresh = SeenFilter(capacity=capacity, error_rate=rate)
        for key in self.store.keys():  # noqa: SIM118 - the store is no mapping
            fresh.add(key)
        logger.info("The filter of seen URLs was rebuilt from the database.")
        return fresh

    def _saved_filter(self, capacity: int, error_rate: float) -> SeenFilter | None:
        try:
            return SeenFilter.load(self.seen_path, capacity=capacity, error_rate=error_rate)
        except OSError as error:
            logger.warning("The filter of seen URLs cannot be read: %s", error)
            return None

    @property
    def seen_path(self) -> Path:
        """File of the Bloom filter."""
        return self.state_dir / "seen.bloom"

    @cached_property
    def gate(self) -> Gate:
        """Holds fetching back while the store cannot write."""
        engine = self._crawler.engine
        assert engine is not None
        return Gate(pause=engine.pause, resume=engine.unpause, running=lambda: bool(engine.running))

    @cached_property
    def browser_missing(self) -> str | None:
        """Why no browser can be used, or None."""
        return browser.missing(self.settings["NEWSMON_BROWSER"])

    @cached_property
    def browser(self) -> Browser:
        """The browser for sites whose rule asks for one."""
        return Browser(
            self._crawler,
            policy=self.policy,
            connect_to=self.connect_to,
            politeness=self.politeness,
            allowed=self.robots.allows if self.settings.getbool("ROBOTSTXT_OBEY") else _anything,
            executable=browser.find_executable(self.settings["NEWSMON_BROWSER"]),
            agent=self.settings["USER_AGENT"],
            budget=self.settings.getint("NEWSMON_BROWSER_PAGES_PER_CONTEXT"),
            contexts=self.settings.getint("PLAYWRIGHT_MAX_CONTEXTS"),
            largest=self.settings.getint("DOWNLOAD_MAXSIZE"),
        )

    def rules_for(self, site: str, url: str) -> SiteRules | None:
        """The rules for a page of a site; a page that a redirect took to another site with rules gets those."""
        return self.library.for_host(host_of(url)) or self.library.sites.get(site)

    def url_rules(self, site: str) -> UrlRules | None:
        """What a site's rule file says of its URLs."""
        rules = self.library.sites.get(site)
        return rules.url_rules if rules is not None else None

    def refused_address(self, host: str) -> str | None:
        """The private address a host name resolved to, when the guard refused it."""
        return self.resolver.refused.get(host) if self.resolver is not None else None

    def last_fetches(self) -> dict[str, datetime]:
        """Wall-clock time of the last request to every host of this process, for the next process to respect."""
        now = datetime.now(UTC)
        return {host: now - timedelta(seconds=ago) for host, ago in self.politeness.ages().items()}

    def close(self) -> None:
        """Close the archive and the store when they were opened."""
        for name in ("archive", "store"):
            if name in self.__dict__:
                self.__dict__[name].close()

    async def close_browser(self) -> None:
        """Close the browser when one was started."""
        if "browser" in self.__dict__:
            await self.browser.close()


async def _anything(url: str) -> bool:
    return True


def store_url(settings: BaseSettings) -> str:
    """The database URL: ``NEWSMON_STORE_URL``, else an SQLite file in the state folder."""
    state = Path(settings["NEWSMON_STATE_DIR"]).expanduser().resolve()
    return settings["NEWSMON_STORE_URL"] or f"sqlite:///{state / 'newsmon.db'}"


def open_to_read(settings: BaseSettings, owner: str) -> Store:
    """Open the store of a crawl to look into it; the crawl may be running.

    :raises StoreError: when there is none; a mistyped folder must not look like an empty store.
    """
    state = Path(settings["NEWSMON_STATE_DIR"]).expanduser().resolve()
    if not settings["NEWSMON_STORE_URL"] and not (state / "newsmon.db").exists():
        raise StoreError(
            f"there is no store in {state}: run `scrapy crawl news` first, or set NEWSMON_STATE_DIR to its folder"
        )
    return Store.open(store_url(settings), owner=owner, state_dir=state, exclusive=False)


def _owner() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
