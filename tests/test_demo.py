"""``scrapy demo``, the main job: the farm in all its stages, saved real pages, and a machine without a browser."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from lxml import html

from newsmon.farm import Farm
from newsmon.farm.audit import audit
from newsmon.model import Outcome
from tests.crawling import command, crawl, opened, stored

PARAGRAPHS = [
    "Городской совет {} утвердил план ремонта набережной на следующий год и назвал подрядчика, который начнёт работу.",
    "Движение по мосту закроют на три недели; автобусы пойдут в объезд, как рассказали в {} управлении транспорта.",
    "Жители {} района просили сохранить старые липы, и архитекторы перерисовали проект уже во второй раз за весну.",
]


def test_the_whole_farm_through_all_its_stages(tmp_path):
    account = tmp_path / "account.json"
    ended = command("demo", "--articles", "3", "--state", str(tmp_path / "state"), "--json", str(account)).check()
    findings = json.loads(account.read_text("utf-8"))
    assert [finding for finding in findings if finding["problems"]] == []
    assert {finding["site"] for finding in findings} == set(Farm(articles=3).sites)
    expected = {finding["expected"] for finding in findings}
    assert {"stored", "not_article", "duplicate", "forbidden", "refused", "gone"} <= expected
    assert "Not stored as articles, and why" in ended.log
    assert f"{len(findings)} of {len(findings)} pages" in " ".join(ended.log.split())
    with opened(tmp_path / "state") as store:
        ledger = store.ledger()
        assert ledger.discovered == ledger.pending + sum(ledger.done.values())
        assert ledger.done[Outcome.STORED] == len(list(store.articles()))
        assert all(article.robots and article.robots.fetched_at for article in store.articles())


def test_without_a_browser_its_site_waits_and_the_rest_runs(tmp_path):
    with Farm(sites=["pulse.example", "visnyk.example"], articles=3) as farm:
        ended = crawl(farm, tmp_path / "state", NEWSMON_BROWSER="/nonexistent/browser").check()
        assert ended.errors == []
        with opened(tmp_path / "state") as store:
            assert [finding for finding in audit(farm.expected, store, browser=False) if not finding.ok] == []
            waiting = list(store.pages("pulse.example"))
        assert all("needs a browser: install chromium" in str(page.reason) for page in waiting)
        assert not any(hit.target.startswith("/stories/") for hit in farm.hits("pulse.example"))
        assert "needs a browser" in command("status", "pulse.example", state=tmp_path / "state").log


def saved_site(folder: Path) -> dict[str, list[str]]:
    """A folder of pages in windows-1251 with a manifest, one of them without an article; gives address -> text."""
    (folder / "pages").mkdir(parents=True)
    texts, lines = {}, []
    for number in range(4):
        url = f"https://www.paper.test/2025/03/{number}.html"
        texts[url] = [text.format(f"номер {number}") for text in PARAGRAPHS]
        body = "".join(f"<p>{text}</p>" for text in texts[url]) if number else "<p>Страница не найдена</p>"
        page = f"<html><head><meta charset=windows-1251></head><h1>Новость {number}</h1><div id=t>{body}</div></html>"
        (folder / f"pages/{number}.html.gz").write_bytes(gzip.compress(page.encode("windows-1251")))
        line = {"id": str(number), "file": f"pages/{number}.html", "url": url, "date": "2025-03-15", "template": "2025"}
        lines.append({**line, "rule": "//div[@id='t']/p", "gold_title": f"Новость {number}", "rule_hit": number > 0})
    del texts["https://www.paper.test/2025/03/0.html"]
    (folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return texts


def test_saved_pages_are_crawled_as_they_lie_there(tmp_path):
    texts = saved_site(tmp_path / "saved" / "paper.test")
    ended = command("demo", "--pages", str(tmp_path / "saved"), "--state", str(tmp_path / "state")).check()
    assert "3 of 3 pages" in " ".join(ended.log.split())
    articles = {article.url.replace("http:", "https:"): article for article in stored(tmp_path / "state")}
    assert {url: article.text.split("\n\n") for url, article in articles.items() if url in texts} == texts
    assert [articles[url].title for url in texts] == ["Новость 1", "Новость 2", "Новость 3"]
    refused = command("demo", "--pages", str(tmp_path / "state")).check(2)
    assert "manifest.jsonl" in refused.log


def test_a_real_site_is_stored_whole(tmp_path, shared_data):
    folder = shared_data / "sites" / "lenta.ru"
    command("demo", "--pages", str(folder), "--state", str(tmp_path / "state")).check()
    lines = [json.loads(line) for line in gzip.decompress((folder / "manifest.jsonl.gz").read_bytes()).splitlines()]
    articles = {article.url: article for article in stored(tmp_path / "state")}
    assert articles.keys() == {line["url"].replace("https:", "http:") for line in lines}
    for line in lines:
        article = articles[line["url"].replace("https:", "http:")]
        assert article.title == line["gold_title"]
        body = gzip.decompress((folder / f"{line['file']}.gz").read_bytes()).decode()
        (container,) = html.document_fromstring(body).xpath(line["rule"])
        words = "".join(container.text_content().split())
        assert all("".join(paragraph.split()) in words for paragraph in article.text.split("\n\n"))
        # The container holds teasers of other stories too, which the rule file strips.
        assert len(article.text) > 0.6 * line["rule_chars"]
