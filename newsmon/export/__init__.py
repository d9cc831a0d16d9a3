"""Exports of stored articles: the same records in every form.

::

    store.articles(selection) --> as_record --> jsonl, csv, parquet     one line or row per article
                              '-------------> xml, markdown            one file per article (xml: schemas/article.xsd)
                              '-------------> warc                     the raw page, and the record beside it

An export is written under another name and renamed when it is whole: a name that is there is never half an export.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from newsmon.errors import ExportError
from newsmon.export.markdown import MarkdownWriter
from newsmon.export.tables import CsvWriter, JsonLinesWriter
from newsmon.export.warcs import WarcWriter
from newsmon.export.xml import XmlWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from newsmon.model import Article
    from newsmon.storage import Archive

SUFFIXES = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet", ".xml": "xml", ".md": "markdown", ".warc": "warc"}


@dataclass
class ExportReport:
    """What an export wrote.

    :param articles: records written.
    :param without_page: for WARC: articles whose raw page is not in the archive, and why; their records are written.
    """

    articles: int = 0
    without_page: list[str] = field(default_factory=list)


class Writer(Protocol):
    """Writes articles to a new file or folder; used in a ``with`` block."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def write(self, article: Article) -> str | None:
        """Write one article; return what is missing of it, if anything."""
        ...


def format_of(path: Path) -> str:
    """Read the format from a name; a name without an ending is a folder, for XML.

    :raises ExportError: when the ending is that of no format.

    >>> from pathlib import Path
    >>> format_of(Path("a/news.jsonl.gz")), format_of(Path("out"))
    ('jsonl', 'xml')
    """
    named = next((name for suffix, name in SUFFIXES.items() if suffix in path.suffixes), None)
    if named is None and path.suffix:
        raise ExportError(f"{path} names no format; end it with one of {', '.join(SUFFIXES)}, or add --format")
    return named or "xml"


def export(articles: Iterable[Article], kind: str, out: Path, *, archive: Archive | None = None) -> ExportReport:
    """Write articles in a format: ``jsonl``, ``csv``, ``parquet``, ``xml`` and ``markdown`` (folders) or ``warc``.

    Names that end in ``.gz`` are compressed; WARC files always are.

    :param archive: where the raw pages are, for WARC.
    :raises ExportError: when the file exists, cannot be written, or an article cannot be put into the format.
    """
    makers: dict[str, Callable[[Path], Writer]] = {
        "jsonl": JsonLinesWriter,
        "csv": CsvWriter,
        "parquet": _parquet,
        "xml": XmlWriter,
        "markdown": MarkdownWriter,
        "warc": lambda path: WarcWriter(path, archive),
    }
    if kind not in makers:
        raise ExportError(f"there is no export format {kind!r}; there are {', '.join(makers)}")
    if out.exists():
        raise ExportError(f"{out} exists already; remove it or choose another name")
    report = ExportReport()
    part = out.with_name(out.name + ".part")
    try:
        with ExitStack() as undo:
            undo.callback(_remove, part)
            out.parent.mkdir(parents=True, exist_ok=True)
            _remove(part)
            with makers[kind](part) as writer:
                for article in articles:
                    missing = writer.write(article)
                    report.articles += 1
                    report.without_page += [missing] if missing else []
            part.rename(out)
    except OSError as error:
        raise ExportError(f"{out} cannot be written: {error.strerror or error}") from error
    return report


def _parquet(path: Path) -> Writer:
    from newsmon.export.parquet import ParquetWriter  # noqa: PLC0415 - pyarrow would take 40 MB of every crawl

    return ParquetWriter(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
