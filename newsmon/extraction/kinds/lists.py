"""Pages of many short pieces: live tickers, and sections that list other pages."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from newsmon.extraction import phrases
from newsmon.extraction.text import TINY, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsmon.extraction.kinds.evidence import Evidence
    from newsmon.extraction.kinds.shape import Line

_LONGEST_STAMP = 24
_NEAR = 4
_FEW, _SOME, _MANY = 4, 8, 12
_ORDERED = 0.8
_LISTS = frozenset(("CollectionPage", "SearchResultsPage", "ProfilePage"))
_ARTICLE_ADDRESS = re.compile(r"\d{4,}|(?:id|article|story|news)=\w|[^/]*-[^/]*-[^/]*-[^/]*|\.s?html?$|\.php$|\.aspx?$")
_LEAST_HEADLINES = 8
_LONGEST_TEASER = 4 * TINY
_NAME = 30
_ENOUGH = 3
_DOUBT = 0.3
_MOSTLY = 0.6


class Posts(NamedTuple):
    """Posts with a time.

    :param size: size of their text.
    :param down: share of the steps from one clock to the next that go back in time; live blogs begin with the newest.
    :param clocks: how many have a clock, not just "5 minutes ago".
    :param names: class, id and the like around the times.
    """

    number: int
    size: int
    down: float
    clocks: int
    names: str

    @property
    def ordered(self) -> bool:
        return max(self.down, 1 - self.down) >= _ORDERED


def ticker(evidence: Evidence) -> str | None:
    """Posts with a time before each, on a page that is called live or is nothing else."""
    if "LiveBlogPosting" in evidence.sources.json_ld.get("type", ()):
        return "JSON-LD says LiveBlogPosting"
    if sum(bool(phrases.STAMP.match(text)) for text in evidence.segments.texts) < _FEW:
        return None
    posts = _posts(evidence.shape.lines)
    if posts.number < _FEW or posts.size < 0.4 * evidence.shape.prose:
        return None
    live = next((part for part in evidence.title_parts if phrases.LIVE.search(part)), None)
    if live is None and phrases.LIVE_ADDRESS.search(evidence.answered.path):
        live = evidence.answered.path
    if live and posts.ordered:
        return f"{posts.number} posts with their times on a page called {live!r}"
    if posts.number >= _SOME and phrases.LIVE_NAMES.search(posts.names):
        return f"{posts.number} posts with their times in the markup of a live blog"
    if posts.clocks >= _MANY and posts.down >= _ORDERED and posts.size > 0.6 * evidence.shape.prose:
        return f"{posts.clocks} posts with their times, the newest first"
    return None


def _posts(lines: Sequence[Line]) -> Posts:
    clocks: list[int] = []
    names: list[str] = []
    count = total = 0
    for number, minutes in _stamps(lines):
        if told := _prose_of(lines, number):
            count += 1
            total += told
            names.append(lines[number].names)
            if minutes is not None:
                clocks.append(minutes)
    return Posts(count, total, _share_down(clocks), len(clocks), " ".join(names).lower())


def _stamps(lines: Sequence[Line]) -> Iterator[tuple[int, int | None]]:
    """Numbers of the lines that begin with a clock, with its minutes, or say only how long ago.

    Those of comments and those under the headline of a teaser are left out.
    """
    for number, line in enumerate(lines):
        if line.linked or not phrases.STAMP.match(line.text) or (number and lines[number - 1].is_headline):
            continue
        start = line.text[:_LONGEST_STAMP].lower()
        minutes = _minutes(start)
        stamped = minutes is not None or (line.size <= _LONGEST_STAMP and phrases.AGO.fullmatch(start))
        if stamped and not phrases.COMMENT_NAMES.search(line.names.lower()):
            yield number, minutes


def _minutes(start: str) -> int | None:
    """Minutes of the clock or of the match a line begins with."""
    if clock := phrases.CLOCK.match(start):
        return int(clock[1]) * 60 + int(clock[2])
    minute = phrases.MINUTE.match(start)
    return int(minute[1] or minute[2]) if minute else None


def _prose_of(lines: Sequence[Line], number: int) -> int:
    """Size of the prose in the line of a stamp and after it, up to the next stamp or headline."""
    total = lines[number].size if lines[number].is_prose else 0
    for line in lines[number + 1 : number + _NEAR]:
        if line.is_headline or _minutes(line.text[:_LONGEST_STAMP].lower()) is not None:
            break
        total += line.size if line.is_prose else 0
    return total


def _share_down(clocks: Sequence[int]) -> float:
    steps = [later - earlier for earlier, later in pairwise(clocks) if later != earlier]
    return sum(step < 0 for step in steps) / len(steps) if steps else 1.0


def section(evidence: Evidence) -> str | None:
    """Many headlines with no more than teasers between them, and little that speaks for an article."""
    if evidence.is_long or evidence.states_article or evidence.shape.headlines < _LEAST_HEADLINES:
        return _stated_list(evidence)
    if evidence.core >= _LONGEST_TEASER or (evidence.trusted and evidence.size >= TINY):
        return None
    signs = list(_signs(evidence))
    if sum(weight for weight, _ in signs) >= _ENOUGH:
        told = "; ".join(reason for weight, reason in signs if weight > 0)
        return f"a list of {evidence.shape.headlines} headlines: {told}"
    return None


def _stated_list(evidence: Evidence) -> str | None:
    listed = evidence.json_types & _LISTS
    if listed and not evidence.says_article and evidence.core < TINY:
        return f"JSON-LD says {min(listed)}"
    return None


def _signs(evidence: Evidence) -> Iterator[tuple[int, str]]:
    """What speaks for a list (above zero) and for an article."""
    shape = evidence.shape
    if listed := evidence.json_types & _LISTS:
        yield 3, f"JSON-LD says {min(listed)}"
    if evidence.og_type in ("website", "profile", "object"):
        yield 1, f"og:type is {evidence.og_type!r}"
    if evidence.og_type == "article":
        yield -2, "og:type is 'article'"
    if any(evidence.sources[origin].get("published") for origin in ("opengraph", "meta", "microdata")):
        yield -3, "a date of publication"
    yield from _signs_of_address(evidence)
    yield from _signs_of_title(evidence)
    if shape.headlines >= _MANY and shape.linked_size >= _MOSTLY * shape.size:
        yield 1, "most of the page is links"
    if shape.teasers >= _SOME:
        yield 1, f"{shape.teasers} teasers"
    place = shape.place(evidence.text) if evidence.text else None
    if place and (between := shape.headlines_between(*place)) >= _FEW:
        yield 2, f"{between} headlines in the text"
    elif place is not None:
        yield -1, "a text of one piece"
    if evidence.confidence is not None and not evidence.trusted and evidence.confidence < _DOUBT:
        yield 1, f"a text of confidence {evidence.confidence:.2f}"
    if not evidence.text and shape.prose < TINY:
        yield 2, "no prose"


def _signs_of_address(evidence: Evidence) -> Iterator[tuple[int, str]]:
    address = evidence.answered.path + (f"?{evidence.answered.query}" if evidence.answered.query else "")
    if phrases.LIST_ADDRESS.search(address):
        yield 2, f"the address {address!r}"
    elif _ARTICLE_ADDRESS.search(address.rstrip("/").rpartition("/")[2]):
        yield -2, "the address of an article"
    elif evidence.answered.path.count("/") <= 2:
        yield 1, f"the address {address!r}"


def _signs_of_title(evidence: Evidence) -> Iterator[tuple[int, str]]:
    headings = evidence.shape.headings
    if named := next((part for part in evidence.title_parts if phrases.LIST_NAME.search(part)), None):
        yield 2, f"the title {named!r}"
    elif headings and size(headings[0]) <= _NAME and len(headings[0].split()) <= 3:
        yield 1, f"the heading {headings[0]!r}"
    elif headings:
        yield -1, "a headline"
    else:
        yield 1, "no heading of its own"
