"""Titles and summaries of feeds, which are often HTML, to one line of plain text."""

from __future__ import annotations

import re
from html import unescape

from newsmon.text import one_line

SUMMARY_LENGTH = 2000
"""Characters kept of a summary; full-text feeds put the whole article there."""

_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>", re.IGNORECASE
)
_OTHER = re.compile(
    r"<(?:(script|style)\b.*?(?:</\1\s*>|\Z)|!--.*?(?:-->|\Z)|[/!?a-z][^<>]*(?:>|\Z))\s*",
    re.DOTALL | re.IGNORECASE,
)


def plain(markup: str) -> str:
    """Text of a piece of HTML: tags go, references are resolved, blocks are set apart by a space.

    >>> plain("<p>R&amp;D <b>gr</b>ows<br>by 5 %</p><p>a &lt; b</p><script>x</script>")
    'R&D grows by 5 % a < b'
    """
    if "<" in markup:
        markup = _OTHER.sub(" ", _INLINE.sub("", markup))
    return one_line(unescape(markup) if "&" in markup else markup)


def summary(markup: str, *, html: bool = True) -> str:
    """Plain text of at most :data:`SUMMARY_LENGTH` characters, cut between words.

    >>> summary("<p>" + "word " * 1000)[-9:], len(summary("word " * 1000))
    ('word word', 1999)
    """
    text = plain(markup) if html else one_line(markup)
    if len(text) <= SUMMARY_LENGTH:
        return text
    return text[:SUMMARY_LENGTH].rsplit(" ", 1)[0]
