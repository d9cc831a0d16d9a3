"""The browser and the proxy that guards it: what gets through, what does not, and what is cleared away."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError
from scrapy.http import Response

from newsmon.addresses import AddressPolicy
from newsmon.crawl import browser
from newsmon.crawl.browser import Browser
from newsmon.crawl.guardproxy import MAX_HEADER, GuardProxy
from newsmon.crawl.politeness import Politeness
from newsmon.farm.model import Reply, Site
from newsmon.farm.server import Server
from newsmon.model import FrontierState
from newsmon.siterules import BrowserRule
from tests.crawling import command, crawl, opened, stored
from tests.rawserver import RawServer, ok
from tests.smallsites import plain, redirect, site, story

LOOPBACK = AddressPolicy(allow=["127.0.0.1"])

# -- is there one


def test_the_configured_browser_wins_and_a_missing_one_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "chromium"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert browser.find_executable(str(own)) == str(own)
    assert browser.find_executable("/nonexistent/browser") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.find_executable() == str(own)
    own.unlink()
    assert browser.find_executable() is None
    assert "needs a browser" in (browser.missing() or "")


def test_scrapy_playwright_is_not_needed_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser.importlib.util, "find_spec", lambda name: None)
    assert browser.missing() == "needs a browser: install scrapy-playwright (pip install scrapy-playwright)"


# -- contexts


class FakeContext:
    def __init__(self, name: str, handler: FakeHandler) -> None:
        self.context, self._name, self._handler = self, name, handler

    async def close(self) -> None:
        if self._handler.context_wrappers.pop(self._name, None) is not None:
            self._handler.closed.append(self._name)


class FakeHandler:
    """Opens a context where scrapy-playwright would; a page takes a moment, or for ever."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.context_wrappers: dict[str, FakeContext] = {}
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.most = 0
        self.seconds = seconds

    async def download_request(self, request: Request) -> Response:
        name = request.meta["playwright_context"]
        if name not in self.context_wrappers:
            self.context_wrappers[name] = FakeContext(name, self)
            self.opened.append(name)
        self.most = max(self.most, len(self.context_wrappers))
        await asyncio.sleep(self.seconds)
        return Response(request.url)


def made(handler: FakeHandler, *, allowed: Callable[[str], Awaitable[bool]] | None = None, **options: Any) -> Browser:
    pytest.importorskip("scrapy_playwright")

    async def anything(url: str) -> bool:
        return True

    new = Browser(
        SimpleNamespace(),  # type: ignore[arg-type]
        policy=LOOPBACK,
        connect_to={},
        politeness=Politeness(default_delay=1.0, clock=lambda: 500.0),
        allowed=allowed or anything,
        executable=None,
        **options,
    )
    new._handler = handler
    return new


def wanted(url: str, timeout: float = 15.0) -> Request:
    return Browser.ask(Request(url), BrowserRule(wait_for="p", timeout=timeout))


def test_a_context_is_closed_when_it_has_shown_its_pages() -> None:
    async def scenario() -> FakeHandler:
        handler = FakeHandler()
        shown = made(handler, budget=3)
        for number in range(7):
            await shown.download(wanted(f"http://a.example/{number}"), "a.example")
        return handler

    handler = asyncio.run(scenario())
    assert handler.opened == ["a.example#0", "a.example#1", "a.example#2"]
    assert handler.closed == ["a.example#0", "a.example#1"]
    assert list(handler.context_wrappers) == ["a.example#2"]


def test_a_spent_context_stays_until_its_last_page_is_done() -> None:
    async def scenario() -> FakeHandler:
        handler = FakeHandler(0.01)
        shown = made(handler, budget=2)
        await asyncio.gather(*(shown.download(wanted(f"http://a.example/{n}"), "a.example") for n in range(4)))
        return handler

    handler = asyncio.run(scenario())
    assert handler.closed == ["a.example#0", "a.example#1"]


def test_more_sites_than_places_take_turns() -> None:
    async def scenario(seconds: float) -> FakeHandler:
        handler = FakeHandler(seconds)
        shown = made(handler, contexts=2)
        sites = [f"s{number % 5}.example" for number in range(15)]
        await asyncio.wait_for(asyncio.gather(*(shown.download(wanted(f"http://{s}/"), s) for s in sites)), 5)
        return handler

    handler = asyncio.run(scenario(0.005))
    assert handler.most <= 2
    assert {name.partition("#")[0] for name in handler.opened} == {f"s{number}.example" for number in range(5)}


def test_a_page_that_does_not_end_is_given_up_with_its_context() -> None:
    async def scenario() -> None:
        handler = FakeHandler(60)
        shown = made(handler)
        request = wanted("http://a.example/")
        request.meta["download_timeout"] = 0.05
        with pytest.raises(DownloadTimeoutError, match=r"longer than 0[.]05 s"):
            await shown.download(request, "a.example")
        assert handler.closed == ["a.example#0"]
        handler.seconds = 0
        await shown.download(wanted("http://a.example/2"), "a.example")
        assert handler.opened == ["a.example#0", "a.example#0"]

    asyncio.run(scenario())


def test_the_time_for_a_page_follows_its_rule() -> None:
    async def scenario() -> dict[str, Any]:
        request = wanted("http://a.example/", timeout=40)
        await made(FakeHandler()).download(request, "a.example")
        return request.meta

    meta = asyncio.run(scenario())
    assert meta["playwright_page_goto_kwargs"]["timeout"] == 40_000
    assert meta["download_timeout"] == 85
    assert meta["playwright_context_kwargs"] == {
        "accept_downloads": False,
        "service_workers": "block",
        "user_agent": "newsmon",
    }


class FakePage:
    """Answers the two questions a page is asked."""

    def __init__(self, status: int | None, size: int) -> None:
        self.url, self._answers, self.waited = "http://a.example/", [status, size], []

    async def evaluate(self, script: str) -> Any:
        return self._answers.pop(0)

    async def wait_for_selector(self, selector: str, timeout: float) -> None:
        self.waited.append((selector, timeout))


@pytest.mark.parametrize(("status", "waits"), [(200, True), (None, True), (0, True), (404, False), (503, False)])
def test_nothing_is_waited_for_on_an_error_page(status: int | None, waits: bool) -> None:
    page = FakePage(status, 1000)
    asyncio.run(made(FakeHandler(), largest=1000)._wait(BrowserRule(wait_for="p", timeout=2), page))
    assert page.waited == ([("p", 2000)] if waits else [])


def test_a_page_that_has_grown_too_large_is_given_up() -> None:
    with pytest.raises(DownloadCancelledError, match="1001 characters"):
        asyncio.run(made(FakeHandler(), largest=1000)._wait(BrowserRule(), FakePage(200, 1001)))


ABORTED = [
    ("http://a.example/app.js", "script", False),
    ("http://127.0.0.1:8000/api", "fetch", False),
    ("https://a.example/", "document", False),
    ("data:text/html,hello", "document", False),
    ("blob:http://a.example/1", "script", False),
    ("about:blank", "document", False),
    ("http://a.example/1.jpg", "image", True),
    ("http://a.example/1.mp4", "media", True),
    ("http://a.example/1.woff2", "font", True),
    ("data:image/png;base64,AAAA", "image", True),
    ("http://127.0.0.2/", "fetch", True),
    ("http://10.0.0.1/", "script", True),
    ("http://169.254.169.254/latest/", "fetch", True),
    ("http://2130706434/", "fetch", True),
    ("http://[::1]/", "document", True),
    ("file:///etc/passwd", "document", True),
    ("ftp://a.example/", "document", True),
    ("chrome://version", "document", True),
    ("view-source:http://a.example/", "document", True),
    ("http://user:secret@a.example/", "document", True),
    ("http://a.example:22/", "fetch", True),
    ("http://a.example/private/x", "fetch", True),  # robots.txt
]


@pytest.mark.parametrize(("url", "kind", "aborted"), ABORTED)
def test_requests_of_the_browser_itself(url: str, kind: str, aborted: bool) -> None:
    async def allowed(url: str) -> bool:
        return "/private/" not in url

    shown = made(FakeHandler(), allowed=allowed)
    assert asyncio.run(shown._aborts(SimpleNamespace(url=url, resource_type=kind))) is aborted


def test_they_count_as_asked() -> None:
    shown = made(FakeHandler())
    asyncio.run(shown._aborts(SimpleNamespace(url="http://cdn.example/x.js", resource_type="script")))
    assert shown._politeness.ready_at("cdn.example") == 501.0


def test_a_robots_txt_that_takes_too_long_means_no(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(url: str) -> bool:
        await asyncio.sleep(60)
        return True

    monkeypatch.setattr(browser, "ROBOTS_PATIENCE", 0.01)
    shown = made(FakeHandler(), allowed=never)
    assert asyncio.run(shown._aborts(SimpleNamespace(url="http://a.example/x.js", resource_type="script")))


# -- the proxy


@asynccontextmanager
async def proxy(**options: Any) -> AsyncIterator[Callable[[bytes], Awaitable[bytes]]]:
    """A proxy, and a function that sends it bytes and returns all that comes back."""
    guard = GuardProxy(**{"policy": LOOPBACK, **options})
    url = await guard.start()
    port = int(url.rpartition(":")[2])

    async def ask(data: bytes, then: bytes = b"") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(data)
        if then:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(then)
        answer = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        return answer

    try:
        yield ask  # type: ignore[misc]
    finally:
        await guard.stop()


def asked(data: bytes, *, then: bytes = b"", **options: Any) -> bytes:
    async def scenario() -> bytes:
        async with proxy(**options) as ask:
            return await ask(data, then) if then else await ask(data)  # type: ignore[call-arg]

    return asyncio.run(scenario())


def get(url: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: a.example", *headers, "", ""]).encode()


@pytest.fixture
def inside() -> Any:
    with RawServer({"a.example": {"/page?x=1": ok(b"hello"), "/ws": ok(b"socket")}}) as server:
        yield server


def test_a_request_is_passed_on_as_one_request(inside: RawServer) -> None:
    connect_to = {"a.example": f"127.0.0.1:{inside.port}"}
    answer = asked(get("http://a.example/page?x=1", "Connection: keep-alive"), connect_to=connect_to)
    assert answer.endswith(b"\r\n\r\nhello")
    assert inside.asked == [("a.example", "/page?x=1")]


def test_a_tunnel_is_a_tunnel(inside: RawServer) -> None:
    connect_to = {"a.example": f"127.0.0.1:{inside.port}"}
    head = b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n"
    assert asked(head, then=get("/ws"), connect_to=connect_to).endswith(b"socket")


@pytest.mark.parametrize(
    "head",
    [
        b"GET http://127.0.0.2:{port}/ HTTP/1.1",
        b"GET http://2130706434:{port}/ HTTP/1.1",
        b"GET http://[::ffff:127.0.0.2]:{port}/ HTTP/1.1",
        b"GET http://user@127.0.0.2:{port}/ HTTP/1.1",
        b"GET http://inward.example/ HTTP/1.1",
        b"GET http://rebound.example/ HTTP/1.1",
        b"GET file:///etc/passwd HTTP/1.1",
        b"GET ftp://127.0.0.2/ HTTP/1.1",
        b"GET /relative HTTP/1.1",
        b"CONNECT 127.0.0.2:{port} HTTP/1.1",
        b"CONNECT [::1]:{port} HTTP/1.1",
        b"CONNECT inward.example:{port} HTTP/1.1",
        b"CONNECT rebound.example:{port} HTTP/1.1",
        b"CONNECT a.example:25 HTTP/1.1",
        b"CONNECT 127.0.0.2:{port}@a.example:443 HTTP/1.1",
        b"nonsense",
    ],
)
def test_nothing_private_is_reached(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """``inward`` is mapped to a private address, ``rebound`` resolves to one, whatever it was a moment ago."""
    real = socket.getaddrinfo

    def resolve(host: str, *args: Any, **kwargs: Any) -> Any:
        return real("127.0.0.2" if host == "rebound.example" else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with RawServer(address="127.0.0.2") as canary:
        port = str(canary.port).encode()
        answer = asked(
            head.replace(b"{port}", port) + b"\r\n\r\n", connect_to={"inward.example": f"127.0.0.2:{canary.port}"}
        )
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert canary.asked == []


def test_of_several_addresses_one_that_is_permitted_and_answers_is_taken(
    inside: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        dead = closed.getsockname()

    def resolve(host: str, *args: Any, **kwargs: Any) -> Any:
        def entry(ip: str, port: int) -> Any:
            return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port))

        return [entry("10.0.0.1", 80), entry("127.0.0.3", dead[1]), entry("127.0.0.1", inside.port)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    policy = AddressPolicy(allow=["127.0.0.1", "127.0.0.3"])
    answer = asked(get(f"http://a.example:{inside.port}/page?x=1"), policy=policy)
    assert answer.endswith(b"hello")


def test_robots_txt_holds_where_a_redirect_in_the_browser_leads(inside: RawServer) -> None:
    async def allowed(url: str) -> bool:
        return url != "http://a.example/page?x=1"

    connect_to = {"a.example": f"127.0.0.1:{inside.port}"}
    answer = asked(get("http://a.example/page?x=1"), connect_to=connect_to, admits=allowed)
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert inside.asked == []


def test_a_second_request_does_not_pass_unseen(inside: RawServer) -> None:
    """What follows the first request on its connection goes to the first host, which was told to hang up."""
    with RawServer(address="127.0.0.2") as canary:
        second = get(f"http://127.0.0.2:{canary.port}/")
        connect_to = {"a.example": f"127.0.0.1:{inside.port}"}
        assert asked(get("http://a.example/page?x=1") + second, connect_to=connect_to).count(b"HTTP/1.1") == 1
        assert canary.asked == []


@pytest.mark.parametrize("data", [b"GET " + b"a" * MAX_HEADER * 2 + b" HTTP/1.1\r\n\r\n"])
def test_a_head_without_end_is_refused(data: bytes) -> None:
    assert asked(data).startswith(b"HTTP/1.1 502 ")


def test_a_host_that_is_not_there_is_a_bad_gateway() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert asked(get("http://a.example/"), connect_to={"a.example": f"127.0.0.1:{port}"}).startswith(b"HTTP/1.1 502 ")


# -- whole crawls


def _app(script: str) -> Reply:
    """A page whose article is written by a script."""
    text = "".join(
        f"<p>By script: {number}. {'The dam opened on Friday after six years. ' * 5}</p>" for number in range(3)
    )
    write = f"document.body.innerHTML = `<article><h1>Written</h1>{text}</article><p id=done>done</p>`"
    return Reply(f"<html><head><title>App</title></head><body><script>{script};{write}</script></body></html>".encode())


def _nasty(port: int, udp: int) -> str:
    """Everything a page could try: fetch, web socket, frames, workers, WebRTC, forms, pop-ups, its own downloads."""
    return f"""
    const targets = ["http://127.0.0.2:{port}/fetch", "http://inward.example/fetch", "http://10.0.0.1/", "file:///etc/hostname",
        "/away", "/private/data", "/hop-private"];
    for (const url of targets) fetch(url, {{mode: "no-cors"}}).catch(() => 0);
    for (const url of ["ws://127.0.0.2:{port}/ws", "ws://inward.example/ws", "wss://127.0.0.2:{port}/wss"])
        try {{ new WebSocket(url) }} catch (e) {{}}
    for (const url of ["http://127.0.0.2:{port}/frame", "file:///etc/hostname", "/away"]) {{
        const frame = document.createElement("iframe"); frame.src = url; document.documentElement.append(frame) }}
    navigator.sendBeacon("http://127.0.0.2:{port}/beacon", "x");
    try {{ new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.2:{port}/worker')"]))) }} catch (e) {{}}
    try {{ new EventSource("http://127.0.0.2:{port}/events") }} catch (e) {{}}
    window.open("http://127.0.0.2:{port}/popup");
    const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.2:{udp}"}}]}});
    peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer));
    for (const [tag, url] of [["img", "/picture.png"], ["video", "/film.mp4"]]) {{
        const element = document.createElement(tag); element.src = url; document.documentElement.append(element) }}
    const link = document.createElement("a"); link.href = "/file.zip"; link.download = ""; link.click()"""


def _browser_sites(port: int, udp: int) -> list[Site]:
    pages = {
        "/1": _app(_nasty(port, udp)),
        "/2": _app(""),
        "/3": _app(""),
        "/loop": Reply(b"<html><body><script>while (true);</script></body></html>"),
        "/to-private": redirect("/private/page"),
        "/download": Reply(b"PK\x03\x04" * 100, 200, "application/zip", {"Content-Disposition": "attachment"}),
        "/large": _app("document.documentElement.setAttribute('data-x', 'x'.repeat(17_000_000))"),
        "/inward": redirect(f"http://127.0.0.2:{port}/navigation"),
    }
    app = site("app.example", pages, browser={"wait_for": "#done", "timeout": 6}, headers={"X-Own": "secret"})
    extra = {"/away": redirect(f"http://127.0.0.2:{port}/redirect"), "/hop-private": redirect("/private/hop")}
    for path, answer in {
        **extra,
        "/private/data": story("x"),
        "/private/hop": story("x"),
        "/private/page": _app(""),
    }.items():
        app.add(path, answer)
    for path in ("/picture.png", "/film.mp4", "/file.zip"):
        app.add(path, plain("never asked for"))
    other = site("other.example", {"/1": _app(""), "/2": _app("")}, browser={"wait_for": "#done", "timeout": 5})
    return [app, other, site("static.example", 2)]


@pytest.mark.skipif(browser.missing() is not None, reason="no browser here")
def test_a_real_browser_is_held_in(tmp_path: Path) -> None:
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.2", 0))
    udp.setblocking(False)
    with RawServer(address="127.0.0.2") as canary, Server(_browser_sites(canary.port, udp.getsockname()[1])) as farm:
        targets = farm.connect_to | {"inward.example": f"127.0.0.2:{canary.port}"}
        settings = {"NEWSMON_BROWSER_PAGES_PER_CONTEXT": 2, "PLAYWRIGHT_MAX_CONTEXTS": 1, "NEWSMON_ONCE_PATIENCE": 0}
        ended = crawl(farm, tmp_path / "state", NEWSMON_CONNECT_TO=json.dumps(targets), **settings)
        asked = {hit.target for hit in farm.hits("app.example")}
        agents = {hit.headers["user-agent"] for hit in farm.log}
    ended.check()
    assert canary.asked == []
    with pytest.raises(BlockingIOError):
        udp.recv(1)
    udp.close()
    pages = "1 2 3 loop to-private download file.zip large inward robots.txt feed away hop-private".split()
    assert asked == {f"/{page}" for page in pages}
    assert len(agents) == 1
    with opened(tmp_path / "state") as store:
        reasons = {page.url.rpartition("/")[2]: page.reason or "" for page in store.pages("app.example")}
    articles = {article.url: article for article in stored(tmp_path / "state")}
    expected = ("app.example/1", "app.example/2", "app.example/3", "other.example/1", "other.example/2")
    rendered = {url for url, article in articles.items() if article.rendered}
    # On a busy machine a page may not be ready in time; it is then tried again later.
    assert rendered <= {f"http://{page}" for page in expected}
    assert len(rendered) >= 3, reasons
    assert {url for url, article in articles.items() if not article.rendered} == {
        "http://static.example/1", "http://static.example/2"}  # fmt: skip
    assert any("By script: 2." in articles[url].text for url in rendered)
    assert "longer than" in reasons["loop"] or "Timeout" in reasons["loop"]
    assert reasons["to-private"] == "rule"
    assert reasons["inward"].endswith("127.0.0.2 is not a public address; NEWSMON_ALLOW_ADDRESSES permits it")
    assert "Failed to download" in reasons["download"]
    assert "DOWNLOAD_MAXSIZE" in reasons["large"]


def test_without_a_browser_its_site_waits_and_the_rest_runs(tmp_path: Path) -> None:
    app = site("app.example", {"/1": _app("")}, browser={"wait_for": "#done"})
    with Server([app, site("static.example", 2)]) as farm:
        crawl(farm, tmp_path / "state", NEWSMON_BROWSER="/nonexistent/browser").check()
        assert not farm.hits("app.example", "/1")
    assert len(stored(tmp_path / "state")) == 2
    with opened(tmp_path / "state") as store:
        [page] = store.pages("app.example")
    assert (page.state, page.attempts) == (FrontierState.PENDING, 0)
    assert (page.reason or "").startswith("needs a browser: ")
    assert "needs a browser" in command("status", state=tmp_path / "state").log


def test_scrapy_playwright_is_imported_only_when_a_rule_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned = tmp_path / "lib" / "scrapy_playwright"
    poisoned.mkdir(parents=True)
    (poisoned / "__init__.py").write_text("raise ImportError('imported though no rule asks')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "lib"))
    with Server([site("static.example", 1)]) as farm:
        crawl(farm, tmp_path / "state").check()
    assert len(stored(tmp_path / "state")) == 1
