"""Generated news: believable sentences from small grammars, the same for the same seed, in five languages.

The grammars are ``words/LANGUAGE.yaml``: a slot ``{name}`` is one choice from the list of that name, ``{5-20}`` a
number between the two. No sentence comes from a publisher.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

LANGUAGES = ("ru", "uk", "en", "zh", "de")
_SLOT = re.compile(r"\{([^{}]+)\}")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Story:
    """One generated article; ``published`` is aware UTC with a whole minute."""

    number: int
    language: str
    title: str
    summary: str
    paragraphs: tuple[str, ...]
    authors: tuple[str, ...]
    section: str
    tags: tuple[str, ...]
    published: datetime
    modified: datetime | None = None

    @property
    def slug(self) -> str:
        """Latin letters and digits of the title joined by hyphens; the number alone where there are none."""
        words = re.findall(r"[a-z0-9]+", self.title.lower())
        return "-".join([*words[:8], str(self.number)])


@cache
def words(language: str) -> Mapping[str, Any]:
    """The grammar of a language: lists by slot name, and ``labels`` for the furniture of a page."""
    source = files("newsmon.farm") / "words" / f"{language}.yaml"
    grammar: Mapping[str, Any] = yaml.safe_load(source.read_text("utf-8"))
    return grammar


def labels(language: str) -> Mapping[str, str]:
    """What a site of this language calls its parts (``related``, ``advert``, ``by`` ...)."""
    found: Mapping[str, str] = words(language)["labels"]
    return found


def write_story(language: str, number: int, published: datetime, *, seed: str, paragraphs: int = 0) -> Story:
    """Write an article.

    :param seed: the same seed and number give the same words.
    :param paragraphs: how many; 0 leaves it to chance (5 to 9).

    >>> from datetime import UTC, datetime
    >>> story = write_story("en", 7, datetime(2026, 1, 2, tzinfo=UTC), seed="demo", paragraphs=3)
    >>> len(story.paragraphs), story == write_story("en", 7, story.published, seed="demo", paragraphs=3)
    (3, True)
    """
    chance = random.Random(f"{seed}:{language}:{number}")
    grammar = words(language)
    count = paragraphs or chance.randint(5, 9)
    return Story(
        number=number,
        language=language,
        title=_sentence(grammar, "title", chance),
        summary=_sentence(grammar, "summary", chance),
        paragraphs=tuple(_paragraph(language, chance) for _ in range(count)),
        authors=tuple(chance.sample(grammar["author"], chance.choice((1, 1, 2)))),
        section=chance.choice(grammar["section"]),
        tags=tuple(chance.sample(grammar["tag"], 3)),
        published=published.replace(second=0, microsecond=0),
    )


def new_paragraph(story: Story, *, seed: str) -> str:
    """One more paragraph, as an editor adds to a published story."""
    return _paragraph(story.language, random.Random(f"{seed}:edit:{story.language}:{story.number}"))


def date_text(moment: datetime, language: str, zone: tzinfo) -> str:
    """A date as sites of the language print it, in the site's own zone.

    >>> from datetime import UTC, datetime
    >>> [date_text(datetime(2026, 11, 3, 9, 5, tzinfo=UTC), code, UTC) for code in ("ru", "en", "zh", "de")]
    ['3 ноября 2026, 09:05', 'November 3, 2026, 09:05', '2026年11月3日 09:05', '3. November 2026, 09:05 Uhr']
    """
    local = moment.astimezone(zone)
    clock, month = f"{local:%H:%M}", words(language)["months"][local.month - 1]
    if language == "en":
        return f"{month} {local.day}, {local.year}, {clock}"
    if language == "zh":
        return f"{local.year}年{month}{local.day}日 {clock}"
    if language == "de":
        return f"{local.day}. {month} {local.year}, {clock} Uhr"
    return f"{local.day} {month} {local.year}, {clock}"


def relative_date_text(moment: datetime, language: str, zone: tzinfo, now: datetime) -> str:
    """Like :func:`date_text`, but today and yesterday by their names: ``вчера, 15:30``."""
    local = moment.astimezone(zone)
    name = {0: "today", 1: "yesterday"}.get((now.astimezone(zone).date() - local.date()).days)
    return f"{labels(language)[name]}, {local:%H:%M}" if name else date_text(moment, language, zone)


def _paragraph(language: str, chance: random.Random) -> str:
    sentences = (_sentence(words(language), "sentence", chance) for _ in range(chance.randint(2, 4)))
    return ("" if language == "zh" else " ").join(sentences)


def _sentence(grammar: Mapping[str, Any], name: str, chance: random.Random) -> str:
    text = _expand(grammar, name, chance)
    return _LETTER.sub(lambda letter: letter[0].upper(), text, count=1)


def _expand(grammar: Mapping[str, Any], name: str, chance: random.Random) -> str:
    low, dash, high = name.partition("-")
    if dash:
        return str(chance.randint(int(low), int(high)))
    return _SLOT.sub(lambda slot: _expand(grammar, slot[1], chance), chance.choice(grammar[name]))
