"""A fetched page: its bytes, and the text and tree read from them once.

All stages read the same tree and none changes it; a stage that must change one copies it first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from lxml import html

from newsmon.encoding import Decoded, decode


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

    @cached_property
    def tree(self) -> html.HtmlElement | None:
        """The parsed page, or None when there is nothing to parse."""
        text = self.decoded.text
        if not text.strip():
            return None
        parser = html.HTMLParser(encoding="utf-8", huge_tree=False, remove_comments=False)
        return html.document_fromstring(text.encode("utf-8", "replace"), parser=parser, ensure_head_body=False)
