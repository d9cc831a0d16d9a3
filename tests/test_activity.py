"""Rate and daily profile of publication, against hand-made figures and brute force."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.feeds.activity import DAY, HORIZON, PSEUDO, Activity, activity_of

NOON = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
rates = st.floats(0.01, 5_000)
profiles = st.lists(st.floats(0, 100), min_size=24, max_size=24).map(tuple)
moments = st.floats(0, 7 * DAY).map(lambda seconds: NOON + timedelta(seconds=seconds))


def test_a_mean_over_a_day_moves_by_the_share_of_the_day_observed() -> None:
    # two items in an hour are 48 a day; an hour is 1/24 of a day
    keep = math.exp(-1 / 24)
    assert Activity(24.0).observe(NOON - HOUR, NOON, 2).rate == pytest.approx(24 * keep + 48 * (1 - keep))


def test_a_night_without_news_is_no_news_when_the_profile_expects_it() -> None:
    day_only = tuple(1_000.0 if 8 <= hour < 20 else 0.0 for hour in range(24))
    night = NOON.replace(hour=20), NOON.replace(hour=20) + 12 * HOUR
    assert Activity(24.0, day_only).observe(*night, 0).rate == pytest.approx(24.0, rel=0.01)
    assert Activity(24.0).observe(*night, 0).rate == pytest.approx(24 * math.exp(-0.5))


def test_the_profile_is_learned_from_the_items_own_times_or_spread_over_the_gap() -> None:
    dated = Activity(24.0).observe(NOON - 2 * HOUR, NOON, 2, [NOON - timedelta(minutes=10)] * 2)
    assert dated.hours[11] == 2
    spread = Activity(24.0).observe(NOON - 2 * HOUR, NOON, 2)
    assert spread.hours[10] == spread.hours[11] == pytest.approx(1)
    assert sum(spread.hours) == pytest.approx(2)


def test_a_feed_replaced_as_a_whole_raises_the_rate_to_what_was_seen_at_least() -> None:
    assert Activity(2.0).observe(NOON - HOUR, NOON, 20, complete=False).rate == pytest.approx(480)
    assert Activity(2.0).observe(NOON - HOUR, NOON, 20).rate < 30


def test_steady_publication_is_learned() -> None:
    activity = Activity(200.0)
    for step in range(24 * 10):  # one item an hour for ten days
        activity = activity.observe(NOON + step * HOUR, NOON + (step + 1) * HOUR, 1)
    assert activity.rate == pytest.approx(24, rel=0.01)
    assert activity.shape() == pytest.approx([1.0] * 24, rel=0.05)


def test_nothing_is_learned_from_no_time() -> None:
    assert Activity(5.0).observe(NOON, NOON, 3) == Activity(5.0)


def test_first_sight_takes_the_rate_of_the_newer_half() -> None:
    hourly = [NOON - (index + 1) * HOUR for index in range(10)]
    seen = activity_of(hourly, NOON)
    assert seen is not None
    assert seen.rate == pytest.approx(24)
    assert seen.hours[11] == 1
    pinned = activity_of([*hourly[:9], NOON - timedelta(days=700)], NOON)
    assert pinned is not None
    assert pinned.rate == pytest.approx(24)
    assert sum(pinned.hours) == 9  # the old one says nothing of the present day


@pytest.mark.parametrize(
    "times",
    [[], [NOON], [NOON - HOUR] * 20, [NOON + HOUR, NOON + 2 * HOUR]],
    ids=["none", "one", "all the time of the build", "future"],
)
def test_first_sight_without_usable_times(times: list[datetime]) -> None:
    assert activity_of(times, NOON) is None


@given(rates, moments, st.floats(0.001, 1_000))
def test_a_flat_profile_has_closed_forms(rate: float, start: datetime, amount: float) -> None:
    flat = Activity(rate)
    assert flat.seconds_to_publish(start, amount) == pytest.approx(min(amount / rate * DAY, HORIZON))
    assert flat.seconds_to_wait(start, amount) == pytest.approx(min(math.sqrt(2 * amount / rate) * DAY, HORIZON))


@given(rates, profiles, moments, st.floats(0.001, 20))
def test_times_solve_their_integrals(rate: float, hours: tuple[float, ...], start: datetime, amount: float) -> None:
    """Summed in small steps, the items expected until T are as many as asked for, and have waited as long."""
    activity = Activity(rate, hours)
    items, waited = _integrals(activity, start, activity.seconds_to_publish(start, amount))
    assert items <= amount * 1.001 + 1e-6
    until = activity.seconds_to_wait(start, amount)
    items, waited = _integrals(activity, start, until)
    assert waited <= amount * 1.01 + 1e-6
    if until < HORIZON:
        assert waited == pytest.approx(amount, rel=0.02)


def _integrals(activity: Activity, start: datetime, seconds: float, steps: int = 2_000) -> tuple[float, float]:
    shape = activity.shape()
    step, items, waited = seconds / steps, 0.0, 0.0
    begin = start.timestamp()
    for index in range(steps):
        hour = int((begin + (index + 0.5) * step) // 3_600) % 24
        before, items = items, items + activity.rate * shape[hour] * step / DAY
        waited += (before + items) / 2 * step / DAY
    return items, waited


@given(profiles)
def test_the_shape_has_mean_one_and_no_dead_hour(hours: tuple[float, ...]) -> None:
    shape = Activity(1.0, hours).shape()
    assert sum(shape) / 24 == pytest.approx(1)
    assert min(shape) >= PSEUDO / (100 + PSEUDO)


@given(rates, profiles, moments, st.integers(0, 10_000), st.floats(0, 1e8))
def test_learning_stays_finite(
    rate: float, hours: tuple[float, ...], start: datetime, items: int, seconds: float
) -> None:
    after = Activity(rate, hours).observe(start, start + timedelta(seconds=seconds), items)
    assert 0 < after.rate <= 1e6
    assert all(math.isfinite(count) and count >= 0 for count in after.hours)
