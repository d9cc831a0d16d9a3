"""Text of the web to text that can be stored and compared: one form of white space, nothing invisible."""

from __future__ import annotations

import re

_SPACES = re.compile("  +")
UNWANTED = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]"  # controls
    r"|[\u00ad\u200b\u2060\ufeff\ufffe\uffff]"  # soft hyphens and other zero-width characters inside words
    r"|[\u202a-\u202e\u2066-\u2069]"  # direction overrides
    r"|[\ud800-\udfff]"  # lone surrogates, which no encoding can store
)
"""Characters that no text keeps."""


def one_line(text: str) -> str:
    r"""Runs of white space become one space; controls, invisible characters and lone surrogates go.

    >>> one_line(" a\u00a0\n b\x00\ud800 ")
    'a b'
    """
    if text.isprintable():  # as most text is; neither line breaks nor what must go
        return (_SPACES.sub(" ", text) if "  " in text else text).strip()
    return " ".join(UNWANTED.sub("", text).split())
