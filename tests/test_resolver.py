"""The guarded resolver: a connection gets no address outside the policy, whatever a name says and when."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address

from newsmon.addresses import AddressPolicy
from newsmon.crawl.resolver import GuardedResolver


class Names:
    """A name service that gives the next list of addresses at every look-up of a name."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self._answers = {name.replace("_", "."): list(lists) for name, lists in answers.items()}
        self.asked: list[str] = []

    def resolveHostName(self, receiver: Any, name: str, port: int = 0, *_: Any) -> Any:  # noqa: N802
        self.asked.append(name)
        receiver.resolutionBegan(self)
        lists = self._answers.get(name, [[]])
        for ip in lists.pop(0) if len(lists) > 1 else lists[0]:
            receiver.addressResolved((IPv6Address if ":" in ip else IPv4Address)("TCP", ip, port))
        receiver.resolutionComplete()
        return self

    def cancel(self) -> None:
        """Nothing to cancel."""


class Receiver:
    def __init__(self) -> None:
        self.calls: list[str] = []
        self.addresses: list[tuple[str, int]] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self.calls.append("began")

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.addresses.append((address.host, address.port))

    def resolutionComplete(self) -> None:  # noqa: N802
        self.calls.append("complete")


def look_up(resolver: GuardedResolver, name: str, port: int = 80) -> list[tuple[str, int]]:
    receiver = Receiver()
    resolver.resolveHostName(receiver, name, port)
    assert receiver.calls == ["began", "complete"]
    return receiver.addresses


def guarded(names: Names, *allow: str, **options: Any) -> GuardedResolver:
    return GuardedResolver(names, AddressPolicy(allow=allow), **options)


@pytest.mark.parametrize(
    ("addresses", "passed"),
    [
        (["93.184.216.34"], ["93.184.216.34"]),
        (["93.184.216.34", "2606:2800:220:1::1"], ["93.184.216.34", "2606:2800:220:1::1"]),
        (["10.0.0.1"], []),
        (["127.0.0.1", "::1"], []),
        (["::ffff:10.0.0.1"], []),
        (["fe80::1", "fd00::1", "169.254.169.254", "100.64.0.1", "0.0.0.0"], []),
        (["10.0.0.1", "93.184.216.34"], ["93.184.216.34"]),
        ([], []),
    ],
)
def test_only_permitted_addresses_are_passed_on(addresses: list[str], passed: list[str]) -> None:
    resolver = guarded(Names(a_example=[addresses]))
    assert look_up(resolver, "a.example", 8080) == [(ip, 8080) for ip in passed]
    assert ("a.example" in resolver.refused) == (bool(addresses) and not passed)


def test_a_literal_address_meets_the_policy_too() -> None:
    """Twisted asks its name resolver for literals as well."""
    names = Names(**{"127.0.0.1": [["127.0.0.1"]], "10.1.2.3": [["10.1.2.3"]]})
    assert look_up(guarded(names), "127.0.0.1") == []
    assert look_up(guarded(names, "10.1.0.0/16"), "10.1.2.3") == [("10.1.2.3", 80)]


def test_a_name_that_is_rebound_gains_nothing() -> None:
    clock = [0.0]
    names = Names(a_example=[["93.184.216.34"], ["127.0.0.1"], ["93.184.216.35"]])
    resolver = guarded(names, ttl=60.0, clock=lambda: clock[0])
    assert look_up(resolver, "a.example") == [("93.184.216.34", 80)]
    assert look_up(resolver, "a.example") == [("93.184.216.34", 80)]  # kept, whatever the name says now
    assert names.asked == ["a.example"]
    clock[0] = 61.0
    assert look_up(resolver, "a.example") == []
    assert resolver.refused == {"a.example": "127.0.0.1"}
    clock[0] = 122.0
    assert look_up(resolver, "a.example") == [("93.184.216.35", 80)]
    assert resolver.refused == {}


def test_a_cached_name_serves_every_port() -> None:
    names = Names(a_example=[["93.184.216.34"]])
    resolver = guarded(names)
    assert look_up(resolver, "a.example", 80) == [("93.184.216.34", 80)]
    assert look_up(resolver, "a.example", 443) == [("93.184.216.34", 443)]
    assert names.asked == ["a.example"]


def test_a_name_without_an_address_is_asked_again() -> None:
    names = Names(a_example=[[], ["93.184.216.34"]])
    resolver = guarded(names)
    assert look_up(resolver, "a.example") == []
    assert look_up(resolver, "a.example") == [("93.184.216.34", 80)]


def test_the_cache_stays_within_its_size() -> None:
    names = Names(**{f"h{number}": [["93.184.216.34"]] for number in range(20)})
    resolver = guarded(names, size=5)
    for number in range(20):
        look_up(resolver, f"h{number}")
    look_up(resolver, "h19")
    look_up(resolver, "h0")
    assert names.asked == [f"h{number}" for number in range(20)] + ["h0"]


@pytest.mark.parametrize(
    ("connect_to", "allow", "name", "addresses"),
    [
        ({"a.example": "127.0.0.1:8000"}, ["127.0.0.1"], "a.example", [("127.0.0.1", 8000)]),
        ({"a.example": "127.0.0.1:8000"}, [], "a.example", []),  # an entry opens no address
        ({"a.example": "[::1]:8000"}, ["::1"], "a.example", [("::1", 8000)]),
        ({"*": "127.0.0.1:8000"}, ["127.0.0.1"], "any.example", [("127.0.0.1", 8000)]),
        ({"*": "127.0.0.1:1", "b.example": "127.0.0.1:2"}, ["127.0.0.1"], "b.example", [("127.0.0.1", 2)]),
        ({"b.example": "127.0.0.1:2"}, ["127.0.0.1"], "a.example", [("93.184.216.34", 80)]),
    ],
)
def test_connect_to(connect_to: dict[str, str], allow: list[str], name: str, addresses: list[tuple[str, int]]) -> None:
    names = Names(a_example=[["93.184.216.34"]])
    assert look_up(guarded(names, *allow, connect_to=connect_to), name) == addresses


def test_a_refusal_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    resolver = guarded(Names(a_example=[["10.0.0.1"]]), ttl=0.0)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            look_up(resolver, "a.example")
    assert [record.getMessage() for record in caplog.records] == [
        "The network guard refuses a.example: it resolves to the private address 10.0.0.1."
    ]
