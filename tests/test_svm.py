"""The RBF machine: formula 7 by hand, scikit-learn's decisions, its arrays, and how long a page's blocks take."""

from __future__ import annotations

from time import process_time_ns

import numpy as np
import pytest
from sklearn.svm import SVC

from newsmon.extraction.svm import RbfMachine


def machine(**changes: object) -> RbfMachine:
    """One support vector at the origin of a plane, unscaled."""
    parts = {
        "support": np.zeros((1, 2)),
        "weights": np.ones(1),
        "intercept": 0.0,
        "gamma": 1.0,
        "offset": np.zeros(2),
        "scale": np.ones(2),
    }
    return RbfMachine(**{**parts, **changes})


def trained(rows: int, features: int, penalty: float, sigma: float, seed: int = 0) -> tuple[SVC, RbfMachine]:
    chance = np.random.default_rng(seed)
    x = chance.random((rows, features))
    y = x[:, 0] + x[:, 1] ** 2 + 0.4 * chance.standard_normal(rows) > 0.8
    gamma = 1 / (2 * sigma**2)
    svc = SVC(C=penalty, gamma=gamma).fit(x, y)
    parts = (svc.support_vectors_, svc.dual_coef_[0], float(svc.intercept_[0]), gamma)
    return svc, RbfMachine(*parts, np.zeros(features), np.ones(features))


def test_formula_7_by_hand() -> None:
    """K = exp(-|x - y|^2 / (2 sigma^2)): |(3, 4)|^2 = 25, sigma = 5, so exp(-1/2)."""
    decided = machine(gamma=1 / (2 * 5**2)).decide([[3.0, 4.0], [0.0, 0.0]])
    assert decided.tolist() == pytest.approx([np.exp(-0.5), 1.0], abs=1e-6)


def test_weights_and_intercept_by_hand() -> None:
    found = machine(support=np.array([[0.0, 0.0], [1.0, 0.0]]), weights=np.array([2.0, -3.0]), intercept=0.5)
    assert found.decide([[0.0, 0.0]])[0] == pytest.approx(2 - 3 * np.exp(-1) + 0.5, abs=1e-6)


def test_raw_features_are_scaled() -> None:
    found = machine(offset=np.array([10.0, 0.0]), scale=np.array([5.0, 1.0]))
    assert found.decide([[15.0, 0.0]])[0] == pytest.approx(np.exp(-1), abs=1e-6)


def test_features_outside_of_the_training_range_are_held_to_it() -> None:
    beyond = [[-7.0, 99.0]]
    assert machine(clipped=True).decide(beyond)[0] == pytest.approx(np.exp(-1), abs=1e-6)
    assert machine().decide(beyond)[0] == 0


@pytest.mark.parametrize(
    ("features", "penalty", "sigma"), [(5, 3.0, 1.6), (3, 2.0, 1.2), (5, 3.0, 0.1), (40, 3.0, 3.0)]
)
def test_decisions_are_those_of_scikit_learn(features: int, penalty: float, sigma: float) -> None:
    svc, ours = trained(1200, features, penalty, sigma)
    x = np.random.default_rng(1).random((500, features))
    assert np.abs(ours.decide(x) - svc.decision_function(x)).max() < 1e-4
    assert len(ours.weights) > 100


def test_many_rows_are_decided_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ours = trained(200, 5, 3.0, 1.6)
    x = np.random.default_rng(1).random((1000, 5))
    whole = ours.decide(x)
    monkeypatch.setattr("newsmon.extraction.svm._BATCH", 7 * len(ours.weights))
    assert ours.decide(x).tolist() == pytest.approx(whole.tolist(), abs=1e-5)


def test_no_rows_and_no_support() -> None:
    assert machine().decide(np.empty((0, 2))).shape == (0,)
    assert machine(support=np.empty((0, 2)), weights=np.empty(0), intercept=-1.0).decide([[1.0, 2.0]]).tolist() == [
        -1.0
    ]


def test_arrays_make_the_same_machine() -> None:
    _, ours = trained(200, 5, 3.0, 1.6)
    arrays = ours.to_arrays("a.")
    assert all(name.startswith("a.") for name in arrays)
    again = RbfMachine.from_arrays({**arrays, **machine(clipped=True).to_arrays("b.")}, "a.")
    x = np.random.default_rng(1).random((10, 5))
    assert again.decide(x).tolist() == ours.decide(x).tolist()
    assert (again.clipped, RbfMachine.from_arrays(machine(clipped=True).to_arrays(""), "").clipped) == (False, True)


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": np.ones(2)},
        {"support": np.zeros(2)},
        {"offset": np.zeros(3)},
        {"scale": np.ones(1)},
        {"scale": np.array([1.0, 0.0])},
        {"intercept": np.nan},
        {"weights": np.array([np.inf])},
    ],
)
def test_parts_that_make_no_machine_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"fit|finite|zero"):
        machine(**changes)


def test_a_hundred_blocks_take_a_fraction_of_a_millisecond() -> None:
    """0.1 ms with 1,300 support vectors on an idle core; the bound leaves room for a busy machine."""
    found = machine(
        support=np.random.default_rng(0).random((1300, 5)),
        weights=np.random.default_rng(1).standard_normal(1300),
        offset=np.zeros(5),
        scale=np.ones(5),
    )
    x = np.random.default_rng(2).random((100, 5)).astype(np.float32)
    found.decide(x)
    times = []
    for _ in range(50):
        start = process_time_ns()
        found.decide(x)
        times.append(process_time_ns() - start)
    assert min(times) < 1_500_000
