"""When the article appeared and was changed, as the lines around its headline tell readers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from newsmon.datesearch import find_dates
from newsmon.extraction.surroundings import lines, marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsmon.extraction.elements import Element
    from newsmon.extraction.surroundings import Line, Surroundings

_UPDATED = re.compile(
    r"\b(?:updat|modifi|revis|обновл|изменен|оновлен|aktualisi|geändert|actualiz|atualiz|mis à jour|màj|aggiorna"
    r"|aktualiz|güncelle|uppdater|oppdater|opdater|päivitet|bijgewerkt|gewijzigd|ενημ[εέ]ρωση|τελευταία)\w*"
    r"|更新|수정|cập nhật",
    re.IGNORECASE,
)
_RELATIVE_BOX = re.compile(r"date|time|publi|posted|datum|fecha|stamp")
_PUBLISHED = re.compile(
    r"发布|发表|發布|發表|發佈|张贴|張貼|опублик|дата|опублік|published|posted|veröffentlicht|erstellt|publié|publicad|pubblicat"
    r"|opublikowan|dodano|data pub|δημοσ|yayın|publicerad|publisert|julkaistu|diterbitkan|掲載|公開|입력|등록",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_LONGEST = 200
_SHORT = 50
_CLOSE = 2
_CAPTION = 70
"""Characters from which a line with a date may be a caption or a sentence, unless its box is called after dates."""


class Dateline(NamedTuple):
    """Dates as ISO 8601 (without a zone where none is stated) or, of a relative date, the words themselves."""

    published: list[str]
    modified: list[str]


def dateline(around: Surroundings, *, month_first: bool = False) -> Dateline:
    """The dates next to the headline: those that follow it, else the nearest in front of it.

    :param month_first: 05/03/2024 is the third of May.
    """
    for near in (around.after, _dated(around.before)):
        published: list[str] = []
        modified: list[str] = []
        for line in near:
            for updated, date in _dates(line, month_first):
                (modified if updated else published).append(date)
            if published:
                break
        if published or modified:
            return Dateline(published[:1] or modified[:1], modified[:1])
    return Dateline([text for line in around.after[:4] if (text := _relative(line))][:1], [])


def labelled_date(tree: Element) -> list[str]:
    """The first date on a page that stands behind a word for publishing, wherever that is."""
    for line in lines(tree):
        if len(line.text) > _LONGEST or not _DIGIT.search(line.text) or not _PUBLISHED.search(line.text):
            continue
        if found := find_dates(line.text):
            return [found[0].moment.isoformat() if found[0].timed else found[0].moment.date().isoformat()]
    return []


def _dated(before: Sequence[Line]) -> Iterator[Line]:
    """Lines in front of a headline: a date there may be today's, so it needs the time of day, a box, or to be close."""
    for at, line in enumerate(before):
        found = find_dates(line.text)
        if any(item.timed for item in found) or (found and at < _CLOSE and len(line.text) <= _SHORT) or _in_a_box(line):
            yield line


def _in_a_box(line: Line) -> bool:
    return any(piece.element.tag == "time" or _RELATIVE_BOX.search(marks(piece.element)) for piece in line.pieces)


def _dates(line: Line, month_first: bool) -> Iterator[tuple[bool, str]]:
    """Dates of a line, and whether it calls them dates of a change."""
    text = line.text[:_LONGEST] if len(line.text) <= 3 * _LONGEST else ""
    if not _DIGIT.search(text):
        return
    for piece in line.pieces:
        if stated := _stated(piece.element):
            yield bool(_UPDATED.search(text[: max(text.find(piece.text.strip()), 0)])), stated
            return
    if len(line.text) > _LONGEST:
        return
    if len(text) > _CAPTION and not _in_a_box(line):
        return
    start = 0
    for found in find_dates(text, month_first=month_first):
        moment = found.moment.isoformat() if found.timed else found.moment.date().isoformat()
        yield bool(_UPDATED.search(text[start : found.start])), moment
        start = found.end


def _stated(element: Element) -> str | None:
    """``datetime`` of the ``time`` element that a text stands in."""
    for box in (element, element.getparent()):
        if box is not None and box.tag == "time" and _DIGIT.search(box.get("datetime") or ""):
            return str(box.get("datetime"))
    return None


def _relative(line: Line) -> str | None:
    """A short line in a box for dates, or behind a word for publishing: "yesterday, 15:30", "3 мая"."""
    text = line.text
    if len(text) > _SHORT or not _DIGIT.search(text):
        return None
    return text if _PUBLISHED.match(text) or _in_a_box(line) else None
