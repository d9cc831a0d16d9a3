"""Weights of names and words from labelled pages (:mod:`newsmon.extraction.lexicon`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log
from typing import TYPE_CHECKING

import numpy as np

from newsmon.extraction.features import Weights
from newsmon.extraction.layout import inside
from newsmon.extraction.lexicon import names_in, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from newsmon.extraction.segments import Segments
    from newsmon.training.examples import Example

NAME_SITES = 4
WORD_SITES = 5
"""Sites that must use a name or word before it has a weight."""

_Counts = dict[str, tuple[float, float]]  # term -> how much it stands for content and for the rest, 0..1 each


class Terms:
    """What names and words stand for on each site."""

    def __init__(self, examples: Iterable[Example]) -> None:
        pages: dict[str, list[Example]] = defaultdict(list)
        for example in examples:
            pages[example.site].append(example)
        self._names = {site: _mean([_names(page) for page in found]) for site, found in pages.items()}
        self._words = {site: _mean([_words(page) for page in found]) for site, found in pages.items()}

    def weights(self, sites: Iterable[str]) -> Weights:
        """Weights by these sites alone."""
        chosen = sorted(set(sites))
        return Weights(
            _weigh((self._names[site] for site in chosen), NAME_SITES),
            _weigh((self._words[site] for site in chosen), WORD_SITES),
        )


def _names(example: Example) -> _Counts:
    """Shares of the page's content and of its rest that lie in blocks with the name."""
    segments = example.segments
    size = np.array([len(text) for text in segments.texts], np.float32)
    content, rest = size * example.is_text, size * ~example.is_text
    shares = [inside(part, segments) / max(float(part.sum()), 1.0) for part in (content, rest)]
    counts: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for block, attributes in _named(segments):
        for name in names_in(attributes):
            for side in (0, 1):
                counts[name][side] = min(1.0, counts[name][side] + float(shares[side][block]))
    return {name: (sides[0], sides[1]) for name, sides in counts.items()}


def _named(segments: Segments) -> Iterator[tuple[int, str]]:
    for block, attributes in enumerate(segments.names):
        if attributes and segments.last[block] > segments.first[block]:
            yield block, attributes


def _words(example: Example) -> _Counts:
    """1 where a line of the content, and of the rest, has the word."""
    sides: tuple[set[str], set[str]] = (set(), set())
    for text, is_text in zip(example.segments.texts, example.is_text.tolist(), strict=True):
        sides[0 if is_text else 1].update(words_in(text))
    return {word: (float(word in sides[0]), float(word in sides[1])) for word in sides[0] | sides[1]}


def _mean(pages: list[_Counts]) -> _Counts:
    total: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for page in pages:
        for term, sides in page.items():
            for side in (0, 1):
                total[term][side] += sides[side] / len(pages)
    return {term: (sides[0], sides[1]) for term, sides in total.items()}


def _weigh(sites: Iterable[Mapping[str, tuple[float, float]]], fewest: int) -> dict[str, float]:
    content, rest, count = Counter[str](), Counter[str](), Counter[str]()
    for site in sites:
        for term, (inner, outer) in site.items():
            content[term] += inner  # type: ignore[assignment]  # Counter adds floats as well
            rest[term] += outer  # type: ignore[assignment]
            count[term] += 1
    return {
        term: round(log((content[term] + 0.5) / (rest[term] + 0.5)), 3)
        for term in sorted(count)
        if count[term] >= fewest
    }
