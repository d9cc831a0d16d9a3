"""Several processes on one PostgreSQL store: every article once, every delay held, a dead one's work taken over."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg
import pytest

from newsmon.farm.server import Server
from newsmon.model import Outcome
from newsmon.storage import Archive
from tests.crawling import Running, opened, start, stored, twice
from tests.smallsites import site

HOSTS, PAGES, DELAY = 5, 8, 0.3
LEASE = 3.0


@pytest.mark.parametrize("killed", [False, True], ids=["to the end", "one is killed"])
def test_two_workers_share_the_work_and_the_delays(tmp_path: Path, postgres_url: str, killed: bool) -> None:
    with Server([site(f"host{n}.example", PAGES, delay=DELAY, robots=None) for n in range(HOSTS)]) as farm:
        options: dict[str, Any] = {
            "once": False,
            "NEWSMON_STORE_URL": postgres_url,
            "NEWSMON_SEEN_CAPACITY": 50_000,
            "NEWSMON_LEASE_SECONDS": LEASE,
            "NEWSMON_POLL_MIN": 3600,
            "NEWSMON_POLL_MAX": 7200,
            "CONCURRENT_REQUESTS": 2,  # neither takes all hosts at once
        }
        workers = [start(farm, tmp_path / name, **options) for name in "ab"]
        workers[0].wait_for(lambda: sum(pages_asked(farm).values()) >= HOSTS * PAGES // 4, 60)
        if killed:
            workers[0].kill()
        wait_until_done(workers[-1], tmp_path, postgres_url)
        for worker in workers[killed:]:
            worker.stop(10).check()
        check_stored_once(farm, tmp_path, postgres_url)
        assert all(min(farm.gaps(host)) > DELAY - 0.03 for host in farm.hosts)
        assert all(any(True for _ in Archive(tmp_path / name / "archive").pages()) for name in "ab")
        again = sum(pages_asked(farm).values()) - HOSTS * PAGES
        assert 0 <= again <= (2 if killed else 0)  # what the killed one had under way


def test_a_database_server_that_drops_its_connections_costs_nothing(tmp_path: Path, postgres_url: str) -> None:
    with Server([site("host.example", 30, robots=None)]) as farm:
        farm.slow("host.example", 0.1)
        options = {"NEWSMON_STORE_URL": postgres_url, "NEWSMON_SEEN_CAPACITY": 50_000}
        running = start(farm, tmp_path / "state", **options)
        for number in (5, 12, 20):
            running.wait_for(lambda number=number: len(pages_asked(farm)) >= number, 60)
            drop_connections(postgres_url)
        ended = running.end().check()
        assert len(stored(tmp_path / "state", postgres_url)) == len(pages_asked(farm)) == 30
        assert set(pages_asked(farm).values()) == {1}
        assert ended.log.count("Fetching is paused") == ended.log.count("fetching resumes") >= 1


def drop_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def pages_asked(farm: Server) -> Counter[str]:
    return Counter(f"http://{hit.host}{hit.target}" for hit in farm.log if hit.target[1:].isdigit())


def wait_until_done(worker: Running, state: Path, url: str) -> None:
    def done() -> bool:
        time.sleep(0.2)
        with opened(state, url) as store:
            ledger = store.ledger()
        return ledger.discovered == HOSTS * PAGES == sum(ledger.done.values())

    worker.wait_for(done, 60)


def check_stored_once(farm: Server, state: Path, url: str) -> None:
    articles = stored(state, url)
    assert not twice(articles)
    assert {article.url for article in articles} == set(pages_asked(farm))
    with opened(state, url) as store:
        assert dict(store.ledger().done) == {Outcome.STORED: HOSTS * PAGES}
        assert store.ledger().leased == 0
