"""Parquet: for data frames and DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from newsmon.records import FIELDS, as_record

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from newsmon.model import Article

_ROW_GROUP = 2000


class ParquetWriter:
    """Parquet with zstd; times are timestamps in UTC, lists are lists, ``origins`` is a map."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, SCHEMA, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()

    def write(self, article: Article) -> None:
        """Add one row; rows are written in groups."""
        record = as_record(article)
        times = {"published": article.published, "modified": article.modified, "fetched_at": article.fetched_at}
        robots_time = article.robots.fetched_at if article.robots else None
        origins = list(article.origins.items())
        self._rows.append(record | times | {"robots_fetched_at": robots_time, "origins": origins})
        if len(self._rows) >= _ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=SCHEMA))
            self._rows = []


def _type_of(name: str) -> pa.DataType:
    if name in {"published", "modified", "fetched_at", "robots_fetched_at"}:
        return pa.timestamp("us", tz="UTC")
    if name in {"id", "status", "revision", "archive_offset", "archive_length"}:
        return pa.int64()
    if name == "confidence":
        return pa.float64()
    if name in {"paywalled", "rendered", "robots_allowed"}:
        return pa.bool_()
    if name in {"authors", "tags"}:
        return pa.list_(pa.string())
    return pa.map_(pa.string(), pa.string()) if name == "origins" else pa.string()


SCHEMA = pa.schema([(name, _type_of(name)) for name in FIELDS])
