"""The gate: a store that cannot write pauses fetching, loses nothing and resumes by itself."""

from __future__ import annotations

import asyncio
import logging

import pytest

from newsmon.crawl.gate import Gate
from newsmon.crawl.stopping import CrawlStopped
from newsmon.errors import StoreUnavailable


class Engine:
    """Counts pauses and resumes; runs until told otherwise."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.running = True

    def gate(self) -> Gate:
        return Gate(
            pause=lambda: self.calls.append("pause"),
            resume=lambda: self.calls.append("resume"),
            running=lambda: self.running,
            wait=0.001,
        )


def failing(times: int, result: str = "stored") -> tuple[list[int], object]:
    tries: list[int] = []

    def call(value: str) -> str:
        tries.append(1)
        if len(tries) <= times:
            raise StoreUnavailable("disk full")
        return result + value

    return tries, call


def test_a_working_store_never_pauses() -> None:
    engine = Engine()
    _, call = failing(0)
    assert asyncio.run(engine.gate().attempt(call, "!")) == "stored!"
    assert engine.calls == []


def test_the_call_is_tried_until_it_succeeds_with_one_pause_and_one_message(caplog: pytest.LogCaptureFixture) -> None:
    engine = Engine()
    tries, call = failing(3)
    with caplog.at_level(logging.WARNING):
        assert asyncio.run(engine.gate().attempt(call, "!")) == "stored!"
    assert len(tries) == 4
    assert engine.calls == ["pause", "resume"]
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "disk full" in caplog.records[0].message


def test_a_stop_is_not_held_up() -> None:
    engine = Engine()
    engine.running = False
    _, call = failing(1000)
    with pytest.raises(CrawlStopped, match="disk full"):
        asyncio.run(engine.gate().attempt(call, "!"))


def test_other_errors_pass() -> None:
    def broken() -> None:
        raise ValueError("a bug")

    engine = Engine()
    with pytest.raises(ValueError, match="a bug"):
        asyncio.run(engine.gate().attempt(broken))
    assert engine.calls == []


def test_while_the_gate_is_closed_all_calls_line_up_and_one_at_a_time_is_tried() -> None:
    engine = Engine()
    gate = engine.gate()
    full, order = [True], []

    def write(name: str) -> str:
        order.append(name)
        if full[0]:
            raise StoreUnavailable("disk full")
        return name

    async def scenario() -> list[str]:
        tasks = [asyncio.create_task(gate.attempt(write, name)) for name in ("a", "b")]
        await asyncio.sleep(0.01)
        # Reading works on a full disk; that it does is no reason to resume.
        tasks.append(asyncio.create_task(gate.attempt(lambda: "read")))
        await asyncio.sleep(0.01)
        assert engine.calls == ["pause"]
        assert order.count("b") <= 1
        assert not any(task.done() for task in tasks)
        full[0] = False
        return await asyncio.gather(*tasks)

    assert asyncio.run(scenario()) == ["a", "b", "read"]
    assert engine.calls == ["pause", "resume"]


def test_who_gives_up_waiting_does_not_leave_the_gate_closed() -> None:
    engine = Engine()
    gate = engine.gate()
    _, call = failing(20)

    async def scenario() -> str:
        waiting = [asyncio.create_task(gate.attempt(call, "!")) for _ in range(2)]
        await asyncio.sleep(0.005)
        waiting[0].cancel()
        return await waiting[1]

    assert asyncio.run(scenario()) == "stored!"
    assert engine.calls == ["pause", "resume"]
