"""Exports: the same articles on every route, and nothing that harms whoever opens them."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import subprocess
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from scrapy.exporters import JsonLinesItemExporter
from warcio.archiveiterator import ArchiveIterator

import newsmon
from newsmon.commands.export import kinds, moment
from newsmon.errors import ExportError
from newsmon.export import export
from newsmon.export.tables import original_cell, safe_cell
from newsmon.export.xml import NAMESPACE, article_xml, schema
from newsmon.markup.xml import read_body
from newsmon.model import Article, Kind, Paragraph, Role
from newsmon.records import FIELDS, as_record
from newsmon.storage import Archive, Store
from tests.storing import MINUTE, NOW, Feed, Rules, Written, decision, document, link, put, take

TEXTS = [
    "Обычный текст.\n\nВторой абзац.",
    '=HYPERLINK("http://evil.example","click")',
    "'=already with an apostrophe",
    "-1+1|cmd",
    "＝full width",
    "\ttab first, then <b>&amp;</b> ]]> and \r\n a carriage return",
    '北京大学，“引号”, and, commas "quotes"',
    "NUL \x00 bell \x07 half \ud83d override \u202e end 😀",
    "עברית and العربية \u200f",
    "",
]


@pytest.fixture
def filled(store: Store, tmp_path: Path) -> tuple[Store, Archive]:
    """A store with an article for every text, and one page of another kind; their pages are archived."""
    archive = Archive(tmp_path / "archive")
    store.sync_sites([Rules("a.example", (Feed("http://a.example/rss"),))], {}, now=NOW)  # type: ignore[list-item]
    [feed] = store.lease_work(NOW, feeds=1, pages=0, per_host=1, sites=None, ttl=60).feeds
    urls = [link(f"http://a.example/{number}") for number in range(len(TEXTS) + 1)]
    store.record_poll(feed, decision(), urls, now=NOW)
    for page in take(store):
        number = int(page.url.rpartition("/")[2])
        if number == len(TEXTS):
            written = Written(None, "", kind=Kind.CONSENT, extract={"reason": "asks for cookies"})
        else:
            written = Written(TEXTS[number][:40] or None, TEXTS[number], extract=metadata(number))
        work = document(page, written, at=NOW + number * MINUTE, body=f"<p>{number}</p>".encode() * 100)
        store.finish(page, work, archive.append(work.page, now=NOW), now=NOW)
    archive.close()
    return store, archive


def metadata(number: int) -> dict[str, Any]:
    if number % 2:
        return {}
    return {
        "confidence": 0.1 + number / 16,
        "authors": ("=A", "B; C"),
        "tags": ("x",),
        "published": datetime(2024, 4, 30, 23, 0, 0, 5, tzinfo=UTC),
        "paywalled": False,
        "summary": "@sum",
        "origins": {"title": "rule:2024", "text": "json-ld"},
        "language": "ru_RU",
        "image": "http://a.example/a b.jpg",
    }


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def read_csv(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [typed({name: original_cell(cell) for name, cell in row.items()}) for row in csv.DictReader(file)]


def typed(row: dict[str, str]) -> dict[str, Any]:
    """Read the cells of a row again as JSON where they are not text."""
    numbers = {
        "id",
        "status",
        "revision",
        "archive_offset",
        "archive_length",
        "confidence",
        "paywalled",
        "rendered",
        "robots_allowed",
    }
    parsed = numbers | {"authors", "tags", "origins"}
    return {
        name: (None if cell == "" and name != "text" else json.loads(cell) if name in parsed else cell)
        for name, cell in row.items()
    }


def read_parquet(path: Path) -> list[dict[str, Any]]:
    rows = pq.read_table(path).to_pylist()
    for row in rows:
        row["origins"] = dict(row["origins"])
        times = {name: value.astimezone(UTC).isoformat() for name, value in row.items() if isinstance(value, datetime)}
        row.update(times)
    return rows


def read_xml(path: Path) -> list[dict[str, Any]]:
    documents = [etree.parse(file).getroot() for file in path.rglob("*.xml")]
    return sorted(map(record_of_xml, documents), key=lambda record: record["id"])


def record_of_xml(root: etree._Element) -> dict[str, Any]:
    """Read a document back into a record, by the words of the schema alone."""

    def text(path: str) -> str | None:
        found = root.find(path, namespaces={None: NAMESPACE})  # type: ignore[dict-item]
        return None if found is None else found.text or ""

    def texts(path: str) -> list[str]:
        return [found.text or "" for found in root.findall(path, namespaces={None: NAMESPACE})]  # type: ignore[dict-item]

    def attribute(path: str, name: str) -> str | None:
        found = root.find(path, namespaces={None: NAMESPACE})  # type: ignore[dict-item]
        return None if found is None else found.get(name)

    origins = root.findall("extraction/origin", namespaces={None: NAMESPACE})  # type: ignore[dict-item]
    simple = {name: text(f"metadata/{name}") for name in ("title", "summary", "published", "modified", "language")}
    simple |= {name: text(f"metadata/{name}") for name in ("image", "section")}
    return simple | {
        "id": int(root.get("id") or 0),
        "revision": int(root.get("revision") or 0),
        "kind": root.get("kind"),
        "site": text("source/site"),
        "feed": text("source/feed"),
        "url": text("source/url"),
        "final_url": text("source/final-url"),
        "canonical_url": text("source/canonical-url"),
        "authors": texts("metadata/author"),
        "tags": texts("metadata/tag"),
        "paywalled": truth(text("metadata/paywalled")),
        "text": text("text"),
        "text_sha256": attribute("text", "sha256"),
        "method": attribute("extraction", "method"),
        "confidence": None if (sure := attribute("extraction", "confidence")) is None else float(sure),
        "rule_version": text("extraction/rule-version"),
        "reason": text("extraction/reason"),
        "origins": {origin.get("field"): origin.text for origin in origins},
        "status": int(attribute("fetch", "status") or 0),
        "rendered": truth(attribute("fetch", "rendered")),
        "fetched_at": attribute("fetch", "at"),
        "robots_reason": text("fetch/robots"),
        "robots_allowed": truth(attribute("fetch/robots", "allowed")),
        "robots_sha256": attribute("fetch/robots", "sha256"),
        "robots_fetched_at": attribute("fetch/robots", "fetched-at"),
        "archive_file": text("fetch/archive"),
        "archive_offset": int(attribute("fetch/archive", "offset") or 0),
        "archive_length": int(attribute("fetch/archive", "length") or 0),
    }


def truth(text: str | None) -> bool | None:
    return None if text is None else text == "true"


def read_warc(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as file:
        return [
            json.loads(record.content_stream().read())
            for record in ArchiveIterator(file)
            if record.rec_type == "metadata"
        ]


ROUTES: dict[str, tuple[str, Callable[[Path], list[dict[str, Any]]]]] = {
    "jsonl": ("out.jsonl", read_jsonl),
    "csv": ("out.csv", read_csv),
    "parquet": ("out.parquet", read_parquet),
    "xml": ("out", read_xml),
    "warc": ("out.warc.gz", read_warc),
}


def test_every_route_gives_the_same_records(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    store, archive = filled
    expected = [as_record(article) for article in store.articles()]
    assert len(expected) == len(TEXTS) == store.count()
    for kind, (name, read) in ROUTES.items():
        report = export(store.articles(), kind, tmp_path / "exports" / name, archive=archive)
        records = read(tmp_path / "exports" / name)
        assert (report.articles, report.without_page) == (len(TEXTS), [])
        assert records == expected, kind
        for record in records:
            assert hashlib.sha256(record["text"].encode()).hexdigest() == record["text_sha256"]


def test_feed_exports_of_scrapy_give_the_same_records(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    store, _ = filled
    with (tmp_path / "feed.jsonl").open("wb") as file:
        exporter = JsonLinesItemExporter(file, encoding="utf-8")
        for article in store.articles():
            exporter.export_item(as_record(article))
    export(store.articles(), "jsonl", tmp_path / "export.jsonl")
    assert (tmp_path / "feed.jsonl").read_bytes() == (tmp_path / "export.jsonl").read_bytes()


def test_a_record_has_all_fields_in_order(filled: tuple[Store, Archive]) -> None:
    [first, *_] = filled[0].articles()
    record = as_record(first)
    assert tuple(record) == FIELDS
    assert record["fetched_at"] == "2024-05-01T12:00:00+00:00"
    assert (record["robots_allowed"], record["robots_reason"]) == (True, "rule")
    assert record["feed"] == "http://a.example/rss"
    assert {type(value) for value in record.values()} <= {str, int, float, bool, list, dict, type(None)}


def test_raw_pages_travel_with_a_warc(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    store, archive = filled
    export(store.articles(), "warc", tmp_path / "out.warc.gz", archive=archive)
    with (tmp_path / "out.warc.gz").open("rb") as file:
        records = [
            (
                record.rec_type,
                record.rec_headers.get_header("WARC-Record-ID"),
                record.rec_headers.get_header("WARC-Refers-To"),
                record.content_stream().read(),
            )
            for record in ArchiveIterator(file)
        ]
    assert [kind for kind, *_ in records] == ["warcinfo", *["response", "metadata"] * len(TEXTS)]
    assert [body for kind, _, _, body in records if kind == "response"] == [
        f"<p>{number}</p>".encode() * 100 for number in range(len(TEXTS))
    ]
    assert [one[1] for one in records if one[0] == "response"] == [one[2] for one in records if one[0] == "metadata"]


def test_missing_pages_are_named(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    store, _ = filled
    report = export(store.articles(), "warc", tmp_path / "out.warc.gz", archive=Archive(tmp_path / "elsewhere"))
    assert report.articles == len(report.without_page) == len(TEXTS)
    assert "http://a.example/0: " in report.without_page[0]
    assert read_warc(tmp_path / "out.warc.gz") == [as_record(article) for article in store.articles()]


def test_documents_are_valid_and_kinds_are_those_of_the_model(filled: tuple[Store, Archive]) -> None:
    store, _ = filled
    [article, *_] = store.articles()
    for kind in Kind:
        assert schema().validate(article_xml(replace(article, kind=kind))), kind
    document = article_xml(article)
    document.set("kind", "something else")
    assert not schema().validate(document)


STRUCTURED = (
    Paragraph("Prices", Role.HEADING, 2),
    Paragraph("Oil fell,\nas expected."),
    Paragraph("Brent", Role.ITEM, 1),
    Paragraph("in London", Role.ITEM, 2),
    Paragraph("# Not <i>a</i> heading", Role.QUOTE),
    Paragraph("Year | Sum", Role.ROW),
    Paragraph("2024 | 7", Role.ROW),
    Paragraph("if oil:\n    sell()", Role.CODE),
    Paragraph("A tanker. Photo: A", Role.CAPTION),
)


@pytest.fixture
def structured(store: Store) -> Article:
    text = "\n\n".join(paragraph.text for paragraph in STRUCTURED)
    return put(store, "http://a.example/1", Written("Oil", text, extract={"paragraphs": STRUCTURED}))


def test_documents_keep_the_structure(structured: Article) -> None:
    document = article_xml(structured)
    schema().assertValid(document)
    assert read_body(document.find("body", {None: NAMESPACE})) == list(STRUCTURED)
    document.find(".//heading", {None: NAMESPACE}).set("level", "7")
    assert not schema().validate(document)


def test_markdown_is_a_file_per_article(structured: Article, tmp_path: Path) -> None:
    export([structured], "markdown", tmp_path / "out")
    [file] = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert str(file.relative_to(tmp_path)) == f"out/a.example/{structured.id}.md"
    _, front, text = file.read_text(encoding="utf-8").split("---\n", 2)
    known = yaml.safe_load(front)
    assert (known["url"], known["title"], known["kind"]) == ("http://a.example/1", "Oil", "article")
    assert (
        text
        == """
# Oil

## Prices

Oil fell,\\
as expected.

- Brent
  - in London

> \\# Not \\<i>a\\</i> heading

| Year | Sum |
| --- | --- |
| 2024 | 7 |

```
if oil:
    sell()
```

*A tanker. Photo: A*
"""
    )


def test_an_article_that_fits_no_schema_is_named(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    [article, *_] = filled[0].articles()
    with pytest.raises(ExportError, match=r"article 1 \(http://a\.example/0\): .*sha256"):
        export([replace(article, text_sha256="short")], "xml", tmp_path / "out")
    assert list(tmp_path.glob("out*")) == []


@given(text=st.text(st.sampled_from("'=+-@\t\r\n＝ab"), max_size=5))
def test_cells_are_safe_and_come_back(text: str) -> None:
    cell = safe_cell(text)
    assert original_cell(cell) == text
    assert cell[:1] not in tuple("=+-@\t\r\n＝")


def test_compressed_by_name(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    export(filled[0].articles(), "jsonl", tmp_path / "out.jsonl.gz")
    export(filled[0].articles(), "jsonl", tmp_path / "out.jsonl")
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()) == (tmp_path / "out.jsonl").read_bytes()


def test_an_export_is_whole_or_not_there(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    def broken() -> Any:
        yield next(iter(filled[0].articles()))
        raise RuntimeError("the store went away")

    for kind, (name, _) in ROUTES.items():
        with pytest.raises(RuntimeError):
            export(broken(), kind, tmp_path / "new" / name, archive=filled[1])
        assert list((tmp_path / "new").iterdir()) == []
    (tmp_path / "taken.csv").touch()
    with pytest.raises(ExportError, match="exists already"):
        export([], "csv", tmp_path / "taken.csv")
    with pytest.raises(ExportError, match="cannot be written"):
        export([], "csv", tmp_path / "taken.csv" / "below.csv")


def test_site_names_do_not_lead_out_of_the_folder(filled: tuple[Store, Archive], tmp_path: Path) -> None:
    [article, *_] = filled[0].articles()
    export([replace(article, site="../../etc")], "xml", tmp_path / "deep" / "out")
    assert [str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.xml")] == ["deep/out/_.._etc/1.xml"]


def test_an_empty_selection_gives_an_empty_export(store: Store, tmp_path: Path) -> None:
    for kind, (name, read) in ROUTES.items():
        assert export(store.articles(), kind, tmp_path / name, archive=Archive(tmp_path / "a")).articles == 0
        assert read(tmp_path / name) == []


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    root = Path(newsmon.__file__).parent.parent
    environment = {**os.environ, "NEWSMON_STATE_DIR": str(folder), "PYTHONPATH": str(root)}
    environment |= {"SCRAPY_SETTINGS_MODULE": "newsmon.settings"}
    command = [sys.executable, "-m", "scrapy", "export", *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with three articles of different days."""
    folder = tmp_path / "state"
    with Store.open("sqlite:///", owner="test", state_dir=folder, exclusive=True) as store:
        store.sync_sites([Rules("a.example"), Rules("b.example")], {}, now=NOW)  # type: ignore[list-item]
        for number, site in enumerate(["a.example", "a.example", "b.example"]):
            store.add_urls([link(f"http://{site}/{number}")], site=site, now=NOW)
            [page] = take(store)
            store.finish(page, document(page, at=NOW + timedelta(days=number)), None, now=NOW)
    return folder


def test_the_command(state: Path, tmp_path: Path) -> None:
    done = run(state, "--out", "all.jsonl", "--json")
    assert (done.returncode, json.loads(done.stdout)["articles"], done.stderr) == (0, 3, "")
    chosen = run(state, "--out", "some.csv", "--since", "2024-05-02", "--site", "a.example", "--format", "csv")
    assert (chosen.returncode, chosen.stdout) == (0, "1 documents written to some.csv (csv)\n")
    assert [row["url"] for row in read_csv(state / "some.csv")] == ["http://a.example/1"]
    again = run(state, "--out", "all.jsonl")
    assert (again.returncode, again.stdout) == (2, "")
    assert "all.jsonl exists already" in again.stderr
    unknown = run(state, "--out", "news.txt")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "news.txt names no format; end it with one of .jsonl" in unknown.stderr
    nothing = run(state, "--out", "none.csv", "--site", "nobody.example")
    assert (nothing.returncode, "the store holds none of that kind" in nothing.stdout) == (0, True)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (moment, "yesterday", "'yesterday' is not a time; write 2024-05-01"),
        (kinds, "articel", "'articel' is not a valid"),
    ],
)
def test_options_that_make_no_sense(read: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(ArgumentTypeError, match=message):
        read(text)
