"""Pages that hold less than their article: paywall stubs, video pages, and applications without their content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lxml import etree

from newsmon.extraction import phrases
from newsmon.extraction.jsonld import is_article
from newsmon.extraction.text import SHORT, TINY, flat_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from newsmon.extraction.kinds.evidence import Evidence
    from newsmon.extraction.kinds.shape import Line

_LONGEST_STUB = 1280
_LONGEST_STATED_STUB = 3 * SHORT
_LONGEST_OFFER = 300
_LONGEST_CLAUSE = 110
_LONGEST_LINE = 160
_LONGEST_LINK = 50
_MOST_LINES = 600
_ENOUGH_SIGNS = 2
_NEAR = 10
_SEVERAL = 4
_NAME = re.compile(r"[.#]([\w-]+)")
_CUT = re.compile(r"(?:…|\.\.\.)\s*$")
_WORD = re.compile(r"\w+")
_PLAYER = etree.XPath(
    "boolean(//video | //video-player | //iframe[contains(@src, 'video') or contains(@src, 'player') or "
    "contains(@src, 'youtube') or contains(@src, 'embed') or contains(@src, 'vimeo')] | //*[@data-video-id])"
)
_APPLICATION = etree.XPath(
    "boolean(//div[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @id='___gatsby' or @id='main-app'])"
)


def paywall(evidence: Evidence) -> str | None:
    """A stub: the page says that it is closed and is short, or an offer to read on follows the text."""
    if evidence.paywalled is False or evidence.is_long or evidence.core >= _LONGEST_STATED_STUB:
        return None
    length = f"a text of {len(evidence.text)} characters"
    if evidence.paywalled and TINY <= evidence.size < SHORT and not _shows_closed_part(evidence):
        return f"{length}, and the page states that it is not free"
    if evidence.paywalled and evidence.size >= TINY and (words := _stated_words(evidence)):
        return f"{length}, and the page states {words} words and that it is not free"
    if offer := _offer(evidence):
        return f"{length} on a page that says {offer!r}"
    return None


def _stated_words(evidence: Evidence) -> int | None:
    """The word count of JSON-LD when it is more than twice that of the text."""
    stated = max((_number(node.get("wordCount")) for node in evidence.sources.nodes if is_article(node)), default=0)
    return stated if stated > 2 * len(_WORD.findall(evidence.text)) else None


def _number(value: Any) -> int:
    return (
        int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal() and len(value) < 9) else 0
    )


def _shows_closed_part(evidence: Evidence) -> bool:
    """True when the part that JSON-LD names as closed is on the page and holds a text: a metered page, sent in full."""
    names = {name for node in evidence.sources.nodes for name in _closed_parts(node)}
    blocks = evidence.segments.names if names else ()
    lines = evidence.segments
    return any(
        names & set(held.split()) and sum(map(len, lines.texts[lines.first[block] : lines.last[block]])) >= TINY
        for block, held in enumerate(blocks)
    )


def _closed_parts(node: Mapping[str, Any]) -> Iterator[str]:
    """Classes and ids of ``hasPart`` elements, without their dot or hash."""
    parts = node.get("hasPart")
    for part in parts if isinstance(parts, list) else [parts]:
        selectors = part.get("cssSelector") if isinstance(part, dict) else None
        for selector in selectors if isinstance(selectors, list) else [selectors]:
            if isinstance(selector, str):
                yield from _NAME.findall(selector[:500])


def _offer(evidence: Evidence) -> str | None:
    """The offer, looked for where it counts: at the end of the text and after it; on the whole page if text is cut."""
    cut = bool(evidence.paywalled or _CUT.search(evidence.text))
    place = evidence.shape.place(evidence.text) if evidence.text else None
    length = evidence.size
    if place and not evidence.trusted and evidence.shape.headlines_between(*place) >= _SEVERAL:
        place, length = evidence.shape.longest[:2], evidence.core
    if length >= (_LONGEST_STATED_STUB if cut else _LONGEST_STUB):
        return None
    if length < TINY:
        run = evidence.shape.longest
        near = evidence.shape.lines[max(run.last - _SEVERAL, 0) : run.last + 1 + _NEAR]
        return _said(evidence, 0, None) or _box(near, cut=cut) if evidence.core < SHORT else None
    own = evidence.text[-2 * _LONGEST_OFFER :].lower()
    if match := phrases.PAYWALL.search(own):
        return match.group()
    if place is None:
        return _said(evidence, 0, None) if cut and length < SHORT else None
    first = place[1] + 1 if evidence.trusted else max(place[0] + 1, place[1] - _SEVERAL)
    near = evidence.shape.lines[first : place[1] + 1 + _NEAR]
    return _said(evidence, first, place[1] + 1 + (3 * _NEAR if cut else _NEAR)) or _box(near, cut=cut)


def _box(lines: Sequence[Line], *, cut: bool) -> str | None:
    """What an offer in its own words says: two of price, reading on, an account, a telling class, a cut text."""
    signs: dict[str, str] = {"cut": "a text that is cut"} if cut else {}
    for line in lines:
        if line.size > (_LONGEST_LINK if line.linked else _LONGEST_LINE):
            continue
        text = line.text.lower()
        rest = phrases.READ_REST.search(text) is not None
        offered = rest or phrases.SUBSCRIPTION.search(text) is not None
        if offered and phrases.PRICE.search(text):
            signs.setdefault("price", line.text)
        if rest or (offered and phrases.READ_ON.search(text)):
            signs.setdefault("read on", line.text)
        if line.size <= _LONGEST_CLAUSE and phrases.ACCOUNT.search(text):
            signs.setdefault("account", line.text)
        if line.names and phrases.WALL_NAMES.search(line.names.lower()):
            signs.setdefault("class", line.text)
    if len(signs) < _ENOUGH_SIGNS or not signs.keys() & {"price", "read on"}:
        return None
    return "; ".join(list(signs.values())[-2:])


def _said(evidence: Evidence, first: int, last: int | None) -> str | None:
    for line in evidence.shape.lines[first : last or _MOST_LINES]:
        if line.size <= _LONGEST_OFFER and (said := _says_closed(line)):
            return said
    return None


def _says_closed(line: Line) -> str | None:
    """What a line offers: one of the usual phrases, or the article, those who may read it, and that only they may."""
    text = line.text.lower()
    if match := phrases.PAYWALL.search(text):
        return match.group()
    if line.size > _LONGEST_CLAUSE or not phrases.PAYWALL_ONLY.search(text):
        return None
    closed = any(what.search(text) and who.search(text) for what, who in phrases.PAYWALL_OFFER)
    return text if closed else None


def video(evidence: Evidence) -> str | None:
    """A player and a line or two."""
    if evidence.is_long:
        return None
    stated = evidence.og_type.startswith("video") or (
        "VideoObject" in evidence.json_types and not evidence.says_article
    )
    longest = (
        SHORT if stated and not evidence.trusted else (2 if evidence.trusted or evidence.states_article else 3) * TINY
    )
    if evidence.core >= longest:
        return None
    if evidence.og_type.startswith("video"):
        return f"og:type is {evidence.og_type!r} and there is hardly any text"
    if "VideoObject" in evidence.json_types and not evidence.states_article:
        return "JSON-LD says VideoObject, not an article"
    if not phrases.VIDEO_ADDRESS.search(evidence.answered.path):
        return None
    return "a player under an address of videos, and hardly any text" if _has_player(evidence) else None


def _has_player(evidence: Evidence) -> bool:
    named = any(phrases.VIDEO_NAMES.search(names.lower()) for names in evidence.segments.names if names)
    return named or bool(_PLAYER(evidence.sources.tree))


def shell(evidence: Evidence) -> str | None:
    """A JavaScript application without its content."""
    if evidence.size >= TINY or not evidence.sources.head.scripts or evidence.shape.size >= SHORT:
        return None
    if phrases.NEEDS_SCRIPT.search(_noscript(evidence)) or phrases.NEEDS_SCRIPT.search(evidence.visible):
        return "the page asks for JavaScript and shows no text"
    if evidence.shape.size < TINY and _APPLICATION(evidence.sources.tree):
        return "the root of a JavaScript application without content"
    return None


def _noscript(evidence: Evidence) -> str:
    return " ".join(flat_text(element) for element in evidence.sources.tree.iter("noscript")).lower()
