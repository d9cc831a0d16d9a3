"""robots.txt by RFC 9309: what is allowed, for how long that holds, and when to ask again."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsmon.robots import LIFETIME, MAX_BODY, MAX_RETRY, MIN_LIFETIME, MIN_RETRY, RobotsFile, RobotsPolicy

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
AGENT = "newsmon/1.0 (+https://newsmon.example/bot)"
CLOSED = "User-agent: *\nDisallow: /\n"


def served(text: str | bytes, status: int = 200, **kwargs: object) -> RobotsFile:
    body = text.encode() if isinstance(text, str) else text
    return RobotsFile.from_response(status, body, NOW, **kwargs)  # type: ignore[arg-type]


def allowed(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return served(text).verdict(f"https://site.example{path}", agent).allowed


# --- matching: the behaviour google/robotstxt tests, as a table of our own -------------------------------------------

MATCHING = {
    "no rules": ("", {"/": True, "/a": True}),
    "everything": (CLOSED, {"/": False, "/a?b": False, "/robots.txt": True}),
    "nothing forbidden": ("User-agent: *\nDisallow:\n", {"/": True, "/a": True}),
    "empty allow forbids nothing": ("User-agent: *\nAllow:\n", {"/a": True}),
    "prefix": (
        "User-agent: *\nDisallow: /fish\n",
        {"/fish": False, "/fish.html": False, "/fish/salmon": False, "/fishheads": False, "/catfish": True},
    ),
    "rules are case-sensitive": ("User-agent: *\nDisallow: /Fish\n", {"/Fish": False, "/fish": True, "/FISH": True}),
    "folder": ("User-agent: *\nDisallow: /fish/\n", {"/fish": True, "/fish/": False, "/fish/?a": False}),
    "longest match wins": (
        "User-agent: *\nDisallow: /x/\nAllow: /x/page.html\n",
        {"/x/page.html": True, "/x/": False, "/x/other": False},
    ),
    "longest match wins in any order": (
        "User-agent: *\nAllow: /x/\nDisallow: /x/page.html\n",
        {"/x/page.html": False, "/x/": True},
    ),
    "slash makes a rule longer": ("User-agent: *\nDisallow: /x\nAllow: /x/\n", {"/x": False, "/x/": True}),
    "allow wins a tie": ("User-agent: *\nDisallow: /folder\nAllow: /folder\n", {"/folder/page": True}),
    "longest match with wildcards": (
        "User-agent: *\nAllow: /page\nDisallow: /*.htm\n",
        {"/page.htm": False, "/page": True},
    ),
    "length counts the wildcard": (
        "User-agent: *\nAllow: /x/page.\nDisallow: /*.html\n",
        {"/x/page.html": True, "/x/y.html": False},
    ),
    "wildcard inside": (
        "User-agent: *\nDisallow: /foo/*/qux\n",
        {"/foo/bar/qux": False, "/foo/a/b/qux/c": False, "/foo/qux": True, "/foo//qux": False},
    ),
    "wildcard at the end": ("User-agent: *\nDisallow: /fish*\n", {"/fish": False, "/fishes": False, "/cat": True}),
    "wildcard at the start": (
        "User-agent: *\nDisallow: /*.php\n",
        {"/a.php": False, "/a/b.php?c": False, "/a.php/": False, "/a.PHP": True, "/php/": True},
    ),
    "many wildcards": ("User-agent: *\nDisallow: /a**b***c\n", {"/aXbYc": False, "/abc": False, "/acb": True}),
    "end of the path": (
        "User-agent: *\nDisallow: /*.php$\n",
        {"/a.php": False, "/a/b.php": False, "/a.php?b": True, "/a.php5": True, "/a.php/": True},
    ),
    "front page only": ("User-agent: *\nAllow: /$\nDisallow: /\n", {"/": True, "/page.html": False, "/?a": False}),
    "end without a wildcard": ("User-agent: *\nDisallow: /foo$\n", {"/foo": False, "/foo/": True, "/foobar": True}),
    "dollar inside is a dollar": ("User-agent: *\nDisallow: /a$b\n", {"/a$b": False, "/a": True}),
    "query": ("User-agent: *\nDisallow: /*?print=\n", {"/a?print=1": False, "/a": True, "/a?b=1&print=1": True}),
    "address in the query": (
        "User-agent: *\nDisallow: /\nAllow: /foo?baz=http://foo.bar\n",
        {"/foo?baz=http://foo.bar": True, "/foo": False},
    ),
    "fragment": ("User-agent: *\nDisallow: /a$\n", {"/a#b": False}),
    "index.html allows its folder": (
        "User-agent: *\nAllow: /open/index.html\nDisallow: /\n",
        {"/open/": True, "/open/index.html": True, "/open/index.htm": False, "/open/x": False},
    ),
    # percent-encoding (2.2.2)
    "Unicode in the rule": (
        "User-agent: *\nDisallow: /новости\n",
        {"/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/1": False, "/новости/1": False, "/%D0%BD": True},
    ),
    "escapes in the rule": (
        "User-agent: *\nDisallow: /%E3%83%84\n",
        {"/%E3%83%84": False, "/%e3%83%84": False, "/ツ": False},
    ),
    "needless escapes": ("User-agent: *\nDisallow: /%62%61%7A\n", {"/baz": False, "/%62%61%7A": False}),
    "tilde": ("User-agent: *\nDisallow: /~joe\n", {"/~joe/": False, "/%7Ejoe/": False, "/%7ejoe/": False}),
    "an escaped slash is none": ("User-agent: *\nDisallow: /a%2Fb\n", {"/a%2Fb": False, "/a%2fb": False, "/a/b": True}),
    "an escaped wildcard is a star": ("User-agent: *\nDisallow: /a%2Ab\n", {"/a*b": False, "/axb": True}),
    # lines
    "comments": (
        "User-agent: * # all\n# Disallow: /\nDisallow: /foo#bar\n#\n",
        {"/foo": False, "/a": True},
    ),
    "blanks": (" \tUser-agent \t:\t * \n\tDisallow\t:  /foo \t\n", {"/foo": False, "/a": True}),
    "case of names": ("uSeR-aGeNt: *\nDISALLOW: /x\naLLoW: /x/y\n", {"/x": False, "/x/y": True}),
    "missing colon": ("user-agent *\ndisallow /x\n", {"/x": False, "/a": True}),
    "misspelled": ("useragent: *\ndissallow: /x\n", {"/x": False, "/a": True}),
    "unknown lines": ("Clean-param: a\nUser-agent: *\nfoo: bar\nDisallow: /x\nHost: a\n", {"/x": False, "/a": True}),
    "rules before any group": ("Disallow: /x\nUser-agent: *\nDisallow: /y\n", {"/x": True, "/y": False}),
    "no final newline": ("User-agent: *\nDisallow: /x", {"/x": False, "/a": True}),
    "blank lines end no group": ("User-agent: *\n\n\nDisallow: /x\n\nDisallow: /y\n", {"/x": False, "/y": False}),
    "sitemaps end no group": (
        "User-agent: *\nDisallow: /x\nSitemap: https://a.example/s.xml\nDisallow: /y\n",
        {"/x": False, "/y": False},
    ),
    # groups
    "own group before the general one": (
        "User-agent: *\nDisallow: /x\nUser-agent: newsmon\nDisallow: /y\n",
        {"/x": True, "/y": False},
    ),
    "own group first in the file": (
        "User-agent: newsmon\nAllow: /\nUser-agent: *\nDisallow: /\n",
        {"/": True, "/a": True},
    ),
    "an empty own group allows everything": ("User-agent: newsmon\nDisallow:\n\n" + CLOSED, {"/a": True}),
    "only the groups of others": ("User-agent: foobot\nDisallow: /\n", {"/a": True}),
    "several agents share rules": ("User-agent: foo\nUser-agent: newsmon\nDisallow: /x\n", {"/x": False}),
    "the general group may share rules": ("User-agent: foo\nUser-agent: *\nDisallow: /x\n", {"/x": False}),
    "groups of one agent are merged": (
        "User-agent: newsmon\nDisallow: /x\nUser-agent: foo\nDisallow: /\nUser-agent: newsmon\nDisallow: /y\n",
        {"/x": False, "/y": False, "/z": True},
    ),
    "groups of all agents are merged": (
        "User-agent: *\nDisallow: /x\nUser-agent: foo\nDisallow: /\nUser-agent: *\nDisallow: /y\n",
        {"/x": False, "/y": False, "/z": True},
    ),
    "case of the agent": ("User-agent: NewsMon\nDisallow: /x\n", {"/x": False}),
    "version behind the agent": ("User-agent: newsmon/2.1\nDisallow: /x\n", {"/x": False}),
    "words behind the agent": ("User-agent: newsmon the crawler\nDisallow: /x\n", {"/x": False}),
    "wildcard behind the agent": ("User-agent: newsmon*\nDisallow: /x\n", {"/x": False}),
    "a prefix of the agent is another agent": ("User-agent: news\nDisallow: /x\n", {"/x": True}),
    "a longer agent is another agent": ("User-agent: newsmon-images\nDisallow: /x\n", {"/x": True}),
    "a word of our header is another agent": ("User-agent: bot\nDisallow: /x\n" + CLOSED, {"/a": False}),
    "another agent hides not the general group": (
        "User-agent: news\nAllow: /\n\nUser-agent: *\nDisallow: /x\n",
        {"/x": False, "/a": True},
    ),
    "an agent without a name": ("User-agent:\nDisallow: /x\n", {"/x": True}),
}


@pytest.mark.parametrize("name", MATCHING)
def test_matching(name: str) -> None:
    text, expected = MATCHING[name]
    assert {path: allowed(text, path) for path in expected} == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\r\n"])
def test_line_ends(end: str) -> None:
    text = end.join(["User-agent: foo", "Disallow: /", "User-agent: newsmon", "Disallow: /x", ""])
    assert (allowed(text, "/x"), allowed(text, "/a")) == (False, True)


@pytest.mark.parametrize(
    "mark",
    [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef", b"\xff\xfe", b"\xfe\xff"],
    ids=["utf-8", "torn", "torn2", "le", "be"],
)
def test_byte_order_marks(mark: bytes) -> None:
    encoding = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(mark, "utf-8")
    assert not allowed(mark + CLOSED.encode(encoding), "/a")


def test_whole_headers_and_bare_tokens_are_the_same_agent() -> None:
    text = "User-agent: newsmon\nDisallow: /x\n"
    assert [allowed(text, "/x", agent) for agent in ("newsmon", "NEWSMON", AGENT, "other/1.0 newsmon", "")] == [
        False,
        False,
        False,
        True,
        True,
    ]


def test_an_agent_in_our_contact_address_is_not_us() -> None:
    text = "User-agent: example\nDisallow: /\n"
    assert allowed(text, "/a", "newsmon/1.0 (+https://example.com)")


def test_an_html_page_is_no_robots_file() -> None:
    page = "\n <!DOCTYPE html><html><body>\nUser-agent: *\nDisallow: /\n</body></html>"
    assert allowed(page, "/a")


def test_bytes_that_are_no_text_forbid_nothing_and_break_nothing() -> None:
    assert allowed(bytes(range(256)) * 10, "/a")


def test_known_difference_to_the_rfc_a_line_protego_knows_ends_the_list_of_agents() -> None:
    """RFC 9309 2.2.1 would merge the two groups, because ``Crawl-delay`` is no rule of its own.

    protego closes the group there, as the authors of such files mean it: the file below is common, and read by the
    letter it would close the whole site.
    """
    text = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: badbot\nDisallow: /\n"
    assert allowed(text, "/a")
    assert served(text).crawl_delay(AGENT) == 10


# --- size ------------------------------------------------------------------------------------------------------------


def test_the_first_500_kib_are_read_and_the_rest_is_ignored() -> None:
    line = b"User-agent: *\nDisallow: /early\n"
    filler = b"# filler\n" * (MAX_BODY // 9 - 10)
    late = b"Disallow: /late\n" * 1000
    body = line + filler + late
    assert len(body) > MAX_BODY
    assert (allowed(body, "/early"), allowed(body, "/late")) == (False, False)
    beyond = line + b"# filler\n" * (MAX_BODY // 9) + b"Disallow: /beyond\n"
    assert (allowed(beyond, "/early"), allowed(beyond, "/beyond")) == (False, True)


def test_a_line_cut_in_two_is_ignored() -> None:
    head = b"User-agent: *\n"
    filler = b"#" * (MAX_BODY - len(head) - len(b"\nDisallow: /") - 1) + b"\n\n"
    body = head + filler + b"Disallow: /only-this\n"
    assert body[:MAX_BODY].endswith(b"Disallow: /")
    assert allowed(body, "/a")


def test_a_huge_file_without_lines_is_empty() -> None:
    assert allowed(b"Disallow: /" * MAX_BODY, "/a")


# --- status ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 418, 451, 499])
def test_4xx_allows_everything(status: int) -> None:
    verdict = served(CLOSED, status).verdict("https://site.example/a", AGENT)
    assert (verdict.allowed, verdict.reason, verdict.sha256) == (True, f"no robots.txt ({status})", None)
    assert verdict.fetched_at == NOW


@pytest.mark.parametrize("status", [301, 302, 304, 307, 308, 310])
def test_one_redirect_too_many_allows_everything(status: int) -> None:
    assert served(CLOSED, status).verdict("https://site.example/a", AGENT).allowed


@pytest.mark.parametrize("status", [200, 201, 203, 206])
def test_2xx_is_read(status: int) -> None:
    file = served(CLOSED, status)
    verdict = file.verdict("https://site.example/a", AGENT)
    assert (verdict.allowed, verdict.reason) == (False, "rule")
    assert verdict.sha256 == hashlib.sha256(CLOSED.encode()).hexdigest() == file.sha256


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 520, 599, 999, 100])
def test_429_and_5xx_deny_everything_and_are_asked_again(status: int) -> None:
    file = served("User-agent: *\nAllow: /\n", status)
    verdict = file.verdict("https://site.example/a", AGENT)
    assert (verdict.allowed, verdict.reason) == (False, f"unreachable ({status})")
    assert (verdict.sha256, verdict.fetched_at) == (None, None)
    assert file.expires_at == file.retry_at == NOW + MIN_RETRY


@pytest.mark.parametrize("reason", ["timeout", "connection reset", "DNS", "TLS"])
def test_no_answer_denies_everything(reason: str) -> None:
    verdict = RobotsFile.from_failure(reason, NOW).verdict("https://site.example/a", AGENT)
    assert (verdict.allowed, verdict.reason) == (False, f"unreachable ({reason})")


@pytest.mark.parametrize("status", [401, 403])
def test_unauthorized_may_be_read_as_keep_out(status: int) -> None:
    policy = RobotsPolicy(deny_unauthorized=True)
    assert not served("", status, policy=policy).verdict("https://site.example/a", AGENT).allowed
    assert served("", 404, policy=policy).verdict("https://site.example/a", AGENT).allowed


# --- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 302, 404])
def test_an_answer_holds_for_a_day(status: int) -> None:
    file = served("", status)
    assert (file.expires_at, file.retry_at) == (NOW + LIFETIME, None)


@pytest.mark.parametrize(
    ("max_age", "lifetime"),
    [(3600.0, HOUR), (86400.0, DAY), (1e9, DAY), (float("inf"), DAY), (0.0, MIN_LIFETIME), (-5.0, MIN_LIFETIME)],
)
def test_cache_control_shortens_the_day(max_age: float, lifetime: timedelta) -> None:
    assert served("", max_age=max_age).expires_at == NOW + lifetime


def fail_until(end: timedelta, policy: RobotsPolicy, first: RobotsFile | None = None) -> tuple[RobotsFile, int]:
    """Ask again whenever the file says so, in vain, until ``end`` after now."""
    file, tries = RobotsFile.from_failure("timeout", NOW, previous=first, policy=policy), 1
    while file.retry_at is not None and file.retry_at <= NOW + end:
        file, tries = RobotsFile.from_failure("timeout", file.retry_at, previous=file, policy=policy), tries + 1
    return file, tries


def test_the_wait_doubles_up_to_six_hours() -> None:
    file, waits = RobotsFile.from_failure("timeout", NOW), []
    for _ in range(12):
        assert file.retry_at is not None
        waits.append((file.retry_at - (file.tried_at or NOW)) / MINUTE)
        file = RobotsFile.from_failure("timeout", file.retry_at, previous=file)
    assert waits == [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]
    assert waits[-1] == MAX_RETRY / MINUTE


def test_retry_after_is_obeyed_up_to_a_day() -> None:
    assert served("", 503, retry_after=600).retry_at == NOW + 10 * MINUTE
    assert served("", 503, retry_after=1e9).retry_at == NOW + DAY
    assert served("", 429, retry_after=-1).retry_at == NOW + MIN_RETRY


def test_a_success_ends_the_failure() -> None:
    failed = RobotsFile.from_failure("timeout", NOW)
    file = RobotsFile.from_response(200, b"", NOW + HOUR, previous=failed)
    assert (file.failure, file.unreachable_since, file.retry_at) == (None, None, None)
    again = RobotsFile.from_failure("timeout", NOW + 2 * HOUR, previous=file)
    assert again.unreachable_since == NOW + 2 * HOUR


def test_an_earlier_file_holds_on_while_there_is_no_other() -> None:
    first = served("User-agent: *\nDisallow: /x\nCrawl-delay: 7\nSitemap: https://site.example/s.xml\n")
    stale = RobotsFile.from_response(503, b"busy", NOW + DAY, previous=first)
    stale = RobotsFile.from_failure("timeout", NOW + 3 * DAY, previous=stale)
    open_, closed = (stale.verdict(f"https://site.example/{path}", AGENT) for path in ("a", "x"))
    assert (open_.allowed, closed.allowed) == (True, False)
    assert open_.reason == "rule (of an earlier file: unreachable (timeout))"
    assert (open_.sha256, open_.fetched_at) == (first.sha256, NOW)
    assert (stale.crawl_delay(AGENT), stale.sitemaps) == (7, ("https://site.example/s.xml",))
    assert stale.unreachable_since == NOW + DAY
    assert stale.expires_at == stale.retry_at


def test_an_earlier_absence_does_not_hold_on() -> None:
    stale = RobotsFile.from_failure("timeout", NOW + DAY, previous=served("", 404))
    assert not stale.verdict("https://site.example/a", AGENT).allowed


def test_after_thirty_days_the_policy_decides() -> None:
    month = timedelta(days=30)
    patient, _ = fail_until(2 * month, RobotsPolicy())
    assert not patient.verdict("https://site.example/a", AGENT).allowed
    policy = RobotsPolicy(allow_after=month)
    before, tries = fail_until(month - HOUR, policy)
    assert not before.verdict("https://site.example/a", AGENT).allowed
    assert tries < 10 + 30 * 4
    after, _ = fail_until(month + DAY, policy)
    verdict = after.verdict("https://site.example/a", AGENT)
    assert (verdict.allowed, verdict.reason) == (True, "unreachable (timeout)")
    assert after.retry_at is not None  # it is asked for all the same


# --- delays ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("", None),
        ("Crawl-delay: 2", 2),
        ("Crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 0", 0),
        ("CRAWL-DELAY: 3 # seconds", 3),
        ("Crawl-delay: 86400", 120),
        ("Crawl-delay: 1e300", 120),
        ("Crawl-delay: -5", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: soon", None),
        ("Crawl-delay:", None),
        ("Request-rate: 1/5", 5),
        ("Request-rate: 10/1m", 6),
        ("Request-rate: 1/1h", 120),
        ("Request-rate: 1/10 0600-0845", 10),
        ("Request-rate: 0/5", None),
        ("Request-rate: 5/0", None),
        ("Request-rate: fast", None),
        ("Request-rate: 1/5\nCrawl-delay: 2", 5),
        ("Request-rate: 1/2\nCrawl-delay: 5", 5),
        ("Request-rate: 1/2\nCrawl-delay: -1", 2),
    ],
)
def test_crawl_delay(lines: str, delay: float | None) -> None:
    assert served(f"User-agent: *\n{lines}\n").crawl_delay(AGENT) == delay


def test_the_delay_of_the_own_group_counts() -> None:
    text = "User-agent: *\nCrawl-delay: 9\nUser-agent: newsmon\nCrawl-delay: 2\nUser-agent: foo\nCrawl-delay: 5\n"
    assert served(text).crawl_delay(AGENT) == 2
    assert served(text).crawl_delay("bar") == 9
    assert served("User-agent: news\nCrawl-delay: 9\n").crawl_delay(AGENT) is None


def test_the_cap_is_a_choice() -> None:
    assert served("User-agent: *\nCrawl-delay: 90\n", policy=RobotsPolicy(max_delay=30)).crawl_delay(AGENT) == 30


@pytest.mark.parametrize("status", [404, 503])
def test_no_file_no_delay_no_sitemaps(status: int) -> None:
    file = served("User-agent: *\nCrawl-delay: 9\nSitemap: https://site.example/s.xml\n", status)
    assert (file.crawl_delay(AGENT), file.sitemaps) == (None, ())


def test_sitemaps() -> None:
    text = "Sitemap: https://a.example/1.xml\nUser-agent: foo\nSITEMAP: https://a.example/2.xml\nsitemap: /3.xml\n"
    assert served(text + text).sitemaps == ("https://a.example/1.xml", "https://a.example/2.xml", "/3.xml")


# --- across restarts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "file",
    [
        served("User-agent: *\nDisallow: /ё\n", max_age=60.0),
        served(bytes(range(256))),
        served("", 404),
        served("", 503, retry_after=30.0),
        RobotsFile.from_failure("timeout", NOW + DAY, previous=served(CLOSED)),
    ],
)
def test_the_record_survives_a_restart(file: RobotsFile) -> None:
    restored = RobotsFile.from_json(json.loads(json.dumps(file.to_json())))
    assert restored == file
    assert (restored.expires_at, restored.sha256) == (file.expires_at, file.sha256)


def test_the_policy_after_a_restart_is_the_new_one() -> None:
    policy = RobotsPolicy(deny_unauthorized=True)
    assert RobotsFile.from_json(served("", 403).to_json(), policy=policy).policy is policy


@pytest.mark.parametrize("state", [{}, {"body": ""}, {"body": "", "fetched_at": "yesterday"}])
def test_what_is_no_record_is_refused(state: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        RobotsFile.from_json(state)


def test_a_failure_of_an_earlier_process_is_asked_again_at_once() -> None:
    """A store that keeps fewer times than the record has must not make the crawler wait for ever."""
    file = RobotsFile(None, b"", NOW, failure="503", unreachable_since=NOW - DAY)
    assert file.retry_at is not None
    assert file.expires_at < NOW


# --- properties ------------------------------------------------------------------------------------------------------

LINES = st.lists(
    st.sampled_from(
        ["User-agent: *", "User-agent: newsmon", "User-agent: x", "Disallow: /a", "Allow: /a/b", "Disallow: /"]
    )
    | st.text(max_size=20)
)


@given(
    st.binary(max_size=200) | LINES.map(lambda lines: "\n".join(lines).encode("utf-8", "replace")), st.text(max_size=30)
)
def test_any_body_gives_a_verdict(body: bytes, path: str) -> None:
    file = served(body)
    verdict = file.verdict(f"https://site.example/{path}", AGENT)
    assert verdict.reason == "rule"
    delay = file.crawl_delay(AGENT)
    assert delay is None or 0 <= delay <= RobotsPolicy().max_delay
    assert all(isinstance(sitemap, str) for sitemap in file.sitemaps)


@given(LINES)
def test_the_groups_of_others_change_nothing(lines: list[str]) -> None:
    """Rules for agents that are not us may come and go."""
    text = "\n".join(["User-agent: newsmon", "Disallow: /x", "User-agent: foreign"])
    others = [line for line in lines if "agent" not in line.lower()]
    for path in ("/x", "/a", "/a/b", "/"):
        assert allowed("\n".join([text, *others]), path) == allowed(text, path)
