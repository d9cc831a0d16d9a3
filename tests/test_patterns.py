"""Regular expressions of rules: none may hold the crawl up."""

from __future__ import annotations

import time

import pytest

from newsmon.patterns import PatternError, check_pattern, check_replacement, matches, substitute

SLOW = ["(a+)+$", "(a|aa)+$", r"(\w+\s?)+$", "(x+x+)+y"]


@pytest.mark.parametrize("pattern", SLOW)
def test_exponential_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="takes too long"):
        check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "why"), [("(", "not a regular expression"), ("a" * 501, "at most 500"), ("*a", "not a regular")]
)
def test_faulty_patterns_are_refused(pattern: str, why: str) -> None:
    with pytest.raises(PatternError, match=why):
        check_pattern(pattern)


@pytest.mark.parametrize("pattern", ["(?:a{1000}){1000}", "a{100000}", "a{300}{300}", "((a{99}){99}){99}"])
def test_patterns_that_fill_the_memory_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="too much memory"):
        check_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", [r"/\d{4}/\d{2}/\d{2}/[a-z{(-]{1,900}\.html$", "[0-9a-f]{8}-([0-9a-f]{4}-){3}", r"\({5}"]
)
def test_counts_that_harm_nobody_are_not(pattern: str) -> None:
    assert check_pattern(pattern) == pattern


def test_a_slow_pattern_stops_in_time_and_counts_as_no_match(caplog: pytest.LogCaptureFixture) -> None:
    began = time.process_time()
    assert not matches("(a|aa)+$", "a" * 3000 + "!")
    assert substitute("(a|aa)+$", "", "a" * 3000 + "!") == "a" * 3000 + "!"
    assert time.process_time() - began < 5
    assert "takes too long" in caplog.text


def test_a_replacement_names_groups_that_exist() -> None:
    check_replacement("a(b)", r"\1")
    with pytest.raises(PatternError, match="does not fit"):
        check_replacement("a(b)", r"\2")
