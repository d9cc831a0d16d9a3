r"""How near an extracted article comes to the article a person copied from the page: texts, title, date, authors.

::

    gold text ──shingles or lines──┐
                                   ├── overlap ── per page: P, R, F1 ──macro── of a set: P, R, and F1 of these means
    found text ─shingles or lines──┘

Shingles are the runs of four tokens, as the public article-extraction-benchmark counts them: tokens are ``\w+``, case
counts, a shorter text is one shingle of all its tokens. With the multisets T of the gold and S of the found shingles

    P = |T ∩ S| / |S|,   R = |T ∩ S| / |T|

and a set of pages has the means of P (over pages where anything was found) and of R (over pages where there was
something to find), and F1 = 2 P R / (P + R) of these means. Chinese, Japanese and Thai are written without spaces:
there every character is a token, and only runs of other scripts are words.

Lines (Zhou, Li, Song 2019, formulas 9-11) are compared in the same way, with lines in the place of shingles:
P = ResultValidRow / ResultAllRow, R = ResultValidRow / WebValidRow.

>>> page = overlap(shingles("the dam opens at noon today"), shingles("the dam opens at noon"))
>>> page.precision, round(page.recall, 3)
(1.0, 0.667)
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

Item = TypeVar("Item")

SHINGLE = 4
"""Tokens of a shingle."""

CHARACTER_LANGUAGES = frozenset({"zh", "ja", "th", "yue", "wuu", "cmn", "lzh", "nan", "hak", "gan"})
"""ISO 639 codes of languages that put no space between words; Korean does."""

_WORD = re.compile(r"\w+")
_CHARACTERS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b"  # radicals, iteration marks, numerals
    "\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # ideographs, halfwidth katakana
    "\u0e00-\u0e7f"  # Thai
    "\U0001b000-\U0001b16f\U00020000-\U000323af"  # old kana, rare ideographs
)
_CHARACTER_OR_WORD = re.compile(rf"[{_CHARACTERS}]|[^\W{_CHARACTERS}]+")
_DAY = re.compile(r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")


class Overlap(NamedTuple):
    """What two multisets of one page share, as shares of everything in either, so that long pages do not count more.

    The shares add up to 1, or are all 0 when both are empty.

    :param both: in gold and found.
    :param extra: only in the found one.
    :param missing: only in the gold one.
    """

    both: float
    extra: float
    missing: float

    @property
    def precision(self) -> float:
        """Share of the found that is right; 1 when both are empty, 0 when only nothing was found."""
        return _share(self.both, self.extra, self.missing)

    @property
    def recall(self) -> float:
        """Share of the gold that was found; 1 when both are empty."""
        return _share(self.both, self.missing, self.extra)

    @property
    def f1(self) -> float:
        """Harmonic mean of the page's precision and recall."""
        return harmonic(self.precision, self.recall)


class Scores(NamedTuple):
    """Macro averages over a set of pages, with F1 of the averages.

    :param n: pages.
    """

    precision: float
    recall: float
    f1: float
    n: int


def tokens(text: str, language: str | None = None) -> list[str]:
    """Words, or characters where the language puts no spaces between words.

    :param language: ISO 639 code, a region may follow; without one the text decides, character by character.

    >>> tokens("Dam opens, 3.5 m"), tokens("水坝 opens"), tokens("水坝 opens", "en")
    (['Dam', 'opens', '3', '5', 'm'], ['水', '坝', 'opens'], ['水坝', 'opens'])
    """
    return (_CHARACTER_OR_WORD if by_characters(language) else _WORD).findall(text)


def by_characters(language: str | None) -> bool:
    """Whether characters of scripts without spaces are tokens: in their languages, and where none is stated."""
    return not language or re.split("[-_]", language, maxsplit=1)[0].lower() in CHARACTER_LANGUAGES


def shingles(text: str, language: str | None = None) -> Counter[tuple[str, ...]]:
    """The multiset of a text's runs of four tokens; one shorter run when it has fewer tokens, none without a token.

    >>> dict(shingles("one two three"))
    {('one', 'two', 'three'): 1}
    """
    found = tokens(text, language)
    if len(found) < SHINGLE:
        return Counter([tuple(found)] if found else [])
    return Counter(zip(*(found[start:] for start in range(SHINGLE)), strict=False))


def lines(text: str) -> Counter[str]:
    r"""The multiset of a text's lines, white space collapsed, without the empty ones.

    >>> dict(lines(" One\t line\n\nanother \r\nOne line"))
    {'One line': 2, 'another': 1}
    """
    return Counter(line for raw in text.splitlines() if (line := " ".join(raw.split())))


def overlap(gold: Counter[Item], found: Counter[Item]) -> Overlap:
    """Compare two multisets: :func:`shingles` or :func:`lines` of the gold and of the found text.

    >>> overlap(Counter("aab"), Counter("abc"))
    Overlap(both=0.5, extra=0.25, missing=0.25)
    """
    both = (gold & found).total()
    every = gold.total() + found.total() - both
    if not every:
        return Overlap(0.0, 0.0, 0.0)
    return Overlap(both / every, (found.total() - both) / every, (gold.total() - both) / every)


def macro(pages: Collection[Overlap]) -> Scores:
    """Average a set of pages.

    A page where nothing was found counts for recall only, and one without anything to find for precision only.

    >>> macro([Overlap(1, 0, 0), Overlap(0.5, 0.5, 0), Overlap(0, 0, 1)])
    Scores(precision=0.75, recall=0.6666666666666666, f1=0.7058823529411765, n=3)
    """
    precision = mean([page.precision for page in pages if page.both + page.extra > 0])
    recall = mean([page.recall for page in pages if page.both + page.missing > 0])
    return Scores(precision, recall, harmonic(precision, recall), len(pages))


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def harmonic(precision: float, recall: float) -> float:
    """F1: 2 P R / (P + R), 0 when both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def segment_confusion(text: str, wanted: Iterable[str], unwanted: Iterable[str]) -> Counter[str]:
    r"""Count segments by ``tp fn fp tn``: wanted ones in the text and not, unwanted ones in the text and not.

    White space does not count, for a segment may go over the end of a line.

    >>> sorted(segment_confusion("The dam\nopens.", ["dam opens", "at noon"], ["Log in"]).items())
    [('fn', 1), ('tn', 1), ('tp', 1)]
    """
    joined = " ".join(text.split())
    counts = Counter("tp" if " ".join(part.split()) in joined else "fn" for part in wanted)
    counts.update("fp" if " ".join(part.split()) in joined else "tn" for part in unwanted)
    return counts


def confusion_scores(counts: Counter[str]) -> Scores:
    """Precision, recall and F1 of counts of ``tp fn fp tn`` summed over a set; n is the number of segments."""
    positive, wanted = counts["tp"] + counts["fp"], counts["tp"] + counts["fn"]
    precision = counts["tp"] / positive if positive else 0.0
    recall = counts["tp"] / wanted if wanted else 0.0
    return Scores(precision, recall, harmonic(precision, recall), counts.total())


def same_title(gold: str, found: str | None) -> bool:
    """Whether the title is the same to the letter, white space aside."""
    return found is not None and gold.split() == found.split()


class GoldDay(NamedTuple):
    """The day a gold date names, and its zone when it states one."""

    day: date
    zone: tzinfo | None


def gold_day(text: str) -> GoldDay | None:
    """Read a date of a gold file, ISO 8601 in effect; None when it names no day.

    >>> gold_day("2024-3-5 08:00"), gold_day("2024-03")
    (GoldDay(day=datetime.date(2024, 3, 5), zone=None), None)
    """
    match = _DAY.match(text)
    if match is None:
        return None
    try:
        day = date(*map(int, match.groups()))
    except ValueError:
        return None
    try:
        return GoldDay(day, datetime.fromisoformat(text.strip()).tzinfo)
    except ValueError:
        return GoldDay(day, None)


def same_day(gold: GoldDay, found: datetime | None) -> bool:
    """Whether a time is on the gold day: in the gold's zone when it states one, else as the time is written."""
    return found is not None and (found.astimezone(gold.zone) if gold.zone else found).date() == gold.day


def author_f1(gold: Iterable[str], found: Iterable[str]) -> float:
    """F1 of two sets of names, compared without case and white space; 1 when both are empty.

    >>> author_f1(["Ada Byron", "Max Born"], ["ADA  BYRON"])
    0.6666666666666666
    """
    wanted, given = _names(gold), _names(found)
    if not wanted and not given:
        return 1.0
    return 2 * len(wanted & given) / (len(wanted) + len(given))


def _names(authors: Iterable[str]) -> set[str]:
    return {name for author in authors if (name := " ".join(author.casefold().split()))}


def _share(right: float, wrong: float, other: float) -> float:
    if wrong == other == 0:
        return 1.0
    return right / (right + wrong) if right + wrong else 0.0
