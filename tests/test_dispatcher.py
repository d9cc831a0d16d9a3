"""The dispatcher: every host gets its turn, no host more than it may, and `once` ends."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from newsmon.crawl.dispatcher import Dispatcher
from newsmon.crawl.gate import Gate
from newsmon.crawl.politeness import Politeness
from newsmon.model import Lease
from newsmon.storage import FeedLease, Work


def lease(number: int, host: str) -> Lease:
    return Lease(id=number, key=f"{host}/{number}", url=f"http://{host}/{number}", host=host, site=host)


def feed(number: int, host: str = "a") -> FeedLease:
    url = f"http://{host}/{number}"
    return FeedLease(id=number, url=url, listed_url=url, host=host, site=host)


class FakeStore:
    """Work in memory; what was leased is not leased again."""

    def __init__(self, pages: list[Lease] = (), feeds: list[FeedLease] = (), later: datetime | None = None) -> None:  # type: ignore[assignment]
        self.pages, self.feeds, self.later = list(pages), list(feeds), later
        self._due = {feed.id: datetime.min.replace(tzinfo=UTC) for feed in feeds}

    def lease_work(
        self,
        now: datetime,
        *,
        feeds: int,
        feeds_due: datetime | None,
        pages: int,
        per_host: int,
        sites: Collection[str] | None,
        ttl: float,
    ) -> Work:
        counts: Counter[str] = Counter()
        taken = []
        for page in self.pages:
            if len(taken) < pages and counts[page.host] < per_host:
                counts[page.host] += 1
                taken.append(page)
        self.pages = [page for page in self.pages if page not in taken]
        due = [feed for feed in self.feeds if self._due[feed.id] <= (feeds_due or now)][: min(feeds, per_host)]
        # Feeds fall due again at once, as with a very short polling period.
        self._due |= {feed.id: now for feed in due}
        return Work(feeds=due, pages=taken)

    def next_due(self, now: datetime, *, sites: Collection[str] | None = None, feeds: bool = True) -> datetime | None:
        return self.later

    def host_last_fetch(self, host: str) -> datetime | None:
        return None


def dispatcher(store: Any, *, delay: float = 0.0, per_host: int = 1, concurrency: int = 8, **kwargs: Any) -> Dispatcher:
    gate = Gate(pause=lambda: None, resume=lambda: None, running=lambda: True)
    return Dispatcher(
        store,
        Politeness(default_delay=delay),
        gate,
        concurrency=concurrency,
        per_host=per_host,
        **{"once": True, **kwargs},
    )


async def run(dispatcher: Dispatcher, seconds: float = 0.0) -> tuple[list[Any], int]:
    """Fetch everything, each fetch taking ``seconds``; return the work and the most in flight to one host."""
    seen, flight, most = [], Counter[str](), 0
    tasks = set()

    async def fetch(work: Any) -> None:
        await asyncio.sleep(seconds)
        flight[work.host] -= 1
        dispatcher.done(work)

    async for work in dispatcher.work():
        seen.append(work)
        flight[work.host] += 1
        most = max(most, *flight.values())
        task = asyncio.create_task(fetch(work))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    return seen, most


def test_everything_is_handed_out_once_and_the_pass_ends() -> None:
    pages = [lease(n, f"host{n % 3}") for n in range(60)]
    seen, most = asyncio.run(run(dispatcher(FakeStore(pages)), 0.001))
    assert sorted(work.id for work in seen) == list(range(60))
    assert most == 1


def test_a_host_gets_no_more_than_its_share_at_once() -> None:
    _, most = asyncio.run(run(dispatcher(FakeStore([lease(n, "a") for n in range(30)]), per_host=3), 0.002))
    assert most == 3


def test_hosts_take_turns() -> None:
    pages = [lease(n, "big") for n in range(20)] + [lease(100 + n, f"small{n}") for n in range(4)]
    seen, _ = asyncio.run(run(dispatcher(FakeStore(pages))))
    assert all(work in {w.id for w in seen[:10]} for work in (100, 101, 102, 103))


def test_hosts_with_long_delays_do_not_keep_the_others_waiting() -> None:
    async def scenario() -> Counter[str]:
        slow = [lease(n, f"slow{n % 10}") for n in range(60)]
        patient = dispatcher(FakeStore([*slow, *(lease(100 + n, f"fast{n % 3}") for n in range(30))]), once=False)
        for number in range(10):
            patient._politeness.ask(f"slow{number}", "rule", 3600.0)
        task = asyncio.create_task(run(patient))
        await asyncio.sleep(1.5)
        patient.stop()
        seen, _ = await task
        return Counter(work.host[:4] for work in seen)

    assert asyncio.run(scenario()) == {"slow": 10, "fast": 30}


def test_a_delay_is_waited_for() -> None:
    async def timed() -> float:
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await run(dispatcher(FakeStore([lease(n, "a") for n in range(3)]), delay=0.4))
        return loop.time() - begin

    # Three requests are two delays apart; the last may be handed over a little early, the downloader waits the rest.
    assert 0.5 <= asyncio.run(timed()) < 2.0


def test_once_polls_a_feed_that_is_due_again_only_once() -> None:
    seen, _ = asyncio.run(run(dispatcher(FakeStore(feeds=[feed(1)])), 0.01))
    assert [work.id for work in seen] == [1]


def test_once_polls_all_feeds_of_a_host_though_only_some_are_handed_out_together() -> None:
    seen, _ = asyncio.run(run(dispatcher(FakeStore(feeds=[feed(number) for number in range(30)])), 0.01))
    assert sorted(work.id for work in seen) == list(range(30))


def test_once_waits_for_what_is_due_soon_and_not_for_what_is_due_later() -> None:
    far = FakeStore(later=datetime.now(UTC) + timedelta(hours=1))
    assert asyncio.run(asyncio.wait_for(run(dispatcher(far)), 2)) == ([], 0)


def test_stop_ends_a_continuous_crawl() -> None:
    async def scenario() -> None:
        endless = dispatcher(FakeStore(), once=False)
        task = asyncio.create_task(run(endless))
        await asyncio.sleep(0.05)
        assert not task.done()
        endless.stop()
        await asyncio.wait_for(task, 2)

    asyncio.run(scenario())


def test_what_is_leased_and_not_ended_is_named() -> None:
    async def scenario() -> None:
        pages = dispatcher(FakeStore([lease(1, "a"), lease(2, "a")]))
        iterator = pages.work()
        first = await anext(iterator)
        assert {work.id for work in pages.held} == {1, 2}
        pages.done(first)
        pages.done(first)
        assert len(pages.held) == 1

    asyncio.run(scenario())
