"""XPath expressions of rule files: XPath 1.0 as data, checked before use, with an upper bound on their work.

Rule files come from strangers too. So an expression may only use the functions of XPath 1.0 itself (nothing that reads
other documents, no extension functions, no variables), has a limited length, and is not evaluated on a page where it
could take more than a few seconds: libxml2 cannot be interrupted once it has begun.

::

    "//div[@id='a']//p" --tokens--> names allowed? --cost--> too much on any page? --libxml2--> XPath
    Selector(tree).select("//div[@id='a']//p") --> too much on this page? --> elements or strings
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree, html

from newsmon.xpath.cost import Cost, MeasuredSize, PageSize, costs_of
from newsmon.xpath.tokens import Token, XPathError, tokenize

__all__ = ["Selector", "XPath", "XPathError", "compile_xpath"]

MAX_LENGTH = 2000  # characters of an expression
MAX_DEPTH = 40  # nesting of brackets
MAX_WORK = 200_000_000  # nodes libxml2 looks at, a few seconds
SMALL_PAGE = PageSize(nodes=2000, siblings=50, depth=20)  # what is too much work for it is refused at once

_FUNCTION_NAMES = """
    last position count id local-name namespace-uri name string concat starts-with contains substring-before
    substring-after substring string-length normalize-space translate boolean not true false lang number sum floor
    ceiling round
"""
FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_SAMPLE = html.document_fromstring("<title>t</title><div id='a' class='b'><p>c <a href='/d'>e</a></p></div>")
_CHEAPER = "search below an element that is found once, like //div[@id='a']//p, not in the whole page for each"


@dataclass(frozen=True, slots=True)
class XPath:
    """A checked, compiled expression; :class:`Selector` evaluates it."""

    expression: str
    costs: tuple[Cost, ...]
    compiled: etree.XPath


class Selector:
    """Evaluates checked expressions on one page.

    >>> page = html.document_fromstring("<h1>Title</h1><p>one</p><p>two</p>")
    >>> [element.text for element in Selector(page).select("//p")]
    ['one', 'two']
    >>> Selector(page).select("string(//h1)")
    ['Title']
    """

    def __init__(self, tree: html.HtmlElement) -> None:
        self.tree = tree
        self._size = MeasuredSize(tree)

    def select(self, expression: str) -> list[html.HtmlElement | str]:
        """Return what the expression selects, in document order; a string result is a list of one, or of none if empty.

        :raises XPathError: when the expression is not allowed, or is too much work on this page.
        """
        xpath = compile_xpath(expression)
        for cost in xpath.costs:
            if cost.exceeds(MAX_WORK, self._size, self.tree):
                raise XPathError(f"{expression}: too much work on a page of {self._size.nodes:,} nodes; {_CHEAPER}")
        try:
            result = xpath.compiled(self.tree)
        except etree.XPathError as error:
            raise XPathError(f"{expression}: {error}") from error
        if isinstance(result, list):
            return result
        return [str(result)] if result else []


@lru_cache(maxsize=8192)
def compile_xpath(expression: str) -> XPath:
    """Check and compile an expression; the same object for the same expression.

    :raises XPathError: with what is wrong and what to write instead.

    >>> compile_xpath("//h1").expression
    '//h1'
    >>> compile_xpath("contain(//h1, 'a')")
    Traceback (most recent call last):
    newsmon.xpath.tokens.XPathError: contain() is not a function of XPath 1.0; did you mean contains()?
    """
    if not expression.strip():
        raise XPathError("the XPath is empty")
    if len(expression) > MAX_LENGTH:
        raise XPathError(f"the XPath has {len(expression):,} characters, at most {MAX_LENGTH:,} are allowed")
    tokens = tokenize(expression)
    _check_nesting(tokens)
    _check_names(tokens)
    compiled = _compile(expression)
    costs = costs_of(tokens, expression)
    if any(cost.exceeds(MAX_WORK, SMALL_PAGE) for cost in costs):
        raise XPathError(f"too much work on any page; {_CHEAPER}")
    return XPath(expression, costs, compiled)


def _compile(expression: str) -> etree.XPath:
    try:
        compiled = etree.XPath(expression)
        result = compiled(_SAMPLE)
    except etree.XPathError as error:
        raise XPathError(_reason(str(error), expression)) from error
    if isinstance(result, bool | float):
        raise XPathError(f"gives {'true or false' if isinstance(result, bool) else 'a number'}, not nodes or text")
    return compiled


def _check_nesting(tokens: list[Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth > MAX_DEPTH:
            raise XPathError(f"brackets are nested more than {MAX_DEPTH} deep")


def _check_names(tokens: list[Token]) -> None:
    for token in tokens:
        if token.text == "$":
            raise XPathError("variables ($name) have no value in a rule")
        if token.kind == "function" and token.text not in FUNCTIONS:
            raise XPathError(_unknown_function(token.text))
        if token.kind == "name" and ":" in token.text and not token.text.startswith("xml:"):
            raise XPathError(f"{token.text}: HTML has no namespaces; write *[name()='{token.text}']")


def _unknown_function(name: str) -> str:
    if name == "has-class":
        return "has-class() is no XPath; write contains(concat(' ', normalize-space(@class), ' '), ' NAME ')"
    close = difflib.get_close_matches(name, FUNCTIONS, n=1, cutoff=0.75)
    instead = f"did you mean {close[0]}()?" if close else "a rule may use those like contains() and substring-after()"
    return f"{name}() is not a function of XPath 1.0; {instead}"


def _reason(message: str, expression: str) -> str:
    for left, right in ("()", "[]"):
        if expression.count(left) > expression.count(right):
            return f"{message.lower()}: a '{left}' is never closed"
        if expression.count(left) < expression.count(right):
            return f"{message.lower()}: a '{right}' closes nothing"
    return message.lower()
