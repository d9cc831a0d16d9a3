"""What a page says of itself outside its text: meta elements, links, titles, and the scripts of JSON-LD.

One walk over the tree collects all of them; each property goes to the field it means. Names of expiry dates are in no
table on purpose: ``article:expiration_time`` is not when an article appeared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newsmon.extraction.text import Element, flat_text

if TYPE_CHECKING:
    from collections.abc import Mapping

Values = dict[str, list[str]]
"""Field of :class:`newsmon.model.Extract` -> values as the page states them, the best first."""

OPENGRAPH: Mapping[str, tuple[str, ...]] = {
    "title": ("og:title",),
    "summary": ("og:description",),
    "authors": ("article:author", "og:article:author"),
    "published": ("article:published_time", "og:article:published_time", "article:published"),
    "modified": ("article:modified_time", "og:article:modified_time", "article:modified", "og:updated_time"),
    "language": ("og:locale",),
    "image": ("og:image:secure_url", "og:image", "og:image:url"),
    "section": ("article:section", "og:article:section"),
    "tags": ("article:tag", "og:article:tag"),
    "canonical_url": ("og:url",),
    "paywalled": ("article:content_tier", "og:article:content_tier"),
    "type": ("og:type",),
    "site_name": ("og:site_name",),
}
META: Mapping[str, tuple[str, ...]] = {
    "title": ("parsely-title", "sailthru.title", "dc.title", "dcterms.title", "headline", "twitter:title"),
    "summary": ("description", "dc.description", "sailthru.description", "twitter:description"),
    "authors": (
        *("author", "parsely-author", "sailthru.author", "byl", "dc.creator", "dcterms.creator", "article.author"),
        *("authors", "article:author_name", "citation_author", "dc.contributor"),
    ),
    "published": (
        *("parsely-pub-date", "sailthru.date", "article.published", "datepublished", "pubdate", "publishdate"),
        *("publish-date", "publish_date", "publication_date", "published_time", "cxenseparse:recs:publishtime"),
        *("cxenseparse:publishtime", "mediator_published_time", "dc.date.issued", "dcterms.issued", "dcterms.created"),
        *("dc.date", "dc.date.created", "dcterms.date", "article_date_original", "originalpublicationdate"),
        *("rnews:datepublished", "iso-8601-publish-date", "citation_publication_date", "og:pubdate", "ptime", "date"),
    ),
    "modified": (
        *("article.updated", "datemodified", "dcterms.modified", "dc.date.modified", "last-modified", "lastmod"),
        *("rnews:datemodified", "revised", "article_date_updated"),
    ),
    "language": ("content-language", "dc.language", "dcterms.language", "language"),
    "image": (
        "twitter:image",
        "twitter:image:src",
        "parsely-image-url",
        "sailthru.image.full",
        "image_src",
        "thumbnail",
    ),
    "section": ("parsely-section", "sailthru.section", "article.section", "section"),
    "tags": ("news_keywords", "parsely-tags", "sailthru.tags", "dc.subject", "keywords"),
    "paywalled": ("content_tier", "cxenseparse:articleaccess"),
    "site_name": ("application-name", "cre"),
}
_JSON_LD = "application/ld+json"
_MAX_HEADINGS = 5


@dataclass(slots=True)
class Head:
    """Everything found in one walk, in document order."""

    meta: Values = field(default_factory=dict)
    canonical: list[str] = field(default_factory=list)
    json_ld: list[str] = field(default_factory=list)
    scripts: int = 0
    title: str | None = None
    headings: list[Element] = field(default_factory=list)
    times: list[Element] = field(default_factory=list)

    def values(self, table: Mapping[str, tuple[str, ...]]) -> Values:
        """The fields of a table, values of earlier names first."""
        found: Values = {}
        for name, properties in table.items():
            for key in properties:
                if key in self.meta:
                    found.setdefault(name, []).extend(self.meta[key])
        return found


def read_head(tree: Element) -> Head:
    """Collect meta, link, script, title, h1 and time elements; they may stand in the body as well."""
    head = Head()
    for element in tree.iter("meta", "link", "script", "title", "h1", "time"):
        _READERS[element.tag](head, element)
    return head


def _read_meta(head: Head, element: Element) -> None:
    content = element.get("content")
    if not content:
        return
    for attribute in ("property", "name", "itemprop", "http-equiv"):
        if key := element.get(attribute):
            if attribute != "itemprop":  # microdata has its own reader
                head.meta.setdefault(key.strip().lower(), []).append(content)
            return


def _read_link(head: Head, element: Element) -> None:
    rel = (element.get("rel") or "").lower().split()
    if "canonical" in rel and element.get("href"):
        head.canonical.append(element.get("href"))
    if "image_src" in rel and element.get("href"):
        head.meta.setdefault("image_src", []).append(element.get("href"))


def _read_script(head: Head, element: Element) -> None:
    head.scripts += 1
    if element.text and (element.get("type") or "").strip().lower().startswith(_JSON_LD):
        head.json_ld.append(element.text)


def _read_title(head: Head, element: Element) -> None:
    parent = element.getparent()
    if head.title is None and parent is not None and parent.tag != "svg":  # drawings have titles too
        head.title = flat_text(element)


def _read_heading(head: Head, element: Element) -> None:
    if len(head.headings) < _MAX_HEADINGS:
        head.headings.append(element)


def _read_time(head: Head, element: Element) -> None:
    if len(head.times) < _MAX_HEADINGS:
        head.times.append(element)


_READERS = {
    "meta": _read_meta,
    "link": _read_link,
    "script": _read_script,
    "title": _read_title,
    "h1": _read_heading,
    "time": _read_time,
}
