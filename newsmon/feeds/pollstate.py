"""What is remembered of a feed between two polls; one JSON text per feed in the store."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from newsmon.feeds.activity import Activity

_TIMES = ("last_poll", "last_success", "last_new", "last_full", "lied_at")
_SETS = ("skip_hours", "skip_days")


@dataclass(frozen=True, slots=True)
class PollState:
    """What earlier polls of a feed taught.

    :param period: seconds the policy chose last, before floors and jitter; None before the first good poll.
    :param activity: rate and daily profile of publication; None while unknown.
    :param feed_length: entries in the last body that had any; 0 while unknown.
    :param old_share: share of old entries in the last good poll, ``s`` of formula (2.1); None after the first poll,
        an empty feed or an error, when it says nothing.
    :param errors: failed polls in a row.
    :param unchanged: good polls in a row that gave the same body.
    :param not_modified: answers 304 in a row, that is since the last full body.
    :param conditional: whether the next request sends If-None-Match and If-Modified-Since.
    :param validator: ETag, or else Last-Modified, of the last full body.
    :param lied_at: when a changed body last came under an unchanged validator.
    :param ttl: seconds the last body asked to be left alone; ``skip_hours`` and ``skip_days`` as in
        :class:`newsmon.model.FeedDocument`.
    """

    period: float | None = None
    activity: Activity | None = None
    feed_length: int = 0
    old_share: float | None = None
    errors: int = 0
    unchanged: int = 0
    not_modified: int = 0
    conditional: bool = False
    validator: str | None = None
    ttl: float | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()
    last_poll: datetime | None = None
    last_success: datetime | None = None
    last_new: datetime | None = None
    last_full: datetime | None = None
    lied_at: datetime | None = None

    def to_json(self) -> str:
        """The state as JSON text."""
        values = asdict(self)
        values.update({name: values[name] and values[name].isoformat() for name in _TIMES})
        values.update({name: sorted(values[name]) for name in _SETS})
        return json.dumps(values)

    @classmethod
    def from_json(cls, text: str) -> PollState:
        """The state that :meth:`to_json` wrote, in this version or another: unknown fields are dropped, missing ones
        take their defaults.

        :raises ValueError: the text is not such a state.

        >>> PollState.from_json(PollState(period=300.0, skip_hours=frozenset({2})).to_json()).skip_hours
        frozenset({2})
        """
        values: Any = json.loads(text)
        try:
            values.update({name: datetime.fromisoformat(values[name]) for name in _TIMES if values.get(name)})
            values.update({name: frozenset(values[name]) for name in _SETS if name in values})
            if values.get("activity"):
                rate, seen, watched = (values["activity"][name] for name in ("rate", "seen", "watched"))
                values["activity"] = Activity(float(rate), tuple(map(float, seen)), tuple(map(float, watched)))
            return cls(**{name: value for name, value in values.items() if name in cls.__slots__})
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"not the state of a feed: {text[:200]!r}") from error
