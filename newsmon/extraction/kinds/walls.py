"""Pages between a reader and the article: bot challenges, consent walls, logins."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from newsmon.extraction import phrases
from newsmon.extraction.text import SHORT, TINY, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsmon.extraction.kinds.evidence import Evidence
    from newsmon.extraction.kinds.shape import Line

_REFUSED = frozenset((401, 403, 405, 407, 429, 503))
_CHALLENGE_HEADERS = {
    "cf-mitigated": ("challenge",),
    "x-amzn-waf-action": ("challenge", "captcha"),
    "x-vercel-mitigated": ("challenge", "deny"),
}
_LARGEST_NOTICE = 2500
_SMALLEST_PAGE = 400
_LONGEST_WALL = 6000
_LONGEST_DECLARED_WALL = 2500
_LEAST_CONSENT = 60
_HEADLINE = 40
_SHORT_HEADING = 30
_MANY_MATTERS = 3
_MOST_OF_WALL = 0.6
_MOST_OF_TITLE = 0.55
_MOST_BUTTONS = 40
_MOST_MARKUP = 200_000
_LARGEST_PAGE = 60_000
_FEW_HEADLINES = 8
_PASSWORD = etree.XPath("boolean(//input[@type='password'])")
_ADDRESS_FIELD = etree.XPath("boolean(//input[@type='email' or @name='email' or @name='login' or @name='username'])")


def challenge(evidence: Evidence) -> str | None:
    """A page that wants to know whether its reader is a person, or refuses him."""
    headers = evidence.page.headers
    for header, values in _CHALLENGE_HEADERS.items():
        if (said := headers.get(header, "").lower()) in values:
            return f"the header {header} says {said}"
    if evidence.size >= _LARGEST_NOTICE or (evidence.trusted and evidence.size >= SHORT):
        return None
    if (evidence.says_article and evidence.core >= TINY) or evidence.shape.longest.size >= _LARGEST_NOTICE:
        return None
    return _challenge_words(evidence) or _challenge_markup(evidence)


def _challenge_words(evidence: Evidence) -> str | None:
    lines = (line for line in evidence.short_lines(longest=600) if phrases.CHALLENGE_LINE.search(line))
    found = list(islice(lines, 3))
    if title := next((part for part in evidence.title_parts if _is_challenge(part)), None):
        if found or evidence.core < SHORT:
            return f"the title says {title!r}"
    elif not found and evidence.shape.size < _SMALLEST_PAGE and not evidence.shape.headlines:
        if stem := phrases.CHALLENGE_STEM.search(evidence.visible):
            return f"a page of {evidence.shape.size} characters speaks of {stem.group()!r}"
    elif len(found) >= (1 if evidence.shape.size < _SMALLEST_PAGE else 2) and evidence.shape.size < _LARGEST_NOTICE:
        return f"a short page says {found[0][:80]!r}"
    return None


def _is_challenge(title: str) -> bool:
    """True when a title is little more than the words of a challenge; the headline of an article goes on."""
    match = phrases.CHALLENGE_TITLE.search(title)
    return match is not None and len(match.group()) >= _MOST_OF_TITLE * len(title)


def _challenge_markup(evidence: Evidence) -> str | None:
    if evidence.size >= TINY and evidence.says_article:
        return None
    if evidence.shape.size >= SHORT:
        return None
    if match := phrases.CHALLENGE_MARKUP.search(evidence.page.decoded.text[:_MOST_MARKUP].lower()):
        return f"a page without content holds {match.group()!r}"
    if evidence.page.status in _REFUSED:
        return f"a page without content was sent with status {evidence.page.status}"
    return None


def consent(evidence: Evidence) -> str | None:
    """A page that asks for consent to cookies before it shows anything else."""
    if evidence.redirected and phrases.CONSENT_ADDRESS.search(evidence.page.final_url):
        return f"redirected to {evidence.page.final_url}"
    if evidence.size > (_LONGEST_DECLARED_WALL if evidence.says_article else _LONGEST_WALL):
        return None
    if evidence.is_long or evidence.shape.size > _LARGEST_PAGE:
        return None
    text = evidence.text.lower() if evidence.size >= TINY else evidence.visible
    if not phrases.CONSENT_CORE.search(text[:_LONGEST_WALL]):
        return None
    return _wall_of(evidence)


def _wall_of(evidence: Evidence) -> str | None:
    """Judge the lines: those about consent, and the prose that is not."""
    about = [line for line in evidence.shape.lines if line.size >= _LEAST_CONSENT // 2 and _is_about_consent(line)]
    asked = sum(line.size for line in about if not line.linked)
    other = evidence.shape.prose - sum(line.size for line in about if line.is_prose)
    if _is_small_wall(evidence):
        return "a page of a few lines asks for consent to cookies or tracking"
    if asked < TINY or other > (TINY if evidence.states_article else 0.6 * asked):
        return None
    if _enough_words(about, evidence):
        return f"{asked} of {asked + other} characters ask for consent to cookies or tracking"
    return None


def _is_small_wall(evidence: Evidence) -> bool:
    """True for a page that is nothing but a notice, which names consent and several matters of it to its reader."""
    shape = evidence.shape
    if evidence.says_article or shape.size > _LARGEST_NOTICE or shape.headlines >= _FEW_HEADLINES:
        return False
    lines = [
        (line.text.lower(), line.size) for line in shape.lines if not line.linked and line.size >= _LEAST_CONSENT // 2
    ]
    if any(len(title) >= _HEADLINE and not _matters(title) for title in shape.headings):
        return False
    about = [(text, length) for text, length in lines if _matters(text) >= 1]
    whole = "\n".join(text for text, _ in about)
    if (
        _matters(whole) < _MANY_MATTERS
        or not phrases.CONSENT_CORE.search(whole)
        or not phrases.SECOND_PERSON.search(whole)
    ):
        return False
    return sum(length for _, length in about) >= _MOST_OF_WALL * sum(length for _, length in lines)


def _matters(text: str) -> int:
    """How many matters of a consent notice a text speaks of."""
    return bool(phrases.CONSENT_CORE.search(text)) + sum(
        bool(matter.search(text)) for matter in phrases.CONSENT_MATTERS
    )


def _enough_words(lines: Sequence[Line], evidence: Evidence) -> bool:
    """True when lines have words about consent in plenty and speak to their reader."""
    words = sum(len(phrases.CONSENT_WORD.findall(line.text.lower())) for line in lines)
    appeals = _appeals(lines) + sum(bool(phrases.CONSENT_APPEAL.search(name)) for name in _buttons(evidence))
    if evidence.says_article:
        return words >= 4 and appeals >= 2
    return appeals >= 1 and words + appeals >= 5


def is_consent_text(text: str) -> bool:
    """True when most of a text asks its reader for consent: a banner taken for the article."""
    lines = [line.lower() for line in text.split("\n") if line]
    asking = [line for line in lines if _mentions(line) >= 2]
    speaks = any(phrases.CONSENT_APPEAL.search(line) for line in asking)
    return speaks and sum(map(size, asking)) > 0.7 * sum(map(size, lines))


def _is_about_consent(line: Line) -> bool:
    text = line.text.lower()
    if line.size > _LONGEST_WALL or not any(hint in text for hint in phrases.CONSENT_HINTS):
        return False
    needed = 1 + line.size // 500 if line.size >= 2 * TINY else 1
    return _mentions(text) >= max(needed, 2 if line.size >= TINY else 1)


def _mentions(text: str) -> int:
    return len(set(phrases.CONSENT_WORD.findall(text)))


def _appeals(lines: Sequence[Line]) -> int:
    spoken = (line.text.lower() for line in lines)
    return sum(bool(phrases.CONSENT_APPEAL.search(text)) for text in spoken if _mentions(text))


def _buttons(evidence: Evidence) -> list[str]:
    found = islice(evidence.sources.tree.iter("button"), _MOST_BUTTONS)
    return [" ".join(button.itertext())[:80].lower() for button in found]


def login(evidence: Evidence) -> str | None:
    """A form to log in or register, and nothing to read."""
    if evidence.is_long or evidence.core >= SHORT or evidence.states_article:
        return None
    if evidence.trusted and evidence.size >= TINY:
        return None
    title = evidence.named(phrases.LOGIN)
    address = evidence.answered
    named = phrases.LOGIN_ADDRESS.search(address.path) or phrases.LOGIN_HOST.search(address.netloc)
    if named and (evidence.redirected or title):
        return f"{evidence.page.final_url} is a login address"
    asks_password = bool(_PASSWORD(evidence.sources.tree))
    if title and (asks_password or _ADDRESS_FIELD(evidence.sources.tree)) and _is_own_name(evidence, title):
        return f"the page is a form, and its title says {title!r}"
    return _bare_form(evidence) if asks_password and evidence.core < 2 * TINY else None


def _bare_form(evidence: Evidence) -> str | None:
    """A password field and hardly anything else: what speaks for its being the page, not a corner of it."""
    if stem := next((title for title in evidence.titles if phrases.LOGIN_STEM.search(title)), None):
        return f"a page without content has a password field and the title {stem!r}"
    if evidence.core >= TINY:
        return None
    if (heading := next(iter(evidence.shape.headings), None)) and size(heading) <= _SHORT_HEADING:
        return f"a page without content has a password field and the heading {heading!r}"
    if evidence.shape.headlines >= _FEW_HEADLINES:
        return None
    lines = (line for line in evidence.short_lines(longest=200) if phrases.LOGIN_LINE.search(line))
    return next((f"the page is a form that says {line!r}" for line in lines), None)


def _is_own_name(evidence: Evidence, title: str) -> bool:
    """False for the heading of a form in the site's header: the page itself is called something else."""
    return evidence.sources.head.title is None or title in evidence.sources.head.title.lower() or evidence.core < TINY
