"""One crawling process for each SQLite store."""

from __future__ import annotations

import os
from pathlib import Path

from filelock import FileLock, Timeout

from newsmon.errors import StoreInUse, StoreUnavailable


class ProcessLock:
    """A lock beside the database file that the operating system drops when the process dies, however it dies.

    :raises StoreInUse: when another process holds it; the text names that process.
    """

    def __init__(self, database: Path, owner: str) -> None:
        self._lock = FileLock(f"{database}.lock", timeout=0)
        # The holder is named in a file of its own, so that whoever fails to get the lock can read it.
        self._holder = Path(f"{database}.holder")
        try:
            self._lock.acquire()
            self._holder.write_text(f"{os.getpid()} {owner}", encoding="utf-8")
        except Timeout as error:
            raise StoreInUse(self._refusal(database)) from error
        except OSError as error:
            raise StoreUnavailable(f"{database}: the lock file cannot be written: {error.strerror}") from error

    def release(self) -> None:
        """Let another process have the store."""
        self._holder.unlink(missing_ok=True)
        self._lock.release()

    def _refusal(self, database: Path) -> str:
        pid, _, owner = self._held_by().partition(" ")
        return (
            f"{database} is in use by process {pid or '(unknown)'}{f' ({owner})' if owner else ''}; "
            "stop that crawl first, or let several processes share a PostgreSQL store (NEWSMON_STORE_URL)"
        )

    def _held_by(self) -> str:
        return self._holder.read_text(encoding="utf-8") if self._holder.exists() else ""
