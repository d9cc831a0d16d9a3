"""Training of the generic extractor: labels, weights, the machine, and the whole on generated pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest
from lxml import html

from newsmon.extraction.classifier import Classifier
from newsmon.extraction.features import Hints, context_features, line_features
from newsmon.extraction.generic import read_generic
from newsmon.extraction.layout import measure
from newsmon.extraction.lexicon import name_scores, shared_words, word_scores, words_in
from newsmon.extraction.segments import read_segments
from newsmon.farm.content import write_story
from newsmon.training.default import Settings, fit
from newsmon.training.examples import Example, fold_of
from newsmon.training.labels import label_lines
from newsmon.training.machine import MachineSettings, fit_judge
from newsmon.training.weights import Terms

if TYPE_CHECKING:
    from collections.abc import Sequence

EPOCH = datetime(2026, 3, 1, tzinfo=UTC)
SMALL = Settings(MachineSettings(landmarks=60), MachineSettings(landmarks=60), seed=1)


@pytest.mark.parametrize(
    ("page", "copy", "labels"),
    [
        pytest.param(
            ["Home", "The dam opens at noon today.", "Contact"],
            "The dam opens at noon today.",
            [0, 1, 0],
            id="one line",
        ),
        pytest.param(
            ["The dam opens at noon.", "Rain is near the coast.", "Menu here for you"],
            "The dam opens at noon. Rain is near the coast.",
            [1, 1, 0],
            id="other line breaks",
        ),
        pytest.param(
            ["More", "More", "It rains all day.", "More"], "More\nIt rains all day.", [0, 1, 1, 0], id="order"
        ),
        pytest.param(["大坝今天中午开放。", "首页"], "大坝今天中午开放。", [1, 0], id="Chinese"),
        pytest.param([], "x", [], id="no lines"),
        pytest.param(["a b c d e"], "", [0], id="no copy"),
    ],
)
def test_labels(page: list[str], copy: str, labels: list[int]) -> None:
    assert label_lines(page, copy).round().tolist() == labels


def test_a_line_that_stands_twice_on_the_page_is_labelled_once() -> None:
    line = "The dam that was closed in the spring opens again at noon."
    assert label_lines([line, "Menu", "Dam opens", line], f"Dam opens\n{line}").tolist() == [0, 0, 1, 1]


def test_a_machine_learns_what_no_line_can_part() -> None:
    chance = np.random.default_rng(0)
    x = chance.uniform(-1, 1, (800, 2)).astype(np.float32)
    y = x[:, 0] * x[:, 1] > 0
    judge = fit_judge(x, y, np.ones(800, np.float32), MachineSettings(landmarks=120, width=4.0, penalty=1e-6), seed=0)
    fresh = chance.uniform(-1, 1, (400, 2)).astype(np.float32)
    probability = judge.probabilities(fresh)
    assert ((probability > 0.5) == (fresh[:, 0] * fresh[:, 1] > 0)).mean() > 0.95
    assert probability.min() >= 0
    assert probability.max() <= 1


def test_the_sigmoid_is_honest_about_noise() -> None:
    chance = np.random.default_rng(0)
    x = chance.uniform(-1, 1, (4000, 1)).astype(np.float32)
    y = chance.uniform(size=4000) < np.where(x[:, 0] > 0, 0.8, 0.2)
    judge = fit_judge(x, y, np.ones(4000, np.float32), MachineSettings(landmarks=40), seed=0)
    assert judge.probabilities(np.array([[0.5]], np.float32))[0] == pytest.approx(0.8, abs=0.08)


def test_one_class_alone_cannot_be_learned() -> None:
    with pytest.raises(ValueError, match="both classes"):
        fit_judge(np.zeros((3, 1), np.float32), np.ones(3, np.bool_), np.ones(3, np.float32), MachineSettings(), 0)


def test_words_and_names_score_by_their_weights() -> None:
    scores = word_scores([words_in("Read also this"), words_in("rain"), []], {"read": -2.0, "also": -1.0, "rain": 1.0})
    assert scores[0] == pytest.approx([-1.5, -3 / 5, -1.5])
    assert scores[1] == pytest.approx([1.0, 0.25, 1.0])
    assert scores[2].tolist() == [0, 0, 0]
    assert name_scores(["storyBody", "", "x-related"], {"story": 3.0, "body": 3.0, "related": -2.5}).tolist() == [
        4,
        0,
        -2.5,
    ]
    shares = shared_words([words_in("Dam opens"), words_in("Menu")], "The dam opens")
    assert shares == pytest.approx(np.array([[1, 2 / 3], [0, 0]]))


def page(site: int, number: int) -> Example:
    """A page of one of several sites with markup of their own."""
    story = write_story("en", 100 * site + number, EPOCH, seed="training")
    tag, outer = ("p", "div")[site % 2], ("article", "div", "section")[site % 3]
    body = "".join(f"<{tag}>{text}</{tag}>" for text in story.paragraphs)
    links = "".join(
        f"<li><a href=/{place}>{write_story('en', place, EPOCH, seed='menu').title}</a></li>" for place in range(8)
    )
    notice = "<p>We use cookies. Subscribe to our newsletter for more of this.</p>"
    sides = f"<ul class=menu-{site}>{links}</ul>", f"<div class='related-links s{site}'>{notice}<ul>{links}</ul></div>"
    text = f"<{outer} class=story-body><h1>{story.title}</h1>{body}</{outer}>"
    markup = f"<title>{story.title}</title>{sides[0]}{text}{sides[1]}"
    segments = read_segments(html.document_fromstring(markup))
    text = "\n".join(story.paragraphs)
    return Example(
        id=f"{site}/{number}",
        set="made",
        site=f"site{site}.example",
        language="en",
        gold=text,
        segments=segments,
        hints=Hints(story.title),
        is_text=label_lines(segments.texts, text) >= 0.5,
        usable=True,
    )


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [page(site, number) for site in range(12) for number in range(2)]


@pytest.fixture(scope="module")
def trained(examples: list[Example]) -> Classifier:
    return fit([example for example in examples if example.site != "site3.example"], SMALL)


def test_a_trained_classifier_reads_a_site_it_has_not_seen(trained: Classifier) -> None:
    unseen = page(3, 7)
    found = read_generic(unseen.segments, unseen.hints, trained)
    assert "\n".join(paragraph.text for paragraph in found.paragraphs) == unseen.gold
    assert found.confidence > 0.8


def test_training_is_the_same_twice_and_survives_its_file(trained: Classifier, examples: Sequence[Example]) -> None:
    again = fit([example for example in examples if example.site != "site3.example"], SMALL)
    buffer = BytesIO()
    np.savez(buffer, **again.to_arrays("x_"))
    buffer.seek(0)
    with np.load(buffer, allow_pickle=False) as arrays:
        stored = Classifier.from_arrays(dict(arrays), "x_")
    example = examples[0]
    expected, _ = trained.probabilities(example.segments, example.hints)
    assert again.probabilities(example.segments, example.hints)[0] == pytest.approx(expected)
    assert stored.probabilities(example.segments, example.hints)[0] == pytest.approx(expected, abs=0.05)


def test_nothing_learned_from_a_site_judges_that_site(examples: list[Example]) -> None:
    terms = Terms(examples)
    sites = {example.site for example in examples}
    everything, without = terms.weights(sites), terms.weights(sites - {"site3.example"})
    assert everything.names["story"] > without.names["story"] > 0 > without.names["related"]
    assert "menu" in without.names
    fewer = terms.weights(["site1.example", "site2.example"])
    assert fewer.names == fewer.words == {}  # too few sites to say anything


def test_pages_that_are_not_usable_are_not_learned_from(examples: list[Example], trained: Classifier) -> None:
    wrong = [
        replace(example, is_text=~example.is_text, usable=False) if example.site == "site5.example" else example
        for example in examples
        if example.site != "site3.example"
    ]
    without = fit([example for example in wrong if example.usable], SMALL)
    with_them = fit(wrong, SMALL)
    example = examples[0]
    expected, _ = without.probabilities(example.segments, example.hints)
    assert with_them.probabilities(example.segments, example.hints)[0] == pytest.approx(expected)


def test_features_are_finite_whatever_the_page() -> None:
    for markup in ("<p>a", "<div>" * 200 + "x", "<a>" + "y" * 50000 + "</a>", "<p>。</p><p>!</p>"):
        segments = read_segments(html.document_fromstring(markup))
        layout = measure(segments)
        rows = line_features(segments, layout, Hints("y", "z"), Terms([]).weights([]))
        assert np.isfinite(rows).all()
        assert np.isfinite(context_features(segments, layout, np.full(len(segments), 0.5, np.float32))).all()


def test_folds_are_by_site_and_even() -> None:
    folds = [fold_of(f"site{number}.example", 5) for number in range(500)]
    assert {folds.count(fold) // 60 for fold in range(5)} == {1}
    assert folds[7] == fold_of("site7.example", 5)
