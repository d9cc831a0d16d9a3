"""Processes for the benches: a news farm, Scrapy on it, and what each took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
_KEPT = {name: value for name, value in os.environ.items() if not name.startswith(("NEWSMON_", "SCRAPY_"))}
PLAIN = _KEPT | {"PYTHONPATH": str(ROOT)}
"""Environment in which Scrapy has its own defaults."""

NEWSMON = PLAIN | {"SCRAPY_SETTINGS_MODULE": "newsmon.settings"}
"""Environment in which Scrapy has newsmon's settings."""


class RunFailedError(Exception):
    """A process ended with an error; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class FarmAddress:
    """A farm in a process of its own: its port, the feeds it serves and the folder of rule files for them."""

    port: int
    feeds: tuple[str, ...]
    rules: Path


@dataclass(frozen=True, slots=True)
class Run:
    """What a finished process took.

    :param cpu: seconds, user and system.
    :param wall: seconds.
    :param peak: megabytes of memory at most.
    :param output: what it wrote to stdout.
    """

    cpu: float
    wall: float
    peak: float
    output: str


@contextmanager
def farm_process(folder: Path, *options: str) -> Iterator[FarmAddress]:
    """Run ``python -m newsmon.farm`` beside the measured processes, so that its time is not theirs."""
    rules = folder / "rules"
    command = [sys.executable, "-m", "newsmon.farm", "--write-rules", str(rules), *options]
    with subprocess.Popen(command, env=PLAIN, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            announced = json.loads(process.stdout.readline() or "{}")
            if not announced:
                raise RunFailedError(f"the farm did not start: {' '.join(command)}")
            yield FarmAddress(announced["port"], tuple(announced["feeds"]), rules)
        finally:
            process.terminate()
            process.stdout.close()


def newsmon_settings(port: int, state: Path, rules: Path) -> dict[str, str]:
    """Settings with which newsmon crawls a farm on this port as fast as it can."""
    return {
        "NEWSMON_STATE_DIR": str(state),
        "NEWSMON_STORE_URL": "",
        "NEWSMON_RULES_DIR": str(rules),
        "NEWSMON_ALLOW_ADDRESSES": "127.0.0.1",
        "NEWSMON_CONNECT_TO": json.dumps({"*": f"127.0.0.1:{port}"}),
        "DOWNLOAD_DELAY": "0",
        "CONCURRENT_REQUESTS_PER_DOMAIN": "8",
    }


def scrapy_command(*arguments: str, settings: Mapping[str, str]) -> list[str]:
    """``scrapy ARGUMENTS -s NAME=VALUE ...`` by this interpreter."""
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", *arguments, *options]


def measure(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Run:
    """Run a command in ``folder`` to its end.

    :raises RunFailedError: when it fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    output, log = folder / "stdout", folder / "stderr"
    with output.open("wb") as out, log.open("wb") as err:
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        end = log.read_text("utf-8", "replace")[-2000:]
        raise RunFailedError(f"exit code {process.returncode}: {' '.join(command)}\n{end}")
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, output.read_text("utf-8"))
