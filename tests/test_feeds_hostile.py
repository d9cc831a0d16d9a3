"""Feeds made to hurt: entities, bombs, depth, noise. No body raises, all are quick, none reaches out."""

from __future__ import annotations

import gzip
import json
import time
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsmon.feeds.gunzip import gunzip
from newsmon.model import FeedDocument, FeedState
from tests.feeding import FIXTURES, FOLDER, plain_values, read, rss

LAUGHS = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
HOSTILE = {
    "billion laughs": f'<!DOCTYPE x [<!ENTITY a "lol">{LAUGHS}]>'
    + rss("<item><title>x&j;</title><link>/1</link></item>"),
    "quadratic": f'<!DOCTYPE x [<!ENTITY a "{"x" * 50_000}">]>'
    + rss(f"<item><title>x{'&a;' * 50_000}</title><link>/1</link></item>"),
    "external entity": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    + rss("<item><title>x&a;</title><link>/1</link></item>"),
    "parameter entity": '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>'
    + rss("<item><title>x</title><link>/1</link></item>"),
    "external DTD": '<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/x.dtd">'
    + rss("<item><title>x&a;</title><link>/1</link></item>"),
    "DTD hidden in a string": """<!DOCTYPE x [<!ENTITY a "]><!DOCTYPE y [<!ENTITY b SYSTEM 'file:///etc/passwd'>">]>"""
    + rss("<item><title>x&b;</title><link>/1</link></item>"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_entities_neither_grow_nor_reach_out(name: str, encoding: str) -> None:
    begin = time.perf_counter()
    document = read(HOSTILE[name].encode(encoding))
    assert time.perf_counter() - begin < 2
    (entry,) = document.entries
    assert entry.url == "http://zarya.example/1"
    assert entry.title is not None
    assert "root:" not in entry.title
    assert "lol" not in entry.title
    assert len(entry.title) < 20_000


def test_utf7_is_never_decoded() -> None:
    body = '<?xml version="1.0" encoding="utf-7"?>+ADw-' + rss("<item><title>+ADw-b+AD4-</title><link>/1</link></item>")
    for content_type in (None, "text/xml; charset=utf-7"):
        assert read(body, content_type).entries[0].title == "+ADw-b+AD4-"


BOMBS = {
    "one element": (b"<rss>" + b"<a/>" * 5_000_000, FeedState.PARTIAL),
    "depth": (b"<rss>" + b"<a>" * 1_000_000, FeedState.PARTIAL),
    "depth of items": (b"<rss>" + b"<item>" * 200_000, FeedState.PARTIAL),
    "ampersands": (b"<rss>" + b"& " * 3_000_000, FeedState.PARTIAL),
    "less-than signs": (b"<rss>" + b"<" * 5_000_000, FeedState.PARTIAL),
    "comments": (b"<!--" * 1_000_000, FeedState.UNREADABLE),
    "declarations": (b"<!DOCTYPE x [" * 300_000, FeedState.UNREADABLE),
    "zeros": (b"\0" * 99_000_000, FeedState.UNREADABLE),
    "JSON arrays": (b'{"version":"x","items":' + b"[" * 1_000_000, FeedState.PARTIAL),
    "JSON objects": (b'{"version":"x","items":[' + b'{"a":' * 500_000, FeedState.PARTIAL),
    "text": (b"<rss><channel><title>" + b"x" * 60_000_000, FeedState.PARTIAL),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_is_quick(name: str) -> None:
    body, state = BOMBS[name]
    packed = gzip.compress(body, compresslevel=1)
    begin = time.process_time()
    document = read(packed)
    assert document.state is state
    assert time.process_time() - begin < 10


def test_decompression_is_limited() -> None:
    packed = gzip.compress(b"0" * 1000) + gzip.compress(b"1" * 1000)
    assert gunzip(packed) == (b"0" * 1000 + b"1" * 1000, False)
    assert gunzip(packed, limit=1500) == (b"0" * 1000 + b"1" * 500, True)
    assert gunzip(gzip.compress(packed), limit=1500) == (b"0" * 1000 + b"1" * 500, True)
    assert gunzip(packed[:-1]) == (b"0" * 1000 + b"1" * 1000, True)


def test_attributes_of_hostile_size_give_short_fields() -> None:
    item = f"<item><link>/1</link><author>{'a@' * 100_000}</author><guid>{'g' * 100_000}</guid></item>"
    entry = read(rss(item)).entries[0]
    assert len(entry.id or "") <= 16_000
    assert sum(map(len, entry.authors)) <= 300


# never raises

FRAGMENTS = [
    *("<rss>", "<channel>", "<item>", "<link>", "http://a/", "</link>", "</item>", "</channel>", "</rss>"),
    *("<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE x [", "]>", "&amp;", "&#0;", "&#xD800;", "&nbsp;", "&", "<?xml"),
    *('<link href="//["/>', "<guid>/", "</guid>", "<pubDate>", "2024-02-31", "</pubDate>", '<x xmlns="', '">', "?>"),
    *('{"version":1,"items":[', '{"url":"//["}', "]}", "<urlset>", "<url><loc>", "</loc></url>", "<ITEM>", "\ud800"),
    *("<feed>", "<entry>", "\0", "é", "ы", "𝄞"),
]
JSON_NAMES = ["items", "id", "url", "authors", "author", "tags", "hubs", "title", "language", "date_published"]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.sampled_from(JSON_NAMES), values),
)


@given(st.binary(max_size=300), st.sampled_from([None, "text/xml; charset=utf-16", "text/html", "x; charset=punycode"]))
@settings(max_examples=100)
def test_never_raises_on_bytes(body: bytes, content_type: str | None) -> None:
    check(read(body, content_type))


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40))
@settings(max_examples=150)
def test_never_raises_on_fragments(fragments: list[str]) -> None:
    check(read("".join(fragments).encode("utf-8", "surrogatepass")))


@given(st.data())
@settings(max_examples=100)
def test_never_raises_on_mutated_feeds(data: st.DataObject) -> None:
    body = bytearray((FOLDER / data.draw(st.sampled_from(FIXTURES))).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(body)))
        body[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
    check(read(bytes(body)))


@given(JSON_VALUES)
@settings(max_examples=100)
def test_never_raises_on_json(value: Any) -> None:
    items = {"items": [value, {"url": "/1", "tags": value}]}
    check(read(json.dumps({**items, **(value if isinstance(value, dict) else {}), "version": 1})))


def check(document: FeedDocument) -> None:
    """What holds for every answer."""
    assert (document.state is FeedState.OK) == (document.problem is None)
    assert (document.kind == "") == (document.state in (FeedState.HTML, FeedState.UNREADABLE))
    for entry in document.entries:
        assert entry.url.startswith(("http://", "https://"))
        plain_values(asdict(entry))
        texts = [value for value in (entry.url, entry.title, entry.summary, *entry.authors, *entry.tags) if value]
        assert all("\0" not in text and text.encode() for text in texts)


@pytest.mark.parametrize(
    "body",
    [
        "<x:rss><channel><x:item><link>/1</link></x:item></channel></x:rss>",
        "<rss><channel><x:item><link>/1</link></x:item><x:item><lin",
        "<a:feed><a:entry><a:link href='/1'/></a:entry></a:feed>",
        "<s:sitemapindex><s:sitemap><s:loc>/1</s:loc></s:sitemap>",
    ],
)
def test_prefixes_that_nobody_declared_raise_nothing(body: str) -> None:
    assert read(body.encode()).state in (FeedState.EMPTY, FeedState.PARTIAL)
