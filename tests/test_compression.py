"""Decompression gives what Scrapy's own gives, for whole bodies and for damaged ones, and keeps its limit."""

from __future__ import annotations

import gzip
import random

import pytest
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request, Response
from scrapy.utils.test import get_crawler

from newsmon.middlewares import CompressionMiddleware

TEXT = "Новости дня. ".encode() * 20_000
NOISE = random.Random(1).randbytes(70_000)
PACKED = gzip.compress(TEXT)


def unpacked(kind: type[HttpCompressionMiddleware], body: bytes, encoding: str, limit: int) -> bytes | str:
    """What a middleware makes of a body, or how it refuses it."""
    request = Request("http://a.example/")
    headers = {"Content-Encoding": encoding, "Content-Type": "text/html"}
    middleware = kind.from_crawler(get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": limit}))
    try:
        answer = middleware.process_response(request, Response(request.url, headers=headers, body=body))
    except IgnoreRequest:
        return "refused"
    assert isinstance(answer, HtmlResponse)
    return answer.body


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate"])
@pytest.mark.parametrize(
    "body",
    [
        PACKED,
        gzip.compress(b""),
        gzip.compress(NOISE),
        gzip.compress(TEXT) + gzip.compress(NOISE),
        PACKED + b"\0\0\0",
        PACKED[:-8],
        PACKED[: len(PACKED) // 2],
        PACKED[:-8] + b"\0" * 8,
        b"<html>not packed at all",
    ],
    ids=["text", "empty", "noise", "members", "padded", "no end", "half", "wrong checksum", "plain"],
)
def test_every_body_is_read_as_scrapy_reads_it(body: bytes, encoding: str) -> None:
    limit = 10 * len(TEXT)
    try:
        expected = unpacked(HttpCompressionMiddleware, body, encoding, limit)
    except Exception as error:  # noqa: BLE001 - whatever Scrapy raises for damaged bodies
        with pytest.raises(type(error)):
            unpacked(CompressionMiddleware, body, encoding, limit)
    else:
        assert unpacked(CompressionMiddleware, body, encoding, limit) == expected


def test_a_body_is_read_up_to_the_limit_and_refused_beyond() -> None:
    assert unpacked(CompressionMiddleware, PACKED, "gzip", len(TEXT)) == TEXT
    assert unpacked(CompressionMiddleware, PACKED, "gzip", 0) == TEXT
    assert unpacked(CompressionMiddleware, PACKED, "gzip", len(TEXT) - 1) == "refused"
    bomb = gzip.compress(bytes(50_000_000))
    assert unpacked(CompressionMiddleware, bomb, "gzip", 1_000_000) == "refused"
