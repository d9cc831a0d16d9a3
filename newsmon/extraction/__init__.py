"""A fetched page to an article: its text by the site's rule or without one, its metadata, the kind of page.

::

    Page ── readable? ── rule versions ──┬── text ───────────────────────────────────────┐
                                         └── none: the trained classifier's text, or the ├── metadata ── kind ── Extract
                                             articleBody the page states (candidates)    ┘

>>> from datetime import UTC, datetime
>>> from newsmon.page import Page
>>> page = Page("http://a.example/1", "http://a.example/1", 200, b"<h1>Dam opens</h1><p>Text", datetime.now(UTC))
>>> found = extract(page)
>>> found.kind.value, found.title
('empty', 'Dam opens')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from lxml import etree

from newsmon.extraction import paper
from newsmon.extraction.candidates import Candidate, better
from newsmon.extraction.embedded import embedded_text
from newsmon.extraction.generic import hints_of, read_generic
from newsmon.extraction.metadata import Metadata, read_metadata
from newsmon.extraction.nonarticle import Evidence, page_kind
from newsmon.extraction.rules import RuleReading, read_by_rules
from newsmon.extraction.sources import Sources
from newsmon.extraction.stated import stated_text
from newsmon.extraction.text import TINY
from newsmon.model import Entry, Extract, Kind

if TYPE_CHECKING:
    from newsmon.extraction.classifier import Classifier
    from newsmon.extraction.repeats import Repeats
    from newsmon.extraction.text import Element
    from newsmon.page import Page
    from newsmon.siterules import SiteRules


Model: TypeAlias = "Classifier | paper.PaperModel"
"""A trained model of a method."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Pages beyond these are not read: no article needs them, and every stage would pay for them.

    :param body: bytes of the decompressed body.
    :param elements: elements of the tree.
    """

    body: int = 8 * 2**20
    elements: int = 100_000


DEFAULT_LIMITS = Limits()
METHODS = ("auto", "svm", "paper")

_COUNT_ELEMENTS = etree.XPath("count(//*)")


def extract(
    page: Page,
    *,
    rules: SiteRules | None = None,
    entry: Entry | None = None,
    limits: Limits = DEFAULT_LIMITS,
    method: str = "auto",
    model: Model | None = None,
    repeats: Repeats | None = None,
) -> Extract:
    """Read an article from a page. Never raises for what a page contains, and never calls an empty text an article.

    :param rules: the site's rules; the versions valid on the day of the fetch are tried, newest first.
    :param entry: what the feed said of the page, for fields nothing else gives.
    :param method: ``auto``: rules, and where they give nothing the best candidate; ``svm``: the trained classifier;
        ``paper``: the method of seed 001 as it was published. The last two leave the rules' text aside.
    :param repeats: what the site's other pages have in common; it is told of this page's lines as well.
    :param model: the trained model of the method; None for the one that comes with newsmon.
    :raises ValueError: there is no such method.
    """
    if method not in METHODS:
        raise ValueError(f"there is no method {method!r}; choose one of: {', '.join(METHODS)}")
    tree, problem = _readable(page, limits)
    if tree is None:
        return Extract(kind=Kind.UNPARSABLE, reason=problem)
    has_rule = rules is not None and bool(rules.versions)
    reading = read_by_rules(tree, rules.versions_at(page.fetched_at.date())) if rules and has_rule else RuleReading()
    sources = Sources(tree, page.final_url, reading.values, entry, rules.language if rules else None)
    found = _candidate(reading, sources, method, model, repeats)
    if repeats is not None:
        repeats.learn(page.url, sources.segments.texts)
    text = "\n\n".join(paragraph.text for paragraph in found.paragraphs)
    metadata = read_metadata(sources, now=page.fetched_at, time_zone=rules.zone if rules else None, text=text)
    paywalled = metadata.fields.get("paywalled")
    evidence = Evidence(page, sources, text, paywalled, found.confidence, found.method, sources.segments)
    kind, reason = page_kind(evidence)
    if kind is Kind.EMPTY:  # what was found is no text of an article
        found, text = Candidate("none", ()), ""
    return Extract(
        kind=kind,
        text=text,
        paragraphs=tuple(found.paragraphs),
        method=found.method,
        confidence=found.confidence,
        rule_version=reading.version if found.method == "rule" else None,
        origins=_named_origins(metadata, found.method, reading.version),
        reason=_reason(kind, reason, reading),
        **metadata.fields,
    )


def _candidate(
    reading: RuleReading, sources: Sources, method: str, model: Model | None, repeats: Repeats | None
) -> Candidate:
    if method == "paper":
        language = sources.tree.get("lang")
        found = paper.read(sources.tree, language, cast("paper.PaperModel | None", model))
        return Candidate("paper" if found else "none", found)
    if method == "auto" and reading.paragraphs:
        return Candidate("rule", reading.paragraphs)
    repeated = repeats.common(sources.segments.texts) if repeats is not None else None
    generic = read_generic(sources.segments, hints_of(sources), cast("Classifier | None", model), repeated)
    read = Candidate("svm" if generic.paragraphs else "none", generic.paragraphs, generic.confidence)
    if method == "svm":
        return read
    stated, origin = stated_text(sources)
    best = better(read, Candidate(origin, stated))
    if best.size < TINY and (embedded := embedded_text(sources.tree)):
        return Candidate("script", embedded)
    return best


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
        return f"{reason}: {reading.problem or 'the site has no rule'}, and nothing else gives one"
    return "; ".join(part for part in (reason, reading.problem) if part) or None
