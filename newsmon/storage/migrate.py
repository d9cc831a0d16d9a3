"""Bring a database to this version's schema, or say that it is newer."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from newsmon.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from newsmon.storage.engine import Database

HEAD = "0002"  # the newest revision in migrations/versions
_ADVISORY_LOCK = 0x6E657773  # any number that all newsmon processes agree on


def migrate(database: Database) -> None:
    """Create or upgrade the tables, in one transaction.

    :raises StoreError: when a newer version of newsmon has written the database.
    """
    with database.read() as connection:
        if _version(connection) == HEAD:
            return
    with database.write() as connection:
        if not database.sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        _upgrade(connection, database.name)


def _upgrade(connection: sa.Connection, name: str) -> None:
    with _script_folder() as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        version = _version(connection)
        if version is not None and version not in known:
            raise StoreError(
                f"{name}: the database has schema {version}, this newsmon knows schemas up to {HEAD}; "
                "install the newsmon that wrote it, or a later one"
            )
        command.upgrade(config, "head")


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


@contextmanager
def _script_folder() -> Iterator[Path]:
    """The migration scripts as files; copied out when newsmon runs from a zipped egg."""
    scripts = files("newsmon.storage") / "migrations"
    if isinstance(scripts, Path):
        yield scripts
        return
    with tempfile.TemporaryDirectory(prefix="newsmon-") as folder:
        _copy(scripts, Path(folder))
        yield Path(folder)


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(exist_ok=True)
    for child in source.iterdir():
        if child.is_dir():
            _copy(child, target / child.name)
        elif child.name.endswith(".py"):
            (target / child.name).write_bytes(child.read_bytes())
