"""Scrapy's feed exports (``FEEDS``, ``-O``), where the stock ones are not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exporters import CsvItemExporter

from newsmon.export.tables import csv_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Field


class SafeCsvItemExporter(CsvItemExporter):
    """CSV with the same cells as ``scrapy export``: no text of a site becomes a formula, lists are JSON."""

    def serialize_field(self, field: Mapping[str, Any] | Field, name: str, value: Any) -> Any:
        """Return the cell of one value."""
        return super().serialize_field({"serializer": csv_cell, **field}, name, value)
