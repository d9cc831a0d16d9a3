"""``scrapy extract``: a line per page whatever the page is, in every format, from files, folders, pipes, addresses."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from lxml import etree
from scrapy.utils.project import get_project_settings

from newsmon.commands.extract import Command
from newsmon.commands.extractactions.outputs import FIELDS, MORE_FIELDS
from newsmon.farm import Farm
from newsmon.page import MAX_BYTES
from newsmon.saved import is_page_name, page_files, page_id, stated_address
from tests.crawling import ROOT, Ended, command, scrapy

PARAGRAPHS = [
    "The dam above the town was opened on Friday after eleven years of work and a dispute about its price.",
    "Engineers say it holds back forty million cubic metres, enough for two dry summers in the whole valley.",
    "The mayor thanked the builders and promised that the old road along the river would be open again in spring.",
    "Critics had doubted that the concrete would be dry in time, and asked for another test before the rains came.",
]
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dam opens | Courier</title>
<link rel="canonical" href="http://www.courier.example/dam"><meta property="og:title" content="Dam opens">
<meta name="author" content="Ada Byron"><meta property="article:published_time" content="2024-05-01T10:00:00+02:00">
<meta property="article:section" content="Valley"></head>
<body><nav><a href="/">Home</a></nav><article><h1>Dam opens</h1><div class="story">{}</div></article></body></html>
""".format("".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS))
RULES = """
domain: courier.example
versions:
  - id: "2024"
    text: ["//div[@class='story']/p"]
    title: ["//h1"]
"""


class Ran(NamedTuple):
    """How the command ended in this process, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the command in this process, where nothing is fetched."""

    def run_(*arguments: Any) -> Ran:
        extract = Command()
        extract.settings = get_project_settings()
        extract.crawler_process = cast("Any", None)
        parser = ArgumentParser(conflict_handler="resolve")
        extract.add_options(parser)
        options, rest = parser.parse_known_args([str(argument) for argument in arguments])
        extract.process_options(rest, options)
        extract.run(rest, options)
        out, err = capsysbinary.readouterr()
        return Ran(extract.exitcode, out.decode(), err.decode())

    return run_


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "2024_dam.html.gz"
    file.write_bytes(gzip.compress(PAGE.encode()))
    return file


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "courier.example.yaml").write_text(RULES, "utf-8")
    return folder


# --- JSON Lines -------------------------------------------------------------------------------------------------------


def test_a_page_is_a_line(run: Run, page: Path, rules: Path) -> None:
    ran = run(page, "--rules", rules)
    assert ran.code == 0
    (line,) = ran.lines
    assert list(line) == ["id", "url", *FIELDS]
    assert line["id"] == "2024_dam"
    assert line["url"] == "http://www.courier.example/dam"
    assert (line["title"], line["authors"], line["language"]) == ("Dam opens", ["Ada Byron"], "en")
    assert line["published"] == "2024-05-01T10:00:00+02:00"
    assert line["text"] == "\n\n".join(PARAGRAPHS)
    assert (line["kind"], line["method"]) == ("article", "rule")


def test_all_fields_on_demand(run: Run, page: Path, rules: Path) -> None:
    (line,) = run("--all", page, "--rules", rules).lines
    assert list(line) == ["id", "url", *FIELDS, *MORE_FIELDS]
    assert (line["section"], line["canonical_url"]) == ("Valley", "http://www.courier.example/dam")
    assert line["paragraphs"][0] == {"text": PARAGRAPHS[0], "role": "paragraph", "level": 0}
    assert line["origins"]["text"] == "rule:2024"


def test_the_address_may_be_told(run: Run, page: Path, rules: Path) -> None:
    (line,) = run(page, "--url", "https://other.example/x", "--rules", rules).lines
    assert (line["url"], line["method"] != "rule") == ("https://other.example/x", True)


def test_folders_are_walked(run: Run, tmp_path: Path, page: Path) -> None:
    inner = tmp_path / "set" / "pages" / "2024"
    inner.mkdir(parents=True)
    for name in ("b.html", "a.htm.gz", "c.XHTML", "notes.txt", "gold.jsonl.gz"):
        (inner / name).write_bytes(page.read_bytes())
    ran = run(tmp_path / "set", page)
    assert [line["id"] for line in ran.lines] == ["a", "b", "c", "2024_dam"]
    assert all(line["title"] == "Dam opens" for line in ran.lines)


def test_standard_input_is_a_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
    (line,) = run("--url", "http://courier.example/1", "-").lines
    assert (line["id"], line["url"], line["title"]) == ("stdin", "http://courier.example/1", "Dam opens")


BAD = {
    "empty.html": b"",
    "space.html": b" \n ",
    "report.pdf": b"%PDF-1.7 ...",
    "noise.html": bytes(range(256)) * 40,
    "cut.html.gz": gzip.compress(PAGE.encode())[:-40],
    "deep.html": b"<b>" * 200_000,
    "huge.html": b" " + b"x" * MAX_BYTES,
    "attributes.html": b"<p " + b" ".join(b"a%d" % number for number in range(200_000)) + b">x",
    "cells.html": b"<table><tr><td colspan=9e15>x</table>",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_lines_with_a_reason(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BAD[name])
    ran = run(tmp_path / name)
    (line,) = ran.lines
    assert (line["kind"], line["text"]) == ("unparsable", "")
    assert line["reason"]
    assert "Traceback" not in ran.err
    assert ran.code == (1 if name == "cut.html.gz" else 0)


@pytest.mark.parametrize("body", [b"just words", b"<html", b"<!-- -->", PAGE.encode()[:300], b"\xff\xfe<\x00p\x00"])
def test_odd_pages_are_lines_and_no_articles(run: Run, tmp_path: Path, body: bytes) -> None:
    (tmp_path / "odd.html").write_bytes(body)
    ran = run(tmp_path / "odd.html")
    assert ran.code == 0
    (line,) = ran.lines
    assert line["kind"] != "article"
    assert line["reason"]


def test_what_is_not_there_is_a_line_too(run: Run, tmp_path: Path, page: Path) -> None:
    (tmp_path / "folder").mkdir()
    locked = tmp_path / "folder.html"
    locked.mkdir()
    ran = run(tmp_path / "none.html", page, tmp_path / "folder", locked, "a\0b")
    assert ran.code == 1
    assert [line["kind"] for line in ran.lines][:1] + [line["kind"] for line in ran.lines][2:] == ["unparsable"] * 4
    assert "No such file" in ran.lines[0]["reason"]
    assert ran.lines[1]["title"] == "Dam opens"
    assert "no page in this folder" in ran.lines[2]["reason"]


def test_names_that_are_no_unicode_can_be_printed(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/d\xe9j\xe0.html")
    try:
        Path(name).write_text(PAGE)
    except OSError:
        pytest.skip("the file system wants Unicode")
    (line,) = run(name).lines
    assert line["id"] == "d\ufffdj\ufffd"


def test_every_encoding_comes_out_as_utf8(run: Run, tmp_path: Path) -> None:
    text = "Плотину над городом открыли в пятницу после одиннадцати лет работы и спора о цене. " * 6
    body = f"<html lang=ru><title>Плотина</title><h1>Плотина</h1><article><p>{text}</article>"
    (tmp_path / "ru.html").write_bytes(body.encode("windows-1251"))
    (line,) = run(tmp_path / "ru.html").lines
    assert line["title"] == "Плотина"


# --- other formats ----------------------------------------------------------------------------------------------------


def test_text(run: Run, page: Path, rules: Path) -> None:
    assert run(page, "--rules", rules, "--format", "text").out == "\n\n".join(PARAGRAPHS) + "\n"
    assert run(page, page, "--rules", rules, "--format", "text").out.count("\f\n") == 1


def test_markdown(run: Run, page: Path, rules: Path) -> None:
    out = run(page, "--rules", rules, "--format", "markdown").out
    assert out.startswith("---\nurl: http://www.courier.example/dam\n")
    assert "# Dam opens\n" in out
    assert all(paragraph in out for paragraph in PARAGRAPHS)


def test_xml(run: Run, page: Path, rules: Path) -> None:
    root = etree.fromstring(run(page, "--rules", rules, "--format", "xml").out.encode())
    assert [found.text for found in root.iter("p")] == PARAGRAPHS
    assert root.findtext("head/title") == "Dam opens"


def test_several_documents_go_to_a_folder(run: Run, tmp_path: Path, page: Path, rules: Path) -> None:
    other = tmp_path / "other" / "2024_dam.html"
    other.parent.mkdir()
    other.write_text("<p>Nothing here")
    out = tmp_path / "new" / "out"
    ran = run(page, other, "--rules", rules, "--format", "xml", "--output", out)
    assert (ran.code, ran.out) == (0, "")
    assert sorted(file.name for file in out.iterdir()) == ["2024_dam-2.xml", "2024_dam.xml"]
    assert "2024_dam: " in ran.err  # the second is no article
    assert etree.parse(out / "2024_dam.xml").findtext("head/title") == "Dam opens"


def test_output_to_a_file(run: Run, tmp_path: Path, page: Path, rules: Path) -> None:
    out = tmp_path / "out.jsonl"
    ran = run(page, page, "--output", out)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()] == ["2024_dam"] * 2
    run(page, "--rules", rules, "--format", "text", "--output", tmp_path / "one.txt")
    assert (tmp_path / "one.txt").read_text() == "\n\n".join(PARAGRAPHS) + "\n"


# --- the methods ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "svm", "paper"])
def test_methods(run: Run, page: Path, method: str) -> None:
    (line,) = run(page, "--method", method).lines
    assert line["title"] == "Dam opens"
    assert line["kind"] != "unparsable"


# --- wrong usage ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a saved page"),
        (["page", ""], "an empty name is no page"),
        (["page", "--rules", "nowhere"], "there is no rule file or folder nowhere"),
        (["page", "--url", "mailto:me"], "mailto:me"),
        (["page", "page", "--url", "http://a.example/"], "of one page"),
        (["page", "page", "--format", "xml"], "name a folder with --output"),
        (["page", "page", "--format", "text", "--output", "page"], "is no folder"),
        (["page", "--output", "no/such/file"], "no/such/file: No such file"),
        (["page", "--fast"], "unknown options: --fast"),
    ],
)
def test_wrong_usage_is_exit_code_2(
    run: Run, page: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(page.parent)
    page.rename(page.with_name("page"))
    ran = run(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.out == ""
    assert (page.parent / "page").read_bytes()[:2] == b"\x1f\x8b"  # what was there is not overwritten


def test_broken_rules_of_the_site_are_named(run: Run, page: Path, rules: Path) -> None:
    (rules / "courier.example.yaml").write_text("domain: courier.example\nversions: [{text: ['//p[']}]\n")
    ran = run(page, "--rules", rules)
    (line,) = ran.lines
    assert ran.code == 1
    assert line["kind"] == "unparsable"
    assert "courier.example.yaml" in line["reason"]


# --- the program ------------------------------------------------------------------------------------------------------


def test_the_help_tells_a_stranger_what_to_do() -> None:
    shown = " ".join(command("extract", "--help").check(0).log.split())
    for word in ("FILE_OR_URL", "--rules DIR", "--format", "--output FILE", "--method", "Exit code 0", "gzipped"):
        assert word in shown


def test_a_reader_may_stop_reading(page: Path) -> None:
    pipe = subprocess.Popen(
        [*scrapy("extract"), *[str(page)] * 300],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C"},
    )
    assert pipe.stdout is not None
    assert pipe.stderr is not None
    assert json.loads(pipe.stdout.readline())["id"] == "2024_dam"
    pipe.stdout.close()
    errors = pipe.stderr.read().decode()
    pipe.wait(60)
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with Farm(sites=["zarya.example", "stumm.example"], articles=3) as farm:
        yield farm


def on_farm(farm: Farm, *arguments: str) -> Ended:
    settings = {
        "NEWSMON_ALLOW_ADDRESSES": "127.0.0.1",
        "NEWSMON_CONNECT_TO": json.dumps(farm.connect_to),
        "DOWNLOAD_DELAY": 0,
    }
    flags = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return command("extract", *arguments, *flags)


def test_addresses_are_fetched_as_the_crawl_would(farm: Farm, page: Path) -> None:
    url = next(page.url for page in farm.expected if page.site == "zarya.example" and page.outcome == "stored")
    names = [url, "http://stumm.example/", str(page), "http://zarya.example/nowhere", "http://127.0.0.2/admin"]
    names += ["http:///nobody", "http://[x/"]
    ended = on_farm(farm, *names).check(1)
    lines = [json.loads(line) for line in ended.log.splitlines()]
    assert [line["id"] for line in lines] == [*names[:2], "2024_dam", *names[3:]]
    assert lines[0]["title"]
    assert lines[0]["kind"] != "unparsable"
    assert "robots.txt: unreachable" in lines[1]["reason"]
    assert lines[2]["title"] == "Dam opens"
    assert "answered 404" in lines[3]["reason"]
    assert "127.0.0.2" in lines[4]["reason"]
    assert [line["kind"] for line in lines[5:]] == ["unparsable"] * 2
    assert lines[5]["reason"] == "cannot be fetched: has no readable host"
    assert next(hit.target for hit in farm.hits("zarya.example")) == "/robots.txt"
    assert not farm.hits("stumm.example", "/")


# --- saved pages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.html", "a"),
        ("x/a.html.gz", "a"),
        ("a.b.html", "a.b"),
        ("a.gz", "a"),
        ("a.HTM", "a"),
        ("a.html.html", "a.html"),
        ("archive.tar.gz", "archive.tar"),
        (".html", ""),
    ],
)
def test_ids_are_names_without_their_ends(name: str, expected: str) -> None:
    assert page_id(name) == expected


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.html").write_text("x")
    (tmp_path / "in" / "loop").symlink_to(tmp_path)
    (tmp_path / "in" / "b.html.gz").write_text("x")
    assert page_files(tmp_path / "in") == [tmp_path / "in" / "b.html.gz"]
    assert not is_page_name("a.html.txt")


@pytest.mark.parametrize(
    ("markup", "address"),
    [
        (b'<LINK REL="canonical" HREF="http://a.example/1">', "http://a.example/1"),
        (b"<meta content='http://a.example/?x=1&amp;y=2' property='og:url'/>", "http://a.example/?x=1&y=2"),
        (
            b'<link rel="alternate" href="http://b.example/"><link rel=canonical href=http://a.example/1>',
            "http://a.example/1",
        ),
        (b'<link rel="canonical" href="/1">', None),
        (b'<link rel="canonical" href="http://[x/1">', None),
        (
            b'<meta property=og:url content="http://[x/"><link rel=canonical href="http://a.example/">',
            "http://a.example/",
        ),
        (b'<a rel="canonical" href="http://a.example/1">', None),
        (b"<meta " * 100_000, None),
        (b"", None),
    ],
)
def test_the_address_a_page_gives_itself(markup: bytes, address: str | None) -> None:
    assert stated_address(markup) == address
