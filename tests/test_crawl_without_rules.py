"""A site whose rule file says nothing of its pages, or nothing true: the trained classifier reads them in the crawl."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import pytest

from newsmon.farm import Farm
from newsmon.model import Kind
from tests.crawling import crawl, stored

if TYPE_CHECKING:
    from pathlib import Path

SITE = "name: Without rules\ndomain: {domain}\nfeeds:\n  - {feed}\n"


BROKEN = "versions:\n  - id: '2019'\n    text: [\"//div[@class='gone']/p\"]\n"


@pytest.mark.parametrize("versions", ["", BROKEN], ids=["no rule", "a broken rule"])
def test_articles_have_their_text_without_a_rule_that_works(tmp_path: Path, versions: str) -> None:
    domain, rules = "zarya.example", tmp_path / "bare"
    rules.mkdir()
    with Farm(sites=[domain], articles=6) as farm:
        (rules / f"{domain}.yaml").write_text(SITE.format(domain=domain, feed=f"http://{domain}/rss.xml") + versions)
        crawl(farm, tmp_path / "state", NEWSMON_RULES_DIR=rules).check()
        expected = {each.url: each for each in farm.expected if each.kind == "article"}
    found = [article for article in stored(tmp_path / "state") if article.kind is Kind.ARTICLE]
    assert len(found) >= 6
    for article in found:
        assert (article.method, article.rule_version) == ("svm", None)
        assert article.confidence is not None
        assert article.confidence > 0.5
        story = expected[article.url]
        assert SequenceMatcher(None, article.text.split(), story.text.split(), autojunk=False).ratio() > 0.9
        assert article.title == story.title
        assert ("its text XPaths select no text" in (article.reason or "")) is bool(versions)
