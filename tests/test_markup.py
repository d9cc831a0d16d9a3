"""Markdown and XML of an article: whatever a text says, it stays text, and comes back with its role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from time import process_time

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from newsmon.markup import as_markdown, as_xml, read_xml
from newsmon.markup.source import DEEPEST_LIST, paragraphs_of
from newsmon.model import Extract, Kind, Paragraph, Role
from newsmon.rows import join_cells, split_cells

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LEAVES = {"text", "softbreak", "hardbreak", "code_inline", "html_inline", "text_special"}


def read_markdown(text: str) -> list[Paragraph]:
    """The paragraphs of a Markdown document without front matter."""
    return [found for block in SyntaxTreeNode(PARSER.parse(text)).children for found in _block(block)]


def _block(node: SyntaxTreeNode) -> Iterator[Paragraph]:
    if node.type == "heading":
        yield Paragraph(_text(node), Role.HEADING, int(node.tag[1]))
    elif node.type == "paragraph":
        [inline] = node.children
        if [child.type for child in inline.children] == ["em"]:
            yield Paragraph(_text(inline.children[0]), Role.CAPTION)
        else:
            yield Paragraph(_text(node))
    elif node.type == "blockquote":
        yield from (Paragraph(_text(child), Role.QUOTE) for child in node.children)
    elif node.type == "bullet_list":
        yield from _items(node, 1)
    elif node.type == "fence":
        yield from (Paragraph(part, Role.CODE) for part in node.content.removesuffix("\n").split("\n\n"))
    else:
        assert node.type == "table", node.type
        for row in (row for part in node.children for row in part.children):
            yield Paragraph(join_cells(map(_text, row.children)), Role.ROW)


def _items(node: SyntaxTreeNode, level: int) -> Iterator[Paragraph]:
    for child in (child for item in node.children for child in item.children):
        if child.type == "bullet_list":
            yield from _items(child, level + 1)
        else:
            assert child.type == "paragraph", child.type
            yield Paragraph(_text(child), Role.ITEM, level)


def _text(node: SyntaxTreeNode) -> str:
    """The text of a node in which nothing became markup."""
    assert node.type in {"paragraph", "heading", "inline", "em", "td", "th", "text", "hardbreak"}, node.type
    if node.type in {"text", "hardbreak"}:
        return node.content if node.type == "text" else "\n"
    return "".join(map(_text, node.children))


def comparable(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """A table has as many columns in every row: cells that are missing come back empty."""
    return [
        replace(each, text=join_cells(split_cells(each.text)).rstrip("| ")) if each.role is Role.ROW else each
        for each in paragraphs
    ]


TRICKS = [
    *("# a", "#", "a #", "a ##", "## ##", "===", "---", "- - -", "***", "___", "* a", "+ a", "- a", "1. a", "1) a"),
    *("-", "> a", ">", "```", "~~~", "~~a~~", "`a`", "*a*", "**a**", "_a_", "a_b_c", "[a](b)", "[a]: b", "![a](b)"),
    *("<b>a</b>", "<!-- a -->", "<http://a.example>", "&amp;", "&#35;", "&", "\\", "\\\\", "a\\", "\\*", "|", "| a |"),
    *("a | b", ":-|-:", "|-", ":--", "-|-", "\\|", "a\\|b", "| |", "    a", "\ta", "a  ", "12345678901. a", "١. a"),
    *("=", "a|b", "[ ] a", "[x] a", "[^1]", "$a$", ":a:", "http://a.example/_b_*c*", "a@b.example", "«a»", "中文"),
    *("\u200e", "a&nbsp;b", "&copy", "!", "!!", "(a)", "10.", "10)", "0. ", "<", "<a", "a<b>c", "]]>", "{% a %}"),
    *("{a}", "^a^", "--- a", "https://a.example/(b)"),
]  # fmt: skip
LINES = st.one_of(
    st.sampled_from(TRICKS),
    st.lists(st.sampled_from(TRICKS), min_size=2, max_size=3).map(" ".join),
    st.text(st.sampled_from("ab1 \\`*_#+-.!|~<>[](){}=:&;\n\"'\t\u00a0"), max_size=12),
    st.text(max_size=12),
)
TEXTS = st.lists(LINES, min_size=1, max_size=3).map("\n".join)
LEVELS = {Role.HEADING: st.integers(1, 6), Role.ITEM: st.integers(1, 5)}
PARAGRAPHS = st.lists(
    st.sampled_from(Role).flatmap(
        lambda role: st.builds(Paragraph, TEXTS, st.just(role), LEVELS.get(role, st.just(0)))
    ),
    max_size=6,
)


@given(paragraphs=PARAGRAPHS)
@example([Paragraph("a", Role.ITEM, 3), Paragraph("b", Role.ITEM, 1), Paragraph("c", Role.ITEM, 2)])
@example([Paragraph("a"), Paragraph("===")])
@example([Paragraph("a | b\n:- | -")])
@example([Paragraph("#", Role.HEADING, 1)])
@example([Paragraph("|", Role.ROW), Paragraph("a | b", Role.ROW)])
def test_markdown_gives_the_paragraphs_back(paragraphs: list[Paragraph]) -> None:
    expected = list(paragraphs_of(paragraphs))
    assert comparable(read_markdown(as_markdown(paragraphs))) == comparable(expected)


@given(paragraphs=PARAGRAPHS)
@example([Paragraph("a", Role.ITEM, 3), Paragraph("b", Role.ITEM, 1), Paragraph("c", Role.ITEM, 2)])
@example([Paragraph("\x00\x07a\ud800\ufffe<&>]]>"), Paragraph("\x00", Role.CODE)])
def test_xml_gives_the_paragraphs_back(paragraphs: list[Paragraph]) -> None:
    assert read_xml(as_xml(paragraphs)) == list(paragraphs_of(paragraphs))


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("trick", TRICKS)
def test_tricks_stay_text(trick: str, role: Role) -> None:
    paragraphs = [Paragraph(f"{trick}\n{trick}", role, 1), Paragraph("a\n" + trick, role, 2), Paragraph(trick)]
    expected = list(paragraphs_of(paragraphs))
    assert comparable(read_markdown(as_markdown(paragraphs))) == comparable(expected)


@given(text=TEXTS)
def test_paragraphs_are_clean_but_say_the_same(text: str) -> None:
    for role in Role:
        for found in paragraphs_of([Paragraph(text, role, 99)]):
            assert found.level == {Role.HEADING: 6, Role.ITEM: DEEPEST_LIST}.get(role, 0)
            assert list(paragraphs_of([found])) == [found]
            assert [sign for sign in found.text if sign.isalnum()] == [sign for sign in text if sign.isalnum()]


@given(line=st.text(st.sampled_from("ab| "), max_size=10))
def test_cells_make_the_line_again(line: str) -> None:
    assert join_cells(split_cells(join_cells([line]))) == join_cells([line])


EXTRACT = Extract(
    kind=Kind.ARTICLE,
    title='Oil: "down" & [out]',
    text="First.\n\nSecond.",
    paragraphs=(Paragraph("First."), Paragraph("Second.", Role.HEADING, 2)),
    authors=("A. B.", "C: D"),
    published=datetime(2024, 5, 1, 12, 30, tzinfo=UTC),
    tags=("---", "- x"),
    paywalled=False,
    method="svm",
    confidence=0.75,
)


def test_front_matter_says_what_is_known() -> None:
    written = as_markdown(EXTRACT, url="http://a.example/1")
    _, front, text = written.split("---\n", 2)
    assert text == '\n# Oil: "down" & \\[out\\]\n\nFirst.\n\n## Second.\n'
    assert yaml.safe_load(front) == {
        "url": "http://a.example/1",
        "title": 'Oil: "down" & [out]',
        "authors": ["A. B.", "C: D"],
        "published": "2024-05-01T12:30:00+00:00",
        "tags": ["---", "- x"],
        "paywalled": False,
        "kind": "article",
        "method": "svm",
        "confidence": 0.75,
    }


def test_text_is_escaped_only_where_it_must_be() -> None:
    text = '10 of 2024. Then (see #3) - 5 > 4, a = b! 100.5 | C&A: it\'s "so".'
    assert as_markdown([Paragraph(text)]) == f"{text}\n"


def test_titles() -> None:
    assert as_markdown(EXTRACT, meta=False, title="").startswith("First.")
    assert as_markdown(EXTRACT, meta=False, title="1. Oil").startswith("# 1. Oil\n\nFirst.")
    repeated = replace(EXTRACT, paragraphs=(Paragraph(EXTRACT.title or "", Role.HEADING, 1), *EXTRACT.paragraphs))
    assert as_markdown(repeated) == as_markdown(EXTRACT)
    assert as_markdown(Extract(kind=Kind.EMPTY), meta=False) == ""
    assert as_markdown([]) == ""


def test_the_head_of_a_document() -> None:
    root = etree.fromstring(as_xml(EXTRACT, url="http://a.example/?a&b"))
    assert [(child.tag, child.text) for child in root.find("head")] == [
        ("url", "http://a.example/?a&b"),
        ("title", 'Oil: "down" & [out]'),
        ("author", "A. B."),
        ("author", "C: D"),
        ("published", "2024-05-01T12:30:00+00:00"),
        ("tag", "---"),
        ("tag", "- x"),
        ("paywalled", "false"),
        ("kind", "article"),
        ("method", "svm"),
        ("confidence", "0.75"),
    ]
    bare = etree.fromstring(as_xml(EXTRACT, meta=False))
    assert [child.tag for child in bare.find("head")] == ["title"]


def test_lists_nest() -> None:
    items = [Paragraph(text, Role.ITEM, level) for text, level in (("a", 1), ("b", 2), ("c", 1), ("d", 3))]
    assert as_markdown(items) == "- a\n  - b\n- c\n  - - d\n"
    assert (
        b"<body><list><item>a<list><item>b</item></list></item><item>c<list><item><list><item>d</item></list></item>"
        b"</list></item></list></body>"
    ) in as_xml(items)


@pytest.mark.parametrize(
    "document", [b"", b"<a", b"<article/>", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///c">]><a>&b;</a>']
)
def test_what_is_no_such_document_is_refused(document: bytes) -> None:
    with pytest.raises(ValueError, match=r"no XML|no <body>"):
        read_xml(document)


@pytest.mark.parametrize("role", Role)
def test_hostile_texts_take_linear_time(role: Role) -> None:
    hostile = [Paragraph(sign * 60_000, role, 10**9) for sign in ("`", "#", "[", "a | ", "\\", "&a", "1", "-\n")]
    hostile += [Paragraph("#" * 60_000 + "a", role, 1), Paragraph("a | " + "|" * 60_000, role, 1)]
    wide = [Paragraph("a | " * 8_000, role, 1), *[Paragraph("b", role, 10**9 * (each % 2)) for each in range(8_000)]]
    began = process_time()
    for paragraphs in (hostile, wide):
        written = as_markdown(paragraphs)
        assert len(written) < 4 * sum(len(each.text) + 40 for each in paragraphs)
        as_xml(paragraphs)
    assert process_time() - began < 2
