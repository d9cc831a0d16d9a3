"""The generated farm: the demo's sites, and as many plain ones as a bench asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from newsmon.farm.bulk import bulk_sites
from newsmon.farm.desk import Press
from newsmon.farm.server import Server
from newsmon.farm.sites import NEWS_SITES
from newsmon.farm.troubles import TROUBLE_SITES

if TYPE_CHECKING:
    from collections.abc import Collection


class Farm(Server):
    """News sites made from a seed; see :class:`Server` for starting, the log and the switches.

    :param articles: ordinary articles per demo site at the start; the odd pages come on top. At least 3.
    :param stages: stages that bring something new, the first included.
    :param sites: hosts of the demo sites wanted; None is all of them, an empty collection none.
    :param bulk_hosts: plain hosts ``bulk-000.example`` ... beside them, with ``bulk_articles`` pages of
        about ``page_kb`` kilobytes each, made at once and kept compressed.
    :param now: aware time from which the dates of the articles count back.
    :raises ValueError: fewer than 3 articles or 1 stage.

    >>> with Farm(sites=["zarya.example"], articles=3) as farm:
    ...     farm.connect_to == {"zarya.example": f"127.0.0.1:{farm.port}"}
    True
    """

    def __init__(
        self,
        *,
        seed: int = 1,
        articles: int = 6,
        stages: int = 3,
        sites: Collection[str] | None = None,
        bulk_hosts: int = 0,
        bulk_articles: int = 0,
        page_kb: int = 100,
        now: datetime | None = None,
        port: int = 0,
        drip_seconds: float = 15.0,
    ) -> None:
        if articles < 3 or stages < 1:
            raise ValueError(f"a farm needs at least 3 articles and 1 stage, not {articles} and {stages}")
        began = now or datetime.now(UTC)
        press = Press(str(seed), began, articles, stages)
        made = [declare(press) for declare in (*NEWS_SITES, *TROUBLE_SITES) if _wanted(declare.__name__, sites)]
        made += bulk_sites(bulk_hosts, bulk_articles, page_kb, seed=str(seed), now=began)
        super().__init__(made, port=port, now=began, drip_seconds=drip_seconds)


def _wanted(name: str, sites: Collection[str] | None) -> bool:
    return sites is None or f"{name}.example" in sites
