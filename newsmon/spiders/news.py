"""The main job: ``scrapy crawl news`` polls feeds when they are due and fetches the articles they name.

::

    store.lease_work ─> feed request ─> parse_feed ─> feeds.parse_feed ─> polling.decide ─> store.record_poll
          ^                                                                                      |
          |                                                             frontier rows (PENDING) <'
          '──> page request ─> parse_page ─> item pipelines ─> store.finish (article + frontier row DONE)
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request

from newsmon.errors import UrlError
from newsmon.feeds.http_hints import parse_cache_control, parse_retry_after
from newsmon.feeds.parse import parse_feed
from newsmon.feeds.polling import POLICIES, PollLimits, PollResult, decide
from newsmon.middlewares import RobotsForbidden
from newsmon.model import Entry, FeedState
from newsmon.spiders.articles import ArticleSpider
from newsmon.storage import FeedLease, NewUrl
from newsmon.urls import canonical, host_of, page_key

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsmon.model import FeedDocument
    from newsmon.siterules import SiteRules

LARGE_FEED = 512 * 1024  # bytes from which a feed is read in a thread, beside the event loop
READABLE = (FeedState.OK, FeedState.PARTIAL, FeedState.EMPTY)


class NewsSpider(ArticleSpider):
    """Follows feeds to article pages, for ever or once over what is due.

    ``scrapy crawl news`` sleeps until the next feed is due; ``-a once=1`` ends when nothing is;
    ``-a sites=zarya.example,courier.example`` takes only these.
    """

    name = "news"
