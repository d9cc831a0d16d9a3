"""Site configurations of ftr-site-config become rules, and rules become site configurations."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from newsmon.ftr import export_ftr, ftr_file_name, import_ftr
from newsmon.rulefile import read_rules, write_rules
from newsmon.siterules import SiteRules

DAY = date(2026, 11, 21)

CONFIGURATION = """\ufeff
# A comment
title: //h1[@class='title']
body: //div[@id='body'] | //div[@id='more']
body: //article
author: //span[@class='author']
date: substring-after(//time, 'on ')
strip: //aside
strip_id_or_class: "ad"
strip_image_src: /pixel.gif
strip: //aside
http_header(Cookie): consent=yes; a=b
http_header(user-agent): Mozilla/5.0
find_string: <div
replace_string: <p
replace_string(a:b): c
next_page_link: //a[@rel='next']
tidy: no
test_url: http://example.com/a?b=c#d
test_url: example.com/two
test_url: ftp://example.com/
strip: //p[contain(@class, 'x')]
titel: //h2
body:
some words
"""


def test_every_directive_becomes_a_rule_or_a_note() -> None:
    found = import_ftr(CONFIGURATION, file_name="example.com.txt")
    assert found.rules is not None
    assert found.rules.domain == "example.com"
    assert found.rules.headers == {"cookie": "consent=yes; a=b"}
    assert found.rules.examples == ("http://example.com/a?b=c#d", "http://example.com/two")
    (version,) = found.rules.versions
    assert version.text == ("//div[@id='body'] | //div[@id='more']", "//article")
    assert version.title == ("//h1[@class='title']",)
    assert version.authors == ("//span[@class='author']",)
    assert version.published == ("substring-after(//time, 'on ')",)
    assert version.strip == (
        "//aside",
        "//*[contains(@class, 'ad') or contains(@id, 'ad')]",
        "//img[contains(@src, '/pixel.gif')]",
    )
    assert [(note.line, note.directive) for note in found.notes] == [
        (13, "http_header(user-agent)"),
        (14, "find_string"),
        (15, "replace_string"),
        (16, "replace_string(a:b)"),
        (17, "next_page_link"),
        (18, "tidy"),
        (21, "test_url"),
        (22, "strip"),
        (23, "titel"),
        (24, "body"),
        (25, ""),
    ]
    reasons = {note.directive: note.reason for note in found.notes}
    assert "did you mean contains()?" in reasons["strip"]
    assert "did you mean title?" in reasons["titel"]


@pytest.mark.parametrize(
    ("file_name", "domain"),
    [
        ("example.com.txt", "example.com"),
        ("www.example.com.txt", "example.com"),
        (".example.com.txt", "*.example.com"),
        ("sport.example.com.txt", "sport.example.com"),
        ("пример.рф.txt", "xn--e1afmkfd.xn--p1ai"),
    ],
)
def test_the_domain_is_in_the_name_of_the_file(file_name: str, domain: str) -> None:
    rules = import_ftr("body: //p", file_name=file_name).rules
    assert rules is not None
    assert rules.domain == domain


@pytest.mark.parametrize(
    ("text", "file_name", "problem"),
    [
        ("body: //p", "global.txt", "is not a domain"),
        ("body: //p", "a b.com.txt", "is not a domain"),
        ("", "example.com.txt", "nothing in it"),
        ("tidy: no\ntest_url: http://example.com/", "example.com.txt", "nothing in it"),
        ("body: //p[", "example.com.txt", "nothing in it"),
    ],
)
def test_what_cannot_be_converted_is_told(text: str, file_name: str, problem: str) -> None:
    found = import_ftr(text, file_name=file_name)
    assert found.rules is None
    assert problem in str(found.problem)


def test_there_and_back() -> None:
    rules = import_ftr(CONFIGURATION, file_name=".example.com.txt").rules
    assert rules is not None
    assert ftr_file_name(rules) == ".example.com.txt"
    assert import_ftr(export_ftr(rules, day=DAY), file_name=ftr_file_name(rules)).rules == rules


def test_an_export_says_what_it_leaves_out() -> None:
    rules = SiteRules.model_validate(
        {
            "domain": "a.example",
            "feeds": ["http://a.example/rss"],
            "delay": 2,
            "versions": [
                {"id": "old", "valid_until": date(2020, 1, 1), "text": "//old"},
                {"id": "new", "valid_from": date(2025, 1, 1), "text": "//new", "image": "//img/@src"},
                {"id": "also", "text": ["//also", "//new"]},
            ],
        }
    )
    comment, *lines = export_ftr(rules, day=DAY).splitlines()
    assert lines == ["body: //new", "body: //also"]
    for left_out in ("delay", "feeds", "version old (not valid now)", "image of version new"):
        assert left_out in comment


def test_at_least_95_percent_of_the_public_files_convert(shared_data: Path) -> None:
    files = sorted((shared_data / "ftr-site-config").glob("*.txt"))
    files = [file for file in files if file.name != "LICENSE.txt"]
    assert len(files) >= 1850
    converted = with_text = 0
    for file in files:
        found = import_ftr(file.read_text("utf-8"), file_name=file.name)
        assert (found.rules is None) == bool(found.problem)
        if found.rules is None:
            continue
        converted += 1
        with_text += any(version.text for version in found.rules.versions)
        read = read_rules(write_rules(found.rules, comments=[str(note) for note in found.notes]), file=file.name)
        assert read.rules == found.rules, read.error
        back = import_ftr(export_ftr(found.rules, day=DAY), file_name=ftr_file_name(found.rules))
        assert back.rules == found.rules
    assert converted >= 0.95 * len(files)
    assert with_text >= 0.85 * len(files)
