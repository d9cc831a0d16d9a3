"""Every setting of newsmon with its meaning; ``ITEM_PIPELINES`` reads as the way of an article.

Values of a deployment come from the environment (``NEWSMON_STORE_URL``, ``NEWSMON_STATE_DIR``, ``NEWSMON_RULES_DIR``,
``NEWSMON_CONTACT``) or from ``scrapy crawl news -s NAME=VALUE``. A database URL belongs in the environment: settings
given to Scrapyd at schedule time are shown to everyone who may list jobs.
"""

import os

from newsmon import __version__

BOT_NAME = "newsmon"
SPIDER_MODULES = ["newsmon.spiders"]
COMMANDS_MODULE = "newsmon.commands"

# --- state and rules -------------------------------------------------------------------------------------------------
NEWSMON_STATE_DIR = os.environ.get("NEWSMON_STATE_DIR", "state")  # database, archive of raw pages, Bloom filter
NEWSMON_STORE_URL = os.environ.get("NEWSMON_STORE_URL")  # postgresql://... for several machines; None: SQLite in there
NEWSMON_RULES_DIR = os.environ.get("NEWSMON_RULES_DIR")  # folder of rule files; None: the ones shipped
NEWSMON_ONLY_SITES: list[str] = []  # domains to crawl; empty: all with a rule file
NEWSMON_SEEN_CAPACITY = 1_000_000  # page keys the Bloom filter is sized for
NEWSMON_SEEN_ERROR_RATE = 1e-3  # share of new URLs for which the database is asked in vain

# --- who we are ------------------------------------------------------------------------------------------------------
NEWSMON_CONTACT = os.environ.get("NEWSMON_CONTACT")  # page or mail address where site owners can reach you
USER_AGENT = f"newsmon/{__version__}" + (f" (+{NEWSMON_CONTACT})" if NEWSMON_CONTACT else "")
ROBOTSTXT_USER_AGENT = "newsmon"

# --- politeness ------------------------------------------------------------------------------------------------------
ROBOTSTXT_OBEY = True
DOWNLOAD_DELAY = 1.0  # seconds between two requests to a host; a rule file or a robots.txt may ask for more
NEWSMON_DELAY_JITTER = 0.1  # share by which a delay is lengthened at random; never shortened
NEWSMON_MAX_CRAWL_DELAY = 120.0  # seconds; a longer crawl-delay is cut to this
CONCURRENT_REQUESTS = 64
CONCURRENT_REQUESTS_PER_DOMAIN = 1
NEWSMON_MAX_ATTEMPTS = 9  # tries of a page before it is given up; with 9 an outage of two days loses nothing
NEWSMON_LEASE_SECONDS = 900.0  # after which another worker takes over what a dead one had in hand (PostgreSQL)
NEWSMON_STOP_PATIENCE = 5.0  # seconds a stop waits for requests under way; what they fetch is fetched again later

# --- polling ---------------------------------------------------------------------------------------------------------
NEWSMON_POLLING = "sqrt"  # sqrt, share or fixed; a rule file may choose another
NEWSMON_POLL_BUDGET = 48.0  # polls a day of a feed with 24 entries a day; the other feeds in proportion
NEWSMON_POLL_MIN = 300.0  # seconds
NEWSMON_POLL_MAX = 86400.0  # seconds
NEWSMON_FULL_GET_EVERY = 10  # answers 304 in a row after which a feed is asked for in full: an ETag may lie
NEWSMON_MAX_ENTRIES = 5000  # of one feed document
NEWSMON_ONCE_PATIENCE = 30.0  # seconds `-a once=1` waits for work that becomes due soon

# --- network guard ---------------------------------------------------------------------------------------------------
NEWSMON_ALLOW_ADDRESSES: list[str] = []  # private addresses that may be connected to, e.g. ["10.1.0.0/16"]
NEWSMON_CONNECT_TO: dict[str, str] = {}  # host -> "address:port", like curl's --connect-to; "*" for every host
DOWNLOADER = "newsmon.crawl.downloader.PoliteDownloader"
DOWNLOAD_HANDLERS = {
    "http": "newsmon.crawl.downloader.GuardedDownloadHandler",
    "https": "newsmon.crawl.downloader.GuardedDownloadHandler",
    "file": None,
    "ftp": None,
    "s3": None,
    "data": None,
}
DOWNLOAD_TIMEOUT = 60.0  # seconds for a whole answer
DOWNLOAD_MAXSIZE = 16 * 1024 * 1024  # bytes, also after decompression
DOWNLOAD_WARNSIZE = 8 * 1024 * 1024
REDIRECT_MAX_TIMES = 10
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# --- browser, only for sites whose rule file asks for one ------------------------------------------------------------
NEWSMON_BROWSER = os.environ.get("NEWSMON_BROWSER")  # path of the browser; None: found on the PATH
NEWSMON_BROWSER_PAGES_PER_CONTEXT = 50  # pages shown before a site's browser context is thrown away
PLAYWRIGHT_MAX_CONTEXTS = 4  # sites whose pages are shown at once

# --- the way of an article -------------------------------------------------------------------------------------------
ITEM_PIPELINES = {
    "newsmon.pipelines.DedupPipeline": 50,
    "newsmon.pipelines.ExtractionPipeline": 100,
    "newsmon.pipelines.StoragePipeline": 900,
}
NEWSMON_EXTRACTOR = "newsmon.extraction.extract"  # (page, rules=, entry=, repeats=) -> Extract
NEWSMON_EXTRACTION_SECONDS = 5.0  # after which reading a page is ended: it is stored as "unparsable"
NEWSMON_EXTRACTION_MEMORY = 1024 * 1024 * 1024  # bytes that reading a risky page may take

DOWNLOADER_MIDDLEWARES = {
    "newsmon.middlewares.GuardMiddleware": 20,
    "newsmon.middlewares.RobotsMiddleware": 100,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "newsmon.middlewares.GuardedRedirectMiddleware": 600,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "newsmon.middlewares.CompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    # The frontier is durable and does its own retries, de-duplication and accounting.
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    # Costly for every response and of no use for news pages.
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
}
SPIDER_MIDDLEWARES = {
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,  # the spider decides about every status
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
}
EXTENSIONS = {
    "newsmon.extensions.LeaseKeeper": 0,
    "newsmon.extensions.SeenSaver": 0,
    "newsmon.extensions.StopPatience": 0,
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
}
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"  # the frontier knows what was seen
# Scrapy starts this many tasks per response; 100, its default, take 40 % of a fetch. A page gives one item.
CONCURRENT_ITEMS = 1
REFERER_ENABLED = True
RETRY_ENABLED = False
COOKIES_ENABLED = False
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {"csv": "newsmon.exporters.SafeCsvItemExporter"}
LOG_LEVEL = os.environ.get("NEWSMON_LOG_LEVEL", "INFO")
# An article per line would fill the log; what was stored is in the store.
LOG_FORMATTER = "newsmon.crawl.logformat.QuietLogFormatter"
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
