"""What kind of page it is, by plain evidence that can be shown to a person.

Each test looks for one kind and answers with the reason or with None; the first answer counts, so what is certain
(headers, redirects, what the page says of itself) comes before what is judged. They follow one rule: a long run of
prose is an article unless the page says otherwise itself, and a missing text alone proves nothing (the rule may be
broken), so the visible page has to show what it is. :func:`page_kind` is all that the rest of newsmon knows of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon.extraction.kinds.evidence import Evidence
from newsmon.extraction.kinds.lists import section, ticker
from newsmon.extraction.kinds.missing import soft_404
from newsmon.extraction.kinds.stubs import paywall, shell, video
from newsmon.extraction.kinds.walls import challenge, consent, is_consent_text, login
from newsmon.extraction.text import TINY, size
from newsmon.model import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Evidence", "page_kind"]

_LONGEST_WORD = 60  # characters a word of a text has at most on average
_MANY_LINES = 20


def page_kind(evidence: Evidence) -> tuple[Kind, str | None]:
    """The kind of a page and the evidence for it; no evidence is needed for an article with text."""
    for kind, test in _TESTS:
        if reason := test(evidence):
            return kind, reason
    if problem := _no_text(evidence):
        return Kind.EMPTY, problem
    return Kind.ARTICLE, None


def _no_text(evidence: Evidence) -> str | None:
    """Why the text, if there is one, is not the article's."""
    if not evidence.text:
        return "no text found"
    if evidence.trusted:
        return None
    if evidence.size < TINY // 2 and not evidence.says_article:
        return f"no text found but {len(evidence.text)} characters"
    if problem := _no_language(evidence.text):
        return f"no text found but {problem}"
    if evidence.size < 10 * TINY and is_consent_text(evidence.text):
        return "no text found but a notice about cookies"
    return None


def _no_language(text: str) -> str | None:
    """What a text is that no person wrote as one: a string without words, the same line over and over."""
    words = len(text.split()) + (size(text) - len(text)) // 2
    if len(text) > _LONGEST_WORD * words:
        return f"{len(text)} characters without words"
    lines = text.split("\n\n")
    if len(lines) >= _MANY_LINES and len(set(lines)) < len(lines) / _MANY_LINES:
        return f"the same {len(set(lines))} lines {len(lines)} times"
    return None


_TESTS: tuple[tuple[Kind, Callable[[Evidence], str | None]], ...] = (
    (Kind.CHALLENGE, challenge),
    (Kind.CONSENT, consent),
    (Kind.SOFT_404, soft_404),
    (Kind.LOGIN, login),
    (Kind.TICKER, ticker),
    (Kind.PAYWALL, paywall),
    (Kind.VIDEO, video),
    (Kind.SHELL, shell),
    (Kind.SECTION, section),
)
