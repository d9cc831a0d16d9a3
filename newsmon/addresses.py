"""The network guard: which URLs may be requested and which addresses may be connected to.

A crawler follows links that strangers wrote, so every hop is a chance to reach the machine it runs on, the network
around it or the metadata service of a cloud. The guard has two halves, and both are needed: ``check_url`` refuses what
can be seen in the text, ``permits`` decides about the address that is really connected to, whatever the name said a
moment ago (DNS rebinding).

The networks are spelled out (IANA special-purpose address registries, RFC 6890) and not taken from
:mod:`ipaddress`, whose ``is_private`` and ``is_global`` changed their answers between Python versions.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from newsmon.errors import AddressRefused, UrlError
from newsmon.urls import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_REFUSED_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared address space of carriers (and 100.100.100.200, a cloud's metadata)
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # public by number, but a cloud's virtual host
        "169.254.0.0/16",  # link-local (and 169.254.169.254, the clouds' metadata)
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_IPV6 = IPv6Network("2000::/3")  # everything else is local, multicast, mapped or reserved
_REFUSED_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")

# Ports no browser connects to (https://fetch.spec.whatwg.org/#port-blocking): an HTTP request to them speaks to a mail
# server or the like in words a stranger chose. A list of permitted ports would be shorter, but news sites live on 81,
# 8080, 8888 and others, and losing them silently protects nothing: the address is what is checked.
# fmt: off
REFUSED_PORTS = frozenset({
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})
# fmt: on

_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f-\x9f\\]")  # read differently by different parsers


class AddressPolicy:
    """Which addresses the crawl may touch: the public internet, and what ``allow`` names.

    :param allow: addresses or networks (CIDR) that may be connected to although they are not public.
    :raises ValueError: when an entry of ``allow`` is neither.

    >>> policy = AddressPolicy(allow=["10.1.0.0/16"])
    >>> policy.permits("93.184.216.34"), policy.permits("127.0.0.1"), policy.permits("10.1.2.3")
    (True, False, True)
    >>> policy.check_url("http://0x7f.1/")
    Traceback (most recent call last):
    newsmon.errors.AddressRefused: http://0x7f.1/: 127.0.0.1 is not a public address; NEWSMON_ALLOW_ADDRESSES permits it
    """

    def __init__(self, allow: Iterable[str] = ()) -> None:
        self._allow = tuple(ip_network(network.strip(), strict=False) for network in allow)

    def check_url(self, url: str) -> None:
        """Refuse a URL that must not be requested.

        Refused are schemes other than http and https, user names, ports of other protocols, texts that two parsers may
        read differently (control characters, blanks, backslashes, escapes in the host), and addresses outside the
        policy in any spelling (decimal, octal, hexadecimal, short, full-width digits, IPv4 inside IPv6). Host names
        pass: their addresses meet :meth:`permits` when they are connected to.

        :raises AddressRefused: with the reason, the URL and the address.
        """
        if _AMBIGUOUS.search(url):
            raise AddressRefused("holds a control character, blank or backslash", url=ascii(url[:200]))
        try:
            origin = origin_of(url)
        except UrlError as error:
            raise AddressRefused(error.message, url=url[:200]) from error
        if origin.port in REFUSED_PORTS:
            raise AddressRefused(f"port {origin.port} belongs to another protocol", url=url)
        host = origin.host.strip("[]")
        if _is_literal(host) and not self.permits(host):
            message = f"{host} is not a public address; NEWSMON_ALLOW_ADDRESSES permits it"
            raise AddressRefused(message, url=url, address=host)

    def permits(self, ip: str) -> bool:
        """Say whether an address may be connected to; what is no address may not."""
        try:
            address = _unmapped(ip_address(ip))
        except ValueError:
            return False
        if any(address in network for network in self._allow):
            return True
        if isinstance(address, IPv4Address):
            return not any(address in network for network in _REFUSED_IPV4)
        return self._permits_ipv6(address)

    def _permits_ipv6(self, address: IPv6Address) -> bool:
        if address in _NAT64:
            return self.permits(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.sixtofour is not None and not self.permits(str(address.sixtofour)):
            return False
        return address in _GLOBAL_IPV6 and not any(address in network for network in _REFUSED_IPV6)


def _unmapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The address the operating system connects to: IPv4 behind ``::ffff:a.b.c.d``."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
