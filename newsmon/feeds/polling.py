"""When to poll a feed next: what one poll gave becomes a decision, and the decision carries the new state.

::

    PollState, PollResult ─> problem? ── 410 ───────> gone
                                │   └─── any other ─> back-off: period x 2 per error, at most a day
                                └ none ─> learn (rate, profile, length, validators) ─> policy ─> limits ─> jitter
                                            ─> ttl, Cache-Control ─> Retry-After ─> skipHours, skipDays

Everything is pure: time and jitter are arguments, and nothing is fetched or stored here.

What may lengthen a period beyond the policy's: ``ttl`` and ``sy:update*`` of the feed, and ``max-age`` or ``Expires``
of the answer up to six hours (all three only as far as the loss guard and the upper limit allow: a template that says
"weekly" on a busy feed must not lose articles), ``Retry-After`` up to a day, ``skipHours`` and ``skipDays``.

No feed dies of errors: after a few in a row (404 included) it is tried once a day for ever. Only 410 stops it.

A server that answers 304 although the feed has changed would hide articles for good. So after FULL_EVERY answers 304
in a row, or FULL_AFTER since the last full body, the next request is unconditional; if it brings a changed body under
the old validator, the validator lies, and none is sent for DISTRUST.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from newsmon.feeds.activity import DAY, Activity, activity_of
from newsmon.feeds.policies import POLICIES, REFERENCE_RATE, FixedPolicy, Policy, SharePolicy, SqrtPolicy, loss_guard
from newsmon.feeds.pollstate import PollState
from newsmon.model import FeedDocument, FeedState

__all__ = [
    "POLICIES",
    "FixedPolicy",
    "Policy",
    "PollDecision",
    "PollLimits",
    "PollResult",
    "PollState",
    "PollStatus",
    "SharePolicy",
    "SqrtPolicy",
    "decide",
]

JITTER = 0.1  # share by which a period is varied, so that feeds started together do not stay together
LONGEST_BACK_OFF = DAY
LONGEST_RETRY_AFTER = DAY
LONGEST_MAX_AGE = 6 * 3_600.0
FULL_EVERY = 10  # answers 304
FULL_AFTER = timedelta(days=1)
DISTRUST = timedelta(days=30)
_HOURS_OF_A_WEEK = 7 * 24
_BROKEN = {FeedState.HTML: "an HTML page instead of a feed", FeedState.UNREADABLE: "not a readable feed"}


class PollStatus(StrEnum):
    """How a feed stands after a poll."""

    ACTIVE = "active"
    FAILING = "failing"  # the last poll failed; it is tried again, at least once a day
    GONE = "gone"  # the server said 410: not polled any more


@dataclass(frozen=True, slots=True)
class PollResult:
    """What one poll gave.

    :param at: when the answer came.
    :param status: HTTP status of the last answer, None when there was none.
    :param changed: True when the body differs from the last one (by its hash); False for 304.
    :param not_modified: True for 304.
    :param new: entries not known before.
    :param total: entries in the body; 0 when it was not read because it had not changed.
    :param feed: the body as read; None for 304, an unchanged body or an error.
    :param retry_after: seconds, from :func:`newsmon.feeds.http_hints.parse_retry_after`.
    :param max_age: seconds, from :func:`newsmon.feeds.http_hints.parse_cache_control`.
    :param etag: ETag of the answer as sent, ``last_modified`` its Last-Modified.
    :param moved_to: where permanent redirects led (:func:`newsmon.feeds.http_hints.permanent_target`).
    :param error: why there is no answer (DNS, timeout, TLS ...), None when there is one.
    """

    at: datetime
    status: int | None = None
    changed: bool = False
    not_modified: bool = False
    new: int = 0
    total: int = 0
    feed: FeedDocument | None = None
    retry_after: float | None = None
    max_age: float | None = None
    etag: str | None = None
    last_modified: str | None = None
    moved_to: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class PollLimits:
    """Bounds of the period in seconds, and of trust in validators.

    :param minimum: never polled more often, whatever the policy says.
    :param maximum: polled at least this often, but for errors, Retry-After and skipped hours.
    :param full_every: answers 304 in a row after which a full body is asked for.
    :raises ValueError: not 0 < minimum <= maximum.
    """

    minimum: float = 300.0
    maximum: float = DAY
    full_every: int = FULL_EVERY

    def __post_init__(self) -> None:
        if not 0 < self.minimum <= self.maximum:
            raise ValueError(
                f"polling limits need 0 < minimum <= maximum, got {self.minimum} and {self.maximum} seconds"
            )


@dataclass(frozen=True, slots=True)
class PollDecision:
    """What to do with a feed after a poll.

    :param next_poll: when it is due. A feed that is gone has the date too, but nobody polls it.
    :param url: the feed's new address for good, None when it has not moved.
    :param reason: what set the time, for a person.
    """

    state: PollState
    next_poll: datetime
    status: PollStatus
    url: str | None
    reason: str

    @property
    def conditional(self) -> bool:
        """Whether the next request sends the validators."""
        return self.state.conditional


def decide(
    state: PollState, result: PollResult, *, policy: Policy, limits: PollLimits, now: datetime, jitter: float
) -> PollDecision:
    """When to poll the feed next, and what to remember of it.

    :param state: what earlier polls taught; ``PollState()`` for a new feed.
    :param now: aware UTC time from which the wait is counted.
    :param jitter: a random number in [-1, 1]; it moves the time by up to 10 %, never below a floor.
    :raises ValueError: jitter is outside [-1, 1].
    """
    if not -1 <= jitter <= 1:
        raise ValueError(f"jitter is a number from -1 to 1, got {jitter!r}")
    problem = _problem(result)
    if problem is not None:
        return _after_failure(state, result, problem, policy=policy, limits=limits, now=now, jitter=jitter)
    moved = result.moved_to if _is_good(result) else None
    state = _learn(state, result, moved=moved is not None)
    period = min(max(policy.period(state, now), limits.minimum), limits.maximum)
    wait, reason = _wait(state, result, period, limits=limits, now=now, jitter=jitter)
    due = _outside_skipped(state, now + timedelta(seconds=wait), jitter)
    state = replace(state, period=period, conditional=_may_ask_conditionally(state, due, limits))
    return PollDecision(state, due, PollStatus.ACTIVE, moved, reason)


# --- failures ---------------------------------------------------------------------------------------------------------


def _problem(result: PollResult) -> str | None:
    if result.error is not None:
        return result.error
    if result.not_modified:
        return None
    if result.status is None or not 200 <= result.status < 300:
        return f"HTTP {result.status}"
    if result.feed is not None and result.feed.state in _BROKEN:
        return result.feed.problem or _BROKEN[result.feed.state]
    return None


def _after_failure(
    state: PollState,
    result: PollResult,
    problem: str,
    *,
    policy: Policy,
    limits: PollLimits,
    now: datetime,
    jitter: float,
) -> PollDecision:
    """Twice the period for each error in a row, at most a day; at least what Retry-After asks for."""
    period = state.period if state.period is not None else policy.period(state, now)
    state = replace(state, errors=state.errors + 1, unchanged=0, old_share=None, last_poll=result.at)
    gone = result.status == 410
    longer = max(period, limits.minimum) * 2.0 ** min(state.errors, 20)
    wait = LONGEST_BACK_OFF if gone else min(longer * (1 + JITTER * jitter), LONGEST_BACK_OFF)
    wait, reason = _at_least(wait, f"error {state.errors} in a row: {problem}", _asked_by_server(result), jitter)
    due = _outside_skipped(state, now + timedelta(seconds=wait), jitter)
    return PollDecision(state, due, PollStatus.GONE if gone else PollStatus.FAILING, None, reason)


# --- learning ---------------------------------------------------------------------------------------------------------


def _is_good(result: PollResult) -> bool:
    """Whether this is the feed, and not the empty page of a parked domain: what a move for good must lead to."""
    return result.feed is None or bool(result.feed.entries)


def _learn(state: PollState, result: PollResult, *, moved: bool) -> PollState:
    if moved:  # what the old address called unchanged says nothing of the new one
        state = replace(state, validator=None)
    state = _learn_validators(_learn_hints(state, result), result)
    first = state.last_success is None
    length = result.total or state.feed_length
    return replace(
        state,
        activity=_learn_activity(state, result),
        feed_length=length,
        old_share=None if first or not length or _is_empty(result) else 1 - min(result.new / length, 1.0),
        errors=0,
        unchanged=0 if result.changed else state.unchanged + 1,
        last_poll=result.at,
        last_success=result.at,
        last_new=result.at if result.new else state.last_new,
    )


def _is_empty(result: PollResult) -> bool:
    return result.feed is not None and result.feed.state is FeedState.EMPTY


def _learn_hints(state: PollState, result: PollResult) -> PollState:
    feed = result.feed
    if feed is None:
        return state
    return replace(state, ttl=feed.ttl, skip_hours=feed.skip_hours, skip_days=feed.skip_days)


def _learn_validators(state: PollState, result: PollResult) -> PollState:
    if result.not_modified:
        return replace(state, not_modified=state.not_modified + 1)
    validator = result.etag or result.last_modified
    lied = _is_lie(state, result, validator)
    if result.feed is not None and result.feed.state is FeedState.PARTIAL:
        validator = None  # the rest of the body is still to be had
    return replace(
        state, validator=validator, not_modified=0, last_full=result.at, lied_at=result.at if lied else state.lied_at
    )


def _is_lie(state: PollState, result: PollResult, validator: str | None) -> bool:
    """Whether a changed body came under an unchanged validator.

    A weak ETag and a time to the second may stay the same over a change that does not matter (RFC 9110, 8.8.1):
    for them only new entries count.
    """
    if validator is None or validator != state.validator or not result.changed:
        return False
    strong = result.etag is not None and not result.etag.startswith("W/")
    return strong or result.new > 0


def _may_ask_conditionally(state: PollState, due: datetime, limits: PollLimits) -> bool:
    if state.validator is None or state.not_modified >= limits.full_every:
        return False
    if state.lied_at is not None and due - state.lied_at < DISTRUST:
        return False
    return state.last_full is not None and due - state.last_full < FULL_AFTER


def _learn_activity(state: PollState, result: PollResult) -> Activity | None:
    """The activity after this poll; at first sight that of the entries' own times, if they have any."""
    if state.last_success is None:
        return activity_of(_publication_times(result), result.at)
    times = [time for time in heapq.nlargest(result.new, _publication_times(result)) if time <= result.at]
    start, complete = state.last_success, result.new < result.total
    if not complete and len(times) == result.new > 0:  # what scrolled off before the oldest entry was not observed
        start = min(max(start, times[-1]), result.at - timedelta(minutes=1))
    activity = state.activity or Activity(REFERENCE_RATE)
    return activity.observe(start, result.at, result.new, times, complete=complete)


def _publication_times(result: PollResult) -> list[datetime]:
    return [entry.published for entry in result.feed.entries if entry.published] if result.feed else []


# --- the wait ---------------------------------------------------------------------------------------------------------


def _wait(
    state: PollState, result: PollResult, period: float, *, limits: PollLimits, now: datetime, jitter: float
) -> tuple[float, str]:
    wait = min(max(period * (1 + JITTER * jitter), limits.minimum), limits.maximum)
    reason = "policy" if state.activity is None else f"policy, {state.activity.rate:.3g} entries a day"
    hint, source = max((state.ttl or 0.0, "ttl"), (min(result.max_age or 0.0, LONGEST_MAX_AGE), "Cache-Control"))
    hint = min(hint, loss_guard(state, now), limits.maximum)
    wait, reason = _at_least(wait, reason, (hint, f"{source} of {hint:.0f} s"), jitter)
    return _at_least(min(wait, limits.maximum), reason, _asked_by_server(result), jitter)


def _asked_by_server(result: PollResult) -> tuple[float, str]:
    seconds = min(result.retry_after or 0.0, LONGEST_RETRY_AFTER)
    return seconds, f"Retry-After of {seconds:.0f} s"


def _at_least(wait: float, reason: str, floor: tuple[float, str], jitter: float) -> tuple[float, str]:
    """The wait, lengthened to a floor and a little over, so that feeds with the same floor do not come all at once."""
    seconds, source = floor
    if seconds <= wait:
        return wait, reason
    return seconds * (1 + JITTER * (1 + jitter) / 2), f"{reason}; {source}"


def _outside_skipped(state: PollState, due: datetime, jitter: float) -> datetime:
    """The first moment from ``due`` on that skipHours and skipDays allow; ``due`` when they would allow none.

    Feeds held back to a full hour are spread over its first minutes.
    """
    moment = due
    for _ in range(_HOURS_OF_A_WEEK):
        if moment.hour not in state.skip_hours and moment.isoweekday() not in state.skip_days:
            return moment
        spread = timedelta(minutes=3 * (1 + jitter))
        moment = moment.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1) + spread
    return due
