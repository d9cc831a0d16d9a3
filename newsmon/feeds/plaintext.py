"""Titles and summaries of feeds, which are often HTML, to one line of plain text."""

from __future__ import annotations

import re
from html import unescape

SUMMARY_LENGTH = 2000
"""Characters kept of a summary; full-text feeds put the whole article there."""

_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>", re.IGNORECASE
)
_OTHER = re.compile(
    r"<(?:(script|style)\b.*?(?:</\1\s*>|\Z)|!--.*?(?:-->|\Z)|[/!?a-z][^<>]*(?:>|\Z))\s*",
    re.DOTALL | re.IGNORECASE,
)
_SPACES = re.compile("  +")
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff\ud800-\udfff]")


def one_line(text: str) -> str:
    r"""Runs of white space become one space; controls, invisible characters and lone surrogates go.

    >>> one_line(" a\u00a0\n b\x00\ud800 ")
    'a b'
    """
    if text.isprintable():  # as most text is; neither line breaks nor what must go
        return (_SPACES.sub(" ", text) if "  " in text else text).strip()
    text = " ".join(text.split())
    return text if text.isprintable() else " ".join(_UNWANTED.sub("", text).split())


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
