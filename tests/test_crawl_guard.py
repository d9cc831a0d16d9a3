"""The network guard in whole crawls: no connection leaves for a private address, no answer hurts the process.

What must not be reached are servers that note every connection, on 127.0.0.2 and on ::1; only 127.0.0.1 is allowed.
"""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import brotli
import pytest
import yaml
from backports import zstd

from newsmon.farm.model import Reply, Site
from newsmon.farm.server import Server
from newsmon.model import FrontierState, Outcome
from newsmon.settings import DOWNLOADER_MIDDLEWARES
from newsmon.storage import PageState
from tests.crawling import Ended, Running, crawl, opened, start, stored
from tests.rawserver import RawAnswer, RawServer, endless, ok, send
from tests.smallsites import OPEN, feed, redirect, site, sitemap, story

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="127.0.0.2 and /proc are those of Linux")


@pytest.fixture(scope="module")
def canary() -> Iterator[RawServer]:
    with RawServer(address="127.0.0.2") as server:
        yield server


@pytest.fixture(scope="module")
def canary6() -> Iterator[RawServer]:
    try:
        server = RawServer(address="::1")
    except OSError:
        pytest.skip("no IPv6 here")
    with server:
        yield server


def forbidden(port: int, port6: int) -> list[str]:
    """Addresses of the canaries in every spelling, and what is no web address at all."""
    return [
        f"http://127.0.0.2:{port}/",
        f"http://2130706434:{port}/",
        f"http://0x7f000002:{port}/",
        f"http://0177.0.0.2:{port}/",
        f"http://127.2:{port}/",
        f"http://１２７.0.0.2:{port}/",
        f"http://[::ffff:127.0.0.2]:{port}/",
        f"http://[::ffff:7f00:2]:{port}/",
        f"http://[::1]:{port6}/",
        f"http://[0:0:0:0:0:0:0:1]:{port6}/",
        f"http://user@127.0.0.2:{port}/",
        f"http://127.0.0.2:{port}\\@hostile.example/",
        f"http://hostile.example@127.0.0.2:{port}/",
        f"http://inward.example:{port}/",
        f"//127.0.0.2:{port}/",
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/hostname",
        "ftp://127.0.0.2/",
        "data:text/html,hello",
        "javascript:alert(1)",
        "gopher://127.0.0.2/",
        "http://[bad",
        "http://a.example:99999/",
    ]


def hostile_sites(addresses: list[str]) -> list[Site]:
    hops = {f"/hop/{number}": redirect(address) for number, address in enumerate(addresses)}
    hostile = site("hostile.example", {"/honest": story("honest")}, feeds={"/feed": Reply()})
    for path, answer in hops.items():
        hostile.add(path, answer)
    hostile.add("/feed", feed(*addresses, *map(hostile.url, hops), "http://hostile.example/honest"))
    away = {f"/feed{number}": redirect(address) for number, address in enumerate(addresses)}
    indexes = {
        f"/index{begin}.xml": sitemap(*addresses[begin : begin + 8], "http://maps.example/good.xml", index=True)
        for begin in range(0, len(addresses), 8)
    }
    maps = site("maps.example", {"/1": story("from a sitemap")}, feeds=indexes)
    maps.add("/good.xml", sitemap("http://maps.example/1"))
    robin = site("robin.example", 1, robots=redirect(addresses[0]))
    return [hostile, site("moved.example", {}, feeds=away), maps, robin]


def pages_of(state: Path) -> dict[str, PageState]:
    with opened(state) as store:
        return {page.url: page for page in store.pages()}


@pytest.fixture(scope="module")
def hostile(canary: RawServer, canary6: RawServer, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    state = tmp_path_factory.mktemp("hostile") / "state"
    with Server(hostile_sites(forbidden(canary.port, canary6.port))) as farm:
        targets = farm.connect_to | {"inward.example": f"127.0.0.2:{canary.port}"}
        ended = crawl(farm, state, NEWSMON_CONNECT_TO=json.dumps(targets), NEWSMON_ONCE_PATIENCE=0).check()
    return state, ended


def test_nothing_private_is_connected_to(hostile: tuple[Path, Ended], canary: RawServer, canary6: RawServer) -> None:
    assert canary.asked == []
    assert canary6.asked == []
    assert hostile[1].errors == []


def test_the_rest_is_stored_and_every_refusal_accounted_for(hostile: tuple[Path, Ended]) -> None:
    state, _ = hostile
    assert {article.title for article in stored(state)} == {"honest", "from a sitemap"}
    hops = {url: page for url, page in pages_of(state).items() if "/hop/" in url}
    assert len(hops) == 23
    # A name may have another address tomorrow, so it gets its attempts; anything else is refused for good.
    again = [page for page in pages_of(state).values() if page.state is FrontierState.PENDING]
    assert {page.reason for page in again} == {"inward.example resolves to the private address 127.0.0.2"}
    assert [page.attempts for page in again] == [1, 1]
    hops = {url: page for url, page in hops.items() if page not in again}
    assert {(page.state, page.outcome) for page in hops.values()} == {(FrontierState.DONE, Outcome.REFUSED)}
    with opened(state) as store:
        sites = {status.domain: status for status in store.status()}
    assert all(one.error for one in sites["moved.example"].feeds)


def test_the_resolver_refuses_by_itself(canary: RawServer, canary6: RawServer, tmp_path: Path) -> None:
    """Without the check of URLs the connection still gets no address."""
    without = {**DOWNLOADER_MIDDLEWARES, "newsmon.middlewares.GuardMiddleware": None}
    plain = [url for url in forbidden(canary.port, canary6.port) if url.startswith("http://") and "@" not in url]
    with Server(hostile_sites(plain)) as farm:
        targets = farm.connect_to | {"inward.example": f"127.0.0.2:{canary.port}"}
        settings = {"NEWSMON_CONNECT_TO": json.dumps(targets), "DOWNLOADER_MIDDLEWARES": json.dumps(without)}
        crawl(farm, tmp_path / "state", **settings, NEWSMON_ONCE_PATIENCE=0).check()
    assert canary.asked == []
    assert canary6.asked == []


def test_an_address_that_is_allowed_can_be_reached(tmp_path: Path) -> None:
    page, robots = story("inside").body, ok(OPEN.encode(), "text/plain")
    with RawServer(address="127.0.0.2") as inside:
        host = f"127.0.0.2:{inside.port}"
        inside._answers = {host: {"/robots.txt": robots, "/page": ok(page)}}
        with Server([site("a.example", {}, links=[f"http://{host}/page"])]) as farm:
            crawl(farm, tmp_path / "state", NEWSMON_ALLOW_ADDRESSES="127.0.0.1,127.0.0.2/32").check()
    assert [article.title for article in stored(tmp_path / "state")] == ["inside"]


# -- size and time

BOMB = 300  # megabytes


@cache
def bomb(coding: str) -> bytes:
    """Zeros, compressed piece by piece."""
    block, number = bytes(1 << 20), BOMB
    if coding in ("gzip", "deflate"):
        pack = zlib.compressobj(9, zlib.DEFLATED, 31 if coding == "gzip" else 15)
        return b"".join(pack.compress(block) for _ in range(number)) + pack.flush()
    if coding == "br":
        packer = brotli.Compressor(quality=5)
        return b"".join(packer.process(block) for _ in range(number)) + packer.finish()
    squeeze = zstd.ZstdCompressor()
    return b"".join(squeeze.compress(block) for _ in range(number)) + squeeze.flush()


def coded(coding: str) -> RawAnswer:
    return ok(bomb(coding), content_encoding=coding)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNK = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"


def hurtful() -> dict[str, RawAnswer]:
    """Answers that would fill memory or take for ever, each on a host of its own name."""
    return {
        "length": send(HEAD + b"Content-Length: 99999999999\r\n\r\n" + b"a" * 100_000),
        "chunked": endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", CHUNK),
        "unstated": endless(HEAD + b"\r\n", b"a" * 65536),
        "gzip": coded("gzip"),
        "deflate": coded("deflate"),
        "br": coded("br"),
        "zstd": coded("zstd"),
        "twice": ok(gzip.compress(bomb("gzip")), content_encoding="gzip, gzip"),
        "drip": endless(HEAD + b"Content-Length: 1000000\r\n\r\n", b"a", pause=0.1),
        "mute": endless(b"", b"", pause=0.1),
        "status": endless(b"", b"H" * 65536),
        "headers": endless(HEAD, b"X-Header: " + b"a" * 1000 + b"\r\n"),
        "line": send(HEAD + b"X-Header: " + b"a" * 10_000_000 + b"\r\nContent-Length: 0\r\n\r\n"),
        "interim": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
        "nonsense": send(b"\x16\x03\x01\x00garbage\r\n\r\n"),
        "negative": send(HEAD + b"Content-Length: -5\r\n\r\nabc"),
        "badchunk": send(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzzz\r\nabc"),
    }


FAILED_SOMEHOW = {"drip", "mute", "status", "headers", "line", "interim", "nonsense", "negative", "badchunk"}


class Watched:
    """The most memory a process has had, and the ports it has listened on."""

    def __init__(self, running: Running) -> None:
        self._process = Path(f"/proc/{running.process.pid}")

    def peak_megabytes(self) -> int:
        found = re.search(r"VmHWM:\s+(\d+) kB", (self._process / "status").read_text())
        assert found is not None
        return int(found[1]) // 1024

    def listening(self) -> list[str]:
        """Local addresses of the process's listening sockets, as the kernel writes them."""
        own = {link.readlink().name for link in (self._process / "fd").iterdir() if link.is_symlink()}
        rows = [
            line.split()
            for table in ("tcp", "tcp6")
            for line in (self._process / "net" / table).read_text().splitlines()
        ]
        return [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own]


def test_hurtful_answers_cost_neither_memory_nor_time(tmp_path: Path) -> None:
    answers = {f"{name}.example": {"/": answer, "/robots.txt": ok(OPEN.encode())} for name, answer in hurtful().items()}
    maps = ok(bomb("gzip"), "application/gzip")
    answers["maps.example"] = {"/robots.txt": ok(OPEN.encode()), "/map.xml.gz": maps, "/feed": coded("gzip")}
    loop = {f"/{number}": redirect(f"/{number + 1}") for number in range(30)}
    site_of_links = site(
        "a.example", {"/honest": story("honest")}, links=[f"http://{name}.example/" for name in hurtful()]
    )
    hops = site("hops.example", loop, feeds={"/feed": feed("http://hops.example/0")})
    feeds = Site("maps.example", rules=_listing("http://maps.example/map.xml.gz", "http://maps.example/feed"))
    with RawServer(answers) as raw, Server([site_of_links, hops, feeds]) as farm:
        begin = time.monotonic()
        running = start(
            farm,
            tmp_path / "state",
            NEWSMON_CONNECT_TO=json.dumps(farm.connect_to | raw.connect_to),
            NEWSMON_ONCE_PATIENCE=0,
            DOWNLOAD_TIMEOUT=2,
            CONCURRENT_REQUESTS=4,
            DOWNLOAD_DELAY=0.05,
        )
        watched, peak = Watched(running), 0
        while running.process.poll() is None:
            peak = max(peak, _peak(watched))
            time.sleep(0.05)
        ended = running.end().check()
        seconds = time.monotonic() - begin
        assert len(farm.hits("hops.example")) == 2 + 11  # robots.txt, feed, ten hops after the first page
    assert not ended.errors
    assert peak < 200, f"{peak} MB"
    assert seconds < 40
    pages = {url.removeprefix("http://").partition(".")[0]: page for url, page in pages_of(tmp_path / "state").items()}
    for name in hurtful():
        page = pages[name]
        if name in FAILED_SOMEHOW:
            assert (page.state, page.attempts) == (FrontierState.PENDING, 1), (name, page)
        else:
            # On a busy machine the time limit may come before the size limit: then it is tried again.
            late = page.state is FrontierState.PENDING and page.attempts == 1 and "longer than" in (page.reason or "")
            assert late or (page.state, page.outcome) == (FrontierState.DONE, Outcome.REFUSED), (name, page)
    assert [article.title for article in stored(tmp_path / "state")] == ["honest"]
    with opened(tmp_path / "state") as store:
        [status] = [one for one in store.status() if one.domain == "maps.example"]
    assert all(one.error for one in status.feeds)


def _peak(watched: Watched) -> int:
    try:
        return watched.peak_megabytes()
    except (OSError, AssertionError):  # it has just ended
        return 0


def _listing(*feeds: str) -> dict[str, Any]:
    rules: dict[str, Any] = yaml.safe_load(yaml.safe_dump(site("maps.example", 0).rules))
    return rules | {"feeds": list(feeds)}


def test_a_crawl_listens_nowhere(tmp_path: Path) -> None:
    """No telnet console, no remote control, nothing else."""
    with Server([site("a.example", 1)]) as farm:
        running = start(farm, tmp_path / "state", once=False)
        running.wait_for(lambda: bool(farm.hits("a.example", "/1")))
        listening = Watched(running).listening()
        running.stop().check()
    assert listening == []
    with socket.create_server(("127.0.0.1", 0)):  # the test can see a listening socket
        myself = Running.__new__(Running)
        myself.process = type("Process", (), {"pid": "self"})  # type: ignore[assignment]
        assert Watched(myself).listening()
