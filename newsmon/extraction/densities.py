"""The densities of seed 001: five of a text block, formulas (1)-(5), and three of a paragraph, definitions 1-3 and (8).

A paragraph is a line: the paper cuts blocks at ``<p>``, ``<br>`` and the tags of all other blocks, so none spans two.
A density whose denominator is zero (no word, no tag inside) is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from newsmon.extraction.noisewords import Lexicon
    from newsmon.extraction.segments import Segments
    from newsmon.extraction.textblocks import TextBlocks

Floats = NDArray[np.float32]

BLOCK_FEATURES = ("links", "noise words", "sentence marks", "decorations", "region")
"""Columns of :func:`block_densities`."""

PARAGRAPH_FEATURES = ("text", "sentence marks", "region")
"""Columns of :func:`paragraph_densities`."""


@dataclass(frozen=True, slots=True)
class LineCounts:
    """What each line holds, arrays of shape (n,).

    :param characters: AL and ACL: all characters of the text, single spaces included.
    :param links: HLL: those inside links.
    :param words: AWC.
    :param noise: NWC.
    :param marks: SCL.
    """

    characters: NDArray[np.int32]
    links: NDArray[np.int32]
    words: NDArray[np.int32]
    noise: NDArray[np.int32]
    marks: NDArray[np.int32]


def count_lines(segments: Segments, lexicon: Lexicon) -> LineCounts:
    """Count the characters, words and marks of every line once; blocks add them up."""
    counted = [lexicon.counts(text) for text in segments.texts]
    words, noise, marks = np.array(counted, np.int32).reshape(-1, 3).T
    characters = np.array([len(text) for text in segments.texts], np.int32)
    return LineCounts(characters, segments.links, words, noise, marks)


def density(part: ArrayLike, whole: ArrayLike) -> Floats:
    """``part / whole``, and 0 where there is nothing.

    Formulas (1) HLL / AL, (2) NWC / AWC, (3) SCL / ACL, (4) LC / ALC, (5) NS / ANS; definitions 1 and 2.

    >>> density([1, 0, 3], [4, 0, 2]).tolist()
    [0.25, 0.0, 1.5]
    """
    above, below = np.broadcast_arrays(np.asarray(part, np.float32), np.asarray(whole, np.float32))
    share = np.zeros(above.shape, np.float32)
    np.divide(above, below, out=share, where=below > 0)
    return share


def region_density(first: ArrayLike, last: ArrayLike, paragraphs: ArrayLike) -> Floats:
    """Formula (8): (MIN(PC) + MAX(PC)) / (2 APC), where in its block a paragraph stands.

    :param first: number of the paragraph in its block at its first line, from 1; ``last`` at its last line.
    :param paragraphs: how many paragraphs the block has.

    >>> region_density([1, 2], [1, 3], 4).tolist()
    [0.25, 0.625]
    """
    return density(np.add(first, last), np.multiply(2, paragraphs))


def block_densities(blocks: TextBlocks, counts: LineCounts) -> Floats:
    """The five densities of every block, shape (blocks, 5)."""
    characters = sums(counts.characters, blocks)
    return np.column_stack(
        (
            density(sums(counts.links, blocks), characters),
            density(sums(counts.noise, blocks), sums(counts.words, blocks)),
            density(sums(counts.marks, blocks), characters),
            density(blocks.decorations, blocks.tags),
            density(blocks.ordinal, blocks.nodes),
        )
    )


def paragraph_densities(
    lines: NDArray[np.intp], owner: NDArray[np.intp], blocks: TextBlocks, counts: LineCounts
) -> Floats:
    """The three densities of lines, each within one block, shape (lines, 3).

    :param lines: numbers of the lines.
    :param owner: for each of them, the number of the block that is looked at.
    """
    characters = counts.characters[lines]
    place = lines - blocks.first[owner] + 1
    return np.column_stack(
        (
            density(characters, sums(counts.characters, blocks)[owner]),
            density(counts.marks[lines], characters),
            region_density(place, place, (blocks.last - blocks.first)[owner]),
        )
    )


def sums(values: NDArray[np.int32], blocks: TextBlocks) -> NDArray[np.int64]:
    """The sum over the lines of each block."""
    running = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    return running[blocks.last] - running[blocks.first]
