"""Notices about cookies and consent inside of a page that is an article: long prose that belongs to nobody's text.

A banner of a consent service reads like an article to densities: long sentences, few links. Its words give it away. The
lines of a container count as a notice when most of what was chosen from it speaks of consent and the rest of the text
does not stand in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsmon.extraction.layout import inside
from newsmon.extraction.phrases import CONSENT_APPEAL, CONSENT_WORD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsmon.extraction.segments import Segments

_CORE = (
    "cookie consent tracking einwillig einverständnis zustimm соглас згод погодж traceur ciastecz zgod toestemming "
    "akkoord consenso 同意 允许 クッキー"
).split()
_LEAST_TOKENS = 40.0  # of a container that is worth a look
_MOSTLY = 0.6
_WORDS = 2  # about consent, different ones, in a line that is about it
_REST = 30.0  # tokens that must remain: a page that is nothing but a notice is for the kind of page to say


def notice_lines(segments: Segments, chosen: NDArray[np.bool_], weight: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which of the chosen lines belong to a notice, shape (n,).

    :param weight: tokens of each line, shape (n,).
    """
    nothing = np.zeros(len(segments), np.bool_)
    numbers = chosen.nonzero()[0].tolist()
    lines = {number: segments.texts[number].lower() for number in numbers}
    appeals = [number for number, line in lines.items() if _appeals(line)]
    if not appeals:
        return nothing
    about = np.zeros(len(segments), np.float32)
    for number, line in lines.items():
        about[number] = len(set(CONSENT_WORD.findall(line))) >= _WORDS
    text = weight * chosen
    held, consent = inside(text, segments), inside(text * about, segments)
    found = nothing.copy()
    for block in np.flatnonzero((held >= _LEAST_TOKENS) & (consent >= _MOSTLY * held)).tolist():
        first, last = int(segments.first[block]), int(segments.last[block])
        if any(first <= number < last for number in appeals):
            found[first:last] = True
    found &= chosen
    return found if float(text[~found].sum()) >= _REST else nothing


def _appeals(line: str) -> bool:
    """True for a line that asks its reader for consent."""
    if not any(word in line for word in _CORE):  # nearly all lines, and the patterns are slow
        return False
    return bool(CONSENT_APPEAL.search(line)) and len(set(CONSENT_WORD.findall(line))) >= _WORDS
