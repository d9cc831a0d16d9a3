"""Feeds as sites write them: RSS 2.0, RDF (RSS 1.0), Atom, JSON Feed, news sitemap, sitemap and sitemap index."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.utils import format_datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'


@dataclass(frozen=True, slots=True)
class Channel:
    """What a feed says of itself."""

    title: str
    link: str
    url: str
    language: str


@dataclass(frozen=True, slots=True)
class Item:
    """One entry; times are aware."""

    url: str
    title: str | None = None
    summary: str | None = None
    published: datetime | None = None
    updated: datetime | None = None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def rss(channel: Channel, items: Iterable[Item], *, encoding: str = "utf-8", ttl: int | None = None) -> bytes:
    """RSS 2.0; ``ttl`` in minutes."""
    lines = [
        f'<?xml version="1.0" encoding="{encoding}"?>',
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>',
        f"<title>{escape(channel.title)}</title><link>{escape(channel.link)}</link>",
        f"<description>{escape(channel.title)}</description><language>{channel.language}</language>",
        f"<ttl>{ttl}</ttl>" if ttl else "",
    ]
    for item in items:
        lines += ["<item>", _element("title", item.title), _element("link", item.url)]
        lines += [f'<guid isPermaLink="true">{escape(item.url)}</guid>', _element("description", item.summary)]
        lines += [_element("dc:creator", name) for name in item.authors]
        lines += [_element("category", tag) for tag in item.tags]
        lines += [_element("pubDate", format_datetime(item.published) if item.published else None), "</item>"]
    return _joined([*lines, "</channel></rss>"], encoding)


def rdf(channel: Channel, items: Iterable[Item]) -> bytes:
    """RDF Site Summary 1.0 with Dublin Core dates and names."""
    entries = list(items)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"',
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">',
        f"<channel rdf:about={quoteattr(channel.url)}><title>{escape(channel.title)}</title>",
        f"<link>{escape(channel.link)}</link><description>{escape(channel.title)}</description><items><rdf:Seq>",
        *(f"<rdf:li rdf:resource={quoteattr(item.url)}/>" for item in entries),
        "</rdf:Seq></items></channel>",
    ]
    for item in entries:
        lines += [f"<item rdf:about={quoteattr(item.url)}>", _element("title", item.title)]
        lines += [_element("link", item.url), _element("description", item.summary), _moment("dc:date", item.published)]
        lines += [_element("dc:creator", ", ".join(item.authors)), "</item>"]
    return _joined([*lines, "</rdf:RDF>"])


def atom(channel: Channel, items: Iterable[Item], *, updated: datetime) -> bytes:
    """Atom 1.0."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{channel.language}">',
        f"<title>{escape(channel.title)}</title><id>{escape(channel.url)}</id>",
        f'<link href={quoteattr(channel.link)}/><link rel="self" href={quoteattr(channel.url)}/>',
        _moment("updated", updated),
    ]
    for item in items:
        lines += ["<entry>", _element("title", item.title), _element("id", item.url)]
        lines += [f'<link rel="alternate" href={quoteattr(item.url)}/>', _moment("published", item.published)]
        lines += [_moment("updated", item.updated or item.published)]
        lines += [f"<author><name>{escape(name)}</name></author>" for name in item.authors]
        lines += [_element("summary", item.summary), "</entry>"]
    return _joined([*lines, "</feed>"])


def json_feed(channel: Channel, items: Iterable[Item]) -> bytes:
    """JSON Feed 1.1."""
    entries = [
        {
            "id": item.url,
            "url": item.url,
            "title": item.title,
            "summary": item.summary,
            "date_published": item.published and item.published.isoformat(),
            "authors": [{"name": name} for name in item.authors],
            "tags": list(item.tags),
        }
        for item in items
    ]
    record = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": channel.title,
        "home_page_url": channel.link,
        "feed_url": channel.url,
        "language": channel.language,
        "items": entries,
    }
    return json.dumps(record, ensure_ascii=False, indent=1).encode()


def news_sitemap(channel: Channel, items: Iterable[Item]) -> bytes:
    """A sitemap with Google's news extension: addresses, titles, publication dates."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<urlset {_SITEMAP} {_NEWS}>"]
    for item in items:
        lines += [f"<url><loc>{escape(item.url)}</loc><news:news><news:publication>"]
        lines += [_element("news:name", channel.title), _element("news:language", channel.language)]
        lines += ["</news:publication>", _moment("news:publication_date", item.published)]
        lines += [_element("news:title", item.title), "</news:news></url>"]
    return _joined([*lines, "</urlset>"])


def sitemap(items: Iterable[Item]) -> bytes:
    """A plain sitemap: addresses with ``lastmod``."""
    rows = (f"<url><loc>{escape(i.url)}</loc>{_moment('lastmod', i.updated or i.published)}</url>" for i in items)
    return _joined(['<?xml version="1.0" encoding="utf-8"?>', f"<urlset {_SITEMAP}>", *rows, "</urlset>"])


def sitemap_index(children: Iterable[tuple[str, datetime]]) -> bytes:
    """A sitemap index: addresses of sitemaps with ``lastmod``."""
    rows = (f"<sitemap><loc>{escape(url)}</loc>{_moment('lastmod', at)}</sitemap>" for url, at in children)
    return _joined(['<?xml version="1.0" encoding="utf-8"?>', f"<sitemapindex {_SITEMAP}>", *rows, "</sitemapindex>"])


def _element(name: str, text: str | None) -> str:
    return f"<{name}>{escape(text)}</{name}>" if text else ""


def _moment(name: str, moment: datetime | None) -> str:
    return f"<{name}>{moment.isoformat()}</{name}>" if moment else ""


def _joined(lines: Iterable[str], encoding: str = "utf-8") -> bytes:
    return "\n".join(line for line in lines if line).encode(encoding, "xmlcharrefreplace")
