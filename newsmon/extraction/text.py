"""Elements to clean paragraphs: what a reader sees, block by block, without touching the tree.

A block element begins and ends a paragraph, ``<br>`` a line inside it and an empty line another paragraph. Scripts,
controls and hidden elements are left out; so are the elements a rule strips, together with everything inside them.
What each paragraph is (heading, item, quote ...) is told by :mod:`newsmon.extraction.roles`.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import TYPE_CHECKING

from lxml import etree

from newsmon.extraction.elements import BLOCKS, INVISIBLE, Element, is_hidden
from newsmon.extraction.roles import PLAIN, STRUCTURAL, Place, Places, assemble, enter
from newsmon.model import Paragraph, Role
from newsmon.text import UNWANTED, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = [
    "SHORT",
    "TINY",
    "Element",
    "flat_text",
    "outermost",
    "paragraphs",
    "paragraphs_of_lines",
    "size",
    "without",
]

SHORT = 800
"""Size of a text under which it may be a stub or the words of a wall; a short news item has 300 to 1,500."""

TINY = 120
"""Size under which there is no text to speak of; a teaser is longer."""

LONGEST_LINE = 10_000
"""Characters of an element's source that are read where its text shall be one line."""

_DENSE_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_BREAK = "\x1e"  # stands for <br> while a paragraph is put together; white space to str.split
_SPACE = re.compile(r"\s")
_EMPTY_LINES = re.compile("\n\n+")


def size(text: str) -> int:
    """Length of a text in characters; a sign of Chinese, Japanese or Korean says as much as three letters.

    >>> size("abc"), size("新闻")
    (3, 6)
    """
    return len(text) + 2 * len(_DENSE_SCRIPT.findall(text))


def paragraphs(elements: Iterable[Element], *, stripped: Collection[Element] = ()) -> list[Paragraph]:
    """The paragraphs of some elements in the order given; an element inside an earlier one is not read twice.

    :param stripped: elements to leave out wherever they stand.

    >>> from lxml import html
    >>> tree = html.fromstring("<div>One<p>two <b>2</b><br>2b<script>x</script></p><h2>three</h2>tail</div>")
    >>> [found.text for found in paragraphs([tree])]
    ['One', 'two 2\\n2b', 'three', 'tail']
    >>> paragraphs([tree])[2]
    Paragraph(text='three', role=<Role.HEADING: 'heading'>, level=2)
    """
    return list(assemble(_pieces(elements, stripped)))


def paragraphs_of_lines(lines: Iterable[tuple[str, Element, bool]]) -> list[Paragraph]:
    """The paragraphs of chosen lines (:mod:`newsmon.extraction.segments`).

    :param lines: in the order of the page: text without line breaks, the innermost block element it stands in, and
        True when only one ``<br>`` parts it from the line given before it. One line of a ``<pre>`` stands for all.

    >>> from lxml import html
    >>> page = html.fromstring("<table><tr><td>a<td>b<tr><td>c<td>d</table>")
    >>> cells = page.findall(".//td")
    >>> [found.text for found in paragraphs_of_lines((cell.text, cell, False) for cell in cells)]
    ['a | b', 'c | d']
    """
    places = Places()
    pieces: list[tuple[str, Place]] = []
    code: Element | None = None
    for text, element, is_joined in lines:
        place = places.of(element)
        if place.role is Role.CODE and element.tag == "pre":  # lines have lost its line breaks and indents
            if element is not code:
                code = element
                pieces.extend(_pieces([element], ()))
        elif is_joined and pieces and pieces[-1][1] is place:
            pieces[-1] = (f"{pieces[-1][0]}\n{text}", place)
        else:
            pieces.append((text, place))
    return list(assemble(pieces))


def flat_text(element: Element) -> str:
    """The visible text of an element on one line, for titles and names; of a long one the beginning.

    Elements that lie in each other are often read one by one: without a limit a page of 250 would be read 250 times.
    """
    parts: list[str] = []
    room = LONGEST_LINE
    for raw, _ in _walk(element, (), PLAIN):
        parts.append(raw[:room])
        room -= len(raw)
        if room <= 0:
            break
    return one_line(" ".join(parts))


def outermost(elements: Iterable[Element]) -> Iterator[Element]:
    """Elements in document order without those that lie inside another of them."""
    last: Element | None = None
    for element in elements:
        if last is None or last not in element.iterancestors():
            last = element
            yield element


def without(elements: Iterable[Element], stripped: Collection[Element]) -> Iterator[Element]:
    """The elements that are not stripped and lie in no stripped element."""
    for element in elements:
        if element not in stripped and not any(ancestor in stripped for ancestor in element.iterancestors()):
            yield element


def _pieces(elements: Iterable[Element], stripped: Collection[Element]) -> Iterator[tuple[str, Place]]:
    """Clean texts between the borders of blocks and empty lines."""
    places = Places()
    roots = without(elements, stripped) if stripped else elements
    for root in outermost(roots):
        for raw, place in _walk(root, stripped, places.of(root.getparent())):
            for text in _code(raw) if place.role is Role.CODE else _split(raw):
                yield text, place


def _walk(root: Element, stripped: Collection[Element], place: Place) -> Iterator[tuple[str, Place]]:
    """Text of each block as it stands in the source, ``<br>`` marked.

    :param place: the place of the root's parent.
    """
    block: list[str] = []
    opened: list[tuple[Element, Place]] = []
    code = place.role is Role.CODE
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            tag = element.tag
            if element is not root and (tag in INVISIBLE or is_hidden(element) or element in stripped):
                walker.skip_subtree()
                continue
            if tag in BLOCKS and block:
                yield "".join(block), place
                block.clear()
            if tag in STRUCTURAL:
                opened.append((element, place))
                place = enter(place, element)
                code = place.role is Role.CODE
            if text := element.text:
                block.append(_marked(text) if code else text)
            continue
        if event == "end":
            tag = element.tag
            if tag == "br":
                block.append(_BREAK)
            elif tag in BLOCKS and block:
                yield "".join(block), place
                block.clear()
            if opened and opened[-1][0] is element:
                place = opened.pop()[1]
                code = place.role is Role.CODE
        if element is not root and (text := element.tail):
            block.append(_marked(text) if code else text)
    yield "".join(block), place


def _marked(preformatted: str) -> str:
    return preformatted.replace("\n", _BREAK)


def _split(raw: str) -> Iterator[str]:
    """The paragraphs of one block: lines joined by a newline, empty lines between paragraphs."""
    if not raw or raw.isspace():
        return
    if _BREAK not in raw:
        if line := one_line(raw):
            yield line
        return
    lines: list[str] = []
    for line in (*map(one_line, raw.split(_BREAK)), ""):
        if line:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines.clear()


def _code(raw: str) -> Iterator[str]:
    """The paragraphs of a preformatted block: as :func:`_split`, but the lines stay indented."""
    lines = (_SPACE.sub(" ", UNWANTED.sub("", line).expandtabs(4)).rstrip() for line in raw.split(_BREAK))
    for part in _EMPTY_LINES.split(dedent("\n".join(lines)).strip("\n")):
        if part:
            yield part
