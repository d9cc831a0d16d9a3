"""``scrapy train --features default``: the generic extractor (:mod:`newsmon.extraction.classifier`).

Nothing a site taught may judge a page of that site, not inside of training either: weights of names and words, and the
first machine's probabilities that the second machine learns from, come from the other sites (cross-fitting in groups).
Cross-validation repeats all of it on the sites outside of each fold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from newsmon.errors import ModelError
from newsmon.evaluation import ALL, Row
from newsmon.extraction.classifier import Classifier
from newsmon.extraction.features import context_features, line_features
from newsmon.extraction.generic import read_generic
from newsmon.extraction.layout import Layout, measure
from newsmon.scoring import Overlap, lines, macro, overlap, shingles
from newsmon.training import Fold, Trained, Training
from newsmon.training.examples import Example, fold_of, read_examples
from newsmon.training.machine import MachineSettings, fit_judge
from newsmon.training.weights import Terms

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from newsmon.corpora import GoldPage
    from newsmon.evaluation import Progress
    from newsmon.extraction.classifier import Judge
    from newsmon.extraction.features import Floats, Weights

MOST_OF_A_SITE = 12
"""Pages of one site of one set that are learned from."""

_GROUPS = 4


@dataclass(frozen=True, slots=True)
class Settings:
    """What is chosen before training."""

    first: MachineSettings = field(default_factory=MachineSettings)
    second: MachineSettings = field(default_factory=MachineSettings)
    seed: int = 0


def fit(examples: Sequence[Example], settings: Settings, terms: Terms | None = None) -> Classifier:
    """Train a classifier.

    :param terms: names and words of the examples' sites, where they are known already.
    :raises ValueError: the examples hold no text, or nothing else.
    """
    usable = [example for example in examples if example.usable]
    terms = terms or Terms(usable)
    layouts = [measure(example.segments) for example in usable]
    groups = [fold_of(example.site, _GROUPS, "group") for example in usable]
    rows = _cross_fitted(usable, layouts, groups, terms)
    learned = _Learned(usable, layouts, rows)
    probabilities: list[Floats] = [np.zeros(0, np.float32)] * len(usable)
    for group in range(_GROUPS):
        judge = learned.judge([number for number, each in enumerate(groups) if each != group], settings, first=True)
        for number in (number for number, each in enumerate(groups) if each == group):
            probabilities[number] = judge.probabilities(rows[number])
    everything = list(range(len(usable)))
    first = learned.judge(everything, settings, first=True)
    context = [
        context_features(example.segments, layout, found)
        for example, layout, found in zip(usable, layouts, probabilities, strict=True)
    ]
    both = [np.concatenate(pair, axis=1) for pair in zip(rows, context, strict=True)]
    second = _Learned(usable, layouts, both).judge(everything, settings, first=False)
    return Classifier(terms.weights(example.site for example in usable), first, second)


@dataclass(frozen=True, slots=True)
class _Learned:
    """Rows to learn from, by example."""

    examples: Sequence[Example]
    layouts: Sequence[Layout]
    rows: Sequence[Floats]

    def judge(self, numbers: Sequence[int], settings: Settings, *, first: bool) -> Judge:
        return fit_judge(
            np.concatenate([self.rows[number] for number in numbers]),
            np.concatenate([self.examples[number].is_text for number in numbers]),
            np.concatenate([self.examples[number].cost(self.layouts[number].weight) for number in numbers]),
            settings.first if first else settings.second,
            settings.seed,
        )


def _cross_fitted(
    examples: Sequence[Example], layouts: Sequence[Layout], groups: Sequence[int], terms: Terms
) -> list[Floats]:
    """Features of every example, with weights from the sites of the other groups."""
    weights: dict[int, Weights] = {
        group: terms.weights(example.site for example, each in zip(examples, groups, strict=True) if each != group)
        for group in set(groups)
    }
    return [
        line_features(example.segments, layout, example.hints, weights[group])
        for example, layout, group in zip(examples, layouts, groups, strict=True)
    ]


def train(pages: Sequence[GoldPage], options: argparse.Namespace, progress: Progress) -> Trained:
    """Train on all pages, and without each fold of sites for the scores.

    :raises ModelError: the pages have no text, or nothing else.
    """
    machine = MachineSettings(options.landmarks, options.width, options.penalty)
    settings = Settings(machine, machine, options.seed)
    examples = _read(pages, progress)
    usable = [example for example in examples if example.usable]
    try:
        folds = _folds(examples, settings, options.folds, progress)
        progress("training on all sites", options.folds, options.folds + 1)
        model = fit(usable, settings)
    except ValueError as error:
        raise ModelError(f"these pages cannot make a model: {error}") from error
    return Trained(
        arrays=model.to_arrays(),
        settings=asdict(settings),
        rows=list(_measured(examples, folds)),
        folds=[
            Fold(sorted({each.site for each in usable if fold_of(each.site, options.folds) == fold}), one.to_arrays())
            for fold, one in enumerate(folds)
        ],
    )


def _read(pages: Sequence[GoldPage], progress: Progress) -> list[Example]:
    """The examples in an order of their own, with so many pages of a site as do not drown the others."""
    taken: Counter[tuple[str, str]] = Counter()
    examples: list[Example] = []
    ordered = sorted(pages, key=lambda page: (page.set, fold_of(page.id, 1 << 32), page.id))
    for number, page in enumerate(ordered):
        if number % 20 == 0:
            progress(f"reading {page.set}", number, len(ordered))
        if taken[page.set, page.site] < MOST_OF_A_SITE:
            taken[page.set, page.site] += 1
            examples += read_examples([page])
    return examples


def _folds(examples: Sequence[Example], settings: Settings, folds: int, progress: Progress) -> list[Classifier]:
    terms = Terms([example for example in examples if example.usable])
    found = []
    for fold in range(folds):
        progress(f"training without fold {fold + 1}", fold, folds + 1)
        found.append(fit([each for each in examples if fold_of(each.site, folds) != fold], settings, terms))
    return found


def _measured(examples: Sequence[Example], models: Sequence[Classifier]) -> Iterator[Row]:
    """Figures of every set and of all, each page judged by the model that does not know its site."""
    found: dict[str, list[tuple[Overlap, Overlap]]] = defaultdict(list)
    for example in examples:
        text = _text(example, models[fold_of(example.site, len(models))])
        gold, language = example.gold, example.language
        pair = overlap(shingles(gold, language), shingles(text, language)), overlap(lines(gold), lines(text))
        found[example.set].append(pair)
        found[ALL].append(pair)
    for group, pairs in sorted(found.items(), key=lambda item: (item[0] == ALL, item[0])):
        scores, lined = macro([pair[0] for pair in pairs]), macro([pair[1] for pair in pairs])
        figures = (("f1", scores.f1), ("precision", scores.precision), ("recall", scores.recall), ("line_f1", lined.f1))
        for metric, value in figures:
            yield Row("default", group, metric, value, scores.n)


def _text(example: Example, model: Classifier) -> str:
    found = read_generic(example.segments, example.hints, model)
    return "\n".join(paragraph.text for paragraph in found.paragraphs)


def _add_options(parser: argparse.ArgumentParser) -> None:
    default = MachineSettings()
    parser.add_argument(
        "--landmarks", type=int, default=default.landmarks, help="vectors of each machine (%(default)s)"
    )
    parser.add_argument("--width", type=float, default=default.width, help="gamma times features (%(default)s)")
    parser.add_argument("--penalty", type=float, default=default.penalty, help="lambda of both machines (%(default)s)")


TRAINING = Training(
    summary="Two machines in a row over all lines of a page and the blocks around them: what newsmon uses by default.",
    add_options=_add_options,
    train=train,
)
