"""What all families use: a voice that writes a language, the frames of sites, and the register of families."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from newsmon.farm.content import LANGUAGES as FARM_LANGUAGES
from newsmon.farm.content import words as farm_words
from newsmon.model import Kind
from newsmon.page import Page

LANGUAGES = ("en", "ru", "uk", "zh", "de", "es", "fr", "pl")
NOW = datetime(2026, 3, 12, 15, tzinfo=UTC)
SITE = "https://www.kurier.example"
HTML = {"content-type": "text/html; charset=utf-8"}
_SLOT = re.compile(r"\{([^{}]+)\}")


class KindPage(NamedTuple):
    """A page, what it is, and the text a perfect extractor would read from it (empty where there is none)."""

    kind: Kind
    family: str
    half: str
    language: str
    page: Page
    text: str


@cache
def words(language: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load((Path(__file__).parent / f"words/{language}.yaml").read_text("utf-8"))
    return found


class Voice:
    """Writes one language; the same family and language give the same words.

    :param half: decides which wording of a notice is used.
    """

    def __init__(self, language: str, family: str, half: str) -> None:
        self.language = language
        self.wording = 0 if half == "a" else 1
        self.chance = random.Random(f"{family}:{language}")
        self._grammar = farm_words(language) if language in FARM_LANGUAGES else words(language)["grammar"]
        self.space = "" if language == "zh" else " "

    def __getitem__(self, name: str) -> Any:
        """A notice: of two wordings the one of this half."""
        found = words(self.language)[name]
        return found[self.wording] if isinstance(found, list) else found

    def title(self) -> str:
        return self._write("title")

    def sentence(self) -> str:
        return self._write("sentence")

    def person(self) -> str:
        return self._write("person")

    def section(self) -> str:
        return self._write("section")

    def paragraph(self, sentences: int = 3) -> str:
        return self.space.join(self.sentence() for _ in range(sentences))

    def paragraphs(self, count: int, sentences: int = 3) -> list[str]:
        return [self.paragraph(sentences) for _ in range(count)]

    def clock(self, number: int, *, sign: str = ":") -> str:
        """Times going back from the afternoon, some minutes apart."""
        minutes = 16 * 60 + 40 - number * 17 - number % 3
        return f"{minutes // 60}{sign}{minutes % 60:02}"

    def _write(self, name: str) -> str:
        text = self._expand(name)
        return text[:1].upper() + text[1:]

    def _expand(self, name: str) -> str:
        low, dash, high = name.partition("-")
        if dash:
            return str(self.chance.randint(int(low), int(high)))
        return _SLOT.sub(lambda slot: self._expand(slot[1]), self.chance.choice(self._grammar[name]))


@dataclass
class Draft:
    """What a family writes; :func:`family` makes a page of it."""

    body: str
    title: str = ""
    head: str = ""
    text: Sequence[str] = ()
    path: str = ""
    final_url: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False  # the body is the whole document


class Family(NamedTuple):
    kind: Kind
    name: str
    half: str
    languages: Sequence[str]
    write: Callable[[Voice], Draft]

    def make(self, voice: Voice) -> KindPage:
        draft = self.write(voice)
        markup = draft.body if draft.whole else document(voice, draft)
        url = SITE + (draft.path or f"/{voice.chance.choice(('news', '2026/03/12', 'a'))}/{slug(voice)}.html")
        page = Page(url, draft.final_url or url, draft.status, markup.encode(), NOW, {**HTML, **draft.headers})
        return KindPage(self.kind, self.name, self.half, voice.language, page, "\n\n".join(draft.text))


FAMILIES: list[Family] = []


def family(
    kind: Kind, half: str, *, languages: Sequence[str] = LANGUAGES
) -> Callable[[Callable[[Voice], Draft]], Callable[[Voice], Draft]]:
    """Register a function as a family."""

    def register(write: Callable[[Voice], Draft]) -> Callable[[Voice], Draft]:
        FAMILIES.append(Family(kind, write.__name__, half, languages, write))
        return write

    return register


def slug(voice: Voice) -> str:
    return f"most-{voice.chance.choice(('bridge', 'tram', 'river'))}-{voice.chance.randint(10_000, 999_999)}"


def document(voice: Voice, draft: Draft) -> str:
    title = f"<title>{draft.title}</title>" if draft.title else ""
    return (
        f'<!doctype html><html lang="{voice.language}"><head><meta charset="utf-8">{title}{draft.head}</head>'
        f"<body>{draft.body}</body></html>"
    )


def json_ld(type_: str, **fields: Any) -> str:
    node = {"@context": "https://schema.org", "@type": type_, **fields}
    return f'<script type="application/ld+json">{json.dumps(node, ensure_ascii=False)}</script>'


def og(type_: str, title: str = "") -> str:
    named = f'<meta property="og:title" content="{title}">' if title else ""
    return f'<meta property="og:type" content="{type_}">{named}'


def p(lines: Sequence[str], attributes: str = "") -> str:
    return "".join(f"<p{attributes and ' ' + attributes}>{line}</p>" for line in lines)


def links(voice: Voice, count: int, item: str = "<li><a href='{url}'>{title}</a></li>") -> str:
    """Headlines as links; ``{teaser}`` and ``{time}`` may be in the item."""
    return "".join(_links(voice, count, item))


def _links(voice: Voice, count: int, item: str) -> Iterator[str]:
    for number in range(count):
        teaser = voice.sentence() if "{teaser}" in item else ""
        time = voice.clock(number) if "{time}" in item else ""
        yield item.format(url=f"/news/{slug(voice)}.html", title=voice.title(), teaser=teaser, time=time)


def menu(voice: Voice, extra: int = 0) -> str:
    names = [*dict.fromkeys(voice.section() for _ in range(9)), *(voice.section() for _ in range(extra))]
    return "".join(f'<li><a href="/{number}">{name}</a></li>' for number, name in enumerate(names))


# Frames of sites, a page's own part in the middle. Half a uses the first three, half b the others.


def classic(voice: Voice, main: str) -> str:
    """Menu above, list of headlines beside, a footer."""
    return (
        f"<header><a href='/'>Kurier</a><nav><ul>{menu(voice)}</ul></nav></header><main>{main}</main>"
        f"<aside><h3>{voice['section']['latest']}</h3><ul>{links(voice, 14)}</ul></aside>"
        f"<footer><p>Kurier, 12 Harbour Street</p><p>© 2026</p></footer>"
    )


def portal(voice: Voice, main: str) -> str:
    """Three columns of a portal: a news wire with times on the left, teasers with text on the right."""
    wire = links(voice, 22, "<div class='wire'><span>{time}</span> <a href='{url}'>{title}</a></div>")
    right = links(voice, 8, "<div class='tz'><a href='{url}'><b>{title}</b></a><div>{teaser}</div></div>")
    return (
        f"<div id='top'>{menu(voice, 12)}</div><table><tr><td class='l'>{wire}</td><td class='c'>{main}</td>"
        f"<td class='r'><div>{voice['section']['most']}</div>{right}</td></tr></table><div id='bottom'>© Kurier</div>"
    )


def bare(voice: Voice, main: str) -> str:
    """Nothing but a name above and a line below."""
    return f"<div class='brand'>Kurier</div><div class='page'>{main}</div><div class='legal'>© 2026 Kurier</div>"


def cards(voice: Voice, main: str) -> str:
    """Hashed class names, cards with teasers below."""
    card = (
        "<article class='sc-b7f3'><a class='sc-1d' href='{url}'>"
        "<h3>{title}</h3></a><p class='sc-99'>{teaser}</p></article>"
    )
    return (
        f"<div class='sc-aa01'><div class='sc-menu'>{menu(voice)}</div></div><div class='sc-main'>{main}</div>"
        f"<section class='sc-grid'><h2>{voice['section']['most']}</h2>{links(voice, 9, card)}</section>"
        f"<div class='sc-foot'><p>Kurier Media Ltd, registered in Northport under number 48211.</p></div>"
    )


def mega(voice: Voice, main: str) -> str:
    """A menu of sixty entries, a search box, a sign-in link, a newsletter box and a long footer."""
    return (
        f"<div class='topbar'><form><input name=q></form><a href='/login'>{voice['login']['title']}</a></div>"
        f"<ul class='mega'>{menu(voice, 50)}</ul><div id='content'>{main}"
        f"<div class='box-nl'><p>{voice['newsletter']}</p><form><input type='email'></form></div></div>"
        f"<ol class='mostread'>{links(voice, 10)}</ol>"
        f"<div class='footer'><ul>{menu(voice, 20)}</ul><p>Kurier Media Ltd, 12 Harbour Street, Northport. "
        f"All times are local. Reproduction in any form needs the written permission of the publisher.</p></div>"
    )


def framed(voice: Voice, main: str) -> str:
    """One of the frames of the half."""
    frames = (classic, portal, bare) if voice.wording == 0 else (cards, mega)
    return voice.chance.choice(frames)(voice, main)
