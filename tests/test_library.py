"""The folder of rule files: a broken file stops only its site; wherever newsmon runs from, it finds its rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from newsmon.errors import RuleError
from newsmon.library import Library, library_of, load_library
from newsmon.siterules import SiteRules
from tests.packaging import copy_checkout, install, python

GOOD = 'domain: {domain}\nversions: [{{id: "1", text: //p}}]\n'
USE_RULES = """
import newsmon
from newsmon.library import load_library, shipped_rules
library = load_library()
assert not library.broken, library.broken
assert library.for_host("www.zarya.example").domain == "zarya.example"
assert library.for_host("lenta.ru").versions[0].text
print(len(library.sites), "sites", newsmon.__file__, shipped_rules())
"""


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def test_a_broken_file_stops_only_its_site(tmp_path: Path) -> None:
    rules = folder(
        tmp_path,
        a=GOOD.format(domain="a.example"),
        b="domain: b.example\nlanguage: no\n",
        c="domain: [",
        d=GOOD.format(domain="d.example"),
    )
    (rules / "e.yaml").write_bytes(b"domain: \xff\xfe")
    library = load_library(rules)
    assert sorted(library.sites) == ["a.example", "d.example"]
    assert sorted(library.broken) == [f"{rules}/c.yaml", f"{rules}/e.yaml", "b.example"]
    assert str(library.broken["b.example"]).startswith(f"{rules}/b.yaml:2: language: YAML reads no as true or false")
    assert library.broken["b.example"].site == "b.example"


def test_two_files_for_one_site(tmp_path: Path) -> None:
    rules = folder(
        tmp_path,
        a=GOOD.format(domain="a.example"),
        b=GOOD.format(domain="a.example"),
        c="domain: c.example\naliases: [a.example]\n",
    )
    library = load_library(rules)
    assert list(library.sites) == ["a.example"]
    assert sorted(library.broken) == [f"{rules}/b.yaml", "c.example"]
    assert "a.example has rules in" in str(library.broken["c.example"])


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_broken_file_beside_a_good_one_for_the_same_site_leaves_the_site_working(tmp_path: Path, order: str) -> None:
    good, bad = order
    rules = folder(tmp_path, **{good: GOOD.format(domain="a.example"), bad: "domain: a.example\nlanguage: no\n"})
    library = load_library(rules)
    assert list(library.sites) == ["a.example"]
    assert list(library.broken) == [f"{rules}/{bad}.yaml"]


def test_other_files_and_hidden_ones_are_left_alone(tmp_path: Path) -> None:
    rules = folder(tmp_path, a=GOOD.format(domain="a.example"))
    (rules / ".hidden.yaml").write_text("[", "utf-8")
    (rules / "README.md").write_text("[", "utf-8")
    (rules / "more").mkdir()
    (rules / "more" / "b.yml").write_text(GOOD.format(domain="b.example"), "utf-8")
    library = load_library(rules)
    assert sorted(library.sites) == ["a.example", "b.example"]
    assert not library.broken


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="NEWSMON_RULES_DIR"):
        load_library(tmp_path / "nowhere")


@pytest.fixture
def library() -> Library:
    return library_of(
        [
            SiteRules(domain="lenta.ru", aliases=("lenta.example",)),
            SiteRules(domain="moto.lenta.ru"),
            SiteRules(domain="*.blogspot.com"),
            SiteRules(domain="both.example"),
            SiteRules(domain="*.both.example"),
        ]
    )


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("lenta.ru", "lenta.ru"),
        ("www.lenta.ru", "lenta.ru"),
        ("m.lenta.ru", "lenta.ru"),
        ("a.b.lenta.ru", "lenta.ru"),
        ("moto.lenta.ru", "moto.lenta.ru"),
        ("www.moto.lenta.ru", "moto.lenta.ru"),
        ("amp.moto.lenta.ru", "moto.lenta.ru"),
        ("lenta.example", "lenta.ru"),
        ("notlenta.ru", None),
        ("ru", None),
        ("", None),
        ("anna.blogspot.com", "*.blogspot.com"),
        ("blogspot.com", None),
        ("www.blogspot.com", None),
        ("both.example", "both.example"),
        ("news.both.example", "*.both.example"),
    ],
)
def test_the_rules_for_a_host(library: Library, host: str, domain: str | None) -> None:
    rules = library.for_host(host)
    assert (rules.domain if rules else None) == domain


def test_the_shipped_rules_are_good() -> None:
    library = load_library()
    assert not library.broken
    assert {"zarya.example", "lenta.ru", "nytimes.com"} <= set(library.sites)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_checkout(tmp_path_factory.mktemp("checkout"), mark="library")


def test_the_rules_are_found_in_an_installed_package(checkout: Path, tmp_path: Path) -> None:
    target = install(checkout, tmp_path / "installed")
    ran = python("-c", USE_RULES, cwd=tmp_path, PYTHONPATH=str(target))
    assert ran.returncode == 0, ran.stderr
    assert f"{target}/newsmon/rules" in ran.stdout


def test_the_rules_are_found_in_a_zipped_egg(checkout: Path, tmp_path: Path) -> None:
    built = python("setup.py", "--quiet", "bdist_egg", "--dist-dir", str(tmp_path), cwd=checkout)
    assert built.returncode == 0, built.stderr
    (egg,) = tmp_path.glob("*.egg")
    assert egg.is_file()
    ran = python("-c", USE_RULES, cwd=tmp_path, PYTHONPATH=str(egg))
    assert ran.returncode == 0, ran.stderr
    assert f"{egg}/newsmon/rules" in ran.stdout
