"""Pages with the articles people copied from them, in the formats of public corpora: for measuring and for training.

::

    gold.jsonl + pages/ID.html          read_gold      ─┐
    manifest.jsonl + PUBLISHER/DATE.V.txt read_redesign ─┼─> GoldPage: the page's bytes and what it says
    manifest.jsonl with the text's XPath  read_site     ─┘

All files may be gzipped. Records that cannot be used, as those without a page, are left out; only a set that cannot be
read at all is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newsmon.evaluation import data_file, read_bytes, read_records
from newsmon.extraction.text import paragraphs
from newsmon.page import Page
from newsmon.saved import stated_address
from newsmon.xpath import Selector, XPathError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from newsmon.evaluation import DataSet

GOLD = "gold.jsonl"
MANIFEST = "manifest.jsonl"
STUB = 200
"""Characters under which a text of a redesign set is no article."""

_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "go", "gob", "gov", "gr", "in", "ne", "net", "nom", "or", "org"})
"""Second labels under which a country registers names, as in co.uk and com.br."""


@dataclass(frozen=True)
class GoldPage:
    """A page and the article a person read from it; a field the corpus does not have is None.

    :param set: name of the corpus.
    :param domain: the corpus's own word for the site, where it has no address.
    :param text: lines or paragraphs; empty where only segments are known.
    :param published: as the corpus writes it, mostly ISO 8601.
    :param with_: segments that belong to the text.
    :param without: segments that do not.
    :param path: the file of the page, gzipped or not.
    """

    id: str
    set: str
    path: Path
    url: str | None = None
    domain: str | None = None
    language: str | None = None
    title: str | None = None
    text: str = ""
    published: str | None = None
    authors: tuple[str, ...] | None = None
    with_: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @cached_property
    def site(self) -> str:
        """What tells sites apart: the registered domain by the corpus, else by the page itself, else the page alone.

        Never train on a site and measure on it: pages of one site share their template.
        """
        stated = site_of(self.url or "") or site_of(self.domain or "")
        return stated or site_of(stated_address(self.body()) or "") or f"{self.set}/{self.id}"

    def body(self) -> bytes:
        """The page as it was stored.

        :raises EvaluationError: its file cannot be read.
        """
        return read_bytes(self.path)

    @property
    def address(self) -> str:
        """The URL, or that of the site, or an empty one."""
        return self.url or (f"http://{self.domain}/" if self.domain and site_of(self.domain) else "")

    def page(self) -> Page:
        """The page as if it had just been fetched.

        :raises EvaluationError: its file cannot be read.
        """
        return Page(self.address, self.address, 200, self.body(), datetime.now(UTC))


def site_of(address: str) -> str:
    """Key of a site: the last two labels of the host, three where the country registers names at the third.

    >>> site_of("https://www.bbc.co.uk/news/1"), site_of("m.lenta.ru"), site_of("blog.a.com.br:80"), site_of("")
    ('bbc.co.uk', 'lenta.ru', 'a.com.br', '')
    """
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""
    labels = host.rstrip(".").removeprefix("www.").split(".")
    if len(labels) < 2 or host.replace(".", "").isdigit():
        return host if len(labels) > 1 else ""
    deep = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3:] if deep else labels[-2:])


def read_gold(data_set: DataSet) -> Iterator[GoldPage]:
    """Read an extraction set: ``gold.jsonl`` and ``pages/ID.html``.

    :raises EvaluationError: the gold file is missing or damaged.
    """
    for record in read_records(_required(data_set.path, GOLD)):
        if path := _page_file(data_set.path, f"pages/{record.get('id')}.html"):
            yield _gold_page(record, data_set.name, path)


def read_redesign(folder: Path) -> Iterator[GoldPage]:
    """Read dated snapshots of publishers: the text is what the rule version valid on the day gives, stubs left out.

    :raises EvaluationError: the manifest is missing or damaged.
    """
    for record in read_records(_required(folder, MANIFEST)):
        name, version = _text(record, "file"), _text(record, "valid_version")
        path = _page_file(folder, name or "")
        stated = (record.get("versions") or {}).get(version)
        if not (name and version and path and isinstance(stated, dict)):
            continue
        text = _stored_text(folder, f"{name.removesuffix('.html')}.{version}.txt")
        if len(text) >= STUB:
            yield GoldPage(
                id=name.removesuffix(".html"),
                set=folder.name,
                path=path,
                url=_text(record, "url"),
                domain=_text(record, "publisher"),
                title=_text(stated, "title"),
                text=text,
                published=_text(stated, "date"),
            )


def read_site(folder: Path) -> Iterator[GoldPage]:
    """Read pages of one site: the text is what the XPath of the manifest gives; pages without it are left out.

    :raises EvaluationError: the manifest is missing or damaged.
    """
    for record in read_records(_required(folder, MANIFEST)):
        rule, path = _text(record, "rule"), _page_file(folder, _text(record, "file") or "")
        if not (rule and path):
            continue
        if text := _text_by_rule(path, rule):
            yield GoldPage(
                id=str(record.get("id")),
                set=folder.name,
                path=path,
                url=_text(record, "url"),
                domain=folder.name,
                title=_text(record, "gold_title"),
                text=text,
                published=_text(record, "date"),
            )


def _gold_page(record: Mapping[str, Any], name: str, path: Path) -> GoldPage:
    return GoldPage(
        id=str(record["id"]),
        set=name,
        path=path,
        url=_text(record, "url"),
        domain=_text(record, "domain") or _text(record, "site"),
        language=_text(record, "lang"),
        title=_text(record, "title"),
        text=_text(record, "text") or "",
        published=_text(record, "published"),
        authors=_authors(record.get("authors")),
        with_=_texts(record.get("with_")) or (),
        without=_texts(record.get("without")) or (),
    )


def _authors(value: object) -> tuple[str, ...] | None:
    """A list, or one string with semicolons between names."""
    if isinstance(value, str):
        return tuple(name for part in value.split(";") if (name := part.strip())) or None
    return _texts(value)


def _texts(value: object) -> tuple[str, ...] | None:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else None


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    return value if isinstance(value, str) and value.strip() else None


def _required(folder: Path, name: str) -> Path:
    return data_file(folder, name) or folder / name


def _page_file(folder: Path, name: str) -> Path | None:
    """The file of a page, never one outside of the set."""
    if not name or ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
        return None
    return data_file(folder, name)


def _stored_text(folder: Path, name: str) -> str:
    path = _page_file(folder, name)
    return read_bytes(path).decode("utf-8", "replace").strip() if path else ""


def _text_by_rule(path: Path, rule: str) -> str:
    page = Page("", "", 200, read_bytes(path), datetime.now(UTC))
    if page.tree is None:
        return ""
    try:
        found = Selector(page.tree).select(rule)
    except XPathError:  # the page is left out like any other without a text
        return ""
    return "\n".join(paragraph.text for paragraph in paragraphs(item for item in found if not isinstance(item, str)))
