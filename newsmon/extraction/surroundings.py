"""What stands around the headline of a page: the lines in which readers find the author and the date.

Only this neighbourhood is read: a few lines before the headline, and what follows it until the text is under way. A
line is a run of pieces between two borders of block elements; a piece is a run of text inside one element, so that
"By", the name and the date can be told apart where they stand in boxes of their own.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from newsmon.extraction.elements import BLOCKS, INVISIBLE, Element, is_hidden
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LINES_AFTER = 40
LINES_BEFORE = 8
PROSE = 160
"""Characters from which a line is text of the article; signs of Chinese and Japanese count threefold."""

_UNSEEN = INVISIBLE | {"title", "figcaption"}
_PROSE_LINES = 2
_MOST_TEXTS = 1500
_TEXTS_OF_A_PAGE = 10_000
_MOST_PIECES = 40
_LEVELS = 4
_SIBLINGS = 6
_SMALL = 80
_LINES_TOP = 150
_MARKS = ("class", "itemprop", "rel", "id", "data-testid", "href")
_MARK_LEVELS = 3


class Piece(NamedTuple):
    """Text as it stands inside one element."""

    text: str
    element: Element


class Line(NamedTuple):
    """Pieces that readers see on one line, and the line."""

    pieces: Sequence[Piece]
    text: str


class Surroundings(NamedTuple):
    """Lines before the headline, the nearest first, and lines after it in reading order.

    :param heading: False when no headline was found and these are the first lines of the text.
    """

    before: Sequence[Line]
    after: Sequence[Line]
    heading: bool = True


def surroundings(heading: Element) -> Surroundings:
    """The neighbourhood of a heading; bounded whatever the page holds."""
    return Surroundings(_before(heading), [*_until_text(_lines(_following(heading)))])


def top(root: Element) -> Surroundings:
    """The neighbourhood of the first text of a page that has no heading."""
    found = [*islice(lines(root), _LINES_TOP)]
    start = next((at for at, line in enumerate(found) if _weight(line.text) >= PROSE), LINES_BEFORE)
    return Surroundings((), found[max(0, start - LINES_BEFORE) : start + 1], heading=False)


def lines(root: Element) -> Iterator[Line]:
    """The lines of a page from its beginning, not all of a long one."""
    return _lines(iter(root), _TEXTS_OF_A_PAGE)


def marks(element: Element) -> str:
    """What the element and the boxes around it are called: class, itemprop, rel, id and address, in lower case."""
    found: list[str] = []
    around: Element | None = element
    for _ in range(_MARK_LEVELS):
        if around is None or around.tag in ("body", "main", "article"):
            break
        found.extend(value for name in _MARKS if (value := around.get(name)))
        around = around.getparent()
    return " ".join(found).lower()[:600]


def _weight(text: str) -> int:
    """Length of a text for :data:`PROSE`."""
    return len(text) if text.isascii() else len(text) + 2 * sum("\u3040" <= sign <= "\u9fff" for sign in text[:PROSE])


def _until_text(lines: Iterable[Line]) -> Iterator[Line]:
    prose = 0
    for line in islice(lines, LINES_AFTER):
        yield line
        prose += _weight(line.text) >= PROSE
        if prose >= _PROSE_LINES:
            return


def _following(heading: Element) -> Iterator[Element]:
    """Everything after an element in document order, as the outermost elements."""
    node: Element | None = heading
    while node is not None and node.tag != "body":
        yield from node.itersiblings()
        node = node.getparent()


def _before(heading: Element) -> list[Line]:
    """The last lines in front of a heading, small neighbours only: menus are large."""
    found: list[Line] = []
    node: Element | None = heading
    for _ in range(_LEVELS):
        if node is None or node.tag == "body":
            break
        for sibling in islice(node.itersiblings(preceding=True), _SIBLINGS):
            if isinstance(sibling.tag, str) and sum(1 for _ in islice(sibling.iter(), _SMALL + 1)) <= _SMALL:
                found.extend([*_lines(iter((sibling,)))][::-1])
        if len(found) >= LINES_BEFORE:
            break
        node = node.getparent()
    return found[:LINES_BEFORE]


def _lines(roots: Iterator[Element], most: int = _MOST_TEXTS) -> Iterator[Line]:
    pieces: list[Piece] = []
    texts = (found for root in roots for found in _texts(root))
    for breaks, text, element in islice(texts, most):
        if breaks and pieces:
            yield _line(pieces)
            pieces.clear()
        if text and len(pieces) < _MOST_PIECES and not text.isspace():
            pieces.append(Piece(text, element))
    if pieces:
        yield _line(pieces)


def _line(pieces: Sequence[Piece]) -> Line:
    return Line(tuple(pieces), one_line(" ".join(piece.text for piece in pieces)))


def _texts(root: Element) -> Iterator[tuple[bool, str | None, Element]]:
    """Each text of a tree with the element it stands in, and True where a line ends before it."""
    if not isinstance(root.tag, str):
        yield False, root.tail, root.getparent()
        return
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            if element.tag in _UNSEEN or is_hidden(element):
                walker.skip_subtree()
            else:
                yield element.tag in BLOCKS or element.tag == "br", element.text, element
        else:
            yield event == "end" and element.tag in BLOCKS, element.tail, element.getparent()
