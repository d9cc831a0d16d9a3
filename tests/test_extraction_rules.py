"""Text and fields by XPath rules: order, versions, strip, paragraphs, and pages that cannot be read."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from newsmon.extraction import Limits, extract
from newsmon.extraction.rules import read_by_rules
from newsmon.extraction.text import flat_text, paragraphs
from newsmon.model import Entry, Extract, Kind
from newsmon.text import one_line
from tests.pages import NOW, SENTENCE, URL, article, page, real_pages, rules

TEXT = {"text": ["//article//p"], "title": ["//h1"]}


def read(fragment: str, *, select: str = "//div[@id='a']", strip: str | None = None) -> list[str]:
    tree = html.document_fromstring(f"<body><div id='a'>{fragment}</div></body>")
    found = paragraphs(tree.xpath(select), stripped=tree.xpath(strip) if strip else ())
    return [paragraph.text for paragraph in found]


def texts(found: Extract) -> list[str]:
    return [paragraph.text for paragraph in found.paragraphs]


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        pytest.param("<p>one</p><p>two</p>", ["one", "two"], id="paragraphs"),
        pytest.param("lead<p>one</p>tail", ["lead", "one", "tail"], id="text around blocks"),
        pytest.param("a <b>bold</b> and <a href='/'>link</a>.", ["a bold and link."], id="inline elements"),
        pytest.param("a<br>b", ["a\nb"], id="a line break stays in the paragraph"),
        pytest.param("a<br><br>b<br/> <br/>c", ["a", "b", "c"], id="empty lines part paragraphs"),
        pytest.param("<br>a<br>", ["a"], id="outer line breaks"),
        pytest.param("<ul><li>x<li>y</ul>", ["x", "y"], id="list items"),
        pytest.param("<table><tr><td>1<td>2<tr><td>3</table>", ["1 | 2", "3"], id="table cells"),
        pytest.param("<div><div>a<div>b</div>c</div></div>", ["a", "b", "c"], id="nested blocks once"),
        pytest.param("<p>a<script>x()</script>b<style>p{}</style></p>", ["ab"], id="scripts and styles"),
        pytest.param("<p>a<noscript>off</noscript><button>Share</button></p>", ["a"], id="controls"),
        pytest.param("<p hidden>x</p><p style='display: none'>y</p><p>z</p>", ["z"], id="hidden elements"),
        pytest.param("a<!-- b -->c<?d e?>f", ["acf"], id="comments"),
        pytest.param("  a\n\t b\xa0\u3000c ", ["a b c"], id="white space"),
        pytest.param("Haus\u00adboot \u200bzero \u202eover\u202cride", ["Hausboot zero override"], id="invisible"),
        pytest.param("<pre>a\n  b</pre>", ["a\n  b"], id="preformatted lines"),
        pytest.param("<p> </p><p>&nbsp;</p><div></div>", [], id="nothing"),
        pytest.param("<svg><title>x</title></svg><figure><figcaption>cap</figcaption></figure>", ["cap"], id="caption"),
    ],
)
def test_paragraphs(fragment: str, expected: list[str]) -> None:
    assert read(fragment) == expected


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("//p", ["one", "two"]),
        ("//p | //h2", ["one", "head", "two"]),
        ("//div", ["one", "head", "two"]),
        ("//div | //p", ["one", "head", "two"]),
        ("//*", ["one", "head", "two"]),
    ],
)
def test_nested_selections_are_read_once(select: str, expected: list[str]) -> None:
    assert read("<p>one</p><div><h2>head</h2><p>two</p></div>", select=select) == expected


def test_strip_cuts_inside_around_and_keeps_tails() -> None:
    fragment = "<p>one <span class='x'>ad</span>more</p><aside><p>teaser</p></aside><p>two</p>"
    assert read(fragment, strip="//span | //aside") == ["one more", "two"]
    assert read(fragment, select="//p", strip="//span | //aside") == ["one more", "two"]
    assert read(fragment, select="//p", strip="//body") == []


def test_the_tree_is_not_changed() -> None:
    tree = html.document_fromstring(article())
    before = etree.tostring(tree)
    sources = rules({**TEXT, "strip": ["//h1"]})
    read_by_rules(tree, sources.versions_at(NOW.date()))
    assert etree.tostring(tree) == before


def test_one_parse_per_page() -> None:
    fetched = page(article())
    assert fetched.tree is fetched.tree
    extract(fetched, rules=rules(TEXT))
    assert fetched.tree.find(".//h1").text == "Dam opens"


def test_what_stands_after_the_end_of_the_page_belongs_to_it() -> None:
    body = article().replace("</article></body></html>", "</body></html><p>More.</article>") + "<p>Last."
    found = extract(page(body), rules=rules({"text": ["//p"]}))
    assert texts(found) == [(SENTENCE * 12).strip(), "More.", "Last."]


def test_text_and_title_by_rule() -> None:
    found = extract(page(article("One. " * 40 + "</p><p>Two.")), rules=rules(TEXT))
    assert (found.kind, found.method, found.rule_version) == (Kind.ARTICLE, "rule", "1")
    assert texts(found) == [("One. " * 40).strip(), "Two."]
    assert found.text == "\n\n".join(texts(found))
    assert (found.title, found.reason) == ("Dam opens", None)
    assert found.origins["text"] == found.origins["title"] == "rule:1"


def test_xpaths_are_tried_in_order() -> None:
    found = extract(page(article()), rules=rules({"text": ["//div[@class='gone']//p", "//article//p", "//body"]}))
    assert found.text == (SENTENCE * 12).strip()


def test_xpaths_may_give_elements_attributes_or_strings() -> None:
    head = "<meta property='x:author' content='Ann Lee'><meta property='x:tags' content='dams, floods'>"
    body = article(head=head).replace("<p>", "<time datetime='2024-05-03T08:15:00+03:00'>3 May</time><p>")
    found = extract(
        page(body),
        rules=rules(
            {
                "text": ["//article//p/text()"],
                "title": ["string(//h1)"],
                "authors": ["//meta[@property='x:author']"],
                "tags": ["//meta[@property='x:tags']/@content"],
                "published": ["//h1", "//time"],
            }
        ),
    )
    assert (found.text, found.title) == ((SENTENCE * 12).strip(), "Dam opens")
    assert (found.authors, found.tags) == (("Ann Lee",), ("dams", "floods"))
    assert found.published == datetime(2024, 5, 3, 5, 15, tzinfo=UTC)
    assert {found.origins[name] for name in ("text", "title", "authors", "tags", "published")} == {"rule:1"}


OLD = {"id": "old", "text": ["//div[@class='old']//p"], "section": ["//h6"]}
NEW = {"id": "new", "valid_from": date(2024, 1, 1), "text": ["//article//p"], "section": ["//h5"]}


def test_versions_are_tried_newest_first_until_one_gives_text() -> None:
    site = rules(OLD, NEW)
    old_layout = article().replace("article>", "div>").replace("<div>", "<div class='old'><h6>Old</h6><h5>New</h5>")
    newest, older = extract(page(article()), rules=site), extract(page(old_layout), rules=site)
    assert (newest.rule_version, older.rule_version) == ("new", "old")
    assert (older.section, older.reason) == ("Old", None)


def test_versions_of_another_time_are_not_tried() -> None:
    before = datetime(2023, 12, 31, tzinfo=UTC)
    found = extract(page(article(), fetched_at=before), rules=rules(OLD, NEW))
    assert (found.method, found.rule_version) == ("svm", None)
    assert "old" in found.reason
    assert "new" not in found.reason
    assert "no rule version is valid" in extract(page(article(), fetched_at=before), rules=rules(NEW)).reason


def test_a_broken_text_rule_still_reads_the_other_fields_and_says_so() -> None:
    site = rules({"id": "v", "text": ["//main"], "section": ["//h5"]})
    found = extract(page(article(head="<h5>City</h5>")), rules=site)
    assert (found.kind, found.method, found.rule_version) == (Kind.ARTICLE, "svm", None)
    assert found.text.startswith(SENTENCE.strip())
    assert (found.section, found.origins["section"]) == ("City", "rule:v")
    assert found.reason == "rule v: its text XPaths select no text"
    nothing = extract(page("<h1>Dam opens</h1><h5>City</h5>"), rules=site)
    assert (nothing.kind, nothing.text, nothing.section) == (Kind.EMPTY, "", "City")
    assert "rule v: its text XPaths select no text" in nothing.reason


def test_xpath_that_is_too_much_work_on_this_page_is_reported_and_the_next_version_asked() -> None:
    costly = {"id": "costly", "valid_from": date(2024, 1, 1), "text": ["//p[following::b]"]}
    body = article().replace("<p>", "<p>x" * 40_000 + "<p>")
    found = extract(page(body), rules=rules(costly, {"id": "cheap", "text": ["//article//p[last()]"]}))
    assert found.rule_version == "cheap"
    alone = extract(page(body), rules=rules(costly))
    assert alone.rule_version is None
    assert "too much work" in alone.reason


def test_stated_text_stands_in_for_a_broken_rule() -> None:
    body = SENTENCE * 12
    script = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body}"}}</script>'
    shown = f"{script}<h1>Dam opens</h1><p>Loading</p>"
    found = extract(page(shown), rules=rules({"id": "v", "text": ["//main"]}))
    assert (found.kind, found.method, found.text) == (Kind.ARTICLE, "json-ld", body.strip())
    assert found.rule_version is None
    assert "rule v" in found.reason


def test_page_without_rule_or_stated_text_is_empty_not_a_success() -> None:
    found = extract(page("<html><h1>Dam opens</h1></html>"))
    assert (found.kind, found.text, found.title) == (Kind.EMPTY, "", "Dam opens")
    assert "the site has no rule" in found.reason


def test_page_without_rule_is_read_by_the_classifier() -> None:
    found = extract(page(article()))
    assert (found.kind, found.method, found.title) == (Kind.ARTICLE, "svm", "Dam opens")
    assert found.confidence is not None
    assert found.origins["text"] == "svm"


@pytest.mark.parametrize("method", ["svm", "paper"])
def test_a_method_can_be_asked_for(method: str) -> None:
    assert extract(page(article()), rules=rules(TEXT), method=method).method == method
    with pytest.raises(ValueError, match="there is no method 'other'"):
        extract(page(article()), method="other")


def test_feed_entry_fills_gaps_only() -> None:
    entry = Entry(URL, title="Feed title", summary="Feed summary", published=NOW, authors=("Ann Lee",), tags=("dams",))
    found = extract(page(article()), rules=rules(TEXT), entry=entry)
    assert (found.title, found.origins["title"]) == ("Dam opens", "rule:1")
    assert (found.summary, found.authors, found.tags, found.published) == ("Feed summary", ("Ann Lee",), ("dams",), NOW)
    assert {found.origins[name] for name in ("summary", "authors", "tags", "published")} == {"feed"}


def test_encoding_reaches_the_text() -> None:
    text = "Ставка Центробанка выросла, сообщила пресс-служба. " * 10
    body = article(text, head='<meta charset="windows-1251">').encode("cp1251")
    found = extract(page(body, headers={"content-type": "text/html; charset=utf-8"}), rules=rules(TEXT))
    assert found.text == text.strip()


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        pytest.param(b"", {}, "empty", id="nothing"),
        pytest.param(b" \n\t ", {}, "empty", id="white space"),
        pytest.param(b"<!-- -->", {}, "no element", id="a comment"),
        pytest.param(b"%PDF-1.7 ...", {"content-type": "text/html"}, "binary", id="PDF called HTML"),
        pytest.param(b'<?xml version="1.0"?>\n<rss version="2.0">', {}, "is a feed", id="RSS"),
        pytest.param(b"\xef\xbb\xbf<feed xmlns='http://www.w3.org/2005/Atom'>", {}, "is a feed", id="Atom"),
        pytest.param(b'{"a": 1}', {"content-type": "application/json"}, "application/json", id="JSON"),
        pytest.param(b'[{"a": "b"}]', {}, "is JSON", id="JSON that nobody calls so"),
        pytest.param(b"<article><p>" + b"<div>" * 400 + b"deep", {}, "Excessive depth", id="too deep"),
        pytest.param(b"<p>a" * 400_000, {}, "tags", id="too many tags"),
        pytest.param(b"<p>" + b"a" * (9 * 2**20), {}, "bytes", id="too large"),
        pytest.param(
            b"<article " + b" ".join(b"a%d" % n for n in range(60_000)) + b"><p>a", {}, "attributes", id="a wide tag"
        ),
    ],
)
def test_unparsable_pages_are_never_an_empty_success(body: bytes, headers: dict[str, str], reason: str) -> None:
    found = extract(page(body, headers=headers), rules=rules(TEXT))
    assert (found.kind, found.text) == (Kind.UNPARSABLE, "")
    assert reason in found.reason


def test_limits_are_parameters() -> None:
    body = page(article())
    assert extract(body, rules=rules(TEXT), limits=Limits(elements=3)).kind is Kind.UNPARSABLE
    assert extract(body, rules=rules(TEXT), limits=Limits(body=10)).kind is Kind.UNPARSABLE


def test_many_attributes_on_real_tags_are_read() -> None:
    wide = " ".join(f"data-x{number}='<>'" for number in range(3000))
    body = "<!-- " + "x" * 200_000 + " -->" + article().replace("<article", f"<article {wide}")
    assert extract(page(body), rules=rules(TEXT)).kind is Kind.ARTICLE


PIECES = st.sampled_from(
    [
        *("<p>", "</p>", "<div", ">", "<", "=", "'", '"', "<!--", "-->", "<br>", "<title>", "<h1>", "\x00", "\ud7ff"),
        *("<script type='application/ld+json'>", "</script>", "[", "]", "{", "}", ",", ":", "null", "1e999", "[" * 999),
        *('"@type":"NewsArticle"', '"articleBody"', '"author"', '"image"', '"@id"', '"datePublished"', '"x"', "7"),
        *("<meta name='author' content='", "<meta property='og:title' content=", "<time datetime='2024-05-03", "&#0;"),
        *("<article itemscope itemtype='http://schema.org/Article'>", "<b itemprop='author'>", "<i itemprop='image'>"),
        *(
            "<link rel='canonical' href='http://[",
            "<base href=",
            "&#xD800;",
            "текст",
            "新闻",
            "\u202e",
            "&amp;lt;p",
        ),
    ]
)
SITE = rules(
    {"text": ["//p", "//article"], "strip": ["//div"], "published": ["//time"], "authors": ["//b"], "image": ["//b"]}
)
LINKED = article(head='<script type="application/ld+json">{"@type":"NewsArticle","author":[{"name":"A B"}]}</script>')


@given(st.lists(PIECES, max_size=40).map("".join))
def test_never_raises_for_broken_html(markup: str) -> None:
    found = extract(page(markup), rules=SITE)
    assert (found.kind is Kind.ARTICLE) <= bool(found.text.strip())


@given(st.binary(max_size=300), st.sampled_from(["", "text/html", "text/html; charset=gb2312", "image/png"]))
def test_never_raises_for_any_bytes(body: bytes, content_type: str) -> None:
    found = extract(page(body, headers={"content-type": content_type}), rules=SITE)
    for text in (found.text, found.title or "", *found.authors, *found.tags):
        assert "\x00" not in text
        text.encode("utf-8")


@given(st.integers(0, 10_000), st.integers(1, 60), st.binary(max_size=6))
def test_never_raises_for_a_damaged_article(at: int, length: int, instead: bytes) -> None:
    whole = LINKED.encode()
    start = at % len(whole)
    extract(page(whole[:start] + instead + whole[start + length :]), rules=SITE)


LD = b"<script type='application/ld+json'>"
QUADRATIC = {
    "spaces around JSON": LD + b" " * 400_000 + b"x" + b" " * 400_000 + b"</script>",
    "escaped quotes": LD + b'{"a":"' + b'\\"' * 300_000 + b"</script>",
    "open objects": LD + b'{"@graph":' * 50_000 + b"</script>",
    "commas": LD + b'{"a":[' + b", " * 300_000 + b"</script>",
    "open scripts": "<script>я ".encode("cp1251") * 60_000,
    "open comments": "<!--я ".encode("cp1251") * 60_000,
    "open tags": "<aя ".encode("cp1251") * 60_000,
    "a long title": b"<title>" + b"a | " * 200_000 + b"</title>",
    "a long byline": b"<meta name=author content='" + b"a and b, " * 50_000 + b"'>",
    "a long style": b"<p style='" + b"display  " * 100_000 + b"'>x",
    "nested quotes": b"<a b=\"'>" * 60_000,
}


@pytest.mark.parametrize("body", QUADRATIC.values(), ids=QUADRATIC)
def test_time_grows_with_the_page_not_with_its_square(body: bytes) -> None:
    began = process_time()
    extract(page(body, headers={}), rules=SITE)
    assert process_time() - began < 5


@given(st.text())
def test_clean_text_can_be_stored_anywhere(text: str) -> None:
    cleaned = one_line(text)
    assert cleaned == one_line(cleaned)
    assert "\x00" not in cleaned
    cleaned.encode("utf-8")


def test_flat_text_is_one_line() -> None:
    assert flat_text(html.fromstring("<h1>Dam<br>opens <span hidden>x</span><div>now</div></h1>")) == "Dam opens now"


def test_real_pages_give_the_text_their_rule_selects(shared_data: Path) -> None:
    seen = 0
    for fetched, line in real_pages(shared_data):
        if line["rule_hit"] and line["rule_chars"]:
            seen += 1
            assert extract(fetched, rules=rules({"text": [line["rule"]]})).text, line["id"]
    assert seen > 100
