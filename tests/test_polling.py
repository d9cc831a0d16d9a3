"""Polling: each policy by hand-made figures, the ladder of errors, hints, validators, and bounds for any input."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.feeds.activity import DAY, Activity
from newsmon.feeds.polling import (
    DISTRUST,
    FULL_EVERY,
    POLICIES,
    FixedPolicy,
    Policy,
    PollDecision,
    PollLimits,
    PollResult,
    PollState,
    PollStatus,
    SqrtPolicy,
    decide,
)
from newsmon.model import Entry, FeedDocument, FeedState

NOON = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)  # a Friday
LIMITS = PollLimits()
KNOWN = PollState(
    period=1800.0,
    activity=Activity(24.0),
    feed_length=20,
    old_share=0.95,
    last_poll=NOON - timedelta(minutes=30),
    last_success=NOON - timedelta(minutes=30),
)


def feed(state: FeedState = FeedState.OK, *, times: list[datetime] | None = None, **fields: Any) -> FeedDocument:
    times = [NOON - timedelta(hours=hour + 0.5) for hour in range(20)] if times is None else times
    return FeedDocument(state, entries=tuple(Entry(url="", published=time) for time in times), **fields)


def good(new: int = 1, **fields: Any) -> PollResult:
    document = fields.pop("feed", feed())
    return PollResult(NOON, 200, changed=True, new=new, total=len(document.entries), feed=document, **fields)


def same(**fields: Any) -> PollResult:
    return PollResult(NOON, 304, not_modified=True, **fields)


def failed(status: int | None = 503, **fields: Any) -> PollResult:
    return PollResult(NOON, status, **fields)


def after(
    state: PollState,
    result: PollResult,
    *,
    policy: Policy | None = None,
    limits: PollLimits = LIMITS,
    jitter: float = 0.0,
) -> PollDecision:
    return decide(state, result, policy=policy or FixedPolicy(24), limits=limits, now=NOON, jitter=jitter)


def wait(decision: PollDecision) -> float:
    return (decision.next_poll - NOON).total_seconds()


@pytest.mark.parametrize(("minimum", "maximum"), [(0, 10), (-1, 10), (20, 10)])
def test_limits_without_sense_are_refused(minimum: float, maximum: float) -> None:
    with pytest.raises(ValueError, match="minimum"):
        PollLimits(minimum, maximum)


# --- learning ---------------------------------------------------------------------------------------------------------


def test_the_first_period_comes_from_the_entries_own_times() -> None:
    decision = after(PollState(), good(new=20), policy=SqrtPolicy(48))
    assert decision.state.activity is not None
    assert decision.state.activity.rate == pytest.approx(10 / 9.5 * 24)  # ten newest in nine and a half hours
    assert decision.state.period == pytest.approx(1800, rel=0.1)
    assert decision.state.old_share is None  # all new because never seen, not because much was published


def test_a_304_counts_as_nothing_new_and_lowers_the_rate() -> None:
    state = after(KNOWN, same()).state
    assert state.activity is not None
    assert state.activity.rate == pytest.approx(24 * math.exp(-1 / 48))
    assert (state.unchanged, state.not_modified, state.old_share, state.last_new) == (1, 1, 1.0, None)


def test_an_equal_body_counts_as_a_304_but_is_a_full_answer() -> None:
    equal = PollResult(NOON, 200, changed=False, etag='"b"')
    state = after(replace(KNOWN, not_modified=4), equal).state
    assert state.activity == after(KNOWN, same()).state.activity
    assert (state.unchanged, state.not_modified, state.last_full) == (1, 0, NOON)


def test_new_entries_raise_the_rate_and_are_noted() -> None:
    state = after(replace(KNOWN, unchanged=7), good(new=4)).state
    assert state.activity is not None
    assert state.activity.rate > 24
    assert (state.unchanged, state.last_new, state.feed_length) == (0, NOON, 20)
    assert state.old_share == pytest.approx(0.8)


def test_a_feed_replaced_as_a_whole_after_an_outage_shows_its_rate() -> None:
    """Twenty new entries of the last two hours, after three days without a poll, are 240 a day and not 7."""
    times = [NOON - timedelta(minutes=6 * (index + 1)) for index in range(20)]
    state = after(replace(KNOWN, last_success=NOON - timedelta(days=3)), good(new=20, feed=feed(times=times))).state
    assert state.activity is not None
    assert state.activity.rate == pytest.approx(240, rel=0.01)


def test_an_empty_feed_is_no_error_and_keeps_its_length() -> None:
    decision = after(KNOWN, good(new=0, feed=feed(FeedState.EMPTY, times=[])))
    assert decision.status is PollStatus.ACTIVE
    assert (decision.state.feed_length, decision.state.old_share) == (20, None)


# --- hints ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "seconds"),
    [
        (good(feed=feed(ttl=7200.0)), 7200),
        (good(feed=feed(ttl=600.0)), 3240),  # shorter than the period: says nothing
        (good(feed=feed(ttl=7 * DAY)), 10 * 3600),  # half of the 20 entries are replaced by then
        (good(max_age=9000.0), 9000),
        (good(max_age=10 * 3600.0), 6 * 3600),
        (good(feed=feed(ttl=7200.0), max_age=9000.0), 9000),
        (same(retry_after=20 * 3600.0), 20 * 3600),
        (same(retry_after=7 * DAY), DAY),
    ],
)
def test_hints_lengthen_the_period(result: PollResult, seconds: float) -> None:
    decision = after(KNOWN, result, jitter=-1.0)
    assert wait(decision) == pytest.approx(seconds, rel=0.05)


def test_hints_of_a_body_hold_while_it_does_not_change() -> None:
    state = after(KNOWN, good(feed=feed(ttl=7200.0, skip_hours=frozenset({14})))).state
    assert after(state, same()).next_poll.hour == 15


def test_a_ttl_does_not_make_a_busy_feed_lose_entries() -> None:
    busy = replace(KNOWN, activity=Activity(960.0), ttl=DAY)
    assert wait(after(busy, same(), policy=SqrtPolicy(48))) < 20 / 960 * DAY * 0.6


def test_the_upper_limit_holds_against_hints_but_not_against_retry_after() -> None:
    limits = PollLimits(300, 3000)
    assert wait(after(KNOWN, good(feed=feed(ttl=7200.0)), limits=limits)) == 3000
    assert wait(after(KNOWN, good(retry_after=7200.0), limits=limits, jitter=-1.0)) == 7200


def test_skipped_hours_and_days() -> None:
    hours = after(KNOWN, good(feed=feed(skip_hours=frozenset({13, 14}))), jitter=-1.0)
    assert hours.next_poll == NOON.replace(hour=12, minute=54)  # 60 minutes less 10 %: before the silence
    hours = after(KNOWN, good(feed=feed(skip_hours=frozenset({12, 13, 14}))), jitter=-1.0)
    assert hours.next_poll == NOON.replace(hour=15)
    days = after(KNOWN, good(feed=feed(skip_days=frozenset({5, 6}))), jitter=-1.0)
    assert days.next_poll == NOON.replace(day=3, hour=0)
    never = after(KNOWN, good(feed=feed(skip_hours=frozenset(range(24)))))
    assert wait(never) == 3600


# --- errors -----------------------------------------------------------------------------------------------------------


def test_each_error_doubles_the_wait_up_to_a_day_and_one_success_ends_it() -> None:
    state, waits = replace(KNOWN, period=3600.0), []
    for _ in range(7):
        decision = after(state, failed())
        assert decision.status is PollStatus.FAILING
        state = decision.state
        waits.append(wait(decision) / 3600)
    assert waits == [2, 4, 8, 16, 24, 24, 24]
    assert state.activity == KNOWN.activity
    recovered = after(state, good())
    assert (recovered.status, recovered.state.errors, recovered.state.period) == (PollStatus.ACTIVE, 0, 3600)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (failed(404), "HTTP 404"),
        (failed(403), "HTTP 403"),
        (failed(302), "HTTP 302"),
        (failed(None), "HTTP None"),
        (failed(None, error="DNS lookup failed"), "DNS lookup failed"),
        (good(feed=feed(FeedState.HTML, times=[])), "HTML page"),
        (good(feed=feed(FeedState.UNREADABLE, times=[], problem="not XML at line 3")), "not XML at line 3"),
    ],
)
def test_no_error_is_for_good(result: PollResult, reason: str) -> None:
    state = KNOWN
    for _ in range(200):
        decision = after(state, result, jitter=1.0)
        state = decision.state
        assert decision.status is PollStatus.FAILING
        assert reason in decision.reason
    assert wait(decision) == DAY


def test_410_stops_a_feed_at_once() -> None:
    assert after(KNOWN, failed(410)).status is PollStatus.GONE


@pytest.mark.parametrize(("retry_after", "seconds"), [(None, 3600), (60.0, 3600), (36_000.0, 36_000), (9 * DAY, DAY)])
def test_retry_after_is_obeyed_in_errors(retry_after: float | None, seconds: float) -> None:
    decision = after(replace(KNOWN, errors=0), failed(429, retry_after=retry_after), jitter=-1.0)
    assert wait(decision) == pytest.approx(seconds, rel=0.1)
    assert wait(decision) >= min(retry_after or 0, DAY)


# --- moves ------------------------------------------------------------------------------------------------------------


def test_a_permanent_move_is_followed_when_a_feed_is_there() -> None:
    moved = after(replace(KNOWN, validator='"a"'), good(moved_to="https://b.example/feed", etag='"a"'))
    assert moved.url == "https://b.example/feed"
    assert moved.state.lied_at is None  # the same validator at another address is no lie
    assert moved.conditional


@pytest.mark.parametrize(
    "result",
    [
        good(feed=feed(FeedState.HTML, times=[]), moved_to="https://parked.example/"),
        good(feed=feed(FeedState.EMPTY, times=[]), moved_to="https://parked.example/"),
        failed(404, moved_to="https://b.example/"),
        good(),
    ],
)
def test_a_move_to_no_feed_is_not(result: PollResult) -> None:
    assert after(KNOWN, result).url is None


# --- validators -------------------------------------------------------------------------------------------------------


def test_validators_are_sent_after_a_full_body_that_had_one() -> None:
    assert after(KNOWN, good(etag='"a"')).conditional
    assert after(KNOWN, good(last_modified="Fri, 01 Mar 2024 11:00:00 GMT")).conditional
    assert not after(KNOWN, good()).conditional


def test_a_partial_body_is_asked_for_again() -> None:
    assert not after(KNOWN, good(feed=feed(FeedState.PARTIAL), etag='"a"')).conditional


def test_a_full_body_is_asked_for_once_a_day_at_least() -> None:
    state = after(KNOWN, good(etag='"a"')).state
    assert after(state, same(), policy=FixedPolicy(2)).conditional
    assert not after(replace(state, last_full=NOON - timedelta(hours=13)), same(), policy=FixedPolicy(2)).conditional


def test_a_server_with_a_frozen_etag_is_found_out() -> None:
    """It answers 304 to every conditional request; the articles it hides are found at the next full one."""
    state, asked = after(KNOWN, good(etag='"frozen"')).state, []
    for _ in range(FULL_EVERY):
        asked.append(state.conditional)
        state = after(state, same()).state
    assert all(asked)
    assert not state.conditional
    state = after(state, good(new=5, etag='"frozen"')).state
    assert state.lied_at == NOON
    assert not state.conditional
    later = PollResult(NOON + DISTRUST, 200, changed=True, total=20, feed=feed(), etag='"other"')
    assert after(replace(state, lied_at=NOON - DISTRUST), later).conditional


@pytest.mark.parametrize(
    ("validators", "new", "lied"),
    [
        ({"etag": '"v"'}, 0, True),  # a strong ETag promises equal bytes
        ({"etag": 'W/"v"'}, 0, False),  # a weak one promises equal meaning
        ({"etag": 'W/"v"'}, 1, True),
        ({"last_modified": "v"}, 0, False),
        ({"last_modified": "v"}, 1, True),
        ({"etag": '"w"'}, 5, False),
        ({}, 5, False),
    ],
)
def test_what_is_a_lie(validators: dict[str, str], new: int, lied: bool) -> None:
    validator = {'"w"': '"v"'}.get(next(iter(validators.values()), "v"), next(iter(validators.values()), "v"))
    state = after(replace(KNOWN, validator=validator), good(new=new, **validators)).state
    assert (state.lied_at is not None) is lied


# --- for any input ----------------------------------------------------------------------------------------------------

jitters = st.floats(-1, 1)
profiles = st.lists(st.floats(0, 1e4), min_size=24, max_size=24).map(tuple)
activities = st.builds(Activity, st.floats(1e-6, 1e6), profiles, profiles)
moments = st.integers(0, 60 * 86_400).map(lambda seconds: NOON + timedelta(seconds=seconds))
policies = st.builds(lambda name, budget: POLICIES[name](budget), st.sampled_from(list(POLICIES)), st.floats(1, 500))
limits = st.builds(lambda low, factor: PollLimits(low, low * factor), st.floats(1, 7200), st.floats(1, 100))
states = st.builds(
    PollState,
    period=st.none() | st.floats(1, DAY),
    activity=st.none() | activities,
    feed_length=st.integers(0, 1000),
    old_share=st.none() | st.floats(0, 1),
    errors=st.integers(0, 2000),
    ttl=st.none() | st.floats(0, 1e7),
    validator=st.none() | st.just('"v"'),
    last_success=st.none() | moments,
    last_full=st.none() | moments,
    skip_hours=st.frozensets(st.integers(0, 23)),
    skip_days=st.frozensets(st.integers(1, 7)),
)


@st.composite
def results(draw: st.DrawFn) -> PollResult:
    at, kind = draw(moments), draw(st.sampled_from(["good", "same", "bad"]))
    if kind == "bad":
        return PollResult(
            at, draw(st.sampled_from([None, 301, 404, 429, 500])), retry_after=draw(st.none() | st.floats(0, 1e6))
        )
    if kind == "same":
        return PollResult(at, 304, not_modified=True, max_age=draw(st.none() | st.floats(0, 1e6)))
    times = draw(st.lists(moments, max_size=8))
    new = draw(st.integers(0, len(times)))
    return PollResult(at, 200, changed=True, new=new, total=len(times), feed=feed(times=times))


@given(state=states, result=results(), policy=policies, limits=limits, now=moments, jitter=jitters)
def test_the_wait_is_within_its_limits(
    *, state: PollState, result: PollResult, policy: Policy, limits: PollLimits, now: datetime, jitter: float
) -> None:
    state = replace(state, skip_hours=frozenset(), skip_days=frozenset())
    decision = decide(state, result, policy=policy, limits=limits, now=now, jitter=jitter)
    seconds = (decision.next_poll - now).total_seconds() + 1e-5
    if decision.status is PollStatus.ACTIVE:
        assert limits.minimum <= seconds <= limits.maximum + 1e-4
        assert decision.state.period is not None
        assert limits.minimum <= decision.state.period <= limits.maximum
    else:
        assert min(limits.minimum, DAY) <= seconds <= 1.1 * DAY + 1
        assert seconds >= min(result.retry_after or 0, DAY)


@given(states, results(), policies, moments, jitters)
def test_skipped_hours_are_never_polled(
    state: PollState, result: PollResult, policy: Policy, now: datetime, jitter: float
) -> None:
    decision = decide(state, result, policy=policy, limits=LIMITS, now=now, jitter=jitter)
    hours, days = decision.state.skip_hours, decision.state.skip_days
    if len(hours) < 24 and len(days) < 7:
        assert decision.next_poll.hour not in hours
        assert decision.next_poll.isoweekday() not in days


@given(states, jitters, results())
def test_a_state_survives_the_store(state: PollState, jitter: float, result: PollResult) -> None:
    learned = after(state, result, jitter=jitter).state
    assert PollState.from_json(learned.to_json()) == learned


def test_a_state_of_another_version_is_read() -> None:
    assert PollState.from_json('{"errors": 3, "field_of_tomorrow": 1}') == PollState(errors=3)


@pytest.mark.parametrize("text", ["", "[]", "3", '{"activity": {"rate": 1}}'])
def test_what_is_not_a_state_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json's own message for the first
        PollState.from_json(text)


def test_jitter_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="jitter"):
        after(KNOWN, same(), jitter=1.5)
