"""The text blocks of a page as seed 001 defines them: the text between the tags of a container, blocks within blocks.

::

    tree ──read_segments──> lines ──┐
      └──depth first, leaves first──┴──> TextBlocks: which lines each container holds, its place, the tags inside it

Preprocessing (1.1): comments, scripts, styles, form controls and whatever else shows no text are not walked into; the
paper cuts them out of the source with regular expressions. What remains are the nodes that formula (5) counts.

Traversal (1.2): depth first, a container is put into the queue when all in it has been visited: the innermost ones come
first and ``body`` is none. A container without text makes no block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from newsmon.extraction.elements import BLOCKS, INVISIBLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsmon.extraction.elements import Element
    from newsmon.extraction.segments import Segments

_NO_CONTAINERS = frozenset("html body h1 h2 h3 h4 h5 h6 hgroup hr legend option".split())
CONTAINERS = BLOCKS - _NO_CONTAINERS
"""Tags that bound a text block: ``div ul ol li table tr td p section article dl`` and their like."""

DECORATIONS = frozenset("b strong i em u s mark big font h1 h2 h3 h4 h5 h6".split())
"""Tags that decorate text, for formula (4)."""


@dataclass(frozen=True, slots=True)
class TextBlocks:
    """The blocks of a page in the order of the queue, arrays of shape (n,).

    :param first: first line of the block, as :class:`~newsmon.extraction.segments.Segments` numbers them.
    :param last: the line after its last.
    :param ordinal: NS, the place of the container among the nodes of the page in document order, from 1.
    :param tags: ALC, elements inside the block.
    :param decorations: LC, those of them that decorate text.
    :param nodes: ANS, elements of the page after preprocessing.
    """

    first: NDArray[np.int32]
    last: NDArray[np.int32]
    ordinal: NDArray[np.int32]
    tags: NDArray[np.int32]
    decorations: NDArray[np.int32]
    nodes: int

    def __len__(self) -> int:
        return len(self.first)


def read_blocks(tree: Element, segments: Segments) -> TextBlocks:
    """The text blocks of a page.

    :param segments: the lines of the same tree.

    >>> from lxml import html
    >>> from newsmon.extraction.segments import read_segments
    >>> page = html.document_fromstring("<div><ul><li>One<li><b>Two</b></ul><p>Three</div><div></div>")
    >>> blocks = read_blocks(page, read_segments(page))
    >>> [range(*lines) for lines in zip(blocks.first, blocks.last)]  # li, li, ul, p, div
    [range(0, 1), range(1, 2), range(0, 2), range(2, 3), range(0, 3)]
    >>> blocks.ordinal.tolist(), blocks.tags.tolist(), blocks.decorations.tolist(), blocks.nodes
    ([5, 6, 4, 8, 3], [0, 1, 3, 0, 5], [0, 1, 1, 0, 1], 9)
    """
    number = {element: at for at, element in enumerate(segments.elements)}
    nodes = decorations = 0
    opened: list[tuple[int, int]] = []
    rows: list[tuple[int, int, int, int]] = []
    walker = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walker:
        tag = element.tag
        if event == "start":
            if tag in INVISIBLE:
                walker.skip_subtree()
                continue
            nodes += 1
            decorations += tag in DECORATIONS
            if tag in CONTAINERS:
                opened.append((nodes, decorations))
        elif tag in CONTAINERS:
            ordinal, before = opened.pop()
            rows.append((number[element], ordinal, nodes - ordinal, decorations - before))
    block, place, tags, inside = np.array(rows, np.int32).reshape(-1, 4).T
    first, last = segments.first[block], segments.last[block]
    filled = last > first
    return TextBlocks(first[filled], last[filled], place[filled], tags[filled], inside[filled], nodes)
