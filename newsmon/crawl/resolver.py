"""The name resolver of a crawl: the one place where a connection gets its address, and so where it is checked.

Twisted connects to exactly the addresses this resolver hands out, for names and for literal addresses, so what is
checked here is what is connected to: a name that is rebound between two look-ups gains nothing.
"""

from __future__ import annotations

import logging
from time import monotonic
from typing import TYPE_CHECKING, Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from newsmon.addresses import AddressPolicy

logger = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """There is nothing to cancel: answers come at once."""


@implementer(IResolutionReceiver)
class _Filter:
    """Passes on the addresses that the policy permits and remembers them."""

    def __init__(self, resolver: GuardedResolver, receiver: Any, name: str, port: int) -> None:
        self._resolver, self._receiver, self._name, self._port = resolver, receiver, name, port
        self._addresses: list[IAddress] = []

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802 - Twisted's interface
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802
        self._addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self._resolver.deliver(self._receiver, self._name, self._port, self._addresses)


@implementer(IHostnameResolver)
class GuardedResolver:
    """Resolves names, refuses addresses outside the policy, and keeps answers for ``ttl`` seconds.

    :param fallback: the reactor's own resolver.
    :param policy: which addresses may be connected to.
    :param connect_to: host name -> ``address:port`` to connect to instead, like curl's ``--connect-to``; the
        address must still be permitted. A key ``*`` stands for every host without an entry of its own.
    """

    def __init__(
        self,
        fallback: Any,
        policy: AddressPolicy,
        *,
        connect_to: Mapping[str, str] | None = None,
        ttl: float = 300.0,
        size: int = 10_000,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.fallback, self._policy = fallback, policy
        self._connect_to = dict(connect_to or {})
        self._ttl, self._size, self._clock = ttl, size, clock
        self._cache: dict[str, tuple[float, list[IAddress]]] = {}
        self.refused: dict[str, str] = {}

    def resolveHostName(  # noqa: N802 - Twisted's interface
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:
        """Hand the permitted addresses of ``hostName`` to the receiver (:class:`IHostnameResolver`)."""
        target = self._connect_to.get(hostName) or self._connect_to.get("*")
        known = [_endpoint(target)] if target else self._cached(hostName)
        if known is None:
            receiver = _Filter(self, resolutionReceiver, hostName, portNumber)
            return self.fallback.resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        self._pass_on(resolutionReceiver, hostName, 0 if target else portNumber, known)
        return resolution

    def deliver(self, receiver: Any, name: str, port: int, addresses: list[IAddress]) -> None:
        """Remember the look-up of ``name`` and pass on what the policy permits."""
        if addresses:
            while len(self._cache) >= self._size:
                self._cache.pop(next(iter(self._cache)))
            self._cache[name] = (self._clock() + self._ttl, addresses)
        self._pass_on(receiver, name, port, addresses)

    def _pass_on(self, receiver: Any, name: str, port: int, addresses: list[IAddress]) -> None:
        permitted = [address for address in addresses if self._policy.permits(address.host)]
        for address in permitted:
            receiver.addressResolved(_with_port(address, port))
        if permitted:
            self.refused.pop(name, None)
        elif addresses:
            self._refuse(name, addresses[0].host)
        receiver.resolutionComplete()

    def _refuse(self, name: str, address: str) -> None:
        if self.refused.get(name) != address:
            logger.warning("The network guard refuses %s: it resolves to the private address %s.", name, address)
        self.refused[name] = address

    def _cached(self, name: str) -> list[IAddress] | None:
        expiry, addresses = self._cache.get(name, (0.0, None))
        return addresses if expiry > self._clock() else None


def _endpoint(target: str) -> IAddress:
    host, _, port = target.rpartition(":")
    host = host.strip("[]")
    return (IPv6Address if ":" in host else IPv4Address)("TCP", host, int(port))  # type: ignore[return-value]


def _with_port(address: Any, port: int) -> IAddress:
    if not port or address.port == port:
        return address  # type: ignore[no-any-return]
    return type(address)("TCP", address.host, port)  # type: ignore[no-any-return]
