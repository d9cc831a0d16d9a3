"""What the paragraphs of a page are: headings, items, quotes, rows, code and captions, and tables that are none."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from newsmon.extraction import extract
from newsmon.extraction.roles import role_of
from newsmon.extraction.segments import read_segments
from newsmon.extraction.sources import Sources
from newsmon.extraction.stated import stated_text
from newsmon.extraction.text import paragraphs, paragraphs_of_lines
from newsmon.fixtures import differences, values
from newsmon.model import Paragraph, Role
from newsmon.text import one_line
from tests.pages import SENTENCE, URL, article, linked, page, rules


def read(fragment: str, *, select: str = "//body", strip: str | None = None) -> list[tuple[str, str]]:
    """Role with level, and text."""
    tree = html.document_fromstring(f"<body>{fragment}</body>")
    found = paragraphs(tree.xpath(select), stripped=tree.xpath(strip) if strip else ())
    return [(f"{each.role}{each.level or ''}", each.text) for each in found]


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        pytest.param("<h1>a</h1><h3><a>b</a> c</h3>", [("heading1", "a"), ("heading3", "b c")], id="levels"),
        pytest.param("<h2>a<br>b<br><br>c</h2><h2>d</h2>", [("heading2", "a b c"), ("heading2", "d")], id="one line"),
        pytest.param("<ul><li>a<li>b</ul>c", [("item1", "a"), ("item1", "b"), ("paragraph", "c")], id="items"),
        pytest.param(
            "<ul><li>a<ol><li>b</li><li><p>c</p></li></ol>d</li><li>e</ul>",
            [("item1", "a"), ("item2", "b"), ("item2", "c"), ("item1", "d"), ("item1", "e")],
            id="lists in lists keep their order",
        ),
        pytest.param("<ul><li><h3>a</h3><p>b</p></ul>", [("heading3", "a"), ("item1", "b")], id="heading in an item"),
        pytest.param(
            "<ul><li><div><p>a<p>b<p>c</div><li>d</ul>",
            [("paragraph", "a"), ("paragraph", "b"), ("paragraph", "c"), ("item1", "d")],
            id="an item that holds a text is none",
        ),
        pytest.param(
            "<blockquote>a<p>b</p></blockquote>c", [("quote", "a"), ("quote", "b"), ("paragraph", "c")], id="quote"
        ),
        pytest.param("<p>a <q>b</q></p><q><p>c</p></q>", [("paragraph", "a b"), ("quote", "c")], id="q around blocks"),
        pytest.param("<blockquote><ul><li>a</ul>b</blockquote>", [("item1", "a"), ("quote", "b")], id="innermost"),
        pytest.param("<figure><img><figcaption>a<p>b</figure>", [("caption", "a"), ("caption", "b")], id="caption"),
        pytest.param(
            "<pre>if a:\n\tb\n\n\n  c <b>d\n e</b>\n</pre>f",
            [
                ("code", "if a:\n    b"),
                ("code", "  c d\n e"),
                ("paragraph", "f"),
            ],
            id="code keeps its indents",
        ),
        pytest.param("<pre><code>    a\n      b</code></pre>", [("code", "a\n  b")], id="a common indent goes"),
        pytest.param("<dl><dt>a<dd>b</dl>", [("paragraph", "a"), ("paragraph", "b")], id="definitions are text"),
    ],
)
def test_roles(fragment: str, expected: list[tuple[str, str]]) -> None:
    assert read(fragment) == expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param("<tr><th>a<th>b<tr><td>c<td>d", [("row", "a | b"), ("row", "c | d")], id="rows"),
        pytest.param("<tr><td><p>a</p><td>b<br>c<tr><td>d<td>e", [("row", "a | b c"), ("row", "d | e")], id="p and br"),
        pytest.param("<tr><th><th>a<tr><td>b<td><tr><td><td>", [("row", "| a"), ("row", "b")], id="empty cells"),
        pytest.param("<tr><td>a<td hidden>b<td>c<tr><td>d<td>e", [("row", "a | c"), ("row", "d | e")], id="hidden"),
        pytest.param("<caption>x</caption><thead><tr><th>a<th>b<tbody><tr><td colspan=9999999>c", [
            ("caption", "x"), ("row", "a | b"), ("row", "c")], id="caption, spans"),
        pytest.param("<tr><td>a<td>b", [("paragraph", "a"), ("paragraph", "b")], id="one row"),
        pytest.param("<tr><td>a<tr><td>b", [("paragraph", "a"), ("paragraph", "b")], id="one column"),
        pytest.param("<tr><td>a<td><p>b<p>c<tr><td>d<td>e", [("paragraph", each) for each in "abcde"], id="paragraphs"),
        pytest.param("<tr><td>a<td>b<br>c<br>d<br><br>e<tr><td>f<td>g", [
            ("paragraph", each) for each in ("a", "b\nc\nd", "e", "f", "g")], id="line breaks"),
        pytest.param("<tr><td><h2>a</h2><td>b<tr><td>c<td>d", [
            ("heading2", "a"), ("paragraph", "b"), ("paragraph", "c"), ("paragraph", "d")], id="headings"),
        pytest.param("<tr><td>a<td><table><tr><td>b<td>c<tr><td>d<td>e</table><tr><td>f<td>g", [
            ("paragraph", "a"), ("row", "b | c"), ("row", "d | e"), ("paragraph", "f"), ("paragraph", "g"),
        ], id="a table in a table"),
    ],
)  # fmt: skip
def test_tables(table: str, expected: list[tuple[str, str]]) -> None:
    assert read(f"<table>{table}</table>") == expected


def test_elements_around_what_a_rule_selects_count() -> None:
    page = "<blockquote><p>a</p></blockquote><ul><li><p>b</p></ul><table><tr><td>c<td>d<tr><td>e<td>f</table>"
    expected = [("quote", "a"), ("item1", "b"), ("row", "c | d"), ("row", "e | f")]
    assert read(page, select="//p | //td") == expected
    assert read(page, select="//p | //tr", strip="//td[.='f']") == [*expected[:3], ("row", "e")]


def test_role_of_a_block() -> None:
    tree = html.document_fromstring("<ul><li><ul><li><blockquote><p>a</p></blockquote><div>b</div></ul></ul><p>c</p>")
    found = {element.text: role_of(element) for element in tree.iter("p", "div") if element.text}
    assert found == {"a": (Role.QUOTE, 0), "b": (Role.ITEM, 2), "c": (Role.PARAGRAPH, 0)}


def chosen(fragment: str) -> list[tuple[str, str]]:
    """All lines of a page, as a classifier would choose them."""
    segments = read_segments(html.document_fromstring(fragment))
    blocks = [segments.elements[number] for number in segments.block]
    found = paragraphs_of_lines(zip(segments.texts, blocks, segments.joined.tolist(), strict=True))
    return [(f"{each.role}{each.level or ''}", each.text) for each in found]


PAGES = [
    "<h2>a<br>b</h2><p>c<br>d<br><br>e</p>f<ul><li>g<ul><li>h</ul>i</ul><blockquote><p>j</p></blockquote>",
    "<table><tr><td>a<td>b<br>c<tr><td><td><p>d</p></table><table><tr><td>e<td><p>f<p>g</table>",
    "<figure><figcaption>a</figcaption></figure><div>b<br>c<p>d</p>e</div>",
    "<pre>if a:\n    b\n\nelse:<br>  c</pre><p>d</p><pre>e</pre>",
]


@pytest.mark.parametrize("fragment", PAGES)
def test_chosen_lines_give_the_same_paragraphs(fragment: str) -> None:
    assert chosen(f"<body>{fragment}</body>") == read(fragment)


def test_lines_left_out_leave_the_others_as_they_are() -> None:
    tree = html.fromstring("<table><tr><td>a<td>b<tr><td>c<td>d</table>")
    lines = [(cell.text, cell, False) for cell in tree.iter("td") if cell.text != "a"]
    assert [each.text for each in paragraphs_of_lines(lines)] == ["| b", "c | d"]


TAGS = ["p", "div", "h2", "ul", "li", "blockquote", "table", "tr", "td", "b", "q", "br", "figcaption", "span"]
MARKUP = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS]),
        st.sampled_from([f"</{tag}>" for tag in TAGS]),
        st.integers(0, 999).map(lambda number: f" word{number} "),
    ),
    max_size=40,
).map("".join)


@given(markup=MARKUP)
def test_every_word_comes_once_and_in_order(markup: str) -> None:
    tree = html.document_fromstring(f"<body><p></p>{markup}</body>")
    found = paragraphs([tree])
    words = " ".join(text for text in tree.itertext()).split()
    read = [word for each in found for word in each.text.split() if word != "|"]
    assert sorted(read) == sorted(words)
    if not tree.findall(".//tr"):
        assert read == words
    for each in found:
        assert each.text == "\n".join(map(one_line, each.text.split("\n")))
        assert "\n\n" not in each.text
        assert (each.level > 0) == (each.role in (Role.HEADING, Role.ITEM))


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<ul><li>" * 40_000, id="items in items"),
        pytest.param("<table><tr><td>" * 40_000, id="tables in tables"),
        pytest.param("<ul>" + "<li>a" * 100_000, id="items"),
        pytest.param("<table>" + "<tr><td>a<td>b" * 40_000, id="rows"),
        pytest.param("<table><tr>" + "<td>" * 100_000 + "<tr><td>a", id="cells"),
        pytest.param("<table><tr><td>a<td>b<tr>" + "<td><td>a" * 50_000, id="empty cells"),
        pytest.param("<pre>" + "\t\n" * 200_000 + "a" + " " * 200_000 + "b", id="code"),
        pytest.param("<blockquote>" * 40_000 + "<p>a" * 1000, id="quotes"),
    ],
)
def test_hostile_structure_takes_linear_time(markup: str) -> None:
    parser = html.HTMLParser(huge_tree=True)
    tree = html.document_fromstring(f"<body>{markup}</body>", parser=parser)
    began = process_time()
    found = paragraphs([tree])
    assert process_time() - began < 3
    assert all(each.level <= 16 for each in found)


def test_structure_in_an_extract_and_texts_in_a_fixture() -> None:
    body = f"<h2>Why</h2><p>{SENTENCE * 12}</p><ul><li>One</li></ul>"
    found = extract(page(article(f"</p>{body}<p>")), rules=rules({"text": ["//article"], "strip": ["//h1"]}))
    assert Paragraph("Why", Role.HEADING, 2) in found.paragraphs
    assert Paragraph("One", Role.ITEM, 1) in found.paragraphs
    assert found.text == "\n\n".join(each.text for each in found.paragraphs)
    saved = values(found)
    assert saved["paragraphs"] == [each.text for each in found.paragraphs]
    assert differences(saved, found) == []


def test_stated_markup_keeps_its_structure() -> None:
    stated = f"<h2>Why</h2><p>{SENTENCE * 20}</p><blockquote>Because.</blockquote>"
    marked = f'<div itemscope itemtype="http://schema.org/NewsArticle"><div itemprop="articleBody">{stated}</div></div>'
    for source, origin in ((marked, "microdata"), (linked(articleBody=stated), "json-ld")):
        found, stated_by = stated_text(Sources(html.document_fromstring(f"<body>{source}</body>"), URL))
        assert stated_by == origin
        assert [(each.role, each.level) for each in found] == [
            (Role.HEADING, 2),
            (Role.PARAGRAPH, 0),
            (Role.QUOTE, 0),
        ]
