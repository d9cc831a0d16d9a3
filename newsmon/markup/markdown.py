"""Markdown: CommonMark 0.31, tables as GitHub writes them (GFM), metadata as YAML front matter.

Neighbours of one kind are written together: items as one list, rows as one table whose head is its first row, pieces of
code with empty lines between them. Captions are emphasised. Line breaks in a paragraph are hard line breaks.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

import yaml

from newsmon.markup.source import known_of, paragraphs_of
from newsmon.model import Paragraph, Role
from newsmon.rows import split_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsmon.markup.source import Source

_INLINE = re.compile(r"[\\`*_\[\]<~]|&(?=#?\w{1,32};)")
_AT_START = re.compile(r"[-+#>=|]|:(?=-)")  # a list, a heading, a quote, the line under a heading or a table's head
_NUMBERED = re.compile(r"^([0-9]{1,9})(?=[.)](?:\s|$))")
_BACKTICKS = re.compile("`+")


def as_markdown(source: Source, *, title: str | None = None, url: str | None = None, meta: bool = True) -> str:
    """An article as Markdown; ends with a line break unless it is empty.

    :param source: an extract, a stored article, or paragraphs.
    :param title: the heading above the text instead of the article's own title; an empty one leaves it out.
    :param url: address for the front matter, where the article does not know its own.
    :param meta: begin with what is known of the article, as YAML front matter.
    """
    known = known_of(source, title=title, url=url)
    paragraphs = list(paragraphs_of(source))
    shown = known.get("title")
    if shown and not (paragraphs and paragraphs[0].role is Role.HEADING and paragraphs[0].text == shown):
        paragraphs.insert(0, Paragraph(shown, Role.HEADING, 1))
    blocks = [_WRITERS[role](list(group)) for role, group in groupby(paragraphs, key=_role)]
    if meta and known:
        blocks.insert(0, f"---\n{yaml.safe_dump(known, allow_unicode=True, sort_keys=False, width=1 << 30)}---")
    return "\n\n".join(blocks) + "\n" if blocks else ""


def escape(text: str) -> str:
    """One line of text, safe within a line of Markdown.

    >>> escape("<b> & &lt; [1] *")
    '\\\\<b> & \\\\&lt; \\\\[1\\\\] \\\\*'
    """
    return _INLINE.sub(r"\\\g<0>", text)


def _role(paragraph: Paragraph) -> Role:
    return paragraph.role


def _lines(text: str, indent: str) -> str:
    """The lines of a paragraph, safe at the beginning of lines; all but the first behind an indent."""
    return f"\\\n{indent}".join(map(_line, text.split("\n")))


def _line(text: str) -> str:
    safe = escape(text)
    return f"\\{safe}" if _AT_START.match(safe) else _NUMBERED.sub(r"\1\\", safe)


def _plain(paragraphs: Iterable[Paragraph]) -> str:
    return "\n\n".join(_lines(paragraph.text, "") for paragraph in paragraphs)


def _headings(paragraphs: Iterable[Paragraph]) -> str:
    return "\n\n".join(f"{'#' * paragraph.level} {_heading(paragraph.text)}" for paragraph in paragraphs)


def _heading(text: str) -> str:
    """Signs at the end would be taken for the closing sequence of the heading."""
    safe = escape(text)
    content = safe.rstrip("#")
    return content + r"\#" * (len(safe) - len(content))


def _items(paragraphs: Iterable[Paragraph]) -> str:
    return "\n".join(_list_lines(paragraphs))


def _list_lines(paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    """Items two spaces further in than the list around them; lists without an item of their own stand in one line."""
    depth = 0
    for paragraph in paragraphs:
        around = min(depth, paragraph.level - 1)
        depth = paragraph.level
        yield f"{'  ' * around}{'- ' * (depth - around)}{_lines(paragraph.text, '  ' * depth)}"


def _quotes(paragraphs: Iterable[Paragraph]) -> str:
    return "\n>\n".join(f"> {_lines(paragraph.text, '> ')}" for paragraph in paragraphs)


def _captions(paragraphs: Iterable[Paragraph]) -> str:
    return "\n\n".join("*" + "\\\n".join(map(_line, paragraph.text.split("\n"))) + "*" for paragraph in paragraphs)


def _code(paragraphs: Iterable[Paragraph]) -> str:
    text = "\n\n".join(paragraph.text for paragraph in paragraphs)
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def _table(paragraphs: Iterable[Paragraph]) -> str:
    """Rows of a table; only its head has as many cells as the longest row, as readers fill up the others."""
    head, *rows = [split_cells(paragraph.text) for paragraph in paragraphs]
    width = max(map(len, (head, *rows)))
    head += [""] * (width - len(head))
    return "\n".join(map(_table_line, (head, ["---"] * width, *rows)))


def _table_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(escape(cell).replace('|', chr(92) + '|') for cell in cells)} |"


_WRITERS: dict[Role, Callable[[Iterable[Paragraph]], str]] = {
    Role.PARAGRAPH: _plain,
    Role.HEADING: _headings,
    Role.ITEM: _items,
    Role.QUOTE: _quotes,
    Role.ROW: _table,
    Role.CODE: _code,
    Role.CAPTION: _captions,
}
