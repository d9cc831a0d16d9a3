"""One walk over a page: its lines of text in reading order, and the containers they stand in.

A *line* is what stands between two borders of block elements or ``<br>``: the smallest piece that extraction keeps or
drops. A *block* is an element that bounds lines. Blocks nest, so every block holds a run of consecutive lines, and what
a block holds (characters, links, sentences) is a difference of two running sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from newsmon.extraction.elements import BLOCKS, INVISIBLE, is_hiding
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsmon.extraction.elements import Element

_EVENTS = ("start", "end", "comment", "pi")
_NAMING = frozenset(("class", "id", "itemprop", "role", "data-component", "data-testid"))
_INLINE, _BLOCK, _UNSEEN, _LINK, _STRONG, _IMAGE, _BREAK = range(7)
_KIND = {
    **dict.fromkeys(BLOCKS, _BLOCK),
    **dict.fromkeys(INVISIBLE, _UNSEEN),
    **dict.fromkeys(("b", "strong", "em", "i", "u"), _STRONG),
    "a": _LINK,
    "img": _IMAGE,
    "br": _BREAK,
}


@dataclass(frozen=True, slots=True)
class Segments:
    """Lines and blocks of a page; ``n`` lines, ``m`` blocks, block 0 is the root.

    :param texts: the lines, white space collapsed, none empty.
    :param links: characters of each line inside links.
    :param strong: characters of each line inside emphasis.
    :param block: the innermost block of each line.
    :param joined: True where only one ``<br>`` parts the line from the one before it.
    :param hidden: True where an ancestor is marked as hidden.
    :param elements: the blocks' elements, in document order.
    :param tags: the tags of the blocks.
    :param parent: the block around each block; -1 for the root.
    :param depth: how many blocks are around each block.
    :param first: the first line of each block, and ``last`` the one after its last.
    :param names: class, id and similar attributes of each block, in lower case.
    :param images: how many images stand before each line, from the start of the page; one more at the end.
    """

    texts: Sequence[str]
    links: NDArray[np.int32]
    strong: NDArray[np.int32]
    block: NDArray[np.int32]
    joined: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    elements: Sequence[Element]
    tags: Sequence[str]
    parent: NDArray[np.int32]
    depth: NDArray[np.int32]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    names: Sequence[str]
    images: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.texts)


class _Walk:
    """The state of the walk: the line being put together and the blocks that are open."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.links: list[int] = []
        self.strong: list[int] = []
        self.block: list[int] = []
        self.joined: list[bool] = []
        self.hidden: list[bool] = []
        self.images_before: list[int] = []
        self.elements: list[Element] = []
        self.tags: list[str] = []
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.names: list[str] = []
        self.images = 0
        self._pieces: list[str] = []
        self._linked: list[str] = []
        self._stressed: list[str] = []
        self._open: list[int] = []
        self._in_hidden = 0
        self._breaks = 2  # since the last line; 2 and more part paragraphs

    def run(self, root: Element) -> None:  # noqa: PLR0912
        """Meet every element; the loop is written out because all pages pay for it."""
        in_link = in_strong = 0
        pieces, linked, stressed = self._pieces, self._linked, self._stressed
        self._enter(root)
        walker = etree.iterwalk(root, events=_EVENTS)
        for event, element in walker:
            kind = _KIND.get(element.tag, _INLINE)
            if event == "start":
                if kind == _UNSEEN:
                    walker.skip_subtree()
                    continue
                if kind == _BLOCK:
                    if element is not root:
                        self._enter(element)
                elif kind == _LINK:
                    in_link += 1
                elif kind == _STRONG:
                    in_strong += 1
                elif kind == _IMAGE:
                    self.images += 1
                text = element.text
            elif element is root:
                continue
            else:
                if event != "end":
                    pass  # a comment: only the text after it counts
                elif kind == _BLOCK:
                    self._leave()
                elif kind == _LINK:
                    in_link -= 1
                elif kind == _STRONG:
                    in_strong -= 1
                elif kind == _BREAK:
                    self._flush()
                    self._breaks += 1
                text = element.tail
            if text and (pieces or not text.isspace()):
                pieces.append(text)
                if in_link:
                    linked.append(text)
                if in_strong:
                    stressed.append(text)
        self._leave()

    def _enter(self, element: Element) -> None:
        self._flush()
        self._breaks = 2
        number, names, hidden = len(self.elements), [], self._in_hidden > 0
        for name, value in element.items():
            if name in _NAMING:
                names.append(value)
            elif name == "hidden" or (name == "style" and is_hiding(value)):
                hidden = True
        self.elements.append(element)
        self.tags.append(element.tag)
        self.names.append(" ".join(names))
        self.parent.append(self._open[-1] if self._open else -1)
        self.depth.append(len(self._open))
        self.first.append(len(self.texts))
        self.last.append(0)
        self._open.append(number)
        self._in_hidden += hidden

    def _leave(self) -> None:
        self._flush()
        self._breaks = 2
        self.last[self._open.pop()] = len(self.texts)
        if self._in_hidden:
            self._in_hidden -= 1

    def _flush(self) -> None:
        if not self._pieces:
            return
        text = one_line("".join(self._pieces))
        self._pieces.clear()
        if text:
            self.texts.append(text)
            self.links.append(_length(self._linked, text))
            self.strong.append(_length(self._stressed, text))
            self.block.append(self._open[-1])
            self.joined.append(self._breaks < 2)
            self.hidden.append(self._in_hidden > 0)
            self.images_before.append(self.images)
            self._breaks = 0
        self._linked.clear()
        self._stressed.clear()


def _length(pieces: Sequence[str], text: str) -> int:
    """How much of a line some of its pieces are, in characters."""
    return min(len(text), len(one_line("".join(pieces)))) if pieces else 0


def read_segments(tree: Element) -> Segments:
    """The lines and blocks of a page.

    >>> from lxml import html
    >>> page = html.fromstring("<div id=x><p>One <a>two</a></p>three<br>four<br><br>five</div>")
    >>> found = read_segments(page)
    >>> found.texts, found.links.tolist(), found.joined.tolist()
    (['One two', 'three', 'four', 'five'], [3, 0, 0, 0], [False, False, True, False])
    >>> [element.tag for element in found.elements], found.block.tolist(), found.last.tolist()
    (['div', 'p'], [1, 0, 0, 0], [4, 1])
    """
    walk = _Walk()
    walk.run(tree)
    return Segments(
        texts=walk.texts,
        links=np.array(walk.links, np.int32),
        strong=np.array(walk.strong, np.int32),
        block=np.array(walk.block, np.int32),
        joined=np.array(walk.joined, np.bool_),
        hidden=np.array(walk.hidden, np.bool_),
        elements=walk.elements,
        tags=walk.tags,
        parent=np.array(walk.parent, np.int32),
        depth=np.array(walk.depth, np.int32),
        first=np.array(walk.first, np.int32),
        last=np.array(walk.last, np.int32),
        names=walk.names,
        images=np.array([*walk.images_before, walk.images], np.int32),
    )
