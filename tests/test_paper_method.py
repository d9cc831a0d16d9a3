"""The method of seed 001: each formula by hand, blocks, words and marks by language, and whole pages."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest
from lxml import html

from newsmon.extraction import paper
from newsmon.extraction.densities import (
    BLOCK_FEATURES,
    LineCounts,
    block_densities,
    count_lines,
    paragraph_densities,
    region_density,
)
from newsmon.extraction.modelfile import load_model
from newsmon.extraction.noisewords import language_of, languages, lexicon
from newsmon.extraction.segments import read_segments
from newsmon.extraction.svm import RbfMachine
from newsmon.extraction.textblocks import TextBlocks, read_blocks
from newsmon.model import Role
from newsmon.scoring import lines, overlap
from newsmon.training.paper import Kernel, min_max


def parse(markup: str) -> html.HtmlElement:
    return html.document_fromstring(markup)


def blocks_of(markup: str) -> tuple[list[str], TextBlocks]:
    """The text of each block in the order of the queue, and the blocks."""
    tree = parse(markup)
    segments = read_segments(tree)
    blocks = read_blocks(tree, segments)
    return [" ".join(segments.texts[blocks.first[at] : blocks.last[at]]) for at in range(len(blocks))], blocks


def densities(markup: str, language: str = "en") -> dict[str, list[float]]:
    """The densities of every block by name."""
    tree = parse(markup)
    segments = read_segments(tree)
    found = block_densities(read_blocks(tree, segments), count_lines(segments, lexicon(language)))
    return {name: found[:, at].astype(float).round(6).tolist() for at, name in enumerate(BLOCK_FEATURES)}


# --- 1: preprocessing and text blocks ---------------------------------------------------------------------------------


def test_blocks_come_depth_first_and_hold_the_blocks_inside_them() -> None:
    texts, _ = blocks_of("<div><section><p>a</p><p>b</p></section><ul><li>c</ul></div><div>d</div>")
    assert texts == ["a", "b", "a b", "c", "c", "a b c", "d"]


def test_body_is_no_block_and_neither_is_a_container_without_text() -> None:
    texts, _ = blocks_of("<body><div> </div><div><img></div><article>a</article></body>")
    assert texts == ["a"]


def test_comments_scripts_and_styles_are_no_text_and_no_nodes() -> None:
    noise = "<!-- x --><script>x</script><style>x</style><noscript><p>x</p></noscript><select><option>x</select>"
    texts, blocks = blocks_of(f"<div>{noise}<p>a</p></div>")
    assert texts == ["a", "a"]
    assert blocks.nodes == 4  # html body div p
    assert blocks.ordinal.tolist() == [4, 3]


def test_text_outside_of_any_inner_block_belongs_to_the_container() -> None:
    texts, _ = blocks_of("<div>one<p>two</p>three</div>")
    assert texts == ["two", "one two three"]


# --- 2.1: the five densities ------------------------------------------------------------------------------------------


def test_formula_1_links() -> None:
    """HLL / AL = 4 / 10."""
    assert densities("<div>abcde <a href=x>link</a></div>")["links"] == [0.4]


def test_formula_2_noise_words() -> None:
    """NWC / AWC: `search` and `copyright` of five words; a block without words has 0."""
    found = densities("<div>Search the town, copyright us</div><div>2024</div>")
    assert found["noise words"] == [0.4, 0.0]


def test_formula_3_sentence_marks() -> None:
    """SCL / ACL: comma and full stop of 20 characters; the point of 3.5 ends no sentence."""
    assert densities("<div>Yes, it rose by 3.5.</div>")["sentence marks"] == [0.1]


def test_formula_4_decorations() -> None:
    """LC / ALC: b and h2 of the tags b, h2, a, p inside; a block without tags has 0."""
    found = densities("<section><h2><a>T</a></h2>x <b>y</b><p>z</p></section>")
    assert found["decorations"] == [0.0, 0.5]


def test_formula_5_region() -> None:
    """NS / ANS: html 1, body 2, div 3, p 4, p 5 of five nodes; the first p, the second p, the div."""
    assert densities("<div><p>a</p><p>b</p></div>")["region"] == pytest.approx([0.8, 1.0, 0.6])


def test_formula_6_scales_to_the_range_of_the_training_data() -> None:
    """(old - min) / (max - min) = (3 - 1) / (5 - 1); outside of the range it is held to 0 and 1."""
    offset, scale = min_max(np.array([[1.0], [5.0], [2.0]], np.float32))
    model = tiny_machine(offset, scale)
    assert model.scaled([[3.0], [0.0], [9.0]]).tolist() == [[0.5], [0.0], [1.0]]


def test_formula_7_sigma() -> None:
    """gamma = 1 / (2 sigma^2) for sigma = 1.6 and 0.5."""
    assert [Kernel(3.0, 1.6).gamma, Kernel(3.0, 0.5).gamma] == pytest.approx([0.1953125, 2.0])


# --- 3: paragraphs ----------------------------------------------------------------------------------------------------


def tiny_blocks() -> TextBlocks:
    """Two blocks over five lines: lines 0-1, and lines 0-3 around them."""
    return TextBlocks(*(np.array(column, np.int32) for column in ([0, 0], [2, 4], [2, 1], [0, 0], [0, 0])), nodes=2)


def tiny_counts() -> LineCounts:
    columns = ([10, 30, 40, 20, 50], [0] * 5, [1] * 5, [0] * 5, [1, 3, 0, 2, 5])
    return LineCounts(*(np.array(column, np.int32) for column in columns))


def test_definitions_1_and_2_and_formula_8() -> None:
    """Line 1 is the second of two in block 0 (30 of 40 characters), and the second of four in block 1 (of 100)."""
    lines_, owner = np.array([1, 1, 3]), np.array([0, 1, 1])
    found = paragraph_densities(lines_, owner, tiny_blocks(), tiny_counts())
    assert found[:, 0].tolist() == pytest.approx([0.75, 0.3, 0.2])
    assert found[:, 1].tolist() == pytest.approx([0.1, 0.1, 0.1])
    assert found[:, 2].tolist() == pytest.approx([1.0, 0.5, 1.0])


def test_formula_8_of_a_paragraph_over_several_lines() -> None:
    """(MIN + MAX) / (2 APC) = (2 + 4) / (2 x 6)."""
    assert region_density(2, 4, 6).tolist() == 0.5


def test_a_line_is_judged_in_its_outermost_content_block_and_once() -> None:
    blocks = tiny_blocks()
    assert paper.owners(np.array([True, True]), blocks, 5).tolist() == [1, 1, 1, 1, paper.NOWHERE]
    assert paper.owners(np.array([True, False]), blocks, 5).tolist() == [0, 0, *[paper.NOWHERE] * 3]


def test_formulas_9_10_and_11() -> None:
    """ResultValidRow 2, ResultAllRow 3, WebValidRow 4: P = 2/3, R = 1/2, F = 2PR / (P + R) = 4/7."""
    found = overlap(lines("a\nb\nc\nd"), lines("a\nx\nd"))
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 1 / 2, 4 / 7))


# --- words and marks by language --------------------------------------------------------------------------------------


def test_the_languages_the_project_reads_have_noise_words() -> None:
    assert {"en", "ru", "uk", "zh", "de", "es", "fr", "pl", "el", "ja", "pt", "it"} <= set(languages())


@pytest.mark.parametrize(
    ("language", "text", "words", "noise", "marks"),
    [
        ("en", "Home | Log in | Copyright. He's gone", 6, 2, 1),
        ("ru", "Главная Реклама: вода прибывает.", 4, 2, 2),
        ("uk", "Головна Пошук — вода прибуває!", 4, 2, 1),
        ("de", "Startseite Impressum Das Wasser steigt.", 5, 2, 1),
        ("es", "Inicio Suscríbete ¿Sube el agua?", 5, 2, 2),
        ("fr", "Accueil Recherche L'eau monte, dit-on.", 5, 2, 2),
        ("pl", "Strona Zaloguj Woda przybiera.", 4, 2, 1),
        ("el", "Αρχική Σύνδεση Το νερό ανεβαίνει·", 5, 2, 1),
        ("pt", "Assine Publicidade A água sobe.", 5, 2, 1),
        ("it", "Accedi Abbonati L'acqua sale.", 4, 2, 1),
        ("zh", "首页 搜索 大坝今天开放，水位上涨。", 7, 2, 2),
        ("ja", "ホーム ログイン ダムの水が増えた。", 8, 2, 1),
        ("ar", "ارتفع الماء، قال.", 3, 0, 2),
        ("xx", "Home Wasser.", 2, 1, 1),
    ],
)
def test_words_and_marks(language: str, text: str, words: int, noise: int, marks: int) -> None:
    assert tuple(lexicon(language).counts(text)) == (words, noise, marks)


def test_numbers_times_and_addresses_hold_no_marks() -> None:
    assert lexicon("en").counts("3.5 10:15 a.example/b?c").marks == 0


@pytest.mark.parametrize(
    ("stated", "text", "language"),
    [
        ("de-AT", "Das Wasser steigt", "de"),
        (None, "The water rises", "en"),
        ("en", "Вода прибывает быстро", "ru"),
        (None, "Вода прибуває, її чимало", "uk"),
        (None, "Το νερό ανεβαίνει", "el"),
        ("en", "大坝今天开放", "zh"),
        (None, "ダムの水が増えた", "ja"),
        (None, "물이 불어난다", "ko"),
        ("nonsense tag", "", "en"),
    ],
)
def test_the_language_of_a_page(stated: str | None, text: str, language: str) -> None:
    assert language_of(stated, text) == language


def test_only_chinese_pages_load_the_chinese_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)  # importing it is now an error
    paper.read(parse(english()))
    with pytest.raises(ImportError):
        paper.read(parse(chinese()))


# --- whole pages ------------------------------------------------------------------------------------------------------

MENU = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in "Home World Business Search Login Contact".split())
FOOTER = "<footer><p><a href=/c>Copyright</a> | <a href=/t>Terms</a> | <a href=/p>Privacy</a></p></footer>"


def around(body: str, language: str = "en") -> str:
    """A page with a menu, an article, links and a footer."""
    related = "".join(f"<li><a href='/r{n}'>Another story about number {n}</a></li>" for n in range(8))
    return (
        f"<html lang={language}><head><title>T</title></head><body><nav><ul>{MENU}</ul></nav>"
        f"<main><article>{body}</article></main><aside><ul>{related}</ul></aside>{FOOTER}</body></html>"
    )


@cache
def english() -> str:
    sentences = (
        "The council opened the new dam on Monday, after eleven years of work, and thousands of people came to see it.",
        "Engineers said the wall, which is ninety metres high, would hold back enough water for two dry summers.",
        "Farmers downstream were less pleased: they fear that the river will run low, and asked for talks.",
        "The mayor promised to meet them within a month, but gave no date, and left without taking questions.",
    )
    return around("".join(f"<p>{sentence}</p>" for sentence in sentences))


@cache
def chinese() -> str:
    sentences = (
        "本市新建的水库大坝于星期一正式开放，工程历时十一年，当天有数千名市民前来参观，场面十分热闹。",
        "工程师表示，大坝高九十米，蓄水量足以应付两个干旱的夏季，今后下游的城镇将不再缺水。",
        "不过，下游的农民对此并不满意，他们担心河水流量减少，影响灌溉，要求与政府举行会谈。",
    )
    return around("".join(f"<p>{sentence}</p>" for sentence in sentences), "zh")


def texts_of(markup: str) -> list[str]:
    return [paragraph.text for paragraph in paper.read(parse(markup))]


@pytest.mark.parametrize("make", [english, chinese])
def test_an_article_is_told_from_menu_links_and_footer(make: object) -> None:
    page = make()  # type: ignore[operator]
    wanted = [element.text for element in parse(page).findall(".//article/p")]
    assert texts_of(page) == wanted


def test_paragraphs_carry_their_roles_and_come_once_in_order() -> None:
    page = english().replace("<article>", "<article><h2>Water for two summers, or trouble for farmers?</h2>", 1)
    found = paper.read(parse(page))
    assert len({paragraph.text for paragraph in found}) == len(found) >= 4
    assert [paragraph.role for paragraph in found if "summers, or" in paragraph.text] in ([Role.HEADING], [])
    assert all(paragraph.role is Role.PARAGRAPH for paragraph in found[-4:])


def test_lines_parted_by_one_break_are_one_paragraph() -> None:
    page = parse(english().replace("</p><p>", "<br>", 1))
    assert "came to see it.\nEngineers" in paper.read(page)[0].text


@pytest.mark.parametrize(
    "markup",
    [
        "<html></html>",
        "<p></p>",
        "<!-- only --><p>",
        "<div><script>x</script></div>",
        "<ul><li><a href=x>Home</a></ul>",
    ],
)
def test_pages_without_text_give_nothing(markup: str) -> None:
    assert texts_of(markup) == []


def test_odd_pages_do_no_harm() -> None:
    one_long = "<p>" + "The water rises, and falls. " * 20_000
    many = "<div>" * 200 + "<p>x</p>" * 5000
    for markup in (one_long, many, "just text", "<table><tr><td>a<td>b</table>"):
        assert isinstance(texts_of(markup), list)


def test_a_model_that_has_not_seen_a_site() -> None:
    sites = load_model("paper-folds").header["folds"]
    assert paper.PACKAGED.without("never.example") is paper.PACKAGED.whole
    assert all(paper.PACKAGED.without(fold[0]) is not paper.PACKAGED.whole for fold in sites)
    assert len({site for fold in sites for site in fold}) == sum(map(len, sites))


def test_the_packaged_model_says_how_it_was_trained() -> None:
    header = load_model("paper").header
    assert header["settings"]["blocks"]["C"] == 3.0
    assert header["settings"]["blocks"]["sigma"] == 1.6
    assert header["settings"]["paragraphs"]["C"] == 2.0
    assert header["settings"]["paragraphs"]["sigma"] == 1.2
    assert header["seed"] == 0
    assert header["pages"] == sum(header["sets"].values()) > 300
    assert all(
        len(machine.weights) <= 1500 for machine in (paper.PACKAGED.whole.blocks, paper.PACKAGED.whole.paragraphs)
    )
    scores = {(row["group"], row["metric"]): row["value"] for row in header["scores"]}
    assert scores["all", "f1"] > 0.8


def tiny_machine(offset: np.ndarray, scale: np.ndarray) -> RbfMachine:
    return RbfMachine(np.zeros((1, 1)), np.ones(1), 0.0, 1.0, offset, scale, clipped=True)
