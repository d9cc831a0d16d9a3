"""One worker process, its deadline and its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from newsmon.errors import ExtractorFault
from newsmon.model import Extract, Kind
from newsmon.sandbox import wire

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, Self

    from newsmon.model import Entry
    from newsmon.page import Page
    from newsmon.siterules import SiteRules

SECONDS = 5.0
MEMORY = 2**30
START = 60.0
"""Seconds a worker may take to start on a machine that is busy with other things."""

_NOT_TOLD = ("NEWSMON_STORE_URL",)  # who reads a page needs no password of a database


class Sandbox:
    """Reads pages in a worker process that is started when first needed, and again when it had to be killed.

    A program of its own and not :mod:`multiprocessing`: that would import the main module of whoever uses it once more,
    and talk in pickles. Nor is the worker forked: a fork of a process with threads and an event loop inherits locks
    that nobody opens.

    Calls from several threads wait for each other; the time of a page begins when its turn comes.

    :param extractor: path of the function ``(page, *, rules, entry) -> Extract``.
    :param seconds: after which the worker is killed; where it has to be started first, up to half of them go to that.
    :param memory: bytes that reading a page may take.
    """

    def __init__(
        self, extractor: str = "newsmon.extraction.extract", *, seconds: float = SECONDS, memory: int = MEMORY
    ) -> None:
        self._extractor, self._seconds, self._memory = extractor, seconds, memory
        self._turn = threading.Lock()
        self._worker: _Worker | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def extract(
        self, page: Page, *, rules: SiteRules | None = None, entry: Entry | None = None, **options: Any
    ) -> Extract:
        """Read a page; one that takes too long, too much memory or the worker's life is UNPARSABLE.

        :param options: further arguments of the extractor, values of JSON.
        :raises ExtractorFault: when the extractor raised an error of its own, or no worker can be started.
        """
        header = wire.pack_request(wire.Request(page, rules, entry, options))
        with self._turn:
            began = monotonic()
            worker = self._started_worker()
            left = max(self._seconds - (monotonic() - began), self._seconds / 2)
            answer = worker.ask(header, page.body, seconds=left)
            if worker.ended:
                self._worker = self._new_worker()  # starting takes a moment: it is ready when the next page comes
        return _extract_of(answer)

    def close(self) -> None:
        """End the worker; another page would start another."""
        with self._turn:
            if self._worker is not None:
                self._worker.end()
            self._worker = None

    def _started_worker(self) -> _Worker:
        if self._worker is None or not self._worker.usable:
            self._worker = self._new_worker()
        self._worker.await_start()
        return self._worker

    def _new_worker(self) -> _Worker:
        try:
            return _Worker(self._extractor, self._seconds, self._memory)
        except OSError as error:
            raise ExtractorFault(f"the process that reads risky pages cannot be started: {error}") from error


class _Worker:
    """A running :mod:`newsmon.sandbox.worker`."""

    def __init__(self, extractor: str, seconds: float, memory: int) -> None:
        self._owner, self._greeted, self._late = os.getpid(), False, False
        self._process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
            [sys.executable, "-P", "-m", "newsmon.sandbox.worker", extractor, str(seconds), str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,  # Ctrl-C is meant for the crawl, which then ends its worker
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self._from: BinaryIO = self._process.stdout  # type: ignore[assignment]

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def usable(self) -> bool:
        """False for a dead one, and in a fork of the process that started it: two cannot talk to one worker."""
        return not self.ended and os.getpid() == self._owner

    def await_start(self) -> None:
        """Wait until the worker has imported what it needs.

        :raises ExtractorFault: when it cannot.
        """
        if self._greeted:
            return
        greeting = self._within(START, self._listen)
        self._greeted = "ready" in greeting
        if not self._greeted:
            self.end()
            why = greeting.get("fault") or greeting["failure"]
            raise ExtractorFault(f"the process that reads risky pages cannot be started: {why}")

    def ask(self, header: bytes, body: bytes, *, seconds: float) -> dict[str, Any]:
        """The worker's answer to a request; a failure when it has none in time. It may have ended afterwards."""
        answer = self._within(seconds, lambda: self._exchange(header, body))
        if "failure" in answer or "last" in answer:
            self.end()
        return answer

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        for stream in (self._to, self._from):
            with suppress(OSError):  # what was not sent yet is for nobody
                stream.close()
        self._process.wait()

    def _within(self, seconds: float, talk: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        clock = threading.Timer(seconds, self._kill_late)
        clock.daemon = True
        clock.start()
        try:
            return talk()
        except (OSError, EOFError):
            self.end()
            return {"failure": self._how_it_ended(seconds)}
        except ValueError as error:  # what it says is too long, or no JSON
            self.end()
            return {"failure": f"the process that read it gave no answer: {error}"}
        finally:
            clock.cancel()

    def _kill_late(self) -> None:
        self._late = True
        self._process.kill()

    def _exchange(self, header: bytes, body: bytes) -> dict[str, Any]:
        wire.send(self._to, header)
        wire.send(self._to, body)
        self._to.flush()
        return self._listen()

    def _listen(self) -> dict[str, Any]:
        return dict(json.loads(wire.receive(self._from, largest=wire.LARGEST_ANSWER)))

    def _how_it_ended(self, seconds: float) -> str:
        if self._late:
            return f"it took more than {seconds:.1f} s"
        code = self._process.returncode
        return f"the process that read it ended with {signal.Signals(-code).name if code < 0 else f'code {code}'}"


def _environment() -> dict[str, str]:
    """The same modules as here, wherever they come from (an egg, a folder of the user's), and one thread of NumPy."""
    told = {name: value for name, value in os.environ.items() if name not in _NOT_TOLD}
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    return told | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _extract_of(answer: dict[str, Any]) -> Extract:
    if "fault" in answer:
        raise ExtractorFault(answer["fault"])
    if "failure" in answer:
        return Extract(kind=Kind.UNPARSABLE, reason=f"the page cannot be read: {answer['failure']}")
    try:
        return wire.read_extract(answer.get("extract"))
    except ValueError as error:
        raise ExtractorFault(f"the process that reads risky pages gave no extract: {error}") from error
