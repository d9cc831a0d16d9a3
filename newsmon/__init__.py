"""newsmon watches news sites and knows when it is wrong.

::

    from newsmon import extract

    found = extract(page)  # bytes, text or a file; see newsmon.reading.extract
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newsmon.reading import extract

__all__ = ["__version__", "extract"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load what notebooks use when it is asked for: Scrapy imports this package for every command."""
    if name == "extract":
        found = importlib.import_module("newsmon.reading").extract
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
