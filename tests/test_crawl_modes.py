"""The modes of the crawl: continuous, once, chosen sites, backfill, feed exports; and what ``scrapy status`` says."""

from __future__ import annotations

import csv
import dataclasses
import json
import time
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from newsmon.farm import Farm
from newsmon.farm.audit import audit
from newsmon.farm.model import Reply
from newsmon.farm.server import Server
from newsmon.model import Kind
from newsmon.records import FIELDS
from newsmon.storage import FeedStatus, Ledger, SiteStatus
from tests.crawling import Running, command, crawl, opened, start, stored, twice
from tests.smallsites import in_turn, plain, site, sitemap, story

KYIV = ZoneInfo("Europe/Kyiv")
QUIET = {"DOWNLOAD_DELAY": 0, "NEWSMON_SEEN_CAPACITY": 50_000}


def status(state: Path, *sites: str) -> dict[str, dict[str, Any]]:
    """What ``scrapy status --json`` prints, by domain."""
    ended = command("status", "--json", *sites, state=state)
    assert ended.code in (0, 1), ended.log
    return {site["domain"]: site for site in json.loads(ended.log)}


def feeds(site: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {feed["listed_url"].rpartition("/")[2]: feed for feed in site["feeds"]}


# -- continuous


def test_a_continuous_crawl_follows_the_sites_through_time(tmp_path):
    sites = ["visnyk.example", "courier.example", "tribune.example", "wirr.example"]
    state = tmp_path / "state"
    with Farm(sites=sites, articles=3, stages=2) as farm:
        running = start(farm, state, once=False, DOWNLOAD_DELAY=0, NEWSMON_FULL_GET_EVERY=2)
        wait_until_as_expected(running, farm, state)
        before = {article.url: article.text for article in stored(state)}
        farm.advance_stage()
        wait_until_as_expected(running, farm, state)
        running.wait_for(lambda: farm.hits("courier.example")[-1].target == "/feeds/top.json", 60)
        running.stop().check()
        assert not twice(stored(state))
        check_edited(state, before)
        check_lying_etag(farm)
        check_statuses(farm, state)


def wait_until_as_expected(running: Running, farm: Farm, state: Path) -> None:
    def as_expected() -> bool:
        time.sleep(0.3)
        with opened(state) as store:
            return all(finding.ok for finding in audit(farm.expected, store))

    running.wait_for(lambda: (state / "newsmon.db").exists() and bool(farm.log))
    running.wait_for(as_expected, 90)


def check_edited(state: Path, before: dict[str, str]) -> None:
    """The edited article is there in its second revision, the first one is kept."""
    with opened(state) as store:
        (edited,) = [article for article in store.articles() if article.revision == 2]
        (first,) = store.revisions(edited.id)
    assert first.text == before[edited.url] != edited.text
    assert (first.number, edited.site) == (1, "visnyk.example")


def check_lying_etag(farm: Farm) -> None:
    """The feed that answers 304 whatever it holds was asked in full; the audit has found its new articles."""
    asked = [hit.status for hit in farm.hits("tribune.example", "/index.rdf")]
    assert asked[:2] == [200, 304]
    assert 200 in asked[2:]


def check_statuses(farm: Farm, state: Path) -> None:
    said = status(state, *farm.sites)
    assert said.keys() == set(farm.sites)
    for one in said.values():
        assert one.keys() == {field.name for field in dataclasses.fields(SiteStatus)}
        assert one["pages"].keys() == {field.name for field in dataclasses.fields(Ledger)}
        assert all(feed.keys() == {field.name for field in dataclasses.fields(FeedStatus)} for feed in one["feeds"])
        assert (one["active"], one["rule_error"]) == (True, None)
        assert one["pages"]["discovered"] == one["pages"]["pending"] + sum(one["pages"]["done"].values())
        for moment in ("last_success", "last_article", "next_poll"):
            age = farm.now - datetime.fromisoformat(one[moment])
            assert abs(age) < timedelta(minutes=10), (one["domain"], moment)
    moved = feeds(said["courier.example"])["feed.json"]
    assert moved["url"] == "http://courier.example/feeds/top.json"
    assert (moved["status"], moved["errors"], moved["error"]) == ("active", 0, None)
    wrong = feeds(said["wirr.example"])
    assert {name: feed["feed_state"] for name, feed in wrong.items()} == {
        "kaputt.xml": "partial",
        "seite.xml": "html",
        "leer.xml": "empty",
    }
    assert wrong["seite.xml"]["status"] == "failing"
    assert wrong["seite.xml"]["errors"] > 0
    assert "HTML" in wrong["seite.xml"]["error"]
    assert wrong["seite.xml"]["error_since"] is not None
    assert wrong["leer.xml"]["error"] is None
    shown = command("status", "--feeds", state=state).check(1).log  # an HTML page for a feed needs a person
    for text in ("visnyk.example", "seite.xml", "failing, ", "empty", "partial"):
        assert text in shown.replace("\n", "")


def test_a_continuous_crawl_sleeps_until_a_feed_is_due_and_polls_it_again(tmp_path):
    with Server([site("calm.example", 1)]) as farm:
        running = start(farm, tmp_path / "state", once=False, **QUIET, NEWSMON_POLL_MIN=1.5, NEWSMON_POLL_MAX=1.5)
        running.wait_for(lambda: len(farm.hits("calm.example", "/feed")) == 2, 30)
        began, busy = len(farm.log), cpu_seconds(running)
        running.wait_for(lambda: len(farm.hits("calm.example", "/feed")) == 5, 30)
        assert {hit.target for hit in farm.log[began:]} == {"/feed"}
        assert cpu_seconds(running) - busy < 0.6  # of 4.5 seconds
        running.stop().check()
        times = [hit.at for hit in farm.hits("calm.example", "/feed")]
        assert all(1.4 <= later - earlier < 3 for earlier, later in pairwise(times[1:]))
        assert [article.url for article in stored(tmp_path / "state")] == ["http://calm.example/1"]


def cpu_seconds(running: Running) -> float:
    """CPU time of a process so far; skips where the system does not tell."""
    file = Path(f"/proc/{running.process.pid}/stat")
    if not file.exists():
        pytest.skip("no /proc")
    ticks = file.read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / 100


def test_410_stops_a_feed_for_good_and_404_does_not(tmp_path):
    with Server([site("gone.example", 1), site("lost.example", 1)]) as farm:
        crawl(farm, tmp_path / "state", **QUIET).check()
        farm.down("gone.example", 410)
        farm.down("lost.example", 404)
        crawl(farm, tmp_path / "state", **QUIET).check()
        asked = len(farm.hits("gone.example"))
        (gone,), (lost,) = (one["feeds"] for one in status(tmp_path / "state").values())
        assert (gone["status"], gone["http_status"], "410" in gone["error"]) == ("gone", 410, True)
        assert (lost["status"], lost["http_status"], "404" in lost["error"]) == ("failing", 404, True)
        farm.up("gone.example")
        farm.up("lost.example")
        time.sleep(2.2)  # twice the longest period, for one error
        crawl(farm, tmp_path / "state", **QUIET).check()
        assert len(farm.hits("gone.example")) == asked
        said = status(tmp_path / "state")
        assert said["gone.example"]["feeds"][0]["status"] == "gone"
        assert (said["lost.example"]["feeds"][0]["status"], said["lost.example"]["feeds"][0]["errors"]) == ("active", 0)


# -- once, chosen sites, exports


def test_only_the_chosen_sites_are_crawled(tmp_path):
    with Server([site(f"{name}.example", 2) for name in "abc"]) as farm:
        crawl(farm, tmp_path / "state", **QUIET, sites="b.example").check()
        assert {article.site for article in stored(tmp_path / "state")} == {"b.example"}
        assert {hit.host for hit in farm.log} == {"b.example"}
        crawl(farm, tmp_path / "state", **QUIET, NEWSMON_ONLY_SITES="a.example").check()
        assert {article.site for article in stored(tmp_path / "state")} == {"a.example", "b.example"}
        crawl(farm, tmp_path / "state", **QUIET, NEWSMON_ONLY_SITES="").check()
        assert len(stored(tmp_path / "state")) == 6


def test_feed_exports_and_scrapy_export_give_the_same(tmp_path):
    state = tmp_path / "state"
    names = {"jsonl": tmp_path / "crawl.jsonl", "csv": tmp_path / "crawl.csv"}
    overwrite = {str(file): {"format": format_} for format_, file in names.items()}
    with Farm(sites=["trap.example", "visnyk.example"], articles=3) as farm:
        crawl(farm, state, DOWNLOAD_DELAY=0, DOWNLOAD_TIMEOUT=2, FEEDS=json.dumps(overwrite)).check()
    for file in names.values():
        command("export", "--out", str(tmp_path / f"export{file.suffix}"), state=state).check()
    articles = stored(state)
    assert any(article.title and article.title.startswith("=") for article in articles)
    lines = sorted(names["jsonl"].read_text("utf-8").splitlines())
    assert lines == sorted((tmp_path / "export.jsonl").read_text("utf-8").splitlines())
    assert {json.loads(line)["text_sha256"] for line in lines} == {article.text_sha256 for article in articles}
    assert len(lines) == len(articles)
    assert rows(names["csv"]) == rows(tmp_path / "export.csv")
    assert len(rows(names["csv"])) == len(articles)
    with opened(state) as store:  # pages of other kinds are stored, and in none of these
        assert any(page.outcome == "not_article" for page in store.pages())


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened_file:
        reader = csv.DictReader(opened_file)
        found = sorted(reader, key=lambda row: row["url"])
        assert tuple(reader.fieldnames or ()) == FIELDS
        return found


def test_output_options_of_the_command_line(tmp_path):
    state, out = tmp_path / "state", tmp_path / "out.jsonl"
    with Server([site("a.example", 2)]) as farm:
        crawl(farm, state, **QUIET, output=out).check()
    assert {json.loads(line)["url"] for line in out.read_text().splitlines()} == {one.url for one in stored(state)}


# -- backfill


def test_backfill_takes_the_articles_between_two_days(tmp_path):
    with Farm(sites=["dumka.example"], articles=3) as farm:
        past = {each.url: each for each in farm.expected if each.backfill}
        day = {url: each.published.astimezone(KYIV).date() for url, each in past.items() if each.published}
        days = sorted(day.values())
        wanted = {url for url in past if days[1] <= day[url] <= days[2]}
        assert (len(past), len(wanted)) == (4, 2)
        options = {"spider": "backfill", "site": "dumka.example", "since": days[1], "until": days[2]}
        ended = crawl(farm, tmp_path / "state", DOWNLOAD_DELAY=0, **options).check()
        assert {article.url for article in stored(tmp_path / "state")} == wanted
        assert "2 of them new" in ended.log
        with opened(tmp_path / "state") as store:
            findings = audit([past[url] for url in wanted], store)
            assert [finding for finding in findings if not finding.ok] == []
            assert list(store.articles()) != []
            assert {page.url for page in store.pages()} == wanted
        everything = {**options, "since": days[0], "until": ""}
        assert "2 of them new" in crawl(farm, tmp_path / "state", DOWNLOAD_DELAY=0, **everything).check().log
        assert {article.url for article in stored(tmp_path / "state")} == set(past)
        assert {article.kind for article in stored(tmp_path / "state")} == {Kind.ARTICLE}


def test_backfill_by_all_kinds_of_dates_and_with_sitemaps_that_fail(tmp_path):
    host = "http://maps.example"
    dated = {"/2024/01/31/in": "", "/2024/02/01/out": "", "/edited-later": "2024-05-01", "/undated": ""}
    vague = {"/changed": "2024-01-15", "/changed-later": "2024-02-01", "/changed-before": "2023-12-31"}
    maps = {
        "/index.xml": sitemap(f"{host}/s-2024-01.xml", f"{host}/s.xml", f"{host}/s-2023.xml", index=True),
        "/s-2024-01.xml": in_turn(plain("later", 500), lastmods(host, dated)),
        "/s.xml": lastmods(host, vague),
        "/s-2023.xml": plain("never", 500),
    }
    made = site("maps.example", {path: story(path) for path in (*dated, *vague)}, sitemaps=[f"{host}/index.xml"])
    for path, answer in maps.items():
        made.add(path, answer)
    with Server([made]) as farm:
        options = {"spider": "backfill", "site": "maps.example", "since": "2024-01-01", "until": "2024-01-31"}
        ended = crawl(farm, tmp_path / "state", **QUIET, **options).check()
        (missing,) = ended.errors
        assert "s-2023.xml" in missing
        paths = {article.url.removeprefix(host) for article in stored(tmp_path / "state")}
        assert paths == {"/2024/01/31/in", "/edited-later", "/undated", "/changed"}


def lastmods(host: str, pages: dict[str, str]) -> Reply:
    """A sitemap of pages with the day of their last change, empty for none."""
    rows = (f"<url><loc>{host}{path}</loc>{day and f'<lastmod>{day}</lastmod>'}</url>" for path, day in pages.items())
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return Reply(f'<urlset xmlns="{namespace}">{"".join(rows)}</urlset>'.encode(), 200, "application/xml")
