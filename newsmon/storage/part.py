"""What the parts of the store have in common."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import sqlalchemy as sa

    from newsmon.storage.engine import Database

T = TypeVar("T")
BATCH = 500  # values in one statement; far below the limits of both databases


class StorePart:
    """A part of :class:`newsmon.storage.Store`: it works on the one database, for the one owner of leases."""

    def __init__(self, database: Database, owner: str) -> None:
        self._database, self._owner = database, owner


def insert_new(connection: sa.Connection, table: sa.Table) -> Any:
    """An INSERT that leaves rows alone which are there already."""
    return dialect_insert(connection, table).on_conflict_do_nothing()


def dialect_insert(connection: sa.Connection, table: sa.Table) -> Any:
    """The INSERT of this database, which knows ON CONFLICT; both dialects have it, SQLAlchemy has no common form."""
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)


def batches(values: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Cut values into lists of at most ``size``.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(values)
    while batch := list(islice(iterator, size)):
        yield batch
