"""``scrapy rules test``: what the rules make of saved or fetched pages."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from newsmon.errors import NewsmonError, UrlError
from newsmon.extraction.canonical import canonical_url
from newsmon.fetching import Fetch, FetchFailure, fetch_plan
from newsmon.fixtures import save_fixture, values
from newsmon.library import load_library
from newsmon.page import Page
from newsmon.trial import Trial, origin_of_field, try_rules
from newsmon.urls import canonical, host_of

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import CrawlerProcessBase

    from newsmon.fetching import Plan
    from newsmon.library import Library
    from newsmon.siterules import SiteRules

TEXT_SHOWN = 3  # paragraphs at each end
