"""``from newsmon import extract``: whatever a notebook has at hand, and nothing raised for what a page contains."""

from __future__ import annotations

import gzip
import json
import logging
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import newsmon
from newsmon import extract
from newsmon.errors import RuleError
from newsmon.library import library_of
from newsmon.model import Extract, Kind
from newsmon.rulefile import read_rules
from newsmon.siterules import SiteRules

PARAGRAPHS = [
    "Плотину над городом открыли в пятницу после одиннадцати лет работы и долгого спора о её цене.",
    "Инженеры говорят, что она удержит сорок миллионов кубометров, этого хватит на два сухих лета в долине.",
    "Мэр поблагодарил строителей и обещал, что старая дорога вдоль реки снова откроется весной.",
]
PAGE = """<!doctype html><html lang="ru"><head><meta charset="windows-1251"><title>Плотина | Курьер</title>
<link rel="canonical" href="http://courier.example/dam"><meta property="og:title" content="Плотина открыта"></head>
<body><article><h1>Плотина открыта</h1><time>вчера, 12:00</time><div class="story">{}</div></article></body></html>
""".format("".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS))
RULE_FILE = """
domain: courier.example
versions:
  - id: "2024"
    text: ["//div[@class='story']/p"]
    published: ["//time"]
"""
TEXT = "\n\n".join(PARAGRAPHS)


@pytest.fixture
def rules() -> SiteRules:
    found = read_rules(RULE_FILE, file="courier.example.yaml").rules
    assert found is not None
    return found


def is_right(found: Extract) -> bool:
    return (found.kind, found.title, found.text, found.method) == (Kind.ARTICLE, "Плотина открыта", TEXT, "rule")


# --- sources ----------------------------------------------------------------------------------------------------------


def test_bytes_text_and_files_give_the_same(tmp_path: Path, rules: SiteRules) -> None:
    body = PAGE.encode("windows-1251")
    plain, zipped = tmp_path / "dam.html", tmp_path / "dam.html.gz"
    plain.write_bytes(body)
    zipped.write_bytes(gzip.compress(body))
    sources = (
        body,
        bytearray(body),
        memoryview(body),
        gzip.compress(body),
        PAGE,
        plain,
        str(plain),
        zipped,
        str(zipped),
    )
    for source in sources:
        assert is_right(extract(source, rules=rules)), source


def test_the_header_of_the_response_helps(rules: SiteRules) -> None:
    body = PAGE.replace('<meta charset="windows-1251">', "").encode("koi8-r")
    assert is_right(extract(body, rules=rules, content_type="text/html; charset=koi8-r"))


def test_text_is_never_taken_for_an_encoding_it_names(rules: SiteRules) -> None:
    assert is_right(extract(PAGE.replace("windows-1251", "shift_jis"), rules=rules))


def test_text_that_is_no_path_is_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saved").write_bytes(PAGE.encode("windows-1251"))
    assert extract("saved").title == "Плотина открыта"
    for text in ("no file of this name", "a\0b", "line\nsaved", ""):
        assert extract(text).kind is not Kind.ARTICLE
    assert extract("One long text without markup. " * 300).text.startswith("One long text")


@pytest.mark.parametrize("text", ["https://courier.example/dam", " HTTP://courier.example/dam.html "])
def test_an_address_is_not_fetched_and_no_page(text: str) -> None:
    found = extract(text)
    assert (found.kind, "fetch it first" in (found.reason or "")) == (Kind.UNPARSABLE, True)


@pytest.mark.parametrize("broken", ["http://[x/", "http://\u2100.example/", "nowhere"])
def test_a_broken_address_leaves_the_page_readable(broken: str) -> None:
    assert extract(PAGE, url=broken).title == "Плотина открыта"
    assert extract(PAGE.replace("http://courier.example/dam", broken)).title == "Плотина открыта"


@pytest.mark.parametrize("path", ["none.html", "none.html.gz", Path("none"), Path("none.html")])
def test_a_path_to_nothing_is_an_error_of_the_caller(path: str | Path) -> None:
    with pytest.raises(FileNotFoundError, match="none"):
        extract(path)


def test_other_troubles_with_a_file_are_told(tmp_path: Path) -> None:
    (tmp_path / "cut.html.gz").write_bytes(gzip.compress(PAGE.encode())[:-30])
    for source in (tmp_path, tmp_path / "cut.html.gz", (tmp_path / "cut.html.gz").read_bytes()):
        found = extract(source)
        assert found.kind is Kind.UNPARSABLE
        assert "cannot be read" in (found.reason or "")


# --- rules, address, time ---------------------------------------------------------------------------------------------


def test_rules_in_every_form(tmp_path: Path, rules: SiteRules) -> None:
    (tmp_path / "courier.example.yaml").write_text(RULE_FILE, "utf-8")
    forms = (rules, library_of([rules]), tmp_path, str(tmp_path), tmp_path / "courier.example.yaml")
    assert all(is_right(extract(PAGE, rules=form)) for form in forms)
    assert extract(PAGE, rules=tmp_path, url="http://other.example/").method != "rule"
    assert is_right(extract(PAGE, rules=tmp_path, url="https://www.courier.example/else"))


def test_rules_that_cannot_be_used_are_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no rule file or folder"):
        extract(PAGE, rules=tmp_path / "none")
    (tmp_path / "courier.example.yaml").write_text("domain: courier.example\nversions: [{text: ['//p[']}]", "utf-8")
    with pytest.raises(RuleError, match=r"courier\.example\.yaml"):
        extract(PAGE, rules=tmp_path)
    assert extract(PAGE, rules=tmp_path, url="http://other.example/").title == "Плотина открыта"


def test_yesterday_depends_on_when_the_page_was_seen(rules: SiteRules) -> None:
    found = extract(PAGE, rules=rules, fetched_at=datetime(2024, 5, 2, 9, tzinfo=UTC))
    assert found.published == datetime(2024, 5, 1, 12, tzinfo=UTC)
    with pytest.raises(ValueError, match="no time zone"):
        extract(PAGE, fetched_at=datetime(2024, 5, 2))  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize("method", ["auto", "svm", "paper"])
def test_methods(method: newsmon.reading.Method) -> None:
    assert extract(PAGE, method=method).title == "Плотина открыта"


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="auto, svm, paper"):
        extract(PAGE, method="best")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="got int"):
        extract(7)  # type: ignore[arg-type]


# --- bad pages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"%PDF-1.7",
        b"\x89PNG\r\n",
        bytes(range(256)) * 9,
        b"<b>" * 200_000,
        b"<!-- -->",
        b"<html><body></body></html>",
        b"\xff\xfe",
        b"<table><td colspan=9e15>",
        PAGE.encode()[:200],
    ],
)
def test_bad_pages_are_no_articles_and_say_why(body: bytes) -> None:
    found = extract(body)
    assert found.kind is not Kind.ARTICLE
    assert found.reason


@pytest.mark.parametrize("body", [b"word " * 100_000, b"x" * 3_000_000, PAGE.encode()[:-300], PAGE.encode()[300:]])
def test_odd_pages_have_a_clear_result(body: bytes) -> None:
    found = extract(body)
    assert (found.kind is Kind.ARTICLE) == (found.reason is None)
    assert found.kind is not Kind.ARTICLE or found.text


@settings(max_examples=60)
@given(st.binary(max_size=400) | st.text(max_size=400) | st.text("<>/ap \"'=&;!-", max_size=200))
def test_no_page_raises(source: bytes | str) -> None:
    found = extract(source if isinstance(source, bytes) else f"<p>{source}")
    assert found.kind is not Kind.ARTICLE
    assert not (found.reason or "").startswith("newsmon failed")


@settings(max_examples=40)
@given(st.binary(max_size=30), st.integers(0, len(PAGE.encode())))
def test_damage_anywhere_does_not_raise(noise: bytes, where: int) -> None:
    body = PAGE.encode()
    found = extract(body[:where] + noise + body[where:])
    assert not (found.reason or "").startswith("newsmon failed")


def test_a_fault_of_newsmon_is_a_result_too(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fails(*_: object, **__: object) -> Extract:
        raise ZeroDivisionError

    monkeypatch.setattr("newsmon.sandbox.extract", fails)
    with caplog.at_level(logging.CRITICAL):
        found = extract(PAGE)
    assert found.kind is Kind.UNPARSABLE
    assert "newsmon failed" in (found.reason or "")


# --- the package ------------------------------------------------------------------------------------------------------


def test_importing_newsmon_stays_cheap() -> None:
    program = """
import json, sys
before = set(sys.modules)
import newsmon
cheap = {name.partition(".")[0] for name in set(sys.modules) - before}
from newsmon import extract
json.dump([sorted(cheap & {"lxml", "numpy", "pydantic", "scrapy"}), "scrapy" in sys.modules, extract.__module__],
          sys.stdout)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [[], False, "newsmon.reading"]


def test_what_the_package_offers_is_listed() -> None:
    assert "extract" in dir(newsmon)
    assert newsmon.extract is extract
    with pytest.raises(AttributeError, match="has no attribute 'extrakt'"):
        _ = newsmon.extrakt
