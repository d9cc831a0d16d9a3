"""A pipeline of the user's own: what it drops is refused with its reason, and no host is blocked by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from newsmon.farm import Farm
from newsmon.model import Outcome
from tests.crawling import crawl, opened, stored

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """
from scrapy.exceptions import DropItem


class NoCouncils:
    def process_item(self, item):
        if item.lease is not None and item.lease.id % 2:
            raise DropItem("an odd page")
        return item
"""
OWN = {
    "newsmon.pipelines.DedupPipeline": 50,
    "newsmon.pipelines.ExtractionPipeline": 100,
    "newsmon.pipelines.StoragePipeline": 900,
}


def test_dropped_pages_are_refused_with_the_reason(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "own_pipelines.py").write_text(PIPELINE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Farm(sites=["zarya.example"], articles=6) as farm:
        pipelines = json.dumps({**OWN, "own_pipelines.NoCouncils": 500})
        crawl(farm, tmp_path / "state", ITEM_PIPELINES=pipelines).check()
    with opened(tmp_path / "state") as store:
        pages = list(store.pages())
        ledger = store.ledger()
    dropped = [page for page in pages if page.reason == "dropped by a pipeline: an odd page"]
    assert len(dropped) >= 3
    assert {page.outcome for page in dropped} == {Outcome.REFUSED}
    assert ledger.leased == 0
    assert stored(tmp_path / "state")


def test_a_crawl_that_would_store_nothing_is_refused(tmp_path: Path) -> None:
    with Farm(sites=["zarya.example"], articles=3) as farm:
        ended = crawl(farm, tmp_path / "state", ITEM_PIPELINES=json.dumps({"newsmon.pipelines.DedupPipeline": 50}))
    assert ended.code == 2
    assert "ITEM_PIPELINES has no newsmon.pipelines.StoragePipeline" in ended.log
