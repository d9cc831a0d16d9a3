"""The polling rules of comparable systems, written anew for comparison at the same number of polls.

Server hints, errors and limits are left out: the simulation has none of the former and its own of the latter.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsmon.feeds.activity import DAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsmon.model import Entry

_WEEK = timedelta(days=7)


class Miniflux:
    """``entry_frequency`` of miniflux 2 (``ScheduleNextCheck``, ``WeeklyFeedEntryCount``).

    A week divided by the number of entries in a week and a factor; the number is that of the mean distance between the
    known entries of the last seven days, so that a feed just added is not taken for a quiet one. The longest period
    when there are fewer than two.
    """

    def __init__(self, factor: float) -> None:
        self._factor = factor
        self._known: list[datetime] = []

    def first(self, shown: Sequence[Entry], now: datetime) -> float:
        """Count the entries shown."""
        return self.again(shown, len(shown), now)

    def again(self, shown: Sequence[Entry], new: int, now: datetime) -> float:
        """Count the entries of the last week."""
        self._known.extend(entry.published for entry in shown[len(shown) - new :] if entry.published)
        self._known = [time for time in self._known if now - time <= _WEEK]
        span = self._known[-1] - self._known[0] if self._known else timedelta(0)
        if not span:
            return DAY
        weekly = math.ceil(_WEEK / (span / (len(self._known) - 1)))
        return _WEEK.total_seconds() / (weekly * self._factor)


class MediaCloud:
    """The automatic adjustment of Media Cloud's rss-fetcher (``_check_auto_adjust``), the kin of the paper's rule.

    When at least 67 % of the entries were known, ten minutes longer (an hour when nothing new came for 31 days); when
    fewer than 33 % were, an hour shorter, or back to six hours from above them. Nothing before the second poll,
    never below ten minutes. It aims at a share of old entries and has no knob for the number of polls.
    """

    _USUAL = timedelta(hours=6)

    def __init__(self) -> None:
        self._period = self._USUAL
        self._last_new: datetime | None = None

    def first(self, shown: Sequence[Entry], now: datetime) -> float:
        """Begin with the usual period."""
        self._last_new = now
        return self._period.total_seconds()

    def again(self, shown: Sequence[Entry], new: int, now: datetime) -> float:
        """Adjust the period by the share of known entries."""
        old_share = 1 - new / len(shown)
        if new or self._last_new is None:
            self._last_new = now
        if old_share >= 0.67:
            quiet = not new and now - self._last_new > timedelta(days=31)
            self._period += timedelta(minutes=60 if quiet else 10)
        elif old_share < 0.33:
            self._period = self._USUAL if self._period > self._USUAL else self._period - timedelta(hours=1)
        self._period = min(max(self._period, timedelta(minutes=10)), timedelta(days=1))
        return self._period.total_seconds()
