"""The headline of an article, chosen between everything that states one.

A page names its article up to seven times, often differently: the heading readers see (with the section or a kicker in
front), the titles for search engines, for social networks and for subscribers, and ``<title>`` with the name of the
site. Each statement is cleaned, equal ones are counted together, and the words with the most weight win. The visible
heading weighs most, so it loses only where the others agree against it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from lxml import etree

from newsmon.extraction.eastern import is_eastern
from newsmon.extraction.names import same_name, without_site_name
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from newsmon.extraction.elements import Element

WEIGHTS: Mapping[str, float] = {
    "heading": 3.0,
    "opengraph": 2.0,
    "json-ld": 1.5,
    "feed": 1.0,
    "microdata": 0.5,
    "title": 0.5,
    "meta": 0.4,
}
"""Weight of a statement by who makes it, measured on pages whose headline people or hand-written parsers have read."""

MAX_TITLE = 500
_MAX_KICKER = 60
_LIKE = 0.2
_CUT_OFF = re.compile(r"(?:\.\.\.|…)$")
_FIRST_CUT = re.compile(r"\s[|:–—-]+\s|\s?[|»]\s?|--")
_EASTERN_SITE = re.compile(
    r"(?:\s?[-_|—]+\s?[^-_|—]{1,15}(?:网|網|网站|报|報|在线|频道|頻道|新闻|新聞|财经|首页|论坛|社区|博客|ニュース|オンライン))+$"
)
_BEGINNING = 8
_MOST_BOXES = 20
_TEXTS_WITH = etree.XPath(
    "//body//text()[starts-with(normalize-space(), $start)][not(parent::script or parent::style or parent::title)]"
)
_WORD = re.compile(r"\w+")
_EDGE = re.compile(r"[|:：/·•»–—-]$")
_SPACE_BEFORE_SIGN = re.compile(r"\s+(?=[:;!?,.])")


def choose_headline(
    stated: Mapping[str, str],
    headings: Sequence[str],
    site_names: Collection[str] = (),
    kickers: Collection[str] = (),
) -> tuple[str, str] | None:
    """The words with the most weight, and the weightiest source of them.

    :param stated: origin (a key of :data:`WEIGHTS`) -> the first thing it says.
    :param headings: texts of the page's headings, the one of the article among them.
    :param site_names: what the site calls itself, its host name included.
    :param kickers: texts that stand in elements of their own at the beginning of a heading.

    >>> choose_headline({"title": "Dam opens - World - The Post"}, ["Weather", "Dam opens"], ["The Post"])
    ('Dam opens', 'heading')
    """
    usable = {origin: text for origin, text in stated.items() if text and len(text) <= MAX_TITLE}
    heading = article_heading(headings, usable.values(), site_names)
    known = [heading] if heading else []
    cleaned = {origin: _cleaned(text, site_names, known) for origin, text in usable.items()}
    if heading:
        cleaned["heading"] = _without_kicker(heading, cleaned.values(), kickers)
    found = _heaviest({origin: text for origin, text in cleaned.items() if not _is_site_name(text, site_names)})
    return (_tight(found[0], usable.values()), found[1]) if found else None


def find_heading(tree: Element, title: str) -> Element | None:
    """The element that shows the words ``<title>`` begins with, on a page whose headline is no ``h1``.

    Where none does, ``<title>`` may begin with the name of the site, and the words behind it count. A link is no
    headline: it leads to the article from elsewhere.
    """
    first = _FIRST_CUT.search(title)
    for words in (title, title[first.end() :] if first else ""):
        start = words[:_BEGINNING].strip()
        if len(start) < _BEGINNING // 2 or '"' in start:
            continue
        boxes = map(_box, cast("list[Any]", _TEXTS_WITH(tree, start=start))[:_MOST_BOXES])
        shown = (box for box in boxes if box.tag != "a" and words.startswith(_beginning(box)))
        if (found := next(shown, None)) is not None:
            return found
    return None


def _beginning(box: Element) -> str:
    """The text of an element, which is cut only where it is no headline anyway."""
    return one_line("".join(islice(box.itertext(), _MOST_BOXES)))


def _box(text: Any) -> Element:
    """The element a text node stands in."""
    before: Element = text.getparent()
    return before.getparent() if text.is_tail else before


def _cleaned(text: str, site_names: Collection[str], headings: Collection[str]) -> str:
    """A title without the site's name, also where only its form tells that it is one."""
    title = without_site_name(text, site_names, headings)
    return _EASTERN_SITE.sub("", title) or title


def _heaviest(stated: Mapping[str, str]) -> tuple[str, str] | None:
    groups: dict[str, list[str]] = {}
    for origin in sorted(stated, key=lambda name: -WEIGHTS[name]):
        groups.setdefault(_group(_key(stated[origin]), groups), []).append(origin)
    if not groups:
        return None
    origins = max(groups.values(), key=lambda found: sum(WEIGHTS[origin] for origin in found))
    return stated[origins[0]], origins[0]


def _group(key: str, groups: Collection[str]) -> str:
    """Statements of the same words, some of them cut off."""
    return next((known for known in groups if _is_cut_off(known, key) or _is_cut_off(key, known)), key)


def article_heading(headings: Sequence[str], stated: Collection[str], site_names: Collection[str] = ()) -> str | None:
    """The heading most like what the other sources say; none when it has nothing to do with them.

    >>> article_heading(["Log in", "Dam opens"], ["Dam opens - The Post"])
    'Dam opens'
    """
    usable = [text for text in headings if len(text) <= MAX_TITLE and not _is_site_name(text, site_names)]
    others = [words for text in stated if (words := _words(text))]
    if not others:
        return usable[0] if usable else None
    best = max(usable, key=lambda text: sum(_likenesses(_words(text), others)), default=None)
    return best if best and max(_likenesses(_words(best), others)) >= _LIKE else None


def _without_kicker(heading: str, stated: Iterable[str], kickers: Collection[str]) -> str:
    """A heading without the words in front of what another source calls the headline."""
    for text in stated:
        front = heading[: len(heading) - len(text)].strip()
        if 0 < len(front) <= _MAX_KICKER and heading.endswith(text) and (front in kickers or _EDGE.search(front)):
            return text
    return heading


def _tight(text: str, stated: Collection[str]) -> str:
    """A heading put together from boxes has spaces where none belong; nobody else writes them."""
    tight = _SPACE_BEFORE_SIGN.sub("", text)
    return tight if tight in stated else text


def _is_site_name(text: str, site_names: Collection[str]) -> bool:
    return any(same_name(text, name) for name in site_names)


def _is_cut_off(short: str, whole: str) -> bool:
    return short.endswith("…") and whole.startswith(short[:-1])


def _key(text: str) -> str:
    """The words alone, and a mark where they were cut off."""
    return "".join(_WORD.findall(text.casefold())) + ("…" if _CUT_OFF.search(text) else "")


def _words(text: str) -> set[str]:
    """Words, or pairs of signs where a script parts none."""
    folded = text.casefold()
    if not is_eastern(folded):
        return {*_WORD.findall(folded)}
    signs = "".join(_WORD.findall(folded))
    return {signs[at : at + 2] for at in range(max(len(signs) - 1, 1))}


def _likenesses(words: set[str], others: Sequence[set[str]]) -> list[float]:
    """Share of common words (Dice) with each of the other statements."""
    return [2 * len(words & other) / (len(words) + len(other)) for other in others]
