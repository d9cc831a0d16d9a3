"""The generic extractor's judge: which lines of a page are its article.

Two support vector machines in a row (:mod:`newsmon.extraction.svm`), as in seed 001, both over all lines in one batch::

    lines, densities of their blocks ──first──> p(line) ──sums over blocks──> context ──second──> p(line)

The first knows nothing of the other lines' verdicts. Its verdicts, summed over each block, judge the blocks; the second
judges the lines again, knowing how much of the article each block around them seems to hold. Decisions become
probabilities by a sigmoid (Platt 1999) fitted in training.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import ThreadpoolController

from newsmon.extraction.features import Weights, context_features, line_features
from newsmon.extraction.layout import measure
from newsmon.extraction.modelfile import Packaged
from newsmon.extraction.svm import RbfMachine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from newsmon.extraction.features import Floats, Hints
    from newsmon.extraction.segments import Segments


@dataclass(frozen=True, eq=False)
class Judge:
    """A machine and the sigmoid ``1 / (1 + exp(-(slope f + bias)))`` that makes its decisions f probabilities."""

    machine: RbfMachine
    slope: float
    bias: float

    def probabilities(self, x: Floats) -> Floats:
        """Of rows of raw features, shape (n, d) -> (n,)."""
        exponent = np.clip(self.slope * self.machine.decide(x) + self.bias, -30, 30)
        result: Floats = (1 / (1 + np.exp(-exponent))).astype(np.float32)
        return result

    def to_arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """For :func:`numpy.savez`; support vectors as half floats."""
        arrays = self.machine.to_arrays(prefix)
        arrays[f"{prefix}support"] = arrays[f"{prefix}support"].astype(np.float16)
        return {**arrays, f"{prefix}sigmoid": np.array([self.slope, self.bias])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str) -> Judge:
        """Read what :meth:`to_arrays` wrote."""
        slope, bias = arrays[f"{prefix}sigmoid"].tolist()
        return cls(RbfMachine.from_arrays(arrays, prefix), slope, bias)


@dataclass(frozen=True, eq=False)
class Classifier:
    """A trained extractor: weights of names and words, and the two machines."""

    weights: Weights
    first: Judge
    second: Judge

    def probabilities(self, segments: Segments, hints: Hints) -> tuple[Floats, Floats]:
        """How probable each line belongs to the article, and its weight in tokens, both of shape (n,)."""
        layout = measure(segments)
        if not len(segments):
            return layout.weight, layout.weight
        x = line_features(segments, layout, hints, self.weights)
        with _threads().limit(limits=1, user_api="blas"):  # waking threads costs more than these products
            context = context_features(segments, layout, self.first.probabilities(x))
            return self.second.probabilities(np.concatenate([x, context], axis=1)), layout.weight

    def to_arrays(self, prefix: str = "") -> dict[str, NDArray[np.generic]]:
        """For :func:`numpy.savez`."""
        arrays = {**self.first.to_arrays(f"{prefix}first_"), **self.second.to_arrays(f"{prefix}second_")}
        for name, weights in self.weights._asdict().items():
            keys = sorted(weights)
            arrays[f"{prefix}{name}"] = np.frombuffer("\n".join(keys).encode(), np.uint8)
            arrays[f"{prefix}{name}_weights"] = np.array([weights[key] for key in keys], np.float16)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> Classifier:
        """Read what :meth:`to_arrays` wrote; load the file with ``allow_pickle=False``.

        :raises KeyError: when an array is missing.
        """
        weights = Weights(*(_weights(arrays, prefix + name) for name in Weights._fields))
        return cls(weights, Judge.from_arrays(arrays, f"{prefix}first_"), Judge.from_arrays(arrays, f"{prefix}second_"))


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


PACKAGED: Packaged[Classifier] = Packaged("default", Classifier.from_arrays)
"""The trained classifier that comes with newsmon."""


def _weights(arrays: Mapping[str, NDArray[Any]], name: str) -> dict[str, float]:
    keys = arrays[name].tobytes().decode().split("\n") if arrays[name].size else []
    return dict(zip(keys, arrays[f"{name}_weights"].astype(float).tolist(), strict=True))
