"""Addresses in feeds: links, pictures, hubs."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urljoin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml import etree

    from newsmon.feeds.xmlfields import Fields

_HTTP = ("http://", "https://")
_LINE_BREAK = re.compile(r"[\t\r\n]+")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_IMAGE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif")


def resolve(link: str | None, base: str, element: etree._Element | None = None) -> str | None:
    """The absolute http(s) address of a link, None when it is not one.

    :param base: address to resolve against where the feed states no ``xml:base``.
    :param element: the element that states the link, for its ``xml:base``.

    >>> resolve(" /news/1 ", "http://zarya.example/rss.xml"), resolve("javascript:x()", "http://zarya.example/")
    ('http://zarya.example/news/1', None)
    """
    if not link:
        return None
    if not link.isprintable():
        link = _LINE_BREAK.sub("", link)
    link = link.strip()
    if link.startswith(_HTTP) and "[" not in link:
        return link
    try:
        stated = element.base if element is not None else None
        absolute = urljoin(urljoin(base, stated) if stated else base, link)
    except ValueError:  # "http://a[b" and the like
        return None
    scheme, colon, rest = absolute.partition(":")
    absolute = scheme.lower() + colon + rest
    return absolute if absolute.startswith(_HTTP) else None


def is_address(stated: str) -> bool:
    """Whether an identifier can serve as a link: an http(s) address, or a path on the site.

    >>> is_address("http://zarya.example/1"), is_address("/news/1"), is_address("tag:zarya.example,2024:1")
    (True, True, False)
    """
    return stated.startswith((*_HTTP, "/")) and len(stated.split()) == 1


def hub_of(links: Iterable[etree._Element], base: str) -> str | None:
    """Address of the WebSub hub among Atom links."""
    hubs = (resolve(link.get("href"), base, link) for link in links if "hub" in link.get("rel", "").split())
    return next(filter(None, hubs), None)


def picture(fields: Fields, base: str) -> str | None:
    """The first picture among the enclosures and Media RSS elements of an entry."""
    for element in chain(fields.get("picture", ()), *fields.get("media:group", ())):
        address = element.get("url") or element.get("href")
        if address and _is_picture(element, address):
            return resolve(address, base, element)
    return None


def _is_picture(element: etree._Element, address: str) -> bool:
    stated = element.get("type") or element.get("medium")
    if stated:
        return stated.startswith("image")
    is_named_so = isinstance(element.tag, str) and element.tag.endswith(("}thumbnail", "}image"))
    return is_named_so or address.partition("?")[0].lower().endswith(_IMAGE_ENDINGS)
