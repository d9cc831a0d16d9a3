"""The network guard: no request leaves for this machine, its network or a cloud's metadata, however it is spelled."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.addresses import REFUSED_PORTS, AddressPolicy
from newsmon.errors import AddressRefused

PUBLIC = AddressPolicy()

PRIVATE_ADDRESSES = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",  # IPv4-compatible
    "::8.8.8.8",
    "::ffff:127.0.0.1",  # IPv4-mapped
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:127.0.0.1",  # IPv4-translated
    "64:ff9b::127.0.0.1",  # NAT64
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::8.8.8.8",  # NAT64 for local use
    "100::1",  # discard
    "2001::1",  # Teredo
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",  # benchmarks
    "2001:10::1",  # ORCHID
    "2001:db8::1",  # documentation
    "2002:7f00:1::",  # 6to4 of 127.0.0.1
    "2002:c0a8:1::1",  # 6to4 of 192.168.0.1
    "3fff::1",  # documentation
    "5f00::1",  # segment routing
    "fc00::1",
    "fd00:ec2::254",  # a cloud's metadata
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
]

PUBLIC_ADDRESSES = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",  # 6to4 of 8.8.8.8
    "2a00:1450:4001:80e::200e",
    "2001:4860:4860::8888",
    "2606:4700::1111",
]


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_private_addresses_are_not_permitted(address: str) -> None:
    assert not PUBLIC.permits(address)


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_public_addresses_are_permitted(address: str) -> None:
    assert PUBLIC.permits(address)


@pytest.mark.parametrize("text", ["", "example.com", "127.1", "0x7f000001", "127.0.0.1:80", "[::1]", " 8.8.8.8"])
def test_what_is_no_address_is_not_permitted(text: str) -> None:
    assert not PUBLIC.permits(text)


@pytest.mark.parametrize(
    "address", [address for address in PRIVATE_ADDRESSES if not address.startswith("fe80") and "%" not in address]
)
def test_private_literals_are_refused_in_urls(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused) as error:
        PUBLIC.check_url(f"http://{host}/latest/meta-data/")
    assert error.value.address is not None


@pytest.mark.parametrize(
    "url",
    [
        # spellings of 127.0.0.1 and friends
        "http://127.0.0.1/",
        "http://127.0.0.1:8080/",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0X7F.1/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://0177.0.0.01/",
        "http://127.0.0.1./",
        "http://0/",
        "http://0x/",
        "http://0.0.0.0/",
        "http://3232235521/",
        "http://0xa9fea9fe/",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "http://①②⑦.⓪.⓪.①/",
        "http://[::]/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:7f00:0001]/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        # schemes
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://example.com/",
        "javascript:alert(1)",
        "data:text/html,x",
        "ws://example.com/",
        "view-source:http://example.com/",
        "//example.com/",
        "example.com",
        "",
        # two readings of one text
        "http://user@example.com/",
        "http://user:secret@example.com/",
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1:80@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "http://example.com/a\\b",
        "http://example.com/\n",
        "http://exam\tple.com/",
        "ht\ntp://example.com/",
        " http://example.com/",
        "http://example.com/\x00",
        "http://example.com /",
        "http://127.0.0.1%2f@example.com/",
        "http://127.0.0.1%00.example.com/",
        "http://ex%61mple.com/",
        "http://example.com:80:80/",
        "http://example.com:0x50/",
        "http://[::1/",
        "http://[::1]evil/",
        "http:///example.com/",
        "http://1.2.3.4.5/",
        "http://256.256.256.256/",
        "http://08.8.8.8/",
        "http://4294967296/",
        # ports
        "http://example.com:22/",
        "http://example.com:25/",
        "https://example.com:6667/",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://8.8.8.8:53/",
    ],
)
def test_refused_urls(url: str) -> None:
    with pytest.raises(AddressRefused):
        PUBLIC.check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com",
        "HTTPS://Example.com/a?b=c#d",
        "https://example.com:8443/",
        "http://example.com:81/",
        "https://пример.рф/новость",
        "https://my_site.blogspot.com/",
        "http://8.8.8.8/",
        "http://0x08080808/",
        "https://[2a00:1450:4001:80e::200e]/",
        "http://example.com/?redirect=http://127.0.0.1/",
        "http://127.0.0.1.example.com/",
        "http://localhost.example.com/",
    ],
)
def test_accepted_urls(url: str) -> None:
    PUBLIC.check_url(url)


def test_names_pass_and_are_checked_when_they_are_connected_to() -> None:
    PUBLIC.check_url("http://localhost/")
    assert not PUBLIC.permits("127.0.0.1")


def test_refusals_say_what_to_do_and_name_the_address() -> None:
    with pytest.raises(AddressRefused, match="NEWSMON_ALLOW_ADDRESSES") as error:
        PUBLIC.check_url("http://0x7f.1/secret")
    assert (error.value.address, error.value.url) == ("127.0.0.1", "http://0x7f.1/secret")


def test_refusals_never_carry_control_characters() -> None:
    with pytest.raises(AddressRefused) as error:
        PUBLIC.check_url("http://example.com/\nFake log line")
    assert "\n" not in str(error.value)


# --- the allow list --------------------------------------------------------------------------------------------------


def test_allowed_networks_are_permitted_in_every_spelling() -> None:
    policy = AddressPolicy(allow=["127.0.0.1", "10.1.0.0/16", "fd00:1::/32"])
    for url in ("http://127.0.0.1:45123/", "http://0x7f.1/", "http://[::ffff:127.0.0.1]/", "http://10.1.2.3/"):
        policy.check_url(url)
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.255.255", "fd00:1::5", "64:ff9b::10.1.2.3"):
        assert policy.permits(address)
    for address in ("127.0.0.2", "10.2.0.1", "fd00:2::5", "::1", "169.254.169.254"):
        assert not policy.permits(address)


def test_the_allow_list_opens_no_ports_and_no_schemes() -> None:
    policy = AddressPolicy(allow=["0.0.0.0/0", "::/0"])
    for url in ("http://127.0.0.1:22/", "file:///etc/passwd", "http://user@127.0.0.1/"):
        with pytest.raises(AddressRefused):
            policy.check_url(url)


def test_a_network_may_be_written_with_a_host_in_it() -> None:
    assert AddressPolicy(allow=[" 10.1.2.3/16 "]).permits("10.1.9.9")


@pytest.mark.parametrize("entry", ["localhost", "10.1", "10.0.0.0/33", ""])
def test_unreadable_allow_lists_are_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="does not appear to be an IPv4 or IPv6 network"):
        AddressPolicy(allow=[entry])


def test_web_ports_are_not_refused() -> None:
    assert not REFUSED_PORTS & {80, 81, 443, 3000, 5000, 8000, 8080, 8443, 8888}


# --- properties ------------------------------------------------------------------------------------------------------


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_nothing_that_python_calls_private_is_permitted(address: ipaddress.IPv4Address) -> None:
    """The library's own idea, which differs between versions, is an upper bound for what may pass."""
    private = address.is_private or address.is_loopback or address.is_link_local or address.is_reserved
    nat64 = address in ipaddress.ip_network("64:ff9b::/96") if address.version == 6 else False
    mapped = getattr(address, "ipv4_mapped", None) is not None
    if (private or address.is_multicast or address.is_unspecified) and not nat64 and not mapped:
        assert not PUBLIC.permits(str(address))


@given(st.ip_addresses(v=4))
def test_mapped_and_translated_addresses_are_judged_as_the_address_inside(address: ipaddress.IPv4Address) -> None:
    assert PUBLIC.permits(f"::ffff:{address}") == PUBLIC.permits(str(address))
    assert PUBLIC.permits(f"64:ff9b::{address}") == PUBLIC.permits(str(address))


@given(st.ip_addresses(v=4))
def test_every_spelling_of_an_address_is_judged_alike(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    first, second, third, fourth = address.packed
    spellings = [
        str(number),
        hex(number),
        f"0{number:o}",
        f"{first}.{number & 0xFFFFFF}",
        f"{first}.{second}.{number & 0xFFFF}",
        f"0x{first:x}.0{second:o}.{third}.0x{fourth:X}",
        f"[::ffff:{address}]",
    ]
    for spelling in spellings:
        assert refused(f"http://{spelling}/") == (not PUBLIC.permits(str(address))), spelling


@given(st.text() | st.text(max_size=30).map(lambda text: f"http://{text}/"))
def test_check_url_raises_nothing_but_refusals(url: str) -> None:
    refused(url)


def refused(url: str) -> bool:
    try:
        PUBLIC.check_url(url)
    except AddressRefused:
        return True
    return False
