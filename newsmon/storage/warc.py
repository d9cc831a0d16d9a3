"""One page as one WARC 1.1 response record in a gzip member of its own (ISO 28500:2017), and back.

The body is stored as the extraction saw it, that is decompressed. The headers that spoke of the transfer are kept under
the names the Internet Archive uses for this (``x-archive-orig-...``): other WARC readers would decompress twice.
"""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newsmon.errors import StoreError
from newsmon.page import Page
from newsmon.storage.members import pack

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOVED = ("content-encoding", "content-length", "transfer-encoding")
_ORIGINAL = "x-archive-orig-"
_REQUESTED = "X-Newsmon-Requested-URI"
_RENDERED = "X-Newsmon-Rendered"


def pack_page(page: Page) -> bytes:
    """Return the compressed response record of a page."""
    headers = StatusAndHeaders(f"{page.status} ", _http_headers(page.headers), protocol="HTTP/1.1")
    extra = {"WARC-Date": _date(page.fetched_at), _REQUESTED: page.url}
    if page.rendered:
        extra[_RENDERED] = "1"
    return _pack("response", page.final_url, page.body, extra, http_headers=headers)


def pack_metadata(uri: str, content: bytes, refers_to: str | None, at: datetime) -> bytes:
    """Return a compressed metadata record with JSON that describes another record."""
    extra = {"WARC-Date": _date(at)} | ({} if refers_to is None else {"WARC-Refers-To": refers_to})
    return _pack("metadata", uri, content, extra, warc_content_type="application/json")


def pack_info(name: str, software: str) -> bytes:
    """Return the compressed record that every WARC file begins with."""
    buffer = BytesIO()
    writer = WARCWriter(buffer, gzip=False, warc_version="1.1")
    writer.write_record(writer.create_warcinfo_record(name, {"software": software, "format": "WARC File Format 1.1"}))
    return pack(buffer.getvalue())


def _pack(kind: str, uri: str, content: bytes, extra: dict[str, str], **options: Any) -> bytes:
    buffer = BytesIO()
    writer = WARCWriter(buffer, gzip=False, warc_version="1.1")
    values = {name: _one_line(value) for name, value in extra.items()}
    writer.write_record(
        writer.create_warc_record(
            _one_line(uri), kind, payload=BytesIO(content), length=len(content), warc_headers_dict=values, **options
        )
    )
    return pack(buffer.getvalue())


def unpack_page(member: bytes) -> Page:
    """Return the page of a compressed response record.

    :raises StoreError: when the bytes are not one.
    """
    record = _first_record(member)
    if record.rec_type != "response":
        raise StoreError(f"a WARC record of type {record.rec_type!r} where a response should be")
    fields = record.rec_headers
    headers = {name.lower().removeprefix(_ORIGINAL): value for name, value in record.http_headers.headers}
    target = fields.get_header("WARC-Target-URI")
    return Page(
        url=fields.get_header(_REQUESTED) or target,
        final_url=target,
        status=int(record.http_headers.get_statuscode()),
        body=record.raw_stream.read(),
        fetched_at=datetime.fromisoformat(fields.get_header("WARC-Date")).astimezone(UTC),
        headers=headers,
        rendered=fields.get_header(_RENDERED) == "1",
    )


def is_page(member: bytes) -> bool:
    """Whether a compressed record is a response."""
    return bool(_first_record(member).rec_type == "response")


def record_id(member: bytes) -> str:
    """Return the ``WARC-Record-ID`` of a compressed record."""
    return str(_first_record(member).rec_headers.get_header("WARC-Record-ID"))


def _first_record(member: bytes) -> Any:
    try:
        record = next(ArchiveIterator(BytesIO(member)), None)
    except (ArchiveLoadFailed, zlib.error) as error:
        raise StoreError(f"not a WARC record: {error}") from error
    if record is None:
        raise StoreError("not a WARC record: nothing there")
    return record


def _http_headers(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (_ORIGINAL + name if name in _MOVED else _one_line(name), _one_line(value)) for name, value in headers.items()
    ]


def _one_line(value: str) -> str:
    return " ".join(value.split("\n")).replace("\r", "") if "\n" in value or "\r" in value else value


def _date(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
