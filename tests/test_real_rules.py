"""The rule files of real sites, on saved pages of these sites (measuring data that is not part of the repository).

Text is compared with the reviewed text of each snapshot by token F1 (multiset of lower-case words), titles exactly but
for white space and quotes.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from newsmon.extraction import extract
from newsmon.extraction.text import paragraphs
from newsmon.library import Library, load_library
from newsmon.model import Extract, Kind
from newsmon.page import Page
from newsmon.urls import host_of

SITES = {
    "lenta.ru": "lenta.ru",
    "sport-express.ru": "sport-express.ru",
    "vc.ru": "vc.ru",
    "habr.com": "habr.com",
    "nytimes.com-es": "nytimes.com",
}
"""Folder of measuring data -> domain of the rules."""

STUB = 200  # characters; the data call shorter texts stubs
LINKS_ONLY = 300  # characters; pages of a site with less text are a link or a video with a caption
PER_TEMPLATE = 15  # pages of each template: enough to see a rule that does not fit


@dataclass(frozen=True)
class Case:
    """A saved page and what is known of it."""

    name: str
    domain: str
    page: Page
    text: str
    title: str | None
    gold: Mapping[str, Any] = field(default_factory=dict)  # reviewed values, where there are any


@cache
def shipped() -> Library:
    return load_library()


def f1(found: str, expected: str) -> float:
    """Token F1 of two texts.

    >>> f1("a b b", "a b")
    0.8
    """
    ours, theirs = (Counter(re.findall(r"\w+", text.lower())) for text in (found, expected))
    common = (ours & theirs).total()
    return 2 * common / (ours.total() + theirs.total()) if common else 0.0


def plain(title: str | None) -> str:
    """A title without what publishers and browsers vary: quotes, dashes, white space, zero-width signs."""
    return " ".join(re.findall(r"\w+", (title or "").replace("’", "'").replace("\xad", "").lower()))


def page_at(body: bytes, url: str, day: date) -> Page:
    return Page(url, url, 200, body, datetime.combine(day, time.max, UTC))


def read(case: Case) -> Extract:
    rules = shipped().sites[case.domain]
    return extract(case.page, rules=rules)


def records(folder: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / "manifest.jsonl.gz", "rt", encoding="utf-8") as manifest:
        yield from map(json.loads, manifest)


def snapshots(data: Path) -> Iterator[Case]:
    """Dated pages of publishers whose domain has rules."""
    for record in records(data / "redesign"):
        version = record["versions"][record["valid_version"]]
        rules = shipped().for_host(host_of(record["url"])) if (record["url"] or "").startswith("http") else None
        if rules is None or version["chars"] < STUB:
            continue
        day = date.fromisoformat(record["date"])
        stem = data / "redesign" / record["publisher"] / record["date"]
        text = stem.with_name(f"{record['date']}.{record['valid_version']}.txt").read_text(encoding="utf-8")
        body = gzip.decompress(stem.with_name(f"{record['date']}.html.gz").read_bytes())
        name = f"{record['publisher']} {record['date']}"
        reviewed = stem.with_name(f"{record['date']}.gold.json.gz")
        gold = json.loads(gzip.decompress(reviewed.read_bytes())) if reviewed.is_file() else {}
        yield Case(name, rules.domain, page_at(body, record["url"], day), text, version["title"], gold)


def crawled(data: Path, folder: str) -> Iterator[Case]:
    """Pages of one site, some of each template, with the text of the container their manifest names."""
    taken: Counter[str] = Counter()
    for record in records(data / "sites" / folder):
        taken[record["template"]] += 1
        if not record["rule_hit"] or taken[record["template"]] > PER_TEMPLATE:
            continue
        body = gzip.decompress((data / "sites" / folder / f"{record['file']}.gz").read_bytes())
        page = page_at(body, record["url"] or f"https://{SITES[folder]}/", date(2026, 1, 1))
        assert page.tree is not None
        text = "\n".join(each.text for each in paragraphs(page.tree.xpath(record["rule"])))
        if len(text) < LINKS_ONLY:
            continue
        yield Case(f"{folder} {record['id']}", SITES[folder], page, text, record["gold_title"])


def test_every_version_reads_the_snapshots_of_its_time(shared_data: Path) -> None:
    cases = list(snapshots(shared_data))
    assert len({case.domain for case in cases}) >= 30
    wrong = []
    for case in cases:
        found = read(case)
        score = f1(found.text, case.text)
        if found.kind is not Kind.ARTICLE or found.method != "rule" or score < 0.9:
            wrong.append(f"{case.name}: {found.kind} by {found.method}, F1 {score:.3f} ({found.reason})")
    assert not wrong, "\n".join(wrong)


def test_titles_of_the_snapshots(shared_data: Path) -> None:
    wrong = [
        f"{case.name}: {found.title!r}, expected {case.title!r}"
        for case in snapshots(shared_data)
        if plain((found := read(case)).title) != plain(case.title)
    ]
    # Five headlines exist in the page's metadata only: live blogs, and titles for search engines.
    assert len(wrong) <= 5, "\n".join(wrong)


def test_authors_and_days_of_the_reviewed_snapshots(shared_data: Path) -> None:
    wrong, reviewed = [], 0
    for case in snapshots(shared_data):
        if not case.gold:
            continue
        found, reviewed = read(case), reviewed + 1
        if set(found.authors) != set(case.gold.get("authors") or ()):
            wrong.append(f"{case.name}: authors {found.authors}, expected {case.gold.get('authors')}")
        expected = datetime.fromisoformat(case.gold["publishing_date"]).replace(tzinfo=UTC)
        if found.published is None or abs(found.published - expected) > timedelta(days=1):
            wrong.append(f"{case.name}: published {found.published}, expected {expected}")
    assert reviewed >= 50
    assert len(wrong) <= 0.1 * reviewed, "\n".join(wrong)


@pytest.mark.parametrize("folder", SITES)
def test_the_rules_read_all_pages_of_a_site(shared_data: Path, folder: str) -> None:
    scores = {}
    for case in crawled(shared_data, folder):
        found = read(case)
        assert found.method == "rule", f"{case.name}: {found.kind} {found.reason}"
        scores[case.name] = f1(found.text, case.text)
        if case.title is not None:
            # Some gold titles are those of the browser tab: "Title — Author on vc.ru".
            assert plain(case.title).startswith(plain(found.title)), case.name
    assert mean(scores.values()) >= 0.95, {name: score for name, score in scores.items() if score < 0.9}


def test_real_sites_have_what_a_crawl_needs() -> None:
    real = [rules for rules in shipped().sites.values() if not rules.domain.endswith(".example")]
    assert len(real) >= 30
    for rules in real:
        assert rules.feeds, rules.domain
        assert rules.time_zone, rules.domain
        for version in rules.versions:
            assert version.text, (rules.domain, version.id)
            assert version.title, (rules.domain, version.id)
