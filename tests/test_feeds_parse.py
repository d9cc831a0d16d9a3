"""Feeds of every kind to one normal record; broken, cut, hostile and foreign bodies to a state with a sentence."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

import feedparser
import pytest

from newsmon.feeds.plaintext import SUMMARY_LENGTH
from newsmon.model import FeedState
from tests.feeding import FIXTURES, FOLDER, URL, many, plain_values, read, rss

TWO = ["http://zarya.example/news/1.html", "http://zarya.example/news/2.html?a=1&b=2"]


# every kind


def expectation(name: str) -> dict[str, Any]:
    """What the fixture says that it proves."""
    text = (FOLDER / name).read_text("utf-8")
    if name.endswith(".json"):
        return dict(json.loads(text)["_expect"])
    stated = re.search(r"<!-- Proves:.*?Expect: (\{.*?\}) -->", text, re.DOTALL)
    assert stated is not None
    return dict(json.loads(stated[1]))


@pytest.mark.parametrize("name", FIXTURES)
def test_fixture_proves_what_it_says(name: str) -> None:
    document = plain_values(asdict(read((FOLDER / name).read_bytes())))
    for field, expected in expectation(name).items():
        if field != "entries":
            assert document[field] == expected, field
            continue
        assert len(document["entries"]) == len(expected)
        for entry, stated in zip(document["entries"], expected, strict=True):
            assert {key: entry[key] for key in stated} == stated
    assert document["parser"] == "fast"


@pytest.mark.parametrize("name", [name for name in FIXTURES if name != "sitemapindex.xml"])
def test_every_kind_gives_the_same_record(name: str) -> None:
    entries = read((FOLDER / name).read_bytes()).entries
    assert [entry.url for entry in entries] == TWO
    titles = [None, None] if name == "sitemap.xml" else ["Dam opens", "Bridge & road"]
    assert [entry.title for entry in entries] == titles


@pytest.mark.parametrize("pack", [gzip.compress, lambda body: gzip.compress(gzip.compress(body))])
@pytest.mark.parametrize("name", ["newssitemap.xml", "rss20.xml", "sitemapindex.xml", "jsonfeed11.json"])
def test_gzipped_once_or_twice_is_the_same(name: str, pack: Any) -> None:
    body = (FOLDER / name).read_bytes()
    assert read(pack(body)) == read(body)


@pytest.mark.parametrize("namespace", ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/TR/RDF/", ""])
def test_rdf_is_told_by_its_root_in_whatever_namespace(namespace: str) -> None:
    stated = f' xmlns:rdf="{namespace}"' if namespace else ""
    document = read(f"<rdf:RDF{stated}><item><title>Dam</title><link>/1</link></item></rdf:RDF>".encode())
    assert (document.kind, len(document.entries)) == ("rdf", 1)


def test_text_sitemap() -> None:
    document = read("http://zarya.example/1\r\nhttp://zarya.example/2\r\n", "text/plain")
    assert (document.kind, [entry.url for entry in document.entries]) == (
        "sitemap",
        ["http://zarya.example/1", "http://zarya.example/2"],
    )


# encodings: (encoding of the bytes, declaration, Content-Type)
ENCODINGS = [
    ("windows-1251", "windows-1251", None),
    ("windows-1251", "windows-1251", "text/xml; charset=windows-1251"),
    ("windows-1251", None, "text/xml; charset=windows-1251"),
    ("windows-1251", None, None),
    ("windows-1251", "utf-8", None),
    ("windows-1251", "windows-1251", "text/xml; charset=utf-8"),
    ("windows-1251", "windows-1251", "text/xml; charset=iso-8859-1"),
    ("windows-1251", "no-such-encoding", "application/rss+xml"),
    ("koi8-r", "koi8-r", None),
    ("utf-8", "windows-1251", None),
    ("utf-8", "utf-8", "text/xml; charset=windows-1251"),
    ("utf-8", "utf-16", None),
    ("utf-8-sig", "windows-1251", "text/xml; charset=koi8-r"),
    ("utf-16", "utf-16", None),
    ("utf-16-le", "utf-16", None),
    ("utf-16-be", None, None),
    ("utf-32", "utf-32", None),
    ("utf-32-be", "utf-32", None),
]


@pytest.mark.parametrize(("encoding", "declared", "content_type"), ENCODINGS)
def test_encoding(encoding: str, declared: str | None, content_type: str | None) -> None:
    title = "Плотина на реке Каме открыта, сообщили в правительстве области"
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = (declaration + rss(f"<item><title>{title}</title><link>/1</link></item>")).encode(encoding)
    assert read(body, content_type).entries[0].title == title


def test_gb18030() -> None:
    body = '<?xml version="1.0" encoding="gb2312"?>' + rss(
        "<item><title>大坝今天开放使用</title><link>/1</link></item>"
    )
    assert read(body.encode("gb18030")).entries[0].title == "大坝今天开放使用"


# links
LINKS = [
    (" http://zarya.example/a\n", "http://zarya.example/a", "white space"),
    ("HTTP://zarya.example/a", "http://zarya.example/a", "scheme in capitals"),
    ("//cdn.example/a", "http://cdn.example/a", "no scheme"),
    ("a?b=1&amp;c=2", "http://zarya.example/news/a?b=1&c=2", "relative to the channel"),
    ("<![CDATA[http://zarya.example/a?b&c]]>", "http://zarya.example/a?b&c", "CDATA"),
    ("http://zarya.example/\n very/long", "http://zarya.example/ very/long", "broken line"),
    ("javascript:alert(1)", None, "script"),
    ("file:///etc/passwd", None, "file"),
    ("mailto:a@zarya.example", None, "mail"),
    ("http://[zarya", None, "broken host"),
    ("", None, "empty"),
]


@pytest.mark.parametrize(("stated", "expected", "proves"), LINKS, ids=[row[2] for row in LINKS])
def test_link(stated: str, expected: str | None, proves: str) -> None:
    entries = read(rss(f"<item><link>{stated}</link></item>", channel="<link>/news/</link>")).entries
    assert [entry.url for entry in entries] == ([expected] if expected else []), proves


def test_xml_base_outranks_the_channel() -> None:
    item = '<item xml:base="http://base.example/a/"><link>b</link></item>'
    assert read(rss(item, channel="<link>http://zarya.example/</link>")).entries[0].url == "http://base.example/a/b"


def test_link_of_atom_inside_rss() -> None:
    item = '<item><a:link xmlns:a="http://www.w3.org/2005/Atom" href="/1"/></item>'
    assert read(rss(item)).entries[0].url == "http://zarya.example/1"


# texts


def test_summary_is_short_plain_text_cut_between_words() -> None:
    words = " ".join(f"<b>word{number}</b>" for number in range(2000))
    summary = (
        read(rss(f"<item><link>/1</link><description><![CDATA[{words}]]></description></item>")).entries[0].summary
    )
    assert summary is not None
    assert SUMMARY_LENGTH - 20 < len(summary) <= SUMMARY_LENGTH
    assert re.fullmatch(r"(?:word\d+ )*word\d+", summary)


def test_json_texts_hold_no_surrogates_and_no_nul() -> None:
    body = '{"version":"x","items":[{"id":"\\ud800\\u0000a","url":"/1","title":"a\\ud800\\u0000b","tags":["\\udfff"]}]}'
    entry = read(body).entries[0]
    assert (entry.id, entry.title, entry.tags) == ("a", "ab", ())


# polling hints
TTLS = [
    ("<ttl>15</ttl>", 900.0),
    ("<ttl> 0 </ttl>", None),
    ("<ttl>-5</ttl>", None),
    ("<ttl>inf</ttl>", None),
    ("<ttl>99999999999999999999</ttl>", None),
    ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600.0),
    ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 900.0),
    ("<sy:updatePeriod> weekly\n</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 604800.0),
    ("<sy:updatePeriod>sometimes</sy:updatePeriod>", None),
    ("<ttl>5</ttl><sy:updatePeriod>daily</sy:updatePeriod>", 300.0),
]


@pytest.mark.parametrize(("stated", "seconds"), TTLS)
def test_ttl(stated: str, seconds: float | None) -> None:
    assert read(rss(channel=stated)).ttl == seconds


# states


def test_empty_feed_is_a_state_of_its_own() -> None:
    for body in (
        rss(),
        "<rss/>",
        '<feed xmlns="http://www.w3.org/2005/Atom"/>',
        '{"version":"x","items":[]}',
        "<urlset/>",
    ):
        document = read(body)
        assert (document.state, document.problem) == (FeedState.EMPTY, "the feed has no entries")


def test_feed_whose_entries_have_no_links_says_so() -> None:
    document = read(rss("<item><title>A</title></item><item><title>B</title></item>"))
    assert (document.state, document.problem) == (FeedState.EMPTY, "none of the 2 entries has a link")


HTML = [
    "<!DOCTYPE html><html><head><title>Just a moment</title></head></html>",
    "\n<html><body>Not found &lt;rss version=2&gt;",
    "<!-- x --><HTML><p>Use our <rss> feed</p>",
    "<div>Session expired</div>",
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd"><html/>',
]


@pytest.mark.parametrize("body", HTML)
def test_html_is_an_error_state(body: str) -> None:
    document = read(body, "text/html")
    assert document.state is FeedState.HTML
    assert document.problem is not None
    assert document.problem.startswith("an HTML page came instead of a feed")


def test_feed_sent_as_html_is_a_feed() -> None:
    assert read(rss(*many(2)), "text/html; charset=utf-8").state is FeedState.OK


@pytest.mark.parametrize(
    "body", [b"", b"  \n", b"\0" * 999, b"{}", b'{"items": 3}', b"%PDF-1.4", b"\xff\xfe\xfa", b"[1]", b"<x/>"]
)
def test_garbage_is_unreadable(body: bytes) -> None:
    document = read(body)
    assert document.state is FeedState.UNREADABLE
    assert document.problem
    assert not document.entries


def test_output_of_a_broken_server_before_the_feed() -> None:
    junk = "<br />\n<b>Warning</b>: mysql_connect() in <b>/srv/rss.php</b> on line 7<br />\n"
    document = read(junk + '<?xml version="1.0"?>' + rss(*many(3)))
    assert (document.state, len(document.entries)) == (FeedState.OK, 3)


def test_script_after_the_feed_does_no_harm() -> None:
    assert read(rss(*many(3)) + "<script>track()</script><!-- 0.3 s -->").state is FeedState.OK


# what is cut off


def cut_points(body: bytes) -> range:
    return range(body.index(b">") + 1, len(body) - 6, 11)


def test_cut_anywhere_a_feed_keeps_its_whole_entries_only() -> None:
    body = rss(*many(12)).encode()
    whole = read(body).entries
    for end in cut_points(body):
        document = read(body[:end])
        assert document.state is FeedState.PARTIAL, body[:end]
        assert document.entries == whole[: body[:end].count(b"</item>")]
        assert document.problem == f"the feed is cut off after {len(document.entries)} whole entries"


@pytest.mark.parametrize("name", ["atom10.xml", "rss10.xml", "newssitemap.xml", "jsonfeed11.json"])
def test_cut_before_the_second_entry(name: str) -> None:
    body = (FOLDER / name).read_bytes()
    document = read(body[: body.rindex(b"2.html") + 3])
    assert document.state is FeedState.PARTIAL
    assert [entry.url for entry in document.entries] == TWO[:1]


def test_cut_gzip() -> None:
    body = gzip.compress("".join([rss(*many(500))]).encode())
    document = read(body[: len(body) // 2])
    assert document.state is FeedState.PARTIAL
    assert 0 < len(document.entries) < 500


LONG = {
    "rss": rss(*many(30)),
    "json": json.dumps({"version": "x", "items": [{"url": f"/{number}"} for number in range(30)]}),
    "text": "\n".join(f"http://zarya.example/{number}" for number in range(30)),
    "index": "<sitemapindex>" + "".join(f"<sitemap><loc>/{n}</loc></sitemap>" for n in range(30)) + "</sitemapindex>",
    "entries without links": rss(*(many(30)[n] if n < 22 else "<item/>" for n in range(30))),
}


@pytest.mark.parametrize("name", LONG)
def test_too_many_entries(name: str) -> None:
    document = read(LONG[name], max_entries=20)
    assert (document.state, len(document.entries or document.children)) == (FeedState.PARTIAL, 20)
    assert document.problem == "the feed is longer than 20 entries; the rest was not read"
    assert read(LONG[name], max_entries=30).state is FeedState.OK


def test_long_feed_is_read_in_pieces_and_whole() -> None:
    count = 40_000
    body = rss(*many(count), channel="<link>http://zarya.example/</link>").replace("http://zarya.example/7<", "/seven<")
    document = read(body)
    assert len(body) > 3 << 20
    assert document.state is FeedState.OK
    assert [entry.title for entry in document.entries] == [f"News {number}" for number in range(count)]
    assert document.entries[7].url == "http://zarya.example/seven"


# feedparser behind the fast readers


def test_feed_in_capitals_is_left_to_feedparser() -> None:
    body = (
        "<RSS VERSION='2.0'><CHANNEL><ITEM><TITLE>Dam</TITLE><LINK>http://zarya.example/1</LINK></ITEM></CHANNEL></RSS>"
    )
    document = read(body)
    assert (document.state, document.parser) == (FeedState.OK, "feedparser")
    assert [(entry.url, entry.title) for entry in document.entries] == [("http://zarya.example/1", "Dam")]


def test_format_of_the_channel_definition_is_left_to_feedparser() -> None:
    body = (
        '<CHANNEL HREF="http://zarya.example/"><ITEM HREF="http://zarya.example/1"><TITLE>Dam</TITLE></ITEM></CHANNEL>'
    )
    document = read(body)
    assert (document.parser, [entry.url for entry in document.entries]) == ("feedparser", ["http://zarya.example/1"])


# the real world


def test_links_equal_feedparser(shared_data: Path) -> None:
    same = different = 0
    for file in sorted(path for path in (shared_data / "feeds").rglob("*") if path.is_file()):
        body = file.read_bytes()
        reference = [item.link for item in reference_reading(body).entries if item.get("link")]
        links = [entry.url for entry in read(body).entries]
        if reference:
            same += links == reference
            different += links != reference
    assert same + different > 50
    assert same / (same + different) >= 0.97


def reference_reading(body: bytes) -> feedparser.FeedParserDict:
    return feedparser.parse(BytesIO(body), response_headers={"content-location": URL})


def test_the_newest_sitemaps_of_an_index_come_first():
    def index(*rows):
        body = "".join(f"<sitemap><loc>http://a.example/{name}</loc>{when}</sitemap>" for name, when in rows)
        root = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{body}</sitemapindex>'
        children = read(root.encode()).children
        return [child.rpartition("/")[2] for child in children]

    dated = [(f"{month}", f"<lastmod>2024-0{month}-01</lastmod>") for month in (1, 2, 3)]
    assert index(*dated, ("none", "")) == ["3", "2", "1", "none"]
    assert index(*((name, "") for name in "abcd")) == ["d", "a", "c", "b"]
