"""Pages that could hurt are read in a process of their own, which is killed when it takes too long or too much.

::

    Page ── Page.risk ──┬── none, 999 of 1,000 ────────────────────────────────> extract(page)
                        └── large, many tags ── Sandbox ── pipe ── worker ─────> extract(page)
                                                   │                 └ memory limit, alarm clock
                                                   └ deadline: kill, start another, Kind.UNPARSABLE with the reason

>>> from datetime import UTC, datetime
>>> from newsmon.page import Page
>>> page = Page("http://a.example/1", "http://a.example/1", 200, b"<b>" * 200_000, datetime.now(UTC))
>>> guarded(page).kind.value
'unparsable'
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from newsmon.errors import ExtractorFault
from newsmon.extraction import extract
from newsmon.model import Extract, Kind
from newsmon.sandbox.process import MEMORY, SECONDS, Sandbox

if TYPE_CHECKING:
    from newsmon.model import Entry
    from newsmon.page import Page
    from newsmon.siterules import SiteRules

__all__ = ["MEMORY", "SECONDS", "Sandbox", "guarded"]

logger = logging.getLogger(__name__)


def guarded(
    page: Page,
    *,
    rules: SiteRules | None = None,
    entry: Entry | None = None,
    sandbox: Sandbox | None = None,
    **options: Any,
) -> Extract:
    """Read an article as :func:`newsmon.extraction.extract` does, whatever the page is; never raises for a page.

    :param sandbox: where risky pages are read; one that all calls of this process share by default.
    :param options: further arguments of ``extract``, values of JSON.
    """
    try:
        if page.risk is None:
            return extract(page, rules=rules, entry=entry, **options)
        return (sandbox or _shared()).extract(page, rules=rules, entry=entry, **options)
    except Exception as error:  # noqa: BLE001 - the boundary: a fault of newsmon costs one page, and is told
        fault = str(error) if isinstance(error, ExtractorFault) else f"{type(error).__name__}: {error}"
        logger.error("Reading %s failed: %s", page.url, fault)
        return Extract(kind=Kind.UNPARSABLE, reason=f"newsmon failed on the page: {fault}")


@lru_cache(maxsize=1)
def _shared() -> Sandbox:
    return Sandbox()
