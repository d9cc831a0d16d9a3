"""XML: a small vocabulary without a namespace.

.. code-block:: xml

    <article>
      <head>                         what is known, each once; author and tag as often as needed
        <url/> <site/> <canonical-url/> <title/> <summary/> <author/> <published/> <modified/> <language/> <image/>
        <section/> <tag/> <paywalled/> <kind/> <method/> <rule-version/> <confidence/> <reason/> <fetched-at/>
      </head>
      <body>                         in the order of the text
        <heading level="2">...</heading>       1 to 6
        <p>...</p>
        <list><item>...<list>...</list></item></list>     a list in an item follows the item's own text
        <quote>...</quote>
        <table><row><cell>...</cell></row></table>
        <code>...</code>
        <caption>...</caption>
      </body>
    </article>

A line break in a text is a line break of the article. No white space is added anywhere.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from lxml import etree

from newsmon.markup.source import known_of, paragraphs_of
from newsmon.model import Paragraph, Role
from newsmon.rows import join_cells, split_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newsmon.markup.source import Source

_ONE_OF = {"authors": "author", "tags": "tag"}
_TAGS = {
    Role.PARAGRAPH: "p",
    Role.HEADING: "heading",
    Role.QUOTE: "quote",
    Role.CODE: "code",
    Role.CAPTION: "caption",
}
_ROLES = {tag: role for role, tag in _TAGS.items()}


def as_xml(source: Source, *, title: str | None = None, url: str | None = None, meta: bool = True) -> bytes:
    """An article as an XML document in UTF-8.

    :param source: an extract, a stored article, or paragraphs.
    :param title: instead of the article's own; an empty one leaves it out.
    :param url: address for the head, where the article does not know its own.
    :param meta: False leaves the head empty but for the title.
    """
    root = etree.Element("article")
    head = etree.SubElement(root, "head")
    for name, value in known_of(source, title=title, url=url).items():
        if meta or name == "title":
            _add_known(head, name, value)
    add_body(root, source)
    document: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def read_xml(document: bytes) -> list[Paragraph]:
    """The paragraphs of a document that :func:`as_xml` wrote.

    :raises ValueError: when it is no such document.
    """
    try:
        root = etree.fromstring(document, _parser())
    except etree.XMLSyntaxError as error:
        raise ValueError(f"no XML: {error}") from error
    body = root.find("body")
    if body is None:
        raise ValueError("the document has no <body>")
    return read_body(body)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)


def read_body(body: etree._Element) -> list[Paragraph]:
    """The paragraphs of a ``<body>``, whatever its namespace."""
    return [paragraph for element in body for paragraph in _read(element)]


def add_body(parent: etree._Element, source: Source, namespace: str = "") -> None:
    """Add the ``<body>`` of an article to an element, with its elements in a namespace."""
    prefix = f"{{{namespace}}}" if namespace else ""
    body = etree.SubElement(parent, f"{prefix}body")
    for role, group in groupby(paragraphs_of(source), key=_role):
        if role is Role.ITEM:
            _add_list(body, group, prefix)
        elif role is Role.ROW:
            _add_table(body, group, prefix)
        else:
            for paragraph in group:
                element = _add(body, prefix + _TAGS[role], paragraph.text)
                if role is Role.HEADING:
                    element.set("level", str(paragraph.level))


def _role(paragraph: Paragraph) -> Role:
    return paragraph.role


def _add(parent: etree._Element, tag: str, text: str | None = None) -> etree._Element:
    element = etree.SubElement(parent, tag)
    element.text = text
    return element


def _add_known(head: etree._Element, name: str, value: Any) -> None:
    if isinstance(value, list):
        for text in value:
            _add(head, _ONE_OF[name], text)
    else:
        _add(head, name.replace("_", "-"), str(value).lower() if isinstance(value, bool) else str(value))


def _add_list(body: etree._Element, items: Iterable[Paragraph], prefix: str) -> None:
    """Nest items by their levels; a list that is alone in its item leaves the item's text empty."""
    lists: list[etree._Element] = []
    for paragraph in items:
        del lists[paragraph.level :]
        while len(lists) < paragraph.level:
            inner = lists[-1] if lists else body
            if lists:
                inner = inner[-1] if len(inner) else _add(inner, f"{prefix}item")
            lists.append(_add(inner, f"{prefix}list"))
        _add(lists[-1], f"{prefix}item", paragraph.text)


def _add_table(body: etree._Element, rows: Iterable[Paragraph], prefix: str) -> None:
    table = _add(body, f"{prefix}table")
    for paragraph in rows:
        row = _add(table, f"{prefix}row")
        for cell in split_cells(paragraph.text):
            _add(row, f"{prefix}cell", cell)


def _read(element: etree._Element) -> Iterator[Paragraph]:
    tag = etree.QName(element).localname
    if tag == "list":
        yield from _read_list(element, 1)
    elif tag == "table":
        for row in element:
            yield Paragraph(join_cells(cell.text or "" for cell in row), Role.ROW)
    elif tag in _ROLES:
        yield Paragraph(element.text or "", _ROLES[tag], int(element.get("level") or 0))


def _read_list(element: etree._Element, level: int) -> Iterator[Paragraph]:
    for item in element:
        if item.text:
            yield Paragraph(item.text, Role.ITEM, level)
        for inner in item:
            yield from _read_list(inner, level + 1)
