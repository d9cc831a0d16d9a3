"""What ``scrapy train`` trains: every module here makes one model from pages whose article is known.

A module ``newsmon/training/NAME.py`` that defines ``TRAINING`` is all that ``scrapy train --features NAME`` needs::

    DATA_DIR ... ─> read_pages ─> TRAINING.train(pages, options, progress) ─> Trained ─> model file, scores

Its scores are cross-validated by site: pages of one site share their template, so a model is never measured on a site
it has seen. The models of the folds are kept too, for measuring on the same pages later. Modules without ``TRAINING``
are what the others share.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from newsmon.corpora import GOLD, MANIFEST, read_gold, read_redesign, read_site
from newsmon.errors import EvaluationError, ModelError
from newsmon.evaluation import DataSet, data_file, read_records

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

    from newsmon.corpora import GoldPage
    from newsmon.evaluation import Progress, Row

_DEEPEST = 4
"""Levels of folders looked into below the ones named."""


class Fold(NamedTuple):
    """A model trained without some sites.

    :param sites: those sites.
    """

    sites: Sequence[str]
    arrays: Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Trained:
    """A model and how good it is.

    :param arrays: what the model file keeps.
    :param settings: JSON values that tell how it was trained.
    :param rows: its cross-validated figures.
    :param folds: the models of cross-validation.
    """

    arrays: Mapping[str, NDArray[np.generic]]
    settings: Mapping[str, Any]
    rows: Sequence[Row]
    folds: Sequence[Fold] = ()


@dataclass(frozen=True, slots=True)
class Training:
    """How one kind of model is trained.

    :param summary: one line for the help.
    :param add_options: adds the command line options of its own.
    :param train: (pages, options, progress) -> model; ``options`` has ``seed`` and ``folds`` beside its own; raises
        ModelError when the pages cannot make a model.
    """

    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    train: Callable[[Sequence[GoldPage], argparse.Namespace, Progress], Trained]


def names() -> list[str]:
    """What can be trained."""
    return sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if hasattr(_module(name), "TRAINING"))


def load(name: str) -> Training:
    """The training of that name.

    :raises ModelError: there is none.
    """
    if name not in names():
        raise ModelError(f"there are no features {name!r}; choose one of: {', '.join(names())}")
    training: Training = _module(name).TRAINING
    return training


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")


def read_pages(folders: Iterable[Path]) -> Iterator[GoldPage]:
    """The pages of all sets in and below some folders, in the order of their names, each set once.

    A set is a folder with ``gold.jsonl`` (extraction) or ``manifest.jsonl`` (redesign, sites), gzipped or not; see
    :mod:`newsmon.corpora`. Pages without a text are left out.

    :raises EvaluationError: a folder holds no set, or a set cannot be read.
    """
    seen: set[Path] = set()
    for folder in folders:
        found = list(_sets(folder, _DEEPEST))
        if not found:
            raise EvaluationError(f"no {GOLD} or {MANIFEST}, gzipped or not, in this folder or below it", path=folder)
        for path in found:
            if path.resolve() not in seen:
                seen.add(path.resolve())
                yield from (page for page in _read_set(path) if page.text.strip())


def _sets(folder: Path, levels: int) -> Iterator[Path]:
    if not folder.is_dir():
        raise EvaluationError("no such folder", path=folder)
    if data_file(folder, GOLD) or data_file(folder, MANIFEST):
        yield folder
    elif levels:
        for inner in sorted(path for path in folder.iterdir() if path.is_dir()):
            yield from _sets(inner, levels - 1)


def _read_set(folder: Path) -> Iterator[GoldPage]:
    if data_file(folder, GOLD):
        return read_gold(DataSet(folder.resolve().name, folder))
    return read_redesign(folder) if _is_redesign(folder) else read_site(folder)


def _is_redesign(folder: Path) -> bool:
    manifest = data_file(folder, MANIFEST)
    return manifest is not None and any("versions" in record for record in read_records(manifest))
