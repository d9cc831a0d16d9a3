"""kill -9 at random moments: no page lost, none stored twice; and what can be done with a living store's file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import newsmon
from newsmon.model import Outcome
from newsmon.storage import Archive, Store
from newsmon.storage.migrate import HEAD
from tests.storing import NOW, Written, document, link, links, put, sync, take

ROOT = Path(newsmon.__file__).parent.parent
PAGES = 300
CRAWL = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from newsmon.storage import Archive, Store
from tests.storing import NOW, document, links, sync, take
folder = Path(sys.argv[1])
store = Store.open("sqlite:///", owner=f"crawl-{os.getpid()}", state_dir=folder, exclusive=True)
archive = Archive(folder / "archive")
archive.repair()
sync(store, "a.example")
for number in range(3):
    store.add_urls(links(f"{number}.example", 100), site="a.example", now=NOW)
print("started", flush=True)
from datetime import UTC, datetime
while pages := take(store, datetime.now(UTC), pages=8, per_host=4):
    for page in pages:
        work = document(page)
        store.finish(page, work, archive.append(work.page, now=NOW), keys=[page.url], now=NOW)
"""


def crawl(folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command_line = [sys.executable, "-c", CRAWL, str(folder), str(ROOT)]
    return subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True, env=environment)


def test_kill_nine_loses_nothing_and_stores_nothing_twice(tmp_path: Path) -> None:
    for seed in range(5):
        running = crawl(tmp_path)
        assert running.stdout is not None
        assert running.stdout.readline() == "started\n"
        time.sleep(Random(seed).uniform(0.0, 0.08))
        running.kill()
        running.communicate()
    assert crawl(tmp_path).wait() == 0
    archive = Archive(tmp_path / "archive")
    with Store.open("sqlite:///", owner="audit", state_dir=tmp_path, exclusive=True) as store:
        ledger = store.ledger()
        assert (ledger.discovered, ledger.done) == (PAGES, {Outcome.STORED: PAGES})
        articles = list(store.articles())
        assert set(Counter(article.url for article in articles).values()) == {1}
        assert len(articles) == PAGES
        assert len(store.search("article", limit=1000)) == PAGES
        for article in articles:
            assert article.archive is not None
            assert archive.read(article.archive, url=article.url).body == b"<p>page</p>"


def test_a_crash_between_archive_and_commit_costs_one_record(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "archive")
    with Store.open("sqlite:///", owner="first", state_dir=tmp_path, exclusive=True, now=NOW) as store:
        sync(store, "a.example")
        store.add_urls([link("http://a.example/1")], site="a.example", now=NOW)
        [page] = take(store)
        archive.append(document(page).page, now=NOW)
    with Store.open("sqlite:///", owner="second", state_dir=tmp_path, exclusive=True, now=NOW) as store:
        [page] = take(store)
        work = document(page)
        article = store.finish(page, work, archive.append(work.page, now=NOW), now=NOW)
        assert article is not None
        assert len(list(archive.pages())) == 2
        assert archive.read(article.archive, url=page.url) == work.page  # type: ignore[arg-type]


def test_a_host_met_by_a_killed_process_counts_as_just_asked(tmp_path: Path) -> None:
    """Whether the killed process had sent its requests is not known."""
    with Store.open("sqlite:///", owner="first", state_dir=tmp_path, exclusive=True) as store:
        sync(store, "a.example")
        store.add_urls(links("a.example", 2), site="a.example", now=NOW)
        take(store)
        assert store.host_last_fetch("a.example") is None
    with Store.open("sqlite:///", owner="second", state_dir=tmp_path, exclusive=True, now=NOW) as store:
        assert store.host_last_fetch("a.example") == NOW


def test_a_backup_taken_while_running_is_a_store(tmp_path: Path) -> None:
    with Store.open("sqlite:///", owner="x", state_dir=tmp_path, exclusive=True) as store:
        sync(store, "a.example")
        store.add_urls(links("a.example", 5), site="a.example", now=NOW)
        pages = take(store)
        store.finish(pages[0], document(pages[0]), None, now=NOW)
        (tmp_path / "copy").mkdir()
        source, target = tmp_path / "newsmon.db", tmp_path / "copy" / "newsmon.db"
        with closing(sqlite3.connect(source)) as living, closing(sqlite3.connect(target)) as copy:
            living.backup(copy)
        store.finish(pages[1], document(pages[1]), None, now=NOW)
    with Store.open("sqlite:///", owner="y", state_dir=tmp_path / "copy", exclusive=True, now=NOW) as restored:
        assert restored.ledger().done == {Outcome.STORED: 1}
        assert len(take(restored)) == 4


def test_the_schema_goes_down_and_up_again(store: Store, store_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(newsmon.__file__).parent / "storage" / "migrations"))
    engine = store._database._engine
    for move, wanted in ((command.downgrade, "base"), (command.upgrade, "head")):
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            move(config, wanted)
            tables = set(sa.inspect(connection).get_table_names())
            assert ("frontier" in tables) == (wanted == "head")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == HEAD
    assert store.ledger().discovered == 0


def test_articles_of_the_first_schema_are_read(store: Store, store_url: str) -> None:
    """A store that was filled before paragraphs had roles: going down to it and up again keeps the articles."""
    before = put(store, "http://a.example/1", Written("Title", "One.\n\nTwo."))
    config = Config()
    config.set_main_option("script_location", str(Path(newsmon.__file__).parent / "storage" / "migrations"))
    for move, wanted in ((command.downgrade, "0001"), (command.upgrade, "head")):
        with store._database._engine.begin() as connection:
            config.attributes["connection"] = connection
            move(config, wanted)
            columns = {column["name"] for column in sa.inspect(connection).get_columns("documents")}
            assert ({"roles", "confidence"} <= columns) == (wanted == "head")
    assert store.article(before.id) == before
    assert [each.text for each in before.paragraphs] == ["One.", "Two."]


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_a_server_that_dies_in_the_middle_stores_once(store: Store, store_url: str) -> None:
    """The commit may have reached the server though its answer did not reach us: the retry must not store again."""
    sync(store, "a.example")
    store.add_urls(links("a.example", 1), site="a.example", now=NOW)
    [page] = take(store)
    first = store.finish(page, document(page), None, now=NOW)
    assert store.finish(page, document(page), None, now=NOW) == first
    assert len(list(store.articles())) == 1
