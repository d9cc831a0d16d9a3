"""Authors that only readers are told: "By Ann Lee", "Von Max Muster", "Текст: Иван Петров", "本报记者 王小明 李华".

A name counts when something says that it is the author's: a word in front of it, or the name of the box it stands in
(``class="byline"``, ``rel="author"``, a link to ``/author/``); and when it looks like the name of a person. Better no
author than a wrong one.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from newsmon.datesearch import find_dates
from newsmon.extraction.eastern import (
    bare_names,
    bracketed_names,
    is_eastern,
    is_eastern_name,
    korean_names,
    signatures,
)
from newsmon.extraction.names import author_names, plain_key
from newsmon.extraction.surroundings import marks
from newsmon.months import month_number
from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from newsmon.extraction.surroundings import Line, Surroundings

_LABEL = re.compile(
    r"""^[\s|•·–—:-]*
    (?: (?:story|written|reported|words|posted|published|reviewed|edited)?\s?by | by-?line | authors? | reporter
      | von | autor(?:in|en|es|a|ka|zy|i|s)? | autorin/autor | text\s(?:&|und)\s(?:fotos?|bilder) | texte?
      | tekst[iy]? | par | por | di | door | av | af | rédigé\spar | escrito\spor | publicado\spor | scritto\sda
      | a\scura\sdi | napisała? | opracowała? | przez | yazan | yazar[ıi]? | muhabir | haber | szerző | írta
      | kirjoittaja | συντάκτης | του | της | γράφει\s(?:ο|η) | автор(?:ы|и|ка)? | текст | беседовал[аи]?
      | (?:материал\s)?подготовил[аи]? | журналіст(?:ка)? | корреспондент | penulis | oleh | tác\sgiả
    )(?:\s*[:：/]\s*|\s+)""",
    re.IGNORECASE | re.VERBOSE,
)
_END = re.compile(
    r"""\s*(?: \d | [•·] | \s[–—-]\s
      | \b(?:published|updated|posted|opublikowano|veröffentlicht|aktualisiert|stand|publié|mis\sà\sjour|publicado
          |actualizado|опубликовано|обновлено|last|on|follow|twitter|facebook|e-?mail|lesezeit|korrespondent\w*)\b
    ).*$""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_AUTHOR_BOX = re.compile(
    r"""(?<![a-z])
    (?:author|by-?line|writer|autor|auteur|autore|redakteur|journalist|yazar|skribent|forfatter|contributor|reporter)
    (?:s|en|in|es|ka|name|names|link|info)?(?![a-z])
    (?!-?(?:bio|img|image|avatar|photo|follow|social|more|archive))""",
    re.VERBOSE,
)
_OTHER_BOX = re.compile(
    r"comment|related|recommend|sidebar|footer|newsletter|share|social|caption|credit|most-?read|popular|teaser|promo"
    r"|next|prev"
)
_PARTICLES = frozenset(
    "von van der den de del della di da do dos das du la le el al bin ibn ben ter ten zu zur y e af av".split()
)
_WORD = re.compile(r"[^\W\d_](?:[\w'’`.\-]*\w)?\.?")
_SIGNS = re.compile(r"[^\w\s.'’`-]|_")
_FIRST_NAME_OF = re.compile(r"[,/&]| and ")
_NO_PERSON = re.compile(
    r"""(?:new|san|santa|los|las|hong|tel|cape|saint|st\.?|south|north|east|west|middle|united|rio|buenos|sri|port|fort
      |el|la|le|the|all|our|read|real|latest|breaking|top|world|us|uk|eu|local|sign|log|image|video|live)\b
    |.*\b(?:city|times|post|news|press|media|today|report|desk|staff|online|magazine|politics|business|sports?|science
      |tech\w*|culture|opinion|life|entertainment|health|education|story|guide|review|zeitung|redaktion|presse
      |rundschau)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Places, sections and papers, which have capitals too and stand next to dates."""

_NOT_A_NAME = re.compile(
    r"\b(?:facebook|twitter|instagram|whatsapp|mail|e-mail|update[ds]?|follow|fellow|cent(?:er|re)|comment\w*|yorum|print"
    r"|share|read|min|by|photos?|institut\w*|university|ministry|department|council|committee|δίκτυο|ajansı|agency"
    r"|agentur)\b",
    re.IGNORECASE,
)
_LONG_KEY = 6
_NEAREST = 6
_LONGEST = 120
_LONGEST_NAME = 45


def byline(around: Surroundings, *, not_people: Collection[str] = ()) -> tuple[str, ...]:
    """The authors stated next to the headline, of the first line that names any and the lines that go on with it.

    :param not_people: names of the site and its publisher.
    """
    lines = (*around.after, *around.before)
    for reader in (_labelled, _boxed):
        if found := _first_run([_people(reader(line), not_people) for line in lines]):
            return found
    if around.heading and (found := _first_run([tuple(bare_names(line.text)) for line in around.after[:2]])):
        return found
    return _people(_beside_date(around.after), not_people)


def _first_run(named: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The names of the first line that has any and of the lines right after it that have some."""
    start = next((at for at, names in enumerate(named) if names), len(named))
    run = takewhile(bool, named[start:])
    return tuple(dict.fromkeys(name for names in run for name in names))


def looks_like_a_name(text: str) -> bool:
    """True for two to five words with capitals, particles aside, or for two to nine signs of an eastern script.

    >>> [looks_like_a_name(text) for text in ("Ann van der Lee", "Berlin nach Paris", "王小明", "Ann")]
    [True, False, True, False]
    """
    if is_eastern(text):
        return is_eastern_name(text)
    words = _WORD.findall(text)
    if not 2 <= len(words) <= 5 or len(text) > _LONGEST_NAME or _SIGNS.search(text) or _NOT_A_NAME.search(text):
        return False
    return all(word[0].isupper() or word in _PARTICLES for word in words) and words[-1][0].isupper()


def _people(values: Iterable[str], not_people: Collection[str]) -> tuple[str, ...]:
    """The names up to the first that can be none (a place, a role); departments of the site are left out."""
    names = (name for name in author_names(values) if not _is_of_the_site(name, not_people))
    return tuple(takewhile(looks_like_a_name, names))


def _is_of_the_site(name: str, site_names: Collection[str]) -> bool:
    """True for the site's name with something more: a channel, a desk, a regional edition."""
    words, key = set(name.casefold().split()), plain_key(name)
    return any(
        site in words or site == key or (len(site) >= _LONG_KEY and site in key)
        for site in map(plain_key, site_names)
        if site
    )


def _labelled(line: Line) -> Iterator[str]:
    """Names after a word that announces them, at the beginning of the line or of one of its pieces."""
    text = line.text
    if is_eastern(text[:_LONGEST]):
        yield from (*signatures(text[:_LONGEST]), *korean_names(text[:_LONGEST]))
        return
    if len(text) > _LONGEST:
        return
    for at, piece in enumerate(line.pieces):
        if _LABEL.match(piece.text.lstrip() + " "):
            rest = one_line(" ".join(other.text for other in line.pieces[at:]))
            if match := _LABEL.match(rest):
                yield _without_the_rest(rest[match.end() :])
            return


def _boxed(line: Line) -> Iterator[str]:
    """Names in a box that is called after the author."""
    if len(line.text) > _LONGEST:
        return
    for piece in line.pieces:
        text = _without_the_rest(piece.text.strip())
        if len(text) > 2 and looks_like_a_name(_FIRST_NAME_OF.split(text)[0].strip()):
            called = marks(piece.element)
            if _AUTHOR_BOX.search(called) and not _OTHER_BOX.search(called):
                yield text


def _beside_date(lines: Sequence[Line]) -> Iterator[str]:
    """A name that stands alone next to the date: in front of it on the same line, or on the line before or after."""
    dated = next(
        (at for at, line in enumerate(lines[:_NEAREST]) if len(line.text) <= _LONGEST and find_dates(line.text)), None
    )
    if dated is None:
        return
    yield from bracketed_names(lines[dated].text)
    around = [
        lines[dated].pieces[0].text,
        *(line.text for line in (*lines[dated + 1 : dated + 2], *lines[max(dated - 1, 0) : dated])),
    ]
    for text in map(_without_the_rest, map(one_line, around)):
        names = [part.strip() for part in text.split(",")]  # several people; "Kyiv, Ukraine" has no two words each
        if (len(names) == 1 or all(" " in name for name in names)) and all(map(_may_be_a_person, names)):
            yield from names
            return


def _may_be_a_person(text: str) -> bool:
    return looks_like_a_name(text) and not _NO_PERSON.match(text) and not is_eastern(text)


def _without_the_rest(text: str) -> str:
    """What stands before a date or another remark; the month in front of a day goes with it."""
    match = _END.search(text)
    if match is None:
        return text.strip()
    names = text[: match.start()].rstrip(" ,|")
    head, _, last = names.rpartition(" ")
    return head if match[0].strip()[:1].isdigit() and month_number(last) else names
