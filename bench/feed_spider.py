"""The least a news crawler does: feeds, then the pages they name, one item a page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response


class FeedSpider(Spider):
    """``scrapy runspider bench/feed_spider.py -a feeds=URL,URL``; prints the number of pages."""

    name = "feeds"

    def __init__(self, feeds: str, **options: Any) -> None:
        super().__init__(**options)
        self.feeds, self.pages = feeds.split(","), 0

    async def start(self) -> AsyncIterator[Request]:
        for feed in self.feeds:
            yield Request(feed, self.parse_feed)

    def parse_feed(self, response: Any) -> Iterator[Request]:
        for url in response.xpath("//item/link/text()").getall():
            yield Request(url, self.parse_page)

    def parse_page(self, response: Response) -> Iterator[dict[str, str]]:
        self.pages += 1
        yield self.read(response)

    def read(self, response: Response) -> dict[str, str]:
        return {"url": response.url}

    def closed(self, reason: str) -> None:
        sys.stdout.write(f"{self.pages}\n")
