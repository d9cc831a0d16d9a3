"""Fixtures that several test modules use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import settings

from newsmon.storage import Store
from tests.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]  # fixtures kept in a module of their own

# the same cases on every run, and no time limit per case: the machine may be busy
settings.register_profile("newsmon", deadline=None, derandomize=True)
settings.load_profile("newsmon")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of measuring data, which is not part of the repository; skips without it."""
    folder = Path(os.environ.get("NEWSMON_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no measuring data: set NEWSMON_DATA to their folder")
    return folder


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store' / 'newsmon.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def open_store(store_url: str, tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Opens the database as one process after the other would: ``open_store(owner="b", exclusive=False)``."""
    opened: list[Store] = []

    def open_(owner: str = "worker-1", *, exclusive: bool = True, now: datetime | None = None) -> Store:
        opened.append(Store.open(store_url, owner=owner, state_dir=tmp_path, exclusive=exclusive, now=now))
        return opened[-1]

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    """An empty store, once on SQLite and once on PostgreSQL."""
    return open_store()
