"""Pages made to hurt, and bodies that are no pages: a clear result for each, never an empty text called success."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from newsmon.extraction import extract
from newsmon.model import Extract, Kind
from newsmon.page import MAX_BYTES, ORDINARY_ATTRIBUTES, ORDINARY_BYTES, ORDINARY_TAGS
from newsmon.sandbox import Sandbox, guarded
from tests.pages import SENTENCE, TEXT, article, page, rules

RULES = rules(TEXT)
ARTICLE = article().encode()
MILLION = 1_000_000
DEEP = 200_000
NESTED = [b"div", b"b", b"span", b"table", b"ul", b"blockquote", b"svg", b"g", b"math", b"mrow", b"template"]
NESTED += [b"noscript", b"h1", b"section", b"select", b"button", b"object", b"x-y", b"font", b"table><tr><td"]
NESTED += [b"ul><li", b"b><i", b"div><p", b"dl><dd", b"svg><g", b"a><div", b"figure><figcaption", b"ruby><rt"]


def nested(start: bytes, *, closed: bool = False, times: int = DEEP) -> bytes:
    """An article behind elements in elements."""
    end = b"".join(b"</%s>" % tag for tag in reversed(start.split(b"><")))
    return b"<html><body>" + b"<%s>" % start * times + b"x" + (end * times if closed else b"") + ARTICLE


HOSTILE: dict[str, Callable[[], bytes]] = {
    "5 million nodes": lambda: b"<body>" + b"<p>x" * (5 * MILLION),
    "5 million elements within the bytes that are read": lambda: b"<p>" * (2 * MILLION),
    "50 megabytes of text": lambda: b"<body><p>" + b"text " * (10 * MILLION),
    "one text node of 50 megabytes": lambda: b"a" * (50 * MILLION),
    "2 million br": lambda: b"<body><p>" + b"<br>" * (2 * MILLION),
    "colspan 9e15": lambda: b"<table><tr><td colspan=9000000000000000>x</table>" + ARTICLE,
    "rowspan": lambda: b'<table><tr><td rowspan="99999999">x</table>' + ARTICLE,
    "a million attributes": lambda: b"<p " + b" ".join(b"a%d" % number for number in range(MILLION)) + b">x",
    "a million attributes behind a quote": lambda: (
        b'<!-- <p a=" --><p ' + b" ".join(b"a%d" % number for number in range(MILLION)) + b'>x"'
    ),
    "a tag of 40 megabytes": lambda: b'<p title="' + b"x" * (40 * MILLION) + b'">x',
    "thousands of tables side by side, nested": lambda: b"<table><tr><td>x" * 150_000,
    "half a million paragraphs": lambda: b"<p>x</p>" * 500_000,
    "entities of 50 megabytes": lambda: b"&amp;" * (10 * MILLION),
    "comments": lambda: b"<!-->" * (5 * MILLION),
    "signs": lambda: b"<" * (5 * MILLION),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def check_clear(found: Extract) -> None:
    """An article has a text, and anything else a reason."""
    if found.kind is Kind.ARTICLE:
        assert found.text.strip()
    else:
        assert found.reason


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("start", NESTED, ids=bytes.decode)
def test_nesting_beyond_the_parser_is_noticed(start: bytes, closed: bool) -> None:
    """At 256 elements libxml2 stops reading: what it gives then is a part of the page that looks whole."""
    for times in (300, DEEP // 10):
        found = extract(page(nested(start, closed=closed, times=times)), rules=RULES)
        assert (found.kind, found.text) == (Kind.UNPARSABLE, "")
        assert "Excessive depth" in str(found.reason)


@pytest.mark.parametrize("start", [b"div", b"table><tr><td", b"b><i"], ids=bytes.decode)
def test_200000_nested_elements(sandbox: Sandbox, start: bytes) -> None:
    found = guarded(page(nested(start)), rules=RULES, sandbox=sandbox)
    assert (found.kind, found.text) == (Kind.UNPARSABLE, "")
    assert "Excessive depth" in str(found.reason) or "too many" in str(found.reason)


def test_elements_that_end_each_other_are_not_nested() -> None:
    for start in (b"p", b"li", b"td", b"option", b"form"):
        body = b"<body>" + b"<%s>x" % start * 2000 + ARTICLE
        assert extract(page(body), rules=RULES).kind is Kind.ARTICLE


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_unparsable_with_a_reason(sandbox: Sandbox, name: str) -> None:
    found = guarded(page(HOSTILE[name]()), rules=RULES, sandbox=sandbox)
    assert (found.kind, found.text) == (Kind.UNPARSABLE, "")
    assert found.reason
    assert "newsmon failed" not in found.reason


ALL_IN_LITTLE_MEMORY = """
import json, resource
from newsmon.extraction import extract
from tests.pages import page
from tests.test_hostile_pages import HOSTILE
extract(page("<p>x"))
with open("/proc/self/statm") as size:
    used = int(size.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 600 * 2**20, resource.RLIM_INFINITY))
print(json.dumps({name: extract(page(make())).kind for name, make in HOSTILE.items() if "quote" not in name}))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_hostile_pages_take_little_memory_even_without_a_process_of_their_own() -> None:
    ran = subprocess.run([sys.executable, "-c", ALL_IN_LITTLE_MEMORY], capture_output=True, text=True, check=False)
    assert not ran.returncode, ran.stderr
    assert set(json.loads(ran.stdout).values()) == {"unparsable"}


ATTRIBUTES = (b"a" * 49 + b" ") * (ORDINARY_ATTRIBUTES + 1)
RISKY = {
    "bytes": b"<p>" + b"x" * ORDINARY_BYTES,
    "tags": b"<p>" * (ORDINARY_TAGS + 1),
    "attributes": b"<p " + ATTRIBUTES,
    "attributes that seem quoted": b'<p "><q ' + ATTRIBUTES + b'">',
    "attributes behind an unnamed one": b'<p ="><q ' + ATTRIBUTES + b'">',
    "attributes behind a tab": b'<p a=\x0b"><q ' + ATTRIBUTES + b'">',
    "attributes behind a comment": b'<!--<p a="--><q ' + ATTRIBUTES + b'">',
    "attributes in UTF-16": b"\xff\xfe" + (b"<p " + ATTRIBUTES).decode().encode("utf-16-le"),
    "tags in tags": b"<a " * 9_999 + b"x" * 140_000,
}


@pytest.mark.parametrize("name", RISKY)
def test_what_is_risky_to_parse_is_seen_before(name: str) -> None:
    assert page(RISKY[name], headers={}).risk


def test_ordinary_pages_are_not_risky() -> None:
    script = b"<script>document.write('<bo'+'dy onload=\"x\">');" + b"var a = b; " * 8000 + b"</script>"
    for body in (b"", ARTICLE, ARTICLE * 300, script + ARTICLE, b"<p>" * (ORDINARY_TAGS - 1)):
        assert page(body).risk is None


def test_a_wide_cell_in_a_text_is_no_attack() -> None:
    for cell in (
        '<td colspan="100">x',
        "<td data-timespan=20240510081530>x",
        "<td>colspan 9000000000",
        '<td colspan="100%">',
    ):
        body = f"<table><tr>{cell}</table>{ARTICLE.decode()}"
        assert extract(page(body), rules=RULES).kind is Kind.ARTICLE


def flood(unit: str, size: int = 200_000) -> bytes:
    return (unit * (size // len(unit))).encode()


# What none of these may do is to take hours: most are cases in which the time once grew with the square of the size.
FLOODS: dict[str, bytes] = {
    "one text node": flood("a"),
    "words": flood("word "),
    "text blocks": b"".join(b"<p>%d. %s" % (number, SENTENCE.encode()) for number in range(3000)),
    "br": b"<p>" + flood("<br>", 39_000),
    "empty paragraphs": flood("<p></p>", 34_000),
    "cells": b"<table><tr>" + flood("<td>x", 45_000),
    "table in table": b"<table><tr><td>" * 80 + flood("<p>x", 30_000),
    "inline in inline": b"<b><i>" * 120 + flood(SENTENCE, 500_000),
    "headings in headings": b"<h1>" * 250 + flood(SENTENCE, 500_000),
    "divisions in divisions": b"<div>" * 250 + b"<p>%s" % SENTENCE.encode() * 3000,
    "authors in authors": b"<a rel=author><div>" * 120 + flood(SENTENCE, 500_000),
    "items in items": b"<div itemscope itemprop=author>" * 240 + flood("<b itemprop=name>x", 150_000),
    "entities": flood("&amp;") + flood("&#1;") + flood("&nosuch;") + flood("&"),
    "comments": flood("<!--", 30_000) + flood("<!-->", 30_000) + flood("<!", 9_000),
    "end tags": flood("</p>", 39_000),
    "the end of the page, again and again": flood("</body></html><p>x", 50_000),
    "an end of the page without end": ARTICLE + b"</body" + flood(" "),
    "dates": b"".join(b'<meta name=date content="vor dem 12 Mai oder um 3 Uhr %d">' % number for number in range(900)),
    "data in data": b'<script type="application/ld+json">' + flood("[") + b"</script>" + ARTICLE,
    "data of commas": b'<script type="application/ld+json">{' + flood(", ") + b"}</script>" + ARTICLE,
    "an address of question marks": b'<script type="application/ld+json">{"@type":"NewsArticle","url":"'
    + flood("?")
    + b'\\nx"}</script>',
    "a long address": b'<link rel=canonical href="' + flood("http://a.example/?a=b&amp;") + b'">' + ARTICLE,
    "a long title": b"<title>" + flood(" - ") + b"</title>" + ARTICLE,
    "a long author": b'<meta name=author content="' + flood("By Ann and ") + b'">' + ARTICLE,
    "a long style": b'<p style="display' + flood(" ") + b'">x' + ARTICLE,
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_end_in_a_clear_result(sandbox: Sandbox, name: str) -> None:
    """Read in the process that can be killed, so that a test fails rather than hangs: it must not have to be."""
    for known in (None, rules({**TEXT, "title": ["//h1"], "authors": ["//div"], "tags": ["//b"]})):
        found = sandbox.extract(page(FLOODS[name]), rules=known)
        check_clear(found)
        assert "cannot be read" not in str(found.reason)


NOISE = random.Random(7).randbytes(20_000)
NO_PAGES = {
    "nothing": (b"", "empty"),
    "white space": (b" \r\n\t" * 500, "empty"),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>" + NOISE, "binary"),
    "an image": (b"\x89PNG\r\n\x1a\n" + NOISE, "binary"),
    "an archive": (b"PK\x03\x04" + NOISE, "binary"),
    "noise": (NOISE, "binary"),
    "noise without tags": (NOISE.replace(b"<", b""), "binary"),
    "zeros": (bytes(5000), "binary"),
    "noise behind a tag": (b"<html>" + NOISE, "binary"),
    "a doctype": (b"<!DOCTYPE html>", "no element"),
    "a comment": (b"<!-- nothing -->", "no element"),
    "too much": (b"<p>" + b"x" * MAX_BYTES, "bytes"),
}


@pytest.mark.parametrize("headers", [{}, {"content-type": "text/html"}], ids=["silent", "html"])
@pytest.mark.parametrize("name", NO_PAGES)
def test_what_is_no_page_is_unparsable(name: str, headers: dict[str, str]) -> None:
    body, reason = NO_PAGES[name]
    found = extract(page(body, headers=headers), rules=RULES)
    assert (found.kind, found.text) == (Kind.UNPARSABLE, "")
    assert reason in str(found.reason)


@pytest.mark.parametrize(
    "text", ["a" * 5000, SENTENCE * 60, "x", "{}", "plain\ntext", "&lt;", "\u4e2d" * 3000, "<", "</p>"]
)
def test_one_text_node_gives_a_clear_result(text: str) -> None:
    for known in (None, RULES):
        check_clear(extract(page(text), rules=known))
        check_clear(extract(page(text, headers={"content-type": "text/plain"}), rules=known))


@pytest.mark.parametrize("start", range(0, len(ARTICLE), 97))
def test_a_fragment_gives_a_clear_result(start: int) -> None:
    whole = article(head='<script type="application/ld+json">{"@type": "NewsArticle"}</script>').encode()
    for known in (None, RULES):
        check_clear(extract(page(whole[start:]), rules=known))
        check_clear(extract(page(whole[: start + 1]), rules=known))


TEXTS = {
    "Плотину над старым городом открыли в пятницу после шести лет работы и двух наводнений. ": (
        *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251", "koi8-r", "iso8859-5", "cp866"),
    ),
    "旧城上方的新水坝在经过六年的工程和两次洪水之后于星期五正式启用了。": (
        "utf-8",
        "utf-16",
        "gb18030",
        "gb2312",
        "hz",
    ),
    "古い町の上の新しいダムが、六年の工事と二度の洪水を経て金曜日に開通しました。": (
        "utf-8",
        "cp932",
        "euc_jp",
        "iso2022_jp",
    ),
    "Der neue Damm über der Altstadt wurde am Freitag nach sechs Jahren eröffnet. ": ("utf-8", "cp1252", "iso8859-15"),
}


@pytest.mark.parametrize(("text", "encoding"), [(text, name) for text, names in TEXTS.items() for name in names])
def test_bytes_in_any_encoding(text: str, encoding: str) -> None:
    for sent in ({"content-type": f"text/html; charset={encoding}"}, {}):
        body = article(text * 20).encode(encoding)
        found = extract(page(body, headers=sent), rules=RULES)
        check_clear(found)
        if sent and encoding != "utf-8-sig":
            assert (found.kind, found.text) == (Kind.ARTICLE, (text * 20).strip())


def test_a_wrong_encoding_gives_a_clear_result() -> None:
    for encoding in ("utf-16", "utf-32", "hz", "cp037", "utf-7", "idna", "nosuch", "rot13"):
        for body in (ARTICLE, ARTICLE[:1001], NOISE, b"\xff\xfe" + ARTICLE):
            check_clear(extract(page(body, headers={"content-type": f"text/html; charset={encoding}"}), rules=RULES))
