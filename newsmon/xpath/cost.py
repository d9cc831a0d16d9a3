"""An upper bound on the work of an XPath expression, before it is evaluated.

Work is counted in nodes libxml2 looks at. The bound is a sum of products of three sizes of the page: all nodes ``n``,
the largest number of siblings ``s``, the depth ``d``. The cost of a step is

    (nodes it starts from) x (nodes its axis looks at from each) x (cost of its predicates on each of those)

An axis looks at ``n`` nodes when it searches the page (``//`` at the beginning, ``following``, ``preceding``), at ``s``
among siblings, at ``d`` ancestors. Searching below many nodes finds every node once per ancestor: ``d`` per node.

A step of a path that starts from several nodes merges what each finds, and libxml2 then compares every node with all
it has: measured on libxml2 2.14, ``//div//div//p`` takes 40 s on a page of 20,000 nodes nested 200 deep. A path could
start from very many nodes but usually starts from a few (``//h2[.='x']/following-sibling::p``), so where the page is
large enough for the difference to matter, these are counted first.

The text of an element is put together from all nodes below it. A predicate that reads the text of something outside the
node it tests (``//p[contains(.., 'x')]``, ``//p[. = /html]``) may read most of the page for every node: ``n`` each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast

from lxml import etree, html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsmon.xpath.tokens import Token

Terms = frozenset[tuple[int, int, int]]  # products n^i s^j d^k whose sum is the cost

ONE: Terms = frozenset({(0, 0, 0)})
NODES: Terms = frozenset({(1, 0, 0)})
SIBLINGS: Terms = frozenset({(0, 1, 0)})
DEPTH: Terms = frozenset({(0, 0, 1)})

_DESCENDANTS = frozenset({"descendant", "descendant-or-self"})
_ANCESTORS = frozenset({"ancestor", "ancestor-or-self"})
_SIBLINGS = frozenset({"following-sibling", "preceding-sibling"})
_ALL_OTHERS = frozenset({"following", "preceding"})
_SIDEWAYS = _SIBLINGS | _ALL_OTHERS
_OUTSIDE = _SIDEWAYS | _ANCESTORS | {"parent"}
_COMPARISONS = frozenset({"=", "!=", "<", ">", "<=", ">="})
_TEXT_FUNCTIONS = frozenset(
    {"string", "concat", "contains", "starts-with", "substring", "substring-before", "substring-after"}
    | {"string-length", "normalize-space", "translate", "number", "sum"}
)
COMPARISON = 0.025  # comparing two nodes takes this share of the time of looking at one, measured
_COUNT_NODES = etree.XPath("count(//node())")
_DEEPER = tuple((depth, etree.XPath(f"boolean({'/*' * (depth + 1)})")) for depth in (16, 32, 64, 128, 256))


@dataclass(frozen=True)
class PageSize:
    """The three sizes of a page that bounds are made of."""

    nodes: int
    siblings: int
    depth: int


class MeasuredSize:
    """The sizes of a page, each measured when first asked for: most expressions only need the first."""

    def __init__(self, tree: html.HtmlElement) -> None:
        self._tree = tree

    @cached_property
    def nodes(self) -> int:
        """All nodes, attributes aside."""
        return int(cast("float", _COUNT_NODES(self._tree)))

    @cached_property
    def siblings(self) -> int:
        """The largest number of elements with one parent."""
        return max(len(element) for element in self._tree.iter())

    @cached_property
    def depth(self) -> int:
        """Elements on the longest way down, rounded up to a power of two."""
        return next((depth for depth, deeper in _DEEPER if not deeper(self._tree)), self.nodes)


@dataclass(frozen=True)
class Cost:
    """A part of an expression's cost.

    :param terms: the work for one starting node.
    :param all_terms: the work for all nodes of a page as starting nodes.
    :param starts: counts the starting nodes on a page; None: there is one.
    """

    terms: Terms
    all_terms: Terms = ONE
    starts: etree.XPath | None = None

    def exceeds(self, limit: float, size: PageSize | MeasuredSize, tree: html.HtmlElement | None = None) -> bool:
        """Say whether the work on a page may be more than ``limit``; without ``tree``, whether it must be."""
        if self.starts is None or tree is None:
            return _sum(self.terms, size) > limit
        worst = _sum(self.all_terms, size)
        if _with_merging(worst, size) <= limit:
            return False
        starts = cast("float", self.starts(tree))
        work = min(worst, starts * _sum(self.terms, size))
        return (_with_merging(work, size) if starts > 1 else work) > limit


def _sum(terms: Terms, size: PageSize | MeasuredSize) -> float:
    return float(sum(size.nodes**n * (size.siblings**s if s else 1) * (size.depth**d if d else 1) for n, s, d in terms))


def _with_merging(found: float, size: PageSize | MeasuredSize) -> float:
    return found + COMPARISON * found * min(found, size.nodes)


def costs_of(tokens: list[Token], expression: str) -> tuple[Cost, ...]:
    """Return the parts of the cost of an expression in the order in which they must be looked at.

    >>> from newsmon.xpath.tokens import tokenize
    >>> [sorted(cost.terms) for cost in costs_of(tokenize("//a[//b]"), "//a[//b]")]
    [[(0, 0, 0), (1, 0, 0), (2, 0, 0)]]
    """
    reader = _Reader(tokens, expression)
    terms = reader.read(closing="", in_predicate=False)
    return (Cost(terms), *(Cost(part.terms, part.all_terms, part.starts) for part in reader.measured))


@dataclass
class _Measured:
    terms: Terms
    all_terms: Terms
    starts: etree.XPath


@dataclass
class _Path:
    """What is known of a path while its tokens are read."""

    contexts: Terms = ONE
    candidates: Terms = ONE
    axis: str = "child"
    start: int | None = None
    axis_start: int | None = None
    absolute: bool = False
    measured: _Measured | None = field(default=None)
    compared: bool = False  # follows a comparison
    outside: bool = False  # leaves the node it starts from, other than downwards
    is_element: bool = False  # ends in nodes that have others below them

    def text(self, *, is_read: bool) -> Terms:
        """The cost of putting the text of what it finds together."""
        return NODES if self.outside and self.is_element and (is_read or self.compared) else ONE


class _Reader:
    """Reads the tokens once, by the grammar of XPath 1.0 as far as cost needs it."""

    def __init__(self, tokens: list[Token], expression: str) -> None:
        self._tokens: Iterator[Token] = iter(tokens)
        self._expression = expression
        self.measured: list[_Measured] = []

    def read(self, *, closing: str, in_predicate: bool, as_text: bool = False) -> Terms:
        """Return the cost of everything up to ``closing`` for one context node.

        :param as_text: whether what is found is read as text, as by ``contains()``.
        """
        total, path, function = ONE, _Path(), ""
        for token in self._tokens:
            if token.kind == "symbol" and token.text == closing:
                break
            if token.kind == "operator" or token.text == ",":
                is_comparison = token.text in _COMPARISONS
                total |= path.text(is_read=as_text or is_comparison)
                path = _Path(compared=is_comparison)
            elif token.text == "[" and token.kind == "symbol":
                total |= self._predicate(path)
            elif token.text == "(" and token.kind == "symbol":
                path.start = token.start if path.start is None else path.start
                is_text = function in _TEXT_FUNCTIONS if function else in_predicate
                total |= self._group(path, in_predicate=in_predicate, as_text=is_text)
            else:
                if path.start is None and token.text in ("/", "//"):
                    path.absolute = path.outside = path.is_element = True
                path.start = token.start if path.start is None else path.start
                total |= self._part_of_step(path, token, in_predicate=in_predicate)
            function = token.text if token.kind in ("function", "nodetype") else ""
        return total | path.text(is_read=as_text)

    def _predicate(self, path: _Path) -> Terms:
        inner = self.read(closing="]", in_predicate=True)
        if path.measured is not None:
            path.measured.terms |= _product(path.measured.terms, inner)
            path.measured.all_terms |= _product(path.measured.all_terms, inner)
            return ONE
        return _product(path.candidates, inner)

    def _group(self, path: _Path, *, in_predicate: bool, as_text: bool) -> Terms:
        inner = self.read(closing=")", in_predicate=in_predicate, as_text=as_text)
        if path.contexts == ONE and inner != ONE:
            path.contexts = path.candidates = inner if in_predicate else NODES
        return inner

    def _part_of_step(self, path: _Path, token: Token, *, in_predicate: bool) -> Terms:
        if token.kind == "symbol" and token.text in ("/", "//"):
            path.axis, path.axis_start = ("child", None) if token.text == "/" else ("descendant", token.start)
        elif token.kind == "axis":
            below = self._step(path, in_predicate=in_predicate) if path.axis == "descendant" else ONE
            path.axis, path.axis_start = token.text, token.start
            return below
        elif token.text == "@":
            path.axis = "attribute"
        elif token.kind in ("name", "nodetype") or token.text in ("*", ".", ".."):
            if token.text in (".", "..") and path.axis == "child":
                path.axis = "self"
            path.outside = path.outside or token.text == ".." or path.axis in _OUTSIDE
            path.is_element = path.axis != "attribute" and (token.kind, token.text) != ("nodetype", "text")
            return self._step(path, in_predicate=in_predicate)
        return ONE

    def _step(self, path: _Path, *, in_predicate: bool) -> Terms:
        one_start = path.contexts == ONE
        width = _width(path.axis, searches_page=one_start and (path.absolute or not in_predicate))
        if not in_predicate and (path.axis in _SIDEWAYS or (path.axis in _DESCENDANTS and not one_start)):
            from_one = SIBLINGS if path.axis in _SIBLINGS else NODES
            path.measured = _Measured(from_one, _product(NODES, width), self._starts(path))
            self.measured.append(path.measured)
            path.contexts, path.axis = NODES, "child"
            return ONE
        path.measured = None
        path.candidates = _product(path.contexts, width)
        path.contexts = path.candidates if in_predicate or path.axis in ("self", "attribute") else NODES
        path.axis = "child"
        return path.candidates

    def _starts(self, path: _Path) -> etree.XPath:
        before = self._expression[path.start : path.axis_start].rstrip()
        before = f"{before}." if before.endswith("//") else before.removesuffix("/")
        return etree.XPath(f"count({before or '.'})")


def _width(axis: str, *, searches_page: bool) -> Terms:
    if axis in _ALL_OTHERS or (axis in _DESCENDANTS and searches_page):
        return NODES
    if axis in _SIBLINGS:
        return SIBLINGS
    if axis in _DESCENDANTS | _ANCESTORS:
        return DEPTH
    return ONE


def _product(left: Terms, right: Terms) -> Terms:
    return frozenset((a + d, b + e, c + f) for a, b, c in left for d, e, f in right)
