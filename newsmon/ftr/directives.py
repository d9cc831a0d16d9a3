"""The lines of a site configuration: ``name: value``, ``name(argument): value``, ``# comment``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"([A-Za-z0-9_]+)\s*(?:\((.*)\))?")


class Directive(NamedTuple):
    """A line with a meaning.

    :param name: in lower case.
    :param argument: what stands in brackets after the name, empty without.
    :param line: 1-based.
    """

    name: str
    argument: str
    value: str
    line: int


def read_directives(text: str) -> Iterator[Directive]:
    """Yield the directives of a file; a line that is none has an empty name and itself as value.

    >>> [directive[:3] for directive in read_directives("# comment\\nbody: //p\\nhttp_header(A): b: c\\nwords")]
    [('body', '', '//p'), ('http_header', 'A', 'b: c'), ('', '', 'words')]
    """
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip().removeprefix("\ufeff")
        if not line or line.startswith("#"):
            continue
        before, colon, value = _split(line)
        name = _NAME.fullmatch(before) if colon else None
        if name is None:
            yield Directive("", "", line, number)
        else:
            yield Directive(name[1].lower(), (name[2] or "").strip(), value.strip(), number)


def _split(line: str) -> tuple[str, str, str]:
    """Split at the colon after the name; an argument in brackets may hold colons too."""
    if found := re.match(r"\s*([A-Za-z0-9_]+\s*\(.*?\)\s*):(.*)", line):
        return found[1].strip(), ":", found[2]
    before, colon, value = line.partition(":")
    return before.strip(), colon, value
