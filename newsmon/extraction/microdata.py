"""Microdata of a page (``itemscope``/``itemprop`` with schema.org types): the fields of its article."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from lxml import etree

from newsmon.extraction.jsonld import ARTICLE
from newsmon.extraction.text import Element, flat_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newsmon.extraction.head import Values

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
_MOST_VALUES = 50  # of one field
_PROPERTIES = etree.XPath("//*[@itemprop]")
_NAMES = etree.XPath(".//*[@itemprop='name']")
_ADDRESSES = etree.XPath(".//*[@itemprop='url' or @itemprop='contentUrl']")
_SOURCES = {"meta": "content", "time": "datetime", "img": "src", "link": "href", "source": "src", "data": "value"}


class Microdata(NamedTuple):
    """What microdata states of an article.

    :param body: the elements marked as ``articleBody``.
    """

    fields: Values
    body: list[Element]


def read_microdata(tree: Element) -> Microdata:
    """The fields of the page's article; properties of other items (comments, teasers, the publisher) are left out.

    Of several articles it is the one with a text, else the one that says most.
    """
    items: dict[Element | None, list[tuple[str, Element]]] = {}
    for element in cast("list[Element]", _PROPERTIES(tree)):
        for target in filter(None, map(FIELDS.get, element.get("itemprop", "").split())):
            scope = _scope(element)
            if scope is None or _is_article(scope):
                items.setdefault(scope, []).append((target, element))
    if not items:
        return Microdata({}, [])
    values: Values = {}
    body = []
    for target, element in max(items.values(), key=_fullness):
        if target == "text":
            body.append(element)
        elif len(values.get(target, ())) < _MOST_VALUES:
            values.setdefault(target, []).extend(_value(element, target))
    return Microdata({name: found for name, found in values.items() if found}, body)


def _fullness(properties: list[tuple[str, Element]]) -> tuple[bool, int]:
    targets = {target for target, _ in properties}
    return "text" in targets, len(targets)


def _scope(element: Element) -> Element | None:
    """The item a property belongs to."""
    return next((parent for parent in element.iterancestors() if parent.get("itemscope") is not None), None)


def _is_article(scope: Element) -> bool:
    kind = (scope.get("itemtype") or "").rstrip("/").rpartition("/")[2]
    return ARTICLE.search(kind) is not None or kind == "WebPage"


def _value(element: Element, target: str) -> list[str]:
    if element.get("itemscope") is None:
        return _stated(element)
    named = _NAMES(element) if target == "authors" else _ADDRESSES(element)
    nested = [text for item in cast("list[Element]", named)[:1] for text in _stated(item)]
    return nested if nested or target == "image" else _stated(element)


def _stated(element: Element) -> list[str]:
    stated = element.get("content") or element.get(_SOURCES.get(element.tag, "content"))
    text = flat_text(element) if stated is None else stated
    return [text] if text else []
