"""A crawl that is killed, stopped, starved of disk or locked out loses nothing and stores nothing twice."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from bench.kill9 import run
from newsmon.extraction import extract
from newsmon.farm import Farm
from newsmon.model import Outcome
from newsmon.storage import Archive
from tests.crawling import Running, crawl, opened, small_disk, start, stored, twice

HOSTS, ARTICLES = 6, 15
# Feeds are polled once: what a crawl left over must come from the frontier.
ONE_POLL = {"NEWSMON_POLL_MIN": 3600, "NEWSMON_POLL_MAX": 7200, "NEWSMON_ONCE_PATIENCE": 1}
FAST = {"DOWNLOAD_DELAY": 0, "NEWSMON_SEEN_CAPACITY": 50_000, **ONE_POLL}


@pytest.fixture
def farm() -> Iterator[Farm]:
    """Plain sites whose answers take a moment, so that there is a middle of the crawl to break it in."""
    with Farm(sites=[], bulk_hosts=HOSTS, bulk_articles=ARTICLES, page_kb=20) as farm:
        for host in farm.hosts:
            farm.slow(host, 0.1)
        yield farm


def pages_asked(farm: Farm) -> list[str]:
    """Addresses of article pages in the order they were asked for."""
    return [f"http://{hit.host}{hit.target}" for hit in farm.log if hit.target.startswith("/news/")]


def wait_for_pages(running: Running, farm: Farm, number: int) -> None:
    """Wait until so many article pages have been asked for."""
    running.wait_for(lambda: len(pages_asked(farm)) >= number, 60)


def check_complete(farm: Farm, state: Path, url: str = "sqlite:///") -> None:
    """Everything the farm publishes is stored once, and its page can be read from the archive."""
    articles = stored(state, url)
    assert not twice(articles)
    assert {article.url for article in articles} == {each.url for each in farm.expected}
    archive = Archive(state / "archive")
    assert all(article.archive and archive.read(article.archive, url=article.url).body for article in articles)
    with opened(state, url) as store:
        ledger = store.ledger()
    assert (ledger.pending, ledger.leased, dict(ledger.done)) == (0, 0, {Outcome.STORED: HOSTS * ARTICLES})


def leased(state: Path) -> int:
    with opened(state) as store:
        return store.ledger().leased


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Keep a database locked, as a backup program or a person with a shell might."""
    with closing(sqlite3.connect(database, isolation_level=None, timeout=30)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def fill(folder: Path) -> Path:
    """Write a file until there is no room left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 12))
    assert shutil.disk_usage(folder).free == 0
    return filler


# -- kill -9


def test_kill_9_at_five_random_moments_loses_nothing_and_stores_nothing_twice():
    result = run(pages=120, kills=5, seed=9)
    assert result.sound, result
    assert (result.pages, result.stored, result.kills) == (120, 120, 5)


def test_a_backup_taken_while_the_crawl_runs_can_be_gone_on_with(farm, tmp_path):
    state, backup = tmp_path / "state", tmp_path / "backup"
    backup.mkdir()
    running = start(farm, state, **FAST)
    wait_for_pages(running, farm, 40)
    with (
        closing(sqlite3.connect(state / "newsmon.db")) as live,
        closing(sqlite3.connect(backup / "newsmon.db")) as copy,
    ):
        live.backup(copy)
    shutil.copytree(state / "archive", backup / "archive")  # after the database, so that nothing it names is missing
    running.kill()
    crawl(farm, backup, **FAST).check()
    check_complete(farm, backup)


# -- SIGTERM


def test_sigterm_in_the_middle_gives_everything_back(farm, tmp_path):
    state = tmp_path / "state"
    running = start(farm, state, **FAST)
    wait_for_pages(running, farm, 20)
    began = time.monotonic()
    running.stop(10).check()
    assert time.monotonic() - began < 3
    assert leased(state) == 0
    before = len(stored(state))
    assert before > 0
    crawl(farm, state, **FAST).check()
    check_complete(farm, state)


def test_sigterm_does_not_wait_for_slow_servers_and_long_delays(farm, tmp_path):
    state, (slow, other, *_) = tmp_path / "state", farm.hosts
    farm.slow(slow, 60)
    running = start(farm, state, **FAST, DOWNLOAD_TIMEOUT=60, NEWSMON_STOP_PATIENCE=1, once=False)
    running.wait_for(lambda: bool(farm.hits(slow)) and len(farm.hits(other)) > 3)
    began = time.monotonic()
    running.stop(20).check()
    assert time.monotonic() - began < 4
    assert leased(state) == 0
    with opened(state) as store:
        assert store.robots(f"http://{slow}") is None  # that it was not waited for says nothing of the server
        assert all(feed.error is None for site in store.status() for feed in site.feeds)
        assert all(page.attempts == 0 for page in store.pages())


def test_sigterm_while_nothing_is_due(farm, tmp_path):
    running = start(farm, tmp_path / "state", **FAST, once=False)
    wait_for_pages(running, farm, HOSTS * ARTICLES)
    time.sleep(1)
    began = time.monotonic()
    running.stop(10).check()
    assert time.monotonic() - began < 3
    check_complete(farm, tmp_path / "state")


# -- disk full, database locked, database broken


@pytest.mark.parametrize("full", ["archive", "database"])
def test_a_full_disk_pauses_the_crawl_until_there_is_room(farm, tmp_path, full):
    with small_disk(tmp_path / "disk", 12) as disk:
        state, url = (disk / "state", f"sqlite:///{tmp_path / 'newsmon.db'}")
        if full == "database":
            state, url = tmp_path / "state", f"sqlite:///{disk / 'newsmon.db'}"
        running = start(farm, state, **FAST, NEWSMON_STORE_URL=url, name="starved")
        wait_for_pages(running, farm, 20)
        filler = fill(disk)
        running.wait_for("Fetching is paused")
        time.sleep(1)  # what was under way has arrived
        asked = len(farm.log)
        time.sleep(2)
        assert len(farm.log) == asked
        filler.unlink()
        ended = running.end().check()
        (paused,) = ended.errors
        assert str(disk) in paused
        assert "full" in paused or "No space left" in paused
        assert ended.log.count("fetching resumes") == 1
        check_complete(farm, state, url)
        assert len(pages_asked(farm)) == HOSTS * ARTICLES  # nothing had to be fetched again


def test_a_locked_database_pauses_the_crawl_until_it_is_free(farm, tmp_path):
    state = tmp_path / "state"
    running = start(farm, state, **FAST)
    wait_for_pages(running, farm, 20)
    with locked(state / "newsmon.db"):
        running.wait_for("Fetching is paused")
        time.sleep(0.5)
        copies = sum(1 for _ in Archive(state / "archive").pages())
        time.sleep(2.5)
        assert sum(1 for _ in Archive(state / "archive").pages()) == copies  # waiting pages are archived once
    ended = running.end().check()
    (paused,) = ended.errors
    assert "locked" in paused
    check_complete(farm, state)
    assert len(pages_asked(farm)) == HOSTS * ARTICLES


def test_sigterm_while_the_store_cannot_write(farm, tmp_path):
    state = tmp_path / "state"
    running = start(farm, state, **FAST)
    wait_for_pages(running, farm, 20)
    with locked(state / "newsmon.db"):
        running.wait_for("Fetching is paused")
        began = time.monotonic()
        ended = running.stop(20).check()
        assert time.monotonic() - began < 8
        assert "could not be given back" in ended.log
    crawl(farm, state, **FAST).check()
    check_complete(farm, state)


def test_a_database_that_breaks_for_good_ends_the_crawl_with_the_reason(farm, tmp_path):
    state = tmp_path / "state"
    running = start(farm, state, **FAST, once=False)
    wait_for_pages(running, farm, 20)
    with closing(sqlite3.connect(state / "newsmon.db", timeout=30)) as connection:
        connection.execute("DROP TABLE frontier")
    ended = running.end(20)
    assert ended.code == 1
    assert sum("no such table" in line and "the crawl ends" in line for line in ended.errors) <= 1
    assert any("no such table" in line for line in ended.errors)
    assert "<html" not in ended.log  # what was in hand is not poured into the log


def failing_extract(page, **known):
    """An extractor with a fault, named by the test below."""
    if page.url.endswith("/news/3.html"):
        raise ZeroDivisionError("a fault of the extractor")
    return extract(page, **known)


def test_a_fault_of_newsmon_on_a_page_costs_that_page_only(farm, tmp_path):
    path = f"{failing_extract.__module__}.{failing_extract.__name__}"
    ended = crawl(farm, tmp_path / "state", **FAST, NEWSMON_EXTRACTOR=path)
    assert ended.code == 0
    assert "<html" not in ended.log
    assert len(stored(tmp_path / "state")) == HOSTS * (ARTICLES - 1)
    with opened(tmp_path / "state") as store:
        waiting = [page for page in store.pages() if page.outcome is None]
    assert [(page.attempts, "a fault of the extractor" in str(page.reason)) for page in waiting] == [(1, True)] * HOSTS
