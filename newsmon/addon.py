"""newsmon as a Scrapy add-on: ``ADDONS = {"newsmon.addon.NewsmonAddon": 100}`` in any project.

The project's own settings win over newsmon's; newsmon's win over Scrapy's defaults. All spiders of the project get
newsmon's downloader, robots.txt middleware and network guard; everything else is for newsmon's own spiders.

Scrapy looks for commands before it loads add-ons: a project that wants ``scrapy status`` and the others too adds
``COMMANDS_MODULE = "newsmon.commands"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsmon import settings as own

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings


PROJECT_ONLY = ("BOT_NAME", "COMMANDS_MODULE", "FEED_EXPORTERS", "LOG_LEVEL", "SPIDER_MODULES", "TWISTED_REACTOR")
FOR_ALL_SPIDERS = (
    "DOWNLOADER",
    "DOWNLOAD_HANDLERS",
    "DOWNLOAD_MAXSIZE",
    "DOWNLOAD_WARNSIZE",
    "REMOTE_CONTROL_ENABLED",
    "ROBOTSTXT_OBEY",
    "TELNETCONSOLE_ENABLED",
)
MIDDLEWARES_FOR_ALL = (
    "newsmon.",
    "scrapy.downloadermiddlewares.httpcompression.",
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware",
    "scrapy.downloadermiddlewares.robotstxt.",
)


class NewsmonAddon:
    """Adds newsmon's spiders, components and settings to a project.

    :param whole: False for a spider that is not newsmon's: it keeps Scrapy's retries, cookies, filter of duplicates.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self._whole = whole

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Look whose spider it is."""
        return cls(whole=any(base.__module__.startswith("newsmon.") for base in crawler.spidercls.__mro__))

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Add the spiders."""
        for module in own.SPIDER_MODULES:
            settings.add_to_list("SPIDER_MODULES", module)

    def update_settings(self, settings: BaseSettings) -> None:
        """Set what newsmon needs at add-on priority: dictionaries of components are merged, not replaced."""
        for name, value in self._values().items():
            if isinstance(value, dict) and name != "NEWSMON_CONNECT_TO":
                merged = {**value, **settings.getdict(name)}
                settings.set(name, merged, max(settings.getpriority(name) or 0, 15))
            else:
                settings.set(name, value, "addon")

    def _values(self) -> dict[str, Any]:
        everything = {name: value for name, value in vars(own).items() if name.isupper() and name not in PROJECT_ONLY}
        if self._whole:
            return everything
        middlewares = own.DOWNLOADER_MIDDLEWARES.items()
        kept = {name: place for name, place in middlewares if name.startswith(MIDDLEWARES_FOR_ALL)}
        names = [name for name in everything if name.startswith("NEWSMON_") or name in FOR_ALL_SPIDERS]
        return {name: everything[name] for name in names} | {"DOWNLOADER_MIDDLEWARES": kept}
