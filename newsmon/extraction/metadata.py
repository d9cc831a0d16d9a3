"""The fields of an article from everything that states them, each with its origin.

Order of belief (``ORDER``), the first source with a usable value wins::

    title        rule  what most of the others agree on (see newsmon.extraction.headline)
    published    rule  json-ld  opengraph  microdata  meta  feed  visible  html (time)  url
    modified     rule  json-ld  opengraph  microdata  meta  feed  visible
    language     rule  html (lang)  json-ld  opengraph  microdata  meta  feed  site (the rule file's default)  text
    authors      rule  json-ld  microdata  visible  opengraph  meta  feed  html (rel=author); organisations come last
    tags         rule  json-ld  opengraph  microdata  meta  feed  html (rel=tag)
    others       rule  json-ld  opengraph  microdata  meta  feed

*Usable*: a date that can be read and is not in the future, the name of a person, an http(s) address of an image that is
no logo, a language that the text can be in. *Visible*: what readers see next to the headline. Dates keep the zone they
are stated in, so that their day is the day readers see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newsmon.dates import read_date
from newsmon.extraction.canonical import absolute_url, trusted_canonical
from newsmon.extraction.headline import WEIGHTS, choose_headline
from newsmon.extraction.languages import can_be, contradicted, guess_language, language_code
from newsmon.extraction.names import author_names, organisation_names, plain_key, without_site_name
from newsmon.extraction.sources import Sources
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from newsmon.page import Page

_STATED = ("rule", "json-ld", "opengraph", "microdata", "meta", "feed")
ORDER: Mapping[str, tuple[str, ...]] = {
    "title": ("rule",),
    "summary": _STATED,
    "authors": ("rule", "json-ld", "microdata", "visible", "opengraph", "meta", "feed", "html"),
    "organisations": ("json-ld",),
    "published": (*_STATED, "visible", "html", "url"),
    "modified": (*_STATED, "visible"),
    "language": ("rule", "html", "json-ld", "opengraph", "microdata", "meta", "feed", "site"),
    "image": _STATED,
    "section": _STATED,
    "tags": (*_STATED, "html"),
    "paywalled": ("json-ld", "opengraph", "meta", "microdata"),
}
_Convert = Callable[[Sequence[str]], Any]
_FREE = {"true": False, "false": True}
_TIERS = {"free": False, "locked": True, "paid": True, "premium": True, "subscription": True, "registration": True}
_TAG_SEPARATOR = re.compile(r"\s*[,;，、|]\s*")
_MARKUP = re.compile(r"<[a-zA-Z/!][^<>]*>")
_TAG_KIND = re.compile(
    r"^(?:section|topic|tag|theme|story|person|people|place|location|organi[sz]ation|categor(?:y|ie))s?[/:]\s*",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"(?<![a-z])(?:logos?|placeholder|favicon|sprite|blank|spacer|pixel|default[_-]?(?:image|share|og)|no[_-]?image)(?![a-z])[^/]*$|\.svg$",
    re.IGNORECASE,
)
_MAX_TAGS = 50
_MOST, _MOST_DATES = 200, 10  # values of a field that are looked at; a date in words may take milliseconds
_LONGEST = 10_000  # characters of a value
_MAX_TAG = 60
_MAX_TITLE = 500


@dataclass(frozen=True, slots=True)
class Reading:
    """What values are read with: the page's sources, the time of the fetch and the site's zone and language."""

    sources: Sources
    now: datetime
    time_zone: tzinfo | None
    languages: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Metadata:
    """Fields of :class:`newsmon.model.Extract` by name, and where each came from."""

    fields: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)

    def settle(
        self, name: str, sources: Sources, convert: _Convert, *, chosen: _Convert | None = None, into: str | None = None
    ) -> Any:
        """Take the field from the first source that has a usable value, and return it.

        :param chosen: reads the values of the site's rule, when they are trusted more than those of the page.
        :param into: the field to fill, where it is called otherwise than what the sources state.
        """
        for origin in ORDER[name]:
            values = [value[:_LONGEST] for value in sources[origin].get(name, ())[:_MOST]]
            read = chosen if chosen and origin == "rule" else convert
            if values and (value := read(values)) not in (None, "", ()):
                self.fields[into or name] = value
                self.origins[into or name] = origin
                return value
        return None


def read_metadata(sources: Sources, *, now: datetime, time_zone: tzinfo | None = None, text: str = "") -> Metadata:
    """All fields that the sources state, the canonical address and the paywall flag included.

    :param now: aware time of the fetch; dates after it are refused.
    :param time_zone: the site's zone, for dates that name none.
    :param text: text of the article, to doubt a claimed language with.
    """
    metadata = Metadata()
    sample = text or " ".join((*sources.headings, *(line.text for line in sources.surroundings.after)))
    language = metadata.settle("language", sources, lambda values: _language(values, sample))
    if language is None and (language := guess_language(sample)):
        metadata.fields["language"], metadata.origins["language"] = language, "text"
    languages = [code for code in (language, sources.site_language) if code]
    reading = Reading(sources, now, time_zone, languages)
    for name, convert in _CONVERTERS.items():
        chosen = _CHOSEN.get(name, convert)
        metadata.settle(name, sources, partial(convert, reading), chosen=partial(chosen, reading))
    if "title" not in metadata.fields and (headline := _headline(sources)):
        metadata.fields["title"], metadata.origins["title"] = headline
    if "authors" not in metadata.fields:
        metadata.settle("organisations", sources, organisation_names, into="authors")
    _drop_wrong_change(metadata)
    url, origin = _canonical(sources)
    if url:
        metadata.fields["canonical_url"], metadata.origins["canonical_url"] = url, origin
    return metadata


def _drop_wrong_change(metadata: Metadata) -> None:
    """Forget a date of change before the day of publication: it belongs to a draft or to another thing."""
    published, modified = (metadata.fields.get(name) for name in ("published", "modified"))
    if (
        published
        and modified
        and modified < published
        and modified.date() < published.astimezone(modified.tzinfo).date()
    ):
        del metadata.fields["modified"], metadata.origins["modified"]


def plain(value: str) -> str:
    """One line of text from a value that may hold entities and tags."""
    if "&" in value:
        value = unescape(value)
    return one_line(_MARKUP.sub(" ", value) if "<" in value else value)


def canonical_link(page: Page) -> str | None:
    """The canonical address of a page, as :func:`read_metadata` finds it, for those who need nothing else yet."""
    return _canonical(Sources(page.tree, page.final_url))[0] if page.tree is not None else None


def _canonical(sources: Sources) -> tuple[str | None, str]:
    """``rel=canonical``, or ``og:url`` of a page without one; and which of them it was."""
    origin, stated = "html", sources.head.canonical
    if not stated:
        origin, stated = "opengraph", sources.opengraph.get("canonical_url", [])
    if not stated:
        return None, origin
    return trusted_canonical(sources.url, stated, sources.json_ld.get("canonical_url", ())), origin


def _language(values: Sequence[str], sample: str) -> str | None:
    codes = (language_code(value) for value in values)
    return next((code for code in codes if code and can_be(code, sample) and not contradicted(code, sample)), None)


def _text(reading: Reading, values: Sequence[str]) -> str | None:
    return next((text for value in values if (text := plain(value))), None)


def _title(reading: Reading, values: Sequence[str]) -> str | None:
    title = _text(reading, values)
    if title is None or len(title) > _MAX_TITLE:
        return None
    return without_site_name(title, reading.sources.site_names, reading.sources.headings)


def _headline(sources: Sources) -> tuple[str, str] | None:
    """The words most sources agree on, and the weightiest of these sources."""
    stated = {origin: sources[origin].get("title", ()) for origin in WEIGHTS if origin in _STATED}
    stated["title"] = [sources.head.title or ""]
    texts = {origin: text for origin, values in stated.items() if (text := next(filter(None, map(plain, values)), ""))}
    found = choose_headline(texts, sources.headings, sources.site_names, sources.kickers)
    return (found[0], "html" if found[1] in ("heading", "title") else found[1]) if found else None


def _date(reading: Reading, values: Sequence[str]) -> datetime | None:
    for value in values[:_MOST_DATES]:
        if found := read_date(value, now=reading.now, time_zone=reading.time_zone, languages=reading.languages):
            return found
    return None


def _authors(reading: Reading, values: Sequence[str]) -> tuple[str, ...]:
    return author_names(values, not_people=reading.sources.site_names)


def _chosen_authors(reading: Reading, values: Sequence[str]) -> tuple[str, ...]:
    return author_names(values, not_people=reading.sources.site_names, chosen=True)


def _image(reading: Reading, values: Sequence[str]) -> str | None:
    """The first address of an image that is none of the site's furniture."""
    urls = (absolute_url(reading.sources.url, value) for value in map(one_line, values) if value and " " not in value)
    return next((url for url in urls if url and not _FURNITURE.search(urlsplit(url).path)), None)


def _tags(reading: Reading, values: Sequence[str]) -> tuple[str, ...]:
    """Single tags; not the site's name, nor a line of words that nothing parts."""
    sites = {plain_key(name) for name in reading.sources.site_names}
    tags = (_TAG_KIND.sub("", tag) for value in values for tag in _TAG_SEPARATOR.split(plain(value)))
    usable = (tag for tag in tags if tag and len(tag) <= _MAX_TAG and plain_key(tag) not in sites)
    return tuple(dict.fromkeys(usable))[:_MAX_TAGS]


def _paywalled(reading: Reading, values: Sequence[str]) -> bool | None:
    """One closed part makes the article closed."""
    stated = [value.strip().lower().rpartition("/")[2] for value in values]
    known = [flag for value in stated if (flag := _FREE.get(value, _TIERS.get(value))) is not None]
    return any(known) if known else None


_CONVERTERS: Mapping[str, Callable[[Reading, Sequence[str]], Any]] = {
    "title": _title,
    "summary": _text,
    "authors": _authors,
    "published": _date,
    "modified": _date,
    "image": _image,
    "section": _text,
    "tags": _tags,
    "paywalled": _paywalled,
}
_CHOSEN = {"authors": _chosen_authors}
"""Converters of what a rule selects, where it is read otherwise than what the page states."""
