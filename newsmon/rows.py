"""A table row as a line of text, ``cell | cell``, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

_BORDER = re.compile(r"(?:^| )\|(?= |$)")


def join_cells(cells: Iterable[str]) -> str:
    """The line of some cells; empty ones leave their place to the borders around them.

    >>> join_cells(["", "2023", "", "2024"])
    '| 2023 | | 2024'
    """
    return one_line(" | ".join(cells))


def split_cells(line: str) -> list[str]:
    """The cells of a line, which :func:`join_cells` puts together again.

    >>> split_cells("| 2023 | | 2024")
    ['', '2023', '', '2024']
    """
    return [cell.strip() for cell in _BORDER.split(line)]
