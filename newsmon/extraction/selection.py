"""From probabilities of lines to the text: the choice with the highest expected F1.

With p_i the probability that line i belongs to the article and w_i its tokens, a chosen set S has about ::

    E[F1(S)] = 2 sum_{i in S} w_i p_i / (sum_{i in S} w_i + sum_i w_i p_i)

and the best S holds the lines with the highest p (Lewis 1995): all above half of the best value. So a page on which
nothing is sure still gives its most probable text, and a sure page is cut at one half.

Reference: D. D. Lewis, Evaluating and optimizing autonomous text classification systems, SIGIR 1995.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Selection(NamedTuple):
    """Chosen lines.

    :param chosen: shape (n,).
    :param confidence: expected F1 of the choice, 0..1.
    """

    chosen: NDArray[np.bool_]
    confidence: float


def select(probability: NDArray[np.float32], weight: NDArray[np.float32]) -> Selection:
    """The lines with the highest expected F1.

    >>> found = select(np.array([0.9, 0.1, 0.8], np.float32), np.array([10, 10, 10], np.float32))
    >>> found.chosen.tolist(), round(found.confidence, 2)
    ([True, False, True], 0.89)
    """
    if not len(probability):
        return Selection(np.zeros(0, np.bool_), 0.0)
    order = np.argsort(-probability, kind="stable")
    held = np.cumsum((probability * weight)[order], dtype=np.float64)
    expected = 2 * held / np.maximum(np.cumsum(weight[order], dtype=np.float64) + held[-1], 1e-9)
    best = int(np.argmax(expected))
    return Selection(probability >= probability[order[best]], float(expected[best]))
