"""Extraction without a rule: the text of any article page, by the trained classifier.

::

    tree ─ read_segments ─> lines ─ Classifier ─> probabilities ─ select ─> chosen lines ─> paragraphs, confidence
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsmon.extraction.classifier import PACKAGED
from newsmon.extraction.features import Hints
from newsmon.extraction.inserts import insert_lines
from newsmon.extraction.notices import notice_lines
from newsmon.extraction.selection import select
from newsmon.extraction.tables import whole_rows
from newsmon.extraction.text import paragraphs_of_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsmon.extraction.classifier import Classifier
    from newsmon.extraction.segments import Segments
    from newsmon.extraction.sources import Sources
    from newsmon.model import Paragraph


_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
_OWN = 0.5  # a text with less of its own is a wall, a stub or a copy: for others to judge, whole


class GenericText(NamedTuple):
    """What the classifier holds for the article.

    :param confidence: expected F1 of the text, 0..1.
    """

    paragraphs: list[Paragraph]
    confidence: float


def read_generic(
    segments: Segments,
    hints: Hints,
    classifier: Classifier | None = None,
    repeated: NDArray[np.bool_] | None = None,
) -> GenericText:
    """The most probable text of a page.

    :param classifier: None for the one that comes with newsmon.
    :param repeated: True for lines the site has on other pages (:mod:`newsmon.extraction.repeats`), shape (n,).
    """
    if not len(segments):
        return GenericText([], 0.0)
    probability, weight = (classifier or PACKAGED.whole).probabilities(segments, hints)
    selection = select(probability, weight)
    if repeated is not None:
        others = repeated & ~_in_headings(segments)
        if (weight * (selection.chosen & ~others)).sum() > _OWN * (weight * selection.chosen).sum():
            selection = select(np.where(others, np.float32(0), probability), weight)
    lines = []
    previous = -2
    chosen = selection.chosen & ~notice_lines(segments, selection.chosen, weight)
    chosen &= ~insert_lines(segments, chosen, weight)
    chosen = whole_rows(segments, chosen, weight)
    for number in chosen.nonzero()[0].tolist():
        joined = bool(segments.joined[number]) and number == previous + 1
        lines.append((segments.texts[number], segments.elements[segments.block[number]], joined))
        previous = number
    return GenericText(paragraphs_of_lines(lines), round(selection.confidence, 4))


def _in_headings(segments: Segments) -> NDArray[np.bool_]:
    """Lines that are headings: authors call the last part of every text "Conclusion"."""
    return np.array([segments.tags[block] in _HEADINGS for block in segments.block.tolist()], np.bool_)


def hints_of(sources: Sources) -> Hints:
    """Title and summary as the page states them."""
    return Hints(
        _first(sources, "title", ("opengraph", "json-ld")) or sources.head.title or "",
        _first(sources, "summary", ("opengraph", "meta", "json-ld")),
    )


def _first(sources: Sources, name: str, origins: tuple[str, ...]) -> str:
    return next((value for origin in origins for value in sources[origin].get(name, ()) if value), "")
