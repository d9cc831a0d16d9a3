"""XPath expressions of rule files: XPath 1.0 as data, checked before use, with an upper bound on their cost.

Rule files come from strangers too. So an expression may only use the functions of XPath 1.0 itself (nothing that reads
other documents, no extension functions, no variables), has a limited length, and an evaluation is refused when its
worst case on the page at hand is too much work: libxml2 cannot be interrupted once it has begun.

The worst case is ``nodes ** degree`` visits, see :func:`_path_degree`. A plain ``//div[@id="x"]//p`` has degree 1, a
page-wide search repeated for every node of a page-wide search has degree 2 (``//a[//b]``, ``//a/following::b``), one
more level has degree 3 and is refused at once.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lxml import etree, html

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LENGTH = 2000  # characters of an expression
MAX_DEPTH = 40  # nesting of brackets
MAX_DEGREE = 2
MAX_VISITS = 400_000_000  # node visits of one evaluation, a few seconds

FUNCTIONS = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains substring-before "
    "substring-after substring string-length normalize-space translate boolean not true false lang number sum floor "
    "ceiling round".split()
)
NODE_TYPES = frozenset({"text", "comment", "node", "processing-instruction"})
_WIDE_AXES = frozenset({"descendant", "descendant-or-self", "following", "preceding"})
_OPERATOR_SYMBOLS = frozenset({"|", "+", "-", "=", "!=", "<", "<=", ">", ">="})
_OPERATOR_NAMES = frozenset({"and", "or", "mod", "div", "*"})
_SAMPLE = "<html><head><title>t</title></head><body><div id='a' class='b'><p>c <a href='/d'>e</a></p></div></body></html>"

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<literal>"[^"]*"|'[^']*')
  | (?P<number>\d+(?:\.\d*)?|\.\d+)
  | (?P<symbol>::|//|\.\.|!=|<=|>=|[()\[\].@,/|+\-=<>*$])
  | (?P<name>[^\W\d][\w.\-]*(?::(?!:)(?:[^\W\d][\w.\-]*|\*))?)
    )""",
    re.VERBOSE,
)


class XPathError(ValueError):
    """An expression is not one that a rule file may use, or costs too much on a page; the text says why."""


@dataclass(frozen=True, slots=True)
class XPath:
    """A checked, compiled expression.

    :param degree: exponent of its worst-case cost in the number of nodes.
    """

    expression: str
    degree: int
    _compiled: etree.XPath

    def __call__(self, tree: html.HtmlElement) -> list[html.HtmlElement | str]:
        """Return what the expression selects, in document order; a string result is a list of one.

        :raises XPathError: when the page is too large for an expression of this degree, or evaluation fails.
        """
        if self.degree > 1:
            self._refuse_costly(tree)
        try:
            result = self._compiled(tree)
        except etree.XPathError as error:
            raise XPathError(f"{self.expression}: {error}") from error
        return result if isinstance(result, list) else [str(result)] if result else []

    def _refuse_costly(self, tree: html.HtmlElement) -> None:
        nodes = int(_COUNT(tree))
        if nodes**self.degree > MAX_VISITS:
            raise XPathError(f"{self.expression}: too much work on a page of {nodes:,} nodes; {_CHEAPER}")


_COUNT = etree.XPath("count(//node())")
_CHEAPER = "search below an element that is found once, e.g. //div[@id='content']//p, not in the whole page again"


@lru_cache(maxsize=8192)
def compile_xpath(expression: str) -> XPath:
    """Check and compile an expression; the same object for the same expression.

    :raises XPathError: with what is wrong and what to write instead.

    >>> compile_xpath("//article//p").degree
    1
    >>> compile_xpath("document('http://a.example/')/x")
    Traceback (most recent call last):
    newsmon.xpath.XPathError: document() is not a function of XPath 1.0; a rule may use: boolean, ceiling, concat, ...
    """
    if not expression.strip():
        raise XPathError("the XPath is empty")
    if len(expression) > MAX_LENGTH:
        raise XPathError(f"the XPath has {len(expression):,} characters, at most {MAX_LENGTH:,} are allowed")
    tokens = _tokens(expression)
    _check_nesting(tokens)
    _check_names(tokens)
    try:
        compiled = etree.XPath(expression)
        degree = _Degree(tokens).of_expression()
        if degree > MAX_DEGREE:
            raise XPathError(f"searches the whole page for every node of every node; {_CHEAPER}")
        result = compiled(html.document_fromstring(_SAMPLE))
    except etree.XPathError as error:
        raise XPathError(_reason(str(error), expression)) from error
    if isinstance(result, bool | float):
        kind = "true or false" if isinstance(result, bool) else "a number"
        raise XPathError(f"gives {kind}, not nodes or text")
    return XPath(expression, degree, compiled)


def _tokens(expression: str) -> list[tuple[str, str]]:
    tokens, at, end = [], 0, len(expression.rstrip())
    while at < end:
        found = _TOKEN.match(expression, at)
        if found is None:
            rest = expression[at:].lstrip()[:30]
            quotes = "a quote that is never closed" if rest[:1] in "\"'" else "not XPath"
            raise XPathError(f"{quotes} at: {rest}")
        assert found.lastgroup is not None
        kind, text = found.lastgroup, found[found.lastgroup]
        tokens.append(("operator" if _is_operator(kind, text, tokens) else kind, text))
        at = found.end()
    return tokens


def _is_operator(kind: str, text: str, before: list[tuple[str, str]]) -> bool:
    """XPath 1.0, 3.7: a name or ``*`` is an operator when an operand has just ended."""
    if kind == "symbol" and text in _OPERATOR_SYMBOLS:
        return True
    if text not in _OPERATOR_NAMES or not before:
        return False
    last_kind, last = before[-1]
    return last_kind != "operator" and last not in ("@", "::", "(", "[", ",", "/", "//")


def _check_nesting(tokens: list[tuple[str, str]]) -> None:
    depth = 0
    for _, text in tokens:
        depth += (text in ("(", "[")) - (text in (")", "]"))
        if depth > MAX_DEPTH:
            raise XPathError(f"brackets are nested more than {MAX_DEPTH} deep")


def _check_names(tokens: list[tuple[str, str]]) -> None:
    following = [text for _, text in tokens[1:]] + [""]
    for (kind, text), after in zip(tokens, following, strict=True):
        if (kind, text) == ("symbol", "$"):
            raise XPathError("variables ($name) have no value in a rule")
        if kind != "name":
            continue
        if after == "(" and text not in NODE_TYPES and text not in FUNCTIONS:
            raise XPathError(_unknown_function(text))
        if after != "(" and ":" in text and not text.startswith("xml:"):
            raise XPathError(f"{text}: HTML has no namespaces; write *[name()='{text}']")


def _unknown_function(name: str) -> str:
    if name == "has-class":
        return "has-class() is no XPath; write contains(concat(' ', normalize-space(@class), ' '), ' NAME ')"
    close = difflib.get_close_matches(name, FUNCTIONS, n=1, cutoff=0.75)
    instead = f"did you mean {close[0]}()?" if close else f"a rule may use: {', '.join(sorted(FUNCTIONS))}"
    return f"{name}() is not a function of XPath 1.0; {instead}"


def _reason(message: str, expression: str) -> str:
    opened = [expression.count(left) - expression.count(right) for left, right in ("()", "[]")]
    for count, bracket in zip(opened, "([", strict=True):
        if count > 0:
            return f"{message.lower()}: a '{bracket}' is never closed"
    return message.lower()


class _Degree:
    """Reads tokens once, by the grammar of XPath 1.0 as far as cost needs it."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens: Iterator[tuple[str, str]] = iter(tokens)

    def of_expression(self, closing: str = "") -> int:
        """Return the degree of everything up to ``closing``: that of its most costly path.

        The cost of a step is (nodes it starts from) x (nodes it looks at) x (cost of its predicates on each). A step
        starts from 1 node at the beginning of a path and from n after a page-wide step. It looks at n nodes on
        ``following`` and ``preceding``, at the beginning with ``//``; below a node it looks at few, because trees are
        shallow.
        """
        worst, path, first, many = 0, 0, True, False
        for kind, text in self._tokens:
            if kind == "operator" or text == ",":
                path, first, many = 0, True, False
                continue
            if kind == "symbol" and text == closing:
                break
            if (kind, text) == ("symbol", "["):
                worst = max(worst, path + self.of_expression("]"))
            elif (kind, text) == ("symbol", "("):
                path = max(path, self.of_expression(")"))
                many = path > 0
            elif (kind, text) == ("symbol", "//"):
                path, many = max(path, 1) if first or many else path, True
            elif kind == "name" and text in _WIDE_AXES:
                path, many = self._after_axis(text, path, many), True
            worst, first = max(worst, path), False
        return worst

    @staticmethod
    def _after_axis(axis: str, path: int, many: bool) -> int:
        if axis in ("following", "preceding"):
            return 1 + many
        return max(path, 1)
