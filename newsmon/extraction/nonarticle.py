"""What kind of page it is, by plain evidence that can be shown to a person.

Each test below looks for one kind and answers with the reason or with None; the first answer counts. They follow one
rule: a long text found by a rule is an article unless the page says otherwise itself, and a missing text alone proves
nothing (the rule may be broken), so the visible page has to show what it is. :func:`page_kind` is all that the rest of
newsmon knows of this module; a learned classifier can take its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lxml import etree

from newsmon.extraction import phrases
from newsmon.extraction.jsonld import is_article, types
from newsmon.extraction.text import SHORT, TINY, flat_text, size
from newsmon.model import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newsmon.extraction.sources import Sources
    from newsmon.page import Page

_WORD = re.compile(r"\w+")
_CONSENT_SHARE = 0.04
_LONGEST_WALL = 6000
_APPLICATION = etree.XPath(
    "boolean(//div[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='___gatsby' or @id='main-app'])"
)
_PASSWORD = etree.XPath("boolean(//input[@type='password'])")
_HEADLINE_LENGTH = 25
_SECTION_LINKS = 15


@dataclass(frozen=True)
class Evidence:
    """What is known of a page when its kind is judged.

    :param text: the text extraction found, empty when none.
    :param paywalled: what the page says of itself.
    """

    page: Page
    sources: Sources
    text: str
    paywalled: bool | None = None

    @cached_property
    def size(self) -> int:
        return size(self.text)

    @cached_property
    def titles(self) -> Sequence[str]:
        """Title and first headings in lower case."""
        return [text.lower() for text in (self.sources.head.title or "", *self.sources.headings[:2]) if text]

    @cached_property
    def visible(self) -> str:
        """All text of the page, in lower case."""
        return "\n".join(self.sources.visible).lower()

    @property
    def prose(self) -> int:
        """Size of the page's longer paragraphs: much of it and no text means a broken rule, not another kind."""
        return self.sources.prose

    @cached_property
    def json_types(self) -> set[str]:
        return {name for node in self.sources.nodes for name in types(node)}

    @cached_property
    def og_type(self) -> str:
        return "".join(self.sources.opengraph.get("type", ())[:1]).lower()

    @cached_property
    def says_article(self) -> bool:
        """True when the page's own metadata calls it an article."""
        return self.og_type == "article" or any(is_article(node) for node in self.sources.nodes)

    def titled(self, pattern: re.Pattern[str]) -> str | None:
        """The first title that matches."""
        return next((title for title in self.titles if pattern.search(title)), None)


def page_kind(evidence: Evidence) -> tuple[Kind, str | None]:
    """The kind of a page and the evidence for it; no evidence is needed for an article with text."""
    for kind, test in _TESTS:
        if reason := test(evidence):
            return kind, reason
    if evidence.text:
        return Kind.ARTICLE, None
    return Kind.EMPTY, "no text found"


def _challenge(evidence: Evidence) -> str | None:
    headers = evidence.page.headers
    if headers.get("cf-mitigated", "").lower() == "challenge":
        return "the header cf-mitigated says challenge"
    if (action := headers.get("x-amzn-waf-action", "").lower()) in ("challenge", "captcha"):
        return f"the header x-amzn-waf-action says {action}"
    if evidence.size >= SHORT:
        return None
    if title := evidence.titled(phrases.CHALLENGE_TITLE):
        return f"the title says {title!r}"
    if evidence.size >= TINY or size(evidence.visible) >= SHORT:
        return None
    match = phrases.CHALLENGE_MARKUP.search(evidence.page.decoded.text.lower())
    return f"a page without content holds {match.group()!r}" if match else None


def _consent(evidence: Evidence) -> str | None:
    if evidence.page.final_url != evidence.page.url and phrases.CONSENT_ADDRESS.search(evidence.page.final_url):
        return f"redirected to {evidence.page.final_url}"
    if evidence.says_article or evidence.size > _LONGEST_WALL:
        return None
    text = evidence.text.lower() if evidence.size >= TINY else evidence.visible
    if not phrases.CONSENT_APPEAL.search(text):
        return None
    found = phrases.CONSENT_WORD.findall(text)
    words = len(_WORD.findall(text)) + (size(text) - len(text)) // 4  # two signs of Chinese are about a word
    if len(found) >= 4 and len(found) >= _CONSENT_SHARE * words:
        return f"{len(found)} of {words} words are about cookies and consent"
    return None


def _soft_404(evidence: Evidence) -> str | None:
    asked, answered = urlsplit(evidence.page.url), urlsplit(evidence.page.final_url)
    if len(asked.path) > 1 and answered.path in ("", "/") and not answered.query:
        return "redirected to the front page"
    if evidence.size < SHORT and (title := evidence.titled(phrases.NOT_FOUND)) and evidence.prose < SHORT:
        return f"the title says {title!r}"
    return None


def _login(evidence: Evidence) -> str | None:
    if evidence.size >= TINY:
        return None
    if phrases.LOGIN_ADDRESS.search(urlsplit(evidence.page.final_url).path):
        return f"{evidence.page.final_url} is a login address"
    if evidence.prose < SHORT and evidence.titled(phrases.LOGIN) and _PASSWORD(evidence.sources.tree):
        return "the page is a login form"
    return None


def _ticker(evidence: Evidence) -> str | None:
    return "JSON-LD says LiveBlogPosting" if "LiveBlogPosting" in evidence.sources.json_ld.get("type", ()) else None


def _paywall(evidence: Evidence) -> str | None:
    """A stub: the page says it is closed, or shows what is cut and asks for money."""
    if evidence.size >= SHORT or evidence.paywalled is False:
        return None
    if evidence.paywalled and evidence.size >= TINY:
        return f"a text of {len(evidence.text)} characters, and the page states that it is not free"
    if evidence.size < TINY and evidence.prose >= SHORT:
        return None
    cut = evidence.paywalled or evidence.size < TINY or evidence.text.endswith(("…", "..."))
    if match := phrases.PAYWALL.search(evidence.visible if cut else evidence.text.lower()):
        return f"a text of {len(evidence.text)} characters on a page that says {match.group()!r}"
    return None


def _video(evidence: Evidence) -> str | None:
    if evidence.size >= 2 * TINY:
        return None
    if evidence.og_type.startswith("video"):
        return f"og:type is {evidence.og_type!r} and there is hardly any text"
    if "VideoObject" in evidence.json_types and not evidence.says_article:
        return "JSON-LD says VideoObject, not an article"
    return None


def _shell(evidence: Evidence) -> str | None:
    if evidence.size >= TINY or not evidence.sources.head.scripts or size(evidence.visible) >= SHORT:
        return None
    if phrases.NEEDS_SCRIPT.search(_noscript(evidence)) or phrases.NEEDS_SCRIPT.search(evidence.visible):
        return "the page asks for JavaScript and shows no text"
    if size(evidence.visible) < TINY and _APPLICATION(evidence.sources.tree):
        return "the root of a JavaScript application without content"
    return None


def _noscript(evidence: Evidence) -> str:
    return " ".join(flat_text(element) for element in evidence.sources.tree.iter("noscript")).lower()


def _section(evidence: Evidence) -> str | None:
    if evidence.size >= TINY or evidence.says_article:
        return None
    if listed := evidence.json_types & {"CollectionPage", "ItemList", "SearchResultsPage", "ProfilePage"}:
        return f"JSON-LD says {min(listed)}"
    if evidence.prose >= SHORT:
        return None
    links = [text for link in evidence.sources.tree.iter("a") if len(text := flat_text(link)) >= _HEADLINE_LENGTH]
    if len(links) >= _SECTION_LINKS and sum(map(len, links)) > 0.5 * len(evidence.visible):
        return f"a list of {len(links)} headlines"
    return None


_TESTS: tuple[tuple[Kind, Callable[[Evidence], str | None]], ...] = (
    (Kind.CHALLENGE, _challenge),
    (Kind.CONSENT, _consent),
    (Kind.SOFT_404, _soft_404),
    (Kind.LOGIN, _login),
    (Kind.TICKER, _ticker),
    (Kind.PAYWALL, _paywall),
    (Kind.VIDEO, _video),
    (Kind.SHELL, _shell),
    (Kind.SECTION, _section),
)
