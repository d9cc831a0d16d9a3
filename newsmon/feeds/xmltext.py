"""Bytes of a feed to an XML tree, safely.

::

    bytes ── text ── what is the root? ── pieces of bounded size ── strict parser ──┬── tree
                                                                                   └── mended ── recovering parser

Everything before the root element is dropped, and with it every DTD: no entity is ever declared, so none can grow
(billion laughs, quadratic) or reach out (XXE, external DTD, parameter entities). Named entities of HTML, which feeds
use without declaring them, are put in by hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5
from typing import TYPE_CHECKING

from lxml import etree
from w3lib.encoding import http_content_type_encoding, resolve_encoding

from newsmon.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 1 << 20
"""Characters parsed at once; longer documents are parsed in pieces, so that no markup can fill the memory."""

MAX_REFERENCES = 400_000
"""Ampersands of one piece that are looked at; there are more in no feed, only in an attack."""

SNIFF = 100_000
"""Characters in which the root element must begin."""

_WIDE = {b"<\0\0\0": "utf-32-le", b"\0\0\0<": "utf-32-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_WIDE |= {prefix.replace(b"<", b"{"): codec for prefix, codec in _WIDE.items()}
_CYRILLIC = {"cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866"}
_SERVER_DEFAULTS = {None, "utf-8", "cp1252"}
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})""")

_PROLOG = re.compile(
    r"(?:\s++|<!--.*?-->|<\?.*?\?>|<!DOCTYPE\s++(?!html\b)[^>\[]*+(?:\[.*?\]\s*+)?>)*+", re.DOTALL | re.IGNORECASE
)
_ROOT = re.compile(r"<((?:[\w.-]+:)?(rss|rdf|feed|urlset|sitemapindex))(?=[\s>/])", re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype\s+html|html|body)\b", re.IGNORECASE)
_HTML = re.compile(r"<(?:!doctype\s+html|(?:html|head|body|script|div|meta|title|p|a|table)(?=[\s>]))", re.IGNORECASE)
_ENTRY = re.compile(r"<(?:[\w.-]+:)?(?:item|entry|url|sitemap)[\s>]", re.IGNORECASE)
_ENTRY_END = re.compile(r"</(?:[\w.-]+:)?(?:item|entry|url|sitemap)\s*>", re.IGNORECASE)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_REFERENCE = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6});)([a-zA-Z]\w{0,31};)?", re.DOTALL
)
_BY_NUMBER = str.maketrans({character: f"&#{ord(character)};" for character in "&<>"})


@dataclass(frozen=True, slots=True)
class Markup:
    """A text that holds an XML document.

    :param start: where its root element begins.
    :param name: the root's name as written, with its prefix: ``rdf:RDF``.
    :param kind: its local name in lower case: ``rdf``.
    """

    text: str
    start: int
    name: str
    kind: str

    @property
    def has_end(self) -> bool:
        """Whether the end tag of the root element is there."""
        return self.text.rfind(f"</{self.name}", self.start) != -1

    def pieces(self) -> Iterator[str]:
        """The root element in pieces that end with an entry and begin with what stands before the first one."""
        if len(self.text) - self.start <= PIECE:
            yield self.text[self.start :]
            return
        first = _ENTRY.search(self.text, self.start, self.start + PIECE)
        at = first.start() if first else self.text.find(">", self.start, self.start + PIECE) + 1
        head = self.text[self.start : at]
        while at < len(self.text):
            entry = _ENTRY_END.search(self.text, at + PIECE, at + 2 * PIECE)
            end = entry.end() if entry else at + 2 * PIECE
            yield head + self.text[at:end]
            at = end


def ends_inside(text: str, element: etree._Element) -> bool:
    """Whether a text ends before the last element of this name does."""
    name = element.tag.rpartition("}")[2]
    written = f"{element.prefix}:{name}" if element.prefix else name
    return text.rfind(f"<{written}") > text.rfind(f"</{written}>")


def feed_text(body: bytes, content_type: str | None) -> str:
    """Decode a feed; never raises.

    An XML declaration is written by the program that wrote the feed, so a Cyrillic one is believed where the bytes are
    not UTF-8; everything else is decided as for pages.

    >>> feed_text('<?xml version="1.0" encoding="windows-1251"?><rss>Привет</rss>'.encode("cp1251"), None)[-12:]
    'Привет</rss>'
    """
    wide = _WIDE.get(body[:4]) or _WIDE.get(body[:2])
    if wide:
        return body.decode(wide, "replace")
    declared = _DECLARED.match(body)
    codec = resolve_encoding(declared[1].decode("ascii")) if declared else None
    if codec and codec in _CYRILLIC and http_content_type_encoding(content_type) in {codec, *_SERVER_DEFAULTS}:
        return _cyrillic(body, codec, content_type)
    return decode(body, content_type).text


def _cyrillic(body: bytes, codec: str, content_type: str | None) -> str:
    for candidate in ("utf-8-sig", codec):
        try:
            return body.decode(candidate)
        except UnicodeDecodeError:
            continue
    return decode(body, content_type).text


def find_markup(text: str) -> Markup | None:
    """Find the root element of a feed, past comments, DTD and what a broken server prints before it.

    :returns: None when there is no such element, or an HTML page around it.
    """
    prolog = _PROLOG.match(text)
    start = prolog.end() if prolog else 0
    root = _ROOT.match(text, start) or _ROOT.search(text, start, start + SNIFF)
    if root is None or _PAGE.search(text, start, root.start()):
        return None
    return Markup(text, root.start(), name=root[1], kind=root[2].lower())


def looks_like_html(text: str) -> bool:
    """Whether the text is a page, or a piece of one."""
    return _HTML.search(text, 0, SNIFF) is not None


def parse_xml(text: str) -> tuple[etree._Element | None, bool]:
    """Parse XML without a prolog; never raises.

    :returns: the root, None when nothing can be saved, and whether the text is well-formed.
    """
    root = _parse(text, recover=False)
    if root is not None:
        return root, True
    return _parse(mend(text), recover=True), False


def _parse(text: str, *, recover: bool) -> etree._Element | None:
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _parser(recover=recover))
    except etree.XMLSyntaxError:
        return None


def parse_from(text: str, name: str) -> etree._Element | None:
    """Parse a document from its element ``name`` on; None when there is none."""
    start = re.compile(rf"<{name}\b", re.IGNORECASE).search(text)
    return parse_xml(text[start.start() :])[0] if start else None


def mend(text: str) -> str:
    """Put right what XML forbids and feeds do: control characters, HTML entities, bare ampersands.

    References become numbers, since libxml2 drops those by name, ``&amp;`` too, once it has seen an error.

    >>> mend("<a>R&D&nbsp;&copy;=1 &amp; <![CDATA[a&b]]></a>")
    '<a>R&#38;D\\xa0©=1 &#38; <![CDATA[a&b]]></a>'
    """
    text = _NOT_XML.sub("", text)
    return _REFERENCE.sub(_mend_reference, text) if text.count("&") <= MAX_REFERENCES else text


def _mend_reference(match: re.Match[str]) -> str:
    if match[0].startswith("<"):
        return match[0]
    meant = html5.get(match[1] or "")
    return meant.translate(_BY_NUMBER) if meant else f"&#38;{match[1] or ''}"


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        recover=recover,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
