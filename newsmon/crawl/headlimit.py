"""HTTP connections that end when a response's head does not: a server could fill the memory with header lines.

Scrapy limits the body of a response, Twisted the length of one header line, and neither the number of lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import _LenientHTTP11ClientFactory, _LenientHTTP11ClientProtocol
from twisted.web._newclient import BODY, DONE

if TYPE_CHECKING:
    from twisted.internet.interfaces import IAddress

MAX_HEAD = 256 * 1024  # bytes of status line and headers, interim (1xx) responses included


class _HeadLimitedProtocol(_LenientHTTP11ClientProtocol):
    _head = 0

    def request(self, request: Any) -> Any:
        self._head = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's interface
        parser = self._parser
        if parser is not None and parser.state not in (BODY, DONE):
            self._head += len(data)
            if self._head > MAX_HEAD:
                assert self.transport is not None
                self.transport.abortConnection()
                return
        super().dataReceived(data)  # type: ignore[no-untyped-call]


class HeadLimitedFactory(_LenientHTTP11ClientFactory):
    """Makes connections that are cut when the head of a response grows over :data:`MAX_HEAD`."""

    def buildProtocol(self, addr: IAddress | None) -> _HeadLimitedProtocol:  # noqa: N802 - Twisted's interface
        """Return a new connection's protocol."""
        return _HeadLimitedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
