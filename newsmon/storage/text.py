"""Text that every database, export and reader accepts."""

from __future__ import annotations

import re
from hashlib import sha256

# Everything XML 1.0 cannot hold (NUL, control characters, lone surrogates, U+FFFE/F: PostgreSQL refuses some of them,
# CSV and JSON readers trip over others), and the two overrides that force the direction of what follows: no language
# needs them, but they make "gpj.exe" out of "exe.jpg" for whoever reads a title.
_UNFIT = re.compile("[^\t\n\r\x20-\u202c\u202f-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

LONGEST_KEY = 1000  # characters; a PostgreSQL index refuses values over 2,700 bytes


def clean(text: str) -> str:
    """Return ``text`` without characters that XML, PostgreSQL or a reader's screen cannot bear.

    >>> clean("a\\x00b\\ud800 c\\u202ed")
    'ab cd'
    """
    return _UNFIT.sub("", text) if _UNFIT.search(text) else text


def clean_optional(text: str | None) -> str | None:
    """Return :func:`clean` of a text that may be missing."""
    return None if text is None else clean(text)


def bounded_key(key: str) -> str:
    """Return a key that fits into every index: itself, or for very long ones its beginning and its SHA-256.

    >>> bounded_key("a.example/1")
    'a.example/1'
    >>> len(bounded_key("a.example/" + "x" * 5000))
    208
    """
    key = clean(key)
    if len(key) <= LONGEST_KEY // 4 or len(key.encode()) <= LONGEST_KEY:
        return key
    return f"{key[:136]}#sha256:{sha256(key.encode()).hexdigest()}"


def text_digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, hexadecimal: ``text_sha256`` of records and exports."""
    return sha256(text.encode()).hexdigest()
