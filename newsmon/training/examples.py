"""Labelled pages for training: read from corpora, cut into lines, each line known to be text or not."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsmon.extraction.generic import hints_of
from newsmon.extraction.segments import read_segments
from newsmon.extraction.sources import Sources
from newsmon.scoring import overlap, shingles
from newsmon.training.labels import label_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from newsmon.corpora import GoldPage
    from newsmon.extraction.features import Floats, Hints
    from newsmon.extraction.segments import Segments

_LEAST_RECALL = 0.6  # of the labelled lines against the copy; below, the copy is not of this page
_MOST_TOKENS = 400
_BASE = 3.0


@dataclass(frozen=True, eq=False)
class Example:
    """A page with labels.

    :param gold: the copied text.
    :param is_text: True for lines of the article, shape (n,).
    :param usable: False where page and copy do not fit together: measured, not learned from.
    """

    id: str
    set: str
    site: str
    language: str | None
    gold: str
    segments: Segments
    hints: Hints
    is_text: NDArray[np.bool_]
    usable: bool

    def cost(self, weight: Floats) -> Floats:
        """Cost of an error at each line: its tokens, and a page costs as the root of its tokens.

        :param weight: tokens of the lines, shape (n,).
        """
        cost = np.minimum(weight, _MOST_TOKENS) + _BASE
        result: Floats = cost / np.sqrt(cost.sum())
        return result


def read_examples(pages: Iterable[GoldPage]) -> Iterator[Example]:
    """The examples of pages that have a text and can be parsed."""
    for gold in pages:
        page = gold.page()
        if not gold.text.strip() or page.tree is None:
            continue
        segments = read_segments(page.tree)
        if not len(segments):
            continue
        labels = label_lines(segments.texts, gold.text, gold.language)
        is_text = labels >= 0.5
        labelled = "\n".join(text for text, each in zip(segments.texts, is_text, strict=True) if each)
        fit = overlap(shingles(gold.text, gold.language), shingles(labelled, gold.language))
        yield Example(
            id=gold.id,
            set=gold.set,
            site=gold.site,
            language=gold.language,
            gold=gold.text,
            segments=segments,
            hints=hints_of(Sources(page.tree, gold.address)),
            is_text=is_text,
            usable=fit.recall >= _LEAST_RECALL,
        )


def fold_of(site: str, folds: int, salt: str = "") -> int:
    """The fold of a site: by a hash, so that it is the same in every run and every set."""
    return int.from_bytes(hashlib.sha1(f"{salt}{site}".encode(), usedforsecurity=False).digest()[:8]) % folds
