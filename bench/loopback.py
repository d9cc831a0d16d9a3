"""Every host name is the farm: stock Scrapy asks for the same addresses as newsmon, whose own setting is not there."""

from __future__ import annotations

from typing import Any, Self

from twisted.internet.address import IPv4Address
from twisted.internet.interfaces import IHostnameResolver
from zope.interface import implementer


@implementer(IHostnameResolver)
class LoopbackResolver:
    """``DNS_RESOLVER`` of Scrapy; ``BENCH_PORT`` is the farm's port. Asked once per connection, so it costs nothing."""

    def __init__(self, reactor: Any, port: int) -> None:
        self._reactor, self._address = reactor, IPv4Address("TCP", "127.0.0.1", port)

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> Self:
        return cls(reactor, crawler.settings.getint("BENCH_PORT"))

    def install_on_reactor(self) -> None:
        self._reactor.installNameResolver(self)

    def resolveHostName(self, resolutionReceiver: Any, hostName: str, *_: Any, **__: Any) -> Any:  # noqa: N802, N803
        resolutionReceiver.resolutionBegan(self)
        resolutionReceiver.addressResolved(self._address)
        resolutionReceiver.resolutionComplete()
        return self
