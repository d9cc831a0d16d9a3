"""What stands inside of an article and is not its text: captions, boxes, "read also", labels of advertisements.

Densities cannot tell them: they stand between two paragraphs, and read like one. The name of their box can, or their
first words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from newsmon.extraction.layout import inside
from newsmon.extraction.lexicon import names_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from newsmon.extraction.segments import Segments

LINKED = 0.4
"""Share of a line in links from which "read also" is a pointer; without a link it may begin a sentence."""

_LONGEST = 300
_READ_ALSO = re.compile(
    r"\W{0,3}(?:read (?:also|more|next)|also read|required reading|see also|more (?:on|from)|watch|"
    r"related(?: (?:story|stories|articles?))?|"
    r"читайте (?:также|еще|ещё|по теме|далее)|смотрите также|по теме|подробнее|"
    r"читайте (?:також|ще)|читай (?:також|ще)|дивіться також|"
    r"lesen sie (?:auch|hier|mehr)|mehr (?:zum thema|dazu)|siehe auch|auch interessant|"
    r"(?:à )?lire (?:aussi|également)|voir aussi|le[ae] también|le puede interesar|te puede interesar|vea también|"
    r"czytaj (?:także|też|więcej)|zobacz (?:także|też)|leggi anche|leia (?:também|mais)|lees ook|"
    r"延伸阅读|相关阅读|相关报道|另请参阅|関連記事)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\W{0,3}")
_LABEL = re.compile(
    r"[\W\d]{0,3}(?:advertisement|ad|реклама|anzeige|werbung|publicidad|publicité|reklama|pubblicità|publicidade|advertentie|"
    r"广告|廣告|広告|story continues below(?: advertisement)?|article continues below(?: advertisement)?)[\W\d]{0,3}",
    re.IGNORECASE,
)


_CAPTION = frozenset(("caption",))
_BOX = frozenset(
    """
    related newsletter promo recirc bio comments disqus disclaimer signup subscribe ads advert advertisement sponsored
    byline dateline timestamp tags share social breadcrumb
    """.split()
)
_MOST_OF_CAPTION, _MOST_OF_BOX = 0.7, 0.4  # share of the text from which the name must mean something else


def insert_lines(segments: Segments, chosen: NDArray[np.bool_], weight: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which of the chosen lines are no text, shape (n,).

    :param weight: tokens of each line, shape (n,).
    """
    found = np.zeros(len(segments), np.bool_)
    for first, last in _boxes(segments, weight * chosen):
        found[first:last] = True
    for number in chosen.nonzero()[0].tolist():
        text = segments.texts[number]
        if len(text) <= _LONGEST:
            linked = segments.links[number] >= LINKED * len(text)
            found[number] |= bool(_LABEL.fullmatch(text)) or _points_elsewhere(text, linked=linked)
    return found & chosen


def _points_elsewhere(text: str, *, linked: bool) -> bool:
    """True for "read also" with a link, or with nothing behind it: then it is the label of what follows."""
    match = _READ_ALSO.match(text)
    return match is not None and (linked or _NOTHING.fullmatch(text, match.end()) is not None)


def _boxes(segments: Segments, text: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    """First and last line of the captions and boxes that hold some of the text.

    :param text: tokens of the chosen lines, 0 of the others, shape (n,).
    """
    held, total = inside(text, segments), float(text.sum())
    for block in np.flatnonzero((held > 0) & (held < _MOST_OF_CAPTION * total)).tolist():
        names = names_in(segments.names[block])
        is_caption = segments.tags[block] == "figcaption" or not _CAPTION.isdisjoint(names)
        if is_caption or (held[block] < _MOST_OF_BOX * total and not _BOX.isdisjoint(names)):
            yield int(segments.first[block]), int(segments.last[block])
