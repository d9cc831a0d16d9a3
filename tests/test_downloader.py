"""The downloader alone: what a slot does with the delays it is told, also when Scrapy has forgotten it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from newsmon.crawl.downloader import HostHeld, PoliteDownloader
from newsmon.crawl.politeness import Politeness

Scenario = Callable[["Bench"], Awaitable[None]]


class Bench:
    """A downloader whose handler only notes when it is asked; every answer takes a moment."""

    ANSWER = 0.02

    def __init__(self, state: Path, **settings: Any) -> None:
        crawler = get_crawler(
            settings_dict={
                "TWISTED_REACTOR_ENABLED": False,
                "NEWSMON_STATE_DIR": str(state),
                "NEWSMON_RULES_DIR": str(state),
                "DOWNLOAD_DELAY": 0,
                "NEWSMON_DELAY_JITTER": 0,
                **settings,
            }
        )
        self.downloader = PoliteDownloader(crawler)
        self.downloader.handlers = self  # type: ignore[assignment]
        self.politeness: Politeness = self.downloader._politeness
        self.asked: dict[str, list[float]] = {}

    async def download_request_async(self, request: Request) -> Response:
        host = self.downloader.get_slot_key(request)
        self.politeness.seen(host)
        self.asked.setdefault(host, []).append(monotonic())
        await asyncio.sleep(self.ANSWER)
        self.politeness.seen(host)
        return Response(request.url)

    async def fetch(self, *urls: str, **meta: Any) -> list[Any]:
        requests = [Request(url, meta=dict(meta)) for url in urls]
        return await asyncio.gather(*map(self.downloader._enqueue_request, requests), return_exceptions=True)

    def gaps(self, host: str) -> list[float]:
        return [later - earlier for earlier, later in pairwise(self.asked[host])]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., None]]:
    def run(scenario: Scenario, **settings: Any) -> None:
        async def whole() -> None:
            made = Bench(tmp_path, **settings)
            try:
                await scenario(made)
            finally:
                made.downloader.close()

        asyncio.run(whole())

    return run  # type: ignore[return-value]


PAGES = [f"http://a.example/{number}" for number in range(4)]


def test_a_delay_counts_from_the_end_of_the_answer(bench: Any) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", 0.1)
        await bench.fetch(*PAGES)
        assert min(bench.gaps("a.example")) >= 0.1 + bench.ANSWER

    bench(scenario, CONCURRENT_REQUESTS_PER_DOMAIN=1)


def test_a_delay_learnt_while_requests_wait_holds_for_them(bench: Any) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", 0.1)
        waiting = asyncio.create_task(bench.fetch(*PAGES))
        await asyncio.sleep(0.12)
        bench.politeness.ask("a.example", "robots", 0.3)
        await waiting
        assert min(bench.gaps("a.example")) >= 0.3

    bench(scenario)


def test_a_slot_that_scrapy_forgot_comes_back_with_its_delay(bench: Any) -> None:
    """Scrapy drops a slot after 60 s without a request; here at the first chance."""

    async def scenario(bench: Bench) -> None:
        bench.downloader._SLOT_GC_INTERVAL = 0.05
        bench.politeness.ask("a.example", "robots", 0.2)
        await bench.fetch(PAGES[0])
        first = bench.downloader.slots["a.example"]
        first.lastseen -= 3600
        await asyncio.sleep(0.1)
        assert "a.example" not in bench.downloader.slots
        await bench.fetch(*PAGES[1:])
        assert bench.downloader.slots["a.example"] is not first
        assert min(bench.gaps("a.example")) >= 0.2

    bench(scenario)


def test_autothrottle_cannot_lower_a_delay(bench: Any) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", 0.1)
        for url in PAGES:
            await bench.fetch(url)
            bench.downloader.slots["a.example"].delay = 0.001  # as it does after a quick answer
        assert min(bench.gaps("a.example")) >= 0.1

    bench(scenario, AUTOTHROTTLE_ENABLED=True)


def test_autothrottle_can_raise_a_delay(bench: Any) -> None:
    async def scenario(bench: Bench) -> None:
        await bench.fetch(PAGES[0])
        bench.downloader.slots["a.example"].delay = 0.2
        await bench.fetch(PAGES[1])
        assert min(bench.gaps("a.example")) >= 0.2

    bench(scenario, AUTOTHROTTLE_ENABLED=True)


def test_jitter_only_lengthens_and_no_more_than_stated(bench: Any) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", 2.0)
        await bench.fetch("http://b.example/")
        slot = bench.downloader.slots["b.example"]
        bench.downloader._obey("a.example", slot)
        drawn = [slot.download_delay() for _ in range(2000)]
        assert 2.0 <= min(drawn) < 2.05
        assert 2.95 < max(drawn) <= 3.0

    random.seed(1)
    bench(scenario, NEWSMON_DELAY_JITTER=0.5)


@pytest.mark.parametrize(
    "other", ["http://A.Example/", "http://a.example:8080/", "https://a.example/", "http://a.example./"]
)
def test_every_way_to_a_host_is_one_slot(bench: Any, other: str) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", 0.1)
        await bench.fetch(PAGES[0], other)
        assert min(bench.gaps("a.example")) >= 0.1

    bench(scenario)


def test_a_redirect_to_another_host_waits_for_that_host(bench: Any) -> None:
    """Scrapy copies the slot's name from request to request."""

    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("b.example", "robots", 0.1)
        await bench.fetch("http://b.example/1")
        await bench.fetch("http://b.example/2", download_slot="a.example")
        assert min(bench.gaps("b.example")) >= 0.1

    bench(scenario)


@pytest.mark.parametrize("delay", [0.0, 0.05])
def test_a_short_hold_is_waited_for(bench: Any, delay: float) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", delay)
        await bench.fetch(PAGES[0])
        bench.politeness.hold("a.example", 0.3)
        await bench.fetch(*PAGES[1:])
        assert max(bench.gaps("a.example")) >= 0.27

    bench(scenario)


def test_a_long_hold_turns_away_what_waits_and_what_comes(bench: Any) -> None:
    async def scenario(bench: Bench) -> None:
        bench.politeness.ask("a.example", "robots", 0.1)
        waiting = asyncio.create_task(bench.fetch(*PAGES))
        await asyncio.sleep(0.13)
        bench.politeness.hold("a.example", 3600)
        first, *others = await waiting
        assert isinstance(first, Response)
        assert {type(other) for other in others} == {HostHeld}
        assert 3590 < others[0].seconds <= 3600
        assert [type(answer) for answer in await bench.fetch(PAGES[0])] == [HostHeld]
        assert [type(answer) for answer in await bench.fetch("http://b.example/")] == [Response]

    bench(scenario)
