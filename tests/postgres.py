"""A PostgreSQL server of the test run's own, and a fresh database in it for whoever asks.

The server is the machine's (Debian's ``postgresql`` package, or an ``initdb`` on the PATH); it listens on a Unix socket
in a temporary folder only. Without a server installed the tests that need one are skipped.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path

import psycopg
import pytest


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Path]:
    """The socket folder of a running server; skips where none is installed."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="newsmon-pg-"))
    user = _server_user()
    if user is not None:
        shutil.chown(folder, user=user)
    data, options = folder / "data", f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=50"
    try:
        _run([programs / "initdb", "-D", data, "-U", "newsmon", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"], user)
        _run([programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"], user)
        yield folder
    finally:
        _run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], user, check=False)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def new_postgres_url(postgres_server: Path) -> Callable[[], str]:
    """Makes an empty database and returns its URL."""

    def create() -> str:
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(f"host={postgres_server} user=newsmon dbname=postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return f"postgresql://newsmon@/{name}?host={postgres_server}"

    return create


@pytest.fixture
def postgres_url(new_postgres_url: Callable[[], str]) -> str:
    """The URL of an empty PostgreSQL database."""
    return new_postgres_url()


def _programs() -> Path | None:
    found = shutil.which("initdb")
    candidates = [Path(found)] if found else sorted(map(Path, glob("/usr/lib/postgresql/*/bin/initdb")))
    return candidates[-1].parent if candidates else None


def _server_user() -> str | None:
    """PostgreSQL refuses to run as root; Debian makes a user for it."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        pytest.skip("the tests run as root and there is no user 'postgres' to run the server")


def _run(command: list[str | Path], user: str | None, *, check: bool = True) -> None:
    # The server keeps the inherited output open for as long as it runs: a pipe would never end.
    subprocess.run(
        [str(part) for part in command],
        user=user,
        check=check,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
