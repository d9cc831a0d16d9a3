"""Wrong settings are refused before anything is fetched, each with what to write instead."""

from __future__ import annotations

from ipaddress import ip_address
from math import inf
from typing import TYPE_CHECKING

from scrapy.utils.misc import load_object

from newsmon.addresses import AddressPolicy
from newsmon.errors import SettingError
from newsmon.feeds.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

# Smallest and largest value; a setting that is not set at all (None) is left to Scrapy's own default.
NUMBERS = {
    "CONCURRENT_REQUESTS": (1, inf),
    "CONCURRENT_REQUESTS_PER_DOMAIN": (1, inf),
    "DOWNLOAD_DELAY": (0, inf),
    "NEWSMON_BROWSER_PAGES_PER_CONTEXT": (1, inf),
    "NEWSMON_DELAY_JITTER": (0, 1),
    "NEWSMON_EXTRACTION_MEMORY": (64 * 2**20, inf),
    "NEWSMON_EXTRACTION_SECONDS": (0.1, 3600),
    "NEWSMON_FULL_GET_EVERY": (1, inf),
    "NEWSMON_LEASE_SECONDS": (1, inf),
    "NEWSMON_MAX_ATTEMPTS": (1, inf),
    "NEWSMON_MAX_CRAWL_DELAY": (0, inf),
    "NEWSMON_MAX_ENTRIES": (1, inf),
    "NEWSMON_ONCE_PATIENCE": (0, inf),
    "NEWSMON_POLL_BUDGET": (0.001, inf),
    "NEWSMON_POLL_MAX": (0.001, inf),
    "NEWSMON_POLL_MIN": (0.001, inf),
    "NEWSMON_SEEN_CAPACITY": (1, inf),
    "NEWSMON_SEEN_ERROR_RATE": (1e-12, 0.5),
    "NEWSMON_STOP_PATIENCE": (0, inf),
}
INTEGERS = {
    "CONCURRENT_REQUESTS",
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "NEWSMON_BROWSER_PAGES_PER_CONTEXT",
    "NEWSMON_EXTRACTION_MEMORY",
    "NEWSMON_FULL_GET_EVERY",
    "NEWSMON_MAX_ATTEMPTS",
    "NEWSMON_MAX_ENTRIES",
    "NEWSMON_SEEN_CAPACITY",
}


def check_settings(settings: BaseSettings) -> None:
    """Check the values of newsmon's settings that have been given.

    :raises SettingError: when one is wrong; all that are wrong are named.
    """
    problems = list(_problems(settings))
    if problems:
        raise SettingError("; ".join(problems))


def _problems(settings: BaseSettings) -> Iterator[str]:
    wrong = [problem for name in NUMBERS if (problem := _number_problem(settings, name))]
    yield from wrong
    if not wrong:
        yield from _period_problem(settings)
    policy = settings["NEWSMON_POLLING"]
    if policy is not None and policy not in POLICIES:
        yield f"NEWSMON_POLLING is one of {', '.join(POLICIES)}, not {policy!r}"
    yield from _address_problem(settings)
    yield from _connect_problem(settings)
    yield from _extractor_problem(settings["NEWSMON_EXTRACTOR"])
    yield from _pipeline_problem(settings)


def _pipeline_problem(settings: BaseSettings) -> Iterator[str]:
    pipelines = settings.getdict("ITEM_PIPELINES")
    if pipelines and not any(
        number is not None for path, number in pipelines.items() if "StoragePipeline" in str(path)
    ):
        yield (
            "ITEM_PIPELINES has no newsmon.pipelines.StoragePipeline, so nothing would be stored; name newsmon's three "
            "pipelines beside your own, as newsmon/settings.py does"
        )


def _number_problem(settings: BaseSettings, name: str) -> str | None:
    value = settings[name]
    if value is None:
        return None
    kind, (least, most) = int if name in INTEGERS else float, NUMBERS[name]
    try:
        good = least <= kind(value) <= most
    except (TypeError, ValueError):
        good = False
    wanted = "a whole number" if name in INTEGERS else "a number"
    limit = f" up to {most:g}" if most < inf else ""
    return None if good else f"{name} is {wanted} from {least:g}{limit}, not {value!r}"


def _period_problem(settings: BaseSettings) -> Iterator[str]:
    least, most = settings.getfloat("NEWSMON_POLL_MIN"), settings.getfloat("NEWSMON_POLL_MAX", inf)
    if least > most:
        yield f"NEWSMON_POLL_MIN ({least:g} s) is greater than NEWSMON_POLL_MAX ({most:g} s)"


def _address_problem(settings: BaseSettings) -> Iterator[str]:
    for network in settings.getlist("NEWSMON_ALLOW_ADDRESSES"):
        try:
            AddressPolicy(allow=[network])
        except ValueError:
            yield f"NEWSMON_ALLOW_ADDRESSES lists addresses or networks such as 10.1.0.0/16, not {network!r}"


def _connect_problem(settings: BaseSettings) -> Iterator[str]:
    advice = 'NEWSMON_CONNECT_TO maps host names to address and port, such as {"a.example": "127.0.0.1:8080"}'
    try:
        targets = dict(settings.getdict("NEWSMON_CONNECT_TO"))
    except (TypeError, ValueError):
        yield f"{advice}; it is not JSON: {settings['NEWSMON_CONNECT_TO']!r}"
        return
    for host, target in targets.items():
        if not _is_endpoint(str(target)):
            yield f"{advice}; {target!r} of {host} is none"


def _is_endpoint(target: str) -> bool:
    """Say whether a text is an IP address and a port, as the resolver reads them.

    >>> [_is_endpoint(text) for text in ("127.0.0.1:80", "[::1]:80", "localhost:80", "127.0.0.1", "127.0.0.1:0x50")]
    [True, True, False, False, False]
    """
    address, _, port = target.rpartition(":")
    try:
        ip_address(address.strip("[]"))
    except ValueError:
        return False
    return port.isascii() and port.isdecimal() and 0 < int(port) < 65536


def _extractor_problem(path: object) -> Iterator[str]:
    if path is None:
        return
    try:
        found = load_object(path)  # type: ignore[arg-type]
    except (ImportError, NameError, TypeError, ValueError) as error:
        yield f"NEWSMON_EXTRACTOR is the path of a function such as newsmon.extraction.extract, not {path!r} ({error})"
        return
    if not callable(found):
        yield f"NEWSMON_EXTRACTOR is the path of a function, and {path!r} is none"
