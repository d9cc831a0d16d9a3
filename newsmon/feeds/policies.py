"""Polling policies: how long to leave a feed alone, by what is known of it.

All have one knob, ``budget``: **polls a day of a feed with 24 new entries a day** (one an hour). Equal budgets mean
about equal traffic for such a feed; the policies differ in what they do with busier and quieter ones and with the time
of day.
A policy knows nothing of limits, server hints and errors: :func:`newsmon.feeds.polling.decide` adds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from newsmon.feeds.activity import DAY, HORIZON

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from newsmon.feeds.pollstate import PollState

BUDGET = 48.0  # polls a day: every half an hour for a feed with an entry an hour
REFERENCE_RATE = 24.0  # entries a day of the feed that `budget` speaks of
REFERENCE_LENGTH = 20.0  # entries it shows at a time
LOSS_GUARD = 0.5  # share of a feed's length that may be replaced between two polls


class Policy(Protocol):
    """What :func:`newsmon.feeds.polling.decide` asks of a policy."""

    def period(self, state: PollState, now: datetime) -> float:
        """Seconds from now to the next poll, before limits, floors and jitter."""
        ...


class SqrtPolicy:
    """Polls a feed in proportion to the square root of its rate, at the hours at which it publishes. The default.

    Idea: the delay of all articles is ``sum(rate * T / 2)`` over the feeds; its minimum at a given number of polls
    ``sum(1 / T)`` lies at ``T = c / sqrt(rate)`` (Lagrange). Any rule that aims at a constant share of new entries
    gives ``T ~ 1 / rate``, no better on the mean than one period for all. Where the rate changes with the hour, the
    same law reads: poll when the articles expected since the last poll have waited a fixed time together::

        integral over [0, T] of N(t) dt = C,    N(t) = integral over [0, t] of rate(u) du,    C = c^2 / 2

    which is ``T = c / sqrt(rate)`` while the rate is constant, ends a quiet night when the morning's articles are due,
    and does not let the last article of the evening wait for it. The budget sets c: a feed of 24 entries a day is
    polled ``budget`` times a day, one with four times the entries twice as often.

    Loss guard: never longer than half the feed takes to scroll off (:func:`loss_guard`).

    :param budget: polls a day of a feed with 24 entries a day.

    >>> from datetime import UTC, datetime
    >>> from newsmon.feeds.activity import Activity
    >>> from newsmon.feeds.pollstate import PollState
    >>> noon = datetime(2024, 3, 1, 12, tzinfo=UTC)
    >>> [round(SqrtPolicy(48).period(PollState(activity=Activity(rate)), noon)) for rate in (6, 24, 96)]
    [3600, 1800, 900]
    """

    def __init__(self, budget: float = BUDGET) -> None:
        self.budget = _checked(budget)
        self._item_days = REFERENCE_RATE / (2 * budget * budget)

    def period(self, state: PollState, now: datetime) -> float:
        """The solution T of the formula above; the reference period while the rate is unknown."""
        if state.activity is None:
            return DAY / self.budget
        return min(state.activity.seconds_to_wait(now, self._item_days), loss_guard(state, now))


class SharePolicy:
    """Moves the period until a wanted share of the entries is old: the paper's rule, corrected.

    Source: Pavelko 2017, 2.2.1, formula (2.1), printed as ``t_n = t_(n-1) * (1 - trust) + (s / p) * trust`` with s the
    share of old entries, p the wanted share and trust growing with the number of entries. As printed it adds a pure
    number to a time: with s / p near 1 the period shrinks to one unit of time whatever the feed does. (And where the
    text says that the period is to be increased when the share falls, decreased is meant.) Two forms with the right
    dimension::

        geometric:   t_n = t_(n-1) * (s / p) ^ trust
        arithmetic:  t_n = t_(n-1) * ((1 - trust) + trust * s / p)

    ``trust = n / (n + 20)`` for a feed of n entries, 0 after an empty feed, an error or a first poll; the factor is
    kept within [1/2, 2] and s above .02. The geometric form is symmetric: what one poll adds, its opposite takes back.

    :param budget: polls a day of a feed with 24 entries a day and 20 at a time; it sets p to the share of old entries
        which that feed then has, ``1 - 24 / (20 * budget)``.
    """

    def __init__(self, budget: float = BUDGET, form: Literal["geometric", "arithmetic"] = "geometric") -> None:
        self.budget = _checked(budget)
        self.form = form
        self.wanted = max(1 - REFERENCE_RATE / (REFERENCE_LENGTH * budget), 0.02)

    def period(self, state: PollState, now: datetime) -> float:
        """The last period times the factor of the formula."""
        last = state.period if state.period is not None else DAY / self.budget
        if state.old_share is None:
            return last
        trust = state.feed_length / (state.feed_length + 20)
        ratio = max(state.old_share, 0.02) / self.wanted
        factor = ratio**trust if self.form == "geometric" else (1 - trust) + trust * ratio
        return last * min(max(factor, 0.5), 2.0)


class FixedPolicy:
    """One period for all feeds: ``budget`` polls a day, whatever they publish."""

    def __init__(self, budget: float = BUDGET) -> None:
        self.budget = _checked(budget)

    def period(self, state: PollState, now: datetime) -> float:
        """A day divided by the budget."""
        return DAY / self.budget


def loss_guard(state: PollState, now: datetime) -> float:
    """Seconds until half of the feed's entries are expected to have been replaced by new ones; HORIZON if unknown."""
    if state.activity is None or state.feed_length == 0:
        return HORIZON
    return state.activity.seconds_to_publish(now, LOSS_GUARD * state.feed_length)


def _checked(budget: float) -> float:
    if not 0 < budget < DAY:
        raise ValueError(f"budget is polls a day of a feed with 24 entries a day, above 0; got {budget!r}")
    return budget


POLICIES: Mapping[str, type[SqrtPolicy] | type[SharePolicy] | type[FixedPolicy]] = {
    "sqrt": SqrtPolicy,
    "share": SharePolicy,
    "fixed": FixedPolicy,
}
