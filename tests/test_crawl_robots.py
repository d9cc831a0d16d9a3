"""robots.txt by RFC 9309 in whole crawls: what each kind of answer lets through, how long it holds, what is kept of it.

The third column of ``KINDS`` says what of ``/1`` and ``/2`` a polite crawler fetches; None: nothing but robots.txt.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from itertools import pairwise

import pytest

from newsmon.farm.model import Answer, Reply, Site
from newsmon.farm.server import Server
from newsmon.model import Article, FrontierState, Outcome
from newsmon.storage import PageState
from tests.crawling import crawl, opened, stored
from tests.smallsites import OPEN, TEXT, feed, in_turn, let_time_pass, plain, redirect, site, story

RULES = "User-agent: *\nDisallow: /2"
LATE_RULE = "User-agent: *\nDisallow: /1\n" + "# nothing\n" * 60_000 + "Disallow: /2"
HTML = "<html><body>User-agent: *\nDisallow: /</body></html>"
LATER = plain(OPEN)

KINDS: dict[str, tuple[Answer | str | None, str, set[str] | None]] = {
    "open": (OPEN, "rule", {"/1", "/2"}),
    "part": (in_turn(plain(RULES), plain("", 503)), "rule", {"/1"}),
    "missing": (None, "no robots.txt (404)", {"/1", "/2"}),
    "closed": (plain("", 403), "no robots.txt (403)", {"/1", "/2"}),
    "html": (Reply(HTML.encode()), "rule", {"/1", "/2"}),
    "long": (plain(LATE_RULE), "rule", {"/2"}),
    "moved": (redirect("/hop1"), "rule", {"/1"}),  # five hops, the last one to another host
    "lost": (redirect("/hop0"), "no robots.txt (310)", {"/1", "/2"}),  # six
    "file": (redirect("file:///etc/hostname"), "no robots.txt (302)", {"/1", "/2"}),
    "broken": (in_turn(plain("", 500), LATER), "unreachable (500)", None),
    "down": (in_turn(plain("", 503), LATER), "unreachable (503)", None),
    "busy": (in_turn(plain("", 429, retry_after="600"), LATER), "unreachable (429)", None),
    "silent": (in_turn(Reply(pause=5), LATER), "DownloadTimeoutError", None),
    "reset": (in_turn(Reply(manner="reset"), LATER), "DownloadFailedError", None),
    "inward": (redirect("http://127.0.0.2/robots.txt"), "127.0.0.2 is not a public address", None),
    "nowhere": (OPEN, "CannotResolveHostError", None),  # no address
}
UNREACHABLE = [f"{kind}.example" for kind, (_, _, fetched) in KINDS.items() if fetched is None]
RECOVER = [host for host in UNREACHABLE if host not in ("inward.example", "nowhere.example")]


def _sites() -> list[Site]:
    made = {kind: site(f"{kind}.example", robots=answer) for kind, (answer, _, _) in KINDS.items()}
    for number in range(7):
        made["lost"].add(f"/hop{number}", redirect(f"/hop{number + 1}"))
        made["moved"].add(f"/hop{number}", redirect(f"/hop{number + 1}" if number < 4 else "http://rules.example/x"))
    made["part"].add("/feed", feed("http://part.example/3", "http://part.example/20"), stage=1)
    made["part"].add("/3", story("three"), stage=1)
    agency = site("agency.example", 1, links=[f"http://{host}/1" for host in UNREACHABLE])
    return [
        *made.values(),
        agency,
        site("rules.example", {"/x": Reply(RULES.encode(), 200, TEXT)}, feeds={"/feed": feed()}),
    ]


@dataclass(frozen=True)
class Seen:
    """What one crawl did, and how the store looks after it."""

    asked: dict[str, list[str]]
    articles: dict[str, Article]
    pages: dict[str, PageState]

    def fetched(self, host: str) -> set[str]:
        return set(self.asked.get(host, [])) & {"/1", "/2", "/3", "/20"}


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> list[Seen]:
    """Three crawls on one store: the first, one an hour later, one 25 hours after that."""
    state = tmp_path_factory.mktemp("robots") / "state"
    seen = []
    with Server(_sites()) as farm:
        targets = {host: target for host, target in farm.connect_to.items() if host != "nowhere.example"}
        for hours in (0, 1, 25):
            if hours:
                let_time_pass(state, hours=hours)
            if hours == 25:
                farm.advance_stage()
            before = len(farm.log)
            crawl(
                farm, state, NEWSMON_CONNECT_TO=json.dumps(targets), DOWNLOAD_TIMEOUT=2, NEWSMON_ONCE_PATIENCE=0
            ).check()
            asked: dict[str, list[str]] = {}
            for hit in farm.log[before:]:
                asked.setdefault(hit.host, []).append(hit.target)
            with opened(state) as store:
                pages = {page.url: page for page in store.pages()}
            seen.append(Seen(asked, {article.url: article for article in stored(state)}, pages))
    return seen


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_answer_lets_through(crawls: list[Seen], kind: str) -> None:
    fetched = KINDS[kind][2]
    first = crawls[0]
    assert first.fetched(f"{kind}.example") == (fetched or set())
    if fetched is None:
        assert set(first.asked.get(f"{kind}.example", [])) <= {"/robots.txt"}


@pytest.mark.parametrize("kind", [kind for kind, (_, _, fetched) in KINDS.items() if fetched])
def test_every_document_carries_the_verdict(crawls: list[Seen], kind: str) -> None:
    _, reason, fetched = KINDS[kind]
    bodies = {"open": OPEN, "part": RULES, "moved": RULES, "html": HTML}
    for path in fetched or ():
        robots = crawls[0].articles[f"http://{kind}.example{path}"].robots
        assert robots is not None
        assert robots.allowed
        assert robots.reason == reason
        assert robots.fetched_at is not None
        if kind in bodies:
            assert robots.sha256 == hashlib.sha256(bodies[kind].encode()).hexdigest()
        if "no robots.txt" in reason:
            assert robots.sha256 is None


def test_what_is_forbidden_is_accounted_for(crawls: list[Seen]) -> None:
    for url in ("http://part.example/2", "http://moved.example/2", "http://long.example/1"):
        page = crawls[0].pages[url]
        assert (page.state, page.outcome, page.reason) == (FrontierState.DONE, Outcome.FORBIDDEN, "rule")


@pytest.mark.parametrize("host", UNREACHABLE)
def test_a_page_of_an_unreachable_host_waits_and_uses_up_no_attempt(crawls: list[Seen], host: str) -> None:
    page = crawls[0].pages[f"http://{host}/1"]
    assert (page.state, page.attempts) == (FrontierState.PENDING, 0)
    if host != "busy.example":  # its Retry-After holds the whole host, so the page was not even tried
        assert "unreachable" in (page.reason or "")
        assert KINDS[host.removesuffix(".example")][1] in (page.reason or "")
    assert crawls[0].asked.get(host, []).count("/robots.txt") <= 1


@pytest.mark.parametrize("host", RECOVER)
def test_it_is_asked_again_later(crawls: list[Seen], host: str) -> None:
    assert crawls[1].asked[host].count("/robots.txt") == 1
    assert f"http://{host}/1" in crawls[1].articles


def test_a_file_holds_for_24_hours_across_restarts(crawls: list[Seen]) -> None:
    for kind in ("open", "part", "missing", "closed", "moved", "lost"):
        host = f"{kind}.example"
        assert "/feed" in crawls[1].asked[host]
        assert [crawl.asked[host].count("/robots.txt") for crawl in crawls] == [1, 0, 1], host


def test_the_rules_of_an_earlier_file_hold_while_it_cannot_be_read(crawls: list[Seen]) -> None:
    last = crawls[2]
    assert last.fetched("part.example") == {"/3"}
    forbidden = last.pages["http://part.example/20"]
    # until the file can be read again: the new one may allow it
    assert (forbidden.state, forbidden.attempts) == (FrontierState.PENDING, 0)
    robots = last.articles["http://part.example/3"].robots
    assert robots is not None
    assert robots.reason == "rule (of an earlier file: unreachable (503))"
    assert robots.sha256 == hashlib.sha256(RULES.encode()).hexdigest()


def test_nothing_is_lost(crawls: list[Seen]) -> None:
    for earlier, later in pairwise(crawls):
        assert earlier.pages.keys() <= later.pages.keys()
        assert earlier.articles.keys() <= later.articles.keys()
