"""The children of an XML element by what they state, whatever format and module states it, and their texts.

An entry of 30 fields costs one pass over its children; a reader then asks for ``published`` and not for
``pubDate``, ``dc:date``, ``dcterms:issued``, ``atom:published`` in turn.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from newsmon.feeds.plaintext import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

Fields = dict[str, list[etree._Element]]

MAX_NAMES = 50
"""Authors or tags kept of one entry."""

MAX_LENGTH = 16_000
"""Characters read of one field."""

MAX_FIELDS = 10_000
"""Children looked at of one element."""

MAX_TAGS = 2000
"""Tags remembered of one namespace; a hostile feed may invent any number."""

_PREFIXES = {
    "": "",
    "http://purl.org/rss/1.0": "",
    "http://my.netscape.com/rdf/simple/0.9": "",
    "http://channel.netscape.com/rdf/simple/0.9": "",
    "http://my.netscape.com/publish/formats/rss-0.91.dtd": "",
    "http://backend.userland.com/rss": "",
    "http://backend.userland.com/rss2": "",
    "http://backend.userland.com/rss091": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://purl.org/net/rss1.1": "",
    "http://www.w3.org/2005/atom": "atom:",
    "http://purl.org/atom/ns": "atom:",
    "http://purl.org/dc/elements/1.1": "dc:",
    "http://purl.org/dc/elements/1.0": "dc:",
    "http://purl.org/dc/terms": "dcterms:",
    "http://purl.org/rss/1.0/modules/content": "content:",
    "http://purl.org/rss/1.0/modules/syndication": "sy:",
    "http://search.yahoo.com/mrss": "media:",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner:",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
    "http://news.yandex.ru": "yandex:",
    "http://www.google.com/schemas/sitemap-news/0.9": "news:",
    "http://www.google.com/schemas/sitemap-image/1.1": "image:",
}
_SAME = {
    "title": ("dc:title",),
    "guid": ("dc:identifier",),
    "published": ("pubdate", "dc:date", "dcterms:issued", "dcterms:created", "atom:published", "issued", "created"),
    "updated": ("atom:updated", "dcterms:modified", "modified"),
    "author": ("dc:creator",),
    "category": ("dc:subject",),
    "summary": ("description", "atom:summary"),
    "content": ("content:encoded", "yandex:full-text", "fulltext", "media:description", "atom:content"),
    "language": ("dc:language",),
    "picture": ("enclosure", "media:content", "media:thumbnail", "itunes:image"),
}
_MEANING = {name: meaning for meaning, names in _SAME.items() for name in names}
_XML = "{http://www.w3.org/XML/1998/namespace}"
_ADDRESS = re.compile(r"[(<\[]?(?:mailto:)?[^\s()<>@]+@[^\s()<>@]+\.[^\s()<>@]+[)>\]]?")


class ShortNames(dict[object, str]):
    """Short name of each tag: what it states, or its local name after the usual prefix of its namespace.

    :param home: namespace whose names stand without a prefix, as those of RSS always do.

    >>> names = ShortNames()
    >>> names["{http://purl.org/dc/elements/1.1/}creator"], names["pubDate"], names["ttl"], names["{urn:x}link"]
    ('author', 'published', 'ttl', '{urn:x}link')
    """

    def __init__(self, home: str = "") -> None:
        super().__init__()
        self._home = _normal(home)

    def __missing__(self, tag: object) -> str:
        if not isinstance(tag, str):  # an entity that nobody declared
            return ""
        namespace, _, local = tag.rpartition("}")
        namespace = _normal(namespace[1:])
        prefix = "" if namespace == self._home else _PREFIXES.get(namespace)
        name = tag if prefix is None else prefix + local.lower()
        name = _MEANING.get(name, name)
        if len(self) < MAX_TAGS:
            self[tag] = name
        return name


@lru_cache(maxsize=64)
def names_in(home: str) -> ShortNames:
    """The short names in documents of one namespace, remembered between feeds."""
    return ShortNames(home)


def _normal(namespace: str) -> str:
    return namespace.rstrip("/#").lower()


def namespace_of(element: etree._Element) -> str:
    """Namespace of an element, empty when it has none."""
    namespace, brace, _ = element.tag.rpartition("}")  # etree.QName refuses prefixes that nobody declared
    return namespace[1:] if brace else ""


def fields_of(element: etree._Element, home: str = "") -> Fields:
    """The children of an element by short name, in document order."""
    names = names_in(home)
    fields: Fields = {}
    for child in islice(element, MAX_FIELDS):
        name = names[child.tag]
        if name in fields:
            fields[name].append(child)
        else:
            fields[name] = [child]
    return fields


def markup_of(element: etree._Element) -> str:
    """What an element holds: its text, or its nested elements as markup."""
    if len(element) == 0:
        return (element.text or "")[:MAX_LENGTH]
    return str(etree.tostring(element, encoding="unicode", with_tail=False))[:MAX_LENGTH]


def raw(fields: Fields, name: str) -> str | None:
    """Text of the first field of this name that has any."""
    for element in fields.get(name, ()):
        found = element.text
        if found and (found := found.strip()):
            return found[:MAX_LENGTH]
    return None


def text(fields: Fields, name: str) -> str | None:
    """Plain text of the first field of this name that has any; it is read as HTML."""
    for element in fields.get(name, ()):
        if found := plain(markup_of(element)):
            return found
    return None


def language_of(element: etree._Element) -> str | None:
    """The language an element states for itself."""
    return as_language(element.get(_XML + "lang"))


def as_language(value: object) -> str | None:
    """A language code, or None when it is none.

    >>> as_language(" ru-RU "), as_language("<b>")
    ('ru-RU', None)
    """
    if not isinstance(value, str):
        return None
    code = value.strip()
    return code if re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", code) else None


def person(value: str) -> str | None:
    """Name of a person; an e-mail address beside it goes, and an address alone is no name.

    >>> person("ann@zarya.example (Ann Lee)"), person("Ann Lee <ann@zarya.example>"), person("ann@zarya.example")
    ('Ann Lee', 'Ann Lee', None)
    """
    value = value[:300]
    name = plain(_ADDRESS.sub(" ", value) if "@" in value else value).strip("()<>, ")
    return name or None


def distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    """The values that are not empty, each once, not too many."""
    return tuple(dict.fromkeys(filter(None, values)))[:MAX_NAMES]
