"""Rate and daily profile of publication, against hand-made figures and brute force."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.feeds.activity import DAY, HORIZON, Activity, activity_of

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
    day_only = tuple(2_000.0 if 8 <= hour < 20 else 0.0 for hour in range(24))
    night = NOON.replace(hour=20), NOON.replace(hour=20) + 12 * HOUR
    assert Activity(24.0, day_only, (100.0,) * 24).observe(*night, 0).rate == pytest.approx(24.0, rel=0.01)
    assert Activity(24.0).observe(*night, 0).rate == pytest.approx(24 * math.exp(-0.5))


def test_the_profile_is_learned_from_the_items_own_times_or_spread_over_the_gap() -> None:
    dated = Activity(24.0).observe(NOON - 2 * HOUR, NOON, 2, [NOON - timedelta(minutes=10)] * 2)
    assert dated.seen[11] == 2
    spread = Activity(24.0).observe(NOON - 2 * HOUR, NOON, 2)
    assert spread.seen[10] == spread.seen[11] == pytest.approx(1)
    assert sum(spread.seen) == pytest.approx(2)


def test_a_feed_replaced_as_a_whole_raises_the_rate_to_what_was_seen_at_least() -> None:
    assert Activity(2.0).observe(NOON - HOUR, NOON, 20, complete=False).rate == pytest.approx(480)
    assert Activity(2.0).observe(NOON - HOUR, NOON, 20).rate < 30


def test_steady_publication_is_learned() -> None:
    activity = Activity(200.0)
    for step in range(24 * 10):  # one item an hour for ten days
        activity = activity.observe(NOON + step * HOUR, NOON + (step + 1) * HOUR, 1)
    assert activity.rate == pytest.approx(24, rel=0.01)
    assert activity.shape() == pytest.approx([1.0] * 24, rel=0.05)


def test_an_hour_not_observed_is_neither_busy_nor_quiet() -> None:
    """Two hours of a feed with 240 items a day do not make the third look dead."""
    activity = Activity(240.0).observe(NOON - 2 * HOUR, NOON, 20)
    assert activity.shape() == pytest.approx([1.0] * 24, rel=0.05)


def test_a_daily_cycle_is_learned() -> None:
    activity = Activity(24.0)
    for step in range(24 * 20):  # two items an hour by day, none by night
        start = NOON + step * HOUR
        activity = activity.observe(start, start + HOUR, 2 if 8 <= start.hour < 20 else 0)
    shape = activity.shape()
    assert shape[8:20] == pytest.approx([1.9] * 12, rel=0.1)
    assert max(shape[:8] + shape[20:]) < 0.15
    assert activity.rate == pytest.approx(24, rel=0.05)


def test_nothing_is_learned_from_no_time() -> None:
    assert Activity(5.0).observe(NOON, NOON, 3) == Activity(5.0)


def test_first_sight_takes_the_rate_of_the_newer_half() -> None:
    hourly = [NOON - (index + 1) * HOUR for index in range(10)]
    seen = activity_of(hourly, NOON)
    assert seen is not None
    assert sum(seen.seen) == pytest.approx(5)
    assert seen.rate == pytest.approx(24)
    assert seen.seen[11] == 1
    pinned = activity_of([*hourly[:9], NOON - timedelta(days=700)], NOON)
    assert pinned is not None
    assert pinned.rate == pytest.approx(24)


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
def test_times_solve_their_integrals(rate: float, seen: tuple[float, ...], start: datetime, amount: float) -> None:
    """Summed in small steps, the items expected until T are as many as asked for, and have waited as long."""
    activity = Activity(rate, seen, (1.0,) * 24)
    published = activity.seconds_to_publish(start, amount)
    waited = activity.seconds_to_wait(start, amount)
    if published < HORIZON:
        assert _integrals(activity, start, published)[0] == pytest.approx(amount, rel=0.02)
    if waited < HORIZON:
        assert _integrals(activity, start, waited)[1] == pytest.approx(amount, rel=0.02)


def _integrals(activity: Activity, start: datetime, seconds: float, steps: int = 2_000) -> tuple[float, float]:
    shape = activity.shape()
    step, items, waited = seconds / steps, 0.0, 0.0
    begin = start.timestamp()
    for index in range(steps):
        hour = int((begin + (index + 0.5) * step) // 3_600) % 24
        before, items = items, items + activity.rate * shape[hour] * step / DAY
        waited += (before + items) / 2 * step / DAY
    return items, waited


@given(profiles, profiles)
def test_the_shape_has_mean_one_and_no_dead_hour(seen: tuple[float, ...], watched: tuple[float, ...]) -> None:
    shape = Activity(1.0, seen, watched).shape()
    assert sum(shape) / 24 == pytest.approx(1)
    assert min(shape) > 0


@given(rates, profiles, moments, st.integers(0, 10_000), st.floats(0, 1e8))
def test_learning_stays_finite(
    rate: float, seen: tuple[float, ...], start: datetime, items: int, seconds: float
) -> None:
    after = Activity(rate, seen).observe(start, start + timedelta(seconds=seconds), items)
    assert 0 < after.rate <= 1e6
    assert all(math.isfinite(count) and count >= 0 for count in (*after.seen, *after.watched))
