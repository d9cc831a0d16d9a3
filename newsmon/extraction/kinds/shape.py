"""The shape of a page: which of its lines are prose and which are links, and how far the prose runs on.

An article is one long run of prose, however many links stand around it. A list of teasers, an error page with
"most read" below or a video with its neighbours has as much prose, but a headline link after every line or two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from newsmon.extraction.text import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsmon.extraction.segments import Segments

HEADLINE = 20
"""Size of a link's text from which it is a headline and no entry of a menu."""

SENTENCE = 60
"""Size of a line without links from which it is prose."""

_LINKED = 0.25  # a teaser may stand in one line with its headline; paragraphs of news have fewer links
_DENSE_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_TITLES = frozenset(("h1", "h2"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "dt"))
_MOST_LINKS_WITHIN = 12
_MOST_HEADINGS = 6
_MOST_LINES = 5000


class Line(NamedTuple):
    """A shown line.

    :param linked: most of it is a link.
    :param heading: the tag of its block if that is h1 to h4 or dt, else empty.
    :param names: class, id and the like of its block.
    :param block: the number of its block, and ``parent`` that of the block around.
    """

    text: str
    size: int
    linked: bool
    heading: str
    names: str
    block: int = 0
    parent: int = 0

    @property
    def is_headline(self) -> bool:
        return self.linked and self.size >= HEADLINE

    @property
    def is_prose(self) -> bool:
        return not self.linked and self.size >= SENTENCE


class Run(NamedTuple):
    """Prose without headlines between: the lines ``first`` to ``last``, and the size of its prose."""

    first: int
    last: int
    size: int


@dataclass(frozen=True)
class Shape:
    """Lines of a page in reading order.

    :param lines: the shown lines; the first 5,000 of a longer page.
    """

    lines: Sequence[Line]

    @cached_property
    def headlines(self) -> int:
        return sum(line.is_headline for line in self.lines)

    @cached_property
    def size(self) -> int:
        return sum(line.size for line in self.lines)

    @cached_property
    def linked_size(self) -> int:
        return sum(line.size for line in self.lines if line.linked)

    @cached_property
    def prose(self) -> int:
        return sum(line.size for line in self.lines if line.is_prose)

    @cached_property
    def headings(self) -> list[str]:
        """The first h1 and h2 that are no links, in lower case."""
        found = (line.text.lower() for line in self.lines if line.heading in _TITLES and not line.linked)
        return [text for text, _ in zip(found, range(_MOST_HEADINGS), strict=False)]

    @cached_property
    def runs(self) -> list[Run]:
        """Runs of prose; links inside a text ("read also") do not end one, the headline of another piece does."""
        runs: list[Run] = []
        last: Line | None = None
        links: list[Line] = []
        for number, line in enumerate(self.lines):
            if line.is_headline:
                links.append(line)
            elif line.is_prose:
                if last is not None and (not links or _goes_on(last, line, links)):
                    runs[-1] = Run(runs[-1].first, number, runs[-1].size + line.size)
                else:
                    runs.append(Run(number, number, line.size))
                last = line
                links.clear()
        return runs

    @cached_property
    def longest(self) -> Run:
        return max(self.runs, key=lambda run: run.size, default=Run(0, 0, 0))

    @cached_property
    def teasers(self) -> int:
        """How many headlines have at most two lines of prose after them, then the next headline."""
        count = since = 0
        after_headline = False
        for line in self.lines:
            if line.is_headline:
                count += after_headline and 0 < since <= 2
                after_headline, since = True, 0
            elif line.is_prose:
                since += 1
        return count

    def place(self, text: str) -> tuple[int, int] | None:
        """The numbers of the first and the last line of a text, or None when it is not on the page as it stands."""
        lines = text.split("\n")
        numbers = {line.text: number for number, line in reversed(list(enumerate(self.lines)))}
        first = next((numbers[line] for line in lines if line in numbers), None)
        last = next((numbers[line] for line in reversed(lines) if line in numbers), None)
        return None if first is None or last is None or last < first else (first, last)

    def headlines_between(self, first: int, last: int) -> int:
        return sum(line.is_headline for line in self.lines[first : last + 1])


def _goes_on(last: Line, line: Line, links: Sequence[Line]) -> bool:
    """True when links between two lines of prose stand inside one text: both lines are in the same container.

    A headline in a heading element, or in the block of the prose itself, begins another piece.
    """
    if last.block == line.block:
        return True
    if last.parent != line.parent or len(links) > _MOST_LINKS_WITHIN:
        return False
    return not any(link.heading or link.block == line.block for link in links)


def read_shape(segments: Segments) -> Shape:
    """The shape of a page from its segments."""
    texts = segments.texts[:_MOST_LINES]
    measure = size if _DENSE_SCRIPT.search("\n".join(texts)) else len
    blocks = segments.block.tolist()
    parents = segments.parent.tolist()
    tags = [tag if tag in _HEADINGS else "" for tag in segments.tags]
    names = segments.names
    shown = zip(texts, segments.links.tolist(), blocks, segments.hidden.tolist(), strict=False)
    return Shape(
        [
            Line(text, measure(text), link > _LINKED * len(text), tags[block], names[block], block, parents[block])
            for text, link, block, hidden in shown
            if not hidden
        ]
    )
