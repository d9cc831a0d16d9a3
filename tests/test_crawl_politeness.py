"""Politeness as the servers see it: from their logs, no two requests to a host are closer than its delay.

robots.txt, feeds, sitemaps, pages and every hop of a redirect count, whatever the crawl was told and however it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from newsmon import __version__
from newsmon.farm.model import Hit, Site
from newsmon.farm.server import Server
from newsmon.model import FrontierState
from tests.crawling import crawl, opened, start, stored
from tests.smallsites import feed, in_turn, plain, redirect, retry_at, site, sitemap, story

DELAYS = {
    "robots.example": 0.5,  # Crawl-delay of robots.txt, more than the rule's 0
    "rate.example": 0.5,  # Request-rate
    "rule.example": 0.5,  # the rule's delay, more than the Crawl-delay
    "www.parent.example": 0.5,  # the rule is for parent.example
    "default.example": 0.4,  # neither names a delay
    "hops.example": 0.4,  # pages redirect to each other and to target.example
    "target.example": 0.7,
    "maps.example": 0.4,  # a sitemap index and its sitemaps
}


def polite_sites() -> list[Site]:
    """One site for each way in which a delay is stated, or could be passed by."""
    hop = "http://target.example"
    hops = {"/1": redirect("/2"), "/2": redirect(f"{hop}/10"), "/3": redirect(f"{hop}/11"), "/4": story("four")}
    maps = {
        "/sitemap.xml": sitemap("http://maps.example/a.xml", "http://maps.example/b.xml", index=True),
        "/second": feed("http://maps.example/3"),
    }
    made = [
        site("robots.example", 3, robots="User-agent: *\nCrawl-delay: 0.5"),
        site("rate.example", 3, robots="User-agent: *\nRequest-rate: 2/1"),
        site("rule.example", 3, robots="User-agent: *\nCrawl-delay: 0.2", delay=0.5),
        site("www.parent.example", 3, delay=0.5, domain="parent.example"),
        site("default.example", 3, delay=None),
        site("hops.example", hops, robots="User-agent: *\nCrawl-delay: 0.4"),
        site("target.example", 2, robots="User-agent: *\nCrawl-delay: 0.7"),
        site("maps.example", 3, robots="User-agent: *\nCrawl-delay: 0.4", feeds=maps),
    ]
    for path in ("/10", "/11"):
        made[-2].add(path, story(path))
    for name in "ab":
        made[-1].add(f"/{name}.xml", sitemap(f"http://maps.example/{'ab'.index(name) + 1}"))
    return made


@pytest.mark.parametrize(
    "settings",
    [
        {"NEWSMON_DELAY_JITTER": 0},
        {"NEWSMON_DELAY_JITTER": 0.5, "CONCURRENT_REQUESTS_PER_DOMAIN": 4},
        {"AUTOTHROTTLE_ENABLED": 1, "AUTOTHROTTLE_START_DELAY": 0.1, "AUTOTHROTTLE_TARGET_CONCURRENCY": 16},
    ],
    ids=["plain", "jitter and several connections", "AutoThrottle"],
)
def test_no_two_requests_to_a_host_are_closer_than_its_delay(
    tmp_path: Path, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSMON_CONTACT", "https://example.org/bot")
    with Server(polite_sites()) as farm:
        ended = crawl(farm, tmp_path / "state", DOWNLOAD_DELAY=0.4, **settings).check()
        gaps = {host: farm.gaps(host) for host in DELAYS}
        requests = {host: len(farm.hits(host)) for host in DELAYS}
        agents = {hit.headers["user-agent"] for hit in farm.log}
    assert ended.errors == []
    assert len(stored(tmp_path / "state")) == 3 * 5 + 1 + 4 + 3
    # robots.txt, feeds and pages; three pages of hops.example end at target.example
    assert requests == dict.fromkeys(DELAYS, 5) | {"hops.example": 7, "target.example": 7, "maps.example": 8}
    too_close = {host: min(gaps[host]) for host, delay in DELAYS.items() if min(gaps[host]) < delay}
    assert too_close == {}
    assert agents == {f"newsmon/{__version__} (+https://example.org/bot)"}


def test_the_delay_survives_a_stop_and_a_kill(tmp_path: Path) -> None:
    slow = site("slow.example", 3, robots="User-agent: *\nCrawl-delay: 3")
    away = site("away.example", {"/1": redirect("http://far.example/1"), "/2": redirect("http://far.example/2")})
    far = site("far.example", {"/1": story("one"), "/2": story("two")}, robots="User-agent: *\nCrawl-delay: 3")
    sites = [slow, away, far]
    with Server(sites) as farm:

        def run_until(requests: int, end: Callable[[Any], object], name: str) -> None:
            crawl = start(farm, tmp_path / "state", name=name, NEWSMON_ONLY_SITES="slow.example,away.example")
            crawl.wait_for(lambda: len(farm.hits("slow.example")) >= requests)
            end(crawl)

        run_until(2, lambda crawl: crawl.stop(), "stopped")
        run_until(3, lambda crawl: crawl.kill(), "killed")
        run_until(5, lambda crawl: crawl.end(), "ended")
        assert [hit.target for hit in farm.hits("slow.example")].count("/robots.txt") == 1
        assert min(farm.gaps("slow.example")) >= 3
        assert min(farm.gaps("far.example")) >= 3
    assert len(stored(tmp_path / "state")) == 5


def test_a_host_that_asks_for_patience_gets_it(tmp_path: Path) -> None:
    """Retry-After in both forms, of pages and feeds; what is too long to wait for is not waited for."""
    sites = [
        site("seconds.example", {"/1": in_turn(plain("", 429, retry_after="2"), story("one")), "/2": story("two")}),
        site(
            "date.example",
            {"/1": lambda visit: retry_at(3)(visit) if not visit.count else story("one"), "/2": story("2")},
        ),
        site("feed.example", 1, feeds={"/a": feed("http://feed.example/1"), "/b": plain("", 503, retry_after="2")}),
        site("hour.example", {f"/{n}": plain("", 429, retry_after="3600") for n in range(6)}),
        site("ages.example", {"/1": plain("", 503, retry_after="99999999999")}),
        site("via.example", {"/1": redirect("http://hour.example/5"), "/2": story("two")}),
    ]
    state = tmp_path / "state"
    with Server(sites) as farm:
        crawl(farm, state, NEWSMON_ONCE_PATIENCE=4).check()
        for host, wait in (("seconds.example", 2), ("date.example", 2), ("feed.example", 2)):
            assert _wait_after_refusal(farm.hits(host)) >= wait, host
        first = len(farm.hits("hour.example"))
        # one page was asked for, or two: robots.txt of via.example may be later than the first page
        assert _pages(farm, "hour.example") == 1
        assert _pages(farm, "ages.example") == 1
        crawl(farm, state, name="again", NEWSMON_ONCE_PATIENCE=0).check()
        assert len(farm.hits("hour.example")) == first
    assert {article.title for article in stored(state)} == {"one", "two", "2", "feed.example 1"}
    with opened(state) as store:
        waiting = [page for page in store.pages("hour.example") if page.state is FrontierState.PENDING]
        assert len(waiting) == 6
        assert [page.attempts for page in store.pages("via.example") if page.state is FrontierState.PENDING] == [0]


def _wait_after_refusal(hits: tuple[Hit, ...]) -> float:
    refused = next(number for number, hit in enumerate(hits) if hit.status in (429, 503))
    return hits[refused + 1].at - hits[refused].at


def _pages(farm: Server, host: str) -> int:
    return sum(hit.target.strip("/").isdigit() for hit in farm.hits(host))
