"""Scores of texts, titles, dates and authors: figures worked out by hand, and laws that hold for any text."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.scoring import (
    Overlap,
    author_f1,
    confusion_scores,
    gold_day,
    lines,
    macro,
    overlap,
    same_day,
    same_title,
    segment_confusion,
    shingles,
    tokens,
)

NOTHING = overlap(shingles(""), shingles(""))
WORDS = st.lists(st.sampled_from(["a", "b", "c", "Dam", "水", "坝", "ж"]), max_size=12).map(" ".join)


def page(gold: str, found: str, language: str | None = "en") -> Overlap:
    return overlap(shingles(gold, language), shingles(found, language))


# --- tokens and shingles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The dam's 3.5 m_high", "en", ["The", "dam", "s", "3", "5", "m_high"]),
        ("Дамба открыта", "ru", ["Дамба", "открыта"]),
        ("水坝在2024年opens了", "zh", ["水", "坝", "在", "2024", "年", "opens", "了"]),
        ("ダムを、開く", "ja-JP", ["ダ", "ム", "を", "開", "く"]),
        ("水坝 opens", "en", ["水坝", "opens"]),
        ("水坝 opens", None, ["水", "坝", "opens"]),
        ("水坝 opens", "", ["水", "坝", "opens"]),
        ("댐이 열렸다", "ko", ["댐이", "열렸다"]),
        ("댐이 열렸다", None, ["댐이", "열렸다"]),
        ("เขื่อน", "th", list("เขื่อน")),
        ("", "en", []),
    ],
)
def test_tokens(text: str, language: str | None, expected: list[str]) -> None:
    assert tokens(text, language) == expected


def test_shingles_are_a_multiset_of_runs_of_four() -> None:
    assert shingles("a b a b a b") == Counter({("a", "b", "a", "b"): 2, ("b", "a", "b", "a"): 1})
    assert shingles("a b c d") == Counter([("a", "b", "c", "d")])


def test_a_short_text_is_one_shingle_and_none_is_none() -> None:
    assert shingles("one two") == Counter([("one", "two")])
    assert shingles(" ... ") == Counter()
    assert page("one two", "one two").f1 == 1
    assert page("one two", "one two three").both == 0


def test_case_counts_and_punctuation_does_not() -> None:
    assert page("The dam, opens: today!", "The dam opens today").f1 == 1
    assert page("The dam opens today", "the dam opens today").f1 == 0


# --- a page -----------------------------------------------------------------------------------------------------------


def test_a_page_by_hand() -> None:
    # gold shingles: abcd bcde cdef; found: bcde cdef defg efgh
    found = page("a b c d e f", "b c d e f g h")
    assert found == pytest.approx((2 / 5, 2 / 5, 1 / 5))
    assert (found.precision, found.recall) == pytest.approx((2 / 4, 2 / 3))
    assert found.f1 == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))


def test_repetition_is_counted() -> None:
    once, twice = "one two three four.", "one two three four. one two three four."
    assert page(once, twice).recall == 1
    assert page(once, twice).precision == pytest.approx(1 / 5)  # 5 shingles were found, one of them is right
    assert page(twice, once).recall == pytest.approx(1 / 5)


@pytest.mark.parametrize(
    ("gold", "found", "precision", "recall"),
    [("a b c d", "", 0, 0), ("", "a b c d", 0, 0), ("", "", 1, 1), ("a b c d", "e f g h", 0, 0)],
)
def test_a_page_with_nothing(gold: str, found: str, precision: float, recall: float) -> None:
    scored = page(gold, found)
    assert (scored.precision, scored.recall) == (precision, recall)


@given(WORDS, WORDS, st.sampled_from([None, "en", "zh"]))
def test_overlap_against_brute_force(gold: str, found: str, language: str | None) -> None:
    def runs(text: str) -> list[tuple[str, ...]]:
        words = tokens(text, language)
        return [tuple(words[start : start + 4]) for start in range(max(1, len(words) - 3)) if words]

    left, both = runs(found), 0
    for run in runs(gold):
        if run in left:
            left.remove(run)
            both += 1
    scored = page(gold, found, language)
    if runs(gold) or runs(found):
        assert scored.precision == pytest.approx(both / len(runs(found)) if runs(found) else 0)
        assert scored.recall == pytest.approx(both / len(runs(gold)) if runs(gold) else 0)
        assert sum(scored) == pytest.approx(1)


@given(WORDS, WORDS)
def test_precision_and_recall_change_places(one: str, other: str) -> None:
    there, back = page(one, other), page(other, one)
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert page(one, one).f1 == 1


# --- a set ------------------------------------------------------------------------------------------------------------


def test_f1_of_the_means_is_not_the_mean_of_f1() -> None:
    scores = macro([Overlap(1, 0, 0), Overlap(0.2, 0.8, 0), Overlap(0.5, 0, 0.5)])
    assert scores.precision == pytest.approx((1 + 0.2 + 1) / 3)
    assert scores.recall == pytest.approx((1 + 1 + 0.5) / 3)
    assert scores.f1 == pytest.approx(2 * scores.precision * scores.recall / (scores.precision + scores.recall))
    assert scores.n == 3


def test_a_page_without_a_result_costs_recall_only_and_one_without_a_gold_precision_only() -> None:
    assert macro([Overlap(1, 0, 0), Overlap(0, 0, 1)])[:2] == (1, 0.5)
    assert macro([Overlap(1, 0, 0), Overlap(0, 1, 0)])[:2] == (0.5, 1)
    assert macro([Overlap(1, 0, 0), NOTHING])[:2] == (1, 1)


@pytest.mark.parametrize("pages", [[], [NOTHING], [Overlap(0, 0, 1)]])
def test_a_set_with_nothing_scores_nothing(pages: list[Overlap]) -> None:
    assert macro(pages) == (0, 0, 0, len(pages))


def test_long_pages_do_not_count_more() -> None:
    long = " ".join(f"w{number}" for number in range(500))
    scores = macro([page(long, long), page("a b c d", "e f g h")])
    assert (scores.precision, scores.recall) == (0.5, 0.5)


# --- lines ------------------------------------------------------------------------------------------------------------


def test_lines_by_hand() -> None:
    gold = "First line.\n\nSecond  line.\nThird line.\n"
    found = "Menu\n First line. \r\nSecond line.\nSecond line."
    assert overlap(lines(gold), lines(found)) == pytest.approx((2 / 5, 2 / 5, 1 / 5))
    assert lines("\n \t\n") == Counter()


# --- segments ---------------------------------------------------------------------------------------------------------


def test_segments_are_found_over_the_ends_of_lines() -> None:
    text = "The dam\n\nopens at noon.  Read also: more."
    counts = segment_confusion(text, ["dam opens", "at  noon", "nowhere"], ["Read also", "Log in"])
    assert counts == Counter(tp=2, fn=1, fp=1, tn=1)
    assert confusion_scores(counts) == pytest.approx((2 / 3, 2 / 3, 2 / 3, 5))
    assert confusion_scores(Counter()) == (0, 0, 0, 0)


# --- title, date, authors ---------------------------------------------------------------------------------------------


def test_titles_are_the_same_to_the_letter_but_for_white_space() -> None:
    assert same_title("Dam  opens\n", " Dam opens")
    assert not same_title("Dam opens", "Dam Opens")
    assert not same_title("Dam opens", "Dam opens | The Courier")
    assert not same_title("Dam opens", None)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-03-05", date(2024, 3, 5)),
        ("2024-3-5 08:00", date(2024, 3, 5)),
        ("2024-03-05T23:30:00.123+02:00", date(2024, 3, 5)),
        (" 2024-03-05 9:00:00", date(2024, 3, 5)),
        ("2024-03", None),
        ("2024", None),
        ("2024-13-01", None),
        ("yesterday", None),
        ("2024-03-051", None),
        ("", None),
    ],
)
def test_days_of_gold_files(text: str, day: date | None) -> None:
    found = gold_day(text)
    assert (found.day if found else None) == day


def test_a_day_is_compared_in_the_zone_of_the_gold() -> None:
    late = datetime(2024, 3, 4, 22, 30, tzinfo=UTC)
    zoned, plain = gold_day("2024-03-05T00:30:00+02:00"), gold_day("2024-03-05")
    assert zoned is not None
    assert plain is not None
    assert same_day(zoned, late)
    assert not same_day(plain, late)
    assert same_day(plain, late.astimezone(timezone(timedelta(hours=2))))
    assert not same_day(plain, None)


@pytest.mark.parametrize(
    ("gold", "found", "f1"),
    [
        (["Ada Byron"], ["ada  BYRON "], 1),
        (["Ada Byron", "Max Born"], ["Max Born"], 2 / 3),
        (["Ada Byron"], ["Ada Byron", "Newsroom"], 2 / 3),
        (["Ada Byron"], [], 0),
        ([], ["Ada Byron"], 0),
        ([], [" "], 1),
        (["Ada Byron", "ada byron"], ["Ada Byron"], 1),
    ],
)
def test_authors_are_sets(gold: list[str], found: list[str], f1: float) -> None:
    assert author_f1(gold, found) == pytest.approx(f1)
