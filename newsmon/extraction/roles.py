"""What the paragraphs of a page are: headings, list items, quotes, rows of tables, code, captions.

The innermost of the elements around a paragraph that says what it is decides: a heading in a list item is a heading,
a ``<p>`` in a quote is a quote. Two containers are looked into first, because sites lay out whole pages with them:

* a table is a table of data when it has several rows and columns and no cell holds blocks of its own (lists, headings,
  tables, several paragraphs); its rows are then one paragraph each, ``cell | cell | cell``;
* a list item that holds three ``<p>`` and more is a place for text, not an item.

:class:`Places` and :func:`role_of` tell what the text in an element is; :func:`assemble` makes the paragraphs.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from newsmon.extraction.elements import Element, is_hidden
from newsmon.model import Paragraph, Role
from newsmon.rows import join_cells
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEEPEST_LIST = 16
"""List items deeper than this count as this deep."""

_ROLES = {
    **{f"h{level}": (Role.HEADING, level) for level in range(1, 7)},
    "blockquote": (Role.QUOTE, 0),
    "q": (Role.QUOTE, 0),
    "pre": (Role.CODE, 0),
    "figcaption": (Role.CAPTION, 0),
    "caption": (Role.CAPTION, 0),
}
STRUCTURAL = frozenset((*_ROLES, "li", "table", "tr", "td", "th"))
"""Elements that may change what the text in them is."""

_LAYOUT = "table ul ol dl h1 h2 h3 h4 h5 h6 section article aside form blockquote figure pre".split()
_IN_TABLES = ("tr", "td", "th", "p", "br", *_LAYOUT)
_MOST_BREAKS = 3  # line breaks in a cell of data
_MOST_PARAGRAPHS = 2  # <p> in an item of a list


class Place(NamedTuple):
    """What the text at some point of a page is.

    :param depth: list items around it.
    :param in_table: True in a table of data.
    :param unit: the element whose pieces of text are one paragraph: a row or a heading.
    :param cell: the cell of the row.
    """

    role: Role = Role.PARAGRAPH
    level: int = 0
    depth: int = 0
    in_table: bool = False
    unit: Element | None = None
    cell: Element | None = None


PLAIN = Place()


def enter(place: Place, element: Element) -> Place:
    """What the text in an element is, from what the text around it is."""
    tag = element.tag
    if tag not in STRUCTURAL:
        return place
    if place.in_table and tag in ("tr", "td", "th"):
        return _in_row(place, element)
    if place.role is Role.ROW:  # a table of data holds no other structure
        return place
    if tag in _ROLES:
        role, level = _ROLES[tag]
        return Place(role, level, place.depth, place.in_table, element if role is Role.HEADING else None)
    if tag == "li" and not _is_filled(element):
        depth = min(place.depth + 1, DEEPEST_LIST)
        return Place(Role.ITEM, depth, depth)
    return place._replace(in_table=True) if tag == "table" and is_data(element) else place


def _in_row(place: Place, element: Element) -> Place:
    if element.tag == "tr":
        return Place(Role.ROW, 0, place.depth, in_table=True, unit=element)
    return place._replace(cell=element)


def _is_filled(item: Element) -> bool:
    """True for a list item that holds text of its own making; looks no further than the next item."""
    paragraphs = 0
    for element in item.iter("p", "li"):
        if element.tag == "p":
            paragraphs += 1
            if paragraphs > _MOST_PARAGRAPHS:
                return True
        elif element is not item:
            return False
    return False


def is_data(table: Element) -> bool:
    """True for a table of data, False for one that lays out a page; looks no further than the next table.

    >>> from lxml import html
    >>> is_data(html.fromstring("<table><tr><th>Year<th>Sum<tr><td><p>2024</p><td>7</table>"))
    True
    >>> is_data(html.fromstring("<table><tr><td>Menu<td><p>One</p><p>Two</p><tr><td>a<td>b</table>"))
    False
    """
    rows = columns = widest = paragraphs = breaks = 0
    for element in table.iter(_IN_TABLES):
        tag = element.tag
        if tag == "tr":
            rows, columns = rows + 1, 0
        elif tag in ("td", "th"):
            columns, paragraphs, breaks = columns + 1, 0, 0
            widest = max(widest, columns)
        elif tag == "p":
            paragraphs += 1
        elif tag == "br":
            breaks += 1
        elif element is not table:
            return False
        if paragraphs > 1 or breaks > _MOST_BREAKS:
            return False
    return rows > 1 and widest > 1


class Places:
    """The places of elements of one page, each ancestor looked at once."""

    def __init__(self) -> None:
        self._known: dict[Element, Place] = {}

    def of(self, element: Element | None) -> Place:
        """What text directly in an element is; outside of every element it is plain."""
        path = []
        while element is not None and element not in self._known:
            path.append(element)
            element = element.getparent()
        place = PLAIN if element is None else self._known[element]
        for inner in reversed(path):
            place = self._known[inner] = enter(place, inner)
        return place


def role_of(element: Element) -> tuple[Role, int]:
    """What text directly in an element is, and its level, by the element and those around it.

    >>> from lxml import html
    >>> role_of(html.fromstring("<ul><li><ul><li><p>deep</p></ul></ul>").find(".//p"))
    (<Role.ITEM: 'item'>, 2)
    """
    place = Places().of(element)
    return place.role, place.level


def assemble(pieces: Iterable[tuple[str, Place]]) -> Iterator[Paragraph]:
    """Clean pieces of text in the order of the page to paragraphs: the cells of a row become one."""
    for unit, group in groupby(pieces, key=_unit):
        if unit is None:
            for text, place in group:
                yield Paragraph(text, place.role, place.level)
        elif unit.tag == "tr":
            yield Paragraph(_row(unit, group), Role.ROW)
        else:
            texts, places = zip(*group, strict=True)
            yield Paragraph(one_line(" ".join(texts)), Role.HEADING, places[0].level)


def _unit(piece: tuple[str, Place]) -> Element | None:
    return piece[1].unit


def _row(row: Element, pieces: Iterable[tuple[str, Place]]) -> str:
    texts: dict[Element | None, list[str]] = {cell: [] for cell in row.iterchildren("td", "th") if not is_hidden(cell)}
    for text, place in pieces:
        texts.setdefault(place.cell, []).append(text)
    cells = [" ".join(cell) for cell in texts.values()]
    while not cells[-1]:
        cells.pop()
    return join_cells(cells)
