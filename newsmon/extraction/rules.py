"""Fields of a page by the XPaths of its site's rule.

::

    versions valid on the day of the fetch, newest first
      └─ text: XPaths in order; the first that selects any text decides, stripped elements left out
           ├─ text found: this version reads the other fields as well
           └─ nothing: the next version; none left: the newest version still reads the other fields
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING

from lxml import html

from newsmon.extraction.text import Element, flat_text, outermost, paragraphs
from newsmon.model import Paragraph
from newsmon.text import one_line
from newsmon.xpath import Selector, XPathError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from newsmon.extraction.head import Values
    from newsmon.siterules import RuleVersion

FIELDS = ("title", "authors", "published", "modified", "summary", "image", "section", "tags", "language")
"""Fields a rule version may give besides ``text``."""

_DATES = ("published", "modified")  # of these all XPaths are read: the first may select what is no date

_FEW, _MANY = 50, 1000  # elements a field is made of
_MOST_OF_A_FIELD = 100_000  # characters
_STATED_IN = {
    "meta": ("content",),
    "time": ("datetime",),
    "link": ("href",),
    "data": ("value",),
    "img": ("src", "data-src", "data-original"),
}


@dataclass(frozen=True, slots=True)
class RuleReading:
    """What a rule read.

    :param version: id of the version that answered, None when there was none to ask.
    :param problem: why there is no text, in a sentence for a person.
    """

    version: str | None = None
    paragraphs: list[Paragraph] = field(default_factory=list)
    values: Values = field(default_factory=dict)
    problem: str | None = None


def read_by_rules(tree: Element, versions: Sequence[RuleVersion]) -> RuleReading:
    """Read a page by the rule versions valid for it, newest first.

    >>> read_by_rules(html.fromstring("<p>text</p>"), []).problem
    'no rule version is valid on this day'
    """
    if not versions:
        return RuleReading(problem="no rule version is valid on this day")
    selector = Selector(tree)
    problems = []
    for version in versions:
        try:
            found = _text(selector, version)
        except XPathError as error:
            problems.append(f"rule {version.id}: {error}")
            continue
        if found:
            return RuleReading(version.id, found, _values(selector, version))
        problems.append(f"rule {version.id}: its text XPaths select no text")
    return RuleReading(versions[0].id, [], _values(selector, versions[0]), "; ".join(problems))


def _text(selector: Selector, version: RuleVersion) -> list[Paragraph]:
    stripped = {element for xpath in version.strip for element in _elements(selector.select(xpath))}
    for xpath in version.text:
        if found := _paragraphs(selector.select(xpath), stripped):
            return found
    return []


def _paragraphs(selected: Sequence[Element | str], stripped: Collection[Element]) -> list[Paragraph]:
    """Paragraphs of the selected elements; selected text nodes are a paragraph each."""
    if elements := _elements(selected):
        return paragraphs(elements, stripped=stripped)
    return [Paragraph(line) for value in _strings(selected) if (line := one_line(value))]


def _values(selector: Selector, version: RuleVersion) -> Values:
    values: Values = {}
    for name in FIELDS:
        for xpath in getattr(version, name):
            if found := _field(selector, xpath):
                values.setdefault(name, []).extend(found)
                if name not in _DATES:
                    break
    return values


def _field(selector: Selector, xpath: str) -> list[str]:
    try:
        selected = selector.select(xpath)
    except XPathError:  # a broken field leaves its place to the page's own metadata
        return []
    elements = _elements(selected)
    if len(elements) > _FEW:  # each of them holds the next, in the worst case, and all the page
        elements = list(islice(outermost(elements), _MANY))
    stated = (text for element in elements for text in _stated(element))
    return list(_first_lines(chain(stated, _strings(selected))))


def _first_lines(values: Iterable[str]) -> Iterator[str]:
    """Values on one line each, up to what a field can need: an XPath may select all of a page, again and again."""
    room = _MOST_OF_A_FIELD
    for value in values:
        if room <= 0:
            return
        room -= len(value)
        if text := one_line(value[:_MOST_OF_A_FIELD]):
            yield text


def _stated(element: Element) -> list[str]:
    """What an element says: a machine-readable attribute first, then its text."""
    attributes = (element.get(name) for name in _STATED_IN.get(element.tag, ()))
    return [text for text in (*attributes, flat_text(element)) if text]


def _elements(selected: Sequence[Element | str]) -> list[Element]:
    return [item for item in selected if isinstance(item, html.HtmlElement)]


def _strings(selected: Sequence[Element | str]) -> list[str]:
    return [item for item in selected if isinstance(item, str)]
