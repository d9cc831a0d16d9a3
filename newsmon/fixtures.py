"""A real page and the article expected from it, side by side in a folder: the user's own tests of the rules.

``FOLDER/lenta.ru/2024-05-01_rain.html.gz`` is the page as it came, ``2024-05-01_rain.json`` beside it says where and
when it was fetched and what extraction gave then. Look the JSON over before you keep it.
"""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newsmon.model import Paragraph
from newsmon.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from newsmon.model import Extract

PAGE_SUFFIX = ".html.gz"
FIELDS = (
    "kind",
    "title",
    "authors",
    "published",
    "modified",
    "language",
    "section",
    "tags",
    "image",
    "summary",
    "paragraphs",
)
"""Fields of an extract that a fixture compares."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Fixture:
    """A saved page and what is expected of it.

    :param site: domain whose rules read it.
    """

    file: Path
    site: str
    page: Page
    expected: Mapping[str, Any]


def save_fixture(page: Page, extract: Extract, *, site: str, folder: Path) -> tuple[Path, Path]:
    """Write a page and the values extracted from it; return the two files."""
    directory = folder / site.replace("*", "_")
    directory.mkdir(parents=True, exist_ok=True)
    name = f"{page.fetched_at:%Y-%m-%d}_{_slug(page.final_url)}"
    body, record = directory / f"{name}{PAGE_SUFFIX}", directory / f"{name}.json"
    body.write_bytes(gzip.compress(page.body, mtime=0))
    content = {
        "site": site,
        "url": page.url,
        "final_url": page.final_url,
        "status": page.status,
        "content_type": page.headers.get("content-type"),
        "fetched_at": page.fetched_at.isoformat(),
        "rendered": page.rendered,
        "expected": values(extract),
    }
    record.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return body, record


def load_fixtures(folder: Path) -> Iterator[Fixture]:
    """Read every fixture below a folder, in the order of their names."""
    for record in sorted(folder.rglob("*.json")):
        body = record.with_name(record.name.removesuffix(".json") + PAGE_SUFFIX)
        if not body.is_file():
            continue
        content = json.loads(record.read_text(encoding="utf-8"))
        headers = {"content-type": content["content_type"]} if content["content_type"] else {}
        page = Page(
            url=content["url"],
            final_url=content["final_url"],
            status=content["status"],
            body=gzip.decompress(body.read_bytes()),
            fetched_at=datetime.fromisoformat(content["fetched_at"]),
            headers=headers,
            rendered=content["rendered"],
        )
        yield Fixture(record, content["site"], page, content["expected"])


def differences(expected: Mapping[str, Any], extract: Extract) -> list[str]:
    """Say which expected fields the extract does not have, one sentence each."""
    found = values(extract)
    return [
        f"{name}: expected {_short(value)}, found {_short(found.get(name))}"
        for name, value in expected.items()
        if found.get(name) != value
    ]


def values(extract: Extract) -> dict[str, Any]:
    """Return the fields a fixture compares as JSON values; empty ones are left out."""
    found = {name: getattr(extract, name) for name in FIELDS}
    return {name: _json(value) for name, value in found.items() if value not in (None, "", ())}


def _json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Paragraph):  # what a fixture holds are texts
        return value.text
    return list(map(_json, value)) if isinstance(value, tuple) else value


def _slug(url: str) -> str:
    path = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    return _NOT_IN_NAMES.sub("-", path.lower().removesuffix(".html")).strip("-")[:60] or "page"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:160]}..."
