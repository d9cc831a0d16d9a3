"""OPML 1.0 and 2.0: lists of feeds, as every feed reader exports and imports them."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import format_datetime
from typing import TYPE_CHECKING

from lxml import etree

from newsmon.errors import FeedError
from newsmon.feeds.xmlfields import as_language
from newsmon.feeds.xmllinks import resolve
from newsmon.feeds.xmltext import feed_text, parse_from
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

MAX_FEEDS = 100_000


@dataclass(frozen=True, slots=True)
class OpmlFeed:
    """One feed of a list.

    :param url: address of the feed.
    :param site_url: address of the site's home page.
    :param folders: names of the folders it lies in, outermost first.
    """

    url: str
    title: str | None = None
    site_url: str | None = None
    folders: tuple[str, ...] = ()
    language: str | None = None


def read_opml(body: bytes, *, content_type: str | None = None) -> list[OpmlFeed]:
    """Read a list of feeds; an address that stands in it twice is read once.

    :raises FeedError: when the body is no OPML.

    >>> read_opml(b'<opml><body><outline text="News"><outline xmlUrl="http://zarya.example/rss"/></outline></body></opml>')
    [OpmlFeed(url='http://zarya.example/rss', title=None, site_url=None, folders=('News',), language=None)]
    """
    root = parse_from(feed_text(body, content_type), "opml")
    if root is None:
        raise FeedError("not an OPML file: it has no <opml> element; export the list as OPML and try again")
    feeds: dict[str, OpmlFeed] = {}
    for feed in _walk(root):
        if len(feeds) < MAX_FEEDS:
            feeds.setdefault(feed.url, feed)
    return list(feeds.values())


def write_opml(feeds: Iterable[OpmlFeed], *, title: str, created: datetime) -> bytes:
    """Write a list of feeds as OPML 2.0 in UTF-8; feeds of one folder stand together.

    :param created: aware time of writing.
    """
    opml = etree.Element("opml", version="2.0")
    head = etree.SubElement(opml, "head")
    etree.SubElement(head, "title").text = one_line(title)
    etree.SubElement(head, "dateCreated").text = format_datetime(created)
    folders: dict[tuple[str, ...], etree._Element] = {(): etree.SubElement(opml, "body")}
    for feed in feeds:
        etree.SubElement(_folder(folders, feed.folders), "outline", _attributes(feed))
    return bytes(etree.tostring(opml, encoding="utf-8", xml_declaration=True, pretty_print=True))


def _walk(root: etree._Element) -> Iterator[OpmlFeed]:
    """The feeds in document order; iterative, because folders may be nested without end."""
    path: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str) or element.tag.lower() != "outline":
            continue
        if event == "end":
            path.pop()
            continue
        attributes = {name.lower(): value for name, value in element.attrib.items()}
        name = one_line(attributes.get("title") or attributes.get("text") or "")
        path.append(name)
        url = resolve(attributes.get("xmlurl"), "")
        if url:
            yield OpmlFeed(
                url=url,
                title=name or None,
                site_url=resolve(attributes.get("htmlurl"), ""),
                folders=tuple(folder for folder in path[:-1] if folder),
                language=as_language(attributes.get("language")),
            )


def _folder(folders: dict[tuple[str, ...], etree._Element], path: tuple[str, ...]) -> etree._Element:
    if path not in folders:
        folders[path] = etree.SubElement(_folder(folders, path[:-1]), "outline", {"text": one_line(path[-1])})
    return folders[path]


def _attributes(feed: OpmlFeed) -> dict[str, str]:
    title = one_line(feed.title or feed.url)
    stated = {"type": "rss", "text": title, "title": title, "xmlUrl": one_line(feed.url)}
    optional = {"htmlUrl": feed.site_url, "language": feed.language}
    return stated | {name: one_line(value) for name, value in optional.items() if value}
