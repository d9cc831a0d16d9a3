"""Mistakes of users and damage done outside: said in one line at the start, with an exit code, and no traceback."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from newsmon.crawl.settingcheck import check_settings
from newsmon.errors import NewsmonError, RuleError, SettingError
from newsmon.farm import Farm
from newsmon.library import load_library
from newsmon.spiders.backfill import BackfillSpider
from newsmon.spiders.news import NewsSpider
from tests.crawling import Running, command, crawl, opened, scrapy, small_disk, start, stored

FAST = {"DOWNLOAD_DELAY": 0, "NEWSMON_SEEN_CAPACITY": 50_000}


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with Farm(sites=[], bulk_hosts=3, bulk_articles=4, page_kb=5) as farm:
        yield farm


def check_refused(ended, *texts: str, code: int = 1) -> None:
    """One critical line that holds these texts."""
    ended.check(code)
    (line,) = ended.errors
    for text in texts:
        assert text in line


# -- the store


def test_a_second_process_on_one_sqlite_store_is_refused(farm, tmp_path):
    state = tmp_path / "state"
    first = start(farm, state, **FAST, once=False)
    first.wait_for(lambda: bool(farm.log) and (state / "newsmon.db").exists())
    check_refused(crawl(farm, state, **FAST, name="second"), "in use by process", str(first.process.pid), "PostgreSQL")
    command("status", state=state).check()  # looking in is allowed
    first.stop().check()
    crawl(farm, state, **FAST).check()


def test_a_state_folder_that_cannot_be_made_or_written(farm, tmp_path):
    (tmp_path / "file").touch()
    ended = crawl(farm, tmp_path / "state", **FAST, NEWSMON_STATE_DIR=tmp_path / "file" / "state")
    check_refused(ended, str(tmp_path / "file"), "cannot be made")


def test_a_read_only_state_folder(farm, tmp_path):
    with small_disk(tmp_path / "disk", 8) as disk:
        crawl(farm, disk / "state", **FAST).check()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        log = tmp_path / "log"
        ended = Running(scrapy("crawl", "news", "-s", f"NEWSMON_STATE_DIR={disk / 'state'}"), log).end()
        check_refused(ended, str(disk), "Read-only file system")


def test_a_damaged_database(farm, tmp_path):
    state = tmp_path / "state"
    crawl(farm, state, **FAST).check()
    (state / "newsmon.db").write_bytes(b"not a database" * 1000)
    check_refused(crawl(farm, state, **FAST), "newsmon.db", "damaged", "backup")


def test_a_store_that_does_not_answer(farm, tmp_path):
    nobody = "postgresql://me:secret@127.0.0.1:1/news"
    ended = crawl(farm, tmp_path / "state", NEWSMON_STORE_URL=nobody)
    check_refused(ended, "does not answer", "127.0.0.1")
    assert "secret" not in ended.log


# -- the filter of seen URLs


def test_a_lost_or_damaged_filter_is_rebuilt(farm, tmp_path):
    state = tmp_path / "state"
    crawl(farm, state, **FAST).check()
    asked = {host: len(farm.hits(host)) for host in farm.hosts}
    (state / "seen.bloom").write_bytes(b"\x00" * 100)
    assert "rebuilt from the database" in crawl(farm, state, **FAST).check().log
    (state / "seen.bloom").unlink()
    (state / "seen.bloom").mkdir()
    ended = crawl(farm, state, **FAST).check()
    assert "rebuilt from the database" in ended.log
    assert "could not be saved" in ended.log
    assert len(stored(state)) == 12
    assert {host: len(farm.hits(host)) for host in farm.hosts} == {host: n + 2 for host, n in asked.items()}  # the feed


# -- the rules


def test_a_broken_rule_file_stops_only_its_site(farm, tmp_path):
    state, rules = tmp_path / "state", tmp_path / "rules"
    bad, torn, good = (Path(file) for file in farm.write_rules(rules))
    bad.write_text(bad.read_text("utf-8").replace("versions:", "verzions:"), "utf-8")
    torn.write_text("domain: [", "utf-8")
    options = {**FAST, "NEWSMON_RULES_DIR": rules}
    ended = crawl(farm, state, **options, NEWSMON_ONLY_SITES="").check()
    assert [bad.name in line or torn.name in line for line in ended.errors] == [True, True]
    assert any("verzions" in line for line in ended.errors)
    assert {article.site for article in stored(state)} == {good.stem}
    with opened(state) as store:
        faults = {site.domain: site.rule_error for site in store.status()}
    assert faults[good.stem] is None
    assert "verzions" in str(faults[bad.stem])
    assert faults[torn.stem]
    status = command("status", state=state).check(1)
    assert "broken rule" in status.log
    assert bad.stem in status.log
    assert torn.stem in status.log
    # naming the broken sites does not keep the others from being crawled, but they alone are nothing to crawl
    named = crawl(farm, state, **options, sites=f"{bad.stem},{torn.stem},{good.stem}").check()
    assert len(named.errors) == 2
    assert "nothing to crawl" in crawl(farm, state, **options, sites=bad.stem).check(1).errors[-1]


def test_unknown_sites_and_missing_rules(farm, tmp_path):
    check_refused(crawl(farm, tmp_path / "a", sites="bulk-000.example,nosuch.example"), "nosuch.example", "bulk-002")
    check_refused(crawl(farm, tmp_path / "b", NEWSMON_RULES_DIR=tmp_path / "none"), str(tmp_path / "none"))
    (tmp_path / "empty").mkdir()
    options = {"NEWSMON_RULES_DIR": tmp_path / "empty", "NEWSMON_ONLY_SITES": ""}
    check_refused(crawl(farm, tmp_path / "c", **options), "nothing to crawl", str(tmp_path / "empty"))


def test_a_folder_of_rules_that_cannot_be_read(tmp_path, monkeypatch):
    def denied(folder):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", denied)  # root, who may run the tests, may read everything
    with pytest.raises(RuleError, match=f"{tmp_path} cannot be read: Permission denied"):
        load_library(tmp_path)


@pytest.mark.parametrize(
    ("spider", "said"),
    [
        (NewsSpider(site="a.example"), "news knows no argument site"),
        (NewsSpider(once="maybe"), "not 'maybe'"),
        (BackfillSpider(site="a.example"), "first day"),
        (BackfillSpider(site="a.example", since="2024-02-31"), "2024-01-31"),
        (BackfillSpider(site="a.example", since="2024-02-02", until="2024-02-01"), "after"),
        (BackfillSpider(sites="a.example,b.example", since="2024-02-02"), "one site"),
    ],
)
def test_a_wrong_argument_is_named(spider, said):
    with pytest.raises(NewsmonError, match=said):
        spider.check_arguments()


def test_arguments_of_scrapyd_are_none_of_ours():
    NewsSpider(once="0", _job="1", _version="2").check_arguments()


def test_wrong_arguments_and_spiders_end_with_1(farm, tmp_path):
    check_refused(crawl(farm, tmp_path / "a", site="bulk-000.example"), "no argument site")
    assert "nosuch" in command("crawl", "nosuch").log


# -- the settings


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"NEWSMON_CONNECT_TO": "{a"}, "not JSON"),
        ({"NEWSMON_CONNECT_TO": '{"a.example": "localhost:80"}'}, "localhost:80"),
        ({"NEWSMON_CONNECT_TO": '{"a.example": "127.0.0.1"}'}, "127.0.0.1:8080"),
        ({"NEWSMON_ALLOW_ADDRESSES": "127.0.0.1,intranet"}, "intranet"),
        ({"NEWSMON_POLLING": "hourly"}, "sqrt, share, fixed"),
        ({"NEWSMON_POLL_MIN": "600", "NEWSMON_POLL_MAX": "300"}, "greater than NEWSMON_POLL_MAX"),
        ({"NEWSMON_POLL_MIN": "soon"}, "'soon'"),
        ({"NEWSMON_POLL_MIN": "nan"}, "'nan'"),
        ({"NEWSMON_POLL_MAX": "0"}, "NEWSMON_POLL_MAX"),
        ({"NEWSMON_DELAY_JITTER": "10"}, "up to 1"),
        ({"NEWSMON_MAX_ATTEMPTS": "2.5"}, "whole number"),
        ({"NEWSMON_SEEN_ERROR_RATE": "1"}, "up to 0.5"),
        ({"DOWNLOAD_DELAY": "-1"}, "DOWNLOAD_DELAY"),
        ({"NEWSMON_EXTRACTOR": "newsmon.extraction.nosuch"}, "nosuch"),
        ({"NEWSMON_EXTRACTOR": "newsmon.extraction.text"}, "function"),
    ],
)
def test_a_wrong_setting_is_named_with_what_to_write(settings, said):
    with pytest.raises(SettingError) as caught:
        check_settings(Settings(settings))
    assert said in str(caught.value)
    assert all(name in str(caught.value) for name in settings)


def test_all_wrong_settings_are_named_at_once_and_those_not_given_are_not():
    with pytest.raises(SettingError, match=r"NEWSMON_LEASE_SECONDS.*; .*NEWSMON_POLLING"):
        check_settings(Settings({"NEWSMON_LEASE_SECONDS": "x", "NEWSMON_POLLING": "x"}))
    check_settings(Settings())
    check_settings(Settings({"NEWSMON_CONNECT_TO": '{"*": "[::1]:80"}', "NEWSMON_ALLOW_ADDRESSES": ["10.0.0.0/8"]}))


def test_the_command_says_so_and_ends_with_2(farm, tmp_path):
    ended = crawl(farm, tmp_path / "a", NEWSMON_POLLING="hourly").check(2)
    assert ended.log.splitlines()[-1].startswith("scrapy crawl: NEWSMON_POLLING is one of")
    assert not (tmp_path / "a").exists()
