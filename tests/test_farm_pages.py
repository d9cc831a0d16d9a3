"""Real pages served by the farm: under their own addresses, as they lie on disk."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import feedparser
import pytest
import yaml

from newsmon.farm import FarmError, PagesFarm
from tests.farming import fetch


def a_site(folder: Path, lines: list[dict[str, Any]], *, packed: bool = True) -> Path:
    (folder / "pages").mkdir(parents=True)
    manifest = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "manifest.jsonl").write_text(manifest)
    for line in lines:
        body = f"<html><title>{line['id']}</title><p>Тело</p></html>".encode("windows-1251")
        if packed:
            (folder / f"{line['file']}.gz").write_bytes(gzip.compress(body))
        else:
            (folder / line["file"]).write_bytes(body)
    return folder


@pytest.mark.parametrize("packed", [True, False])
def test_real_pages_are_served_as_they_lie_there(tmp_path, packed):
    day = {"id": "a", "file": "pages/a.html", "url": "https://www.Paper.test/x/%D1%85?id=1#top", "date": "2025-03-15"}
    hour = {"id": "b", "file": "pages/b.html", "url": "http://paper.test/y", "date": "2025-03-15T10:00:00+03:00"}
    lines = [day | {"gold_title": "Заголовок <1>", "rule": "//p"}, hour | {"rule_hit": False}]
    with PagesFarm(a_site(tmp_path / "paper", lines, packed=packed)) as farm:
        assert farm.feeds == {"paper.test": "http://www.paper.test/newsmon-farm-feed.xml"}
        assert list(farm.sites) == ["paper.test"]
        (first,) = farm.expected
        assert (first.outcome, farm.unjudged) == ("stored", 1)
        page = fetch(farm, "http://www.paper.test/x/%d1%85?id=1", accept_encoding="gzip")
        assert page.headers["Content-Encoding"] == "gzip"
        assert page.headers["Content-Type"] == "text/html"
        assert page.body.decode("windows-1251") == "<html><title>a</title><p>Тело</p></html>"
        entries = feedparser.parse(fetch(farm, farm.feeds["paper.test"]).body).entries
        assert [entry.link for entry in entries] == [first.url, "http://paper.test/y"]
        assert [entry.get("published") for entry in entries] == [
            "Sat, 15 Mar 2025 00:00:00 +0000",
            "Sat, 15 Mar 2025 10:00:00 +0300",
        ]
        assert [entry.get("title") for entry in entries] == ["Заголовок <1>", None]
        assert b"Disallow:\n" in fetch(farm, "http://paper.test/robots.txt").body
        (file,) = farm.write_rules(tmp_path / "rules")
        assert yaml.safe_load(file.read_text())["versions"] == [{"id": "pages", "text": ["//p"], "title": ["//h1"]}]


def test_addresses_that_meet_are_counted(tmp_path):
    urls = ["http://paper.test/a", "https://paper.test/a#x", "http://paper.test/a/?utm_source=x", None]
    lines = [
        {"id": str(place), "file": f"pages/{place}.html", "url": url, "rule": "//p"} for place, url in enumerate(urls)
    ]
    farm = PagesFarm(a_site(tmp_path / "paper", lines))
    assert (farm.repeated, farm.alike, farm.unaddressed) == (1, 1, 1)
    assert [(each.url, each.outcome) for each in farm.expected] == [
        ("http://paper.test/a", "stored"),
        ("http://paper.test/a/?utm_source=x", "duplicate"),
        ("http://paper.test/newsmon-farm/3.html", "stored"),
    ]


def test_a_folder_of_sites_is_served_whole(tmp_path):
    for host in ("one.test", "two.test"):
        a_site(tmp_path / host, [{"id": "1", "file": "pages/1.html", "url": f"http://{host}/1"}])
    with PagesFarm(tmp_path) as farm:
        assert set(farm.feeds) == {"one.test", "two.test"}
        assert fetch(farm, "http://two.test/1").status == 200


def test_an_unusable_folder_is_refused_with_the_reason(tmp_path):
    with pytest.raises(FarmError, match=r"no manifest\.jsonl"):
        PagesFarm(tmp_path)
    (tmp_path / "manifest.jsonl").write_text('{"id": "1", "file": "pages/1.html", "url": "http://x.test/1"}\n')
    with pytest.raises(FarmError, match="missing"):
        PagesFarm(tmp_path)
    (tmp_path / "manifest.jsonl").write_text('{"id": "1"}\n')
    with pytest.raises(FarmError, match=r"manifest\.jsonl:1"):
        PagesFarm(tmp_path)
    (tmp_path / "manifest.jsonl").write_text("\nnot json\n")
    with pytest.raises(FarmError, match=r"manifest\.jsonl:2: not JSON"):
        PagesFarm(tmp_path)


def test_the_corpora_are_served_in_full(shared_data):
    for folder in sorted((shared_data / "sites").iterdir()):
        farm = PagesFarm(folder)
        lines = gzip.decompress((folder / "manifest.jsonl.gz").read_bytes()).splitlines()
        assert len(farm.expected) + farm.repeated + farm.unjudged == len(lines), folder.name
        assert len(farm.feeds) == 1
