"""A fetched page: its bytes, and the text and tree read from them once.

All stages read the same tree and none changes it; a stage that must change one copies it first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree, html

from newsmon.encoding import Decoded, decode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MAX_DEPTH = 256
"""Nesting at which libxml2 stops reading without a word: everything after that point is missing from its tree."""

ATTRIBUTE_WORK = 2_000_000_000
"""Sum over the tags of (attributes of the tag) squared: libxml2 compares every attribute with all before it, so this
much takes about two seconds, and a body of a few megabytes could take hours."""

_SMALL_BODY = 128 * 1024  # cannot hold enough attributes to matter
_LONG_TAG = 2048
_TAG = re.compile(rb"<[a-zA-Z](?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+")
_END_OF_PAGE = re.compile(rb"</(?:body|html)\s*>", re.IGNORECASE)
_QUOTED = re.compile(rb"\"[^\"]*+\"|'[^']*+'")
_BINARY = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"RIFF", b"\x1f\x8b")
_UTF8_BOM = b"\xef\xbb\xbf"


class _Parsed(NamedTuple):
    tree: html.HtmlElement | None
    problem: str | None


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
    def _parsed(self) -> _Parsed:
        if problem := _not_html(self.body, self.headers.get("content-type", "")):
            return _Parsed(None, problem)
        markup = self._utf8()
        if problem := _hostile_tags(markup):
            return _Parsed(None, problem)
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
    if error is not None and error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        return _Parsed(None, f"the parser gave up: {error.message}")
    return _Parsed(tree, None)


def _goes_on(tree: html.HtmlElement | None) -> bool:
    """True when elements stand after ``</html>``: libxml2 puts them beside the root, where a walk does not see them."""
    return tree is not None and any(isinstance(sibling.tag, str) for sibling in tree.itersiblings())


def _not_html(body: bytes, content_type: str) -> str | None:
    head = body[:1024].lstrip()
    if not head and not body.strip():
        return "the body is empty"
    if head.startswith(_BINARY):
        return "the body is binary data, not HTML"
    media_type = content_type.partition(";")[0].strip().lower()
    if head.startswith((b"<", _UTF8_BOM)) or not media_type or media_type.startswith("text/"):
        return None
    return None if "html" in media_type or "xml" in media_type else f"the body is {media_type}, not HTML"


def _hostile_tags(markup: bytes) -> str | None:
    """Why the parser must not see the page, before it does: it cannot be interrupted."""
    if len(markup) <= _SMALL_BODY:
        return None
    work = sum(_attributes(tag[0]) ** 2 for tag in _TAG.finditer(markup) if len(tag[0]) > _LONG_TAG)
    return "a tag has thousands of attributes" if work > ATTRIBUTE_WORK else None


def _attributes(tag: bytes) -> int:
    """An upper bound of the number of attributes: quoted values, and words outside of them."""
    bare, quoted = _QUOTED.subn(b" ", tag)
    return quoted + len(bare.replace(b"/", b" ").split())
