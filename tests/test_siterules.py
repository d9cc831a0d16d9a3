"""Rule files: what is read from a good one, and where and how a bad one is explained."""

from __future__ import annotations

from datetime import date
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from newsmon.feeds.policies import POLICIES
from newsmon.rulefile import read_rules, write_rules
from newsmon.siterules import PolicyName, RuleVersion, SiteRules

FULL = r"""
domain: lenta.ru
name: Лента.ру
aliases: [lenta.example, "лента.рф"]
feeds:
  - https://lenta.ru/rss/news
  - {url: "https://lenta.ru/rss/articles", policy: fixed}
sitemaps: [https://lenta.ru/sitemap.xml.gz]
language: ru
time_zone: Europe/Moscow
delay: 1
headers: {Accept-Language: ru}
browser: {wait_for: "article p", timeout: 15}
polling: {policy: sqrt, min_minutes: 5, max_minutes: 1440}
urls:
  drop: [Ref]
  keep: page
  same:
    - {pattern: "/id([0-9]+).*", replacement: '/\1'}
articles:
  include: ["/news/"]
  exclude: ["/news/online/"]
examples: [https://lenta.ru/news/2025/04/07/ataky/]
versions:
  - id: "2019"
    valid_until: 2022-03-31
    text: "//div[@id='text']/p"
  - id: "2022"
    valid_from: 2022-03-01
    text: ["//article//p", "//article"]
    title: ["//h1"]
    strip: ["//aside"]
  - id: trial
    valid_from: 2022-03-01
    text: ["//main//p"]
"""


@pytest.fixture(scope="module")
def full() -> SiteRules:
    rules = read_rules(FULL, file="lenta.ru.yaml").rules
    assert rules is not None
    return rules


def test_a_full_file(full: SiteRules) -> None:
    assert full.domain == "lenta.ru"
    assert full.aliases == ("lenta.example", "xn--80ajrjz.xn--p1ai")
    assert [(feed.url, feed.policy) for feed in full.feeds] == [
        ("https://lenta.ru/rss/news", None),
        ("https://lenta.ru/rss/articles", "fixed"),
    ]
    assert full.zone is not None
    assert full.zone.key == "Europe/Moscow"
    assert full.browser is not None
    assert (full.browser.wait_for, full.browser.timeout) == ("article p", 15)
    assert full.url_rules.drop == {"ref"}
    assert full.url_rules.keep == {"page"}
    assert full.url_rules.same == (("/id([0-9]+).*", r"/\1"),)


def test_wanted_addresses(full: SiteRules) -> None:
    assert full.wants("https://lenta.ru/news/2025/04/07/ataky/")
    assert not full.wants("https://lenta.ru/photo/1/")
    assert not full.wants("https://lenta.ru/news/online/1/")
    assert SiteRules(domain="a.example").wants("https://a.example/anything")


@pytest.mark.parametrize(
    ("day", "ids"),
    [
        (date(2000, 1, 1), ["2019"]),
        (date(2022, 2, 28), ["2019"]),
        (date(2022, 3, 1), ["2022", "trial", "2019"]),
        (date(2022, 3, 31), ["2022", "trial", "2019"]),
        (date(2022, 4, 1), ["2022", "trial"]),
        (date(2030, 1, 1), ["2022", "trial"]),
    ],
)
def test_versions_of_a_day_newest_first(full: SiteRules, day: date, ids: list[str]) -> None:
    assert [version.id for version in full.versions_at(day)] == ids


def test_what_is_written_reads_back_the_same(full: SiteRules) -> None:
    text = write_rules(full, comments=["line\u0085break", "second"])
    assert text.startswith("# linebreak\n# second\ndomain: lenta.ru\n")
    assert read_rules(text, file="x.yaml").rules == full


def test_polling_policies_are_those_that_exist() -> None:
    assert set(get_args(PolicyName)) == set(POLICIES)


def version(**fields: str) -> str:
    lines = "".join(f"\n    {key}: {value}" for key, value in fields.items())
    return f'domain: a.example\nversions:\n  - id: "1"{lines}\n'


PROBLEMS: list[tuple[str, int | None, str]] = [
    ("", 1, "must hold keys and values"),
    ("- a", 1, "must hold keys and values"),
    ("name: A", 1, "domain: this key is missing"),
    ("domain: a.example\nlanguage: no", 2, 'YAML reads no as true or false; write "no" in quotes'),
    ("domain: a.example\nlanguage: russian", 2, "write it like ru, uk, en, zh or pt-BR"),
    (
        "domain: a.example\nversions:\n  - id: 2024\n    text: //p",
        3,
        'YAML reads 2024 as a number; write "2024" in quotes',
    ),
    ("domain: a.example\ntitel: x", 2, "unknown key 'titel'; did you mean 'title' in an entry of 'versions'?"),
    ("domain: a.example\nfeed: x", 2, "did you mean 'feeds'?"),
    ("domain: a.example\nqwerty: x", 2, "known keys here: domain, name,"),
    (version(txt="//p", text="//p"), 4, "unknown key 'txt'; did you mean 'text'?"),
    ("domain: a.example\nfeeds:\n  - url: http://a.example/\n    polcy: x", 4, "did you mean 'policy'?"),
    ("domain: a.example\nname: A\ndomain: b.example", 3, "the key 'domain' stands in line 1 already"),
    (version(title="//h1"[:-1] + "["), 4, "versions 1, title 1: "),
    (version(text='["//p", "//p["]'), 4, "versions 1, text 2: invalid expression: a '[' is never closed: //p["),
    (version(text="//a[. = ' #x']"), 4, "put the whole value in single or double quotes"),
    (version(text="@href"), 4, "put the whole value in single or double quotes"),
    (version(text="//p", valid_from="2024-01"), 5, "must be a day like 2024-01-31, not '2024-01'"),
    (version(text="//p", valid_from="2024-02-31"), 5, "day is out of range"),
    (version(text="//p", valid_from="2024-01-01 10:00:00"), 5, "must be a day like 2024-01-31"),
    (version(text="//p", valid_from="2024-02-01", valid_until="2024-01-01"), 3, "is after valid_until"),
    (version(), 3, "has no XPath; give at least one of text, title"),
    ('domain: a.example\nversions:\n  - {id: "1", text: //p}\n  - {id: "1", text: //a}', 1, "'1' is given twice"),
    ("domain: http://a.example/", 1, "write it like lenta.ru or *.blogspot.com"),
    ("domain: www.a.example", 1, "write a.example"),
    ("domain: a.example\nfeeds: 5", 2, "feeds: must be a list, not '5'"),
    ("domain: a.example\nfeeds: [ftp://a.example/rss]", 2, "write it like https://lenta.ru/rss/news"),
    ("domain: a.example\nfeeds: [/rss]", 2, "write it like https://lenta.ru/rss/news"),
    (
        "domain: a.example\nfeeds: [http://a.example/, http://a.example/]",
        1,
        "the feed 'http://a.example/' is given twice",
    ),
    ("domain: a.example\ntime_zone: Europe/Moskow", 2, "did you mean Europe/Moscow?"),
    ("domain: a.example\ntime_zone: ../../etc/passwd", 2, "is not a time zone"),
    ("domain: a.example\ndelay: fast", 2, "delay: must be a number, not 'fast'"),
    ("domain: a.example\ndelay: -1", 2, "greater than or equal to 0"),
    ("domain: a.example\nheaders: {User-Agent: Mozilla}", 2, "User-Agent is set by newsmon itself"),
    ('domain: a.example\nheaders: {X-A: "b\\r\\nCookie: c"}', 2, "must be one line"),
    ("domain: a.example\nbrowser: yes", 2, "browser: must be keys and values"),
    ("domain: a.example\npolling: {policy: quick}", 2, "'sqrt', 'share' or 'fixed'"),
    ("domain: a.example\npolling: {min_minutes: 9, max_minutes: 3}", 2, "min_minutes 9 is more than max_minutes 3"),
    ("domain: a.example\nurls: {same: [{pattern: '(a+)+$'}]}", 2, "takes too long on some addresses"),
    ("domain: a.example\nurls: {same: [{pattern: 'a', replacement: '\\1'}]}", 2, "does not fit the pattern"),
    ("domain: a.example\narticles: {include: ['(']}", 2, "not a regular expression"),
    ("domain: a.example\npolling: {max_minutes: .inf}", 2, "max_minutes: this should be a finite number"),
    ("domain: a.example\narticles: {include: '(?:a{1000}){100000}'}", 2, "takes too much memory"),
    ("domain: a.example\nfeeds:", 2, "feeds: has no value; write a list after it or remove the key"),
    ("domain: !!python/object/apply:os.system [x]", 1, "a tag like !!python/object/apply:os.system has no place"),
    ("domain: !!int ''", 1, "a tag like !!int"),
    ("domain: !!timestamp x", 1, "a tag like !!timestamp"),
    ("!!set {domain, a.example}", 1, "a tag like !!set"),
    ("domain: a.example\n--- \ndomain: b.example", 2, "another document"),
    ("domain: [a", 1, "a [ or { that begins here is not closed"),
    ('domain: "\x00"', None, "control characters are not allowed"),
    ("[" * 100_000, 1, "nested too deeply"),
    ("a: &a [*a]", 1, "too many values"),
    ("domain: " + "a" * 300_000, None, "at most 262,144"),
]


@pytest.mark.parametrize(("text", "line", "message"), PROBLEMS, ids=[message[:40] for _, _, message in PROBLEMS])
def test_problems_are_named_with_file_line_and_what_to_write(text: str, line: int | None, message: str) -> None:
    read = read_rules(text, file="rules/a.yaml")
    assert read.rules is None
    assert any(message in problem.message for problem in read.problems), [str(problem) for problem in read.problems]
    (found,) = [problem for problem in read.problems if message in problem.message]
    assert (found.file, found.line) == ("rules/a.yaml", line)


def test_all_problems_of_a_file_are_named_at_once() -> None:
    read = read_rules("domain: a.example\ndelay: x\nlanguage: no\nnames: y", file="a.yaml")
    assert [problem.line for problem in read.problems] == [2, 3, 4]
    assert read.site == "a.example"
    assert str(read.error) == "a.yaml:2: delay: must be a number, not 'x' (and 2 more: scrapy rules check)"


def test_aliases_that_explode_are_refused_at_once() -> None:
    levels = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]" for old, new in zip("abcdefg", "bcdefgh", strict=True)]
    assert "too many values" in str(read_rules("\n".join(levels), file="a.yaml").error)


def test_versions_may_share_values_by_an_alias() -> None:
    text = 'domain: a.example\nversions:\n  - &old {id: "1", text: //p, strip: [//aside]}\n  - {<<: *old, id: "2"}'
    rules = read_rules(text, file="a.yaml").rules
    assert rules is not None
    assert rules.versions[1].strip == ("//aside",)


yaml_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.dates() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
known_keys = st.sampled_from([*SiteRules.model_fields, *RuleVersion.model_fields, "domain"])


@given(
    st.dictionaries(known_keys, yaml_values, max_size=5), st.lists(st.dictionaries(known_keys, yaml_values, max_size=4))
)
def test_no_values_break_the_reader(values: dict[str, Any], versions: list[dict[str, Any]]) -> None:
    text = yaml.dump({"domain": "a.example", **values, "versions": versions}, allow_unicode=True)
    read = read_rules(text, file="a.yaml")
    assert (read.rules is None) == bool(read.problems)
    for problem in read.problems:
        assert problem.line is not None, problem


@given(st.text(max_size=60) | st.text(alphabet="abc: -[]{}&*!|>'\"\n\t#%@`?,", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    read = read_rules(text, file="a.yaml")
    assert (read.rules is None) == bool(read.problems)


def test_rules_made_in_python_are_checked_too() -> None:
    with pytest.raises(ValidationError, match="never closed"):
        RuleVersion(id="1", text=("//p[",))
