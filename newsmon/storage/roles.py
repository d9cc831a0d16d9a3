"""The roles of an article's paragraphs beside its text: a list of short names, as long as the text has paragraphs.

``["p", "h2", "p", "li", "li2", "quote", "row", "code", "caption"]``: a heading of level 2, an item of a list in a list.
NULL stands for a text of plain paragraphs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newsmon.model import Paragraph, Role
from newsmon.storage.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

BETWEEN = "\n\n"
_NAMES = {
    Role.PARAGRAPH: "p",
    Role.HEADING: "h",
    Role.ITEM: "li",
    Role.QUOTE: "quote",
    Role.ROW: "row",
    Role.CODE: "code",
    Role.CAPTION: "caption",
}
_ROLES = {name: role for role, name in _NAMES.items()}
_NAME = re.compile(r"([a-z]+)([0-9]*)")


def pack_roles(paragraphs: Iterable[Paragraph], text: str) -> list[str] | None:
    """The names of the paragraphs' roles; None when all are plain, or when they are not the paragraphs of the text.

    :param text: the text as it is stored, that is clean.

    >>> pack_roles([Paragraph("a", Role.HEADING, 2), Paragraph("b"), Paragraph("c", Role.ITEM, 1)], "a\\n\\nb\\n\\nc")
    ['h2', 'p', 'li']
    """
    found = list(paragraphs)
    if all(paragraph.role is Role.PARAGRAPH for paragraph in found):
        return None
    if [clean(paragraph.text) for paragraph in found] != text.split(BETWEEN):
        return None
    return [_name(paragraph) for paragraph in found]


def unpack_paragraphs(text: str, names: list[str] | None) -> tuple[Paragraph, ...]:
    """The paragraphs of a stored text.

    >>> unpack_paragraphs("a\\n\\nb", ["h2", "p"])[0]
    Paragraph(text='a', role=<Role.HEADING: 'heading'>, level=2)
    """
    texts = text.split(BETWEEN)
    if names is None or len(names) != len(texts):
        return tuple(Paragraph(line) for part in texts if (line := part.strip("\n")))
    return tuple(_paragraph(part, name) for part, name in zip(texts, names, strict=True))


def _name(paragraph: Paragraph) -> str:
    level = paragraph.level if paragraph.role is Role.HEADING or paragraph.level > 1 else ""
    return f"{_NAMES[paragraph.role]}{level}"


def _paragraph(text: str, name: str) -> Paragraph:
    """A paragraph; a role that a newer newsmon has written is plain."""
    parts = _NAME.fullmatch(name)
    role = _ROLES.get(parts[1]) if parts else None
    if parts is None or role is None:
        return Paragraph(text)
    return Paragraph(text, role, int(parts[2] or role is Role.ITEM))
