"""Corpora of pages with gold: every form of the formats, damage, and what a site is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from newsmon.corpora import GoldPage, read_gold, read_redesign, read_site, site_of
from newsmon.errors import EvaluationError
from newsmon.evaluation import DataSet, find_sets

STORY = "The dam was opened on Friday, said the mayor of the town beside it. " * 4


def write(path: Path, content: str | bytes, *, zipped: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    path.with_name(path.name + ".gz" * zipped).write_bytes(gzip.compress(data) if zipped else data)


def write_records(path: Path, records: Iterable[Mapping[str, Any]], *, zipped: bool = False) -> None:
    write(path, "".join(json.dumps(record) + "\n" for record in records), zipped=zipped)


def gold_pages(folder: Path) -> list[GoldPage]:
    return list(read_gold(DataSet(folder.name, folder)))


# --- extraction sets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zipped", [False, True])
def test_a_gold_set_plain_and_gzipped(tmp_path: Path, zipped: bool) -> None:
    record = {
        "id": "a_1",
        "url": "https://www.a.example/1",
        "lang": "en",
        "title": "Dam opens",
        "text": STORY,
        "published": "2024-05-01",
        "authors": ["Ada Byron"],
        "source": "somewhere",
    }
    write_records(tmp_path / "gold.jsonl", [record], zipped=zipped)
    write(tmp_path / "pages" / "a_1.html", b"<p>\xe4", zipped=zipped)
    (page,) = gold_pages(tmp_path)
    assert page.body() == b"<p>\xe4"
    assert (page.id, page.set, page.site, page.language, page.title) == (
        "a_1",
        tmp_path.name,
        "a.example",
        "en",
        "Dam opens",
    )
    assert (page.text, page.published, page.authors, page.with_, page.without) == (
        STORY,
        "2024-05-01",
        ("Ada Byron",),
        (),
        (),
    )
    assert page.page().final_url == "https://www.a.example/1"
    assert page.page().body == page.body()


def test_fields_a_corpus_does_not_have_are_none(tmp_path: Path) -> None:
    write_records(tmp_path / "gold.jsonl", [{"id": 7, "text": "", "with_": ["one"], "without": ["two", 3]}])
    write(tmp_path / "pages" / "7.html", "<p>one")
    (page,) = gold_pages(tmp_path)
    assert (page.id, page.url, page.title, page.authors, page.published) == ("7", None, None, None, None)
    assert (page.with_, page.without, page.address) == (("one",), ("two",), "")


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ("Ada Byron; Max Born", ("Ada Byron", "Max Born")),
        ("Ada Byron", ("Ada Byron",)),
        (" ", None),
        ([], ()),
        (["Ada Byron", None], ("Ada Byron",)),
        (3, None),
    ],
)
def test_authors_in_all_forms(tmp_path: Path, authors: object, expected: tuple[str, ...] | None) -> None:
    write_records(tmp_path / "gold.jsonl", [{"id": "a", "authors": authors}])
    write(tmp_path / "pages" / "a.html", "x")
    (page,) = gold_pages(tmp_path)
    assert page.authors == expected


def test_pages_that_are_not_there_or_lie_elsewhere_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    write_records(folder / "gold.jsonl", [{"id": "none"}, {"id": "../../secret"}, {"id": "/etc/x"}, {}, {"id": "b"}])
    write(tmp_path / "secret.html", "secret")
    write(folder / "pages" / "b.html", "here")
    assert [page.id for page in gold_pages(folder)] == ["b"]


def test_damage_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"gold\.jsonl: cannot be read"):
        gold_pages(tmp_path)
    write(tmp_path / "gold.jsonl", '{"id": "a"}\n{"id"')
    with pytest.raises(EvaluationError, match="line 2 is not JSON"):
        gold_pages(tmp_path)
    write_records(tmp_path / "gold.jsonl", [{"id": "a"}])
    write(tmp_path / "pages" / "a.html.gz", gzip.compress(b"page")[:-6])
    (page,) = gold_pages(tmp_path)
    with pytest.raises(EvaluationError, match="cannot be read"):
        page.body()


# --- sites ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://www.a.example/1?x=//b.example", "a.example"),
        ("http://news.a.example:8080/", "a.example"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("http://a.com.br/x", "a.com.br"),
        ("http://blog.a.com.br/x", "a.com.br"),
        ("http://co.uk/", "co.uk"),
        ("user@A.Example.", "a.example"),
        ("localhost", ""),
        ("Heise", ""),
        ("127.0.0.1", "127.0.0.1"),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_site_of_an_address(address: str, site: str) -> None:
    assert site_of(address) == site


def test_a_page_without_an_address_belongs_to_the_site_it_names_itself(tmp_path: Path) -> None:
    write_records(tmp_path / "gold.jsonl", [{"id": "a"}, {"id": "b"}, {"id": "c", "domain": "www.c.example"}])
    write(tmp_path / "pages" / "a.html", '<meta property="og:url" content="https://m.a.example/1">')
    write(tmp_path / "pages" / "b.html", '<a href="https://other.example/">')
    write(tmp_path / "pages" / "c.html", "x")
    assert [page.site for page in gold_pages(tmp_path)] == ["a.example", f"{tmp_path.name}/b", "c.example"]
    assert gold_pages(tmp_path)[2].address == "http://www.c.example/"


# --- training sets ----------------------------------------------------------------------------------------------------


def test_redesigns_give_the_text_of_the_version_valid_that_day_and_no_stubs(tmp_path: Path) -> None:
    def snapshot(day: str, version: str | None, **more: Any) -> dict[str, Any]:
        versions = {"V1": {"title": "Old"}, "V2": {"title": "Dam opens", "date": "2024-05-01 10:00:00+02:00"}}
        return {
            "publisher": "Courier",
            "file": f"Courier/{day}.html",
            "url": "http://courier.example/1",
            "valid_version": version,
            "versions": versions,
            **more,
        }

    write_records(
        tmp_path / "manifest.jsonl",
        [
            snapshot("2024-05-01", "V2"),
            snapshot("2024-06-01", "V1"),  # a stub
            snapshot("2024-07-01", None),
            snapshot("2024-08-01", "V3"),
            snapshot("2024-09-01", "V2", file="../2024-05-01.html"),
            {},
        ],
        zipped=True,
    )
    for day in ("2024-05-01", "2024-06-01", "2024-07-01", "2024-08-01"):
        write(tmp_path / "Courier" / f"{day}.html", "<p>page", zipped=True)
    write(tmp_path / "Courier" / "2024-05-01.V1.txt", "wrong " * 100)
    write(tmp_path / "Courier" / "2024-05-01.V2.txt", STORY)
    write(tmp_path / "Courier" / "2024-06-01.V1.txt", "Subscribe to read on.")
    (page,) = read_redesign(tmp_path)
    assert (page.id, page.text, page.title, page.site) == (
        "Courier/2024-05-01",
        STORY.strip(),
        "Dam opens",
        "courier.example",
    )
    assert page.published == "2024-05-01 10:00:00+02:00"


def test_sites_give_the_text_of_their_rule(tmp_path: Path) -> None:
    folder = tmp_path / "a.example"
    rule = "//div[@class='story']"
    records = [
        {"id": "1", "file": "pages/1.html", "rule": rule, "gold_title": "Dam opens", "date": "2024-05-01"},
        {"id": "2", "file": "pages/2.html", "rule": rule},  # the rule finds nothing
        {"id": "3", "file": "pages/1.html", "rule": None},
        {"id": "4", "file": "pages/4.html", "rule": rule},  # no page
        {"id": "5", "file": "pages/1.html", "rule": "//div[["},
        {"id": "6", "file": "pages/1.html", "rule": "string(//p)"},
        {"id": "7", "file": "pages/7.html", "rule": rule},  # no HTML
    ]
    write_records(folder / "manifest.jsonl", records)
    write(folder / "pages" / "1.html", "<p>Menu<div class=story><h2>Why</h2><p>One<br>two<p>Three</div>", zipped=True)
    write(folder / "pages" / "2.html", "<p>Menu", zipped=True)
    write(folder / "pages" / "7.html", "%PDF-1.7", zipped=True)
    (page,) = read_site(folder)
    assert (page.id, page.text, page.title, page.site) == ("1", "Why\nOne\ntwo\nThree", "Dam opens", "a.example")


# --- the data, where they are -----------------------------------------------------------------------------------------


def test_every_page_of_the_measuring_data_can_be_read(shared_data: Path) -> None:
    sets = find_sets(shared_data / "extraction", "gold.jsonl")
    for data in sets:
        pages = list(read_gold(data))
        assert pages
        assert len({page.id for page in pages}) == len(pages)
        assert all(page.body() for page in pages[:3])
