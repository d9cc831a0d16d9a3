"""Elements to clean paragraphs: what a reader sees, block by block, without touching the tree.

A block element begins and ends a paragraph, ``<br>`` a line inside it and an empty line another paragraph. Scripts,
controls and hidden elements are left out; so are the elements a rule strips, together with everything inside them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from lxml import etree, html

from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section summary
    table tbody td tfoot th thead tr ul
"""
_INVISIBLE_NAMES = """
    script style noscript template iframe noframes svg canvas video audio object embed applet map head
    button select textarea input datalist
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
INVISIBLE = frozenset(_INVISIBLE_NAMES.split())
SHORT = 800
"""Size of a text under which it may be a stub or the words of a wall; a short news item has 300 to 1,500."""

TINY = 120
"""Size under which there is no text to speak of; a teaser is longer."""

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DENSE_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_BREAK = "\x1e"  # stands for <br> while a paragraph is put together; white space to str.split

Element: TypeAlias = html.HtmlElement


def size(text: str) -> int:
    """Length of a text in characters; a sign of Chinese, Japanese or Korean says as much as three letters.

    >>> size("abc"), size("新闻")
    (3, 6)
    """
    return len(text) + 2 * len(_DENSE_SCRIPT.findall(text))


def paragraphs(elements: Iterable[Element], *, stripped: Collection[Element] = ()) -> list[str]:
    """The paragraphs of some elements in the order given; an element inside an earlier one is not read twice.

    :param stripped: elements to leave out wherever they stand.

    >>> tree = html.fromstring("<div>One<p>two <b>2</b><br>2b<script>x</script></p><div>three</div>tail</div>")
    >>> paragraphs([tree])
    ['One', 'two 2\\n2b', 'three', 'tail']
    """
    return [paragraph for raw in _raw_blocks(elements, stripped) for paragraph in _split(raw)]


def flat_text(element: Element) -> str:
    """All visible text of an element on one line, for titles and names."""
    return one_line(" ".join(_raw_blocks([element], ())))


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


def _raw_blocks(elements: Iterable[Element], stripped: Collection[Element]) -> Iterator[str]:
    """Text of each block as it stands in the source, ``<br>`` marked."""
    roots = without(elements, stripped) if stripped else elements
    for root in outermost(roots):
        yield from _walk(root, stripped)


def _walk(root: Element, stripped: Collection[Element]) -> Iterator[str]:
    block: list[str] = []
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            if element is not root and (_is_unseen(element) or element in stripped):
                walker.skip_subtree()
                continue
            if element.tag in BLOCKS:
                yield "".join(block)
                block.clear()
            if element.text:
                block.append(_marked(element.text) if element.tag == "pre" else element.text)
            continue
        if event == "end":
            if element.tag == "br":
                block.append(_BREAK)
            elif element.tag in BLOCKS:
                yield "".join(block)
                block.clear()
        if element is not root and element.tail:
            block.append(element.tail)
    yield "".join(block)


def _is_unseen(element: Element) -> bool:
    if element.tag in INVISIBLE or element.get("hidden") is not None:
        return True
    style = element.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


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
