"""Fields of a page by the XPaths of its site's rule.

::

    versions valid on the day of the fetch, newest first
      └─ text: XPaths in order; the first that selects any text decides, stripped elements left out
           ├─ text found: this version reads the other fields as well
           └─ nothing: the next version; none left: the newest version still reads the other fields
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lxml import etree

from newsmon.extraction.text import Element, clean, flat_text, paragraphs

if TYPE_CHECKING:
    from newsmon.extraction.head import Values
    from newsmon.siterules import RuleVersion

FIELDS = ("title", "authors", "published", "modified", "summary", "image", "section", "tags", "language")
"""Fields a rule version may give besides ``text``."""

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
    paragraphs: list[str] = field(default_factory=list)
    values: Values = field(default_factory=dict)
    problem: str | None = None


@lru_cache(maxsize=20_000)
def compile_xpath(expression: str) -> etree.XPath:
    """An XPath 1.0 ready for use; the same expression is compiled once for all sites.

    :raises lxml.etree.XPathSyntaxError: when the expression is malformed.
    """
    return etree.XPath(expression, smart_strings=False)


def read_by_rules(tree: Element, versions: Sequence[RuleVersion]) -> RuleReading:
    """Read a page by the rule versions valid for it, newest first.

    >>> read_by_rules(tree=None, versions=[]).problem
    'no rule version is valid on this day'
    """
    problems = []
    for version in versions:
        try:
            found = _text(tree, version)
        except etree.XPathError as error:
            problems.append(f"rule {version.id}: {error}")
            continue
        if found:
            return RuleReading(version.id, found, _values(tree, version))
        problems.append(f"rule {version.id}: its text XPaths select no text")
    if not versions:
        return RuleReading(problem="no rule version is valid on this day")
    return RuleReading(versions[0].id, [], _values(tree, versions[0]), "; ".join(problems))


def _text(tree: Element, version: RuleVersion) -> list[str]:
    stripped = {element for xpath in version.strip for element in _elements(compile_xpath(xpath)(tree))}
    for xpath in version.text:
        if found := _paragraphs(compile_xpath(xpath)(tree), stripped):
            return found
    return []


def _paragraphs(selected: Any, stripped: Collection[Element]) -> list[str]:
    elements = list(_elements(selected))
    if elements:
        return paragraphs(elements, stripped=stripped)
    return [line for value in _strings(selected) if (line := clean(value))]


def _values(tree: Element, version: RuleVersion) -> Values:
    values: Values = {}
    for name in FIELDS:
        for xpath in getattr(version, name):
            if found := _field(tree, xpath):
                values[name] = found
                break
    return values


def _field(tree: Element, xpath: str) -> list[str]:
    try:
        selected = compile_xpath(xpath)(tree)
    except etree.XPathError:  # a broken field leaves its place to the page's own metadata
        return []
    stated = [text for element in _elements(selected) for text in _stated(element)]
    return [text for value in (*stated, *_strings(selected)) if (text := clean(value))]


def _stated(element: Element) -> list[str]:
    """What an element says: a machine-readable attribute first, then its text."""
    attributes = (element.get(name) for name in _STATED_IN.get(element.tag, ()))
    return [text for text in (*attributes, flat_text(element)) if text]


def _elements(selected: Any) -> Iterator[Element]:
    if isinstance(selected, list):
        yield from (item for item in selected if isinstance(item, etree.ElementBase) and isinstance(item.tag, str))


def _strings(selected: Any) -> Iterable[str]:
    """Attributes and text nodes of a node set, or the result of ``string()``."""
    if isinstance(selected, str):
        return [selected]
    return [item for item in selected if isinstance(item, str)] if isinstance(selected, list) else []
