"""SKELETON (signatures are final; bodies follow)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from newsmon.model import ArchiveRef
from newsmon.page import Page


class Archive:
    def __init__(self, folder: Path, *, max_bytes: int = 1 << 30, fsync: bool = False) -> None: ...
    def append(self, page: Page, *, now: datetime) -> ArchiveRef: ...  # StoreUnavailable when the disk is full
    def read(self, ref: ArchiveRef, *, url: str | None = None) -> Page: ...  # StoreError when missing, torn, or of another URL
    def repair(self) -> list[str]: ...  # names of the files whose torn tail was cut off
    def pages(self) -> Iterator[tuple[ArchiveRef, Page]]: ...
    def close(self) -> None: ...
