"""Polling policies by hand-made figures."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.feeds.activity import Activity
from newsmon.feeds.polling import POLICIES, FixedPolicy, PollState, SharePolicy, SqrtPolicy

NOON = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)
profiles = st.lists(st.floats(0, 1e4), min_size=24, max_size=24).map(tuple)
activities = st.builds(Activity, st.floats(1e-6, 1e6), profiles, profiles)
moments = st.integers(0, 60 * 86_400).map(lambda seconds: NOON + timedelta(seconds=seconds))


@pytest.mark.parametrize(("rate", "seconds"), [(24, 1800), (96, 900), (6, 3600), (24 * 36, 300)])
def test_sqrt_is_in_proportion_to_the_root_of_the_rate(rate: float, seconds: float) -> None:
    assert SqrtPolicy(48).period(PollState(activity=Activity(rate)), NOON) == pytest.approx(seconds)


def test_sqrt_comes_when_the_morning_begins() -> None:
    daytime = tuple(1_500.0 if 6 <= hour < 22 else 0.0 for hour in range(24))
    state = PollState(activity=Activity(24.0, daytime, (100.0,) * 24))
    at_three = NOON.replace(hour=3)
    due = at_three + timedelta(seconds=SqrtPolicy(48).period(state, at_three))
    assert 6 <= due.hour + due.minute / 60 < 7


def test_sqrt_never_lets_more_than_half_a_feed_scroll_off() -> None:
    busy = PollState(activity=Activity(960.0), feed_length=10)  # 40 an hour; half the feed in 7.5 minutes
    assert SqrtPolicy(1).period(busy, NOON) == pytest.approx(450)


def test_unknown_rate_is_taken_for_an_entry_an_hour() -> None:
    assert SqrtPolicy(48).period(PollState(), NOON) == 1800


@pytest.mark.parametrize(
    ("form", "old_share", "factor"),
    [
        ("geometric", 1.0, math.sqrt(1 / 0.95)),
        ("geometric", 0.95, 1.0),
        ("geometric", 0.6, math.sqrt(0.6 / 0.95)),
        ("geometric", 0.0, 0.5),  # sqrt(.02 / .95) = .145, held at 1/2
        ("geometric", None, 1.0),
        ("arithmetic", 1.0, 0.5 + 0.5 / 0.95),
        ("arithmetic", 0.6, 0.5 + 0.5 * 0.6 / 0.95),
    ],
)
def test_share_moves_the_last_period(form: Any, old_share: float | None, factor: float) -> None:
    policy = SharePolicy(24, form)  # 24 polls, 24 entries a day, 20 shown: 19 of 20 are old
    assert policy.wanted == pytest.approx(0.95)
    state = PollState(period=3600.0, feed_length=20, old_share=old_share)  # trust = 20 / 40
    assert policy.period(state, NOON) == pytest.approx(3600 * factor)


def test_fixed_is_fixed() -> None:
    assert FixedPolicy(24).period(PollState(activity=Activity(1e5), feed_length=1), NOON) == 3600


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("budget", [0.0, -1.0, math.nan, math.inf])
def test_a_budget_without_sense_is_refused(name: str, budget: float) -> None:
    with pytest.raises(ValueError, match="budget"):
        POLICIES[name](budget)


@given(activities, st.floats(1, 100), st.integers(0, 100), moments, st.floats(1, 500))
def test_a_busier_feed_is_never_polled_less_by_sqrt(
    quiet: Activity, times: float, length: int, now: datetime, budget: float
) -> None:
    busy = Activity(quiet.rate * times, quiet.seen, quiet.watched)
    periods = [SqrtPolicy(budget).period(PollState(activity=it, feed_length=length), now) for it in (quiet, busy)]
    assert periods[1] <= periods[0] * (1 + 1e-9)
