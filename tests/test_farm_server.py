"""The farm's server: its log, its switches, its plain sites, its command line."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time

import pytest
import yaml

from newsmon.farm import Farm, FarmError
from newsmon.siterules import SiteRules
from tests.farming import NOW, fetch, links_of, read_by_rule


@pytest.fixture
def farm():
    with Farm(now=NOW, drip_seconds=0.5) as running:
        yield running


def test_it_listens_on_loopback_only_and_knows_its_hosts(farm):
    assert farm.connect_to["zarya.example"] == f"127.0.0.1:{farm.port}"
    assert "m.courier.example" in farm.hosts
    assert fetch(farm, "http://unknown.example/").status == 421
    with socket.socket() as probe:  # a second listener on another loopback address must be free to bind
        probe.bind(("127.0.0.3", farm.port))


def test_a_taken_port_is_told_clearly(farm):
    with pytest.raises(FarmError, match=f"port {farm.port}"):
        Farm(sites=(), port=farm.port).start()


def test_every_request_is_logged(farm):
    fetch(farm, "http://zarya.example/robots.txt", user_agent="newsmon", if_none_match='"x"')
    fetch(farm, "http://zarya.example/news/lost/?a=1")
    robots, lost = farm.hits("zarya.example")
    assert (robots.host, robots.target, robots.method, robots.status) == ("zarya.example", "/robots.txt", "GET", 200)
    assert robots.headers == {"user-agent": "newsmon", "if-none-match": '"x"', "accept-encoding": "identity"}
    assert (lost.target, lost.status) == ("/news/lost/?a=1", 404)
    assert farm.gaps("zarya.example") == [lost.at - robots.at]
    assert farm.log == (robots, lost)


def test_hosts_go_down_and_come_up(farm):
    url = "http://zarya.example/robots.txt"
    farm.down("zarya.example", 503)
    assert fetch(farm, url).status == 503
    farm.down("zarya.example")
    with pytest.raises(ConnectionError):
        fetch(farm, url)
    assert fetch(farm, "http://dumka.example/robots.txt").status == 301
    farm.up("zarya.example")
    assert fetch(farm, url).status == 200
    assert [hit.status for hit in farm.hits("zarya.example")] == [503, 0, 200]


def test_slow_hosts_are_logged_when_asked_not_when_answered(farm):
    farm.slow("zarya.example", 0.3)
    began = time.monotonic()
    fetch(farm, "http://zarya.example/robots.txt")
    assert time.monotonic() - began >= 0.3
    assert farm.log[0].at - began < 0.2


def test_stages_publish_in_turn(farm):
    counts = []
    for _ in range(4):
        counts.append(len(farm.expected))
        farm.advance_stage()
    assert counts[0] < counts[1] < counts[2] == counts[3]


def test_unpublished_articles_are_not_there_yet(farm):
    later = next(
        each for site in farm.sites.values() for each in site.expected if each.stage == 1 and each.revision == 1
    )
    assert fetch(farm, later.url).status == 404
    farm.advance_stage()
    assert fetch(farm, later.url).status == 200


# -- plain sites for benches


def test_bulk_pages_have_the_asked_weight_and_bring_their_rules(tmp_path):
    with Farm(sites=(), bulk_hosts=3, bulk_articles=2, page_kb=60, now=NOW) as farm:
        files = {file.stem: yaml.safe_load(file.read_text()) for file in farm.write_rules(tmp_path)}
        assert all(SiteRules.model_validate(rules).domain == site for site, rules in files.items())
        assert list(files) == ["bulk-000.example", "bulk-001.example", "bulk-002.example"]
        for each in farm.expected:
            page = fetch(farm, each.url, accept_encoding="gzip")
            assert abs(len(page.body) - 60_000) < 2_000
            rules = files[each.site]
            assert links_of(farm, rules["feeds"][0]) == [e.url for e in farm.expected if e.site == each.site]
            assert read_by_rule(page.text, rules["versions"]) == (each.title, " ".join(each.paragraphs))


# -- command line


def test_it_runs_on_its_own_until_told_to_stop():
    command = [sys.executable, "-m", "newsmon.farm", "--sites", "zarya.example", "--stage-every", "0.2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert first["hosts"] == ["zarya.example"]
        assert first["feeds"] == ["http://zarya.example/rss.xml", "http://zarya.example/rss/top.xml"]
        assert process.stdout.readline() == f"http://zarya.example/  ->  127.0.0.1:{first['port']}\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0


def test_a_wrong_folder_is_a_plain_message_and_exit_code_1(tmp_path):
    command = [sys.executable, "-m", "newsmon.farm", "--pages", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert "no manifest.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
