"""A server that sends bytes as they are: what no web framework would send."""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Self

RawAnswer = Callable[[socket.socket], None]


class RawServer:
    """Answers on loopback, hosts told apart by ``Host``; without an answer for a host it only notes who came.

    :param answers: host -> path -> what to do with the connection once the request head has been read.
    """

    def __init__(
        self, answers: Mapping[str, Mapping[str, RawAnswer]] | None = None, address: str = "127.0.0.1"
    ) -> None:
        self._answers = answers or {}
        self.asked: list[tuple[str, str]] = []
        owner = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    owner._serve(self.request)

        class Threads(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            address_family = socket.AF_INET6 if ":" in address else socket.AF_INET

        self._server = Threads((address, 0), Handler)
        self.port = int(self._server.server_address[1])

    @property
    def connect_to(self) -> dict[str, str]:
        """Host name -> address and port: the value for the setting ``NEWSMON_CONNECT_TO``."""
        return dict.fromkeys(self._answers, f"127.0.0.1:{self.port}")

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        head = b""
        while b"\r\n\r\n" not in head:
            received = connection.recv(65536)
            head += received
            if not received:
                break
        lines = head.decode("latin-1").split("\r\n")
        host = next((line[5:].strip() for line in lines if line.lower().startswith("host:")), "")
        target = lines[0].split(" ")[1] if lines[0].count(" ") == 2 else lines[0]
        self.asked.append((host, target))
        answer = self._answers.get(host, {}).get(target)
        if answer is not None:
            answer(connection)


def send(*parts: bytes, pause: float = 0.0) -> RawAnswer:
    """Send these bytes and hang up."""

    def answer(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)

    return answer


def endless(head: bytes, again: bytes, *, pause: float = 0.0, seconds: float = 30.0) -> RawAnswer:
    """Send the head, then the same bytes until the other side hangs up."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(head)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            connection.sendall(again)
            time.sleep(pause)

    return answer


def ok(body: bytes, content_type: str = "text/html", **headers: str) -> RawAnswer:
    """A whole answer."""
    own = {"Content-Type": content_type, "Content-Length": str(len(body)), "Connection": "close"}
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in (own | named).items())
    return send(f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode(), body)
