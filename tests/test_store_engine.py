"""Opening stores, the schema, and what happens when a database cannot write."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import newsmon
from newsmon.errors import StoreError, StoreInUse, StoreUnavailable
from newsmon.model import Lease
from newsmon.storage import Store
from newsmon.storage.migrate import HEAD
from newsmon.storage.schema import metadata
from tests.storing import NOW, Written, document, link, links, sync, take

OpenStore = Callable[..., Store]
SQLITE = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
POSTGRESQL = pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)


def engine_of(store: Store) -> sa.Engine:
    return store._database._engine


def test_the_migrations_make_the_tables_of_the_code(store: Store) -> None:
    def wanted(_object: object, name: str, kind: str, *_: object) -> bool:
        return not (kind == "table" and name.startswith("search"))

    with engine_of(store).connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": wanted, "compare_type": False})
        assert compare_metadata(context, metadata) == []


def test_opening_again_keeps_everything(open_store: OpenStore) -> None:
    first = open_store()
    sync(first, "a.example")
    first.add_urls(links("a.example", 2), site="a.example", now=NOW)
    first.close()
    assert open_store("later").ledger().pending == 2


def test_a_store_of_a_newer_version_is_left_alone(open_store: OpenStore) -> None:
    store = open_store()
    with engine_of(store).connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    store.close()
    with pytest.raises(StoreError, match=f"schema 9999, this newsmon knows schemas up to {HEAD}"):
        open_store("older")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense", "not a database URL"),
        ("mysql://host/db", "cannot be kept in 'mysql'"),
        ("sqlite:///:memory:", "would be lost"),
    ],
)
def test_urls_that_are_no_store(tmp_path: Path, url: str, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        Store.open(url, owner="x", state_dir=tmp_path, exclusive=True)


def test_the_default_store_lies_in_the_state_folder(tmp_path: Path) -> None:
    state = tmp_path / "deep" / "state"
    Store.open("sqlite:///", owner="x", state_dir=state, exclusive=True).close()
    assert (state / "newsmon.db").is_file()


def test_passwords_do_not_show(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="does not answer") as caught:
        Store.open("postgresql://me:secret@127.0.0.1:1/news", owner="x", state_dir=tmp_path, exclusive=True)
    assert "secret" not in str(caught.value)


@SQLITE
def test_a_second_crawl_on_the_same_file_is_refused(open_store: OpenStore, store_url: str, tmp_path: Path) -> None:
    open_store("first")
    script = (
        "import sys; from pathlib import Path; from newsmon.storage import Store\n"
        "Store.open(sys.argv[1], owner='second', state_dir=Path('.'), exclusive=True)"
    )
    second = subprocess.run(
        [sys.executable, "-c", script, store_url],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(newsmon.__file__).parent.parent)},
    )
    assert (
        f"StoreInUse: {store_url.removeprefix('sqlite:///')} is in use by process {os.getpid()} (first)"
        in second.stderr
    )
    with pytest.raises(StoreInUse):
        open_store("same process")
    assert open_store("looks only", exclusive=False).ledger().discovered == 0


@SQLITE
def test_the_lock_ends_with_its_holder(open_store: OpenStore) -> None:
    open_store("first").close()
    assert open_store("second").ledger().discovered == 0


@SQLITE
def test_a_locked_database_is_waited_for(open_store: OpenStore, store_url: str) -> None:
    store = open_store()
    sync(store, "a.example")
    with closing(sqlite3.connect(store_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="another program keeps the database locked"):
            store.add_urls(links("a.example", 2), site="a.example", now=NOW)
        assert store.ledger().discovered == 0  # reading goes on
        other.execute("COMMIT")
    assert store.add_urls(links("a.example", 2), site="a.example", now=NOW) == 2


@SQLITE
def test_a_full_database_loses_nothing(store: Store) -> None:
    """``max_page_count`` makes SQLite answer as it does on a full disk."""
    sync(store, "a.example")
    store.add_urls(links("a.example", 3), site="a.example", now=NOW)
    pages = take(store)
    with page_limit(store):
        with pytest.raises(StoreUnavailable, match="the disk is full; free some space"):
            _discover_for_ever(store)
        discovered = store.ledger().discovered
        assert store.ledger().leased == 3
    for page in pages:
        assert store.finish(page, document(page), None, now=NOW) is not None
    assert store.ledger().discovered == discovered
    with engine_of(store).connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


@contextmanager
def page_limit(store: Store) -> Iterator[None]:
    """Let the database not grow."""

    def limit(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA max_page_count = 1").close()  # SQLite raises it to the pages there are

    engine = engine_of(store)
    engine.dispose()
    sa.event.listen(engine, "connect", limit)
    yield
    sa.event.remove(engine, "connect", limit)
    engine.dispose()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB; skips where none may be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    mounted = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], check=False, capture_output=True
    )
    if not mounted or mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_pauses_and_resumes(small_disk: Path) -> None:
    with Store.open("sqlite:///", owner="x", state_dir=small_disk, exclusive=True) as store:
        sync(store, "a.example")
        store.add_urls(links("a.example", 20), site="a.example", now=NOW)
        pages = take(store)
        ballast = small_disk / "ballast"
        with pytest.raises(OSError, match="space"):
            _fill_up(ballast)
        with pytest.raises(StoreUnavailable, match=r"the disk is full|input/output"):
            _finish_all(store, pages)
        assert store.ledger().leased == 20 - len(list(store.articles())) > 0
        ballast.unlink()
        _finish_all(store, pages)
        assert store.ledger().leased == 0
        assert len(list(store.articles())) == 20


def _discover_for_ever(store: Store) -> None:
    for number in count():
        store.add_urls([link(f"http://a.example/more/{number}")], site="a.example", now=NOW)


def _fill_up(file: Path) -> None:
    with file.open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(4096))


def _finish_all(store: Store, pages: list[Lease]) -> None:
    for page in pages:
        assert store.finish(page, document(page, Written(text="word " * 2000)), None, now=NOW) is not None


@POSTGRESQL
def test_a_lost_connection_comes_back(store: Store, store_url: str) -> None:
    sync(store, "a.example")
    with psycopg.connect(store_url, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'newsmon'")
    with pytest.raises(StoreUnavailable, match="the database server"):
        store.add_urls(links("a.example", 2), site="a.example", now=NOW)
    assert store.add_urls(links("a.example", 2), site="a.example", now=NOW) == 2


@POSTGRESQL
def test_locked_rows_are_not_waited_for_for_ever(
    store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("newsmon.storage.engine.LOCK_TIMEOUT", 0.2)
    hasty = Store.open(store_url, owner="hasty", state_dir=tmp_path, exclusive=True)
    sync(hasty, "a.example")
    with psycopg.connect(store_url) as other:
        other.execute("LOCK TABLE sites")
        with pytest.raises(StoreUnavailable, match="another process keeps rows locked"):
            sync(hasty, "a.example")
        other.rollback()
    sync(hasty, "a.example")
    hasty.close()


@POSTGRESQL
def test_a_read_only_server_is_said_to_be_one(store: Store, store_url: str) -> None:
    with psycopg.connect(store_url, autocommit=True) as admin:
        admin.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
        try:
            engine_of(store).dispose()
            with pytest.raises(StoreUnavailable, match="takes no writes"):
                sync(store, "a.example")
        finally:
            admin.execute("ALTER DATABASE postgres RESET default_transaction_read_only")


def test_two_processes_may_create_a_store_at_once(store_url: str, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from newsmon.storage import Store\n"
        "Store.open(sys.argv[1], owner='x', state_dir=Path('.'), exclusive=False).ledger()"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(newsmon.__file__).parent.parent)}
    command = [sys.executable, "-c", script, store_url]
    running = [
        subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate()[1] for process in running] == ["", "", ""]


def test_migrations_run_from_a_zipped_egg(tmp_path: Path) -> None:
    package = Path(newsmon.__file__).parent
    with zipfile.ZipFile(tmp_path / "newsmon.egg", "w") as egg:
        for file in sorted(package.rglob("*.py")):
            egg.write(file, Path("newsmon") / file.relative_to(package))
    script = (
        "import newsmon.storage; assert '.egg' in newsmon.storage.__file__\n"
        "from pathlib import Path; from newsmon.storage import Store\n"
        "print(Store.open('sqlite:///', owner='x', state_dir=Path('.'), exclusive=True).ledger().discovered)"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "newsmon.egg")}
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
    )
    assert (run.stdout, run.returncode) == ("0\n", 0), run.stderr
