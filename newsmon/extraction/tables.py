"""Rows of tables are kept or left out whole: half a row says nothing, or something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon.extraction.layout import inside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from newsmon.extraction.segments import Segments

_LARGEST = 80.0  # tokens of a row of data; what has more lays out a page


def whole_rows(segments: Segments, chosen: NDArray[np.bool_], weight: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The choice with every row of several cells as most of its tokens are, shape (n,).

    :param weight: tokens of each line, shape (n,).
    """
    rows = [number for number, tag in enumerate(segments.tags) if tag == "tr"]
    if not rows or not chosen.any():
        return chosen
    whole, held = inside(weight, segments), inside(weight * chosen, segments)
    result = chosen.copy()
    for row in rows:
        first, last = int(segments.first[row]), int(segments.last[row])
        if last - first > 1 and 0 < held[row] < whole[row] <= _LARGEST:
            result[first:last] = 2 * held[row] >= whole[row]
    return result
