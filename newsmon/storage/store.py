"""The store: one database, SQLite or PostgreSQL, for frontier, feeds, articles and everything else that must last."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from newsmon.errors import StoreUnavailable
from newsmon.storage.articles import Articles
from newsmon.storage.engine import Database, store_url
from newsmon.storage.feeds import Feeds
from newsmon.storage.frontier import Frontier
from newsmon.storage.leasing import Leasing
from newsmon.storage.lock import ProcessLock
from newsmon.storage.migrate import migrate
from newsmon.storage.robots import Robots
from newsmon.storage.status import Status

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType


class Store(Feeds, Frontier, Leasing, Articles, Robots, Status):
    """Everything that is stored, put together from parts that share one database; all calls are synchronous.

    Every method may raise :class:`~newsmon.errors.StoreUnavailable` (disk full, locked, connection lost): nothing was
    changed then, and the same call may succeed later. Methods may be called from several threads.
    """

    _lock: ProcessLock | None = None

    @classmethod
    def open(cls, url: str, *, owner: str, state_dir: Path, exclusive: bool, now: datetime | None = None) -> Self:
        """Open a store; create or upgrade its tables where needed.

        :param url: ``sqlite:///PATH``, ``sqlite:///`` for ``newsmon.db`` in ``state_dir``, or ``postgresql://...``.
        :param owner: name of this process's leases; different for every process and every start.
        :param exclusive: True for a crawl: an SQLite store then belongs to this process alone, and what a dead one had
            leased is free again at once. Commands that only look in, or PostgreSQL workers, need no exclusivity;
            leases of a dead PostgreSQL worker run out.
        :param now: the time at which what a dead process had leased becomes due; the clock's by default.
        :raises StoreInUse: when another process crawls on this SQLite store.
        :raises StoreUnavailable: when the database cannot be reached or written now.
        :raises StoreError: when the URL is wrong, or a newer newsmon has written the database.
        """
        database = Database(store_url(url, state_dir))
        lock = _prepare_file(database.file, owner, exclusive=exclusive) if database.file else None
        try:
            migrate(database)
            store = cls(database, owner)
            store._lock = lock
            if lock is not None:
                store.release_dead(now or datetime.now(UTC))
        except BaseException:
            database.close()
            if lock is not None:
                lock.release()
            raise
        return store

    def close(self) -> None:
        """Give connections and lock back. Leases stay: call :meth:`release` before at a clean stop."""
        self._database.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _prepare_file(file: Path, owner: str, *, exclusive: bool) -> ProcessLock | None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"{file.parent}: the folder of the store cannot be made: {error.strerror}") from error
    return ProcessLock(file, owner) if exclusive else None
