"""Extractors with faults, for the tests of the process that reads risky pages: their paths are given to it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from newsmon.extraction import extract
from newsmon.model import Extract
from newsmon.page import Page

KEPT: list[bytes] = []


def named_by_the_page(page: Page, **known: Any) -> Extract:
    """Do what the path of the page's address says, then read it."""
    fault = FAULTS.get(page.url.rpartition("/")[2])
    if fault is not None:
        fault()
    return extract(page, **known)


def sleep() -> None:
    time.sleep(3600)


def spin() -> None:
    while True:
        pass


def eat() -> None:
    hoard = [b""]
    while True:
        hoard.append(bytes(2**24))


def keep() -> None:
    KEPT.append(bytes(2**28))


def crash() -> None:
    os.abort()


def leave() -> None:
    os._exit(3)


def recurse() -> None:
    recurse()


def fail() -> None:
    raise ZeroDivisionError("a fault of\nthe extractor")


def chatter() -> None:
    os.write(1, b"what a library prints\n")


def wait() -> None:
    """Until a file exists that the test has named."""
    while not Path(os.environ["NEWSMON_TEST_SIGNAL"]).exists():
        time.sleep(0.02)


def tell() -> None:
    raise KeyError(os.environ.get("NEWSMON_STORE_URL", "not told"))


FAULTS: dict[str, Callable[[], None]] = {
    function.__name__: function
    for function in (sleep, spin, eat, keep, crash, leave, recurse, fail, chatter, wait, tell)
}
