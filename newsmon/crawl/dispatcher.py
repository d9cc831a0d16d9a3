"""Which feed or page is fetched next: leased work, one queue per host, each host as often as politeness allows."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING

from newsmon.model import Lease
from newsmon.storage import FeedLease, Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection

    from newsmon.crawl.gate import Gate
    from newsmon.crawl.politeness import Politeness

Work = FeedLease | Lease

LONGEST_SLEEP = 60.0  # seconds without a look at the store: another process may have added work
LONG_HOLD = 1.0  # seconds; a host that is held for less keeps its work here
LOOK_EVERY = 0.2  # seconds between two looks at the store while it has work: a look costs as much as storing a page
LOOK_IN_VAIN = 0.5  # seconds after a look that gave nothing
MOST_WAITING = 32  # times the concurrency: most work in the queues, most of it waiting for the delays of its hosts
EARLY = 0.25  # seconds before a host is ready at which its request is handed over; the downloader's slot waits the rest


class Dispatcher:
    """Hands out leased work host by host.

    ::

        store.lease_work -> queue per host -> (host rested? fewer than per_host in flight?) -> work() -> spider
                                                      spider, pipelines, errors -> done(work)

    :param concurrency: most requests in flight at once.
    :param per_host: most requests in flight to one host.
    :param once: poll the feeds that are due at the beginning, and end when no page is due and nothing is in flight;
        pages due within ``patience`` seconds are waited for.
    :param sites: only these sites; None for all.
    :param lease: seconds for which work is leased; whoever renews leases does so well within them.
    """

    def __init__(
        self,
        store: Store,
        politeness: Politeness,
        gate: Gate,
        *,
        concurrency: int,
        per_host: int,
        once: bool = False,
        sites: Collection[str] | None = None,
        patience: float = 30.0,
        feeds: bool = True,
        lease: float = 900.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._store, self._politeness, self._gate = store, politeness, gate
        self._concurrency, self._per_host = concurrency, per_host
        self._once, self._sites, self._patience, self._feeds = once, sites, patience, feeds
        self._lease = lease
        self._now, self._clock = now, clock
        self._began = now()
        self._queues: dict[str, deque[Work]] = {}
        self._in_flight: Counter[str] = Counter()
        self._handed: dict[tuple[type, int], Work] = {}
        self._given: dict[str, float] = {}
        self._changed = asyncio.Event()
        self._next_look = float("-inf")
        self._stopped = False

    def done(self, work: Work) -> None:
        """Say that a piece of work has ended, one way or another; saying so twice does no harm."""
        if self._handed.pop((type(work), work.id), None) is not None:
            self._in_flight[work.host] -= 1
            if not self._in_flight[work.host]:
                del self._in_flight[work.host]
            if isinstance(work, FeedLease):
                self._next_look = float("-inf")  # there is room for another feed of its host
            self._changed.set()

    async def hold(self, host: str, seconds: float) -> None:
        """Hand out nothing of a host for so long, after a restart neither; what waits here goes back to the store."""
        queued = self._queues.pop(host, ())
        until = self._now() + timedelta(seconds=seconds)
        await self._gate.attempt(self._store.hold_host, host, until, queued=queued)

    def wake(self) -> None:
        """Look at the store again now: new work was written to it."""
        self._next_look = float("-inf")
        self._changed.set()

    def stop(self) -> None:
        """Hand out nothing more."""
        self._stopped = True
        self._changed.set()

    @property
    def held(self) -> list[Work]:
        """Everything leased by this process and not ended: in queues and in flight."""
        return [*self._handed.values(), *(work for queue in self._queues.values() for work in queue)]

    async def work(self) -> AsyncIterator[Work]:
        """Yield work as its hosts become ready, sleeping in between; ends only in ``once`` mode or after stop()."""
        while not self._stopped:
            self._changed.clear()
            await self._refill()
            await self._give_back_held()
            work = self._ready()
            if work is not None:
                yield work
                continue
            pause = await self._pause()
            if pause is None:
                return
            await self._sleep(pause)

    async def _refill(self) -> None:
        room = self._room()
        has_work = bool(self._queues or self._handed)
        if room <= self._concurrency // 2 or (has_work and self._clock() < self._next_look):
            return
        leased = await self._gate.attempt(
            self._store.lease_work,
            self._now(),
            feeds=room if self._feeds else 0,
            feeds_due=self._began if self._once else None,
            pages=room,
            per_host=max(4, self._per_host * 2),
            sites=self._sites,
            ttl=self._lease,
        )
        leases: list[Work] = [*leased.feeds, *leased.pages]
        self._next_look = self._clock() + (LOOK_EVERY if leases else LOOK_IN_VAIN)
        for work in leases:
            await self._queue(work)

    def _room(self) -> int:
        """How much more work to lease: what waits for its host does not keep the work of other hosts out."""
        going = sum(len(queue) for host, queue in self._queues.items() if self._may_go(host))
        waiting = sum(map(len, self._queues.values()))
        return min(self._concurrency * 2 - going - len(self._handed), self._concurrency * MOST_WAITING - waiting)

    async def _give_back_held(self) -> None:
        """Not to wait for hosts that asked for patience while their answers were for others: robots.txt, redirects."""
        for host in list(self._queues):
            held = self._politeness.held(host)
            if held > LONG_HOLD:
                await self.hold(host, held)

    async def _queue(self, work: Work) -> None:
        if work.host not in self._queues:
            self._queues[work.host] = deque()
            await self._recall(work.host)
        self._queues[work.host].append(work)

    async def _recall(self, host: str) -> None:
        """Learn from the store when another process last asked this host.

        Within half a lease of our own last request to it no other process can have had the host.
        """
        seen = self._politeness.last_seen(host)
        if seen is None or self._clock() - seen > self._lease / 2:
            last = await self._gate.attempt(self._store.host_last_fetch, host)
            ago = float("inf") if last is None else max(0.0, (self._now() - last).total_seconds())
            self._politeness.seen(host, seconds_ago=ago)

    def _ready(self) -> Work | None:
        if len(self._handed) >= self._concurrency:
            return None
        for host, queue in self._queues.items():
            if self._may_go(host):
                return self._hand_over(host, queue)
        return None

    def _may_go(self, host: str) -> bool:
        return self._in_flight[host] < self._per_host and self._ready_at(host) <= self._clock() + EARLY

    def _hand_over(self, host: str, queue: deque[Work]) -> Work:
        work = queue.popleft()
        # The host goes to the end of the row, so that every host gets its turn.
        del self._queues[host]
        if queue:
            self._queues[host] = queue
        self._in_flight[host] += 1
        self._handed[type(work), work.id] = work
        self._given[host] = max(self._clock(), self._ready_at(host))
        return work

    def _ready_at(self, host: str) -> float:
        # What was handed over counts as asked, though the downloader may send it a moment later.
        given = self._given.get(host)
        rested = float("-inf") if given is None else given + self._politeness.delay(host)
        return max(rested, self._politeness.ready_at(host))

    async def _pause(self) -> float | None:
        """Seconds until something may be ready; None when there is nothing to wait for."""
        now = self._clock()
        times = [self._ready_at(host) - EARLY for host in self._queues if self._in_flight[host] < self._per_host]
        if self._queues or self._handed:
            if self._next_look > now:
                times.append(self._next_look)
            return max(0.01, min([*(moment - now for moment in times), 1.0]))
        feeds = self._feeds and not self._once
        due = await self._gate.attempt(self._store.next_due, self._now(), sites=self._sites, feeds=feeds)
        if self._once and (due is None or due > self._now() + timedelta(seconds=self._patience)):
            return None
        seconds = LONGEST_SLEEP if due is None else (due - self._now()).total_seconds()
        self._next_look = float("-inf")
        return min(max(seconds, 0.05), LONGEST_SLEEP)

    async def _sleep(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return
