"""Microdata of a page (``itemscope``/``itemprop`` with schema.org types): the fields of its article."""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from newsmon.extraction.head import Values
from newsmon.extraction.jsonld import ARTICLE
from newsmon.extraction.text import Element, flat_text, paragraphs

FIELDS: Mapping[str, str] = {
    "headline": "title",
    "description": "summary",
    "author": "authors",
    "creator": "authors",
    "datePublished": "published",
    "dateCreated": "published",
    "dateModified": "modified",
    "inLanguage": "language",
    "image": "image",
    "articleSection": "section",
    "keywords": "tags",
    "articleBody": "text",
    "isAccessibleForFree": "paywalled",
}
_PROPERTIES = etree.XPath("//*[@itemprop]")
_NAMED = etree.XPath(".//*[@itemprop='name' or @itemprop='url' or @itemprop='contentUrl']")
_SOURCES = {"meta": "content", "time": "datetime", "img": "src", "link": "href", "source": "src", "data": "value"}


def read_microdata(tree: Element) -> Values:
    """The fields of the page's article; properties of other items (comments, teasers, the publisher) are left out.

    ``text`` holds paragraphs, the other fields strings.
    """
    values: Values = {}
    article: Element | None = None
    for element in _PROPERTIES(tree):
        for name in element.get("itemprop").split():
            target = FIELDS.get(name)
            if target is None:
                continue
            scope = _scope(element)
            if scope is not None and not _is_article(scope):
                continue
            if article is None:
                article = scope
            if scope is article:
                values.setdefault(target, []).extend(_value(element, target))
    return {name: found for name, found in values.items() if found}


def _scope(element: Element) -> Element | None:
    """The item a property belongs to."""
    return next((parent for parent in element.iterancestors() if parent.get("itemscope") is not None), None)


def _is_article(scope: Element) -> bool:
    kind = (scope.get("itemtype") or "").rstrip("/").rpartition("/")[2]
    return ARTICLE.search(kind) is not None or kind == "WebPage"


def _value(element: Element, target: str) -> list[str]:
    if target == "text":
        return paragraphs([element])
    if element.get("itemscope") is not None:
        wanted = "name" if target == "authors" else "url"
        found = [item for item in _NAMED(element) if (item.get("itemprop") == "name") == (wanted == "name")]
        return [text for item in found[:1] for text in _plain_value(item)] or ([] if wanted == "url" else _plain_value(element))
    return _plain_value(element)


def _plain_value(element: Element) -> list[str]:
    stated = element.get("content") or element.get(_SOURCES.get(element.tag, "content"))
    text = stated if stated is not None else flat_text(element)
    return [text] if text else []
