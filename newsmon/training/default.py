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
from newsmon.extraction.selection import select
from newsmon.scoring import Overlap, lines, macro, overlap, shingles
from newsmon.training import Fold, Trained, Training
from newsmon.training.examples import Example, fold_of, read_examples
from newsmon.training.machine import MachineSettings, fit_judge
from newsmon.training.weights import Terms

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from typing import Self

    from newsmon.corpora import GoldPage
    from newsmon.evaluation import Progress
    from newsmon.extraction.classifier import Judge
    from newsmon.extraction.features import Floats

MOST_OF_A_SITE = 12
"""Pages of one site of one set that are learned from."""

BELIEVED = 0.5
"""Agreement of a page's labels with what the other sites teach under which the copy is thought to be of another text:
cut short, of another day, of one post among several."""

_GROUPS = 4


@dataclass(frozen=True, slots=True)
class Settings:
    """What is chosen before training."""

    first: MachineSettings = field(default_factory=lambda: MachineSettings(landmarks=500))
    second: MachineSettings = field(default_factory=lambda: MachineSettings(landmarks=1500))
    seed: int = 0


def fit(examples: Sequence[Example], settings: Settings, terms: Terms | None = None) -> Classifier:
    """Train a classifier.

    :param terms: names and words of the examples' sites, where they are known already.
    :raises ValueError: the examples hold no text, or nothing else.
    """
    usable = [example for example in examples if example.usable]
    terms = terms or Terms(usable)
    learned = _Learned.of(usable, terms)
    probabilities = learned.by_other_groups(settings)
    believed = [
        number
        for number, (example, layout) in enumerate(zip(learned.examples, learned.layouts, strict=True))
        if _agreement(example, layout, probabilities[number]) >= BELIEVED
    ]
    if len(believed) < len(usable):
        learned = learned.only(believed)
        probabilities = learned.by_other_groups(settings)
    first = learned.judge(range(len(learned.examples)), settings.first, settings.seed)
    both = learned.with_context(probabilities)
    second = both.judge(range(len(both.examples)), settings.second, settings.seed)
    return Classifier(terms.weights(example.site for example in learned.examples), first, second)


def _agreement(example: Example, layout: Layout, probability: Floats) -> float:
    """F1, in tokens, of what a machine that does not know the site holds for the text, against the labels."""
    chosen, weight = select(probability, layout.weight).chosen, layout.weight
    both = float((weight * (chosen & example.is_text)).sum())
    return 2 * both / max(float((weight * chosen).sum() + (weight * example.is_text).sum()), 1e-9)


@dataclass(frozen=True, slots=True)
class _Learned:
    """Rows to learn from, by example.

    :param groups: the group of each example's site.
    """

    examples: Sequence[Example]
    layouts: Sequence[Layout]
    groups: Sequence[int]
    rows: Sequence[Floats]

    @classmethod
    def of(cls, examples: Sequence[Example], terms: Terms) -> Self:
        """Features of every example, with weights from the sites of the other groups."""
        groups = [fold_of(example.site, _GROUPS, "group") for example in examples]
        pairs = list(zip(examples, groups, strict=True))
        weights = {
            group: terms.weights(example.site for example, each in pairs if each != group) for group in set(groups)
        }
        layouts = [measure(example.segments) for example in examples]
        rows = [
            line_features(example.segments, layout, example.hints, weights[group])
            for (example, group), layout in zip(pairs, layouts, strict=True)
        ]
        return cls(examples, layouts, groups, rows)

    def only(self, numbers: Sequence[int]) -> Self:
        """Some of the examples."""
        columns = (self.examples, self.layouts, self.groups, self.rows)
        return type(self)(*([column[number] for number in numbers] for column in columns))  # type: ignore[arg-type]

    def by_other_groups(self, settings: Settings) -> list[Floats]:
        """Probabilities of the first machine for every example, trained on the other groups."""
        found: list[Floats] = [np.zeros(0, np.float32)] * len(self.examples)
        for group in sorted(set(self.groups)):
            others = [number for number, each in enumerate(self.groups) if each != group]
            judge = self.judge(others, settings.first, settings.seed)
            for number, each in enumerate(self.groups):
                if each == group:
                    found[number] = judge.probabilities(self.rows[number])
        return found

    def with_context(self, probabilities: Sequence[Floats]) -> Self:
        """The same with the columns of the second machine."""
        rows = [
            np.concatenate([row, context_features(example.segments, layout, found)], axis=1)
            for example, layout, row, found in zip(self.examples, self.layouts, self.rows, probabilities, strict=True)
        ]
        return type(self)(self.examples, self.layouts, self.groups, rows)

    def judge(self, numbers: Sequence[int], settings: MachineSettings, seed: int) -> Judge:
        """A machine that has learned some of the examples."""
        return fit_judge(
            np.concatenate([self.rows[number] for number in numbers]),
            np.concatenate([self.examples[number].is_text for number in numbers]),
            np.concatenate([self.examples[number].cost(self.layouts[number].weight) for number in numbers]),
            settings,
            seed,
        )


def train(pages: Sequence[GoldPage], options: argparse.Namespace, progress: Progress) -> Trained:
    """Train on all pages, and without each fold of sites for the scores.

    :raises ModelError: the pages have no text, or nothing else.
    """
    first, second = (MachineSettings(count, options.width, options.penalty) for count in options.landmarks)
    settings = Settings(first, second, options.seed)
    examples = _read(pages, progress)
    usable = [example for example in examples if example.usable]
    if (sites := len({example.site for example in usable})) < 2 * options.folds:
        raise ModelError(f"these are pages of {sites} sites; {options.folds} folds need at least {2 * options.folds}")
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
    default = Settings()
    parser.add_argument(
        "--landmarks",
        type=int,
        nargs=2,
        default=(default.first.landmarks, default.second.landmarks),
        metavar=("FIRST", "SECOND"),
        help="vectors of the two machines (default: %(default)s)",
    )
    parser.add_argument(
        "--width", type=float, default=default.first.width, help="gamma times number of features (default: %(default)s)"
    )
    parser.add_argument(
        "--penalty", type=float, default=default.first.penalty, help="lambda of both machines (default: %(default)s)"
    )


TRAINING = Training(
    summary="Two machines in a row over all lines of a page and the blocks around them: what newsmon uses by default.",
    add_options=_add_options,
    train=train,
)
