"""What becomes of a URL whose fetch did not give a page: tried again, or given up and why."""

from __future__ import annotations

from dataclasses import dataclass

from newsmon.model import Outcome

RETRYABLE_CLIENT_ERRORS = frozenset({401, 402, 403, 404, 405, 406, 407, 408, 409, 421, 423, 425, 426, 451})
MINUTE = 60.0
MISSING_TRIES = 4  # answers 404 until an address is given up: 1, 4 and 16 minutes apart
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class FetchDecision:
    """The next move for a frontier row.

    :param outcome: why the row is given up, None when it is tried again.
    :param wait: seconds until the next try.
    :param hold_host: seconds for which the whole host is left alone.
    :param counts: False when the try does not use up an attempt (the site did not get a fair chance to answer).
    """

    reason: str
    outcome: Outcome | None = None
    wait: float = 0.0
    hold_host: float = 0.0
    counts: bool = True


def back_off(attempts: int, *, base: float = MINUTE, ceiling: float = DAY) -> float:
    """Seconds before the next try after ``attempts`` failed ones: base * 4^attempts, at most ``ceiling``.

    >>> [back_off(n) for n in range(4)]
    [60.0, 240.0, 960.0, 3840.0]
    """
    return float(min(base * 4.0 ** min(attempts, 16), ceiling))


def decide_status(
    status: int, attempts: int, *, retry_after: float | None = None, max_attempts: int = 5
) -> FetchDecision:
    """Decide about an answer with an HTTP status outside 2xx.

    410 is final. 429 and 503 hold the host for Retry-After, a day at most, and give up only when they go on for long.
    A 404 is tried again: an article is often in the feed before it is on every server.
    """
    reason = f"HTTP {status}"
    if status == 410:
        return FetchDecision(reason, outcome=Outcome.GONE)
    if status in (429, 503):
        wait = back_off(attempts) if retry_after is None else min(retry_after, DAY)
        if attempts >= max_attempts * 4:
            return FetchDecision(f"{reason} {attempts} times", outcome=Outcome.FAILED)
        return FetchDecision(reason, wait=wait, hold_host=wait)
    if status == 404 and attempts >= MISSING_TRIES - 1:
        return FetchDecision(reason, outcome=Outcome.GONE)
    if 300 <= status < 400:
        return FetchDecision(f"{reason}: a redirect that leads nowhere allowed", outcome=Outcome.REFUSED)
    if status < 500 and status not in RETRYABLE_CLIENT_ERRORS:
        return FetchDecision(reason, outcome=Outcome.FAILED)
    return decide_failure(reason, attempts, max_attempts=max_attempts)


def decide_failure(
    reason: str, attempts: int, *, max_attempts: int = 5, outcome: Outcome = Outcome.FAILED
) -> FetchDecision:
    """Decide about a try that failed on the network or in newsmon itself: back off, then give up with ``outcome``."""
    if attempts + 1 >= max_attempts:
        return FetchDecision(f"{reason} ({attempts + 1} tries)", outcome=outcome)
    return FetchDecision(reason, wait=back_off(attempts))
