"""Pages and rules made up for tests of extraction."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from newsmon.extraction import extract
from newsmon.page import Page
from newsmon.siterules import SiteRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from newsmon.model import Entry, Extract

NOW = datetime(2024, 5, 10, 12, tzinfo=UTC)
URL = "http://zarya.example/news/2024/dam"
TEXT = {"text": ["//article//p"]}
SENTENCE = "The new dam above the old town opened on Friday after six years of work and two floods. "


def page(
    body: str | bytes,
    *,
    url: str = URL,
    final_url: str | None = None,
    headers: Mapping[str, str] | None = None,
    fetched_at: datetime = NOW,
    status: int = 200,
) -> Page:
    """A fetched page; text is sent as UTF-8."""
    raw = body.encode() if isinstance(body, str) else body
    sent = {"content-type": "text/html; charset=utf-8"} if headers is None else headers
    return Page(url, final_url or url, status, raw, fetched_at, sent)


def rules(*versions: Mapping[str, Any], **site: Any) -> SiteRules:
    """Rules of one site; versions without an id are numbered."""
    named = tuple({"id": str(number), **version} for number, version in enumerate(versions, 1))
    return SiteRules(domain="zarya.example", versions=named, **site)


def article(text: str = SENTENCE * 12, head: str = "", title: str = "Dam opens") -> str:
    """An article page of the usual form."""
    body = f"<article><h1>{title}</h1><p>{text}</p></article>"
    return f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def real_pages(data: Path, *, every: int = 5) -> Iterator[tuple[Page, dict[str, Any]]]:
    """Each n-th real page of the measuring data with its line of the manifest."""
    for manifest in sorted(data.glob("sites/*/manifest.jsonl.gz")):
        for line in gzip.decompress(manifest.read_bytes()).splitlines()[::every]:
            known = json.loads(line)
            raw = gzip.decompress((manifest.parent / f"{known['file']}.gz").read_bytes())
            yield page(raw, url=known["url"] or URL, fetched_at=NOW.replace(year=2026), headers={}), known


def linked(*nodes: Any, **fields: Any) -> str:
    """A JSON-LD script with some nodes, and a NewsArticle with the fields where any are given."""
    found = [*nodes, {"@context": "https://schema.org", "@type": "NewsArticle", **fields}] if fields else list(nodes)
    return f'<script type="application/ld+json">{json.dumps(found[0] if len(found) == 1 else found)}</script>'


def meta(**properties: str) -> str:
    """Meta elements; ``og__title`` stands for ``og:title``."""
    return "".join(
        f'<meta property="{name.replace("__", ":")}" content="{value}">' for name, value in properties.items()
    )


def read(head: str = "", *, title: str = "", url: str = URL, entry: Entry | None = None, **site: Any) -> Extract:
    """What is read of an article page with this in its head."""
    return extract(page(article(head=head, title=title), url=url), rules=rules(TEXT, **site), entry=entry)
