"""The delays of hosts: the longest wish wins, jitter only lengthens, a held host rests."""

from __future__ import annotations

import pytest

from newsmon.crawl.politeness import Politeness


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("rule", "robots", "delay"),
    [
        (None, None, 1.0),  # the default
        (0.0, None, 0.0),  # a rule file may name less than the default
        (0.25, None, 0.25),
        (2.0, 7.0, 7.0),
        (7.0, 2.0, 7.0),
        (0.0, 3.0, 3.0),  # robots.txt may only lengthen
        (None, 0.5, 1.0),
    ],
)
def test_the_longest_wish_is_the_delay(rule: float | None, robots: float | None, delay: float) -> None:
    politeness = Politeness(default_delay=1.0, rule_delay=lambda host: rule)
    politeness.ask("a", "http://a", robots)
    assert politeness.delay("a") == delay


def test_the_origins_of_a_host_share_the_longest_delay() -> None:
    politeness = Politeness(default_delay=1.0)
    politeness.ask("a", "http://a", 7.0)
    politeness.ask("a", "https://a", None)
    politeness.ask("a", "http://a:8080", 3.0)
    assert politeness.delay("a") == 7.0
    politeness.ask("a", "http://a", None)  # the file was changed
    assert politeness.delay("a") == 3.0


def test_a_host_of_which_nothing_is_known_counts_as_asked_when_the_process_began() -> None:
    clock = Clock()
    politeness = Politeness(default_delay=2.0, clock=clock)
    assert politeness.ready_at("a") == 1002.0
    politeness.seen("a", seconds_ago=float("inf"))  # the store knows that it was never asked
    assert politeness.ready_at("a") < clock.now
    assert politeness.ages() == {}


def test_a_host_is_ready_one_delay_after_its_last_request() -> None:
    clock = Clock()
    politeness = Politeness(default_delay=2.0, clock=clock)
    clock.now = 1100.0
    politeness.seen("a")
    assert politeness.ready_at("a") == 1102.0
    clock.now = 1103.0
    assert politeness.ages() == {"a": 3.0}


def test_a_request_of_an_earlier_process_counts() -> None:
    politeness = Politeness(default_delay=10.0, clock=Clock())
    politeness.seen("a", seconds_ago=4.0)
    assert politeness.ready_at("a") == 1006.0
    politeness.seen("a", seconds_ago=9.0)  # an older one changes nothing
    assert politeness.ready_at("a") == 1006.0


def test_the_longest_hold_wins() -> None:
    clock = Clock()
    politeness = Politeness(default_delay=0.0, clock=clock)
    politeness.hold("a", 30)
    politeness.hold("a", 5)
    assert politeness.ready_at("a") == 1030.0
    assert politeness.held("a") == 30.0
    clock.now += 31.0
    assert politeness.held("a") == politeness.held("b") == 0.0
