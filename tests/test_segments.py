"""Lines and blocks of a page, and what they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from newsmon.extraction.characters import count_characters
from newsmon.extraction.layout import chain, inside, measure
from newsmon.extraction.segments import Segments, read_segments
from newsmon.extraction.text import paragraphs


def read(markup: str) -> Segments:
    return read_segments(html.document_fromstring(markup))


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        pytest.param("<p>one</p><p>two</p>", ["one", "two"], id="blocks part lines"),
        pytest.param("<p>a <b>b</b> <i>c</i> d</p>", ["a b c d"], id="inline elements do not"),
        pytest.param("<div>a<br>b<br><br>c</div>", ["a", "b", "c"], id="breaks do"),
        pytest.param("<div>a<p>b</p>c</div>", ["a", "b", "c"], id="text beside a block"),
        pytest.param("<p>a<script>x</script>b</p><style>y</style>", ["ab"], id="what nobody sees"),
        pytest.param("<p>a<!-- x -->b</p>", ["ab"], id="comments"),
        pytest.param("<p> \n </p><p>&nbsp;</p><p>a</p>", ["a"], id="white space alone"),
        pytest.param("<table><tr><td>a<td>b</table>", ["a", "b"], id="cells"),
    ],
)
def test_lines(markup: str, lines: list[str]) -> None:
    assert list(read(markup).texts) == lines


def test_links_and_emphasis_are_counted_in_characters() -> None:
    found = read("<p>See <a href=x>this <b>page</b></a> now</p><p><a>all</a></p><p>none</p>")
    assert found.links.tolist() == [9, 3, 0]
    assert found.strong.tolist() == [4, 0, 0]


def test_a_single_break_joins_lines_and_two_part_them() -> None:
    found = read("<div>a<br>b<br> <br>c<p>d</p>e</div>")
    assert found.joined.tolist() == [False, True, False, False, False]


def test_what_is_hidden_is_marked_with_everything_inside() -> None:
    found = read("<div>a<div style='display: none'>b<p>c</p></div><p hidden>d</p>e</div>")
    assert [text for text, hidden in zip(found.texts, found.hidden, strict=True) if hidden] == ["b", "c", "d"]


def test_images_before_each_line() -> None:
    assert read("<img><p>a<img></p><p>b</p><img>").images.tolist() == [2, 2, 3]


def test_blocks_know_their_lines_names_and_depth() -> None:
    found = read("<div class='Story body' id=x><p>a</p><p>b</p></div><div>c</div>")
    number = found.names.index("Story body x")
    assert (found.first[number], found.last[number], found.tags[number]) == (0, 2, "div")
    assert found.depth[number] == found.depth[found.parent[number]] + 1
    assert (found.first[0], found.last[0]) == (0, 3)


_PAGES = st.recursive(
    st.sampled_from(["word ", "two words", "<br>", "<img>", "<!-- c -->", "&nbsp;", "<script>s</script>", "line. "]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "p", "span", "a", "b", "ul", "li", "section", "h2", "td", "blockquote"]),
        st.lists(inner, max_size=5),
    ),
    max_leaves=40,
)


@given(st.lists(_PAGES, max_size=6))
def test_lines_hold_all_text_once_and_blocks_nest(parts: list[str]) -> None:
    tree = html.document_fromstring(f"<html><body><div>{''.join(parts)}</div></body></html>")
    found = read_segments(tree)
    everything = "".join(paragraph.text for paragraph in paragraphs([tree]))
    assert "".join("".join(found.texts).split()) == "".join(everything.replace("|", "").split())
    for number, parent in enumerate(found.parent.tolist()):
        assert parent < number
        assert found.first[number] <= found.last[number]
        if parent >= 0:
            assert found.first[parent] <= found.first[number]
            assert found.last[number] <= found.last[parent]
    for line, block in enumerate(found.block.tolist()):
        assert found.first[block] <= line < found.last[block]


@given(st.lists(_PAGES, max_size=6))
def test_sums_of_blocks_are_the_sums_of_their_lines(parts: list[str]) -> None:
    found = read(f"<div>{''.join(parts)}</div>")
    layout = measure(found)
    sizes = layout.characters.size
    sums = inside(sizes, found)
    for number in range(len(found.elements)):
        assert sums[number] == pytest.approx(sizes[found.first[number] : found.last[number]].sum())


def test_the_way_up_passes_over_blocks_with_the_same_lines() -> None:
    found = read("<main><section><div><p>a</p></div></section><p>b</p></main>")
    steps = [blocks[0] for blocks in chain(measure(found), found.block.astype(np.intp))]
    assert [found.tags[block] for block in steps[:3]] == ["p", "main", "html"]


_LINE = st.text(st.sampled_from('aZ9 .!?。,，;|©"”新闻のя'), min_size=1, max_size=40).filter(
    lambda text: text.strip() == text and "  " not in text
)


@given(st.lists(_LINE, max_size=8))
def test_characters_are_counted_as_one_by_one(lines: list[str]) -> None:
    found = count_characters(lines)
    assert found.length.tolist() == [len(line) for line in lines]
    for name, signs in (("commas", ",，;"), ("digits", "9"), ("upper", "Z"), ("marks", "|©")):
        assert getattr(found, name).tolist() == [sum(sign in signs for sign in line) for line in lines]
    assert found.size.tolist() == [len(line) + 2 * sum(sign in "新闻の" for sign in line) for line in lines]
    assert found.stops.tolist() == [_stops(line) for line in lines]


def _stops(line: str) -> int:
    following = [*line[1:], "\n"]
    pairs = zip(line, following, strict=True)
    return sum(sign in ".!?。" and (after in ' \n"”' or after >= "\u3000") for sign, after in pairs)


@pytest.mark.parametrize(
    ("line", "ended"),
    [("It ends.", True), ("He said: “No.”", True), ("它结束了。", True), ("Menu", False), ("3.5", False), ("”", False)],
)
def test_ends_of_sentences(line: str, ended: bool) -> None:
    assert bool(count_characters([line]).ended[0]) is ended
