"""Where extracted articles go: JSON Lines in one stream; text, Markdown and XML in one, or in a folder of files."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from newsmon.errors import NewsmonError
from newsmon.markup import as_markdown, as_xml
from newsmon.model import Extract, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

FIELDS = ("title", "text", "published", "authors", "language", "kind", "method", "confidence", "reason")
"""Fields of a JSON line after ``id`` and ``url``."""

MORE_FIELDS = (
    *("modified", "summary", "section", "tags", "image", "canonical_url", "paywalled", "rule_version", "origins"),
    "paragraphs",
)
"""Further fields with ``--all``."""

_NOT_IN_NAMES = re.compile(r"[^\w.()+=@,~ -]+")
_LONGEST_NAME = 100


def record(name: str, url: str | None, found: Extract, *, complete: bool = False) -> dict[str, Any]:
    """An article as JSON values; times keep the offset the page states.

    :param complete: with the fields of :data:`MORE_FIELDS`.
    """
    fields = (*FIELDS, *MORE_FIELDS) if complete else FIELDS
    return {"id": name, "url": url, **{field: _plain(field, getattr(found, field)) for field in fields}}


def _plain(field: str, value: Any) -> Any:
    match field:
        case "published" | "modified":
            return _iso(value)
        case "confidence":
            return None if value is None else round(value, 4)
        case "paragraphs":
            return [{"text": item.text, "role": str(item.role), "level": item.level} for item in value]
        case "origins":
            return dict(value)
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, str) else value


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None


def _as_text(found: Extract, url: str | None) -> bytes:
    return f"{found.text}\n".encode("utf-8", "replace") if found.text else b""


def _as_markdown(found: Extract, url: str | None) -> bytes:
    return as_markdown(found, url=url).encode("utf-8", "replace")


def _as_xml(found: Extract, url: str | None) -> bytes:
    return as_xml(found, url=url)


class _Document(NamedTuple):
    """A format with a document per page.

    :param between: stands between two of them in one stream; None where that would be no document.
    """

    suffix: str
    write: Callable[[Extract, str | None], bytes]
    between: bytes | None


_DOCUMENTS = {
    "text": _Document(".txt", _as_text, b"\f\n"),
    "markdown": _Document(".md", _as_markdown, b"\n"),
    "xml": _Document(".xml", _as_xml, None),
}
FORMATS = ("jsonl", *_DOCUMENTS)

Write: TypeAlias = Callable[[str, str | None, Extract], None]
"""Writes what was found in a page: its id, its address, the extract."""


@contextmanager
def open_output(kind: str, target: str | None, *, several: bool, complete: bool) -> Iterator[Write]:
    """Open the output a user asked for.

    :param kind: one of :data:`FORMATS`.
    :param target: a file or folder, None for standard output.
    :param several: True for more than one page.
    :param complete: write all fields of a JSON line.
    :raises NewsmonError: when several pages cannot go there.
    :raises OSError: when the file or folder cannot be made or written.
    """
    if kind == "jsonl":
        with _stream(target) as stream:
            yield _lines(stream, complete=complete)
        return
    document = _DOCUMENTS[kind]
    if target and (several or target.endswith("/") or Path(target).is_dir()):
        yield _told(_files(_folder(target), document))
        return
    if several and document.between is None:
        raise NewsmonError(f"several pages as {kind} are several files: name a folder with --output")
    with _stream(target) as stream:
        yield _told(_documents(stream, document))


@contextmanager
def _stream(target: str | None) -> Iterator[BinaryIO]:
    if target is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with Path(target).open("wb") as file:
        yield file


def _folder(target: str) -> Path:
    folder = Path(target)
    if folder.exists() and not folder.is_dir():
        raise NewsmonError(f"several pages do not go into one file: {target} is no folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _lines(stream: BinaryIO, *, complete: bool) -> Write:
    def write(name: str, url: str | None, found: Extract) -> None:
        line = json.dumps(record(name, url, found, complete=complete), ensure_ascii=False)
        stream.write(line.encode("utf-8", "replace") + b"\n")
        stream.flush()  # a reader of the pipe sees each page as soon as it is read

    return write


def _documents(stream: BinaryIO, document: _Document) -> Write:
    begun = False

    def write(name: str, url: str | None, found: Extract) -> None:
        nonlocal begun
        stream.write((document.between or b"") * begun + document.write(found, url))
        begun = True

    return write


def _files(folder: Path, document: _Document) -> Write:
    taken: set[str] = set()

    def write(name: str, url: str | None, found: Extract) -> None:
        file = _free_name(name, taken)
        (folder / f"{file}{document.suffix}").write_bytes(document.write(found, url))

    return write


def _free_name(name: str, taken: set[str]) -> str:
    """A file name for an id or an address that no page of this run has yet."""
    plain = _NOT_IN_NAMES.sub("_", name.partition("://")[2] or name).strip("._ ")[:_LONGEST_NAME] or "page"
    numbered = chain([plain], (f"{plain}-{number}" for number in count(2)))
    free = next(one for one in numbered if one.casefold() not in taken)
    taken.add(free.casefold())
    return free


def _told(write: Write) -> Write:
    """Say on stderr which pages are no articles: documents have no field for it that one would see."""

    def write_and_tell(name: str, url: str | None, found: Extract) -> None:
        write(name, url, found)
        if found.kind is not Kind.ARTICLE:
            print(f"{name}: {found.kind}: {found.reason or 'no article'}", file=sys.stderr)

    return write_and_tell
