"""The terminal, for text that other people wrote."""

from __future__ import annotations

from rich.console import Console


def plain_console() -> Console:
    """Return a console that shows brackets and colons as they are: titles and addresses of pages are no markup."""
    return Console(markup=False, emoji=False, highlight=False)
