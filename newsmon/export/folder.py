"""Exports with one file per article: a folder, in it one folder per site."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from newsmon.model import Article


class FolderWriter(ABC):
    """Writes ``lenta.ru/17.xml`` and the like; a format says what is in a file and how it ends."""

    suffix: str

    def __init__(self, path: Path) -> None:
        self._folder = path
        self._folder.mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(  # noqa: B027 - there is nothing to close, and no format needs more
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open between two articles."""

    def write(self, article: Article) -> None:
        """Write one file.

        :raises ExportError: when the article cannot be put into the format.
        """
        content = self.content(article)
        folder = self._folder / _folder_name(article.site)
        folder.mkdir(exist_ok=True)
        (folder / f"{article.id}{self.suffix}").write_bytes(content)

    @abstractmethod
    def content(self, article: Article) -> bytes:
        """What the file of an article holds."""


def _folder_name(site: str) -> str:
    """Make a name without path separators, leading dots or anything a file system minds.

    >>> _folder_name("lenta.ru"), _folder_name("../Ы/x")
    ('lenta.ru', '_x')
    """
    return re.sub(r"[^a-z0-9.-]+", "_", site.lower()).lstrip(".") or "_"
