"""The tokens of XPath 1.0 (W3C 1999, section 3.7), told apart as the grammar needs them."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<literal>"[^"]*"|'[^']*')
  | (?P<number>\d+(?:\.\d*)?|\.\d+)
  | (?P<operator>!=|<=|>=|[|+\-=<>])
  | (?P<symbol>::|//|\.\.|[()\[\].@,/*$])
  | (?P<name>[^\W\d][\w.\-]*(?::(?!:)(?:[^\W\d][\w.\-]*|\*))?)
    )""",
    re.VERBOSE,
)
QUOTES = ("'", '"')
_OPERATOR_NAMES = frozenset({"and", "or", "mod", "div", "*"})
_NODE_TYPES = frozenset({"text", "comment", "node", "processing-instruction"})
_OPENING = frozenset({"@", "::", "(", "[", ",", "/", "//"})


class XPathError(ValueError):
    """An expression is not one that a rule file may use, or is too much work on a page; the text says why."""


class Token(NamedTuple):
    """A token.

    :param kind: ``literal``, ``number``, ``operator``, ``symbol``, ``axis``, ``function``, ``nodetype`` or ``name``.
    :param start: offset in the expression.
    """

    kind: str
    text: str
    start: int


def tokenize(expression: str) -> list[Token]:
    """Split an expression.

    :raises XPathError: at characters that begin no token.

    >>> [f"{token.kind} {token.text}" for token in tokenize("div[2 div 1]")]
    ['name div', 'symbol [', 'number 2', 'operator div', 'number 1', 'symbol ]']
    """
    tokens: list[Token] = []
    at, end = 0, len(expression.rstrip())
    while at < end:
        found = _TOKEN.match(expression, at)
        if found is None:
            rest = expression[at:].lstrip()[:30]
            raise XPathError(f"{'a quote is never closed' if rest[0] in QUOTES else 'not XPath'}: {rest}")
        at = found.end()
        kind = str(found.lastgroup)
        tokens.append(_classified(kind, found[kind], found.start(kind), tokens, expression[at:].lstrip()[:2]))
    return tokens


def _classified(kind: str, text: str, start: int, before: list[Token], after: str) -> Token:
    if text in _OPERATOR_NAMES and before and before[-1].kind != "operator" and before[-1].text not in _OPENING:
        kind = "operator"  # a name or * where an operand has just ended
    elif kind == "name" and after == "::":
        kind = "axis"
    elif kind == "name" and after[:1] == "(":
        kind = "nodetype" if text in _NODE_TYPES else "function"
    return Token(kind, text, start)
