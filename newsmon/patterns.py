"""Regular expressions of rule files: checked before use, and never run for longer than a moment.

A pattern can take exponential time on a harmless address (``(a+)+$``), and Python's own ``re`` cannot be stopped. So
patterns run in the ``regex`` library, with a time limit; one that reaches the limit is taken not to match.
"""

from __future__ import annotations

import logging
from functools import lru_cache

import regex

logger = logging.getLogger(__name__)

MAX_LENGTH = 500  # characters of a pattern
TIME_LIMIT = 0.1  # seconds for one address
MAX_UNROLLED = 50_000  # parts of a pattern, those in a counted repeat counted as often; each takes some 300 bytes
_PROBE_LENGTH = 2000
_PART = regex.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(?P<count>\d+)(?:,\d*)?\}|.", regex.DOTALL)


class PatternError(ValueError):
    """A pattern is not one that a rule file may use; the text says why."""


def check_pattern(pattern: str) -> str:
    """Return the pattern when it may be used.

    :raises PatternError: no regular expression, too long, or it needs exponential time or too much memory.

    >>> check_pattern("/news/[0-9]+")
    '/news/[0-9]+'
    >>> check_pattern("(a+)+$")
    Traceback (most recent call last):
    newsmon.patterns.PatternError: takes too long on some addresses; avoid a repeat inside a repeat, like (a+)+
    """
    if len(pattern) > MAX_LENGTH:
        raise PatternError(f"the pattern has {len(pattern)} characters, at most {MAX_LENGTH} are allowed")
    if _unrolled(pattern) > MAX_UNROLLED:
        raise PatternError("takes too much memory; avoid counts of many thousands and a count inside a count")
    try:
        compiled = _compiled(pattern)
    except regex.error as error:
        raise PatternError(f"not a regular expression: {error}") from error
    try:
        for probe in _probes(pattern):
            compiled.search(probe, timeout=TIME_LIMIT)
    except TimeoutError as error:
        raise PatternError("takes too long on some addresses; avoid a repeat inside a repeat, like (a+)+") from error
    return pattern


def check_replacement(pattern: str, replacement: str) -> None:
    """Check that a replacement names only groups the pattern has.

    :raises PatternError: when it does not.
    """
    try:
        _compiled(f"(?:{pattern})|").sub(replacement, "")  # the empty alternative matches, so the groups are looked up
    except (regex.error, IndexError) as error:
        raise PatternError(f"the replacement {replacement!r} does not fit the pattern: {error}") from error


def matches(pattern: str, text: str) -> bool:
    """Say whether the pattern is found anywhere in the text.

    >>> matches("^https://a[.]example/news/", "https://a.example/news/1.html")
    True
    """
    try:
        return _compiled(pattern).search(text, timeout=TIME_LIMIT) is not None
    except TimeoutError:
        logger.warning("The pattern %r takes too long and is left out for %s", pattern, text)
        return False


def substitute(pattern: str, replacement: str, text: str) -> str:
    r"""Return the text with all that the pattern finds replaced; unchanged when that takes too long.

    >>> substitute(r"/id([0-9]+)-.*", r"/\1", "a.example/id17-title")
    'a.example/17'
    """
    try:
        replaced: str = _compiled(pattern).sub(replacement, text, timeout=TIME_LIMIT)
    except TimeoutError:
        logger.warning("The pattern %r takes too long and is left out for %s", pattern, text)
        return text
    return replaced


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def _unrolled(pattern: str) -> int:
    """How many parts a pattern has once ``x{3}`` is written ``xxx``, as the library writes it when it compiles.

    >>> _unrolled("a(bc{10}){20}")
    221
    """
    sizes, last = [0], 0
    for part in _PART.finditer(pattern):
        if part[0] == "(":
            sizes.append(0)
            continue
        if part["count"]:
            added = last * (int(part["count"]) - 1)
        else:
            added = sizes.pop() if part[0] == ")" and len(sizes) > 1 else 1
            last = 0
        last = max(last + added, 1)
        sizes[-1] += max(added, 0)
    return sum(sizes)


def _probes(pattern: str) -> list[str]:
    """Long runs of the characters the pattern is made of, with an end that no pattern expects."""
    characters = sorted({character for character in pattern if character.isalnum()} | set("a1/-_."))
    return [f"https://a.example/{character * _PROBE_LENGTH}\x00" for character in characters]
