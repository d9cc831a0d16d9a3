"""A forward proxy on loopback through which the browser makes every connection, so that the network guard holds there.

A check of URLs inside the browser could be outrun by DNS rebinding, web sockets or workers; a browser that can only
speak through this proxy reaches nothing but the addresses the policy permits.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsmon.errors import AddressRefused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from newsmon.addresses import AddressPolicy

logger = logging.getLogger(__name__)

MAX_HEADER = 64 * 1024
CONNECT_TIMEOUT = 15.0
# With a body, because the browser takes an empty one for a broken page and does not say whose.
REFUSAL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\nConnection: close\r\n\r\nrefused"


class GuardProxy:
    """An HTTP proxy (absolute-form requests and CONNECT) that connects only to permitted addresses.

    :param policy: which addresses may be connected to.
    :param connect_to: host name -> ``address:port``, as in :class:`newsmon.crawl.resolver.GuardedResolver`.
    :param admits: an awaitable yes or no for a URL; of an encrypted request only host and port are known, as
        ``https://host:port/``.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        connect_to: Mapping[str, str] | None = None,
        admits: Callable[[str], Awaitable[bool]] | None = None,
    ) -> None:
        self._policy, self._connect_to, self._admits = policy, dict(connect_to or {}), admits
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Listen on a free loopback port; return the proxy's URL."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MAX_HEADER)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Stop listening; running connections end with their peers."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), CONNECT_TIMEOUT)
            await self._forward(head, reader, writer)
        except (AddressRefused, ValueError) as error:
            logger.warning("The network guard refuses a request of the browser: %s", error)
            writer.write(REFUSAL)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError) as error:
            logger.debug("A connection of the browser failed: %s", error)
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        finally:
            writer.close()

    async def _forward(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request_line, _, headers = head.partition(b"\r\n")
        method, target, version = request_line.decode("latin-1").split(" ")
        url = f"https://{target}/" if method == "CONNECT" else target
        self._policy.check_url(url)
        if self._admits is not None and not await self._admits(url):
            writer.write(REFUSAL)
            return
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        upstream_reader, upstream_writer = await self._connect(parts.hostname or "", port)
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = parts.path or "/"
                query = f"?{parts.query}" if parts.query else ""
                upstream_writer.write(f"{method} {path}{query} {version}\r\n".encode("latin-1") + _one_request(headers))
            await asyncio.gather(_pump(reader, upstream_writer), _pump(upstream_reader, writer))
        finally:
            upstream_writer.close()

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        target = self._connect_to.get(host) or self._connect_to.get("*")
        if target:
            address, _, mapped = target.rpartition(":")
            addresses, port = [address.strip("[]")], int(mapped)
        else:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, proto=socket.IPPROTO_TCP)
            addresses = [str(entry[4][0]) for entry in found]
        permitted = [address for address in addresses if self._policy.permits(address)]
        if not permitted:
            raise AddressRefused("resolves to a private address", url=host, address=addresses[0] if addresses else None)
        for address in permitted[:-1]:
            with suppress(OSError):
                return await _open(address, port)
        return await _open(permitted[-1], port)


async def _open(address: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.wait_for(asyncio.open_connection(address, port), CONNECT_TIMEOUT)


def _one_request(headers: bytes) -> bytes:
    """The header block for one request on one connection: the next request must pass the guard again."""
    kept = [
        line
        for line in headers.split(b"\r\n")
        if line and line.partition(b":")[0].strip().lower() not in (b"connection", b"proxy-connection", b"keep-alive")
    ]
    upgrade = any(line.lower().startswith(b"upgrade:") for line in kept)
    return b"\r\n".join([*kept, b"Connection: Upgrade" if upgrade else b"Connection: close", b"", b""])


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    except ConnectionError:
        logger.debug("A peer of the browser hung up.")
    finally:
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()
