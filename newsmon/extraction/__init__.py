"""A fetched page to an article: its text by the site's rule, its metadata from everything that states it.

::

    Page ── readable? ── rule versions ──┬── text ──────────────────────────┐
                                         └── none: articleBody of JSON-LD   ├── metadata ── kind of page ── Extract
                                             or microdata, if it is no stub ┘

>>> from datetime import UTC, datetime
>>> from newsmon.page import Page
>>> page = Page("http://a.example/1", "http://a.example/1", 200, b"<h1>Dam opens</h1><p>Text", datetime.now(UTC))
>>> found = extract(page)
>>> found.kind.value, found.title, found.reason
('empty', 'Dam opens', 'no text found: the site has no rule and the page states no articleBody')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from lxml import etree

from newsmon.extraction.metadata import Metadata, read_metadata
from newsmon.extraction.nonarticle import Evidence, page_kind
from newsmon.extraction.rules import RuleReading, read_by_rules
from newsmon.extraction.sources import Sources
from newsmon.extraction.stated import stated_text
from newsmon.model import Entry, Extract, Kind

if TYPE_CHECKING:
    from newsmon.extraction.text import Element
    from newsmon.page import Page
    from newsmon.siterules import SiteRules


@dataclass(frozen=True, slots=True)
class Limits:
    """Pages beyond these are not read: no article needs them, and every stage would pay for them.

    :param body: bytes of the decompressed body.
    :param elements: elements of the tree.
    """

    body: int = 8 * 2**20
    elements: int = 100_000


DEFAULT_LIMITS = Limits()

_COUNT_ELEMENTS = etree.XPath("count(//*)")


def extract(
    page: Page, *, rules: SiteRules | None = None, entry: Entry | None = None, limits: Limits = DEFAULT_LIMITS
) -> Extract:
    """Read an article from a page. Never raises for what a page contains, and never calls an empty text an article.

    :param rules: the site's rules; the versions valid on the day of the fetch are tried, newest first.
    :param entry: what the feed said of the page, for fields nothing else gives.
    """
    tree, problem = _readable(page, limits)
    if tree is None:
        return Extract(kind=Kind.UNPARSABLE, reason=problem)
    reading = read_by_rules(tree, rules.versions_at(page.fetched_at.date())) if rules else RuleReading()
    sources = Sources(tree, page.final_url, reading.values, entry, rules.language if rules else None)
    found, method = (reading.paragraphs, "rule") if reading.paragraphs else stated_text(sources)
    text = "\n\n".join(found)
    metadata = read_metadata(sources, now=page.fetched_at, time_zone=rules.zone if rules else None, text=text)
    kind, reason = page_kind(Evidence(page, sources, text, metadata.fields.get("paywalled")))
    return Extract(
        kind=kind,
        text=text,
        paragraphs=tuple(found),
        method=method,
        rule_version=reading.version if method == "rule" else None,
        origins=_named_origins(metadata, method, reading.version),
        reason=_reason(kind, reason, reading),
        **metadata.fields,
    )


def _readable(page: Page, limits: Limits) -> tuple[Element | None, str | None]:
    """The tree, or why the page is not read."""
    if len(page.body) > limits.body:
        return None, f"the body has {len(page.body)} bytes, more than {limits.body}"
    if (marks := page.body.count(b"<")) > 3 * limits.elements:  # known before the tree takes its memory
        return None, f"the body has {marks} tags, too many for {limits.elements} elements"
    if page.tree is None:
        return None, page.problem
    elements = int(cast("float", _COUNT_ELEMENTS(page.tree)))
    if elements > limits.elements:
        return None, f"the page has {elements} elements, more than {limits.elements}"
    return page.tree, None


def _named_origins(metadata: Metadata, method: str, version: str | None) -> dict[str, str]:
    """Origins with the rule's version spelt out, the text's among them."""
    origins = {**metadata.origins, **({"text": method} if method != "none" else {})}
    return {name: f"rule:{version}" if origin == "rule" and version else origin for name, origin in origins.items()}


def _reason(kind: Kind, reason: str | None, reading: RuleReading) -> str | None:
    """Why it is no article, and why the rule gave no text even if something else did."""
    if kind is Kind.EMPTY:
        why = reading.problem or "the site has no rule"
        return f"{reason}: {why} and the page states no articleBody"
    return "; ".join(part for part in (reason, reading.problem) if part) or None
