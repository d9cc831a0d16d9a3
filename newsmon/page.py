"""A fetched page: its bytes, and the text and tree read from them once.

All stages read the same tree and none changes it; a stage that must change one copies it first.

What strangers send is measured before it is parsed, because the parser cannot be interrupted::

    bytes ── risk: far more than an article has?      to be read in a process that can be killed (newsmon.sandbox)
      └──── problem: no HTML, or an attack on parsers?  never parsed
              └── libxml2 ── cut off at its limits?     no tree, rather than a part of one called the whole
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree, html

from newsmon.encoding import Decoded, decode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MAX_DEPTH = 256
"""Nesting at which libxml2 stops reading without a word: everything after that point is missing from its tree."""

MAX_BYTES = 32 * 2**20
"""Bytes of the largest body that is parsed; the parser takes up to ten times as much memory."""

MAX_TAGS = 1_000_000
"""Signs ``<`` of the largest body that is parsed: each may become an element of some 150 bytes."""

ATTRIBUTE_WORK = 2_000_000_000
"""Sum over the tags of (attributes of the tag) squared: libxml2 compares every attribute with all before it, so this
much takes about two seconds, and a body of a few megabytes could take hours."""

ORDINARY_BYTES, ORDINARY_TAGS, ORDINARY_ATTRIBUTES = 2**20, 10_000, 3_000
"""Bytes, tags and attributes of one tag that one news page in a thousand exceeds. Up to here a page takes a second or
two at most, however it is made: a stage that looks at all of it once for each ancestor looks at 256 megabytes."""

_CUT_OFF = (etree.ErrorTypes.ERR_RESOURCE_LIMIT, etree.ErrorTypes.ERR_NO_MEMORY)
_SMALL_BODY = 128 * 1024  # cannot hold more attributes than one second of work
_CONTROLS_IN_TEXT = 0.02
_CONTROLS = bytes(range(9)) + bytes(range(14, 27)) + b"\x1c\x1d\x1e\x1f\x7f"
_WIDE_CELL = re.compile(rb"span=(?<=(?:col|row)span=)[\"']?(?:\d{7}|\d+e\+?\d)")
_SPACE = r" \t\n\r\f"  # of HTML; Python's \s knows another
_ATTRIBUTE = rf"""[^{_SPACE}/>] [^{_SPACE}/>=]*+
    (?: [{_SPACE}]*+ = [{_SPACE}]*+ (?: "[^"]*+"? | '[^']*+'? | [^{_SPACE}>"'] [^{_SPACE}>]*+ )?+ )?+"""
_ATTRIBUTES = re.compile(_ATTRIBUTE.encode(), re.VERBOSE)
_TAG = re.compile(rf"<(?=( [a-zA-Z] [^{_SPACE}/>]*+ (?: [{_SPACE}/]++ | {_ATTRIBUTE} )*+ ))".encode(), re.VERBOSE)
_OVERLAP = 4  # times that the bytes of an ordinary page are looked at in search of tags
_END_OF_PAGE = re.compile(rb"</(?:body|html)\s*>", re.IGNORECASE)
_FEED = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<[?][^<>]{0,200}[?]>\s*){0,4}<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]",
    re.IGNORECASE,
)
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*\"|\[\s*[\[{\"])")
_BINARY = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"RIFF", b"\x1f\x8b")
_UTF8_BOM = b"\xef\xbb\xbf"


class _Parsed(NamedTuple):
    tree: html.HtmlElement | None
    problem: str | None


class _Attributes(NamedTuple):
    most: float  # of one tag, infinite when nobody can say
    work: int


@dataclass(frozen=True)
class Page:
    """One HTTP response with an HTML body.

    :param url: the address asked for.
    :param final_url: the address that answered, after redirects.
    :param headers: response headers, names in lower case.
    :param body: the raw body, decompressed.
    :param fetched_at: aware UTC time of the response.
    :param rendered: True when a browser produced the body.
    """

    url: str
    final_url: str
    status: int
    body: bytes
    fetched_at: datetime
    headers: Mapping[str, str] = field(default_factory=dict)
    rendered: bool = False

    @cached_property
    def decoded(self) -> Decoded:
        """The body as text, with the encoding used and where it was stated."""
        return decode(self.body, self.headers.get("content-type"))

    @property
    def tree(self) -> html.HtmlElement | None:
        """The parsed page, or None when :attr:`problem` says why there is none."""
        return self._parsed.tree

    @property
    def problem(self) -> str | None:
        """Why the page has no trustworthy tree: empty, not HTML, or cut off by the parser's limits."""
        return self._parsed.problem

    @cached_property
    def risk(self) -> str | None:
        """Why reading the page may take long and much memory, by a glance at its bytes; None for an ordinary page."""
        if len(self.body) > ORDINARY_BYTES:
            return f"the body has {len(self.body):,} bytes"
        if (tags := self.body.count(b"<")) > ORDINARY_TAGS:
            return f"the body has {tags:,} tags"
        seems_large = len(self.body) > _SMALL_BODY and self._attributes.most > ORDINARY_ATTRIBUTES
        return "a tag seems to have thousands of attributes" if seems_large else None

    @cached_property
    def _attributes(self) -> _Attributes:
        return _count_attributes(self._utf8())

    @cached_property
    def _parsed(self) -> _Parsed:
        if problem := _not_html(self.body, self.headers.get("content-type", "")):
            return _Parsed(None, problem)
        markup = self._utf8()
        if problem := _binary(markup) or _hostile_tags(markup):
            return _Parsed(None, problem)
        if len(markup) > _SMALL_BODY and self._attributes.work > ATTRIBUTE_WORK:
            return _Parsed(None, "a tag has thousands of attributes")
        parsed = _parse(markup)
        if _goes_on(parsed.tree):
            return _parse(_END_OF_PAGE.sub(b"", markup))
        return parsed

    def _utf8(self) -> bytes:
        """The body for the parser; without a detour over str where it is UTF-8 already."""
        if self.decoded.encoding == "utf-8":
            return self.body.removeprefix(_UTF8_BOM)
        return self.decoded.text.encode("utf-8", "replace")


def _parse(markup: bytes) -> _Parsed:
    parser = html.HTMLParser(encoding="utf-8", remove_comments=False)
    try:
        tree = html.document_fromstring(markup, parser=parser, ensure_head_body=False)
    except etree.ParserError:  # nothing but comments or a doctype
        return _Parsed(None, "the document holds no element")
    error = parser.error_log.last_error
    if error is not None and error.type in _CUT_OFF:
        return _Parsed(None, f"the parser gave up: {error.message}")
    return _Parsed(tree, None)


def _goes_on(tree: html.HtmlElement | None) -> bool:
    """True when elements stand after ``</html>``: libxml2 puts them beside the root, where a walk does not see them."""
    return tree is not None and any(isinstance(sibling.tag, str) for sibling in tree.itersiblings())


def _not_html(body: bytes, content_type: str) -> str | None:
    if len(body) > MAX_BYTES:
        return f"the body has {len(body):,} bytes, more than {MAX_BYTES:,}"
    head = body[:1024].lstrip()
    if not head and not body.strip():
        return "the body is empty"
    if head.startswith(_BINARY):
        return "the body is binary data, not HTML"
    if _FEED.match(head):
        return "the body is a feed or a sitemap, not HTML"
    media_type = content_type.partition(";")[0].strip().lower()
    may_be_html = not media_type or media_type.startswith("text/") or "html" in media_type or "xml" in media_type
    if not may_be_html and not head.startswith((b"<", _UTF8_BOM)):
        return f"the body is {media_type}, not HTML"
    return "the body is JSON, not HTML" if _JSON.match(head) and b"<" not in body[:4096] else None


def _binary(markup: bytes) -> str | None:
    """Why the decoded body is no text: noise has control characters whatever encoding it is read in."""
    head = markup[:4096]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return "the body is binary data, not HTML" if controls > _CONTROLS_IN_TEXT * len(head) else None


def _hostile_tags(markup: bytes) -> str | None:
    """Why the parser must not see the page, before it does: it cannot be interrupted."""
    if _WIDE_CELL.search(markup):
        return "a table cell spans millions of columns or rows"
    tags = markup.count(b"<")
    return f"the body has {tags:,} tags, more than {MAX_TAGS:,}" if tags > MAX_TAGS else None


def _count_attributes(markup: bytes) -> _Attributes:
    """Upper bounds of the attributes a tag has and of the work they make.

    A tag may begin at every ``<`` before a letter: which of them stand in comments, scripts or quotes only a parser
    knows. What overlaps too much to be counted so is no ordinary page.
    """
    left, most, work = _OVERLAP * len(markup), 0, 0
    for start in _TAG.finditer(markup):
        length = start.end(1) - start.end()
        left -= length
        if left < 0:
            return _Attributes(inf, work)
        if length > 2 * ORDINARY_ATTRIBUTES:
            count = len(_ATTRIBUTES.findall(start[1]))
            most, work = max(most, count), work + count**2
    return _Attributes(most, work)
