"""The generic extractor as it comes with newsmon: what it keeps, what it leaves out, what it remembers of a site."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import numpy as np
import pytest
from lxml import html

from newsmon.extraction import extract
from newsmon.extraction.classifier import PACKAGED
from newsmon.extraction.modelfile import load_model
from newsmon.extraction.repeats import PAGES, Repeats
from newsmon.extraction.segments import read_segments
from newsmon.extraction.tables import whole_rows
from newsmon.farm.content import write_story
from newsmon.model import Extract, Kind, Role
from newsmon.page import Page

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CONSENT = (
    "We value your privacy. We and our partners use cookies and unique identifiers to process personal data.",
    "By clicking accept you consent to tracking by our advertisers and vendors on your device.",
    "You can withdraw your consent at any time; our privacy policy tells you about cookies and third parties.",
)


def read(markup: str, *, url: str = "http://a.example/1", repeats: Repeats | None = None) -> Extract:
    return extract(Page(url, url, 200, markup.encode(), NOW), repeats=repeats)


def body_of(found: Extract) -> tuple[str, ...]:
    """Texts of the paragraphs; the headline may be among them, as people copy it too."""
    return tuple(paragraph.text for paragraph in found.paragraphs if paragraph.text != found.title)


def article(number: int, *, language: str = "en", between: str = "", after: str = "") -> tuple[str, tuple[str, ...]]:
    story = write_story(language, number, NOW, seed="generic")
    paragraphs = [f"<p>{text}</p>" for text in story.paragraphs]
    paragraphs.insert(2, between)
    menu = "".join(f"<li><a href=/{place}>{place} things to read</a></li>" for place in range(9))
    body = (
        f"<ul class=nav>{menu}</ul><main><h1>{story.title}</h1>{''.join(paragraphs)}{after}</main><footer>© A</footer>"
    )
    return f"<html lang={language}><title>{story.title}</title><body>{body}</body></html>", story.paragraphs


@pytest.mark.parametrize("language", ["en", "ru", "uk", "de", "zh"])
def test_an_article_of_any_site(language: str) -> None:
    markup, paragraphs = article(1, language=language)
    found = read(markup)
    assert (found.kind, found.method) == (Kind.ARTICLE, "svm")
    assert body_of(found) == paragraphs
    assert found.confidence is not None
    assert found.confidence > 0.8


def test_structure_is_kept() -> None:
    quote = "<blockquote><p>We shall open the gates at noon on Friday, said the mayor.</p></blockquote>"
    inside = f"<h2>What comes next</h2>{quote}"
    markup, _ = article(2, between=inside)
    roles = {paragraph.role for paragraph in read(markup).paragraphs}
    assert {Role.PARAGRAPH, Role.HEADING, Role.QUOTE} <= roles


@pytest.mark.parametrize(
    "insert",
    [
        pytest.param(
            "<p><b>Read also:</b> <a href=/2>The harbour opens its second quay to the public</a></p>", id="read also"
        ),
        pytest.param("<div>Advertisement</div>", id="a label"),
        pytest.param("<p>Lee también:</p>", id="a label of what follows"),
        pytest.param(
            "".join(f"<p>{line}</p>" for line in CONSENT).join(("<div class=notice>", "</div>")), id="consent"
        ),
    ],
)
def test_what_stands_inside_and_is_not_text(insert: str) -> None:
    markup, paragraphs = article(3, between=insert)
    assert body_of(read(markup)) == paragraphs


def test_read_also_without_a_link_may_begin_a_sentence() -> None:
    line = "Read also means to study beside others, the minister explained to the pupils of the school on Monday."
    markup, _ = article(4, between=f"<p>{line}</p>")
    assert line in read(markup).text


def test_lines_the_site_repeats_are_no_text() -> None:
    notice = "Our reporters work for you day and night, and everyone who reads this paper makes their work possible."
    repeats = Repeats()
    found = []
    for number in range(5):
        markup, paragraphs = article(10 + number, after=f"<p>{notice}</p>")
        extracted = read(markup, url=f"http://a.example/{number}", repeats=repeats)
        found.append(notice in extracted.text)
        assert set(paragraphs) <= {paragraph.text for paragraph in extracted.paragraphs}
    assert found == [True, True, True, False, False]


def test_headings_that_authors_repeat_are_text() -> None:
    repeats = Repeats()
    for number in range(5):
        markup, _ = article(30 + number, between="<h2>What comes next</h2>")
        assert "What comes next" in read(markup, url=f"http://a.example/{number}", repeats=repeats).text


@pytest.mark.parametrize("levels", [1, 2])
def test_a_text_that_only_a_script_holds(levels: int) -> None:
    paragraphs = write_story("en", 40, NOW, seed="script").paragraphs * 2
    body = [f"<p>{text}</p>" for text in paragraphs]
    body.insert(1, "$$AD_1$$<figure><img><p>The mayor at the dam</p></figure><p class=Caption>The dam</p>")
    state: object = {"title": "Dam", "body": "".join(body), "next": "<p>x</p>"}
    for _ in range(levels):
        state = json.dumps(state).replace("<", "\\u003c")
    found = read(f"<title>Dam opens</title><div id=__next></div><script>push([1, {state}])</script>")
    assert (found.kind, found.method, found.confidence) == (Kind.ARTICLE, "script", None)
    assert tuple(paragraph.text for paragraph in found.paragraphs) == paragraphs


def test_a_text_on_the_page_is_not_looked_for_in_scripts() -> None:
    markup, paragraphs = article(41)
    other = json.dumps("".join(f"<p>{text}</p>" for text in write_story("en", 42, NOW, seed="script").paragraphs))
    assert body_of(read(f"{markup}<script>x = {other}</script>")) == paragraphs


@pytest.mark.parametrize(
    "script", ['"<p>' + '\\"<p>' * 100_000, '"<p' * 300_000, '{"a": "' + "<p><p><p>" * 60_000 + '"']
)
def test_scripts_are_read_in_little_time(script: str) -> None:
    begun = time.process_time()
    assert read(f"<script>{script}</script>").kind is not Kind.ARTICLE
    assert time.process_time() - begun < 2


def test_a_page_that_is_all_repetition_is_left_whole() -> None:
    repeats, (markup, paragraphs) = Repeats(), article(20)
    for number in range(5):
        found = read(markup, url=f"http://a.example/{number}", repeats=repeats)
        assert body_of(found) == paragraphs


def test_repeats_forget_and_count_a_page_once() -> None:
    repeats = Repeats()
    for _ in range(5):
        repeats.learn("http://a.example/1", ["a line"])
    assert not repeats.common(["a line"]).any()
    for number in range(3):
        repeats.learn(f"http://b.example/{number}", ["b line"])
    assert repeats.common(["a line", "b line"]).tolist() == [False, True]
    for number in range(PAGES):
        repeats.learn(f"http://c.example/{number}", ["c line"])
    assert repeats.common(["b line", "c line"]).tolist() == [False, True]
    assert Repeats().common([]).shape == (0,)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", Kind.UNPARSABLE),
        (b"%PDF-1.7 \x00\x01", Kind.UNPARSABLE),
        (b"<html><body></body></html>", Kind.EMPTY),
        (b"<p>short</p>", Kind.EMPTY),
        (b"a" * 100_000, Kind.EMPTY),
        (b"<p>x</p>" * 5_000, Kind.EMPTY),
        ("<p>Новости дня</p>".encode("koi8-r"), Kind.EMPTY),
    ],
)
def test_what_is_no_article_says_why(body: bytes, kind: Kind) -> None:
    found = extract(Page("http://a.example/", "http://a.example/", 200, body, NOW))
    assert (found.kind, found.text, found.paragraphs) == (kind, "", ())
    assert found.reason


def test_the_model_tells_what_it_was_trained_on_and_knows_no_site_of_its_folds() -> None:
    header = load_model("default").header
    assert header["pages"] > 100
    assert header["seed"] == 0
    assert {row["metric"] for row in header["scores"]} == {"f1", "precision", "recall", "line_f1"}
    folds = load_model("default-folds").header["folds"]
    sites = [site for fold in folds for site in fold]
    assert len(sites) == len(set(sites)) <= header["sites"]
    assert PACKAGED.without(sites[0]) is not PACKAGED.whole
    assert PACKAGED.without("never-met.example") is PACKAGED.whole
    assert np.isfinite(PACKAGED.without(sites[0]).first.machine.weights).all()


def test_a_page_without_body_tags_is_read_whole() -> None:
    """As minifiers write it; libxml2 leaves everything in the head then."""
    _, paragraphs = article(30)
    lines = "".join(f"<p>{text}</p>" for text in paragraphs)
    page = f"<!doctype html><title>Dam</title><nav><a href=/>Home</a></nav><main><h1>Dam opens</h1>{lines}</main>"
    assert body_of(read(page)) == paragraphs


@pytest.mark.parametrize("box", ["byline", "ads", "newsletter-signup", "share tags"])
def test_boxes_are_known_by_their_names(box: str) -> None:
    line = "A sentence that stands in a box of its own, as long as a sentence of the article would be, and no shorter."
    markup, paragraphs = article(31, between=f"<div class='{box}'><p>{line}</p></div>")
    assert body_of(read(markup)) == paragraphs


def test_a_name_that_covers_most_of_the_text_means_something_else() -> None:
    _, paragraphs = article(32)
    lines = "".join(f"<p>{text}</p>" for text in paragraphs)
    found = read(f"<title>Dam</title><body><h1>Dam opens</h1><div class='share related comments'>{lines}</div></body>")
    assert set(paragraphs) <= {paragraph.text for paragraph in found.paragraphs}


def test_rows_of_tables_are_whole() -> None:
    markup = "<table><tr><td>Monday<td>the harbour was closed all day<tr><td>Tuesday morning hours<td>rain</table>"
    segments = read_segments(html.document_fromstring(markup))
    weight = np.array([1, 6, 3, 1], np.float32)
    chosen = np.array([False, True, False, True])
    assert whole_rows(segments, chosen, weight).tolist() == [True, True, False, False]
    nothing = np.zeros(4, np.bool_)
    assert whole_rows(segments, nothing, weight).tolist() == nothing.tolist()
