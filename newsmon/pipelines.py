"""The way of an article: the item is a :class:`~newsmon.model.Document`, and each pipeline adds what it finds out.

::

    spider ──Document──> DedupPipeline 50 ──> ExtractionPipeline 100 ──> ... ──> StoragePipeline 900 ──record──> FEEDS
                              |                                                     |
                         DropItem: stored already                              DropItem: stored with its kind,
                         under its canonical URL                               but not an article

A pipeline of your own between 100 and 900 reads ``item.page`` and ``item.extract`` and returns
``dataclasses.replace(item, ...)``; one after 900 gets the flat record that the feed exports get.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from newsmon.crawl.runtime import Runtime
from newsmon.crawl.stopping import Settled
from newsmon.errors import LeaseLost, UrlError
from newsmon.extraction.metadata import canonical_link
from newsmon.extraction.repeats import Repeats
from newsmon.model import Document, Kind, Outcome
from newsmon.records import as_record
from newsmon.sandbox import MEMORY, SECONDS, Sandbox
from newsmon.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler

    from newsmon.model import Article, Extract, Lease


logger = logging.getLogger(__name__)


class DuplicatePage(Settled):
    """The page is stored already under its final or canonical URL."""


class OtherKind(Settled):
    """The page is stored, but it is not an article."""


class _Pipeline:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Work on the edges of this crawl."""
        return cls(Runtime.of(crawler))

    def _keys(self, document: Document, canonical: str | None) -> list[str]:
        """Page keys of the final and the canonical URL."""
        rules = self._runtime.url_rules(document.site)
        keys: dict[str, None] = {}
        for url in filter(None, (document.page.final_url, canonical)):
            try:
                keys[page_key(url, rules=rules)] = None
            except UrlError as error:
                logger.debug("%s names an address that cannot be one: %s", document.page.url, error)
        return list(keys)


class DedupPipeline(_Pipeline):
    """Drops a page that is stored already under another address: its final URL or its ``rel=canonical``.

    The Bloom filter answers for new pages; a hit is confirmed in the database before anything is dropped.
    """

    async def process_item(self, item: Any) -> Any:
        """Pass new pages on; raise :class:`DuplicatePage` for known ones."""
        if not isinstance(item, Document) or item.lease is None or item.lease.revision_of is not None:
            return item
        # The event loop must not wait for a page that is risky to parse: StoragePipeline knows its canonical URL.
        canonical = canonical_link(item.page) if item.page.risk is None else None
        for key in self._keys(item, canonical):
            if key != item.lease.key and key in self._runtime.seen:
                await self._confirm(key, item.lease)
        return item

    async def _confirm(self, key: str, lease: Lease) -> None:
        attempt, store = self._runtime.gate.attempt, self._runtime.store
        stored = await attempt(store.stored_under, key)
        if stored is not None:
            reason = f"stored already as {stored}"
            await attempt(store.drop, lease, Outcome.DUPLICATE, reason, now=datetime.now(UTC))
            raise DuplicatePage(reason)


class ExtractionPipeline(_Pipeline):
    """Reads text and metadata by the site's rule, with the function that ``NEWSMON_EXTRACTOR`` names.

    Risky pages are read in a process that is killed when it takes too long, while the crawl goes on.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        settings = runtime.settings
        path: str = settings["NEWSMON_EXTRACTOR"]
        self._extract: Callable[..., Extract] = load_object(path)
        self._repeats: defaultdict[str, Repeats] = defaultdict(Repeats)
        self._sandbox = Sandbox(
            path,
            seconds=settings.getfloat("NEWSMON_EXTRACTION_SECONDS", SECONDS),
            memory=settings.getint("NEWSMON_EXTRACTION_MEMORY", MEMORY),
        )

    async def process_item(self, item: Any) -> Any:
        """Add the extract to the document."""
        if not isinstance(item, Document):
            return item
        rules = self._runtime.rules_for(item.site, item.page.final_url)
        if item.page.risk is None:
            known = {"rules": rules, "entry": item.entry, "repeats": self._repeats[item.site]}
            return replace(item, extract=self._extract(item.page, **known))
        logger.info("%s is read in a process of its own: %s", item.page.url, item.page.risk)
        extract = await asyncio.to_thread(self._sandbox.extract, item.page, rules=rules, entry=item.entry)
        return replace(item, extract=extract)

    def close_spider(self) -> None:
        """End the process, if one was started."""
        self._sandbox.close()


class StoragePipeline(_Pipeline):
    """Archives the raw page and stores the document and the end of its frontier row in one transaction."""

    async def process_item(self, item: Any) -> Any:
        """Return the flat record of a stored article; raise :class:`OtherKind` for pages that are none."""
        if not isinstance(item, Document) or item.lease is None or item.extract is None:
            return item
        keys = self._keys(item, item.extract.canonical_url)
        try:
            article = await self._store(item.lease, item, keys)
        except LeaseLost as error:
            raise Settled(str(error)) from error
        for key in (item.lease.key, *keys):
            self._runtime.seen.add(key)
        if article is None:
            raise DuplicatePage("stored already under its canonical URL")
        if article.kind is not Kind.ARTICLE:
            raise OtherKind(f"{article.kind}: {article.reason}")
        return as_record(article)

    async def _store(self, lease: Lease, document: Document, keys: list[str]) -> Article | None:
        # The page is archived first: a transaction that then fails leaves an unreferenced record, never a lost page.
        # Each is tried on its own until it succeeds: a locked database must not fill the archive with copies.
        runtime, now = self._runtime, datetime.now(UTC)
        ref = await runtime.gate.attempt(lambda: runtime.archive.append(document.page, now=now))
        return await runtime.gate.attempt(runtime.store.finish, lease, document, ref, keys=keys, now=now)
