"""What names and words say: of a block by its class and id, of a line by its words.

``article-body`` and ``related_links`` tell what a block is in the words of the people who built the site, and so do
*subscribe*, 版权 or *Подпишитесь* in a line. Training counts on how many sites a name or word stands for content and
for the rest; its weight is the logarithm of that ratio::

    w(t) = ln((a + 1/2) / (b + 1/2)),   a, b: sites whose content, and whose rest, t stands for
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

LONGEST = 120
"""Characters of a line whose words are looked at: what a line is shows at its beginning."""

_LONGEST_NAMES = 400
_MOST = 4.0
_WORD_MOST = 3.0
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME = re.compile(r"[a-z]{3,19}")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@lru_cache(maxsize=16384)
def names_in(attributes: str) -> tuple[str, ...]:
    """The names in class and id attributes.

    >>> names_in("articleBody c-related_links u-mb2")
    ('article', 'body', 'related', 'links')
    """
    text = attributes[:_LONGEST_NAMES]
    if not text.islower():
        text = _HUMP.sub(" ", text).lower()
    return tuple(dict.fromkeys(_NAME.findall(text)))


def words_in(line: str) -> list[str]:
    """Words at the beginning of a line in lower case; of a script without spaces, pairs of characters.

    >>> words_in("Read also: 版权所有")
    ['read', 'also', '版权', '权所', '所有']
    """
    words = _WORD.findall(line[:LONGEST].lower())
    if line.isascii() or not _DENSE.search(line[:LONGEST]):
        return words
    found: list[str] = []
    for word in words:
        if _DENSE.match(word) and len(word) > 1:
            found += [word[place : place + 2] for place in range(len(word) - 1)]
        else:
            found.append(word)
    return found


def name_scores(attributes: Sequence[str], weights: Mapping[str, float]) -> NDArray[np.float32]:
    """Sum of the weights of the names of each block, within -4..4, shape (m,)."""
    known: dict[str, float] = {"": 0.0}
    for text in attributes:
        if text not in known:
            known[text] = sum(weights.get(name, 0.0) for name in names_in(text[:_LONGEST_NAMES]))
    return np.clip(np.array([known[text] for text in attributes], np.float32), -_MOST, _MOST)


def word_scores(lines: Sequence[Sequence[str]], weights: Mapping[str, float]) -> NDArray[np.float32]:
    """What the words of each line say, shape (n, 3): mean weight, the same drawn to zero, mean of the three lowest.

    :param lines: the words of each line; words without a weight are passed over.
    """
    scores = np.zeros((len(lines), 3), np.float32)
    find = weights.get
    for number, words in enumerate(lines):
        known = sorted(weight for word in words if (weight := find(word)) is not None)
        if known:
            total, lowest = sum(known), known[:3]
            scores[number] = total / len(known), total / (len(known) + 3), sum(lowest) / len(lowest)
    return np.clip(scores, -_WORD_MOST, _WORD_MOST)


def shared_words(lines: Sequence[Sequence[str]], stated: str) -> NDArray[np.float32]:
    """Share of each line's words that are in the stated text, and of its words that are in the line, shape (n, 2)."""
    wanted = set(words_in(stated))
    shares = np.zeros((len(lines), 2), np.float32)
    if not wanted:
        return shares
    for number, words in enumerate(lines):
        if not wanted.isdisjoint(words):
            found = set(words)
            both = len(found & wanted)
            shares[number] = both / len(found), both / len(wanted)
    return shares
