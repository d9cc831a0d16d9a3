"""Gzip with a limit: what a small body may become in memory."""

from __future__ import annotations

import zlib

MAX_BYTES = 16 << 20
"""As for any other body (DOWNLOAD_MAXSIZE). A sitemap of 50,000 addresses, the most that sitemaps.org allows, has some
ten megabytes; the text is in memory twice while it is decoded, so this is half of what an archive bomb can cost."""

MAX_LAYERS = 2
"""A ``.gz`` file is sometimes compressed again on the way."""


def gunzip(body: bytes, *, limit: int = MAX_BYTES) -> tuple[bytes, bool]:
    """Unpack a body that is gzipped, return any other as it is; never raises.

    :returns: at most ``limit`` bytes, and whether the end is missing.

    >>> import gzip
    >>> gunzip(gzip.compress(b"news")), gunzip(gzip.compress(b"news")[:-9]), gunzip(gzip.compress(b"0" * 99), limit=3)
    ((b'news', False), (b'news', True), (b'000', True))
    """
    is_cut = False
    for _ in range(MAX_LAYERS):
        if not body.startswith(b"\x1f\x8b"):
            break
        body, layer_is_cut = _unpack(body, limit)
        is_cut = is_cut or layer_is_cut
    return body[:limit], is_cut or len(body) > limit


def _unpack(body: bytes, limit: int) -> tuple[bytes, bool]:
    """The members of one gzip file, as far as they can be read."""
    parts: list[bytes] = []
    room, rest = limit, body
    while rest.startswith(b"\x1f\x8b") and room > 0:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            parts.append(unpacker.decompress(rest, room))
        except zlib.error:
            return b"".join(parts), True
        room -= len(parts[-1])
        rest = unpacker.unused_data
        if not unpacker.eof:
            return b"".join(parts), True
    return b"".join(parts), bool(rest.startswith(b"\x1f\x8b"))
