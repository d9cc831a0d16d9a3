"""A PostgreSQL server of the test run's own, with an empty database for every test that asks.

The server is the machine's (Debian's ``postgresql`` package, or an ``initdb`` on the PATH); it listens on a Unix socket
in a temporary folder only. Without a server installed the tests that need one are skipped.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
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
    user = _server_user()
    folder = Path(tempfile.mkdtemp(prefix="newsmon-pg-"))
    if user is not None:
        shutil.chown(folder, user=user)
    data = folder / "data"
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c full_page_writes=off -c max_connections=50"
    try:
        _run(
            [programs / "initdb", "-N", "-D", data, "-U", "newsmon", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
            user,
        )
        _run([programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"], user)
        yield folder
    finally:
        _run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], user, check=False)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: Path) -> str:
    """The URL of a PostgreSQL database that is empty when the test begins."""
    url = f"postgresql://newsmon@/postgres?host={postgres_server}"
    # Several times faster than a database for every test.
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


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
