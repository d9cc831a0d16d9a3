"""The news farm: what it serves is what it says it expects of a crawler, and its switches do what they promise."""

from __future__ import annotations

import gzip
import http.client
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import feedparser
import pytest
import yaml
from lxml import etree, html

from newsmon.encoding import decode
from newsmon.farm import Expectation, Farm, FarmError, PagesFarm
from newsmon.farm.content import LANGUAGES, write_story
from newsmon.farm.server import Server

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RULES = Path(__file__).parent.parent / "rules"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return decode(self.body, self.headers["Content-Type"]).text


def fetch(farm: Server, url: str, **headers: str) -> Answer:
    """One request to the farm, without redirects; ``if_none_match`` is the header ``If-None-Match``."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", farm.port, timeout=10)
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", parts._replace(scheme="", netloc="").geturl(), headers={"Host": parts.netloc} | own)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.headers["Content-Encoding"] == "gzip":
        body = gzip.decompress(body)
    return Answer(response.status, response.headers, body)


@pytest.fixture
def farm():
    with Farm(now=NOW, drip_seconds=0.5) as running:
        yield running


@pytest.fixture(scope="module")
def steady():
    """A farm that no test switches or advances."""
    with Farm(now=NOW) as running:
        yield running


def one(farm: Farm, **fields: Any) -> Expectation:
    """The only expectation with these fields."""
    (found,) = [each for each in farm.expected if all(getattr(each, name) == value for name, value in fields.items())]
    return found


def rule_versions(host: str) -> list[dict[str, Any]]:
    rules = yaml.safe_load((RULES / f"{host}.yaml").read_text("utf-8"))
    assert rules["domain"] == host
    return rules["versions"]


def read_by_rule(page: str, versions: list[dict[str, Any]]) -> tuple[str, str]:
    """Title and text, white space collapsed, by the first version that finds a text."""
    for version in versions:
        tree = html.document_fromstring(page)
        for path in version.get("strip", ()):
            for element in tree.xpath(path):
                element.drop_tree()
        found = [element.text_content() for path in version["text"] for element in tree.xpath(path)]
        if found:
            title = next(element.text_content() for path in version["title"] for element in tree.xpath(path))
            return " ".join(title.split()), " ".join(" ".join(found).split())
    return "", ""


def links_of(farm: Farm, url: str) -> list[str]:
    """Links of a feed, read by other means than newsmon's own."""
    answer = fetch(farm, url)
    body = gzip.decompress(answer.body) if url.endswith(".gz") else answer.body
    if "json" in answer.headers["Content-Type"]:
        return [item["url"] for item in json.loads(body)["items"]]
    if b"sitemaps.org" in body:
        return [node.text for node in etree.fromstring(body).iter("{*}loc")]
    return [entry.link for entry in feedparser.parse(body).entries if "link" in entry]


# -- generated news


@pytest.mark.parametrize("language", LANGUAGES)
def test_stories_are_fixed_by_their_seed_and_number(language):
    story = write_story(language, 3, NOW, seed="a")
    assert story == write_story(language, 3, NOW, seed="a")
    assert story.paragraphs != write_story(language, 4, NOW, seed="a").paragraphs
    assert story.paragraphs != write_story(language, 3, NOW, seed="b").paragraphs
    assert not any(mark in "".join(story.paragraphs) + story.title for mark in "{}")


def test_two_farms_of_one_seed_serve_the_same_bytes():
    first, second = Farm(seed=5, now=NOW), Farm(seed=5, now=NOW)
    other = Farm(seed=6, now=NOW)
    assert first.expected == second.expected
    assert first.expected != other.expected
    for host, site in first.sites.items():
        for target in site.targets:
            answers = [farm.sites[host].answer(target, 2) for farm in (first, second)]
            if not callable(answers[0]):
                assert answers[0] == answers[1], (host, target)


def test_a_farm_needs_articles_and_a_stage():
    with pytest.raises(ValueError, match="at least 3 articles"):
        Farm(articles=2)


# -- what is served is what is expected


def test_the_demo_covers_the_languages_and_outcomes(farm):
    farm.advance_stage()
    assert {each.language for each in farm.expected if each.language} == set(LANGUAGES)
    outcomes = {"stored", "not_article", "duplicate", "forbidden", "refused", "gone", "failed"}
    assert {each.outcome for each in farm.expected} == outcomes
    kinds = "consent paywall challenge login soft_404 video ticker section empty unparsable".split()
    assert {each.kind for each in farm.expected if each.outcome == "not_article"} == set(kinds)


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_every_link_of_every_feed_has_an_expectation(farm, stage):
    farm.stage = stage
    expected = {each.url for each in farm.expected}
    for feed in farm.expected_feeds:
        if feed.state not in ("ok", "partial"):
            continue
        address = feed.url if fetch(farm, feed.url).status == 200 else urljoin(feed.url, "/feeds/top.json")
        links = links_of(farm, address)
        assert len(links) - links.count("") == feed.links, feed.url
        if feed.kind != "sitemapindex":
            untracked = {link.partition("?from=top")[0] for link in links}
            assert untracked <= expected, feed.url


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_every_article_reads_exactly_as_expected_by_the_sites_rule(farm, stage):
    farm.stage = stage
    read = 0
    for each in farm.expected:
        if each.outcome != "stored" or each.needs_browser or each.note == "JSON-LD only" or each.stage < stage:
            continue
        fetch(farm, each.url)  # busy pages answer 429 first
        page = fetch(farm, each.final_url or each.url)
        assert page.status == 200, each.url
        title, text = read_by_rule(page.text, rule_versions(each.site))
        assert title == " ".join(each.title.split()), each.url
        assert text.replace(" ", "") == "".join(each.paragraphs).replace(" ", ""), each.url
        assert each.published <= farm.now
        read += 1
    assert read >= (50 if stage == 0 else 15)


def test_duplicates_are_the_article_of_another_address(steady):
    for each in steady.expected:
        if each.outcome == "duplicate":
            original = one(steady, url=each.same_as)
            versions = rule_versions(each.site)
            assert read_by_rule(fetch(steady, each.url).text, versions) == read_by_rule(
                fetch(steady, original.url).text, versions
            ), each.url


def test_the_side_column_and_the_pictures_of_a_page_exist(steady):
    tree = html.document_fromstring(fetch(steady, one(steady, site="trap.example", note="an honest article").url).text)
    assert tree.xpath("//nav//a")
    picture = fetch(steady, "http://courier.example/images/5001.svg")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert etree.fromstring(picture.body).tag.endswith("svg")
    front = html.document_fromstring(fetch(steady, "http://courier.example/").text)
    assert front.xpath("//link[@rel='alternate']/@href") == ["/feed.json"]
    assert fetch(steady, urljoin("http://courier.example/", front.xpath("//h2/a/@href")[0])).status == 200


# -- the manners of single sites


def test_validators_are_honoured(steady):
    feed = fetch(steady, "http://zarya.example/rss.xml")
    assert fetch(steady, "http://zarya.example/rss.xml", if_none_match=feed.headers["ETag"]).status == 304
    assert fetch(steady, "http://zarya.example/rss.xml", if_none_match='"other"').status == 200
    since = fetch(steady, "http://dumka.example/news-sitemap.xml").headers["Last-Modified"]
    again = fetch(steady, "http://dumka.example/news-sitemap.xml", if_modified_since=since)
    assert (again.status, again.body) == (304, b"")


def test_a_lying_etag_hides_new_articles(farm):
    old = fetch(farm, "http://tribune.example/index.rdf")
    farm.advance_stage()
    assert fetch(farm, "http://tribune.example/index.rdf", if_none_match=old.headers["ETag"]).status == 304
    new = fetch(farm, "http://tribune.example/index.rdf")
    assert new.headers["ETag"] == old.headers["ETag"]
    assert new.body != old.body


def test_bodies_are_compressed_for_those_who_accept_it(steady):
    url = one(steady, site="abendpost.example", note="JSON-LD only").url
    plain, packed = fetch(steady, url), fetch(steady, url, accept_encoding="gzip, br")
    assert plain.headers["Content-Encoding"] is None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < len(packed.body) == len(plain.body)


@pytest.mark.parametrize(
    ("host", "charset", "lie"),
    [
        ("vestnik.example", "windows-1251", "text/html; charset=utf-8"),
        ("visnyk.example", "koi8-u", "text/html; charset=utf-8"),
        ("chenbao.example", "gb18030", "text/html; charset=ISO-8859-1"),
    ],
)
def test_headers_lie_about_the_charset_of_every_other_page(steady, host, charset, lie):
    pages = [fetch(steady, each.url) for each in steady.expected if each.site == host and each.kind == "article"]
    pages = [page for page in pages if page.status == 200]
    assert {page.headers["Content-Type"] for page in pages} == {"text/html", lie}
    titles = {each.title for each in steady.expected if each.site == host}
    assert all(any(title in page.body.decode(charset) for title in titles if title) for page in pages)


@pytest.mark.parametrize(
    ("host", "status", "line"),
    [
        ("zarya.example", 200, "Crawl-delay: 0.5"),
        ("visnyk.example", 200, "Request-rate: 2/1"),
        ("stumm.example", 503, ""),
        ("courier.example", 404, ""),
        ("dumka.example", 301, ""),
    ],
)
def test_robots_txt(steady, host, status, line):
    answer = fetch(steady, f"http://{host}/robots.txt")
    assert answer.status == status
    assert line in answer.body.decode()


def test_busy_pages_say_when_to_come_back(farm):
    for note in ("429 first, Retry-After in seconds", "429 first, Retry-After as a date"):
        url = one(farm, note=note).url
        first = fetch(farm, url)
        assert first.status == 429
        wait = first.headers["Retry-After"]
        assert wait == "1" or timedelta(0) < parsedate_to_datetime(wait) - farm.now <= timedelta(seconds=2)
        assert fetch(farm, url).status == 200


def test_redirects_lead_where_they_should_and_where_they_should_not(steady):
    chain = one(steady, note="301, then 302")
    first = fetch(steady, chain.url)
    second = fetch(steady, urljoin(chain.url, first.headers["Location"]))
    assert (first.status, second.status, second.headers["Location"]) == (301, 302, chain.final_url)
    away = {fetch(steady, each.url).headers["Location"] for each in steady.expected if "redirect to" in each.note}
    assert {"http://127.0.0.2/admin", "http://10.0.0.1/", "file:///etc/passwd"} <= away
    loop = fetch(steady, "http://trap.example/loop/a").headers["Location"]
    assert fetch(steady, f"http://trap.example{loop}").headers["Location"] == "/loop/a"


def test_missing_pages_are_missing_in_three_ways(steady):
    assert [fetch(steady, one(steady, note=note).url).status for note in ("404", "410", "status 200")] == [404, 410, 200]


def test_the_consent_wall_opens_only_with_consent(steady):
    walled = [each for each in steady.expected if each.kind == "consent" and each.site == "abendpost.example"]
    for each in walled:
        assert "artikel-absatz" not in fetch(steady, each.url).text
        assert "artikel-absatz" in fetch(steady, each.url, cookie="consent=1").text
        assert "artikel-absatz" in fetch(steady, f"{each.url}?consent=1").text


def test_relative_dates_follow_the_day_of_the_visit():
    with Farm(now=NOW, sites=["zarya.example"]) as farm:
        words = set()
        for each in farm.expected:
            if each.outcome == "stored":
                words.add(html.fromstring(fetch(farm, each.url).text).xpath("string(//span[@class='topic-time'])"))
        days = {word.partition(",")[0] for word in words}
        assert {"сегодня", "вчера"} <= days


def test_an_article_is_edited_and_a_feed_says_so(farm):
    before = farm.expected
    farm.advance_stage()
    edited = one(farm, revision=2)
    old = next(each for each in before if each.url == edited.url)
    assert old.text != edited.text
    assert edited.text.startswith(old.text)
    assert edited.paragraphs[-1].split()[-1] in fetch(farm, edited.url).text
    entry = next(e for e in feedparser.parse(fetch(farm, "http://visnyk.example/feed/atom/").body).entries if e.link == edited.url)
    assert entry.updated > entry.published


def test_a_redesign_leaves_the_old_rule_without_text(farm):
    versions = rule_versions("vestnik.example")
    article = next(each for each in farm.expected if each.site == "vestnik.example" and not each.final_url)
    assert read_by_rule(fetch(farm, article.url).text, versions) == (article.title, " ".join(article.paragraphs))
    farm.advance_stage()
    assert read_by_rule(fetch(farm, article.url).text, versions) == ("", "")


def test_a_feed_moves_for_good(farm):
    assert fetch(farm, "http://courier.example/feed.json").status == 200
    farm.advance_stage()
    moved = fetch(farm, "http://courier.example/feed.json")
    assert (moved.status, moved.headers["Location"]) == (301, "/feeds/top.json")
    assert fetch(farm, "http://courier.example/feeds/top.json").status == 200


def test_broken_feeds_are_broken(steady):
    cut = fetch(steady, "http://wirr.example/kaputt.xml").body
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(cut)
    assert cut.count(b"</item>") == next(f.links for f in steady.expected_feeds if f.state == "partial")
    assert b"<html" in fetch(steady, "http://wirr.example/seite.xml").body
    assert b"<item>" not in fetch(steady, "http://wirr.example/leer.xml").body
    assert b'encoding="windows-1251"' in fetch(steady, "http://vestnik.example/rss/all.xml").body


def test_archive_sitemaps_lead_to_articles_that_no_feed_has(steady):
    children = links_of(steady, "http://dumka.example/sitemap.xml")
    locs = [link for child in children for link in links_of(steady, child)]
    archive = {each.url for each in steady.expected if each.backfill}
    assert set(locs) == archive
    assert not archive & set(links_of(steady, "http://dumka.example/news-sitemap.xml"))
    assert all(NOW - each.published > timedelta(days=30) for each in steady.expected if each.backfill)


def test_the_bomb_is_small_on_the_wire_and_large_unpacked(steady):
    parts = http.client.HTTPConnection("127.0.0.1", steady.port, timeout=10)
    parts.request("GET", "/bomb", headers={"Host": "trap.example"})  # it comes packed even to those who do not ask
    response = parts.getresponse()
    packed = response.read()
    parts.close()
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(packed) < 500_000
    unpack, size = zlib.decompressobj(31), 0
    while not unpack.eof:
        size += len(unpack.decompress(packed, 1 << 20))
        packed = unpack.unconsumed_tail
    assert size == 200 << 20


def test_a_drip_ends_and_never_keeps_its_promise(farm):
    began = time.monotonic()
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        fetch(farm, "http://trap.example/drip")
    assert 0.4 < time.monotonic() - began < 5


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_the_script_site_shows_its_story_only_in_a_browser(steady):
    story = next(each for each in steady.expected if each.needs_browser)
    assert story.paragraphs[0] not in fetch(steady, story.url).text
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
    mapped = f"--host-resolver-rules=MAP *.example 127.0.0.1:{steady.port}"
    dom = subprocess.run([*command, mapped, story.url], capture_output=True, timeout=60, check=True).stdout.decode()
    tree = html.document_fromstring(dom)
    assert [node.text_content() for node in tree.xpath("//article/p")] == list(story.paragraphs)
    assert tree.xpath("//article//time/@datetime") == [story.published.isoformat()]


# -- server, log, switches


def test_it_listens_on_loopback_only_and_knows_its_hosts(steady):
    assert steady.connect_to["zarya.example"] == f"127.0.0.1:{steady.port}"
    assert "m.courier.example" in steady.hosts
    assert fetch(steady, "http://unknown.example/").status == 421
    with socket.socket() as probe:  # a second listener on another loopback address must be free to bind
        probe.bind(("127.0.0.3", steady.port))


def test_a_taken_port_is_told_clearly(steady):
    with pytest.raises(FarmError, match=f"port {steady.port}"):
        Farm(sites=(), port=steady.port).start()


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
    later = next(each for site in farm.sites.values() for each in site.expected if each.stage == 1 and each.revision == 1)
    assert fetch(farm, later.url).status == 404
    farm.advance_stage()
    assert fetch(farm, later.url).status == 200


# -- plain sites for benches


def test_bulk_pages_have_the_asked_weight_and_bring_their_rules(tmp_path):
    with Farm(sites=(), bulk_hosts=3, bulk_articles=2, page_kb=60, now=NOW) as farm:
        files = {file.stem: yaml.safe_load(file.read_text()) for file in farm.write_rules(tmp_path)}
        assert list(files) == ["bulk-000.example", "bulk-001.example", "bulk-002.example"]
        for each in farm.expected:
            page = fetch(farm, each.url, accept_encoding="gzip")
            assert abs(len(page.body) - 60_000) < 2_000
            rules = files[each.site]
            assert links_of(farm, rules["feeds"][0]) == [e.url for e in farm.expected if e.site == each.site]
            assert read_by_rule(page.text, rules["versions"]) == (each.title, " ".join(each.paragraphs))


# -- real pages


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
        first, second = farm.expected
        assert (first.outcome, first.title) == ("stored", "Заголовок <1>")
        assert "no rule" in second.note
        page = fetch(farm, "http://www.paper.test/x/%d1%85?id=1", accept_encoding="gzip")
        assert page.headers["Content-Encoding"] == "gzip"
        assert page.headers["Content-Type"] == "text/html"
        assert page.body.decode("windows-1251") == "<html><title>a</title><p>Тело</p></html>"
        entries = feedparser.parse(fetch(farm, farm.feeds["paper.test"]).body).entries
        assert [entry.link for entry in entries] == [first.url, second.url]
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
    lines = [{"id": str(place), "file": f"pages/{place}.html", "url": url} for place, url in enumerate(urls)]
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
        assert len(farm.expected) + farm.repeated == len(lines), folder.name
        assert len(farm.feeds) == 1


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
