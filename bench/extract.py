"""CPU time of extraction on real pages: ten XPath rules with strip, all metadata, the kind of page; beyond the parse.

    python -m bench.extract DATA/sites [--every 4] [--kilobytes 80 160]

The folder holds sites with a manifest (``file``, ``url``, ``rule``: the XPath of the text) and their pages, gzipped.
"""

from __future__ import annotations

import argparse
import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median, quantiles
from time import process_time
from typing import TYPE_CHECKING

from newsmon.extraction import extract
from newsmon.page import Page
from newsmon.siterules import SiteRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIELDS = {
    "title": ["//h1", "//meta[@property='og:title']/@content"],
    "authors": ["//a[@rel='author']", "//span[contains(@class,'author')]"],
    "published": ["//time/@datetime", "//span[contains(@class,'date')]"],
    "modified": ["//meta[@property='article:modified_time']/@content"],
    "summary": ["//meta[@name='description']/@content"],
    "image": ["//meta[@property='og:image']/@content"],
    "section": ["//ul[contains(@class,'breadcrumb')]/li[last()]"],
    "tags": ["//a[contains(@class,'tag')]"],
    "strip": ["//aside", "//div[contains(@class,'banner')]"],
}
ROUNDS = 3  # the first warms the caches and is not counted


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=4, help="take each n-th page of a site")
    parser.add_argument("--kilobytes", type=int, nargs=2, default=(0, 10_000), help="sizes of the pages to take")
    options = parser.parse_args()
    low, high = (size * 1000 for size in options.kilobytes)
    pages = [
        (url, body, site) for url, body, site in read_pages(options.folder, options.every) if low <= len(body) <= high
    ]
    parsing, extraction, found = [], [], 0
    for number in range(ROUNDS):
        for url, body, site in pages:
            page = Page(url, url, 200, body, datetime(2026, 1, 1, tzinfo=UTC))
            began = process_time()
            page.tree  # noqa: B018 - parses
            parsed = process_time()
            result = extract(page, rules=site)
            if number:
                parsing.append(parsed - began)
                extraction.append(process_time() - parsed)
                found += bool(result.text)
    size = median(len(body) for _, body, _ in pages) / 1000
    print(f"{len(pages)} pages, {size:.0f} KB median, text found on {found / len(extraction):.1%}")
    print(f"decode and parse  {summary(parsing)}")
    print(f"extract           {summary(extraction)}")


def read_pages(folder: Path, every: int) -> Iterator[tuple[str, bytes, SiteRules]]:
    """Pages whose text has a rule, with the rules of their site."""
    for manifest in sorted(folder.glob("*/manifest.jsonl.gz")):
        for line in gzip.decompress(manifest.read_bytes()).splitlines()[::every]:
            known = json.loads(line)
            if known["rule"]:
                version = {"id": "1", "text": known["rule"], **FIELDS}
                site = SiteRules(domain="site.example", time_zone="Europe/Moscow", versions=[version])
                body = gzip.decompress((manifest.parent / f"{known['file']}.gz").read_bytes())
                yield known["url"] or "http://site.example/article", body, site


def summary(seconds: Sequence[float]) -> str:
    """Median, mean and 95th percentile in milliseconds."""
    figures = {"median": median(seconds), "mean": mean(seconds), "p95": quantiles(seconds, n=20)[-1]}
    return "  ".join(f"{name} {value * 1e3:.2f}" for name, value in figures.items()) + " ms CPU"


if __name__ == "__main__":
    main()
