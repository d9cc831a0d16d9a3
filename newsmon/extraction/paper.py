"""Extraction by the method of Zhou, Li and Song (2019), seed 001: two support vector machines over text densities.

::

    tree ── lines, text blocks ── five densities (1)-(5) ── SVM 1 ── content blocks (R > 0)
                                                                          │
    kept lines (R > 0) ── SVM 2 ── three densities (8) ── paragraphs of the content blocks

This is the paper's model, for comparison; newsmon's own is better. Where the paper is silent:

* min-max scaling (6) is done over the training data, not over the page: the smallest and largest value of each feature
  are learned with the machine, and a page's values are held to that range;
* a line lies in several nested content blocks, but is judged once: in the outermost of them;
* languages: :mod:`newsmon.extraction.noisewords`; labels and settings: :mod:`newsmon.training.paper`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsmon.extraction.densities import LineCounts, block_densities, count_lines, paragraph_densities
from newsmon.extraction.modelfile import Packaged
from newsmon.extraction.noisewords import language_of, lexicon
from newsmon.extraction.segments import Segments, read_segments
from newsmon.extraction.svm import RbfMachine
from newsmon.extraction.text import paragraphs_of_lines
from newsmon.extraction.textblocks import TextBlocks, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from newsmon.extraction.elements import Element
    from newsmon.model import Paragraph

NOWHERE = -1
"""Owner of a line that lies in no content block."""


@dataclass(frozen=True)
class PageBlocks:
    """A page as the method sees it.

    :param features: the five densities of each block, unscaled, shape (blocks, 5).
    """

    segments: Segments
    counts: LineCounts
    blocks: TextBlocks
    features: NDArray[np.float32]


@dataclass(frozen=True)
class PaperModel:
    """The two trained machines: of blocks, with five features, and of paragraphs, with three."""

    blocks: RbfMachine
    paragraphs: RbfMachine

    def keep(self, page: PageBlocks) -> NDArray[np.bool_]:
        """For each line of a page, whether it is content: R > 0 for a block around it, and for itself in that block."""
        owner = owners(self.blocks.decide(page.features) > 0, page.blocks, len(page.segments))
        lines = np.flatnonzero(owner != NOWHERE)
        kept = np.zeros(len(page.segments), np.bool_)
        features = paragraph_densities(lines, owner[lines], page.blocks, page.counts)
        kept[lines] = self.paragraphs.decide(features) > 0
        return kept

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Both machines as the arrays of a model file."""
        return {**self.blocks.to_arrays("blocks."), **self.paragraphs.to_arrays("paragraphs.")}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], prefix: str = "") -> PaperModel:
        """Read what :meth:`to_arrays` gave."""
        machines = (RbfMachine.from_arrays(arrays, f"{prefix}{name}.") for name in ("blocks", "paragraphs"))
        return cls(*machines)


PACKAGED: Packaged[PaperModel] = Packaged("paper", PaperModel.from_arrays)
"""The model that comes with newsmon."""


def read(tree: Element, language: str | None = None, model: PaperModel | None = None) -> list[Paragraph]:
    """The content of a page by the paper's method: its paragraphs in the order of the page, each once.

    :param language: what the page states; its ``lang`` attribute if None. The script of its letters may overrule it.
    :param model: the packaged one if None.
    """
    page = read_page(tree, language)
    return chosen(page.segments, (model or PACKAGED.whole).keep(page))


def read_page(tree: Element, language: str | None = None) -> PageBlocks:
    """The lines, blocks and densities of a page."""
    segments = read_segments(tree)
    stated = language or tree.get("lang") or tree.get("xml:lang")
    counts = count_lines(segments, lexicon(language_of(stated, _sample(segments))))
    blocks = read_blocks(tree, segments)
    return PageBlocks(segments, counts, blocks, block_densities(blocks, counts))


def owners(content: NDArray[np.bool_], blocks: TextBlocks, lines: int) -> NDArray[np.intp]:
    """For each line the outermost content block it lies in, or :data:`NOWHERE`.

    :param content: for each block, whether it is content.
    """
    owner = np.full(lines, NOWHERE, np.intp)
    for block in np.flatnonzero(content):  # inner blocks come before outer ones
        owner[blocks.first[block] : blocks.last[block]] = block
    return owner


def chosen(segments: Segments, kept: NDArray[np.bool_]) -> list[Paragraph]:
    """The paragraphs of the lines that are kept."""
    return paragraphs_of_lines(_lines(segments, kept))


def _lines(segments: Segments, kept: NDArray[np.bool_]) -> Iterator[tuple[str, Element, bool]]:
    before = NOWHERE
    for at in np.flatnonzero(kept).tolist():
        is_joined = bool(segments.joined[at]) and at == before + 1
        yield segments.texts[at], segments.elements[segments.block[at]], is_joined
        before = at


def _sample(segments: Segments) -> str:
    """Text to tell the language by: the longest lines."""
    return "\n".join(sorted(segments.texts, key=len)[-10:])
