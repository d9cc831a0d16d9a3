"""The robots.txt of every origin, across restarts."""

from __future__ import annotations

from dataclasses import asdict

import sqlalchemy as sa

from newsmon.storage.part import StorePart, dialect_insert
from newsmon.storage.schema import robots
from newsmon.storage.text import clean_optional
from newsmon.storage.work import StoredRobots


class Robots(StorePart):
    """Cache of robots.txt files."""

    def robots(self, origin: str) -> StoredRobots | None:
        """Return what was stored last for an origin (``https://host:port``), however old it is."""
        with self._database.read() as connection:
            row = connection.execute(sa.select(robots).where(robots.c.origin == origin)).one_or_none()
        return None if row is None else StoredRobots(**row._mapping)

    def save_robots(self, stored: StoredRobots) -> None:
        """Replace what is stored for its origin."""
        values = {**asdict(stored), "failure": clean_optional(stored.failure)}
        with self._database.write() as connection:
            insert = dialect_insert(connection, robots).values(values)
            connection.execute(insert.on_conflict_do_update(index_elements=["origin"], set_=values))
