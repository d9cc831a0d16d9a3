"""The text an article's page states for machines: ``articleBody`` of JSON-LD or microdata.

It stands in where no rule gives a text. Publishers also put teasers there, so a short one counts only when the page
shows no longer text of its own.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from lxml import html

from newsmon.extraction.text import SHORT, TINY, paragraphs, size
from newsmon.model import Paragraph
from newsmon.text import one_line

if TYPE_CHECKING:
    from newsmon.extraction.sources import Sources

_MARKUP = re.compile(r"</?(?:p|br|div|h[1-6]|ul|li|b|i|a|em|strong|span|figure|img)\b[^<>]*>", re.IGNORECASE)
_TEASER_RATIO = 3


def stated_text(sources: Sources) -> tuple[list[Paragraph], str]:
    """The paragraphs and who stated them, ``json-ld`` or ``microdata``; ``[]`` and ``none`` without a full text."""
    for origin, read in (("json-ld", _json_ld), ("microdata", _microdata)):
        found = read(sources)
        if _is_full("".join(paragraph.text for paragraph in found), sources):
            return found, origin
    return [], "none"


def _json_ld(sources: Sources) -> list[Paragraph]:
    return [paragraph for value in sources.json_ld.get("text", [])[:1] for paragraph in _paragraphs(value)]


def _microdata(sources: Sources) -> list[Paragraph]:
    return paragraphs(sources.article_body)


def _is_full(text: str, sources: Sources) -> bool:
    summary = max(map(len, sources.json_ld.get("summary", ())), default=0)
    if size(text) < max(TINY, summary + 1):
        return False
    return size(text) >= SHORT or sources.prose < _TEASER_RATIO * size(text)


def _paragraphs(value: str) -> list[Paragraph]:
    """Paragraphs of an articleBody: plain text with line breaks, or HTML with or without its signs escaped."""
    text = unescape(value) if "&" in value else value
    if _MARKUP.search(text):
        return paragraphs([html.fragment_fromstring(text, create_parent="div")])
    return [Paragraph(line) for raw in text.splitlines() if (line := one_line(raw))]
