"""How often a feed publishes, and at which hours of the day: what the polling policies know of it.

Idea: the rate of publication is a base rate times a profile of the day, ``rate(t) = rate * shape[hour(t)]``, with
the 24 factors of ``shape`` averaging 1. The base is an exponentially weighted mean over a day, the profile one over
a month. After ``n`` items in an interval, with ``E`` the integral of the shape over it (days of mean activity)::

    rate  = rate * exp(-E / TAU) + n / E * (1 - exp(-E / TAU))
    shape = (items seen in the hour + PSEUDO) / (items expected in it if all hours were alike + PSEUDO)

Measuring the interval in days of *activity* keeps a quiet night from looking like a feed that dries up. The
pseudo-items keep the profile flat until there is evidence against it, hour by hour: an hour not observed yet has none.

Cf. K. C. Sia, J. Cho, H.-K. Cho, "Efficient monitoring algorithm for fast news alerts", IEEE TKDE 2007.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DAY = 86_400.0
HOUR = 3_600.0
TAU = 1.0  # days of activity after which the base rate has forgotten 63 %
PROFILE_TAU = 30.0  # days after which the profile has forgotten 63 %
PSEUDO = 1.0  # items per hour bin: Laplace's rule
LOWEST = 1e-6  # items a day: one in 2,700 years, and nothing divides by zero
HIGHEST = 1e6  # items a day
HORIZON = 7 * DAY  # seconds; how far ahead anything is foreseen
NOTHING = (0.0,) * 24
_INSTANT = 1e-9  # days
_FEWEST_CENSORED = 2  # one new item in a feed of one says little of those before it


@dataclass(frozen=True, slots=True)
class Activity:
    """Rate and daily profile of publication.

    :param rate: items a day, averaged over the profile.
    :param seen: items seen per UTC hour of the day, older ones counting less.
    :param watched: days each of these hours was watched, older ones counting less in the same way.
    """

    rate: float
    seen: tuple[float, ...] = NOTHING
    watched: tuple[float, ...] = NOTHING

    def shape(self) -> list[float]:
        """24 factors of mean 1: activity of each UTC hour relative to the day's mean."""
        pace = sum(self.seen) / max(sum(self.watched), _INSTANT)
        factors = [
            (seen + PSEUDO) / (pace * watched + PSEUDO) for seen, watched in zip(self.seen, self.watched, strict=True)
        ]
        mean = sum(factors) / 24
        return [factor / mean for factor in factors]

    def observe(
        self, start: datetime, end: datetime, items: int, times: Sequence[datetime] = (), *, complete: bool = True
    ) -> Activity:
        """The activity after ``items`` were published between two moments.

        :param times: publication times, as far as known; items without one are spread over the interval.
        :param complete: False when older items may have scrolled off unseen, so that ``items / E`` is a lower bound.
        """
        begin, finish = start.timestamp(), end.timestamp()
        if finish <= begin:
            return self
        exposure = sum(length * factor for length, factor in _pieces(self.shape(), begin, finish)) / DAY
        pace = items / exposure
        keep = math.exp(-exposure / TAU)
        rate = self.rate * keep + pace * (1 - keep)
        if not complete and items >= _FEWEST_CENSORED:
            rate = max(rate, pace)
        return self._learned(min(max(rate, LOWEST), HIGHEST), begin, finish, items, times)

    def _learned(self, rate: float, begin: float, finish: float, items: int, times: Sequence[datetime]) -> Activity:
        keep = math.exp((begin - finish) / DAY / PROFILE_TAU)
        seen, watched = [count * keep for count in self.seen], [days * keep for days in self.watched]
        for time in times[:items]:
            seen[int(time.timestamp() // HOUR) % 24] += 1
        undated = max(items - len(times), 0) / (finish - begin)
        hour = int(begin // HOUR)
        for length, _ in _pieces(NOTHING, begin, finish):
            seen[hour % 24] += undated * length
            watched[hour % 24] += length / DAY
            hour += 1
        return Activity(rate, tuple(seen), tuple(watched))

    def seconds_to_publish(self, start: datetime, items: float) -> float:
        """Seconds until ``items`` more are expected: T with integral of rate(t) over T = items; at most HORIZON."""
        elapsed = 0.0
        for length, rate in self._ahead(start):
            if rate * length >= items:
                return elapsed + items / rate
            items -= rate * length
            elapsed += length
        return HORIZON

    def seconds_to_wait(self, start: datetime, item_days: float) -> float:
        """Seconds until the items expected since ``start`` have waited ``item_days`` together; at most HORIZON.

        T with integral over [0, T] of N(t) dt = item_days, N(t) the number of items expected by t.
        With a constant rate this is ``sqrt(2 * item_days / rate)`` days.
        """
        left, waiting, elapsed = item_days * DAY, 0.0, 0.0
        for length, rate in self._ahead(start):
            cost = length * (waiting + rate * length / 2)
            if cost >= left:
                # the root of waiting * x + rate * x^2 / 2 = left, in the form that is stable for small rates
                return elapsed + 2 * left / (waiting + math.sqrt(waiting * waiting + 2 * rate * left))
            left -= cost
            waiting += rate * length
            elapsed += length
        return HORIZON

    def _ahead(self, start: datetime) -> Iterator[tuple[float, float]]:
        per_second = self.rate / DAY
        begin = start.timestamp()
        for length, factor in _pieces(self.shape(), begin, begin + HORIZON):
            yield length, per_second * factor


def activity_of(times: Iterable[datetime], now: datetime) -> Activity | None:
    """The activity a feed shows at first sight, by the publication times of its entries; None without usable times.

    The rate is that of the newer half of the entries, so that a pinned old entry does not hide a busy feed.
    Entries all of one time carry the time at which the feed was built, which says nothing.
    """
    past = sorted((time for time in times if time <= now), reverse=True)
    if not past or past[0] == past[-1]:
        return None
    newer = past[: (len(past) + 1) // 2]
    start = min(newer[-1], now - timedelta(hours=1))
    rate = len(newer) / ((now - start) / timedelta(days=1))
    return Activity(rate)._learned(rate, start.timestamp(), now.timestamp(), len(newer), newer)


def _pieces(shape: Sequence[float], begin: float, end: float) -> Iterator[tuple[float, float]]:
    """(seconds, factor) of the stretches of an interval that lie within one UTC hour."""
    hour = int(begin // HOUR)
    while begin < end:
        stop = min((hour + 1) * HOUR, end)
        yield stop - begin, shape[hour % 24]
        begin, hour = stop, hour + 1
