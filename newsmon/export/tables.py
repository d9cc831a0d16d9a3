"""Text exports with one line or row per article: JSON Lines, CSV."""

from __future__ import annotations

import csv
import gzip
import json
import re
from typing import TYPE_CHECKING, Any, TextIO

from newsmon.records import FIELDS, as_record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from newsmon.model import Article

# What a spreadsheet takes for a formula, in ASCII and full width; OWASP, "CSV Injection".
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


class _TextWriter:
    """A text file, compressed where its name says so."""

    def __init__(self, path: Path) -> None:
        compressed = ".gz" in path.suffixes  # the name is provisional: news.csv.gz.part
        open_file: Callable[..., TextIO] = gzip.open if compressed else open
        self._file = open_file(path, "wt", encoding="utf-8", newline="")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class JsonLinesWriter(_TextWriter):
    """One JSON object per line, in UTF-8."""

    def write(self, article: Article) -> None:
        """Write one line."""
        json.dump(as_record(article), self._file, ensure_ascii=False)
        self._file.write("\n")


class CsvWriter(_TextWriter):
    """Comma-separated values after RFC 4180 in UTF-8, with a header; lists and ``origins`` as JSON.

    A text that a spreadsheet would take for a formula gets an apostrophe in front (:func:`safe_cell`).
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._rows = csv.writer(self._file)
        self._rows.writerow(FIELDS)

    def write(self, article: Article) -> None:
        """Write one row."""
        self._rows.writerow([csv_cell(value) for value in as_record(article).values()])


def csv_cell(value: Any) -> Any:
    """The cell of a value: safe text, JSON for lists and objects.

    >>> csv_cell("=1+1"), csv_cell(["a", "b"]), csv_cell(None)
    ("'=1+1", '["a", "b"]', None)
    """
    if isinstance(value, str):
        return safe_cell(value)
    if isinstance(value, bool | list | dict):
        return json.dumps(value, ensure_ascii=False)
    return value


def safe_cell(text: str) -> str:
    """Put an apostrophe before a text that begins like a formula, after any apostrophes or not.

    >>> safe_cell("=1+1"), safe_cell("'-x"), safe_cell("ab")
    ("'=1+1", "''-x", 'ab')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def original_cell(cell: str) -> str:
    """Undo :func:`safe_cell`.

    >>> original_cell("'=1+1"), original_cell("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
