"""Host names in one spelling: what a browser would connect to, as lower-case ASCII.

``normal_host`` is the single reader of hosts for :mod:`newsmon.urls` and :mod:`newsmon.addresses`, so that what is
requested and what is checked can never be two readings of one text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address

import idna

from newsmon.errors import UrlError

_PLAIN = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*").fullmatch
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+").fullmatch


@lru_cache(maxsize=8192)
def normal_host(host: str) -> str:
    """Return ``host`` in lower-case ASCII: IDNA (UTS 46), dotted IPv4, compressed IPv6 in brackets, no final dot.

    IPv4 addresses are understood in every spelling of the URL standard (https://url.spec.whatwg.org/#host-parsing):
    decimal, octal, hexadecimal, with one to four parts.

    :raises UrlError: when it is no host name and no address.

    >>> normal_host("ПРИМЕР.испытание")
    'xn--e1afmkfd.xn--80akhbyknj4f'
    >>> normal_host("0x7f.1"), normal_host("2130706433"), normal_host("[0:0::1]")
    ('127.0.0.1', '127.0.0.1', '[::1]')
    """
    if host.startswith("["):
        return f"[{_ipv6(host)}]"
    name = _ascii(host).removesuffix(".")
    if not _PLAIN(name) or len(name) > 253:
        raise UrlError(f"{host!r} is not a host name")
    return _ipv4(name) if _NUMBER(name.rpartition(".")[2]) else name


@lru_cache(maxsize=8192)
def unicode_host(host: str) -> str:
    """Return a normal host with its IDNA labels as Unicode; what cannot be read stays as it is.

    >>> unicode_host("xn--e1afmkfd.xn--80akhbyknj4f")
    'пример.испытание'
    """
    if "xn--" not in host:
        return host
    return ".".join(_unicode_label(label) for label in host.split("."))


def _unicode_label(label: str) -> str:
    try:
        return idna.decode(label) if label.startswith("xn--") else label
    except UnicodeError:  # idna.IDNAError is one
        return label


def _ascii(host: str) -> str:
    lower = host.lower()
    if lower.isascii():
        return lower
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except UnicodeError as error:
        raise UrlError(f"{host!r} is not a host name: {error}") from error


def _ipv6(host: str) -> str:
    try:
        # A zone (fe80::1%eth0) names an interface of this machine, never a host of the web.
        if not host.endswith("]") or "%" in host:
            raise AddressValueError("brackets or zone")
        return IPv6Address(host[1:-1]).compressed
    except AddressValueError as error:
        raise UrlError(f"{host!r} is not an IPv6 address") from error


def _ipv4(host: str) -> str:
    *head, last = (_ipv4_part(part) for part in host.split("."))
    if len(head) > 3 or any(part > 255 for part in head) or last >= 256 ** (4 - len(head)):
        raise UrlError(f"{host!r} is not an IPv4 address")
    number = last + sum(part << (24 - 8 * position) for position, part in enumerate(head))
    return str(IPv4Address(number))


def _ipv4_part(text: str) -> int:
    if not _NUMBER(text):
        raise UrlError(f"{text!r} is not a part of an IPv4 address")
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    try:
        return int(text, 8 if text.startswith("0") else 10)
    except ValueError as error:
        raise UrlError(f"{text!r} is not an octal number") from error
