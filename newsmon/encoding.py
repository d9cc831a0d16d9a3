"""Bytes of a page to text: which encoding, and who said so.

Order of belief::

    byte order mark
      └─ strict UTF-8 (hardly any other text passes it by chance, so it outranks a wrong header)
           └─ Content-Type header, <meta>/XML declaration: the most plausible one whose text is not mojibake
                └─ detection over the encodings of the Web (charset-normalizer)
                     └─ whichever of these looks least wrong, with replacement characters

*Plausible* is measured by :func:`mojibake`: a decoder for a wrong single-byte encoding never fails, but leaves
replacement and control characters, rows of accented Latin letters (``Ïðèâåò``) or inverted case (``рТЙЧЕФ``).
Labels follow the WHATWG Encoding Standard as far as :func:`w3lib.encoding.resolve_encoding` does
(``gb2312`` means gb18030, ``iso-8859-1`` means windows-1252).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from charset_normalizer import from_bytes
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Origin = Literal["bom", "header", "meta", "detected", "default"]

TOLERATED = 0.02
"""Mojibake score up to which a declared encoding is believed: a page may hold a few foreign or broken characters."""

SAMPLE = 30_000
"""Characters or bytes looked at; the whole body of a long page decides nothing that its start does not."""

_WEB_ENCODINGS = [
    *("cp1251", "koi8_u", "koi8_r", "gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1250", "cp1252"),
    *("iso8859_2", "iso8859_5", "iso8859_7", "iso8859_15", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp866"),
]
_SERVER_DEFAULTS = {"cp1252", "iso8859-1"}  # what Apache's AddDefaultCharset puts on pages it knows nothing about
_ESCAPED = {"iso2022_jp", "hz"}  # written in ASCII bytes only, so they pass as UTF-8
_DOUBLE_BYTE = {"gb18030", "big5hkscs", "big5", "cp932", "cp949", "euc_jp", "euc_kr"}
_FEW_CHARACTERS = 6  # so few two-byte characters can look like UTF-8 by accident

_WIDE = ("utf-16", "utf-32")
_TEXT_ENCODING = re.compile(
    r"utf-(?:8|16|32)(?:-[lb]e)?|cp\d{3,4}|iso8859-\d+|koi8-[rut]|gb18030|big5(?:hkscs)?|hz|johab|kz1048|ptcp154"
    r"|mac-\w+|(?:euc|iso2022|shift)_\w+|tis-620"
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_MARKUP = re.compile(rb"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*>?", re.DOTALL | re.IGNORECASE)
_GARBAGE = re.compile(
    r"[\ufffd\x80-\x9f\ue000-\uf8ff]"  # replacement, C1 control, private use
    r"|[\u00a1-\u017f\u02c6-\u02dd\u2018-\u203a\u20ac\u2122]{3,}"  # rows of accented letters and signs
    r"|(?<=[a-z])[\u00a1-\u00a9\u00ab-\u00b6\u00b8\u00b9\u00bb-\u00bf](?=[a-z])"  # a sign inside a word
    r"|(?<=[а-яёіїєґ])[А-ЯЁІЇЄҐ]+"  # inverted case: KOI8 read as windows-1251
    r"|(?<=[a-z])[Ђ-џ]|[Ђ-џ](?=[a-z])|(?<=[а-я])[Ђ-Џђ-ѕјљ-џ‚„†‡‰‹›]"  # two alphabets in one word
    r"|[\u2500-\u259f]{2,}|[\uff61-\uff9f]{4,}"  # box drawing; half-width kana
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a body.

    :param text: never holds lone surrogates; undecodable bytes are U+FFFD.
    :param encoding: name of the Python codec, for example ``utf-8``, ``cp1251``, ``gb18030``.
    :param origin: who stated the encoding.
    """

    text: str
    encoding: str
    origin: Origin


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Decode the body of a page; never raises.

    >>> decode("Привет, мир".encode("cp1251"), "text/html; charset=windows-1251").encoding
    'cp1251'
    >>> decode("Привет, мир".encode(), "text/html; charset=windows-1251").encoding
    'utf-8'
    """
    encoding, bom = read_bom(body)
    if encoding and bom:
        return Decoded(body[len(bom) :].decode(encoding, "replace"), encoding, "bom")
    header = _text_encoding(http_content_type_encoding(content_type))
    if header and header.startswith(_WIDE) and b"\0" in body:
        return Decoded(to_unicode(body, header), header, "header")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_legacy(body, header)
    if body.isascii():
        return _decode_ascii(body, text, header)
    return _unless_short_double_byte(body, text, header)


def mojibake(text: str) -> float:
    """Share of the non-ASCII characters that look like a wrong decoding, 0..1; 0 for plain ASCII.

    >>> mojibake("Привет"), mojibake("Привет".encode("cp1251").decode("cp1252"))
    (0.0, 1.0)
    """
    runs = [match.span() for match in _NOT_ASCII.finditer(text)]
    if not runs:
        return 0.0
    near = " ".join([text[max(start - 1, 0) : end + 1] for start, end in runs])  # markup is most of a page
    return min(1.0, sum(map(len, _GARBAGE.findall(near))) / sum(end - start for start, end in runs))


def _decode_ascii(body: bytes, text: str, header: str | None) -> Decoded:
    origin: Origin = "header" if header else "default"
    if b"\x1b" in body or b"~{" in body:
        for name, source in _declared(body, header):
            if name in _ESCAPED:
                return Decoded(to_unicode(body, name), name, source)
    return Decoded(text, "utf-8", origin)


def _unless_short_double_byte(body: bytes, text: str, header: str | None) -> Decoded:
    """UTF-8, unless only a handful of characters stand behind it and a declared double-byte encoding fits as well."""
    if len(text) + 2 * _FEW_CHARACTERS > len(body):
        for name, origin in _declared(body, header):
            if name in _DOUBLE_BYTE and mojibake(to_unicode(body, name)) == 0:
                return Decoded(to_unicode(body, name), name, origin)
    return Decoded(text, "utf-8", "header" if header == "utf-8" else _said_in_page(body))


def _said_in_page(body: bytes) -> Origin:
    return "meta" if html_body_declared_encoding(body) == "utf-8" else "detected"


def _declared(body: bytes, header: str | None) -> Iterator[tuple[str, Origin]]:
    """Encodings the page claims, the header first unless it is a mere server default."""
    claims: list[tuple[str | None, Origin]] = [
        (header, "header"),
        (_text_encoding(html_body_declared_encoding(body)), "meta"),
    ]
    if header in _SERVER_DEFAULTS:
        claims.reverse()
    for name, origin in claims:
        if name and not name.startswith(_WIDE):  # ASCII markup was readable, so it cannot be UTF-16
            yield name, origin


def _text_encoding(name: str | None) -> str | None:
    """The name when it is an encoding of text; Python has codecs for other things too (``hex``, ``idna``)."""
    return name if name and _TEXT_ENCODING.fullmatch(name) else None


def _decode_legacy(body: bytes, header: str | None) -> Decoded:
    readings = []
    for name, origin in {name: (name, origin) for name, origin in _declared(body, header)}.values():
        readings.append(reading := Decoded(to_unicode(body, name), name, origin))
        if _strangeness(reading) <= TOLERATED:
            return reading
    return min([*readings, _detect(body)], key=_strangeness)


def _strangeness(reading: Decoded) -> float:
    return mojibake(reading.text[:SAMPLE])


def _detect(body: bytes) -> Decoded:
    """Guess from the lines of visible text that hold non-ASCII bytes; whole lines, so that no character is cut."""
    lines = [line for line in _MARKUP.sub(b"\n", body).splitlines() if not line.isascii()]
    sample = b"\n".join(lines or body.splitlines())[:SAMPLE]
    if len(sample) == SAMPLE:
        sample = sample.rpartition(b"\n")[0] or sample
    match = from_bytes(sample, cp_isolation=_WEB_ENCODINGS, enable_fallback=False).best()
    guess = match.encoding if match else min(_WEB_ENCODINGS, key=lambda name: mojibake(to_unicode(sample, name)))
    name = resolve_encoding(guess) or guess
    return Decoded(to_unicode(body, name), name, "detected")
