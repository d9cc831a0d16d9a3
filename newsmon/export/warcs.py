"""Export of raw pages: a WARC file with the response record of every article, and the article's record after it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from newsmon import __version__
from newsmon.errors import ExportError, StoreError
from newsmon.records import as_record
from newsmon.storage.warc import pack_info, pack_metadata, record_id

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from newsmon.model import Article
    from newsmon.storage import Archive


class WarcWriter:
    """Copies response records as they lie in the archive; the article follows as a ``metadata`` record of JSON.

    :raises ExportError: when there is no archive.
    """

    def __init__(self, path: Path, archive: Archive | None) -> None:
        if archive is None:
            raise ExportError("raw pages can only be exported from an archive")
        self._archive = archive
        self._file = path.open("wb")
        self._file.write(pack_info(path.name.removesuffix(".part"), f"newsmon {__version__}"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, article: Article) -> str | None:
        """Write the page and the record of an article; say why, where the page is missing."""
        page, missing = self._page(article)
        content = json.dumps(as_record(article), ensure_ascii=False).encode()
        self._file.write(page)
        about = record_id(page) if page else None
        self._file.write(pack_metadata(article.final_url, content, about, article.fetched_at))
        return missing

    def _page(self, article: Article) -> tuple[bytes, str | None]:
        if article.archive is None:
            return b"", f"{article.url}: its page was not archived"
        try:
            self._archive.read(article.archive, url=article.url)
            return self._archive.raw(article.archive), None
        except StoreError as error:
            return b"", f"{article.url}: {error}"
