"""Training of a support vector machine with Gaussian kernel on a hundred thousand rows in seconds.

The kernel's feature space is spanned by m rows drawn as landmarks (Nystroem: Williams and Seeger 2001; reduced set:
Lee and Mangasarian 2001), and the machine with squared hinge loss is solved there in the primal by Newton's method
(Chapelle 2007)::

    min_b  lambda N |b|^2 + sum_i w_i max(0, 1 - y_i b.z_i)^2,   z_i = K(x_i, L) K(L, L)^(-1/2)

Each step solves the least squares over the rows inside the margin; it ends when that set stays the same. The result is
a kernel machine over the landmarks, ``f(x) = sum_j a_j K(x, l_j) + c``, of fixed cost whatever the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from newsmon.extraction.classifier import Judge
from newsmon.extraction.svm import RbfMachine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsmon.extraction.features import Floats

_SPAN = 6.0  # standard deviations on both sides of the mean that map to 0..1
_STEPS = 12
_SMALLEST = 1e-5  # eigenvalue of the landmarks' kernel that is kept


@dataclass(frozen=True, slots=True)
class MachineSettings:
    """What is chosen before training.

    :param landmarks: m; half of them from each class, drawn by weight.
    :param width: gamma times the number of features, in units of standard deviations.
    :param penalty: lambda.
    """

    landmarks: int = 600
    width: float = 1.0
    penalty: float = 1e-4


def fit_judge(x: Floats, y: NDArray[np.bool_], weight: Floats, settings: MachineSettings, seed: int) -> Judge:
    """Train a machine and its sigmoid.

    :param x: raw features, shape (n, d).
    :param y: True for the positive class, shape (n,).
    :param weight: cost of an error at each row, shape (n,).
    :raises ValueError: one class is missing.
    """
    if y.all() or not y.any():
        raise ValueError("training needs lines of both classes")
    mean = np.average(x, axis=0, weights=weight)
    deviation = np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weight)) + 1e-3
    offset, scale = mean - _SPAN * deviation, 2 * _SPAN * deviation
    scaled = np.clip((x - offset) / scale, 0, 1).astype(np.float32)
    gamma = settings.width / x.shape[1] * (2 * _SPAN) ** 2
    landmarks = scaled[_draw(y, weight, settings.landmarks, np.random.default_rng(seed))]
    root = _inverse_root(_kernel(landmarks, landmarks, gamma))
    rows = np.concatenate([_kernel(scaled, landmarks, gamma) @ root, np.ones((len(x), 1))], axis=1, dtype=np.float32)
    solution = _newton(rows, y, (weight / weight.mean()).astype(np.float32), settings.penalty)
    slope, bias = _sigmoid(rows @ solution.astype(np.float32), y, weight)
    weights = (root @ solution[:-1]).astype(np.float32)
    borders = offset.astype(np.float32), scale.astype(np.float32)
    machine = RbfMachine(landmarks, weights, float(solution[-1]), gamma, *borders, clipped=True)
    return Judge(machine, slope, bias)


def _draw(y: NDArray[np.bool_], weight: Floats, count: int, chance: np.random.Generator) -> NDArray[np.intp]:
    drawn = []
    for wanted in (True, False):
        rows = np.flatnonzero(y == wanted)
        share = weight[rows].astype(np.float64)
        drawn.append(chance.choice(rows, min(count // 2, len(rows)), replace=False, p=share / share.sum()))
    return np.concatenate(drawn)


def _kernel(x: Floats, y: Floats, gamma: float) -> Floats:
    squares = (x * x).sum(axis=1)[:, None] + (y * y).sum(axis=1) - 2 * x @ y.T
    result: Floats = np.exp(-gamma * np.maximum(squares, 0)).astype(np.float32)
    return result


def _inverse_root(kernel: Floats) -> Floats:
    values, vectors = np.linalg.eigh(kernel.astype(np.float64) + 1e-6 * np.eye(len(kernel)))
    kept = values > _SMALLEST
    root: Floats = (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
    return root


def _newton(rows: Floats, y: NDArray[np.bool_], weight: Floats, penalty: float) -> NDArray[np.float64]:
    sign = np.where(y, 1, -1).astype(np.float32)
    ridge = np.eye(rows.shape[1]) * penalty * len(rows)
    ridge[-1, -1] = 1e-9
    inside = np.ones(len(rows), np.bool_)
    solution: NDArray[np.float64] = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        near, cost = rows[inside], weight[inside]
        curvature = ((near * cost[:, None]).T @ near).astype(np.float64) + ridge
        solution = np.linalg.solve(curvature, (near.T @ (cost * sign[inside])).astype(np.float64)).astype(np.float64)
        now = sign * (rows @ solution.astype(np.float32)) < 1
        if np.count_nonzero(now != inside) < 1e-4 * len(rows):
            break
        inside = now
    return solution


def _sigmoid(decisions: Floats, y: NDArray[np.bool_], weight: Floats) -> tuple[float, float]:
    """Slope and bias of the most likely sigmoid."""
    total, target = float(weight.sum()), y.astype(np.float64)

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = parameters[0] * decisions + parameters[1]
        rest = (1 / (1 + np.exp(-np.clip(z, -30, 30))) - target) * weight
        value = float((weight * (np.logaddexp(0, z) - target * z)).sum()) / total
        return value, np.array([(rest * decisions).sum(), rest.sum()]) / total

    slope, bias = minimize(loss, np.array([2.0, 0.0]), jac=True).x
    return float(slope), float(bias)
