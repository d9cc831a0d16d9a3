"""``scrapy evaluate extraction``: what is measured on which pages, and by which model."""

from __future__ import annotations

import gzip
import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from newsmon.corpora import GoldPage
from newsmon.evaluation import DataSet, Row, load
from newsmon.evaluation import extraction as protocol
from newsmon.evaluation.extraction import read, rows
from newsmon.evaluation.extraction.figures import Gold, PageScore, Reading, figures, quantile
from newsmon.model import Extract, Kind
from newsmon.page import Page
from newsmon.scoring import macro

PARAGRAPHS = [
    "The dam above the town was opened on Friday after eleven years of work and a dispute about its price.",
    "Engineers say it holds back forty million cubic metres, enough for two dry summers in the whole valley.",
    "The mayor thanked the builders and promised that the old road along the river would be open again in spring.",
    "Critics had doubted that the concrete would be dry in time, and asked for another test before the rains came.",
]
PAGE = """<!doctype html><html lang="en"><head><title>Dam opens | Courier</title>
<meta property="og:title" content="Dam opens"><meta property="og:url" content="http://courier.example/{name}">
<meta name="author" content="Ada Byron"><meta property="article:published_time" content="2024-05-01T10:00:00+02:00">
</head><body><ul><li><a href="/">Home</a></li><li><a href="/w">World</a></li></ul><article><h1>Dam opens</h1>
{body}</article><p>Copyright Courier</p></body></html>"""


def write_set(folder: Path, records: Sequence[Mapping[str, Any]], *, zipped: bool = False) -> Path:
    """A set in which every page has the paragraphs of its record."""
    (folder / "pages").mkdir(parents=True)
    text = "".join(json.dumps(record) + "\n" for record in records).encode()
    (folder / ("gold.jsonl.gz" if zipped else "gold.jsonl")).write_bytes(gzip.compress(text) if zipped else text)
    for record in records:
        body = "".join(f"<p>{paragraph}</p>" for paragraph in record.get("page", PARAGRAPHS))
        page = PAGE.format(name=record["id"], body=body).encode()
        (folder / "pages" / f"{record['id']}.html").write_bytes(page)
    return folder


def gold(name: str, text: Sequence[str] = PARAGRAPHS, **more: Any) -> dict[str, Any]:
    return {"id": name, "url": f"http://{name}.example/1", "lang": "en", "text": "\n".join(text), **more}


def whole_page(page: Page, **_: Any) -> Extract:
    """An extractor that takes every paragraph for the article."""
    assert page.tree is not None
    text = "\n".join(element.text_content() for element in page.tree.iter("p"))
    published = datetime(2024, 5, 1, 8, tzinfo=UTC)
    return Extract(kind=Kind.ARTICLE, text=text, title="Dam opens", authors=("Ada Byron",), published=published)


@pytest.fixture
def naive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measures the naive extractor in the place of newsmon's."""
    monkeypatch.setattr(protocol, "extract", whole_page)
    monkeypatch.setattr(protocol, "model_options", lambda method, site: {})


def measure(*folders: Path, method: Sequence[str] = ("auto",), **options: Any) -> dict[tuple[str, str, str], Row]:
    chosen = Namespace(**{"method": list(method), "seen": False, "pages": None, **options})
    sets = [DataSet(folder.name, folder) for folder in folders]
    found = list(load("extraction").measure(sets, chosen, lambda *_: None))
    assert len({(row.method, row.group, row.metric) for row in found}) == len(found)
    return {(row.method, row.group, row.metric): row for row in found}


# --- figures ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("naive")
def test_figures_by_hand(tmp_path: Path) -> None:
    known = {"title": "Dam opens", "published": "2024-05-01", "authors": ["Ada Byron"]}
    wrong = {"title": "Dam opens!", "published": "2024-05-02", "authors": ["Ada Byron", "Max Born"]}
    write_set(tmp_path / "one", [gold("a", **known), gold("b", PARAGRAPHS[:2], **wrong), gold("c")])
    found = {metric: row for (_, _, metric), row in measure(tmp_path / "one").items()}
    assert {name: (found[name].value, found[name].n) for name in ("title_exact", "date_day", "as_article")} == {
        "title_exact": (0.5, 2),
        "date_day": (0.5, 2),
        "as_article": (1, 3),
    }
    assert found["author_f1"].value == pytest.approx((1 + 2 / 3) / 2)
    assert found["recall"].value == 1
    assert found["precision"].value < 1  # the line of copyright, and on one page two paragraphs too many
    assert found["line_f1"].value == pytest.approx(2 * p / (p + 1) if (p := (4 / 5 + 2 / 5 + 4 / 5) / 3) else 0)
    assert found["cpu_ms_p95"].value >= found["cpu_ms_median"].value > 0
    assert "errors" not in found


@pytest.mark.usefixtures("naive")
def test_a_set_is_a_group_and_all_are_all(tmp_path: Path) -> None:
    write_set(tmp_path / "one", [gold("a"), gold("b")])
    write_set(tmp_path / "two", [gold("c", PARAGRAPHS[:1])], zipped=True)
    found = measure(tmp_path / "one", tmp_path / "two")
    assert {group for _, group, _ in found} == {"one", "two", "all"}
    one, two, both = (found["default", group, "precision"] for group in ("one", "two", "all"))
    assert both.value == pytest.approx((2 * one.value + two.value) / 3)
    assert (one.n, two.n, both.n) == (2, 1, 3)


@pytest.mark.usefixtures("naive")
def test_segments_have_their_own_precision_and_recall_and_are_not_in_all(tmp_path: Path) -> None:
    segments = {"with_": ["dam above the town", "nowhere on the page"], "without": ["Copyright Courier", "Log in"]}
    write_set(tmp_path / "one", [gold("a")])
    write_set(tmp_path / "two", [gold("b", [], **segments)])
    found = measure(tmp_path / "one", tmp_path / "two")
    assert [found["default", "two", metric].value for metric in ("precision", "recall", "f1")] == [0.5, 0.5, 0.5]
    assert found["default", "two", "f1"].n == 4
    assert ("default", "two", "line_f1") not in found
    assert found["default", "all", "f1"].value == found["default", "one", "f1"].value
    alone = measure(tmp_path / "two")
    assert alone["default", "all", "f1"].value == 0.5


@pytest.mark.usefixtures("naive")
def test_a_page_whose_gold_is_empty_says_nothing_of_the_text(tmp_path: Path) -> None:
    write_set(tmp_path / "one", [gold("a"), gold("b", [], title="Dam opens")])
    found = measure(tmp_path / "one")
    assert found["default", "all", "f1"].n == 1
    assert found["default", "all", "title_exact"].n == 1


def test_an_error_of_the_extractor_is_a_page_without_text_and_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moody(page: Page, **_: Any) -> Extract:
        if "b.example" in page.url:
            raise ZeroDivisionError
        return whole_page(page)

    monkeypatch.setattr(protocol, "extract", moody)
    monkeypatch.setattr(protocol, "model_options", lambda method, site: {})
    write_set(tmp_path / "one", [gold("a"), gold("b")])
    found = measure(tmp_path / "one")
    assert found["default", "all", "errors"].value == 1
    assert found["default", "all", "recall"].value == 0.5
    assert found["default", "all", "as_article"].value == 0.5


def test_rows_are_those_of_the_scorer() -> None:
    page = GoldPage("a", "set", Path("a.html"), text="one two three four five", language="en")
    texts = ["one two three four five", "one two three four", "", "six"]
    scores = [Gold(page).compare("m", Reading(text, cpu_ms=float(number))) for number, text in enumerate(texts)]
    found = {row.metric: row.value for row in figures("m", "g", scores)}
    expected = macro([score.text for score in scores if score.text])
    assert (found["precision"], found["recall"], found["f1"]) == expected[:3]
    assert (found["cpu_ms_median"], found["cpu_ms_p95"]) == pytest.approx((1.5, 2.85))
    assert "as_article" not in found  # no kind was told
    assert quantile([], 0.5) == 0


def test_methods_are_compared_within_a_group() -> None:
    page = GoldPage("a", "set", Path("a.html"), text="one two three four")
    scores: list[PageScore] = [Gold(page).compare(name, Reading("one two three four", 1)) for name in ("x", "y")]
    assert [(row.method, row.group) for row in rows(scores, ["set"]) if row.metric == "f1"] == [
        ("x", "all"),
        ("y", "all"),
    ]


# --- the extractor ----------------------------------------------------------------------------------------------------


def test_a_page_is_read_from_its_bytes_with_all_its_metadata(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "one", [gold("a")])
    page = GoldPage("a", "one", folder / "pages" / "a.html", url="http://courier.example/a")
    reading = read(page, page.body(), "auto")
    assert not reading.failed
    assert (reading.title, reading.authors) == ("Dam opens", ("Ada Byron",))
    assert reading.published is not None
    assert reading.published.isoformat() == "2024-05-01T10:00:00+02:00"
    assert reading.cpu_ms > 0


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7", b"\x00\xff" * 100, b"<b>" * 100_000, b"few words"])
def test_bad_pages_are_measured_like_others(body: bytes) -> None:
    reading = read(GoldPage("a", "one", Path("a.html"), url="http://a.example/1"), body, "auto")
    assert not reading.failed
    assert reading.kind != "article"


def test_the_command_prints_a_table_and_writes_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_set(tmp_path / "data" / "one", [gold("a", title="Dam opens")])
    write_set(tmp_path / "data" / "two", [gold("b")], zipped=True)
    report, pages = tmp_path / "out.json", tmp_path / "pages.jsonl"
    assert evaluate("extraction", tmp_path / "data", "--json", report, "--pages", pages) == 0
    found = json.loads(report.read_text())
    assert (found["what"], found["data"]) == ("extraction", "data")
    assert {row["method"] for row in found["rows"]} == {"default", "paper"}
    assert {row["group"] for row in found["rows"]} == {"one", "two", "all"}
    assert {"f1", "precision", "recall", "line_f1", "title_exact", "cpu_ms_median", "cpu_ms_p95"} <= {
        row["metric"] for row in found["rows"]
    }
    lines = [json.loads(line) for line in pages.read_text().splitlines()]
    assert [(line["set"], line["id"], line["method"]) for line in lines] == [
        ("one", "a", "default"),
        ("one", "a", "paper"),
        ("two", "b", "default"),
        ("two", "b", "paper"),
    ]
    assert lines[0]["title_exact"] is True
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("line_f1", "title_exact", "cpu_ms_median", "default", "paper", "all"))


def test_methods_are_chosen(tmp_path: Path) -> None:
    write_set(tmp_path / "one", [gold("a")])
    report = tmp_path / "out.json"
    assert evaluate("extraction", tmp_path / "one", "--method", "svm", "--json", report) == 0
    assert {row["method"] for row in json.loads(report.read_text())["rows"]} == {"svm"}
    assert evaluate("extraction", "--method", "auto,paper", "--method", "svm", tmp_path / "one", "--json", report) == 0
    assert {row["method"] for row in json.loads(report.read_text())["rows"]} == {"default", "paper", "svm"}


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["extraction"], 2, "--method"),
        (["extraction", "nowhere"], 1, "nowhere: no such folder"),
        (["extraction", "."], 1, "gold.jsonl"),
        (["extraction", "empty"], 1, "no page of empty"),
        (["extraction", "empty", "--method", "best"], 2, "choose from auto, svm, paper"),
        (["extraction", "empty", "--pages", "no/such/file"], 1, "no/such: no such folder to write to"),
    ],
)
def test_bad_input_is_named(
    args: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if "empty" in args:
        write_set(tmp_path / "empty", [])
    assert evaluate(*args) == code
    assert message in " ".join(capsys.readouterr().err.split())


def evaluate(*args: object) -> int:
    """Run `scrapy evaluate` in this process and give its exit code."""
    settings = Settings({"COMMANDS_MODULE": "newsmon.commands.evaluate"})
    with pytest.raises(SystemExit) as end:
        execute(["scrapy", "evaluate", *map(str, args)], settings)
    assert isinstance(end.value.code, int)
    return end.value.code
