"""What is known of a page when its kind is judged; everything is worked out once, when it is first asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsmon.extraction.jsonld import is_article, types
from newsmon.extraction.kinds.shape import Shape, read_shape
from newsmon.extraction.segments import Segments, read_segments
from newsmon.extraction.text import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from urllib.parse import SplitResult

    from newsmon.extraction.sources import Sources
    from newsmon.page import Page

_STATED_METHODS = frozenset(("rule", "json-ld", "microdata"))
_TITLE_PARTS = re.compile(r"\s+[|–—·•»/-]+\s+|\s*[|–—·•»]\s*")
_LONG = 2500
_LONGEST_TITLE = 300


@dataclass(frozen=True)
class Evidence:
    """A page and the text that was read from it.

    :param text: the text extraction found, empty when none.
    :param paywalled: what the page says of itself.
    :param confidence: 0..1, how sure the generic extractor is of its text; None when it did not say.
    :param method: who gave the text (``Extract.method``): one of the site's rule or the page's own statement is an
        article's text, one of the generic extractor may be the words of a wall or teasers.
    :param lines: the page's segments where they are known already.
    """

    page: Page
    sources: Sources
    text: str
    paywalled: bool | None = None
    confidence: float | None = None
    method: str = "rule"
    lines: Segments | None = None

    @cached_property
    def size(self) -> int:
        return size(self.text)

    @property
    def trusted(self) -> bool:
        """True when the text is the one a rule or the page itself calls the article."""
        return bool(self.text) and self.method in _STATED_METHODS

    @cached_property
    def segments(self) -> Segments:
        return read_segments(self.sources.tree) if self.lines is None else self.lines

    @cached_property
    def shape(self) -> Shape:
        return read_shape(self.segments)

    @cached_property
    def core(self) -> int:
        """Size of what would be the article: the text of a rule, else the part of the text without headlines in it."""
        if self.trusted:
            return self.size
        longest = self.shape.longest.size
        return min(self.size, longest) if self.text else longest

    @cached_property
    def titles(self) -> Sequence[str]:
        """Title and first headings in lower case."""
        return [text.lower() for text in (self.sources.head.title or "", *self.sources.headings[:2]) if text]

    @cached_property
    def title_parts(self) -> list[str]:
        """Title and headings, whole and in their parts ("Page not found | Kurier"), in lower case."""
        whole = [title[:_LONGEST_TITLE] for title in (*self.titles, *self.shape.headings)]
        parts = (part for title in whole for part in (title, *_TITLE_PARTS.split(title)))
        return list(dict.fromkeys(part.strip(" .!…") for part in parts))

    @cached_property
    def visible(self) -> str:
        """All text of the page, in lower case."""
        return "\n".join(line.text for line in self.shape.lines).lower()

    @cached_property
    def json_types(self) -> set[str]:
        return {name for node in self.sources.nodes for name in types(node)}

    @cached_property
    def og_type(self) -> str:
        return "".join(self.sources.opengraph.get("type", ())[:1]).lower()

    @cached_property
    def states_article(self) -> bool:
        """True when JSON-LD describes an article."""
        return any(is_article(node) for node in self.sources.nodes)

    @property
    def says_article(self) -> bool:
        """True when the page's own metadata calls it an article."""
        return self.og_type == "article" or self.states_article

    @property
    def is_long(self) -> bool:
        """True when there is so much text that no stub, notice or player page would have it."""
        return self.size >= _LONG and (self.trusted or self.says_article or self.core >= _LONG)

    @cached_property
    def asked(self) -> SplitResult:
        return urlsplit(self.page.url)

    @cached_property
    def answered(self) -> SplitResult:
        return urlsplit(self.page.final_url)

    @property
    def redirected(self) -> bool:
        return self.page.final_url != self.page.url

    def named(self, pattern: re.Pattern[str]) -> str | None:
        """The first title or part of a title that is nothing but the pattern."""
        return next((part for part in self.title_parts if pattern.fullmatch(part)), None)

    def short_lines(self, *, longest: int, most: int = 400) -> Iterator[str]:
        """Lines of the page up to a size, in lower case; patterns are slow on whole pages."""
        found = (line.text.lower() for line in self.shape.lines if line.size <= longest)
        yield from (text for text, _ in zip(found, range(most), strict=False))
