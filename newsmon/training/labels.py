"""Which lines of a page belong to the article a person copied from it.

The copy has other line breaks, may leave out lines and have others that the page shows in a different place, and short
lines (a heading, a name) may occur in many places. So lines are matched in three steps: shingles of four tokens tell
how much of a line is in the copy; the heaviest chain of lines that come in the order of the copy is kept; and a long
line outside of the chain counts when the copy holds more of its shingles than the chain has used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsmon.scoring import SHINGLE, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_LOOK_BACK = 400  # lines before a line that may come before it in the chain
_PLACES = 3  # places in the copy that a shingle is looked up at
_LONG = 8  # tokens
_MOSTLY = 0.8
_HALF = 0.5


class _Match(NamedTuple):
    line: int
    place: int  # token of the copy
    weight: float


class _Copy:
    """The copied text, by shingles and by whole lines."""

    def __init__(self, text: str, language: str | None) -> None:
        self.tokens = tokens(text, language)
        self.shingles = Counter(_shingles(self.tokens))
        self.places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, shingle in enumerate(_shingles(self.tokens)):
            self.places[shingle].append(place)
        self.lines: dict[tuple[str, ...], list[int]] = defaultdict(list)
        place = 0
        for line in text.splitlines():
            found = tokens(line, language)
            self.lines[tuple(found)].append(place)
            place += len(found)


def label_lines(lines: Sequence[str], copy: str, language: str | None = None) -> NDArray[np.float32]:
    """How much of each line belongs to the copied text, 0..1, shape (n,).

    >>> page = ["Home", "Dam opens", "The dam opens at noon.", "Home", "Rain is near.", "The dam opens at noon."]
    >>> label_lines(page, "Dam opens\\nThe dam opens at noon. Rain is near.").tolist()
    [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    """
    gold = _Copy(copy, language)
    found = [tokens(line, language) for line in lines]
    shares = np.array([_share(line, gold) for line in found], np.float32)
    kept = _chain([match for number, line in enumerate(found) for match in _matches(number, line, gold, shares)])
    labels = np.zeros(len(lines), np.float32)
    labels[kept] = shares[kept]
    used = Counter(shingle for number in kept for shingle in _shingles(found[number]))
    for number in np.flatnonzero((labels == 0) & (shares >= _MOSTLY)).tolist():
        shingles = list(_shingles(found[number]))
        if len(found[number]) < _LONG:
            continue
        if sum(used[shingle] < gold.shingles[shingle] for shingle in shingles) >= _MOSTLY * len(shingles):
            labels[number] = shares[number]
            used.update(shingles)
    return labels


def _shingles(found: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(found[start:] for start in range(SHINGLE)), strict=False)


def _share(line: list[str], gold: _Copy) -> float:
    if len(line) < SHINGLE:
        return float(bool(line) and tuple(line) in gold.lines)
    shingles = list(_shingles(line))
    return sum(shingle in gold.shingles for shingle in shingles) / len(shingles)


def _matches(number: int, line: list[str], gold: _Copy, shares: NDArray[np.float32]) -> Iterator[_Match]:
    """Where in the copy a line may stand, latest first."""
    if shares[number] < _HALF:
        return
    if len(line) < SHINGLE:
        places, weight = gold.lines[tuple(line)][: _PLACES + 1], max(len(line), 1) / 2
    else:
        starts = Counter(
            place - offset
            for offset, shingle in enumerate(_shingles(line))
            for place in gold.places.get(shingle, ())[:_PLACES]
        )
        places, weight = [place for place, _ in starts.most_common(_PLACES)], float(len(line))
    for place in sorted(places, reverse=True):
        yield _Match(number, place, weight)


def _chain(matches: Sequence[_Match]) -> list[int]:
    """Lines of the heaviest chain of matches that rise in the page and in the copy."""
    best: list[tuple[float, int]] = []
    for number, match in enumerate(matches):
        value, before = match.weight, -1
        for other in range(number - 1, max(-1, number - _LOOK_BACK), -1):
            earlier = matches[other]
            if earlier.line < match.line and earlier.place < match.place and best[other][0] + match.weight > value:
                value, before = best[other][0] + match.weight, other
        best.append((value, before))
    kept: list[int] = []
    number = max(range(len(best)), key=lambda each: best[each][0], default=-1)
    while number >= 0:
        kept.append(matches[number].line)
        number = best[number][1]
    return sorted(kept)
