"""Lines that a site repeats on page after page: they are no article's text, whatever they look like.

A single page cannot tell a notice to readers below the text from its last paragraph; a crawler has seen the site's
other pages. A line is repeated when it stood on at least three of the last pages. What is kept of a page is a hash of
each line, 1 to 2 KB; so a site takes some 50 KB, and what it has stopped showing is forgotten.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PAGES = 32
"""Pages that are remembered."""

LEAST_PAGES = 3
"""Other pages a line must have stood on."""

_MOST_LINES = 1000  # of a page


class Repeats:
    """What one site's latest pages have in common.

    >>> repeats = Repeats()
    >>> for number in range(3):
    ...     repeats.learn(f"http://a.example/{number}", [f"Text {number}.", "Subscribe to our paper."])
    >>> repeats.common(["Text 4.", "Subscribe to our paper."]).tolist()
    [False, True]
    """

    def __init__(self) -> None:
        self._pages: deque[tuple[str, NDArray[np.int64]]] = deque(maxlen=PAGES)
        self._sorted = np.zeros(0, np.int64)

    def learn(self, url: str, lines: Sequence[str]) -> None:
        """Remember the lines of a page; one that is remembered already is not counted twice."""
        if any(url == known for known, _ in self._pages):
            return
        self._pages.append((url, np.unique(_keys(lines))))
        self._sorted = np.sort(np.concatenate([keys for _, keys in self._pages]))

    def common(self, lines: Sequence[str]) -> NDArray[np.bool_]:
        """True for lines that other pages have too, shape (n,)."""
        repeated = np.zeros(len(lines), np.bool_)
        keys = _keys(lines)
        count = np.searchsorted(self._sorted, keys, "right") - np.searchsorted(self._sorted, keys, "left")
        repeated[: len(keys)] = count >= LEAST_PAGES
        return repeated


def _keys(lines: Sequence[str]) -> NDArray[np.int64]:
    return np.array([hash(line) for line in lines[:_MOST_LINES]], np.int64)
