"""newsmon as an add-on: one line in the settings of any Scrapy project."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from newsmon.farm import Farm
from tests.crawling import ROOT, STRICT, farm_settings, stored

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = """
BOT_NAME = "theirs"
SPIDER_MODULES = ["theirs.spiders"]
ADDONS = {"newsmon.addon.NewsmonAddon": 100}
DOWNLOAD_TIMEOUT = 7
ITEM_PIPELINES = {"theirs.pipelines.Mark": 500}
"""
PIPELINE = """
from dataclasses import replace


class Mark:
    def process_item(self, item):
        return replace(item, extract=replace(item.extract, section="marked"))
"""


def project(folder: Path) -> Path:
    """A Scrapy project that is not newsmon's."""
    (folder / "theirs" / "spiders").mkdir(parents=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n")
    (folder / "theirs" / "settings.py").write_text(SETTINGS)
    (folder / "theirs" / "pipelines.py").write_text(PIPELINE)
    for package in ("theirs", "theirs/spiders"):
        (folder / package / "__init__.py").touch()
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NEWSMON_STATE_DIR": str(folder / "state")}
    environment.pop("SCRAPY_SETTINGS_MODULE", None)
    command = [sys.executable, "-c", STRICT, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_one_line_brings_the_whole_crawl_and_the_projects_own_settings_win(tmp_path: Path) -> None:
    folder = project(tmp_path)
    with Farm(sites=["zarya.example"], articles=3) as farm:
        options = [f"{name}={value}" for name, value in farm_settings(farm).items() if name != "DOWNLOAD_TIMEOUT"]
        flags = [argument for option in options for argument in ("-s", option)]
        crawl = run(folder, "crawl", "news", "-a", "once=1", "-s", "DOWNLOAD_DELAY=0", *flags)
    assert crawl.returncode == 0, crawl.stderr
    articles = stored(folder / "state")
    assert len(articles) >= 3
    assert {article.section for article in articles} == {"marked"}
    assert "'DOWNLOAD_TIMEOUT': 7" in crawl.stderr
    assert "'BOT_NAME': 'theirs'" in crawl.stderr
    for missing in ("scrapy.extensions.telnet", "RemoteControl", "RobotsTxtMiddleware"):
        assert missing not in crawl.stderr


def test_the_guard_holds_in_the_other_project_too(tmp_path: Path) -> None:
    folder = project(tmp_path)
    fetched = run(folder, "fetch", "http://127.0.0.1:9/")
    assert "newsmon.middlewares.RequestRefused" in fetched.stderr
