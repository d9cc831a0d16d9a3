"""What the log says of each item: nothing at INFO, and never the page itself."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.logformatter import LogFormatter

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult


class QuietLogFormatter(LogFormatter):
    """Scrapy's messages, without the texts of articles in them."""

    def scraped(self, item: Any, response: Any, spider: Spider) -> LogFormatterResult:
        """Name a stored article at DEBUG."""
        return {"level": logging.DEBUG, "msg": "Stored %(url)s", "args": {"url": _url(item, response)}}

    def dropped(
        self, item: Any, exception: BaseException, response: Response | Any, spider: Spider
    ) -> LogFormatterResult:
        """Name a page that is not an article, or a duplicate, at DEBUG with the reason."""
        args = {"url": _url(item, response), "reason": str(exception)}
        return {"level": logging.DEBUG, "msg": "Not an article of its own: %(url)s: %(reason)s", "args": args}

    def item_error(
        self, item: Any, exception: BaseException, response: Response | Any, spider: Spider
    ) -> LogFormatterResult:
        """Name a page on which a pipeline failed; Scrapy adds the traceback."""
        return {"level": logging.ERROR, "msg": "A pipeline failed on %(url)s", "args": {"url": _url(item, response)}}


def _url(item: Any, response: Any) -> str:
    page = getattr(item, "page", None)
    return str(getattr(page, "url", None) or getattr(response, "url", None))
