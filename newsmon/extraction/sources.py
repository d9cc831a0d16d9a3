"""Who states something about an article: rule, JSON-LD, OpenGraph, microdata, meta, markup, address, feed entry."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from lxml import etree

from newsmon.extraction import jsonld
from newsmon.extraction.byline import byline
from newsmon.extraction.dateline import Dateline, dateline, labelled_date
from newsmon.extraction.eastern import is_eastern, signed
from newsmon.extraction.head import META, OPENGRAPH, Head, Values, read_head
from newsmon.extraction.headline import article_heading, find_heading
from newsmon.extraction.microdata import Microdata, read_microdata
from newsmon.extraction.segments import Segments, read_segments
from newsmon.extraction.surroundings import Surroundings, surroundings, top
from newsmon.extraction.text import TINY, Element, flat_text, size
from newsmon.text import one_line

if TYPE_CHECKING:
    from newsmon.model import Entry

_URL_DATE = re.compile(r"/((?:19|20)\d{2})([/-]?)(0[1-9]|1[0-2]|[1-9])\2(0[1-9]|[12]\d|3[01]|[1-9])(?=[/_.-]|$)")


_ATTRIBUTES = {"json-ld": "json_ld", "url": "address", "visible": "near_headline"}
_NUMBER = re.compile(r"\d+")
_REL_LINKS = etree.XPath("(//a[@rel='author' or @rel='tag' or @rel='category tag'])[position() <= 40]")
_TAG_CLOUD = 15
_AMERICAN_DOMAINS = (".com", ".org", ".net", ".us", ".edu", ".gov")
_LONGEST_NAME = 200
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
        """Values of one source by its name: ``rule json-ld opengraph microdata meta visible html feed url site``."""
        found: Values = getattr(self, _ATTRIBUTES.get(origin, origin))
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

    @property
    def microdata(self) -> Values:
        return self._microdata.fields

    @property
    def article_body(self) -> list[Element]:
        """The elements microdata marks as the article's text."""
        return self._microdata.body

    @cached_property
    def _microdata(self) -> Microdata:
        return read_microdata(self.tree)

    @cached_property
    def html(self) -> Values:
        links: Values = {"author": [], "tag": []}
        for link in cast("list[Element]", _REL_LINKS(self.tree)):
            links["author" if link.get("rel") == "author" else "tag"].append(flat_text(link))
        return _filled(
            {
                "title": [*self.headings[:1], self.head.title or ""],
                "published": [text for element in self.head.times if (text := self._complete_date(element))],
                "language": [self.tree.get("lang") or self.tree.get("xml:lang") or ""],
                "authors": links["author"],
                "tags": links["tag"] if len(links["tag"]) <= _TAG_CLOUD else [],
            }
        )

    @cached_property
    def heading(self) -> Element | None:
        """The element of the article's headline."""
        title = self.head.title or ""
        stated = [*self.json_ld.get("title", ())[:1], *self.opengraph.get("title", ())[:1], title]
        shown = {text: element for element in self.head.headings if (text := flat_text(element))}
        headline = article_heading(list(shown), [text for text in stated if text], self.site_names)
        return shown[headline] if headline else find_heading(self.tree, title)

    @cached_property
    def surroundings(self) -> Surroundings:
        """The lines around the headline."""
        if self.heading is not None:
            return surroundings(self.heading)
        body = self.tree.find("body")
        return top(self.tree if body is None else body)

    @cached_property
    def near_headline(self) -> Values:
        """Author and dates as readers see them next to the headline."""
        dates = self.dateline
        return _filled({"authors": list(self.byline), "published": dates.published, "modified": dates.modified})

    @cached_property
    def byline(self) -> tuple[str, ...]:
        around = self.surroundings
        names = byline(around, not_people=self.site_names)
        return names or (signed(self.tree) if any(is_eastern(line.text) for line in around.after[-1:]) else ())

    @cached_property
    def dateline(self) -> Dateline:
        near = dateline(self.surroundings, month_first=self._is_american)
        if near.published or self.html.get("published") or self.address:
            return near
        return near._replace(published=labelled_date(self.tree))

    @property
    def _is_american(self) -> bool:
        """True when the page's language, or English with its top-level domain, speaks for dates as 12/31/2024."""
        tag = (self.html.get("language") or self.opengraph.get("language") or [""])[0].lower().replace("_", "-")
        host = urlsplit(self.url).hostname or ""
        return tag == "en-us" or (tag == "en" and host.endswith(_AMERICAN_DOMAINS))

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
        """Texts of the first ``h1`` elements, or of what stands for one."""
        shown = self.head.headings or [self.heading]
        return [text for element in shown if element is not None and (text := flat_text(element))]

    @cached_property
    def kickers(self) -> list[str]:
        """Texts in elements of their own at the beginning of an ``h1``: the section, a headline above the headline."""
        firsts = (next(element.iterchildren(etree.Element), None) for element in self.head.headings)
        return [flat_text(first) for first in firsts if first is not None and len(first) <= 1]

    @cached_property
    def segments(self) -> Segments:
        """The lines and blocks of the page."""
        return read_segments(self.tree)

    @cached_property
    def prose(self) -> int:
        """Size of the page's visible lines that are longer than a headline or a menu entry."""
        lines = zip(self.segments.texts, self.segments.hidden.tolist(), strict=True)
        return sum(size(line) for line, hidden in lines if not hidden and 3 * len(line) >= TINY <= size(line))

    @cached_property
    def site_names(self) -> list[str]:
        """What the site calls itself: never an author nor a part of a headline."""
        named = (name for origin in ("json-ld", "opengraph", "meta") for name in self[origin].get("site_name", ()))
        return [*(one_line(name[:_LONGEST_NAME]) for name in named), urlsplit(self.url).hostname or ""]


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
