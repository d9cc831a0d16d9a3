"""Kinds of HTML elements: which bound a paragraph, and which a reader never sees."""

from __future__ import annotations

import re
from typing import TypeAlias

from lxml import html

Element: TypeAlias = html.HtmlElement

_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section summary
    table tbody td tfoot th thead tr ul
"""
_INVISIBLE_NAMES = """
    script style noscript template iframe noframes svg canvas video audio object embed applet map title
    button select textarea input datalist
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Elements that begin and end a paragraph."""

INVISIBLE = frozenset(_INVISIBLE_NAMES.split())
"""Elements that show no text of the page."""

_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def is_hidden(element: Element) -> bool:
    """True when the element itself says that it is not shown.

    >>> is_hidden(html.fromstring("<p style='color: red; display:none'>x</p>"))
    True
    """
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    return style is not None and is_hiding(style)


def is_hiding(style: str) -> bool:
    """True for a ``style`` attribute that hides its element."""
    return _HIDDEN_STYLE.search(style) is not None
