"""Which lines are chosen: the highest expected F1, and which of two texts is stored."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.extraction.candidates import Candidate, better
from newsmon.extraction.selection import select
from newsmon.model import Paragraph


def expected(chosen: tuple[bool, ...], probability: list[float], weight: list[float]) -> float:
    held = sum(w * p for c, p, w in zip(chosen, probability, weight, strict=True) if c)
    size = sum(w for c, w in zip(chosen, weight, strict=True) if c)
    return 2 * held / (size + sum(w * p for p, w in zip(probability, weight, strict=True)))


_LINES = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=7)


@given(_LINES)
def test_no_other_choice_has_a_higher_expected_f1(lines: list[tuple[float, int]]) -> None:
    probability, weight = [line[0] for line in lines], [float(line[1]) for line in lines]
    found = select(np.array(probability, np.float32), np.array(weight, np.float32))
    best = max(expected(chosen, probability, weight) for chosen in product((False, True), repeat=len(lines)))
    assert expected(tuple(found.chosen.tolist()), probability, weight) == pytest.approx(best, abs=1e-4)
    assert found.confidence == pytest.approx(best, abs=1e-4)


def test_a_page_without_anything_sure_still_gives_its_best_line() -> None:
    found = select(np.array([0.01, 0.2, 0.02], np.float32), np.array([10, 40, 10], np.float32))
    assert found.chosen.tolist() == [False, True, False]
    assert found.confidence < 0.5


def test_no_lines() -> None:
    found = select(np.zeros(0, np.float32), np.zeros(0, np.float32))
    assert (found.chosen.shape, found.confidence) == ((0,), 0.0)


def text(method: str, size: int, confidence: float | None = None) -> Candidate:
    return Candidate(method, (Paragraph("x" * size),) if size else (), confidence)


@pytest.mark.parametrize(
    ("read", "stated", "winner"),
    [
        pytest.param(text("svm", 2000, 0.9), text("json-ld", 2100), "svm", id="a sure reading of what is shown"),
        pytest.param(text("svm", 300, 0.9), text("json-ld", 2100), "json-ld", id="the page shows only its beginning"),
        pytest.param(text("svm", 1500, 0.3), text("json-ld", 1400), "json-ld", id="an unsure reading"),
        pytest.param(text("svm", 1500, 0.3), text("none", 0), "svm", id="nothing stated"),
        pytest.param(text("none", 0, 0.0), text("microdata", 900), "microdata", id="nothing read"),
        pytest.param(text("none", 0, 0.0), text("none", 0), "none", id="nothing at all"),
    ],
)
def test_the_better_of_two(read: Candidate, stated: Candidate, winner: str) -> None:
    assert better(read, stated).method == winner
