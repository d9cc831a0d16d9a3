"""The delays of hosts: the longest wish wins, jitter only lengthens, a held host rests."""

from __future__ import annotations

from newsmon.crawl.politeness import Politeness


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_default_counts_only_where_the_rule_names_no_delay() -> None:
    politeness = Politeness(default_delay=1.0)
    assert politeness.delay("a") == 1.0
    politeness.ask("a", "rule", 0.0)
    assert politeness.delay("a") == 0.0
    politeness.ask("a", "rule", None)
    assert politeness.delay("a") == 1.0


def test_robots_may_only_lengthen() -> None:
    politeness = Politeness(default_delay=1.0)
    politeness.ask("a", "robots", 0.5)
    assert politeness.delay("a") == 1.0
    politeness.ask("a", "robots", 7.0)
    politeness.ask("a", "rule", 2.0)
    assert politeness.delay("a") == 7.0


def test_a_host_is_ready_one_delay_after_its_last_request() -> None:
    clock = Clock()
    politeness = Politeness(default_delay=2.0, clock=clock)
    assert politeness.ready_at("a") < clock.now
    politeness.seen("a")
    assert politeness.ready_at("a") == 1002.0


def test_a_request_of_an_earlier_process_counts() -> None:
    politeness = Politeness(default_delay=10.0, clock=Clock())
    politeness.seen("a", seconds_ago=4.0)
    assert politeness.ready_at("a") == 1006.0
    politeness.seen("a", seconds_ago=9.0)  # an older one changes nothing
    assert politeness.ready_at("a") == 1006.0


def test_the_longest_hold_wins() -> None:
    politeness = Politeness(default_delay=0.0, clock=Clock())
    politeness.hold("a", 30)
    politeness.hold("a", 5)
    assert politeness.ready_at("a") == 1030.0
