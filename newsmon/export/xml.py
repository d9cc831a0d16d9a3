"""One XML document per article: clean text and metadata, the form of the source paper (2012, section 2.1).

The schema is ``newsmon/schemas/article.xsd``; every document is checked against it before it is written.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lxml import etree

from newsmon.errors import ExportError
from newsmon.export.folder import FolderWriter
from newsmon.markup.xml import add_body
from newsmon.records import iso_time

if TYPE_CHECKING:
    from datetime import datetime

    from newsmon.model import Article

NAMESPACE = "urn:newsmon:article:1"
_NAMESPACES: Any = {None: NAMESPACE}  # the stubs of lxml know no default namespace
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@cache
def schema() -> etree.XMLSchema:
    """The schema of an article's document."""
    text = (files("newsmon") / "schemas" / "article.xsd").read_bytes()
    return etree.XMLSchema(etree.XML(text))


class XmlWriter(FolderWriter):
    """A folder with one folder per site and one document per article in it: ``lenta.ru/17.xml``."""

    suffix = ".xml"

    def content(self, article: Article) -> bytes:
        """The document of an article.

        :raises ExportError: when the article does not fit the schema.
        """
        document = article_xml(article)
        try:
            schema().assertValid(document)
        except etree.DocumentInvalid as error:
            raise ExportError(f"article {article.id} ({article.url}): {error}") from error
        text: bytes = etree.tostring(document, encoding="utf-8", xml_declaration=True, pretty_print=False)
        return text


def article_xml(article: Article) -> etree._Element:
    """Return the document of an article."""
    root = etree.Element(_tag("article"), nsmap=_NAMESPACES)
    for name, value in (("id", str(article.id)), ("revision", str(article.revision)), ("kind", article.kind.value)):
        root.set(name, value)
    _add_source(root, article)
    _add_metadata(root, article)
    text = _add(root, "text", article.text, sha256=article.text_sha256)
    text.set(_XML_SPACE, "preserve")
    add_body(root, article, NAMESPACE)
    _add_extraction(root, article)
    _add_fetch(root, article)
    return root


def _add_source(root: etree._Element, article: Article) -> None:
    source = _add(root, "source")
    _add(source, "site", article.site)
    _add_known(source, "feed", article.feed)
    _add(source, "url", article.url)
    _add(source, "final-url", article.final_url)
    _add_known(source, "canonical-url", article.canonical_url)


def _add_metadata(root: etree._Element, article: Article) -> None:
    metadata = _add(root, "metadata")
    _add_known(metadata, "title", article.title)
    _add_known(metadata, "summary", article.summary)
    for author in article.authors:
        _add(metadata, "author", author)
    _add_known(metadata, "published", article.published)
    _add_known(metadata, "modified", article.modified)
    for name in ("language", "image", "section"):
        _add_known(metadata, name, getattr(article, name))
    for tag in article.tags:
        _add(metadata, "tag", tag)
    _add_known(metadata, "paywalled", article.paywalled)


def _add_extraction(root: etree._Element, article: Article) -> None:
    extraction = _add(root, "extraction", method=article.method)
    if article.confidence is not None:
        extraction.set("confidence", repr(article.confidence))
    _add_known(extraction, "rule-version", article.rule_version)
    _add_known(extraction, "reason", article.reason)
    for name, origin in article.origins.items():
        _add(extraction, "origin", origin, field=name)


def _add_fetch(root: etree._Element, article: Article) -> None:
    fetch = _add(root, "fetch", at=iso_time(article.fetched_at), status=str(article.status))
    fetch.set("rendered", _plain(article.rendered))
    if article.robots is not None:
        robots = _add(fetch, "robots", article.robots.reason, allowed=_plain(article.robots.allowed))
        for name, value in (("sha256", article.robots.sha256), ("fetched-at", article.robots.fetched_at)):
            if value is not None:
                robots.set(name, _plain(value))
    if article.archive is not None:
        place = article.archive
        _add(fetch, "archive", place.file, offset=str(place.offset), length=str(place.length))


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _add(parent: etree._Element, name: str, text: str | None = None, **attributes: str) -> etree._Element:
    child = etree.SubElement(parent, _tag(name), attributes)
    child.text = text
    return child


def _add_known(parent: etree._Element, name: str, value: str | bool | datetime | None) -> None:
    """Add an element for a value that may be missing: an empty element is an empty text, none is unknown."""
    if value is not None:
        _add(parent, name, _plain(value))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else iso_time(value)
