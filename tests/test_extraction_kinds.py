"""Kinds of pages on made-up pages of many families of markup, with the texts an extractor may give for each."""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html

from newsmon.extraction import extract
from newsmon.extraction.kinds.shape import Shape, read_shape
from newsmon.extraction.kinds.walls import is_consent_text
from newsmon.extraction.nonarticle import Evidence, page_kind
from newsmon.extraction.segments import read_segments
from newsmon.extraction.sources import Sources
from newsmon.extraction.text import size
from newsmon.model import Kind
from tests.kindpages import FAMILIES, KindPage, all_pages
from tests.kindpages.page import LANGUAGES, Family, Voice
from tests.pages import SENTENCE, article, linked, page

if TYPE_CHECKING:
    from pathlib import Path

    from newsmon.extraction.segments import Segments
    from newsmon.page import Page

LONG = SENTENCE * 15
JUDGED = (Kind.ARTICLE, *(kind for kind in Kind if kind not in (Kind.ARTICLE, Kind.SHELL, Kind.EMPTY, Kind.UNPARSABLE)))
UNDECIDED = frozenset(
    {
        "three_paragraphs_and_an_offer",  # without a text a rule may be broken: much prose speaks for an article
        "marked_part_left_out",
        "offer_and_closed",
        "list_of_videos",
    }
)
"""Families that are EMPTY in some language when extraction gave no text at all."""


def sources_of(fetched: Page) -> Sources:
    assert fetched.tree is not None
    return Sources(fetched.tree, fetched.final_url)


def everything(segments: Segments) -> str:
    """The text of a careless extractor: each longer line that is not mostly a link, teasers and notices too."""
    lines = zip(segments.texts, segments.links.tolist(), strict=True)
    return "\n\n".join(text for text, link in lines if size(text) >= 80 and link < 0.6 * len(text))


def judge(fetched: Page, text: str, method: str = "svm", **known: Any) -> tuple[Kind, str | None]:
    return page_kind(Evidence(fetched, sources_of(fetched), text, method=method if text else "none", **known))


@cache
def made_pages() -> list[KindPage]:
    return all_pages()


def judged(made: KindPage) -> list[tuple[str, Kind, str | None]]:
    """What the page is taken for with each text that extraction could give."""
    sources = sources_of(made.page)
    known = read_segments(sources.tree)
    texts = {"careless": (everything(known), "svm")}
    if made.text:
        texts["true"] = (made.text, "svm")
    if made.kind is Kind.ARTICLE:
        texts["rule"] = (made.text, "rule")
    else:
        texts["none"] = ("", "none")
    return [
        (name, *page_kind(Evidence(made.page, sources, text, closed(sources), None, method, known)))
        for name, (text, method) in texts.items()
    ]


def closed(sources: Sources) -> bool | None:
    """What JSON-LD says of access to the text."""
    stated = "".join(sources.json_ld.get("paywalled", ())[:1])
    return {"True": False, "False": True}.get(stated)


def test_thirty_pages_of_each_kind() -> None:
    counted = Counter(made.kind for made in made_pages())
    assert set(counted) == set(JUDGED)
    assert min(counted.values()) >= 30, counted
    assert {made.language for made in made_pages()} == set(LANGUAGES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: f"{family.kind.value}-{family.half}-{family.name}")
def test_each_family(family: Family) -> None:
    for language in family.languages:
        made = family.make(Voice(language, family.name, family.half))
        for text, kind, reason in judged(made):
            undecided = kind is Kind.EMPTY and text == "none" and family.name in UNDECIDED
            assert kind is family.kind or undecided, (language, text, reason)
            assert (reason is None) is (kind is Kind.ARTICLE)


def test_the_whole_extraction_stores_no_other_page_as_an_article() -> None:
    wrong = Counter()
    for made in made_pages():
        found = extract(made.page)
        if (found.kind is Kind.ARTICLE) is not (made.kind is Kind.ARTICLE):
            wrong[made.kind, made.family, made.language, found.method] += 1
    assert sum(wrong.values()) <= 0.03 * len(made_pages()), wrong


def test_headers_come_before_everything() -> None:
    for header, value in (
        ("cf-mitigated", "challenge"),
        ("x-amzn-waf-action", "captcha"),
        ("x-vercel-mitigated", "deny"),
    ):
        kind, reason = judge(page(article(LONG), headers={header: value}), LONG, "rule")
        assert (kind, reason) == (Kind.CHALLENGE, f"the header {header} says {value}")


@pytest.mark.parametrize(
    ("status", "kind"), [(403, Kind.CHALLENGE), (429, Kind.CHALLENGE), (404, Kind.SOFT_404), (200, Kind.EMPTY)]
)
def test_status_of_a_page_without_content(status: int, kind: Kind) -> None:
    assert judge(page("<title>x</title><p>Something is here.</p>", status=status), "")[0] is kind


@pytest.mark.parametrize("status", [403, 404, 503])
def test_a_wrong_status_does_not_lose_an_article(status: int) -> None:
    assert judge(page(article(LONG), status=status), LONG)[0] is Kind.ARTICLE


def test_a_banner_taken_for_the_text_is_no_article() -> None:
    banner = "We use cookies and process personal data. You can accept all cookies or manage your privacy settings."
    body = article(SENTENCE * 6).replace("<article>", f"<div id=banner><p>{banner}</p></div><article>")
    assert judge(page(body), banner) == (Kind.EMPTY, "no text found but a notice about cookies")
    assert judge(page(body), SENTENCE * 6)[0] is Kind.ARTICLE


def test_a_crumb_of_text_is_no_article_unless_the_page_says_so() -> None:
    crumb = "Loading the page."
    assert judge(page(f"<h1>Dam</h1><p>{crumb}</p>"), crumb)[0] is Kind.EMPTY
    assert judge(page(f"<h1>Dam</h1><p>{crumb}</p>"), crumb, "rule")[0] is Kind.ARTICLE
    assert judge(page(f"{linked(headline='Dam')}<h1>Dam</h1><p>{crumb}</p>"), crumb)[0] is Kind.ARTICLE


def test_the_closed_part_is_there() -> None:
    part = {"@type": "WebPageElement", "isAccessibleForFree": False, "cssSelector": ".main"}
    head = linked(headline="Dam", isAccessibleForFree=False, hasPart=part)
    text = SENTENCE * 4
    sent = page(f"<head>{head}</head><div class='story main'><p>{text}</p></div>")
    cut = page(f"<head>{head}</head><div class=story><p>{text}</p></div><div class=main></div>")
    assert judge(sent, text.strip(), paywalled=True)[0] is Kind.ARTICLE
    assert judge(cut, text.strip(), paywalled=True)[0] is Kind.PAYWALL


def test_the_page_states_more_words_than_it_has() -> None:
    text = (SENTENCE * 11).strip()
    short, whole = (
        page(f"<head>{linked(headline='Dam', wordCount=words)}</head><p>{text}</p>") for words in (900, 200)
    )
    assert judge(short, text, paywalled=True)[0] is Kind.PAYWALL
    assert judge(whole, text, paywalled=True)[0] is Kind.ARTICLE
    assert judge(short, text)[0] is Kind.ARTICLE


def test_doubt_of_the_extractor_speaks_for_a_list() -> None:
    items = "".join(f"<li><a href=/{n}>Headline number {n} about the dam</a></li>" for n in range(20))
    body = f"<title>Dam</title><h1>Dam</h1><p>{SENTENCE * 2}</p><ul>{items}</ul>"
    fetched = page(body, url="http://zarya.example/dam")
    text = (SENTENCE * 2).strip()
    assert judge(fetched, text, confidence=0.9)[0] is Kind.ARTICLE
    kind, reason = judge(fetched, text, confidence=0.1)
    assert kind is Kind.SECTION
    assert "a text of confidence 0.10" in str(reason)


def shape_of(markup: str) -> Shape:
    return read_shape(read_segments(html.document_fromstring(markup)))


def test_links_inside_a_text_do_not_end_its_run() -> None:
    also = "<p><a href=/1>Read also: what the dam has cost so far</a></p>"
    text = f"<p>{SENTENCE}</p>{also}" * 5
    shape = shape_of(f"<div>{text}</div>")
    assert len(shape.runs) == 1
    assert shape.longest.size == 5 * len(SENTENCE.strip())
    assert shape.teasers == 4


def test_teasers_are_runs_of_their_own() -> None:
    teaser = f"<div><h3><a href=/1>A headline about the new dam</a></h3><p>{SENTENCE}</p></div>"
    shape = shape_of(f"<div>{teaser * 6}</div>")
    assert [run.size for run in shape.runs] == [len(SENTENCE.strip())] * 6
    assert (shape.headlines, shape.teasers) == (6, 5)


def test_hidden_lines_are_not_seen() -> None:
    shape = shape_of(f"<p>{SENTENCE}</p><div hidden><p>Subscribe to continue reading</p></div>")
    assert [line.text for line in shape.lines] == [SENTENCE.strip()]


def test_place_of_a_text() -> None:
    shape = shape_of("<p>one</p><p>two</p><p>three</p><p>two</p>")
    assert shape.place("two\n\nthree") == (1, 2)
    assert shape.place("not here") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use cookies. You can accept all cookies or manage your preferences and privacy settings.", True),
        ("The regulator fined a shop over cookies and the consent it never asked for, citing privacy law.", False),
        (SENTENCE, False),
    ],
)
def test_words_of_a_banner(text: str, expected: bool) -> None:
    assert is_consent_text(text) is expected


@pytest.mark.parametrize(
    "body",
    [
        "<p>" + "page not " * 40_000,
        "<p>cookie consent you " * 20_000,
        "".join(f"<p>{n % 24}:{n % 60:02} subscribe to read this article" for n in range(20_000)),
        "<title>" + "404 " * 50_000 + "</title><p>x",
        "<h1>" + "sorry " * 50_000 + "</h1>" + "<h2>page </h2>" * 9_000,
        "<button>" + "accept " * 100_000 + "</button><p>cookies, your choice, privacy, data",
        '<script type="application/ld+json">{"@type":"NewsArticle","hasPart":[{"cssSelector":".x"}]}</script>'
        + "<div class='x y z'>" * 200
        + "<p class=x>a" * 20_000,
    ],
    ids=["words", "consent", "times", "title", "headings", "button", "parts"],
)
def test_hostile_pages_are_judged_quickly(body: str) -> None:
    fetched = page(body)
    sources = sources_of(fetched)
    known = read_segments(sources.tree)
    started = time.process_time()
    page_kind(Evidence(fetched, sources, "", True, None, "none", known))
    page_kind(Evidence(fetched, sources, "\n".join(known.texts[:50]), None, 0.5, "svm", known))
    assert time.process_time() - started < 2


@pytest.mark.parametrize("corpus", ["naeb", "zh_handmade"])
def test_real_articles_are_articles(shared_data: Path, corpus: str) -> None:
    folder = shared_data / "extraction" / corpus
    lost = []
    for line in gzip.decompress((folder / "gold.jsonl.gz").read_bytes()).splitlines():
        gold = json.loads(line)
        raw = gzip.decompress((folder / f"pages/{gold['id']}.html.gz").read_bytes())
        fetched = page(raw, url=gold.get("url") or "http://zarya.example/news/2024/dam-1234.html", headers={})
        sources = sources_of(fetched)
        known = read_segments(sources.tree)
        for text in (gold["text"], everything(known)):
            kind, reason = page_kind(Evidence(fetched, sources, text, closed(sources), None, "svm", known))
            if kind is not Kind.ARTICLE:
                lost.append((gold["id"], kind, reason))
    assert not lost
