"""How work in hand ends when the crawl is being stopped: it is let go, its lease is given back, nothing is lost."""

from __future__ import annotations

from scrapy.exceptions import DropItem

FAILED = "newsmon_error"  # finish reason of a crawl that ended because of an error that will not pass


class Settled(DropItem):
    """A dropped item whose frontier row newsmon itself has dealt with."""


class CrawlStopped(Settled):
    """The crawl is being stopped and did not wait for this; the next start does it again.

    Raised for downloads and store calls in progress. Item pipelines let it pass: for Scrapy it is an item that was
    dropped. Who meets it elsewhere leaves the lease as it is.
    """
