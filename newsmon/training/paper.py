"""``scrapy train --features paper``: the two machines of seed 001.

::

    pages ─> blocks, lines ─> labels from the gold text ─> sample ─> min-max (6) ─> SVM 1 ─> SVM 2
                                                             └── --grid: GridSearchCV by site

The paper says: RBF kernels (7), C1 = 3.0, sigma1 = 1.6, C2 = 2.0, sigma2 = 1.2 found by a grid search with
cross-validation, few pages labelled by hand. Ours where it is silent:

* a block is content when nine tenths of its characters are gold: nearly every container has some article in it;
* of a page 2 content blocks, 6 others and 6 lines are taken: long pages count no more than short ones, and the machines
  keep about a thousand support vectors, a tenth of a millisecond for a hundred blocks;
* the second machine learns from lines of the outermost blocks with four fifths gold: the noise *inside* an article;
* the smallest and largest value of (6) are those of the rows that are learned from.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from newsmon.errors import ModelError
from newsmon.evaluation import ALL, Row
from newsmon.extraction.densities import BLOCK_FEATURES, PARAGRAPH_FEATURES, paragraph_densities, sums
from newsmon.extraction.paper import NOWHERE, PageBlocks, PaperModel, owners, read, read_page
from newsmon.extraction.svm import RbfMachine
from newsmon.scoring import Overlap, lines, macro, overlap, shingles
from newsmon.training import Fold, Trained, Training
from newsmon.training.examples import fold_of
from newsmon.training.labels import label_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newsmon.corpora import GoldPage
    from newsmon.evaluation import Progress

PURE = 0.9
"""Share of gold characters from which a block is content."""

MIXED = 0.8
"""Share of gold characters from which a block is one the second machine learns from."""

SHARE = 0.5
"""How much of a line must be gold."""

CONTENT_BLOCKS, NOISE_BLOCKS, LINES = 2, 6, 6
"""How many of a page are learned from."""

PENALTIES = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
SIGMAS = (0.2, 0.4, 0.8, 1.2, 1.6, 2.4)
"""The grid of ``--grid``."""


class Kernel(NamedTuple):
    """Settings of one machine: its penalty C and the sigma of formula (7)."""

    penalty: float
    sigma: float

    @property
    def gamma(self) -> float:
        """1 / (2 sigma^2), by which (7) is exp(-gamma |x - y|^2)."""
        return 1 / (2 * self.sigma**2)


BLOCK_KERNEL = Kernel(3.0, 1.6)
PARAGRAPH_KERNEL = Kernel(2.0, 1.2)


@dataclass(frozen=True)
class Labelled:
    """A page with its labels, without its elements.

    :param gold: for each line, whether it is in the gold text.
    :param share: for each block, the share of its characters that is.
    :param fold: the fold its site is in.
    """

    source: GoldPage
    page: PageBlocks
    gold: NDArray[np.bool_]
    share: NDArray[np.float32]
    fold: int


class Sample(NamedTuple):
    """What a machine learns from: features (n, d), classes (n,), and the fold of each row."""

    x: NDArray[np.float32]
    y: NDArray[np.bool_]
    fold: NDArray[np.int64]


def train(pages: Sequence[GoldPage], options: argparse.Namespace, progress: Progress) -> Trained:
    """Train both machines on all pages, after measuring them on sites left out.

    :raises ModelError: no page can be used, or there are fewer sites than folds.
    """
    labelled = _label(pages, options, progress)
    kernels = search(labelled, options.seed) if options.grid else (BLOCK_KERNEL, PARAGRAPH_KERNEL)
    models = list(_fold_models(labelled, kernels, options, progress))
    progress("measuring", options.folds, options.folds + 1)
    rows = list(_measured(labelled, models))
    model = fit(labelled, kernels, options.seed)
    folds = [Fold(_sites(labelled, number), each.to_arrays()) for number, each in enumerate(models)]
    return Trained(model.to_arrays(), _settings(model, kernels), rows, folds)


def min_max(x: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """``min`` and ``max - min`` of formula (6) for each column; 1 where a column does not vary.

    >>> offset, scale = min_max(np.array([[0.0, 5.0], [10.0, 5.0]], np.float32))
    >>> offset.tolist(), scale.tolist()
    ([0.0, 5.0], [10.0, 1.0])
    """
    low, high = x.min(axis=0), x.max(axis=0)
    return low, np.where(high > low, high - low, np.float32(1))


def fit(pages: Sequence[Labelled], kernels: tuple[Kernel, Kernel], seed: int) -> PaperModel:
    """Train both machines.

    :raises ModelError: no page can be used, or they have but one class.
    """
    chance = np.random.default_rng(seed)
    blocks = fit_machine(block_sample(pages, chance), kernels[0])
    return PaperModel(blocks, fit_machine(paragraph_sample(pages, chance), kernels[1]))


def fit_machine(sample: Sample, kernel: Kernel) -> RbfMachine:
    """Scale by (6) and train one machine.

    :raises ModelError: all rows are of one class.
    """
    if sample.y.all() or not sample.y.any():
        raise ModelError("the pages have no text and noise to tell apart; are their texts from other pages?")
    offset, scale = min_max(sample.x)
    svc = SVC(C=kernel.penalty, gamma=kernel.gamma).fit((sample.x - offset) / scale, sample.y)
    return RbfMachine(
        svc.support_vectors_, svc.dual_coef_[0], float(svc.intercept_[0]), kernel.gamma, offset, scale, clipped=True
    )


def search(pages: Sequence[Labelled], seed: int) -> tuple[Kernel, Kernel]:
    """The kernels with the best F1 of blocks and of lines, by GridSearchCV over the folds of sites."""
    blocks = block_sample(pages, np.random.default_rng(seed))
    paragraphs = paragraph_sample(pages, np.random.default_rng(seed))
    return _best(blocks), _best(paragraphs)


def block_sample(pages: Sequence[Labelled], chance: np.random.Generator) -> Sample:
    """Some blocks of every page with their five densities."""
    rows = []
    for page in pages:
        content = page.share >= PURE
        picked = _pick_blocks(content, chance)
        rows.append(Sample(page.page.features[picked], content[picked], np.full(len(picked), page.fold)))
    return _joined(rows)


def paragraph_sample(pages: Sequence[Labelled], chance: np.random.Generator) -> Sample:
    """Some lines of the content blocks of every page with their three densities."""
    rows = []
    for page in pages:
        blocks, counts = page.page.blocks, page.page.counts
        owner = owners(page.share >= MIXED, blocks, len(page.gold))
        picked = _some(np.flatnonzero(owner != NOWHERE), LINES, chance)
        x = paragraph_densities(picked, owner[picked], blocks, counts)
        rows.append(Sample(x, page.gold[picked], np.full(len(picked), page.fold)))
    return _joined(rows)


def _label(pages: Sequence[GoldPage], options: argparse.Namespace, progress: Progress) -> list[Labelled]:
    labelled: list[Labelled] = []
    for done, source in enumerate(sorted(pages, key=_by_name)):  # whatever the order of the folders
        if done % 20 == 0:
            progress(f"reading {source.set}", done, len(pages))
        tree = source.page().tree
        if tree is not None:
            labelled.append(_labelled(source, read_page(tree), fold_of(source.site, options.folds)))
    return labelled


def _by_name(source: GoldPage) -> tuple[str, str]:
    return source.set, source.id


def _labelled(source: GoldPage, page: PageBlocks, fold: int) -> Labelled:
    gold = label_lines(page.segments.texts, source.text, source.language) >= SHARE
    characters = page.counts.characters
    share = sums(characters * gold, page.blocks) / np.maximum(1, sums(characters, page.blocks))
    light = replace(page, segments=replace(page.segments, elements=()))  # a thousand trees would not fit into memory
    return Labelled(source, light, gold, share.astype(np.float32), fold)


def _fold_models(
    pages: Sequence[Labelled], kernels: tuple[Kernel, Kernel], options: argparse.Namespace, progress: Progress
) -> Iterator[PaperModel]:
    """For each fold the model trained on the others."""
    for fold in range(options.folds):
        progress(f"training without fold {fold + 1}", fold, options.folds + 1)
        yield fit([page for page in pages if page.fold != fold], kernels, options.seed)


def _sites(pages: Sequence[Labelled], fold: int) -> list[str]:
    return sorted({page.source.site for page in pages if page.fold == fold})


def _measured(pages: Sequence[Labelled], models: Sequence[PaperModel]) -> Iterator[Row]:
    """The figures of each set, every page read by the model that has not seen its site."""
    shingled: defaultdict[str, list[Overlap]] = defaultdict(list)
    lined: defaultdict[str, list[Overlap]] = defaultdict(list)
    for page in pages:
        source, found = page.source, _text(page.source, models[page.fold])
        shingled[source.set].append(overlap(shingles(source.text, source.language), shingles(found, source.language)))
        lined[source.set].append(overlap(lines(source.text), lines(found)))
    for group in (*shingled, ALL):
        yield from _figures(group, _of(shingled, group), _of(lined, group))


def _of(pages: dict[str, list[Overlap]], group: str) -> list[Overlap]:
    return [page for of_set in pages.values() for page in of_set] if group == ALL else pages[group]


def _figures(group: str, shingled: Sequence[Overlap], lined: Sequence[Overlap]) -> Iterator[Row]:
    scores = macro(shingled)
    row = partial(Row, "paper", group, n=scores.n)
    yield row(metric="f1", value=scores.f1)
    yield row(metric="precision", value=scores.precision)
    yield row(metric="recall", value=scores.recall)
    yield row(metric="line_f1", value=macro(lined).f1)


def _text(source: GoldPage, model: PaperModel) -> str:
    tree = source.page().tree
    return "" if tree is None else "\n".join(paragraph.text for paragraph in read(tree, model=model))


def _settings(model: PaperModel, kernels: tuple[Kernel, Kernel]) -> dict[str, object]:
    machines = (("blocks", model.blocks, BLOCK_FEATURES), ("paragraphs", model.paragraphs, PARAGRAPH_FEATURES))
    return {
        name: {
            "features": features,
            "C": kernel.penalty,
            "sigma": kernel.sigma,
            "support_vectors": len(machine.weights),
            "min": machine.offset.round(6).tolist(),
            "max": (machine.offset + machine.scale).round(6).tolist(),
        }
        for (name, machine, features), kernel in zip(machines, kernels, strict=True)
    }


def _best(sample: Sample) -> Kernel:
    grid = {"svc__C": PENALTIES, "svc__gamma": [Kernel(1, sigma).gamma for sigma in SIGMAS]}
    found = GridSearchCV(
        make_pipeline(MinMaxScaler(clip=True), SVC()), grid, scoring="f1", cv=PredefinedSplit(sample.fold)
    )
    found.fit(sample.x, sample.y)
    best = found.best_params_
    return Kernel(best["svc__C"], round((1 / (2 * best["svc__gamma"])) ** 0.5, 6))


def _pick_blocks(content: NDArray[np.bool_], chance: np.random.Generator) -> NDArray[np.intp]:
    content_blocks = _some(np.flatnonzero(content), CONTENT_BLOCKS, chance)
    return np.concatenate((content_blocks, _some(np.flatnonzero(~content), NOISE_BLOCKS, chance)))


def _some(items: NDArray[np.intp], most: int, chance: np.random.Generator) -> NDArray[np.intp]:
    return chance.permutation(items)[:most]


def _joined(rows: Sequence[Sample]) -> Sample:
    if not rows:
        raise ModelError("no page can be used: none has a text and a readable body")
    return Sample(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--grid", action="store_true", help="search C and sigma of both machines instead of the paper's (minutes)"
    )


TRAINING = Training(
    summary="the method of Zhou, Li and Song (2019): two machines over text densities",
    add_options=_add_options,
    train=train,
)
