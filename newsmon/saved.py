"""Pages saved on a disk: files, gzipped or not, and folders of them.

::

    names ──page_files──> path ──read_saved──> bytes ──saved_page──> Page, at the address it gives itself
"""

from __future__ import annotations

import html
import os
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from newsmon.errors import NewsmonError, UrlError
from newsmon.feeds.gunzip import gunzip
from newsmon.page import MAX_BYTES, Page
from newsmon.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import BinaryIO

SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
"""Ends of the names of pages; each may be followed by ``.gz``."""

_IN_HEAD = 512 * 1024  # bytes; what stands later is no head
_TRIED = 4  # links of a head that may be its address
_OWN_ADDRESS = re.compile(
    rb"<(?:link|meta)\s(?=[^<>]{0,400}?(?:rel|property|name)=[\"']?(?:canonical|og:url)\b)"
    rb"[^<>]{0,400}?(?:href|content)=[\"']?(https?://[^\"'\s>]{1,2000})",
    re.IGNORECASE,
)


def page_files(folder: Path) -> list[Path]:
    """Every page in a folder and the folders in it, by name; links to folders are not followed."""
    found = (Path(where) / name for where, _, names in os.walk(folder) for name in names if is_page_name(name))
    return sorted(found)


def is_page_name(name: str) -> bool:
    """Whether a file is a page by its name.

    >>> is_page_name("a.html"), is_page_name("a.HTM.gz"), is_page_name("gold.jsonl.gz")
    (True, True, False)
    """
    return name.lower().removesuffix(".gz").endswith(SUFFIXES)


def page_id(name: str) -> str:
    """The id of a saved page: its name without ``.html`` and ``.gz``; what is no Unicode is replaced.

    >>> page_id("pages/2024_dam.html.gz"), page_id("a.b.htm"), page_id("noise.bin")
    ('2024_dam', 'a.b', 'noise.bin')
    """
    plain = os.fsencode(Path(name).name).decode("utf-8", "replace")
    plain = plain[: -len(".gz")] if plain.lower().endswith(".gz") else plain
    suffix = next((suffix for suffix in SUFFIXES if plain.lower().endswith(suffix)), "")
    return plain[: -len(suffix)] if suffix else plain


def read_saved(file: Path | BinaryIO) -> bytes:
    """The page in a file or a stream; of a page longer than newsmon reads only the beginning.

    :raises NewsmonError: it cannot be read, or is a damaged gzip file.
    """
    try:
        if isinstance(file, Path):
            with file.open("rb") as stream:
                return unpacked(stream.read(MAX_BYTES + 1))
        return unpacked(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise NewsmonError(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        raise NewsmonError(f"cannot be read: {error}") from error


def unpacked(body: bytes) -> bytes:
    """A body as it is, or unzipped.

    :raises NewsmonError: the end of the gzip file is missing.
    """
    found, is_cut = gunzip(body, limit=MAX_BYTES + 1)
    if is_cut and len(found) <= MAX_BYTES:
        raise NewsmonError("cannot be read: the gzip file is damaged")
    return found


def saved_page(body: bytes, *, fetched_at: datetime, url: str | None = None, content_type: str | None = None) -> Page:
    """A page as if it had just come from the network.

    :param fetched_at: aware time; what a page calls "yesterday" is the day before it.
    :param url: its address; by default, or when this is none, the one it gives itself, or an empty one.
    :param content_type: as in the header of the response, when it is known.
    """
    address = url if url and _is_address(url) else stated_address(body) or ""
    headers = {"content-type": content_type} if content_type else {}
    return Page(address, address, 200, body, fetched_at, headers)


def stated_address(body: bytes) -> str | None:
    """The address a page gives itself: ``rel=canonical`` or ``og:url``, whichever comes first and is one.

    >>> stated_address(b'<link href="http://a.example/1?a&amp;b" rel=canonical>')
    'http://a.example/1?a&b'
    """
    stated = (html.unescape(found[1].decode("utf-8", "replace")) for found in _OWN_ADDRESS.finditer(body, 0, _IN_HEAD))
    return next(filter(_is_address, islice(stated, _TRIED)), None)


def _is_address(url: str) -> bool:
    try:
        host_of(url)
    except UrlError:
        return False
    return True


def walk(names: list[str]) -> Iterator[str]:
    """Names of files and addresses as they are, folders as the pages in them; a folder without pages stays."""
    for name in names:
        folder = Path(name)
        if "://" in name or name == "-" or not folder.is_dir():
            yield name
        else:
            yield from [str(file) for file in page_files(folder)] or [name]
