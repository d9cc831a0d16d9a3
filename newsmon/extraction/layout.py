"""What the blocks of a page hold: running sums over its lines, and the way up from every line to the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsmon.extraction.characters import Characters, count_characters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from newsmon.extraction.segments import Segments

LEVELS = 5
"""Blocks around a line that are looked at; blocks that hold the same lines count as one."""

_PROSE = 80
_LONG_PROSE = 160


@dataclass(frozen=True, slots=True)
class Layout:
    """Measures of n lines and m blocks.

    :param characters: what the lines are made of.
    :param linked: share of each line inside links.
    :param prose: True for lines that read like sentences of an article.
    :param weight: tokens of each line, shape (n,).
    :param parent: the block around each block, the root's its own.
    :param above: the next block up that holds more lines, shape (m,).
    :param levels: slices of block numbers of equal depth, parents first: (numbers,) arrays.
    """

    characters: Characters
    linked: NDArray[np.float32]
    prose: NDArray[np.bool_]
    weight: NDArray[np.float32]
    parent: NDArray[np.intp]
    above: NDArray[np.intp]
    levels: tuple[NDArray[np.intp], ...]


def measure(segments: Segments) -> Layout:
    """The layout of a page."""
    characters = count_characters(segments.texts)
    linked = segments.links / np.maximum(characters.length, 1)
    sentences = (characters.stops > 0) | (characters.size >= _LONG_PROSE)
    parent = np.maximum(segments.parent, 0).astype(np.intp)
    levels = _levels(segments.depth)
    return Layout(
        characters=characters,
        linked=linked.astype(np.float32),
        prose=(characters.size >= _PROSE) & (linked < 0.4) & sentences,
        weight=np.minimum(characters.words, 1000).astype(np.float32),
        parent=parent,
        above=_above(segments, parent, levels),
        levels=levels,
    )


def running(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Sums of the values before each place, one more than there are values."""
    sums = np.zeros(len(values) + 1)
    np.cumsum(values, out=sums[1:])
    return sums


def inside(values: NDArray[np.float32], segments: Segments) -> NDArray[np.float64]:
    """Sum of the lines' values in every block, shape (m,)."""
    sums = running(values)
    result: NDArray[np.float64] = sums[segments.last] - sums[segments.first]
    return result


def chain(layout: Layout, block: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """The blocks of the lines, then the blocks around these, and so on."""
    for _ in range(LEVELS):
        yield block
        block = layout.above[block]


def _levels(depth: NDArray[np.int32]) -> tuple[NDArray[np.intp], ...]:
    """Numbers of the blocks by depth."""
    order = np.argsort(depth, kind="stable")
    return tuple(np.split(order, np.flatnonzero(np.diff(depth[order])) + 1))


def _above(segments: Segments, parent: NDArray[np.intp], levels: tuple[NDArray[np.intp], ...]) -> NDArray[np.intp]:
    above = parent.copy()
    for blocks in levels[1:]:
        up = parent[blocks]
        same = (segments.first[up] == segments.first[blocks]) & (segments.last[up] == segments.last[blocks])
        above[blocks] = np.where(same, above[up], up)
    return above
