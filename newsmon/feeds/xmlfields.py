"""The children of an XML element by short name, and the texts, names and languages they state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from lxml import etree

from newsmon.feeds.plaintext import one_line, plain, summary

Fields = dict[str, list[etree._Element]]

MAX_NAMES = 50
"""Authors or tags kept of one entry."""

MAX_LENGTH = 16_000
"""Characters read of one field."""

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
    "http://www.google.com/schemas/sitemap-news/0.9": "news:",
    "http://www.google.com/schemas/sitemap-image/1.1": "image:",
}
_XML = "{http://www.w3.org/XML/1998/namespace}"
_ADDRESS = re.compile(r"[(<\[]?(?:mailto:)?[^\s()<>@]+@[^\s()<>@]+\.[^\s()<>@]+[)>\]]?")


@lru_cache(maxsize=4096)
def short_name(tag: str, home: str = "") -> str:
    """Name of a tag with the usual prefix of its namespace, whatever prefix the feed uses.

    :param home: namespace whose names stand without a prefix, beside those of RSS.

    >>> short_name("{http://purl.org/dc/elements/1.1/}creator"), short_name("pubDate"), short_name("{urn:x}link")
    ('dc:creator', 'pubdate', '{urn:x}link')
    """
    namespace, _, local = tag.rpartition("}")
    namespace = namespace[1:].rstrip("/#").lower()
    prefix = "" if namespace == home.rstrip("/#").lower() else _PREFIXES.get(namespace)
    return tag if prefix is None else prefix + local.lower()


def fields_of(element: etree._Element, home: str = "") -> Fields:
    """The children of an element by short name, in document order."""
    fields: Fields = {}
    for child in element:
        if isinstance(child.tag, str):  # not an unresolved entity
            fields.setdefault(short_name(child.tag, home), []).append(child)
    return fields


def markup_of(element: etree._Element) -> str:
    """What an element holds: its text, or its nested elements as markup."""
    if len(element) == 0:
        return (element.text or "")[:MAX_LENGTH]
    return str(etree.tostring(element, encoding="unicode", with_tail=False))[:MAX_LENGTH]


def every(fields: Fields, *names: str) -> Iterator[etree._Element]:
    """All fields of these names, name by name."""
    return chain.from_iterable(fields.get(name, ()) for name in names)


def raw(fields: Fields, *names: str) -> str | None:
    """Text of the first of these fields that has any."""
    for element in every(fields, *names):
        if found := (element.text or "")[:MAX_LENGTH].strip():
            return found
    return None


def text(fields: Fields, *names: str) -> str | None:
    """Plain text of the first of these fields that has any."""
    return next(filter(None, map(text_of, every(fields, *names))), None)


def text_of(element: etree._Element) -> str:
    """Plain text of one element."""
    return (plain if states_html(element) else one_line)(markup_of(element))


def summary_text(fields: Fields, *names: str) -> str | None:
    """Like :func:`text`, but at most as long as a summary may be."""
    for element in every(fields, *names):
        if found := summary(markup_of(element), html=states_html(element)):
            return found
    return None


def states_html(element: etree._Element) -> bool:
    """Whether an element holds HTML: everything but what Atom calls plain text."""
    kind = element.get("type")
    return len(element) > 0 or kind not in ("text", "text/plain")


def language_of(element: etree._Element) -> str | None:
    """The language an element states for itself."""
    return as_language(element.get(_XML + "lang"))


def as_language(value: object) -> str | None:
    """A language code, or None when it is none.

    >>> as_language(" ru-RU "), as_language("<b>")
    ('ru-RU', None)
    """
    code = value.strip() if isinstance(value, str) else ""
    return code if re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}", code) else None


def person(value: str) -> str | None:
    """Name of a person; an e-mail address beside it goes, and an address alone is no name.

    >>> person("ann@zarya.example (Ann Lee)"), person("Ann Lee <ann@zarya.example>"), person("ann@zarya.example")
    ('Ann Lee', 'Ann Lee', None)
    """
    name = plain(_ADDRESS.sub(" ", value[:300])).strip("()<>, ")
    return name or None


def distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    """The values that are not empty, each once, not too many."""
    return tuple(dict.fromkeys(value for value in values if value))[:MAX_NAMES]
