"""What becomes of a URL whose fetch gave no page."""

from __future__ import annotations

import pytest

from newsmon.crawl.fetchpolicy import DAY, MINUTE, back_off, decide_failure, decide_status
from newsmon.model import Outcome

CASES = [
    # status, attempts, retry_after, outcome, wait, hold
    (410, 0, None, Outcome.GONE, 0, 0),
    (404, 0, None, None, MINUTE, 0),
    (404, 2, None, None, 16 * MINUTE, 0),
    (404, 3, None, Outcome.GONE, 0, 0),
    (403, 0, None, None, MINUTE, 0),
    (403, 4, None, Outcome.FAILED, 0, 0),
    (400, 0, None, Outcome.FAILED, 0, 0),
    (429, 0, 7.0, None, 7.0, 7.0),
    (503, 2, None, None, 16 * MINUTE, 16 * MINUTE),
    (429, 20, 7.0, Outcome.FAILED, 0, 0),
    (500, 1, None, None, 4 * MINUTE, 0),
    (500, 4, None, Outcome.FAILED, 0, 0),
    (302, 0, None, Outcome.REFUSED, 0, 0),
]


@pytest.mark.parametrize(("status", "attempts", "retry_after", "outcome", "wait", "hold"), CASES)
def test_status(
    status: int, attempts: int, retry_after: float | None, outcome: Outcome | None, wait: float, hold: float
) -> None:
    decision = decide_status(status, attempts, retry_after=retry_after, max_attempts=5)
    assert (decision.outcome, decision.wait, decision.hold_host) == (outcome, wait, hold)
    assert str(status) in decision.reason


def test_back_off_grows_to_a_day_and_no_further() -> None:
    waits = [back_off(n) for n in range(40)]
    assert waits == sorted(waits)
    assert waits[0] == MINUTE
    assert waits[-1] == DAY


def test_failures_use_up_the_attempts() -> None:
    assert decide_failure("timeout", 0, max_attempts=2).outcome is None
    given_up = decide_failure("timeout", 1, max_attempts=2)
    assert given_up.outcome is Outcome.FAILED
    assert given_up.reason == "timeout (2 tries)"
