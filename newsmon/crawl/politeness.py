"""How long to leave a host alone between two requests."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Politeness:
    """The delays of every host: the longest of what its rule file, its robots.txt and its answers ask for.

    The delay is a lower bound, counted from the end of an answer; jitter only ever lengthens it. A host that answered
    429 or 503 is held until the time it named. A host of which nothing is known counts as asked when this process
    began, because the one before it may have been killed. Times are seconds of a monotonic clock.

    :param default_delay: seconds between two requests to a host whose rule file names no delay.
    :param jitter: share of the delay by which it may be lengthened at random, 0..1.
    :param rule_delay: what the rule file asks for a host, None where it names nothing; called once for each host.

    >>> politeness = Politeness(default_delay=1.0, clock=lambda: 100.0)
    >>> politeness.ask("zarya.example", "robots", 2.5)
    >>> politeness.delay("zarya.example")
    2.5
    >>> politeness.hold("zarya.example", 30)
    >>> politeness.ready_at("zarya.example")
    130.0
    """

    def __init__(
        self,
        *,
        default_delay: float,
        jitter: float = 0.0,
        rule_delay: Callable[[str], float | None] = lambda _: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._default, self.jitter, self._clock = default_delay, jitter, clock
        self._rule_delay = rule_delay
        self._began = clock()
        self._rules: dict[str, float] = {}
        self._asked: dict[str, dict[str, float]] = {}
        self._held: dict[str, float] = {}
        self._seen: dict[str, float] = {}

    def ask(self, host: str, who: str, delay: float | None) -> None:
        """Remember that ``who`` (the robots.txt of an origin) asks for ``delay`` seconds; None takes the wish back."""
        wishes = self._asked.setdefault(host, {})
        if delay is None:
            wishes.pop(who, None)
        else:
            wishes[who] = delay

    def delay(self, host: str) -> float:
        """Seconds between two requests to ``host``; the default counts only where the rule file names none."""
        if host not in self._rules:
            rule = self._rule_delay(host)
            self._rules[host] = self._default if rule is None else rule
        return max(self._rules[host], *self._asked.get(host, {}).values(), 0.0)

    def hold(self, host: str, seconds: float) -> None:
        """Send nothing to ``host`` for ``seconds`` from now."""
        self._held[host] = max(self._held.get(host, 0.0), self._clock() + seconds)

    def held(self, host: str) -> float:
        """Seconds for which ``host`` is held from now, 0 when it is not."""
        return max(self._held.get(host, 0.0) - self._clock(), 0.0)

    def seen(self, host: str, seconds_ago: float = 0.0) -> None:
        """Remember a request to ``host``, perhaps one of another process; infinity: it was never asked."""
        self._seen[host] = max(self._seen.get(host, float("-inf")), self._clock() - seconds_ago)

    def last_seen(self, host: str) -> float | None:
        """Time of the last request to ``host``, None when there was none."""
        return self._seen.get(host)

    def ages(self) -> dict[str, float]:
        """Seconds since the last request of this process to every host that had one."""
        now = self._clock()
        return {host: now - seen for host, seen in self._seen.items() if seen >= self._began}

    def ready_at(self, host: str) -> float:
        """Earliest time of the next request to ``host``."""
        rested = self._seen.get(host, self._began) + self.delay(host)
        return max(rested, self._held.get(host, float("-inf")))
