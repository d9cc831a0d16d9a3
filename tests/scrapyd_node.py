"""A real Scrapyd for the tests: in a folder of its own, on a free port of 127.0.0.1, stopped with all its jobs."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.packaging import clean_environment

Login = tuple[str, str]


class ScrapydNode:
    """Scrapyd as an operator runs it; a context manager.

    :param folder: its working folder; eggs, queues and logs are kept in there.
    :param environment: added to a clean one; jobs inherit it.
    :param login: user name and password that it asks for.
    """

    def __init__(
        self, folder: Path, environment: Mapping[str, str], *, login: Login = ("operator", "its-password")
    ) -> None:
        self.folder, self.login, self.port = folder, login, _free_port()
        self.environment = {**environment, "SCRAPYD_USERNAME": login[0], "SCRAPYD_PASSWORD": login[1]}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it and wait until it answers."""
        options = {"bind_address": "127.0.0.1", "http_port": self.port, "poll_interval": 0.1, "max_proc": 2}
        lines = [f"{name} = {value}" for name, value in options.items()]
        (self.folder / "scrapyd.conf").write_text("\n".join(["[scrapyd]", *lines]))
        command = [sys.executable, "-m", "scrapyd"]
        with self._output.open("w") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=clean_environment(self.folder) | self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a process group of its own, so that its jobs can be stopped with it
            )
        try:
            self._await_start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """SIGTERM to Scrapyd and its jobs, as systemd does; what is left after that is killed."""
        assert self._process is not None
        group = self._process.pid
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)
        try:
            self._process.wait(20)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
            self._process.wait()

    # -- its API

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def fetch(self, path: str, *, login: Login | None = None, data: Mapping[str, Any] | None = None) -> str:
        """One request.

        :raises urllib.error.HTTPError: for an answer that is an error.
        """
        token = base64.b64encode(":".join(login or self.login).encode()).decode()
        body = urlencode(data, doseq=True).encode() if data is not None else None
        request = Request(self.url + path, body, {"Authorization": f"Basic {token}"})
        with urlopen(request, timeout=30) as response:
            return str(response.read().decode())

    def ask(self, service: str, data: Mapping[str, Any] | None = None, **query: str) -> dict[str, Any]:
        """What a service answers, which must not be an error."""
        answer = json.loads(self.fetch(f"{service}.json?{urlencode(query)}", data=data))
        assert answer["status"] == "ok", answer["message"]
        return dict(answer)

    def schedule(self, settings: Mapping[str, Any], **arguments: Any) -> str:
        """Start the spider ``news``; gives the id of the job."""
        pairs = [f"{name}={value}" for name, value in settings.items()]
        data = {"project": "newsmon", "spider": "news", "setting": pairs, **arguments}
        return str(self.ask("schedule", data)["jobid"])

    def cancel(self, job: str) -> dict[str, Any]:
        """Ask a job to end."""
        return self.ask("cancel", {"project": "newsmon", "job": job})

    def state(self, job: str) -> str | None:
        """Where a job is: pending, running or finished."""
        jobs = self.ask("listjobs", project="newsmon")
        states = ("pending", "running", "finished")
        return next((state for state in states if any(each["id"] == job for each in jobs[state])), None)

    def wait_until(self, state: str, job: str, seconds: float = 60.0) -> None:
        """Wait until a job is in a state."""
        until = time.monotonic() + seconds
        while self.state(job) != state:
            assert time.monotonic() < until, f"not {state} within {seconds} s:\n{self.log(job)}"
            time.sleep(0.1)

    def log(self, job: str) -> str:
        """The log of a job, as Scrapyd serves it."""
        return self.fetch(f"logs/newsmon/news/{job}.log")

    @property
    def _output(self) -> Path:
        return self.folder / "scrapyd.out"

    def _await_start(self) -> None:
        assert self._process is not None
        until = time.monotonic() + 30
        while not self._answers():
            ended = self._process.poll() is not None or time.monotonic() > until
            assert not ended, f"Scrapyd did not start:\n{self._output.read_text()}"
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return bool(self.ask("daemonstatus"))
        except (URLError, ConnectionError):
            return False


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
