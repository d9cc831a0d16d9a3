"""The farm's web server: aiohttp.web in a thread of its own, all sites on one loopback port, told apart by ``Host``.

::

    request --> switches (down, slow) --> Site.answer --> Reply --> 304? gzip? drip? --> wire, Hit
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Self

import yaml
from aiohttp import web

from newsmon.farm.model import Expectation, FarmError, FeedExpectation, Hit, Reply, Site, Visit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType

ADDRESS = "127.0.0.1"
_LOGGED = ("user-agent", "if-none-match", "if-modified-since", "accept-encoding", "cookie", "referer")
_NO_SITE = Reply(b"no such site on this farm", 421, "text/plain")
_MISSING = Reply(b"<html><title>404</title><h1>Not Found</h1></html>", 404)
_RESET = Reply(manner="reset")
_PORT = re.compile(r":\d*$")
_WORTH_PACKING = 500  # bytes; below, gzip makes a body longer
_DRIP_PROMISE = 1_000_000  # bytes announced by a dripping answer
_DRIP_EVERY = 0.1  # seconds between its bytes


class Server:
    """Serves sites on 127.0.0.1 until :meth:`stop`; a context manager.

    :param port: 0 takes a free one; see ``port`` after :meth:`start`.
    :param now: aware time at which the farm's clock starts; it then runs as any clock.
    :param drip_seconds: how long a dripping answer goes on before its connection is cut.
    """

    def __init__(
        self, sites: Iterable[Site], *, port: int = 0, now: datetime | None = None, drip_seconds: float = 15.0
    ) -> None:
        self.sites = {site.domain: site for site in sites}
        self.stage = 0
        self._by_host = {host: site for site in self.sites.values() for host in site.hosts}
        self._asked_port, self._bound_port = port, 0
        self._drip_seconds = drip_seconds
        self._began = now or datetime.now(UTC)
        self._started_at = time.monotonic()
        self._log: list[Hit] = []
        self._visits: Counter[tuple[str, str]] = Counter()
        self._down: dict[str, Reply] = {}
        self._slow: dict[str, float] = {}
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready, self._failure = threading.Event(), ""
        self._leave = asyncio.Event()

    # -- life

    def start(self) -> Self:
        """Listen and answer, in a daemon thread.

        :raises FarmError: the port is taken.
        """
        self._thread = threading.Thread(target=asyncio.run, args=(self._serve(),), name="news-farm", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failure:
            raise FarmError(f"port {self._asked_port} on {ADDRESS}: {self._failure}; choose another one with --port")
        return self

    def stop(self) -> None:
        """Close all connections and end the thread; harmless when not started."""
        if self._loop and self._thread and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._leave.set)
            self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # -- what a test or a demo asks

    @property
    def port(self) -> int:
        """The port listened on, 0 before :meth:`start`."""
        return self._bound_port

    @property
    def hosts(self) -> tuple[str, ...]:
        """All host names served."""
        return tuple(self._by_host)

    @property
    def connect_to(self) -> dict[str, str]:
        """Host name -> ``127.0.0.1:port``: the value for the setting ``NEWSMON_CONNECT_TO``."""
        return dict.fromkeys(self._by_host, f"{ADDRESS}:{self.port}")

    @property
    def now(self) -> datetime:
        """The farm's clock, aware UTC."""
        return self._began + timedelta(seconds=time.monotonic() - self._started_at)

    @property
    def log(self) -> tuple[Hit, ...]:
        """All requests so far, in the order in which they came."""
        return tuple(self._log)

    def hits(self, host: str, target: str | None = None) -> tuple[Hit, ...]:
        """Requests to one host, or to one address of it."""
        return tuple(hit for hit in self.log if hit.host == host and target in (None, hit.target))

    def gaps(self, host: str) -> list[float]:
        """Seconds between consecutive requests to one host: what a crawl-delay is held against."""
        times = [hit.at for hit in self.hits(host)]
        return [later - earlier for earlier, later in pairwise(times)]

    @property
    def expected(self) -> list[Expectation]:
        """What a correct crawler makes of every address met in a feed up to the present stage, each URL once.

        It holds for a crawler that was run in every stage so far: a page is judged as it was when first linked.
        """
        valid = (each for site in self.sites.values() for each in site.expected if each.stage <= self.stage)
        return list({each.url: each for each in sorted(valid, key=lambda each: each.stage)}.values())

    @property
    def expected_feeds(self) -> list[FeedExpectation]:
        """What a correct crawler makes of every feed in the present stage."""
        valid = (each for site in self.sites.values() for each in site.expected_feeds if each.stage <= self.stage)
        return list({each.url: each for each in sorted(valid, key=lambda each: each.stage)}.values())

    def write_rules(self, directory: Path) -> list[Path]:
        """Write a rule file for every site that brings its own rules; gives the files written."""
        directory.mkdir(parents=True, exist_ok=True)
        written = []
        for site in self.sites.values():
            if site.rules is not None:
                file = directory / f"{site.rules['domain']}.yaml"
                file.write_text(yaml.safe_dump(site.rules, allow_unicode=True, sort_keys=False), "utf-8")
                written.append(file)
        return written

    # -- switches

    def advance_stage(self) -> int:
        """Let time pass: new articles, edits, redesigns, moved feeds. Gives the new stage."""
        self.stage += 1
        return self.stage

    def down(self, host: str, status: int | None = None) -> None:
        """Let a host fail: with this status, or with None by cutting every connection."""
        self._down[host] = _RESET if status is None else Reply(b"down", status, "text/plain")

    def up(self, host: str) -> None:
        """End :meth:`down` and :meth:`slow` of a host."""
        self._down.pop(host, None)
        self._slow.pop(host, None)

    def slow(self, host: str, seconds: float) -> None:
        """Let every answer of a host wait so long."""
        self._slow[host] = seconds

    # -- the thread's side

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        runner = web.ServerRunner(web.Server(self._handle, access_log=None, keepalive_timeout=75), shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, ADDRESS, self._asked_port, backlog=1024)
        try:
            await site.start()
        except OSError as error:
            self._failure = error.strerror or str(error)
        else:
            self._bound_port = runner.addresses[0][1]
        self._ready.set()
        if not self._failure:
            await self._leave.wait()
        await runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        host, target = _PORT.sub("", request.headers.get("Host", "")).lower(), request.raw_path
        reply = self._down.get(host) or self._reply(host, target, request)
        if _unchanged(reply, request):
            reply = Reply(b"", 304, None, {"ETag": reply.etag} if reply.etag else {}, pause=reply.pause)
        self._note(request, host, target, 0 if reply.manner == "reset" else reply.status)
        if pause := reply.pause + self._slow.get(host, 0.0):
            await asyncio.sleep(pause)
        if reply.manner == "drip":
            return await self._drip(request, reply)
        if reply.manner == "reset":
            _cut(request)
        return _response(reply, request)

    def _reply(self, host: str, target: str, request: web.BaseRequest) -> Reply:
        site = self._by_host.get(host)
        if site is None:
            return _NO_SITE
        answer = site.answer(target, self.stage)
        if answer is None:
            return _MISSING
        if isinstance(answer, Reply):
            return answer
        count = self._visits[host, target]
        self._visits[host, target] += 1
        return answer(Visit(host, target, request.headers, count, self.stage, self.now))

    def _note(self, request: web.BaseRequest, host: str, target: str, status: int) -> None:
        headers = {name: request.headers[name] for name in _LOGGED if name in request.headers}
        self._log.append(Hit(time.monotonic(), host, target, request.method, headers, status))

    async def _drip(self, request: web.BaseRequest, reply: Reply) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=reply.wire_headers)
        response.content_length = _DRIP_PROMISE
        await response.prepare(request)
        until = time.monotonic() + self._drip_seconds
        while time.monotonic() < until and request.transport is not None and not request.transport.is_closing():
            await response.write(b" ")
            await asyncio.sleep(_DRIP_EVERY)
        _cut(request)
        return response


def _response(reply: Reply, request: web.BaseRequest) -> web.Response:
    accepts = "gzip" in request.headers.get("Accept-Encoding", "")
    if reply.only_packed or (accepts and (reply.packed is not None or len(reply.body) > _WORTH_PACKING)):
        coded = reply.wire_headers | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return web.Response(body=reply.gzipped, status=reply.status, headers=coded)
    return web.Response(body=reply.plain, status=reply.status, headers=reply.wire_headers)


def _unchanged(reply: Reply, request: web.BaseRequest) -> bool:
    """Whether the client's validators still hold; the ETag wins over the date (RFC 9110, 13.1.3)."""
    known = request.headers.get("If-None-Match")
    if known is not None:
        return reply.etag is not None and reply.etag in known
    since = request.headers.get("If-Modified-Since")
    return since is not None and since == reply.headers.get("Last-Modified")


def _cut(request: web.BaseRequest) -> None:
    """End the connection without a farewell."""
    if request.transport is not None:
        request.transport.abort()
