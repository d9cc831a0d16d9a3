"""The gzip members of a WARC file: they carry their length, so that a file is walked without reading all of it.

The length is in the ``sl`` extra field (skip lengths: compressed and uncompressed length) that the WARC standard's
annex on compression describes; gzip readers skip it. A walk from the file's beginning cannot be misled by what looks
like a member inside a record.
"""

from __future__ import annotations

import os
import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

LEVEL = 4  # 0.56 ms for a page of 60 KB; warcio's 9 takes 1.65 ms and saves another 5 % of space
# Magic, deflate, FEXTRA; no time; no flags; unknown system; 12 bytes of extra field: "sl", 8 bytes, two lengths.
_HEADER = struct.Struct("<4s4s2sH2sHII")
_BEGINS, _EXTRA, _FIELD = b"\x1f\x8b\x08\x04", 12, b"sl"
_TRAILER = struct.Struct("<II")


def pack(data: bytes) -> bytes:
    """Compress data into one gzip member.

    >>> import gzip
    >>> gzip.decompress(pack(b"WARC/1.1"))
    b'WARC/1.1'
    """
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    deflated = compressor.compress(data) + compressor.flush()
    size = _HEADER.size + len(deflated) + _TRAILER.size
    header = _HEADER.pack(_BEGINS, bytes(4), b"\x00\xff", _EXTRA, _FIELD, 8, size, len(data) & 0xFFFFFFFF)
    return header + deflated + _TRAILER.pack(zlib.crc32(data), len(data) & 0xFFFFFFFF)


def walk(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield offset and length of the members that lie wholly in the file, up to the first that does not."""
    size = file.seek(0, os.SEEK_END)
    offset = 0
    while (length := _length_at(file, offset)) and offset + length <= size:
        yield offset, length
        offset += length


def _length_at(file: BinaryIO, offset: int) -> int:
    file.seek(offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return 0
    begins, _, _, extra, field, _, length, _ = _HEADER.unpack(header)
    return int(length) if (begins, extra, field) == (_BEGINS, _EXTRA, _FIELD) else 0


def cut_torn_tail(path: Path) -> bool:
    """Cut a file after its last whole member; say whether there was anything to cut.

    A file that does not begin with a member of ours is left as it is.
    """
    with path.open("r+b") as file:
        members = list(walk(file))
        while members and not _is_sound(file, *members[-1]):
            members.pop()
        size = file.seek(0, os.SEEK_END)
        end = sum(members[-1]) if members else 0
        if end == size or (not members and _length_at(file, 0) == 0 and size >= _HEADER.size):
            return False
        file.truncate(end)
    return True


def _is_sound(file: BinaryIO, offset: int, length: int) -> bool:
    """Whether a member's checksum holds: after a power failure a file may have its length but not its bytes."""
    file.seek(offset)
    reader = zlib.decompressobj(zlib.MAX_WBITS + 16)
    try:
        reader.decompress(file.read(length))
    except zlib.error:
        return False
    return reader.eof and not reader.unused_data
