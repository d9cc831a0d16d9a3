"""The text of a page that a script will show: HTML in the JSON that an application is started with.

Sites built with Next.js, Nuxt and the like may send an article as a string of their state (``__NEXT_DATA__``,
``self.__next_f.push``), and no element holds it before the script has run. The string is found by what it is, a long
one with several paragraphs of HTML, and not by the names of frameworks.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from lxml import etree, html

from newsmon.extraction.text import SHORT, paragraphs, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsmon.extraction.elements import Element
    from newsmon.model import Paragraph

_LITERAL = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)', re.DOTALL)  # one without an end is not tried again
_PARAGRAPH = re.compile(r"<p[\s>]", re.IGNORECASE)
_ESCAPED = re.compile(r"(?:\\u003c|<)p\b", re.IGNORECASE)
_LEAST_PARAGRAPHS = 3
_PLACEHOLDER = re.compile(r"(?:\$\$|\{\{|\[\[|%%)[^\n]{0,100}(?:\$\$|\}\}|\]\]|%%)")
_LONGEST = 2**20  # characters of a string
_MOST_TAGS = 10_000  # of a string; escaped ones are not counted by Page.risk
_MOST_TRIED = 8  # strings made to elements
_LEVELS = 2  # JSON may hold JSON


def embedded_text(tree: Element) -> list[Paragraph]:
    """The paragraphs of the first string that is about as long as the longest; ``[]`` when no script holds a text.

    >>> page = html.fromstring('<script>load({"body": "' + "<p>One more line of the story.</p>" * 30 + '"})</script>')
    >>> len(embedded_text(page))
    30
    """
    found: list[tuple[int, list[Paragraph]]] = []
    for markup in _articles(tree):
        text = _paragraphs(markup)
        found.append((sum(size(paragraph.text) for paragraph in text), text))
        if len(found) == _MOST_TRIED:
            break
    longest = max((length for length, _ in found), default=0)
    return next((text for length, text in found if length >= SHORT and 2 * length >= longest), [])


def _articles(tree: Element) -> Iterator[str]:
    for script in tree.iter("script"):
        if script.text and _ESCAPED.search(script.text):
            yield from _strings(script.text, _LEVELS)


def _strings(source: str, levels: int) -> Iterator[str]:
    """The strings with paragraphs of HTML in a JSON text or a script."""
    for match in _LITERAL.finditer(source):
        if not SHORT <= len(match[1]) <= _LONGEST or not _ESCAPED.search(match[1]):
            continue
        try:
            text = json.loads(match[0], strict=False)
        except ValueError:
            continue
        if levels > 1 and '"' in text and "\\" in text:
            yield from _strings(text, levels - 1)
        if len(_PARAGRAPH.findall(text)) >= _LEAST_PARAGRAPHS and text.count("<") <= _MOST_TAGS:
            yield text


def _paragraphs(markup: str) -> list[Paragraph]:
    """The paragraphs of HTML without captions and without marks for what the script puts in."""
    try:
        root = html.fragment_fromstring(markup, create_parent="div")
    except (etree.LxmlError, ValueError):
        return []
    captions = {element for element in root.iter("figure", "div", "p", "span") if _is_caption(element)}
    return [found for found in paragraphs([root], stripped=captions) if not _PLACEHOLDER.fullmatch(found.text)]


def _is_caption(element: Element) -> bool:
    return element.tag == "figure" or "caption" in (element.get("class") or "").lower()
