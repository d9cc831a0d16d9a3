"""Frontier and leases, the same on both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from newsmon.errors import LeaseLost
from newsmon.model import Kind, Outcome
from newsmon.storage import Store
from tests.storing import MINUTE, NOW, Rules, Written, document, link, links, put, rules, sync, take

OpenStore = Callable[..., Store]


def test_each_url_is_discovered_once(store: Store) -> None:
    sync(store, "a.example")
    first = store.add_urls(links("a.example", 3), site="a.example", now=NOW)
    second = store.add_urls(links("a.example", 5), site="a.example", now=NOW)
    twice = store.add_urls([*links("a.example", 6), *links("a.example", 6)], site="a.example", now=NOW)
    assert (first, second, twice) == (3, 2, 1)
    assert store.ledger().discovered == 6


def test_known_keys_are_known_exactly(store: Store) -> None:
    sync(store, "a.example")
    long = link("http://a.example/" + "x" * 6000)
    store.add_urls([*links("a.example", 2), long], site="a.example", now=NOW)
    keys = ["a.example/0", "a.example/1", "a.example/2", long.key]
    assert [store.is_known(key) for key in keys] == [True, True, False, True]
    assert store.unknown([*keys, "b"]) == {"a.example/2", "b"}
    assert len(set(store.keys())) == 3


def test_hostile_characters_do_not_stop_a_feed(store: Store) -> None:
    sync(store, "a.example")
    bad = link("http://a.example/1", title="NUL \x00 and half \ud800 of a character", authors=("\x01A",))
    assert store.add_urls([bad], site="a.example", now=NOW) == 1
    [lease] = take(store)
    assert lease.entry is not None
    assert (lease.entry.title, lease.entry.authors) == ("NUL  and half  of a character", ("A",))


def test_entries_travel_with_their_page(store: Store) -> None:
    sync(store, "a.example")
    offered = link("http://a.example/1", title="T", published=NOW, authors=("A", "B"), tags=("x",), language="ru")
    store.add_urls([offered], site="a.example", now=NOW)
    [lease] = take(store)
    assert lease.entry == offered.entry
    assert (lease.key, lease.host, lease.site, lease.attempts) == ("a.example/1", "a.example", "a.example", 0)


def test_leases_are_spread_over_hosts_and_bounded_per_host(store: Store) -> None:
    sync(store, "a.example")
    for host in "abc":
        store.add_urls(links(f"{host}.example", 10), site="a.example", now=NOW)
    first = take(store, pages=6, per_host=3)
    assert sorted(lease.host for lease in first) == ["a.example"] * 2 + ["b.example"] * 2 + ["c.example"] * 2
    second = take(store, pages=60, per_host=3)
    assert sorted(lease.host for lease in second) == ["a.example", "b.example", "c.example"]
    assert take(store, pages=60, per_host=3) == []


def test_nothing_is_leased_before_it_is_due(store: Store) -> None:
    sync(store, "a.example")
    store.add_urls(links("a.example", 1), site="a.example", now=NOW + MINUTE)
    assert take(store, NOW) == []
    assert store.next_due(NOW) == NOW + MINUTE
    assert len(take(store, NOW + MINUTE)) == 1
    assert store.next_due(NOW) is None


def test_only_sites_asked_for_and_with_usable_rules(store: Store) -> None:
    store.sync_sites([Rules("a.example"), Rules("b.example"), Rules("c.example")], {}, now=NOW)  # type: ignore[list-item]
    for host in "abc":
        store.add_urls(links(f"{host}.example", 1), site=f"{host}.example", now=NOW)
    store.sync_sites([rules("a.example"), rules("b.example")], {"rules/c.example.yaml": "line 3: no"}, now=NOW)
    assert [lease.site for lease in take(store, sites=["b.example"])] == ["b.example"]
    assert store.next_due(NOW, sites=["b.example"]) is None
    assert [lease.site for lease in take(store)] == ["a.example"]
    assert store.ledger("c.example").pending == 1


def test_retry_counts_attempts_unless_told_not_to(store: Store) -> None:
    sync(store, "a.example")
    store.add_urls(links("a.example", 1), site="a.example", now=NOW)
    for counts, expected in ((True, 1), (False, 1), (True, 2)):
        [lease] = take(store)
        assert store.retry(lease, due=NOW, reason="HTTP 500", now=NOW, counts=counts)
        [lease] = take(store)
        assert lease.attempts == expected
        store.retry(lease, due=NOW, reason="again", now=NOW, counts=False)


def test_dropped_urls_are_never_leased_again(store: Store) -> None:
    sync(store, "a.example")
    store.add_urls(links("a.example", 2), site="a.example", now=NOW)
    first, second = take(store)
    assert store.drop(first, Outcome.GONE, "HTTP 410", now=NOW)
    assert store.drop(second, Outcome.FORBIDDEN, "robots.txt: rule", now=NOW)
    assert take(store, NOW + timedelta(days=9)) == []
    assert store.ledger().done == {Outcome.GONE: 1, Outcome.FORBIDDEN: 1}
    assert store.add_urls(links("a.example", 2), site="a.example", now=NOW) == 0


def test_ledger_accounts_for_every_url(store: Store) -> None:
    sync(store, "a.example", "b.example")
    store.add_urls(links("a.example", 7), site="a.example", now=NOW)
    store.add_urls(links("b.example", 2), site="b.example", now=NOW)
    leases = take(store, sites=["a.example"])
    store.finish(leases[0], document(leases[0]), None, now=NOW)
    store.finish(leases[1], document(leases[1], Written(kind=Kind.CONSENT)), None, now=NOW)
    store.drop(leases[2], Outcome.FAILED, "5 attempts", now=NOW)
    store.retry(leases[3], due=NOW, reason="HTTP 503", now=NOW)
    ledger = store.ledger()
    assert (ledger.discovered, ledger.pending, ledger.leased) == (9, 3, 3)
    assert ledger.done == {Outcome.STORED: 1, Outcome.NOT_ARTICLE: 1, Outcome.FAILED: 1}
    assert ledger.discovered == ledger.pending + ledger.leased + sum(ledger.done.values())
    assert store.ledger("b.example").discovered == 2
    assert store.ledger("c.example").discovered == 0


def test_release_gives_everything_back(store: Store) -> None:
    sync(store, "a.example")
    store.add_urls(links("a.example", 4), site="a.example", now=NOW)
    leases = take(store)
    later = NOW + MINUTE
    store.release(NOW, last_fetch={"a.example": later, "elsewhere.example": NOW})
    assert store.ledger().leased == 0
    assert store.host_last_fetch("a.example") == later
    assert store.host_last_fetch("elsewhere.example") == NOW
    assert store.host_last_fetch("never.example") is None
    assert {lease.id for lease in take(store)} == {lease.id for lease in leases}


def test_of_a_held_host_nothing_is_handed_out_before_its_time(open_store: OpenStore) -> None:
    store = open_store("first")
    store.sync_sites([rules("a.example", "rss", "atom"), rules("b.example", "rss")], {}, now=NOW)
    store.add_urls([*links("a.example", 6), *links("b.example", 1)], site="a.example", now=NOW)
    work = store.lease_work(NOW, feeds=1, pages=4, per_host=3)
    used, *queued = [lease for lease in work.pages if lease.host == "a.example"]
    until = NOW + 10 * MINUTE
    store.hold_host("a.example", until, queued=[*queued, *work.feeds])
    store.hold_host("a.example", NOW + MINUTE)  # a shorter hold takes nothing back
    early = store.lease_work(NOW + 9 * MINUTE, feeds=9, pages=9, per_host=9)
    assert {lease.host for lease in (*early.pages, *early.feeds)} <= {"b.example"}
    assert store.next_due(NOW + 9 * MINUTE) == until
    assert store.ledger().leased == 2  # the one in use, and the other host's
    store.finish(used, document(used), None, now=NOW)
    late = store.lease_work(until, feeds=9, pages=9, per_host=9)
    assert len([lease for lease in late.pages if lease.host == "a.example"]) == 5
    assert len([feed for feed in late.feeds if feed.host == "a.example"]) == 2


def test_last_fetch_never_goes_back(store: Store) -> None:
    store.host_seen("a.example", NOW + MINUTE)
    store.host_seen("a.example", NOW)
    assert store.host_last_fetch("a.example") == NOW + MINUTE


def test_a_killed_process_leaves_nothing_behind(open_store: OpenStore, store_url: str) -> None:
    killed = open_store("first")
    sync(killed, "a.example")
    killed.add_urls(links("a.example", 3), site="a.example", now=NOW)
    [lost, *_] = take(killed)
    killed.close()  # without release(): what the operating system does for a killed process
    later = NOW + timedelta(hours=1)
    heir = open_store("second", now=later)
    if not store_url.startswith("sqlite"):
        later += timedelta(hours=1)  # other workers may be alive: leases run out
    assert len(take(heir, later)) == 3
    assert heir.finish(lost, document(lost), None, now=later) is not None


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_a_host_changes_hands_when_its_lease_runs_out(open_store: OpenStore) -> None:
    slow, quick = open_store("slow"), open_store("quick")
    sync(slow, "a.example")
    slow.add_urls(links("a.example", 2), site="a.example", now=NOW)
    [lost, other] = take(slow, ttl=60)
    assert take(quick, NOW + timedelta(seconds=59)) == []
    assert quick.next_due(NOW) is None or quick.next_due(NOW) == NOW + MINUTE
    [again, _] = take(quick, NOW + timedelta(seconds=61))
    assert again.id == lost.id
    with pytest.raises(LeaseLost):
        slow.finish(lost, document(lost), None, now=NOW)
    assert not slow.retry(other, due=NOW, reason="slow", now=NOW)
    assert not slow.drop(other, Outcome.FAILED, "slow", now=NOW)
    stored = quick.finish(again, document(again), None, now=NOW)
    assert stored is not None
    assert slow.finish(lost, document(lost), None, now=NOW) == stored
    assert [article.id for article in quick.articles()] == [stored.id]


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_renewed_hosts_stay_and_idle_ones_run_out(open_store: OpenStore) -> None:
    mine, other = open_store("mine"), open_store("other")
    sync(mine, "a.example")
    mine.add_urls([*links("a.example", 1), *links("b.example", 1)], site="a.example", now=NOW)
    busy, idle = sorted(take(mine, ttl=60), key=lambda lease: lease.host)
    mine.finish(idle, document(idle), None, now=NOW)
    mine.renew(NOW + timedelta(seconds=50), ttl=60)
    mine.add_urls([link("http://a.example/new"), link("http://b.example/new")], site="a.example", now=NOW)
    assert [lease.host for lease in take(other, NOW + timedelta(seconds=70))] == ["b.example"]
    assert busy.host == "a.example"


def test_pages_of_stored_articles_are_found_by_key(store: Store) -> None:
    put(store, "http://a.example/1")
    assert store.stored_under("a.example/1") == "http://a.example/1"
    assert store.stored_under("a.example/2") is None
