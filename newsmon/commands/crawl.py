"""``scrapy crawl``: Scrapy's own, with exit codes that tell a crawl that could not run from one that did."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.commands.crawl import Command as ScrapyCrawl

from newsmon.crawl.settingcheck import check_settings
from newsmon.crawl.stopping import FAILED
from newsmon.errors import SettingError

if TYPE_CHECKING:
    import argparse

    from scrapy import Spider
    from scrapy.crawler import Crawler

FAILURES = (FAILED, "start_error")


class Command(ScrapyCrawl):
    """Runs a spider. Exit code 1: it could not go on (store, rules, arguments); 2: a setting is wrong."""

    _crawler: Crawler

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "Runs a spider: `news` follows feeds for ever (-a once=1: over what is due; -a sites=a.example,b.example: "
            "these only), `backfill` takes a site's past from its sitemaps (-a site=a.example -a since=2024-01-01 "
            "-a until=2024-01-31). SIGTERM stops it cleanly. Exit code 1 when the crawl could not run or go on, "
            "2 when a setting is wrong."
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider named."""
        assert self.settings is not None
        try:
            check_settings(self.settings)
        except SettingError as error:
            sys.stderr.write(f"scrapy crawl: {error}\n")
            self.exitcode = 2
            return
        super().run(args, opts)
        if not self.exitcode and self._crawler.stats.get_value("finish_reason") in FAILURES:
            self.exitcode = 1

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._crawler = super()._create_crawler(spidercls)
        return self._crawler
