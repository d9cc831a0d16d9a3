"""Decisions of a trained support vector machine with Gaussian kernel, in one NumPy batch.

Idea: a page has a hundred blocks and ``sklearn.svm.SVC.predict`` spends most of its time outside of the arithmetic. A
trained machine is five arrays, so its decisions are one matrix product, one exponential and one more product::

    K(x, s) = exp(-gamma |x - s|^2),   gamma = 1 / (2 sigma^2)                      (seed 001, formula 7)
    f(x)    = sum_i w_i K(x, s_i) + b,   w_i = alpha_i y_i;   f(x) > 0: positive class

The exponent is written ``-gamma |x|^2 - gamma |s|^2 + 2 gamma x.s``, which two more columns on both sides turn into a
single product. The kernel is float32, the sum over it float64: decisions differ from scikit-learn's by less than 1e-4.

>>> machine = RbfMachine(
...     support=np.array([[0.0], [1.0]]), weights=np.array([1.0, -1.0]), intercept=0.25, gamma=1.0,
...     offset=np.array([10.0]), scale=np.array([2.0]),
... )
>>> for x, decision in zip((10, 12, 11), machine.decide([[10], [12], [11]])):
...     print(x, f"{decision:.3f}")
10 0.882
12 -0.382
11 0.250

Reference: C.-C. Chang, C.-J. Lin, LIBSVM: a library for support vector machines, ACM TIST 2(3), 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping

Floats: TypeAlias = NDArray[np.float32]

_VECTORS = ("support", "weights", "offset", "scale")
_NUMBERS = ("intercept", "gamma")
_BATCH = 1 << 20  # kernel values held at once: 4 MB, whatever the number of rows


@dataclass(frozen=True, eq=False)
class RbfMachine:
    """A trained machine.

    :param support: support vectors, scaled, shape (n, d).
    :param weights: dual coefficients ``alpha_i y_i``, shape (n,).
    :param intercept: ``b``.
    :param gamma: ``1 / (2 sigma^2)``.
    :param offset: what is taken from a raw feature, shape (d,).
    :param scale: what the difference is divided by, shape (d,); a feature that never varies has 1.
    :param clipped: hold scaled features to 0..1 (for min-max scaling: a page may lie outside of the training range).
    :raises ValueError: when the shapes do not fit together or a value is not finite.
    """

    support: Floats
    weights: Floats
    intercept: float
    gamma: float
    offset: Floats
    scale: Floats
    clipped: bool = False

    def __post_init__(self) -> None:
        for name in _VECTORS:
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float32))
        self._check()

    def _check(self) -> None:
        if self.support.ndim != 2 or self.weights.shape != self.support.shape[:1]:
            raise ValueError(f"support {self.support.shape} and weights {self.weights.shape} do not fit together")
        if not self.offset.shape == self.scale.shape == self.support.shape[1:]:
            raise ValueError(f"offset {self.offset.shape} and scale {self.scale.shape} do not fit the support")
        if not all(np.isfinite(getattr(self, name)).all() for name in _VECTORS + _NUMBERS):
            raise ValueError("a parameter of the machine is not finite")
        if not self.scale.all():
            raise ValueError("a scale is zero")

    @property
    def features(self) -> int:
        """Number of features d."""
        return len(self.offset)

    def scaled(self, x: ArrayLike) -> Floats:
        """Raw features as the machine sees them, shape (m, d)."""
        scaled = (np.asarray(x, dtype=np.float32) - self.offset) / self.scale
        return np.clip(scaled, 0.0, 1.0, out=scaled) if self.clipped else scaled

    def decide(self, x: ArrayLike) -> Floats:
        """Signed decisions for raw features of shape (m, d), shape (m,); above zero is the positive class.

        >>> RbfMachine(np.eye(2), np.ones(2), -1.0, 0.5, np.zeros(2), np.ones(2)).decide(np.empty((0, 2))).shape
        (0,)
        """
        scaled = self.scaled(x).reshape(-1, self.features)
        rows = max(1, _BATCH // max(1, len(self.weights)))
        if len(scaled) <= rows:
            return self._decide(scaled)
        return np.concatenate([self._decide(scaled[start : start + rows]) for start in range(0, len(scaled), rows)])

    def _decide(self, scaled: Floats) -> Floats:
        left = np.empty((len(scaled), self.features + 2), dtype=np.float32)
        left[:, :-2] = scaled
        left[:, -2] = 1.0
        np.einsum("ij,ij->i", scaled, scaled, out=left[:, -1])
        kernel = left @ self._right
        np.exp(kernel, out=kernel)
        return (kernel @ self._weights + self.intercept).astype(np.float32)

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """The weights as float64: terms of both signs cancel, and their sum in float32 would lose three digits."""
        return self.weights.astype(np.float64)

    @cached_property
    def _right(self) -> Floats:
        """Support vectors with the two columns that make the exponent one product, shape (d + 2, n)."""
        squares = np.einsum("ij,ij->i", self.support, self.support)
        columns = (2 * self.support.T, -squares, np.full_like(squares, -1.0))
        return np.ascontiguousarray(self.gamma * np.vstack(columns), dtype=np.float32)

    def to_arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """The machine as arrays for :func:`numpy.savez`, their names beginning with ``prefix``."""
        vectors = {prefix + name: getattr(self, name) for name in _VECTORS}
        numbers = {prefix + name: np.asarray(getattr(self, name), dtype=np.float64) for name in _NUMBERS}
        return {**vectors, **numbers, prefix + "clipped": np.asarray(self.clipped)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> RbfMachine:
        """Read what :meth:`to_arrays` wrote; load the file with ``allow_pickle=False``.

        :raises KeyError: when an array is missing.
        :raises ValueError: when the arrays do not make a machine.
        """
        support, weights, offset, scale = (arrays[prefix + name].astype(np.float32) for name in _VECTORS)
        intercept, gamma = (float(arrays[prefix + name].astype(np.float64)) for name in _NUMBERS)
        clipped = bool(arrays[prefix + "clipped"])
        return cls(support, weights, intercept, gamma, offset, scale, clipped)
