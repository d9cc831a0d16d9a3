"""What is known of each line of a page when it is judged: by itself, by its blocks, by its neighbours.

Two sets of columns, for two machines in a row (:mod:`newsmon.extraction.classifier`):

``line_features``
    Densities of the line and of the blocks around it (links, sentences, commas, prose; seed 001, formulas 1-5, taken
    on every level), its tag and the tags around it, what names and words say, its place on the page, whether it
    repeats the title, its neighbours, the nearest prose before and after it and whether that shares its block.
``context_features``
    What the first machine said of the neighbours, and how much of what it holds for text lies in each block around:
    the judgement of blocks.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from newsmon.extraction.layout import chain, inside, running
from newsmon.extraction.lexicon import name_scores, shared_words, word_scores, words_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from newsmon.extraction.layout import Layout
    from newsmon.extraction.segments import Segments

Floats: TypeAlias = "NDArray[np.float32]"

_TAGS = ("p", "li", "h2", "h3", "td", "figcaption", "blockquote", "div")
_TAG = {tag: number for number, tag in enumerate(_TAGS)}
_AROUND = ("article", "main", "aside", "header", "footer", "nav", "form", "figure", "table", "ul", "blockquote", "p")
_AROUND_BIT = {tag: 1 << number for number, tag in enumerate(_AROUND)}
_FADE = 0.9  # what a name says of the block fades with every block between
_TITLE_SIZE = 400
_FAR = 50.0
_NEAR_LEVELS = 3
_FAR_MEASURES = [1, 5, 8]  # of the blocks further up: links, share of the page's prose and of all its text
_NEIGHBOURS = (-1, 1)


class Hints(NamedTuple):
    """What the page says of its article outside of the text."""

    title: str = ""
    summary: str = ""


class Weights(NamedTuple):
    """Weights of names and of words (:mod:`newsmon.extraction.lexicon`)."""

    names: Mapping[str, float]
    words: Mapping[str, float]


def line_features(segments: Segments, layout: Layout, hints: Hints, weights: Weights) -> Floats:
    """Columns for the first machine, shape (n, d)."""
    tags = segments.tags
    words = [words_in(text) for text in segments.texts]
    columns = [
        _own(segments, layout),
        _tags(segments, tags),
        _around(segments, layout, tags),
        _names(segments, layout, weights.names),
        word_scores(words, weights.words),
        *_blocks(segments, layout),
        _place(segments, layout, tags, shared_words(words, hints.title), shared_words(words, hints.summary)),
        _nearest(segments, layout),
        _neighbours(segments, layout),
    ]
    return np.concatenate(columns, axis=1, dtype=np.float32)


def context_features(segments: Segments, layout: Layout, probability: Floats) -> Floats:
    """Columns for the second machine, shape (n, c).

    :param probability: what the first machine says of each line, shape (n,).
    """
    count = len(probability)
    weight, text = layout.weight, probability * layout.weight
    sums, total = running(text), max(float(text.sum()), 1e-6)
    columns: list[NDArray[np.floating]] = [
        _logit(probability),
        *_shifted(probability[:, None], (-4, -3, -2, -1, 1, 2, 3, 4)),
    ]
    columns += [_window(text, weight, reach)[:, None] for reach in (1, 2, 5, 10)]
    held, room = inside(text, segments), np.maximum(inside(weight, segments), 1e-6)
    expected = 2 * held / (room + total)
    judged = np.stack([held / room, held / total, expected], axis=1)
    columns += [judged[blocks] for blocks in chain(layout, segments.block.astype(np.intp))]
    best = int(np.argmax(expected))
    place = np.arange(count)
    within = (place >= segments.first[best]) & (place < segments.last[best])
    sure = np.flatnonzero(probability > 0.6)
    first, last = (sure[0], sure[-1]) if len(sure) else (int(np.argmax(probability)),) * 2
    page = (expected[best], total / max(float(weight.sum()), 1.0), np.log1p(total))
    columns.append(np.stack([within, _signed_log(place - first), _signed_log(place - last), sums[:-1] / total], axis=1))
    columns.append(np.broadcast_to(np.array(page, np.float32), (count, 3)))
    return np.concatenate(columns, axis=1, dtype=np.float32)


def _own(segments: Segments, layout: Layout) -> Floats:
    found, length = layout.characters, np.maximum(layout.characters.length, 1)
    repeats = Counter(segments.texts)
    return np.stack(
        [
            np.log1p(found.size),
            np.log1p(found.words),
            np.log1p(found.stops),
            np.log1p(found.commas),
            found.ended,
            100 * found.stops / np.maximum(found.size, 1),
            100 * found.commas / np.maximum(found.size, 1),
            found.digits / length,
            found.upper / length,
            np.minimum(found.marks, 5),
            (found.size - found.length) / length,
            layout.linked,
            segments.strong / length,
            segments.joined,
            segments.hidden,
            np.log([repeats[text] for text in segments.texts]),
        ],
        axis=1,
    ).astype(np.float32)


def _tags(segments: Segments, tags: Sequence[str]) -> Floats:
    numbers = np.array([_TAG.get(tag, len(_TAGS)) for tag in tags], np.intp)
    return np.eye(len(_TAGS) + 1, dtype=np.float32)[numbers[segments.block]]


def _around(segments: Segments, layout: Layout, tags: Sequence[str]) -> Floats:
    bits = np.array([_AROUND_BIT.get(tag, 0) for tag in tags], np.int64)
    depth = np.zeros(len(tags), np.float32)
    for level, blocks in enumerate(layout.levels[1:], start=1):
        bits[blocks] |= bits[layout.parent[blocks]]
        depth[blocks] = level
    shifted = bits[segments.block][:, None] >> np.arange(len(_AROUND))
    return np.concatenate([shifted & 1, np.log1p(depth[segments.block])[:, None]], axis=1).astype(np.float32)


def _names(segments: Segments, layout: Layout, weights: Mapping[str, float]) -> Floats:
    own = np.zeros(len(segments.names), np.float32)
    filled = (segments.last > segments.first).nonzero()[0]
    own[filled] = name_scores([segments.names[block] for block in filled.tolist()], weights)
    total, lowest, highest = own.copy(), np.minimum(own, 0), np.maximum(own, 0)
    for blocks in layout.levels[1:]:
        up = layout.parent[blocks]
        total[blocks] += _FADE * total[up]
        lowest[blocks] = np.minimum(own[blocks], lowest[up])
        highest[blocks] = np.maximum(own[blocks], highest[up])
    block = segments.block
    first = layout.parent[block]
    second = layout.parent[first]
    return np.stack(
        [own[block], own[first], own[second], own[layout.parent[second]], total[block], lowest[block], highest[block]],
        axis=1,
    )


def _blocks(segments: Segments, layout: Layout) -> list[Floats]:
    """Densities of the blocks around each line, nearest first."""
    found, prose = layout.characters, layout.prose
    size = inside(found.size, segments)
    room = np.maximum(size, 1)
    text = inside(found.size * prose, segments)
    whole = max(float(found.size.sum()), 1.0)
    all_text = max(float((found.size * prose).sum()), 1.0)
    measures = np.stack(
        [
            np.log1p(size),
            inside(found.size * layout.linked, segments) / room,
            np.log1p(inside(found.stops, segments)),
            np.log1p(inside(found.commas, segments)),
            text / room,
            text / all_text,
            np.log1p(segments.last - segments.first),
            np.log1p(inside(prose.astype(np.float32), segments)),
            size / whole,
        ],
        axis=1,
    ).astype(np.float32)
    near, far = measures, measures[:, _FAR_MEASURES]
    around = chain(layout, segments.block.astype(np.intp))
    return [(near if level < _NEAR_LEVELS else far)[blocks] for level, blocks in enumerate(around)]


def _place(segments: Segments, layout: Layout, tags: Sequence[str], in_title: Floats, in_summary: Floats) -> Floats:
    count, size = len(segments), layout.characters.size
    prose = size * layout.prose
    whole, text = max(float(size.sum()), 1.0), max(float(prose.sum()), 1.0)
    heading = np.array([tag == "h1" for tag in tags], np.bool_)[segments.block]
    likeness = in_title.prod(axis=1) * (size < _TITLE_SIZE) + 0.1 * heading
    headline = int(np.argmax(likeness)) if count else 0
    place = np.arange(count)
    images = np.diff(segments.images, prepend=0)
    page = (np.log1p(count), np.log1p(text), text / whole, float((size * layout.linked).sum()) / whole)
    return np.concatenate(
        [
            in_title,
            in_summary,
            np.stack(
                [
                    place / max(count, 1),
                    running(size)[:-1] / whole,
                    running(prose)[:-1] / text,
                    _signed_log(place - headline),
                    np.minimum(images[:count], 3),
                    np.minimum(images[1:], 3),
                ],
                axis=1,
            ),
            np.broadcast_to(np.array(page), (count, 4)),
        ],
        axis=1,
    ).astype(np.float32)


def _nearest(segments: Segments, layout: Layout) -> Floats:
    """How far the nearest prose before and after is, and whether it stands in the same block or the one around."""
    count = len(segments)
    prose, place = np.flatnonzero(layout.prose), np.arange(count)
    before = np.searchsorted(prose, place, "left") - 1
    after = np.searchsorted(prose, place, "right")
    parent = layout.parent[segments.block]
    around = layout.parent[parent]
    columns = []
    for found, exists in ((before, before >= 0), (after, after < len(prose))):
        other = prose[np.clip(found, 0, len(prose) - 1)] if len(prose) else np.zeros(count, np.intp)
        found_one = exists & (len(prose) > 0)
        distance = np.where(found_one, np.abs(other - place), _FAR)
        beside = found_one & ((parent[other] == parent) | (segments.block[other] == segments.block))
        near = found_one & ((around[other] == around) | (around[other] == parent) | (parent[other] == around))
        columns += [np.log1p(distance), beside, near]
    columns.append(columns[1] * columns[4])
    return np.stack(columns, axis=1).astype(np.float32)


def _neighbours(segments: Segments, layout: Layout) -> Floats:
    found = layout.characters
    own = np.stack([np.log1p(found.size), layout.linked, found.ended, layout.prose], axis=1).astype(np.float32)
    return np.concatenate(_shifted(own, _NEIGHBOURS), axis=1)


def _shifted(columns: Floats, steps: Sequence[int]) -> list[Floats]:
    """The columns of the lines so many places further, zeros beyond the ends."""
    reach = max(map(abs, steps))
    padded = np.pad(columns, ((reach, reach), (0, 0)))
    return [padded[reach + step : reach + step + len(columns)] for step in steps]


def _window(text: Floats, weight: Floats, reach: int) -> NDArray[np.float64]:
    """Mean probability of the lines around each, itself left out, weighted by their tokens."""
    place = np.arange(len(text))
    first, last = np.maximum(place - reach, 0), np.minimum(place + reach + 1, len(text))
    sums, room = running(text), running(weight)
    result: NDArray[np.float64] = (sums[last] - sums[first] - text) / np.maximum(room[last] - room[first] - weight, 1.0)
    return result


def _logit(probability: Floats) -> Floats:
    return np.log((probability + 1e-3) / (1 - probability + 1e-3))[:, None]


def _signed_log(distance: NDArray[np.intp]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.sign(distance) * np.log1p(np.abs(distance))
    return result
