"""Connections: SQLite and PostgreSQL set up alike, transactions, and database errors in words for a person."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from newsmon.errors import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY_TIMEOUT = 1.0  # seconds SQLite waits for another writer before the crawl pauses instead of its event loop
LOCK_TIMEOUT = 5.0  # seconds the same for a row lock of PostgreSQL
_BEGIN = "newsmon_begin"

_SQLITE_ADVICE = {
    "SQLITE_FULL": "the disk is full; free some space",
    "SQLITE_BUSY": "another program keeps the database locked; let it finish or stop it",
    "SQLITE_LOCKED": "another program keeps the database locked; let it finish or stop it",
    "SQLITE_IOERR": "the disk gives an input/output error; look at the system log",
    "SQLITE_READONLY": "the database cannot be written; check the permissions of its folder",
    "SQLITE_CANTOPEN": "the database file cannot be opened; check its folder and permissions",
}
_POSTGRES_ADVICE = {
    "53100": "the disk of the database server is full",
    "53200": "the database server is out of memory",
    "53300": "the database server takes no more connections",
    "40P01": "two processes waited for each other",
    "40001": "another process changed the same rows",
    "55P03": "another process keeps rows locked",
    "57P01": "the database server was stopped",
    "57P02": "the database server crashed",
    "57P03": "the database server is starting or stopping",
    "25006": "the database server takes no writes (read-only)",
}


def store_url(url: str, state_dir: Path) -> URL:
    """Read a database URL: an empty SQLite one is a file in the state folder, PostgreSQL is spoken through psycopg.

    >>> store_url("sqlite:///", Path("state")).database
    'state/newsmon.db'
    >>> store_url("postgres://me@db/news", Path("state")).drivername
    'postgresql+psycopg'

    :raises StoreError: when the URL is of another kind.
    """
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1) if url.startswith("postgres://") else url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            "the store URL is not a database URL; write sqlite:///PATH or postgresql://HOST/NAME"
        ) from error
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return parsed if parsed.database else parsed.set(database=str(state_dir / "newsmon.db"))
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError(f"the store cannot be kept in {backend!r}; write sqlite:///PATH or postgresql://HOST/NAME")


class Database:
    """An engine with two kinds of transactions, whose errors are :class:`StoreError` or :class:`StoreUnavailable`."""

    def __init__(self, url: URL) -> None:
        self.name = url.render_as_string(hide_password=True)
        self.sqlite = url.get_backend_name() == "sqlite"
        self.file = Path(url.database).absolute() if self.sqlite and url.database else None
        self._engine = _sqlite_engine(url) if self.sqlite else _postgres_engine(url)
        self._writing = self._engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """One consistent look at the database."""
        with self._explained(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """One transaction: all of it, or after an exception nothing of it."""
        with self._explained(), self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Give all connections back."""
        self._engine.dispose()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except PoolTimeout as error:
            raise StoreUnavailable(f"{self.name}: all connections are in use") from error
        except DBAPIError as error:
            raise self._explain(error) from error

    def _explain(self, error: DBAPIError) -> StoreError:
        advice = _advice(error)
        if advice is None:
            return StoreError(f"{self.name}: {_damage(error)}{_first_line(error.orig)}")
        # Whatever state the failed connections are in, the next call starts with new ones.
        self._engine.dispose()
        return StoreUnavailable(f"{self.name}: {advice} ({_first_line(error.orig)})")


def _advice(error: DBAPIError) -> str | None:
    """What a person can do about an error that may pass, None for an error that will not."""
    if isinstance(error.orig, sqlite3.Error):
        name = getattr(error.orig, "sqlite_errorname", "")
        return next((text for code, text in _SQLITE_ADVICE.items() if name.startswith(code)), None)
    state = getattr(error.orig, "sqlstate", None)
    if state in _POSTGRES_ADVICE:
        return _POSTGRES_ADVICE[state]
    # Errors without a state come from the client: there is no server to give one.
    lost = error.connection_invalidated or state is None or state.startswith("08")
    return "the database server does not answer" if lost else None


def _damage(error: DBAPIError) -> str:
    """What a person can do about a database file that is broken; nothing for other errors."""
    damaged = getattr(error.orig, "sqlite_errorname", "").startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))
    advice = "the database file is damaged; put a backup in its place, or move it away to begin anew: "
    return advice if damaged else ""


def _first_line(error: BaseException | None) -> str:
    return next(iter(str(error).strip().splitlines()), "")


def _sqlite_engine(url: URL) -> sa.Engine:
    if url.database == ":memory:":
        raise StoreError("a store in memory would be lost; write sqlite:///PATH")
    engine = sa.create_engine(
        url, connect_args={"timeout": BUSY_TIMEOUT, "check_same_thread": False}, **_common_options()
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The sqlite3 module would begin transactions itself, too late for a consistent read before the first write.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "journal_size_limit=67108864"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: sa.Connection) -> None:
    # A writer takes the lock at once: one that upgrades from reading could fail at any later statement.
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def _postgres_engine(url: URL) -> sa.Engine:
    options = f"-c timezone=utc -c lock_timeout={int(LOCK_TIMEOUT * 1000)}"
    return sa.create_engine(
        url, connect_args={"options": options, "connect_timeout": 5, "application_name": "newsmon"}, **_common_options()
    )


def _common_options() -> dict[str, Any]:
    return {"json_serializer": partial(json.dumps, ensure_ascii=False, separators=(",", ":")), "pool_timeout": 5}
