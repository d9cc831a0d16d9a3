"""The news farm: what it serves is what it says it expects of a crawler."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import time
import zlib
from datetime import timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from urllib.parse import urljoin

import feedparser
import pytest
from lxml import etree, html

from newsmon.extraction import extract
from newsmon.farm import Farm
from newsmon.farm.content import LANGUAGES, write_story
from tests.farming import NOW, fetch, links_of, load, one, read_by_rule, rule_versions, rules_of

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def farm():
    with Farm(now=NOW, drip_seconds=0.5) as running:
        yield running


@pytest.fixture(scope="module")
def steady():
    """A farm that no test switches or advances."""
    with Farm(now=NOW) as running:
        yield running


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
    kinds = [
        "consent",
        "paywall",
        "challenge",
        "login",
        "soft_404",
        "video",
        "ticker",
        "section",
        "unparsable",
    ]
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
        assert sum(link.startswith("http") for link in links) == feed.links, feed.url
        if feed.kind != "sitemapindex":
            untracked = {link.partition("?from=top")[0] for link in links}
            assert untracked <= expected, feed.url


@pytest.mark.parametrize(("stage", "least"), [(0, 65), (1, 20), (2, 20)])
def test_every_page_that_answers_reads_exactly_as_expected(farm, stage, least):
    farm.stage, read = stage, 0
    for each in farm.expected:
        if each.outcome not in ("stored", "not_article") or each.needs_browser or each.stage < stage:
            continue
        page = load(farm, each.url)
        found = extract(page, rules=rules_of(each.site))
        assert found.kind == each.kind, (each.url, found.reason)
        assert each.final_url in (None, page.final_url)
        if each.outcome == "stored":
            expected = (each.title, each.paragraphs, each.authors, each.published, each.language)
            texts = tuple(paragraph.text for paragraph in found.paragraphs)
            stated = (found.title, texts, found.authors, found.published, found.language)
            assert stated == expected, each.url
        read += 1
    assert read >= least


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
    assert all(any(title in unescape(page.body.decode(charset)) for title in titles if title) for page in pages)


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
    assert [fetch(steady, one(steady, note=note).url).status for note in ("404", "410", "status 200")] == [
        404,
        410,
        200,
    ]


def test_the_consent_wall_opens_only_with_consent(steady):
    walled = [each for each in steady.expected if each.kind == "consent" and each.site == "abendpost.example"]
    for each in walled:
        assert "artikel-absatz" not in fetch(steady, each.url).text
        assert "artikel-absatz" in fetch(steady, each.url, cookie="consent=1").text
        assert "artikel-absatz" in fetch(steady, f"{each.url}?consent=1").text


def test_relative_dates_follow_the_day_of_the_visit():
    with Farm(now=NOW, sites=["zarya.example"]) as farm:
        farm.stage, words = 2, set()
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
    entry = next(
        e
        for e in feedparser.parse(fetch(farm, "http://visnyk.example/feed/atom/").body).entries
        if e.link == edited.url
    )
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
