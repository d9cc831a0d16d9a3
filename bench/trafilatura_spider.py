"""What one would use instead of newsmon's extraction: trafilatura in the callback, with metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trafilatura

from bench.feed_spider import FeedSpider

if TYPE_CHECKING:
    from scrapy.http import Response


class TrafilaturaSpider(FeedSpider):
    """``scrapy runspider bench/trafilatura_spider.py -a feeds=URL,URL -O articles.jsonl``."""

    name = "trafilatura"

    def read(self, response: Response) -> dict[str, str]:
        article = trafilatura.extract(response.body, url=response.url, output_format="json", with_metadata=True)
        return {"url": response.url, "article": article or ""}
