"""Real crawls for tests: ``scrapy crawl`` in a process of its own, on a farm, with a state folder of the test's.

::

    with Farm(sites=["zarya.example"], articles=3) as farm:
        crawl(farm, state).check()                  # waits for the end
        running = start(farm, state, once=False)    # does not
        running.wait_for("due"), running.stop()
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from newsmon.farm.server import Server
from newsmon.model import Article
from newsmon.storage import Store

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 120.0  # seconds after which a crawl that should have ended is killed

# Python's option -W ignores a category that is not its own: it is read before other packages can be imported.
STRICT = """
import sys, warnings
from scrapy.cmdline import execute
from scrapy.exceptions import ScrapyDeprecationWarning
warnings.simplefilter("error", ScrapyDeprecationWarning)
execute(["scrapy", *sys.argv[1:]])
"""

# Time is pressed together: what takes minutes and days on the web takes seconds here.
QUICK = {
    "NEWSMON_POLL_MIN": 0.5,
    "NEWSMON_POLL_MAX": 1,
    "NEWSMON_ONCE_PATIENCE": 3,
    "NEWSMON_DELAY_JITTER": 0,
    "DOWNLOAD_TIMEOUT": 5,
}


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it wrote."""

    code: int
    log: str

    def check(self, code: int = 0) -> Ended:
        """Fail with the log unless the exit code is this one; tracebacks and deprecated Scrapy calls fail always."""
        assert self.code == code, f"exit code {self.code}, log:\n{self.log}"
        for unwanted in ("Traceback", "ScrapyDeprecationWarning"):
            assert unwanted not in self.log, self.log
        return self

    @property
    def errors(self) -> list[str]:
        """The lines of level ERROR and CRITICAL, without time and level."""
        return re.findall(r"^[\d-]+ [\d:]+ \[[\w.-]+\] (?:ERROR|CRITICAL): (.*)$", self.log, re.MULTILINE)


class Running:
    """A command that runs."""

    def __init__(self, command: list[str], log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._log = log
        with log.open("w") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
            )

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def wait_for(self, what: str | Callable[[], bool], seconds: float = 30.0) -> None:
        """Wait until a text is in the log, or until a function says True."""
        happened = what if callable(what) else lambda: what in self.log
        until = time.monotonic() + seconds
        while not happened():
            assert self.process.poll() is None, f"ended with {self.process.returncode} before {what}:\n{self.log}"
            assert time.monotonic() < until, f"no {what} within {seconds} s:\n{self.log}"
            time.sleep(0.02)

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def stop(self, seconds: float = LIMIT) -> Ended:
        """SIGTERM, and wait for the end."""
        self.process.send_signal(signal.SIGTERM)
        return self.end(seconds)

    def end(self, seconds: float = LIMIT) -> Ended:
        """Wait for the end; a command that does not end is killed and fails the test."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            pytest.fail(f"did not end within {seconds} s:\n{self.log}")
        return Ended(code, self.log)


def start(
    farm: Server,
    state: Path,
    *,
    spider: str = "news",
    once: bool | str = True,
    name: str = "crawl",
    output: Path | None = None,
    **options: Any,
) -> Running:
    """Start ``scrapy crawl``; capital ``options`` are settings, the others arguments of the spider.

    :param name: of the log.
    :param output: file for ``-O``.
    """
    settings = {**farm_settings(farm), "NEWSMON_STATE_DIR": state}
    rules = state.with_name(f"{state.name}-rules")
    if farm.write_rules(rules):
        settings["NEWSMON_RULES_DIR"] = rules
    settings |= {key: value for key, value in options.items() if key.isupper()}
    arguments = {
        "once": int(once) if isinstance(once, bool) else once,
        **{key: value for key, value in options.items() if not key.isupper()},
    }
    command = scrapy("crawl", spider, *(("-O", str(output)) if output else ()))
    for flag, values in (("-a", arguments), ("-s", settings)):
        for key, value in values.items():
            command += [flag, f"{key}={value}"]
    state.parent.mkdir(parents=True, exist_ok=True)
    return Running(command, state.with_name(f"{state.name}-{name}.log"))


def farm_settings(farm: Server) -> dict[str, Any]:
    """The settings with which a crawl reaches a farm, and does not wait as it would on the web."""
    return {
        **QUICK,
        "NEWSMON_ALLOW_ADDRESSES": "127.0.0.1",
        "NEWSMON_CONNECT_TO": json.dumps(farm.connect_to),
        "NEWSMON_ONLY_SITES": ",".join(farm.sites),
    }


def crawl(farm: Server, state: Path, **options: Any) -> Ended:
    """Run ``scrapy crawl`` to its end; options as in :func:`start`."""
    return start(farm, state, **options).end()


def scrapy(*arguments: str) -> list[str]:
    """The command line of this interpreter's Scrapy, deprecated calls being errors."""
    return [sys.executable, "-c", STRICT, *arguments]


def command(*arguments: str, state: Path | None = None, **environment: str) -> Ended:
    """Run any other command to its end, its output as the log."""
    own = {"NEWSMON_STATE_DIR": str(state)} if state else {}
    ran = subprocess.run(
        scrapy(*arguments),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
        env={**os.environ, **own, **environment},
    )
    return Ended(ran.returncode, ran.stdout + ran.stderr)


@contextmanager
def opened(state: Path, url: str = "sqlite:///") -> Iterator[Store]:
    """The store of a crawl, to look into; the crawl may be running."""
    with Store.open(url, owner="test", state_dir=state, exclusive=False) as store:
        yield store


def stored(state: Path, url: str = "sqlite:///") -> list[Article]:
    """All articles of a store."""
    with opened(state, url) as store:
        return list(store.articles())


def twice(articles: list[Article]) -> list[str]:
    """Addresses that are stored more than once."""
    return [url for url, number in Counter(article.url for article in articles).items() if number > 1]


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of its own in a folder; skips where mounting is not permitted."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
