"""Documents as rows: what the pipelines found out, made fit for every database and export, and read back."""

from __future__ import annotations

from typing import Any

from newsmon.model import ArchiveRef, Article, Document, Kind, RobotsVerdict
from newsmon.storage.roles import pack_roles, unpack_paragraphs
from newsmon.storage.text import clean, clean_optional, text_digest


def document_row(document: Document, archive: ArchiveRef | None) -> dict[str, Any]:
    """Column values of a document, less the ids and the feed.

    :raises ValueError: when nobody has extracted anything from the page yet.
    """
    page, extract = document.page, document.extract
    if extract is None:
        raise ValueError(f"{page.url}: a document is stored after extraction, not before")
    text = clean(extract.text)
    return {
        "url": clean(page.url),
        "final_url": clean(page.final_url),
        "canonical_url": clean_optional(extract.canonical_url),
        "site": document.site,
        "kind": extract.kind.value,
        "title": clean_optional(extract.title),
        "text": text,
        "roles": pack_roles(extract.paragraphs, text),
        "summary": clean_optional(extract.summary),
        "authors": [clean(author) for author in extract.authors],
        "published": extract.published,
        "modified": extract.modified,
        "language": clean_optional(extract.language),
        "image": clean_optional(extract.image),
        "section": clean_optional(extract.section),
        "tags": [clean(tag) for tag in extract.tags],
        "paywalled": extract.paywalled,
        "method": extract.method,
        "confidence": extract.confidence,
        "rule_version": clean_optional(extract.rule_version),
        "origins": {name: clean(origin) for name, origin in extract.origins.items()},
        "reason": clean_optional(extract.reason),
        "status": page.status,
        "rendered": page.rendered,
        "fetched_at": page.fetched_at,
        "revision": 1,
        "text_sha256": text_digest(text),
        **_robots_columns(document.robots),
        **archive_columns(archive),
    }


def _robots_columns(robots: RobotsVerdict | None) -> dict[str, Any]:
    return {
        "robots_allowed": robots.allowed if robots else None,
        "robots_reason": clean(robots.reason) if robots else None,
        "robots_sha256": robots.sha256 if robots else None,
        "robots_fetched_at": robots.fetched_at if robots else None,
    }


def archive_columns(archive: ArchiveRef | None) -> dict[str, Any]:
    """Column values that say where the raw page lies."""
    return {
        "archive_file": archive.file if archive else None,
        "archive_offset": archive.offset if archive else None,
        "archive_length": archive.length if archive else None,
    }


def load_article(row: Any) -> Article:
    """Make the record of a row of ``documents``, or of an equal mapping."""
    values = dict(row)
    robots = RobotsVerdict(
        allowed=values.pop("robots_allowed"),
        reason=values.pop("robots_reason"),
        sha256=values.pop("robots_sha256"),
        fetched_at=values.pop("robots_fetched_at"),
    )
    archive = ArchiveRef(
        file=values.pop("archive_file"), offset=values.pop("archive_offset"), length=values.pop("archive_length")
    )
    values.pop("frontier_id", None)
    values["paragraphs"] = unpack_paragraphs(values["text"], values.pop("roles"))
    values |= {"kind": Kind(values["kind"]), "authors": tuple(values["authors"]), "tags": tuple(values["tags"])}
    return Article(
        **values,
        robots=None if robots.allowed is None else robots,
        archive=None if archive.file is None else archive,
    )
