"""Who states something about an article: rule, JSON-LD, OpenGraph, microdata, meta, markup, address, feed entry."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from lxml import etree

from newsmon.extraction import jsonld
from newsmon.extraction.head import META, OPENGRAPH, Head, Values, read_head
from newsmon.extraction.microdata import read_microdata
from newsmon.extraction.text import TINY, Element, flat_text, paragraphs, size
from newsmon.text import one_line

if TYPE_CHECKING:
    from newsmon.model import Entry

_URL_DATE = re.compile(r"/((?:19|20)\d{2})([/-]?)(0[1-9]|1[0-2]|[1-9])\2(0[1-9]|[12]\d|3[01]|[1-9])(?=[/_.-]|$)")


_NUMBER = re.compile(r"\d+")
_AUTHOR_LINKS = etree.XPath("//a[@rel='author']")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")


@dataclass(frozen=True)
class Sources:
    """What one page, its rule and its feed entry state. A source is read when it is first asked for.

    :param url: the address that answered.
    :param rule: values read by the site's rule.
    :param site_language: what the rule file says of articles that do not state their language.
    """

    tree: Element
    url: str
    rule: Values = field(default_factory=dict)
    entry: Entry | None = None
    site_language: str | None = None

    def __getitem__(self, origin: str) -> Values:
        """Values of one source by its name: ``rule json-ld opengraph microdata meta html feed url site``."""
        found: Values = self.address if origin == "url" else getattr(self, origin.replace("-", "_"))
        return found

    @cached_property
    def head(self) -> Head:
        return read_head(self.tree)

    @cached_property
    def nodes(self) -> list[jsonld.Node]:
        return jsonld.read_nodes(self.head.json_ld)

    @cached_property
    def json_ld(self) -> Values:
        article = jsonld.choose_article(self.nodes, (self.url, *self.head.canonical))
        return jsonld.article_values(article, self.nodes) if article else {}

    @cached_property
    def opengraph(self) -> Values:
        return self.head.values(OPENGRAPH)

    @cached_property
    def meta(self) -> Values:
        return self.head.values(META)

    @cached_property
    def microdata(self) -> Values:
        return read_microdata(self.tree)

    @cached_property
    def html(self) -> Values:
        return _filled(
            {
                "title": [*self.headings[:1], self.head.title or ""],
                "published": [text for element in self.head.times if (text := self._complete_date(element))],
                "language": [self.tree.get("lang") or self.tree.get("xml:lang") or ""],
                "authors": [flat_text(element) for element in cast("list[Element]", _AUTHOR_LINKS(self.tree))],
            }
        )

    def _complete_date(self, element: Element) -> str | None:
        """What a time element says, unless it is a clock in the site's header or contradicts the page's address."""
        text = element.get("datetime") or flat_text(element)
        numbers = set(map(int, _NUMBER.findall(text[:40])))
        stated = [int(part) for date in self.address.get("published", ()) for part in date.split("-")]
        return text if _YEAR.search(text) and {*stated[::2]} <= numbers else None

    @cached_property
    def feed(self) -> Values:
        return _entry_values(self.entry) if self.entry else {}

    @cached_property
    def site(self) -> Values:
        return {"language": [self.site_language]} if self.site_language else {}

    @cached_property
    def address(self) -> Values:
        match = _URL_DATE.search(urlsplit(self.url).path)
        return {"published": [f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}"]} if match else {}

    @cached_property
    def headings(self) -> list[str]:
        """Texts of the first ``h1`` elements."""
        return [text for element in self.head.headings if (text := flat_text(element))]

    @cached_property
    def visible(self) -> list[str]:
        """The paragraphs of the whole page."""
        return paragraphs([self.tree])

    @cached_property
    def prose(self) -> int:
        """Size of the page's paragraphs that are longer than a headline or a menu entry."""
        return sum(size(paragraph) for paragraph in self.visible if size(paragraph) >= TINY)

    @cached_property
    def site_names(self) -> list[str]:
        """What the site calls itself: never an author nor a part of a headline."""
        named = (name for origin in ("json-ld", "opengraph", "meta") for name in self[origin].get("site_name", ()))
        return [*map(one_line, named), urlsplit(self.url).hostname or ""]


def _entry_values(entry: Entry) -> Values:
    return _filled(
        {
            "title": [entry.title or ""],
            "summary": [entry.summary or ""],
            "authors": list(entry.authors),
            "published": [entry.published.isoformat() if entry.published else ""],
            "modified": [entry.updated.isoformat() if entry.updated else ""],
            "language": [entry.language or ""],
            "image": [entry.image or ""],
            "tags": list(entry.tags),
        }
    )


def _filled(values: Values) -> Values:
    return {name: found for name, found in values.items() if any(found)}
