"""newsmon as an add-on: one line in the settings of any Scrapy project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from newsmon.farm import Farm
from newsmon.farm.server import Server
from tests.crawling import ROOT, STRICT, farm_settings, start, stored
from tests.rawserver import RawServer
from tests.smallsites import OPEN, plain, site, story

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
        if isinstance(item, dict):
            return item
        return replace(item, extract=replace(item.extract, section="marked"))
"""
SPIDER = """
import scrapy


class Plain(scrapy.Spider):
    name = "plain"

    async def start(self):
        for url in self.urls.split(","):
            yield scrapy.Request(url)
            yield scrapy.Request(url)

    def parse(self, response):
        yield {"url": response.url}
"""


def project(folder: Path) -> Path:
    """A Scrapy project that is not newsmon's."""
    (folder / "theirs" / "spiders").mkdir(parents=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n")
    (folder / "theirs" / "settings.py").write_text(SETTINGS)
    (folder / "theirs" / "pipelines.py").write_text(PIPELINE)
    for package in ("theirs", "theirs/spiders"):
        (folder / package / "__init__.py").touch()
    (folder / "theirs" / "spiders" / "plain.py").write_text(SPIDER)
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


@pytest.mark.parametrize("resolver", ["CachingThreadedResolver", "CachingHostnameResolver"])
def test_no_resolver_of_the_project_undoes_the_guard(tmp_path: Path, resolver: str) -> None:
    folder = project(tmp_path)
    with RawServer() as canary:
        urls = f"http://localhost:{canary.port}/,http://127.0.0.1:{canary.port}/"
        setting = f"TWISTED_DNS_RESOLVER=scrapy.resolver.{resolver}"
        crawl = run(folder, "crawl", "plain", "-a", f"urls={urls}", "-s", setting, "-s", "ROBOTSTXT_OBEY=0")
        assert canary.asked == []
    assert crawl.returncode == 0, crawl.stderr
    assert "it resolves to the private address" in crawl.stderr


def test_another_spider_of_the_project_is_guarded_and_otherwise_left_as_it_is(tmp_path: Path) -> None:
    """Also beside a running crawl, which alone may use the store."""
    folder = project(tmp_path)
    pages = {"/1": story("one"), "/private/2": story("two"), "/cookie": plain("", set_cookie="a=b")}
    with Server([site("a.example", pages, robots=OPEN)]) as farm:
        running = start(farm, folder / "state", once=False)
        running.wait_for(lambda: bool(farm.hits("a.example", "/1")))
        before = len(farm.log)
        flags = [flag for name, value in farm_settings(farm).items() for flag in ("-s", f"{name}={value}")]
        urls = ",".join(map(farm.sites["a.example"].url, pages))
        crawl = run(folder, "crawl", "plain", "-a", f"urls={urls}", "-O", "out.jsonl", *flags)
        running.stop().check()
    assert crawl.returncode == 0, crawl.stderr
    assert [line for line in crawl.stderr.splitlines() if f'File "{ROOT / "newsmon"}' in line] == []
    items = [json.loads(line)["url"] for line in (folder / "out.jsonl").read_text().splitlines()]
    assert sorted(items) == ["http://a.example/1", "http://a.example/cookie"]  # each once, robots.txt obeyed
    assert "/private/2" not in {hit.target for hit in farm.log[before:]}
