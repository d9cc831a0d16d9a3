"""Several texts of one page, and which of them is stored.

The classifier reads the page as it is shown. Many pages state their text for machines as well (``articleBody``): it is
right where the page itself shows nothing yet, and a teaser, a text without its paragraphs or last week's version on
others. Measured, the classifier's text is the better one wherever the classifier is sure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsmon.extraction.text import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsmon.model import Paragraph

SURE = 0.5
"""Confidence of the classifier under which a stated text is taken instead."""

_MUCH_LONGER = 3.0


class Candidate(NamedTuple):
    """A text of the page.

    :param method: who gave it (``Extract.method``).
    :param confidence: 0..1, None when nobody judged it.
    """

    method: str
    paragraphs: Sequence[Paragraph]
    confidence: float | None = None

    @property
    def size(self) -> int:
        """Of all paragraphs, in letters."""
        return sum(size(paragraph.text) for paragraph in self.paragraphs)


def better(read: Candidate, stated: Candidate) -> Candidate:
    """The one to store of a text read by the classifier and one stated by the page; either may be empty."""
    if not stated.paragraphs:
        return read
    unsure = (read.confidence or 0.0) < SURE
    return stated if unsure or stated.size > _MUCH_LONGER * read.size else read
