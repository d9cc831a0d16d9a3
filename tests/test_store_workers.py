"""Several workers on one PostgreSQL store: every page once, every host in one hand."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from random import Random

import pytest

from newsmon.errors import LeaseLost, StoreUnavailable
from newsmon.model import Outcome
from newsmon.storage import Store
from tests.storing import NOW, decision, document, link, links, rules, sync, take

pytestmark = pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
OpenStore = Callable[..., Store]
HOSTS = [f"{letter}.example" for letter in "abcdef"]


class Hands:
    """Notes which worker has work of a host in hand, and objects when two have."""

    def __init__(self) -> None:
        self._lock, self._held = threading.Lock(), Counter[tuple[str, str]]()
        self.faults: list[str] = []

    def take(self, worker: str, hosts: list[str]) -> None:
        with self._lock:
            for host in hosts:
                self._held[host, worker] += 1
                others = [who for (what, who), count in self._held.items() if what == host and who != worker and count]
                self.faults += [f"{host}: {worker} and {other}" for other in others]

    def give(self, worker: str, host: str) -> None:
        with self._lock:
            self._held[host, worker] -= 1


@pytest.mark.parametrize("seed", range(3))
def test_workers_share_a_crawl_without_meeting(open_store: OpenStore, seed: int) -> None:
    first = open_store("w0")
    first.sync_sites([rules(host, "rss", "atom") for host in HOSTS], {}, now=NOW)
    hands, stored, polled, lock = Hands(), Counter[str](), Counter[str](), threading.Lock()

    def finished() -> bool:
        ledger = first.ledger()
        return len(polled) == 2 * len(HOSTS) and not ledger.pending + ledger.leased

    def crawl(number: int) -> None:
        worker, random = f"w{number}", Random(seed * 10 + number)
        store = first if number == 0 else open_store(worker)
        for _ in range(2000):
            work = store.lease_work(NOW, feeds=2, pages=5, per_host=3, sites=None, ttl=600)
            hands.take(worker, [one.host for one in (*work.feeds, *work.pages)])
            for feed in work.feeds:
                offered = [link(f"http://{random.choice(HOSTS)}/{random.randrange(40)}") for _ in range(20)]
                hands.give(worker, feed.host)
                store.record_poll(feed, decision(due=NOW + timedelta(days=1)), offered, now=NOW)
                polled[feed.url] += 1
            for page in work.pages:
                hands.give(worker, page.host)
                if random.random() < 0.1:
                    store.retry(page, due=NOW, reason="again", now=NOW)
                elif store.finish(page, document(page), None, now=NOW) is not None:
                    with lock:
                        stored[page.url] += 1
            idle = not (work.feeds or work.pages)
            if idle or random.random() < 0.2:
                store.release(NOW)
            if idle and finished():
                return

    with ThreadPoolExecutor(4) as pool:
        for running in [pool.submit(crawl, number) for number in range(4)]:
            running.result()
    ledger = first.ledger()
    assert hands.faults == []
    assert (ledger.pending, ledger.leased) == (0, 0)
    assert ledger.done == {Outcome.STORED: ledger.discovered}
    assert set(stored.values()) == {1}
    assert sorted(stored) == sorted(article.url for article in first.articles())


def test_workers_that_start_together_agree_on_the_sites(open_store: OpenStore) -> None:
    stores = [open_store(f"w{number}") for number in range(4)]
    barrier = threading.Barrier(4)

    def start(number: int) -> None:
        listed = [rules(f"{site}.example", "rss", "atom") for site in range(30)]
        Random(number).shuffle(listed)
        for _ in range(5):
            barrier.wait()
            stores[number].sync_sites(listed, {}, now=NOW)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(start, range(4)))
    assert [len(site.feeds) for site in stores[0].status() if site.active] == [2] * 30


def test_a_feed_counts_as_work_of_its_host(open_store: OpenStore) -> None:
    one, two = open_store("one"), open_store("two")
    one.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    one.add_urls(links("a.example", 3), site="a.example", now=NOW)
    [feed] = one.lease_work(NOW, feeds=1, pages=0, per_host=1, sites=None, ttl=60).feeds
    assert take(two) == []
    one.record_poll(feed, decision(), now=NOW)
    one.release(NOW)
    assert len(take(two)) == 3


def test_workers_whose_leases_run_out_store_nothing_twice(open_store: OpenStore) -> None:
    """Leases are so short here that hosts change hands all the time."""
    first = open_store("w0")
    sync(first, *HOSTS)
    for host in HOSTS:
        first.add_urls(links(host, 8), site=host, now=NOW)
    lost = Counter[str]()

    def crawl(number: int) -> None:
        store, random = first if number == 0 else open_store(f"w{number}"), Random(number)
        now: datetime = NOW
        while store.ledger().pending + store.ledger().leased:
            now += timedelta(seconds=random.choice([0, 1, 5]))
            for page in take(store, now, pages=6, per_host=2, ttl=2.0):
                try:
                    store.finish(page, document(page), None, now=now)
                except LeaseLost:
                    lost[page.url] += 1

    with ThreadPoolExecutor(3) as pool:
        for running in [pool.submit(crawl, number) for number in range(3)]:
            running.result()
    urls = Counter(article.url for article in first.articles())
    assert len(urls) == 48
    assert set(urls.values()) == {1}


def test_one_article_under_two_addresses_is_stored_once(open_store: OpenStore) -> None:
    stores = [open_store(f"w{number}") for number in range(4)]
    sync(stores[0], "a.example")
    for attempt in range(10):
        pages = []
        for number, store in enumerate(stores):
            store.add_urls([link(f"http://{number}.example/{attempt}")], site="a.example", now=NOW)
            pages += take(store)
        barrier = threading.Barrier(4)

        def finish(number: int, attempt: int = attempt, barrier: threading.Barrier = barrier) -> bool:
            page = next(page for page in pages if page.host == f"{number}.example")  # noqa: B023
            barrier.wait()
            while True:
                try:
                    article = stores[number].finish(page, document(page), None, keys=[f"same/{attempt}"], now=NOW)
                except StoreUnavailable:
                    continue
                return article is not None

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(finish, range(4))) == 1
    assert stores[0].ledger().done == {Outcome.STORED: 10, Outcome.DUPLICATE: 30}
