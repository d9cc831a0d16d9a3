"""newsmon as a Scrapy add-on: ``ADDONS = {"newsmon.addon.NewsmonAddon": 100}`` in any project.

The project's own settings win over newsmon's; newsmon's win over Scrapy's defaults. Note that newsmon's downloader,
robots.txt middleware and network guard then hold for all spiders of the project.

Scrapy looks for commands before it loads add-ons: a project that wants ``scrapy status`` and the others too adds
``COMMANDS_MODULE = "newsmon.commands"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon import settings as own

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


PROJECT_ONLY = ("BOT_NAME", "COMMANDS_MODULE", "FEED_EXPORTERS", "LOG_LEVEL", "SPIDER_MODULES", "TWISTED_REACTOR")


class NewsmonAddon:
    """Adds newsmon's spiders, commands, components and settings to a project."""

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Add the spiders."""
        for module in own.SPIDER_MODULES:
            settings.add_to_list("SPIDER_MODULES", module)

    def update_settings(self, settings: BaseSettings) -> None:
        """Set what newsmon needs at add-on priority: dictionaries of components are merged, not replaced."""
        for name in filter(str.isupper, vars(own)):
            value = getattr(own, name)
            if name in PROJECT_ONLY:
                continue
            if isinstance(value, dict) and name != "NEWSMON_CONNECT_TO":
                merged = {**value, **settings.getdict(name)}
                settings.set(name, merged, max(settings.getpriority(name) or 0, 15))
            else:
                settings.set(name, value, "addon")
