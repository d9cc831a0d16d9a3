"""The archive of raw pages: WARC files that are only ever appended to.

::

    append(page) -> record in one write() -> ArchiveRef(file, offset, length) -> the same transaction as the document
    kill -9 in the middle of a write -> torn tail -> cut off by repair() at the next start

A record is written before the database refers to it, so a reference is never torn; a record without a reference is only
a page that will be fetched again. Several processes may share a folder: each writes files of its own, and the next
process goes on with the last one.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from newsmon import __version__
from newsmon.errors import StoreError, StoreUnavailable
from newsmon.model import ArchiveRef
from newsmon.storage.members import cut_torn_tail, walk
from newsmon.storage.warc import is_page, pack_info, pack_page, unpack_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from io import FileIO
    from pathlib import Path

    from newsmon.page import Page

MAX_BYTES = 1 << 30  # the size at which WARC files are customarily ended
_NAME = re.compile(r"newsmon-(?P<writer>\d{2,})-(?P<number>\d{6,})-\d{8}\.warc\.gz")


class Archive:
    """WARC files in one folder; safe to use from several threads.

    :param folder: made when the first page is appended.
    :param max_bytes: a file that has reached this size is left and a new one begun.
    :param fsync: wait for the disk after every record. Without it a record survives the death of the process, but the
        last ones may be lost when the whole machine loses power.
    """

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES, fsync: bool = False) -> None:
        self._folder, self._max_bytes, self._fsync = folder, max_bytes, fsync
        self._turn = Lock()
        self._writer: _Writer | None = None
        self._file: _AppendOnly | None = None

    def append(self, page: Page, *, now: datetime) -> ArchiveRef:
        """Write a page and return where it lies; it is in the hands of the operating system then.

        :raises StoreUnavailable: when the disk is full or fails; nothing is left of the record.
        """
        record = pack_page(page)
        with self._turn:
            try:
                file = self._open_file(now)
                return ArchiveRef(file.path.name, file.append(record), len(record))
            except OSError as error:
                self._leave_file()
                reason = f"{self._folder}: a page cannot be archived: {error.strerror}"
                raise StoreUnavailable(reason) from error

    def read(self, ref: ArchiveRef, *, url: str) -> Page:
        """Return an archived page.

        :param url: the address the page was asked for, or the one that answered.
        :raises StoreError: when the record is missing, damaged, or of another address.
        """
        try:
            page = unpack_page(self.raw(ref))
        except StoreError as error:
            raise StoreError(f"{ref.file} at {ref.offset}: {error}") from error
        if url not in (page.url, page.final_url):
            raise StoreError(f"{ref.file} at {ref.offset}: holds {page.final_url}, not {url}")
        return page

    def raw(self, ref: ArchiveRef) -> bytes:
        """Return a record as it lies in the file, compressed.

        :raises StoreError: when the file is missing or shorter than that.
        """
        if _NAME.fullmatch(ref.file) is None:
            raise StoreError(f"{ref.file!r} is not the name of a file of this archive")
        path = self._folder / ref.file
        try:
            with path.open("rb") as file:
                file.seek(ref.offset)
                record = file.read(ref.length)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        if len(record) < ref.length:
            raise StoreError(f"{path}: ends before {ref.offset + ref.length}")
        return record

    def repair(self) -> list[str]:
        """Cut off what killed processes have left behind the last whole records; return the names of the files.

        Files that a living process writes are left alone.

        :raises StoreUnavailable: when the disk fails.
        """
        newest = {match["writer"]: self._folder / match[0] for match in self._files()}
        try:
            return [path.name for writer, path in newest.items() if self._repair(int(writer), path)]
        except OSError as error:
            raise StoreUnavailable(f"{self._folder}: the archive cannot be repaired: {error.strerror}") from error

    def _repair(self, number: int, path: Path) -> bool:
        if self._writer is not None and self._writer.number == number:
            return False
        writer = _Writer.claim(self._folder, number)
        if writer is None:
            return False
        try:
            return cut_torn_tail(path)
        finally:
            writer.release()

    def pages(self) -> Iterator[tuple[ArchiveRef, Page]]:
        """Iterate over all archived pages, file by file, whether the database refers to them or not."""
        for match in self._files():
            with (self._folder / match[0]).open("rb") as file:
                places = list(walk(file))
            for ref in (ArchiveRef(match[0], offset, length) for offset, length in places):
                record = self.raw(ref)
                if is_page(record):
                    yield ref, unpack_page(record)

    def close(self) -> None:
        """Let the current file go."""
        with self._turn:
            self._leave_file()
            if self._writer is not None:
                self._writer.release()
                self._writer = None

    def _files(self) -> list[re.Match[str]]:
        """The archive's files, by writer and age."""
        matches = filter(None, (_NAME.fullmatch(path.name) for path in self._folder.glob("*.warc.gz")))
        return sorted(matches, key=lambda match: (int(match["writer"]), int(match["number"])))

    def _open_file(self, now: datetime) -> _AppendOnly:
        if self._file is None or self._file.end >= self._max_bytes:
            self._leave_file()
            self._file = self._next_file(now)
        return self._file

    def _next_file(self, now: datetime) -> _AppendOnly:
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._writer is None:
            self._writer = _Writer.first_free(self._folder)
        writer = self._writer.number
        last = next((match for match in reversed(self._files()) if int(match["writer"]) == writer), None)
        if last is not None and (self._folder / last[0]).stat().st_size < self._max_bytes:
            return _AppendOnly(self._folder / last[0], fsync=self._fsync)
        number = int(last["number"]) + 1 if last else 1
        name = f"newsmon-{writer:02}-{number:06}-{now:%Y%m%d}.warc.gz"
        return _AppendOnly(self._folder / name, fsync=self._fsync)

    def _leave_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class _Writer:
    """The right to append to one numbered set of files; it ends with the process."""

    def __init__(self, number: int, lock: FileLock) -> None:
        self.number, self._lock = number, lock

    @classmethod
    def claim(cls, folder: Path, number: int) -> _Writer | None:
        lock = FileLock(folder / f"writer-{number:02}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            return None
        return cls(number, lock)

    @classmethod
    def first_free(cls, folder: Path) -> _Writer:
        number = 0
        while (writer := cls.claim(folder, number)) is None:
            number += 1
        return writer

    def release(self) -> None:
        self._lock.release()


class _AppendOnly:
    """A WARC file that holds whole records only, whatever fails."""

    def __init__(self, path: Path, *, fsync: bool) -> None:
        self.path, self._fsync = path, fsync
        if path.exists():
            cut_torn_tail(path)
        self._file: FileIO = path.open("ab", buffering=0)
        self.end = self._file.seek(0, os.SEEK_END)
        if self.end == 0:
            self.append(pack_info(path.name, f"newsmon {__version__}"))

    def append(self, record: bytes) -> int:
        """Write a record wholly or not at all, and return its offset."""
        offset = self.end
        try:
            written = 0
            while written < len(record):
                written += self._file.write(record[written:])
            if self._fsync:
                os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(offset)
            raise
        self.end += len(record)
        return offset

    def close(self) -> None:
        # What could not be written was reported by append(); closing adds nothing to that.
        with suppress(OSError):
            self._file.close()
