"""``scrapy rules``: what a user sees, the exit codes, and that pages are fetched like the crawl fetches them."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from scrapy.exceptions import UsageError
from scrapy.utils.project import get_project_settings

from newsmon.commands.ruleactions.consoles import plain_console
from newsmon.commands.ruleactions.discovering import Discovery, show
from newsmon.commands.rules import Command
from newsmon.extraction import extract
from newsmon.farm import Farm
from newsmon.feeds.discovery import FoundFeed, Source
from newsmon.fixtures import differences, load_fixtures
from newsmon.library import load_library
from newsmon.rulefile import read_rules
from tests.crawling import Ended, command

RULES = """
domain: a.example
feeds: [http://a.example/rss]
language: en
time_zone: UTC
versions:
  - id: "2020"
    valid_until: 2024-01-31
    text: ["//div[@id='old']/p"]
    title: ["//h1"]
  - id: "2024"
    valid_from: 2024-01-01
    text: ["//article/p"]
    title: ["//h1"]
"""
PAGE = """<!doctype html><html lang="en"><head><title>t</title><link rel="canonical" href="http://www.a.example/dam">
</head><body><h1>The dam [opens]</h1><article>{}</article></body></html>""".format(
    "".join(f"<p>Paragraph {number} of the story about the dam, long enough to be one.</p>" for number in range(9))
)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "a.example.yaml").write_text(RULES, "utf-8")
    return folder


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "dam.html.gz"
    file.write_bytes(gzip.compress(PAGE.encode()))
    return file


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process, where nothing is fetched."""

    def run_(*arguments: Any) -> Ended:
        rules = Command()
        rules.settings = get_project_settings()
        rules.crawler_process = cast("Any", object())
        parser = ArgumentParser(conflict_handler="resolve")
        rules.add_options(parser)
        options, rest = parser.parse_known_args([str(argument) for argument in arguments])
        rules.process_options(rest, options)
        rules.run(rest, options)
        return Ended(rules.exitcode, capsys.readouterr().out)

    return run_


def as_json(ended: Ended) -> Any:
    return json.loads(ended.log)


# --- check


def test_check_is_silent_about_good_files(run: Run, rules: Path) -> None:
    assert "1 rule files: 1 good, 0 broken." in run("check", rules).check(0).log


def test_check_names_every_problem(run: Run, rules: Path) -> None:
    (rules / "b.yaml").write_text("domain: b.example\ntitel: x\nlanguage: no\n", "utf-8")
    (rules / "c.yaml").write_text("domain: a.example\n", "utf-8")
    ended = run("check", rules).check(1)
    assert f"{rules}/b.yaml:2: unknown key 'titel'" in ended.log
    assert f"{rules}/b.yaml:3: language: YAML reads no as true or false" in ended.log
    assert f"{rules}/c.yaml: a.example has rules in {rules}/a.example.yaml already" in ended.log
    assert "3 rule files: 1 good, 2 broken." in ended.log
    problems = as_json(run("check", "--json", rules).check(1))["problems"]
    assert [(problem["site"], problem["line"]) for problem in problems] == [
        ("b.example", 2),
        ("b.example", 3),
        ("a.example", None),
    ]


def test_check_reads_the_rules_of_the_crawl(run: Run, rules: Path) -> None:
    assert as_json(run("check", "--json").check(0))["sites"] == len(load_library().sites)
    assert as_json(run("check", "--json", "-s", f"NEWSMON_RULES_DIR={rules}").check(0))["sites"] == 1


def test_a_missing_folder_is_not_a_broken_rule(run: Run, tmp_path: Path) -> None:
    assert "there is no rule file or folder" in run("check", tmp_path / "nowhere").check(2).log
    assert "there is no rule file (*.yaml)" in run("check", tmp_path).check(2).log


# --- test


def test_a_saved_page_is_read_by_the_rules_of_the_address_it_gives_itself(run: Run, rules: Path, page: Path) -> None:
    log = run("test", page, "--rules", rules).check(0).log
    assert "The dam [opens]" in log
    assert "rule:2024" in log
    assert "(3 more paragraphs)" in log
    assert "no: until" in log


def test_each_version_is_tried(run: Run, rules: Path, page: Path) -> None:
    (found,) = as_json(run("test", page, "--rules", rules, "--date", "2024-01-15", "--json").check(0))
    assert found["fields"]["title"] == {"value": "The dam [opens]", "origin": "rule:2024"}
    assert [(version["id"], version["valid"], version["paragraphs"]) for version in found["versions"]] == [
        ("2024", True, 9),
        ("2020", True, 0),
    ]


def test_a_rule_that_gives_no_text_is_exit_code_1(run: Run, rules: Path, page: Path) -> None:
    log = run("test", page, "--rules", rules, "--date", "2023-01-01").check(1).log
    assert "rule 2020: its text XPaths select no text" in " ".join(log.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a saved page or an address"),
        (["nowhere.html"], "No such file"),
        (["PAGE", "--site", "b.example"], "there is no rule file for b.example"),
        (["PAGE", "--site", "not a site"], "is not a domain"),
        (["PAGE", "--date", "yesterday"], "write a day like 2024-01-31"),
        (["EMPTY", "--site", "a.example"], "the body is empty"),
        (["ANONYMOUS"], "the page does not say where it is from"),
        (["DAMAGED", "--site", "a.example"], "the gzip file is damaged"),
        (["FOLDER", "--site", "a.example"], "Is a directory"),
        (["[/nowhere].html"], "[/nowhere].html: cannot be read: No such file"),
    ],
)
def test_what_cannot_be_tried_is_exit_code_2(
    run: Run, rules: Path, page: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    names = {"EMPTY": "empty.html", "ANONYMOUS": "anonymous.html", "DAMAGED": "damaged.html.gz", "FOLDER": "."}
    files = {"PAGE": page} | {name: tmp_path / file for name, file in names.items()}
    files["EMPTY"].write_text("  ")
    files["DAMAGED"].write_bytes(page.read_bytes()[:-20])
    files["ANONYMOUS"].write_text("<p>text")
    ended = run("test", *(files.get(argument, argument) for argument in arguments), "--rules", rules).check(2)
    assert message in " ".join(ended.log.split())


def test_a_broken_rule_file_is_named(run: Run, rules: Path, page: Path) -> None:
    (rules / "a.example.yaml").write_text("domain: a.example\nlanguage: no\n", "utf-8")
    assert "a.example.yaml:2: language" in " ".join(run("test", page, "--rules", rules).check(2).log.split())


def test_a_fixture_is_kept_and_found_again(run: Run, rules: Path, page: Path, tmp_path: Path) -> None:
    kept = tmp_path / "pages"
    arguments = ["--rules", rules, "--date", "2024-05-01", "--save-fixture", "--fixtures", kept]
    run("test", page, *arguments).check(0)
    assert sorted(file.name for file in (kept / "a.example").iterdir()) == [
        "2024-05-01_dam.html.gz",
        "2024-05-01_dam.json",
    ]
    (fixture,) = load_fixtures(kept)
    site = load_library(rules).sites[fixture.site]
    assert fixture.expected["title"] == "The dam [opens]"
    assert not differences(fixture.expected, extract(fixture.page, rules=site))
    without = site.model_copy(update={"versions": ()})
    assert any(
        found.startswith("title: expected")
        for found in differences(fixture.expected, extract(fixture.page, rules=without))
    )


# --- pages and feeds of a site, fetched


@pytest.fixture(scope="module")
def farm() -> Iterator[Farm]:
    with Farm(
        sites=["zarya.example", "dumka.example", "trap.example", "stumm.example", "pulse.example"], articles=3
    ) as farm:
        yield farm


def on_farm(farm: Farm, *arguments: Any) -> Ended:
    settings = {
        "NEWSMON_ALLOW_ADDRESSES": "127.0.0.1",
        "NEWSMON_CONNECT_TO": json.dumps(farm.connect_to),
        "NEWSMON_BROWSER": "/nonexistent/browser",
        "DOWNLOAD_DELAY": 0,
    }
    flags = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return command("rules", *map(str, arguments), *flags)


def test_an_address_is_fetched_as_the_crawl_would(farm: Farm) -> None:
    url = next(page.url for page in farm.expected if page.site == "zarya.example" and page.outcome == "stored")
    (found,) = as_json(on_farm(farm, "test", url, "--json").check(0))
    assert found["passed"]
    assert found["fields"]["title"]["origin"] == "rule:2024"
    asked = [hit.target for hit in farm.hits("zarya.example")]
    assert asked[0] == "/robots.txt"


def test_what_the_crawl_would_not_fetch_is_not_fetched(farm: Farm) -> None:
    needs_browser = next(page.url for page in farm.expected if page.needs_browser)
    expected = {
        "http://stumm.example/": "robots.txt: unreachable (503)",
        "http://user@zarya.example/": "user",
        needs_browser: "needs a browser",
        "http://nobody.example/1": "there is no rule file for nobody.example",
        "http://zarya.example/nowhere": "answered 404",
    }
    found = as_json(on_farm(farm, "test", *expected, "--json").check(2))
    assert sorted(item["name"] for item in found) == sorted(expected)
    for item in found:
        assert expected[item["name"]] in item["problem"]
    assert not farm.hits("stumm.example", "/")


def test_a_private_address_is_refused() -> None:
    ended = command("rules", "test", "http://127.0.0.1/admin", "--site", "zarya.example", "--json").check(2)
    assert "127.0.0.1" in as_json(ended)[0]["problem"]


def test_feeds_are_discovered_and_make_a_rule_file(farm: Farm) -> None:
    found = as_json(on_farm(farm, "discover", "http://dumka.example/", "--json").check(0))
    rules = read_rules(found["rules"], file="found").rules
    assert rules is not None
    assert rules.domain == "dumka.example"
    assert [feed.url for feed in rules.feeds] == ["http://dumka.example/news-sitemap.xml"]
    assert rules.sitemaps == ("http://dumka.example/sitemap.xml",)


def test_discover_tells_no_feed_from_no_site(farm: Farm) -> None:
    assert "unreachable (503)" in on_farm(farm, "discover", "http://stumm.example/").check(2).log


def test_discover_needs_an_address(run: Run) -> None:
    assert "name one address" in run("discover").check(2).log


def test_titles_of_feeds_are_no_markup_and_have_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    feed = FoundFeed("http://a.example/[/rss]", "rss", "[/bold]" + "x" * 5000, 1, has_news=True, source=Source.LINK)
    show(Discovery("http://a.example/", [feed], {}), plain_console())
    assert "[/bold]" in capsys.readouterr().out


# --- import and export


def test_import_writes_rule_files_and_names_the_rest(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "ftr", tmp_path / "out"
    source.mkdir()
    (source / "a.example.txt").write_text("body: //article\nnext_page_link: //a\x85\n", "utf-8")
    (source / ".b.example.txt").write_text("strip: //aside\n", "utf-8")
    (source / "c.example.txt").write_text("tidy: no\n", "utf-8")
    (source / "LICENSE.txt").write_text("CC0", "utf-8")
    log = run("import", source, "--out", out).check(0).log
    assert "c.example.txt: not converted: nothing in it is a rule newsmon could use" in log
    assert "2 of 3 sites converted (66.7 %), 1 of them with XPaths for the text." in log
    assert sorted(file.name for file in out.iterdir()) == ["_.b.example.yaml", "a.example.yaml"]
    assert "next_page_link" in (out / "a.example.yaml").read_text("utf-8")
    assert "2 rule files: 2 good" in run("check", out).check(0).log
    (out / "a.example.yaml").write_text("domain: a.example\n", "utf-8")
    again = as_json(run("import", source, "--out", out, "--json").check(1))
    assert "write over it with --force" in again["not_converted"]["a.example.txt"]
    assert as_json(run("import", source, "--out", out, "--force", "--json").check(0))["converted"] == 2


def test_import_without_out_writes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.example.txt").write_text("body: //article\n", "utf-8")
    assert "Nothing was written" in run("import", tmp_path).check(0).log
    assert [file.name for file in tmp_path.iterdir()] == ["a.example.txt"]
    assert "there is no file or folder" in run("import", tmp_path / "nowhere").check(2).log


def test_a_list_of_feeds_becomes_rule_files_and_comes_back(run: Run, tmp_path: Path) -> None:
    listed, out = tmp_path / "feeds.opml", tmp_path / "out"
    listed.write_text(
        """<opml version="2.0"><body><outline text="News">
        <outline text="Заря" xmlUrl="http://feeds.example/zarya" htmlUrl="https://www.zarya.example/" language="ru"/>
        <outline text="Dumka" xmlUrl="http://dumka.example/a.xml"/><outline text="D" xmlUrl="http://dumka.example/b.xml"/>
        <outline text="mail" xmlUrl="http://user@mail.example/rss"/></outline></body></opml>""",
        "utf-8",
    )
    log = run("import", listed, "--out", out).check(0).log
    assert "http://user@mail.example/rss: not converted" in log
    assert "2 of 3 sites converted" in log
    sites = load_library(out).sites
    assert [(site.domain, site.name, len(site.feeds), site.language) for site in sites.values()] == [
        ("dumka.example", None, 2, None),
        ("zarya.example", "Заря", 1, "ru"),
    ]
    opml = run("export", "--opml", "--rules", out).check(0).log
    listed.write_text(opml, "utf-8")
    run("import", listed, "--out", tmp_path / "again").check(0)
    again = load_library(tmp_path / "again").sites
    assert {name: site.feeds for name, site in again.items()} == {name: site.feeds for name, site in sites.items()}
    assert "newsmon.opml written" in run("export", out, "--opml", "--out", tmp_path / "lists").check(0).log
    assert (tmp_path / "lists" / "newsmon.opml").read_text("utf-8") == opml


def test_what_is_no_list_of_feeds_is_named(run: Run, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "a.opml").write_text("<html>", "utf-8")
    assert "a.opml: not converted: cannot be read: not an OPML file" in run("import", tmp_path).check(1).log
    assert "no list of feeds (*.opml)" in run("import", rules).check(2).log
    (rules / "a.example.yaml").write_text("domain: a.example\n", "utf-8")
    assert "these rules have no feed" in run("export", "--opml", "--rules", rules).check(2).log


def test_out_must_be_a_folder(run: Run, rules: Path, page: Path) -> None:
    for action in ("import", "export"):
        assert "--out" in run(action, rules, "--out", page).check(2).log


def test_export_gives_back_what_was_imported(run: Run, rules: Path, tmp_path: Path) -> None:
    assert "body: //article/p" in run("export", "a.example", "--rules", rules).check(0).log
    assert "there is no rule file for b.example" in run("export", "b.example", "--rules", rules).check(2).log
    run("export", rules, "--out", tmp_path / "ftr").check(0)
    assert (tmp_path / "ftr" / "a.example.txt").read_text("utf-8").endswith("body: //article/p\ntitle: //h1\n")


# --- help


def test_the_help_tells_a_stranger_what_to_do() -> None:
    log = " ".join(command("rules", "--help").check(0).log.split())
    for told in (
        "scrapy rules check [DIR | FILE ...]",
        "scrapy rules discover URL",
        "Exit code 0: all is well",
        "docs/rules.md",
    ):
        assert told in log


def test_unknown_options_are_refused(run: Run) -> None:
    with pytest.raises(UsageError, match="unknown options: --frobnicate"):
        run("check", "--frobnicate")


def test_unknown_actions_are_refused(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("frobnicate")
    assert "invalid choice: 'frobnicate'" in capsys.readouterr().err
