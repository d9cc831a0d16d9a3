"""What one extractor read from one page against the gold, and the figures of many pages.

::

    GoldPage ──> Gold (its shingles and lines, counted once) ──compare(reading)──> PageScore ──┐ of each page
                                                                                                ├── figures ─> rows
                                                                                   PageScore ──┘
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from newsmon.evaluation import Row
from newsmon.scoring import (
    Overlap,
    author_f1,
    confusion_scores,
    gold_day,
    lines,
    macro,
    mean,
    overlap,
    same_day,
    same_title,
    segment_confusion,
    shingles,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from newsmon.corpora import GoldPage


class Reading(NamedTuple):
    """What an extractor read from a page; None for what it does not give at all, so that it is not measured.

    :param cpu_ms: process time from the bytes to the result.
    :param failed: True when it raised an error instead; its text is then empty.
    """

    text: str
    cpu_ms: float
    title: str | None = None
    published: datetime | None = None
    authors: tuple[str, ...] | None = None
    kind: str | None = None
    failed: bool = False


@dataclass(frozen=True)
class PageScore:
    """The figures of one page; None where the gold does not know the field, an empty text among them.

    :param segments: counts of ``tp fn fp tn``, for pages of which only segments are known.
    """

    set: str
    id: str
    method: str
    reading: Reading
    text: Overlap | None = None
    lines: Overlap | None = None
    segments: Counter[str] | None = None
    title: bool | None = None
    day: bool | None = None
    authors: float | None = None

    def as_record(self) -> dict[str, object]:
        """The figures as JSON values, for those who want to see the pages behind a mean."""
        return {
            "set": self.set,
            "id": self.id,
            "method": self.method,
            **(
                {name: round(getattr(self.text, name), 4) for name in ("f1", "precision", "recall")}
                if self.text
                else {}
            ),
            **({"line_f1": round(self.lines.f1, 4)} if self.lines else {}),
            **({"segments": dict(self.segments)} if self.segments else {}),
            "title_exact": self.title,
            "date_day": self.day,
            "author_f1": self.authors,
            "cpu_ms": round(self.reading.cpu_ms, 2),
            "kind": self.reading.kind,
            "found": {
                "characters": len(self.reading.text),
                "title": self.reading.title,
                "published": self.reading.published.isoformat() if self.reading.published else None,
                "authors": self.reading.authors,
            },
        }


@dataclass(frozen=True)
class Gold:
    """A gold page ready for comparison with several readings of it."""

    page: GoldPage

    @cached_property
    def _shingles(self) -> Counter[tuple[str, ...]]:
        return shingles(self.page.text, self.page.language)

    @cached_property
    def _lines(self) -> Counter[str]:
        return lines(self.page.text)

    def compare(self, method: str, reading: Reading) -> PageScore:
        """Compare what a method read from this page."""
        page = self.page
        has_text, has_segments = bool(self._shingles), bool(page.with_ or page.without)
        day = gold_day(page.published) if page.published else None
        return PageScore(
            set=page.set,
            id=page.id,
            method=method,
            reading=reading,
            text=overlap(self._shingles, shingles(reading.text, page.language)) if has_text else None,
            lines=overlap(self._lines, lines(reading.text)) if has_text else None,
            segments=segment_confusion(reading.text, page.with_, page.without)
            if has_segments and not has_text
            else None,
            title=same_title(page.title, reading.title) if page.title else None,
            day=same_day(day, reading.published) if day else None,
            authors=author_f1(page.authors, reading.authors or ()) if page.authors else None,
        )


def figures(method: str, group: str, scores: Sequence[PageScore]) -> Iterator[Row]:
    """The figures of a group of pages, those it has gold for.

    Text figures are of the pages with a text; a group without any has the figures of its segments instead.
    """
    for metric, value, n in _figures(scores):
        yield Row(method, group, metric, value, n)


def _figures(scores: Sequence[PageScore]) -> Iterator[tuple[str, float, int]]:
    texts = [score.text for score in scores if score.text is not None]
    segments = [score.segments for score in scores if score.segments is not None]
    whole = macro(texts) if texts else confusion_scores(sum(segments, Counter()))
    yield "f1", whole.f1, whole.n
    yield "precision", whole.precision, whole.n
    yield "recall", whole.recall, whole.n
    times = sorted(score.reading.cpu_ms for score in scores)
    yield "cpu_ms_median", quantile(times, 0.5), len(times)
    yield "cpu_ms_p95", quantile(times, 0.95), len(times)
    if found := [score.lines for score in scores if score.lines is not None]:
        yield "line_f1", macro(found).f1, len(found)
    shares: dict[str, list[float]] = {
        "title_exact": [score.title for score in scores if score.title is not None],
        "date_day": [score.day for score in scores if score.day is not None],
        "author_f1": [score.authors for score in scores if score.authors is not None],
        "as_article": [score.reading.kind == "article" for score in scores if score.reading.kind],
    }
    for metric, values in shares.items():
        if values:
            yield metric, mean(values), len(values)
    if failed := sum(score.reading.failed for score in scores):
        yield "errors", float(failed), len(scores)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value under which a share of the ordered values lies, between neighbours in proportion; 0 of nothing.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3], 1.0)
    (2.5, 3.0)
    """
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
