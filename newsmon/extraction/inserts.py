"""Lines that stand inside of an article and are not its text: "read also", labels of advertisements.

Densities cannot tell them: they stand between two paragraphs, in the same container. Their first words can.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsmon.extraction.segments import Segments

LINKED = 0.4
"""Share of a line in links from which "read also" is a pointer; without a link it may begin a sentence."""

_LONGEST = 300
_READ_ALSO = re.compile(
    r"\W{0,3}(?:read (?:also|more|next)|also read|see also|more (?:on|from)|watch|"
    r"related(?: (?:story|stories|articles?))?|"
    r"читайте (?:также|еще|ещё|по теме|далее)|смотрите также|по теме|подробнее|"
    r"читайте (?:також|ще)|читай (?:також|ще)|дивіться також|"
    r"lesen sie (?:auch|hier|mehr)|mehr (?:zum thema|dazu)|siehe auch|auch interessant|"
    r"(?:à )?lire (?:aussi|également)|voir aussi|lea también|le puede interesar|te puede interesar|vea también|"
    r"czytaj (?:także|też|więcej)|zobacz (?:także|też)|leggi anche|leia (?:também|mais)|lees ook|"
    r"延伸阅读|相关阅读|相关报道|另请参阅|関連記事)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[\W\d]{0,3}(?:advertisement|ad|реклама|anzeige|werbung|publicidad|publicité|reklama|pubblicità|publicidade|advertentie|"
    r"广告|廣告|広告|story continues below(?: advertisement)?|article continues below(?: advertisement)?)[\W\d]{0,3}",
    re.IGNORECASE,
)


def insert_lines(segments: Segments, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the chosen lines are pointers to other articles or labels of advertisements, shape (n,)."""
    found = np.zeros(len(segments), np.bool_)
    for number in chosen.nonzero()[0].tolist():
        text = segments.texts[number]
        if len(text) <= _LONGEST:
            linked = segments.links[number] >= LINKED * len(text)
            found[number] = bool(_LABEL.fullmatch(text)) or (linked and bool(_READ_ALSO.match(text)))
    return found
