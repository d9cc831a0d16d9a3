"""Lists of feeds: what other readers export is read, what is written is read back as it was."""

from __future__ import annotations

import contextlib
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from newsmon.errors import FeedError
from newsmon.feeds.opml import OpmlFeed, read_opml, write_opml

NOW = datetime(2024, 5, 3, 8, 15, tzinfo=UTC)


def outlines(body: str) -> list[OpmlFeed]:
    return read_opml(f'<?xml version="1.0"?><opml version="1.0"><body>{body}</body></opml>'.encode())


# (what a reader wrote, what is read, what the row proves)
WRITTEN = [
    (
        '<outline text="Zarya" title="Zarya News" type="rss" xmlUrl="http://zarya.example/rss" htmlUrl="http://zarya.example/"/>',
        [OpmlFeed("http://zarya.example/rss", "Zarya News", "http://zarya.example/")],
        "title before text",
    ),
    (
        '<outline text="Новости"><outline text="RU"><outline text="Z" xmlUrl="http://zarya.example/rss"/></outline></outline>',
        [OpmlFeed("http://zarya.example/rss", "Z", None, ("Новости", "RU"))],
        "folders in folders",
    ),
    ('<outline xmlurl="http://a.example/1"/>', [OpmlFeed("http://a.example/1")], "name in small letters"),
    ('<OUTLINE XMLURL="http://a.example/1"/>', [OpmlFeed("http://a.example/1")], "names in capitals"),
    ('<outline xmlUrl="http://a.example/?a=1&b=2"/>', [OpmlFeed("http://a.example/?a=1&b=2")], "bare ampersand"),
    (
        '<outline text="a" xmlUrl="http://a.example/" language="uk"/>',
        [OpmlFeed("http://a.example/", "a", language="uk")],
        "language",
    ),
    ('<outline text="twice" xmlUrl="http://a.example/"/>' * 2, [OpmlFeed("http://a.example/", "twice")], "twice"),
    ('<outline xmlUrl="file:///etc/passwd"/><outline xmlUrl="rss.xml"/><outline xmlUrl=""/>', [], "no web addresses"),
    ('<outline text="empty folder"/>', [], "a folder without feeds"),
    (
        '<outline text="A" xmlUrl="http://a.example/"><outline text="B" xmlUrl="http://b.example/"/></outline>'
        '<outline text="C" xmlUrl="http://c.example/"/>',
        [
            OpmlFeed("http://a.example/", "A"),
            OpmlFeed("http://b.example/", "B", None, ("A",)),
            OpmlFeed("http://c.example/", "C"),
        ],
        "a folder ends where it ends",
    ),
]


@pytest.mark.parametrize(("body", "expected", "proves"), WRITTEN, ids=[row[2] for row in WRITTEN])
def test_read(body: str, expected: list[OpmlFeed], proves: str) -> None:
    assert outlines(body) == expected, proves


def test_declared_encoding() -> None:
    body = '<?xml version="1.0" encoding="windows-1251"?><opml><body><outline text="Заря" xmlUrl="http://z.example/"/></body></opml>'
    assert read_opml(body.encode("windows-1251"))[0].title == "Заря"


@pytest.mark.parametrize("body", [b"", b"<html></html>", b"<rss/>", b"\x00\xff", b"http://zarya.example/rss"])
def test_what_is_no_list_is_refused_with_advice(body: bytes) -> None:
    with pytest.raises(FeedError, match="not an OPML file"):
        read_opml(body)


def test_hostile_lists_are_quick_and_harmless() -> None:
    entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "x"><!ENTITY c "&b;&b;">]>'
    feeds = read_opml((entity + '<opml><outline text="&a;&c;" xmlUrl="http://a.example/"/></opml>').encode())
    assert [(feed.url, feed.title) for feed in feeds] in (
        [("http://a.example/", None)],
        [("http://a.example/", "&a;&c;")],
    )
    begin = time.process_time()
    read_opml(b"<opml>" + b"<outline>" * 500_000)
    assert time.process_time() - begin < 5


def test_written_form() -> None:
    body = write_opml([OpmlFeed("http://a.example/?x&y", "A & <B>", folders=("News",))], title="Mine", created=NOW)
    tree = etree.fromstring(body)
    assert tree.get("version") == "2.0"
    assert tree.findtext("head/title") == "Mine"
    assert tree.findtext("head/dateCreated") == "Fri, 03 May 2024 08:15:00 +0000"
    assert [dict(outline.attrib) for outline in tree.iterfind("body/outline/outline")] == [
        {"type": "rss", "text": "A & <B>", "title": "A & <B>", "xmlUrl": "http://a.example/?x&y"}
    ]


def test_feeds_of_a_folder_are_written_together() -> None:
    feeds = [
        OpmlFeed(f"http://{name}.example/", name, folders=("N", "M")[: number % 3])
        for number, name in enumerate("abcdef")
    ]
    tree = etree.fromstring(write_opml(feeds, title="t", created=NOW))
    assert [outline.get("text") for outline in tree.iterfind("body/outline")] == ["a", "N", "d"]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).map(str.strip)
FEEDS = st.builds(
    OpmlFeed,
    url=st.text("abc/?=&%'\"<>é я", max_size=10).map(lambda path: f"http://zarya.example/{path}".strip()),
    title=NAMES.filter(bool),
    site_url=st.none() | st.just("http://zarya.example/"),
    folders=st.lists(st.text("abc&<я", min_size=1, max_size=4), max_size=3).map(tuple),
    language=st.sampled_from([None, "ru", "en-GB"]),
)


@given(st.lists(FEEDS, max_size=8, unique_by=lambda feed: " ".join(feed.url.split())))
@settings(max_examples=80)
def test_what_is_written_is_read_back(feeds: list[OpmlFeed]) -> None:
    read = read_opml(write_opml(feeds, title="t", created=NOW))
    assert {(feed.url, feed.folders, feed.site_url, feed.language) for feed in read} == {
        (" ".join(feed.url.split()), feed.folders, feed.site_url, feed.language) for feed in feeds
    }


@given(st.binary(max_size=200))
@settings(max_examples=60)
def test_any_body_is_read_or_refused(body: bytes) -> None:
    for candidate in (body, b"<opml>" + body, b'<opml><outline xmlUrl="' + body + b'"/></opml>'):
        with contextlib.suppress(FeedError):
            assert all(feed.url.startswith("http") for feed in read_opml(candidate))
