"""Wait, and lose nothing, while the store cannot write."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from newsmon.crawl.stopping import CrawlStopped
from newsmon.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class Gate:
    """Retries a store call until it succeeds, and holds fetching back meanwhile.

    A full disk or a locked database raises :class:`StoreUnavailable`; the gate closes (``pause`` is called once, the
    reason is logged once) and the same call is tried again every ``wait`` seconds. Calls that come meanwhile line up
    behind it, reading ones too: each try of a locked database holds up the event loop, and a look into a full one
    succeeds and says nothing. When all in the line have succeeded the gate opens.

    What was being stored stays in memory, its frontier row stays leased: nothing is lost, not even by kill -9.

    :param pause: called when the gate closes, e.g. ``engine.pause``.
    :param resume: called when it opens again.
    :param running: while this says False the gate gives up and raises, so that a stop is not held up for ever.
    :param wait: seconds between two tries.
    """

    def __init__(
        self,
        *,
        pause: Callable[[], None],
        resume: Callable[[], None],
        running: Callable[[], bool],
        wait: float = 2.0,
    ) -> None:
        self._pause, self._resume, self._running, self._wait = pause, resume, running, wait
        self._turn = asyncio.Lock()
        self._waiting = 0
        self.reason: str | None = None

    async def attempt(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return ``call(*args, **kwargs)``, trying again while it raises :class:`StoreUnavailable`.

        :raises CrawlStopped: when the crawl is being stopped and the store is still unavailable.
        """
        if self.reason is None:
            try:
                return call(*args, **kwargs)
            except StoreUnavailable as error:
                self._close(str(error))
        self._waiting += 1
        try:
            async with self._turn:
                return await self._insist(call, *args, **kwargs)
        finally:
            self._waiting -= 1
            if not self._waiting and self._running():
                self._open()

    async def _insist(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        while self._running():
            try:
                return call(*args, **kwargs)
            except StoreUnavailable as error:
                self._close(str(error))
            await asyncio.sleep(self._wait)
        raise CrawlStopped(f"not stored, the crawl is being stopped: {self.reason}")

    def _close(self, reason: str) -> None:
        if self.reason is None:
            logger.error("Fetching is paused: %s. Nothing is lost; it resumes by itself.", reason)
            self._pause()
        self.reason = reason

    def _open(self) -> None:
        logger.warning("The store works again, fetching resumes (it was: %s).", self.reason)
        self.reason = None
        self._resume()
