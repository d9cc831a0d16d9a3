"""The protocols behind ``scrapy evaluate``: every module here measures one capability on public data formats.

A module ``newsmon/evaluation/NAME.py`` that defines ``EVALUATION`` is all that ``scrapy evaluate NAME`` needs::

    DATA_DIR ─> find_sets(marker) ─> EVALUATION.measure(sets, options, progress) ─> rows ─> table, JSON

This module holds what they share: how data is found and read, and the form of a figure. It imports nothing heavy, since
every Scrapy command loads it. No protocol may depend on the names of sets, sites or files.
"""

from __future__ import annotations

import gzip
import importlib
import json
import pkgutil
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from newsmon.errors import EvaluationError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    :param method: policy, model or baseline; newsmon's own choice is ``default``.
    :param group: set, site or kind of case it was measured on; ``all`` over everything.
    :param n: number of cases behind the figure.
    """

    method: str
    group: str
    metric: str
    value: float
    n: int


class DataSet(NamedTuple):
    """A folder with the data of one set."""

    name: str
    path: Path


class Progress(Protocol):
    """Told of every step of long work."""

    def __call__(self, doing: str, done: int, steps: int) -> None:
        """``done`` of ``steps`` are finished, and ``doing`` comes next."""
        ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How one capability is measured.

    :param summary: one line for the help.
    :param marker: the file, gzipped or not, by which a folder is known to be a set.
    :param add_options: adds the protocol's own command line options.
    :param measure: (sets, options, progress) -> rows; raises EvaluationError when the data cannot be used.
    """

    summary: str
    marker: str
    add_options: Callable[[argparse.ArgumentParser], None]
    measure: Callable[[Sequence[DataSet], argparse.Namespace, Progress], Iterable[Row]]


def names() -> list[str]:
    """What can be evaluated."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load(name: str) -> Evaluation:
    """The evaluation of that name.

    :raises EvaluationError: there is none.
    """
    if name not in names():
        raise EvaluationError(f"there is no evaluation {name!r}; choose one of: {', '.join(names())}")
    evaluation: Evaluation = importlib.import_module(f"{__name__}.{name}").EVALUATION
    return evaluation


def find_sets(folder: Path, marker: str) -> list[DataSet]:
    """The folder itself when it is a set, else its sub-folders that are, by name.

    :raises EvaluationError: neither it nor any sub-folder is a set.
    """
    if not folder.is_dir():
        raise EvaluationError("no such folder", path=folder)
    if data_file(folder, marker) is not None:
        return [DataSet(folder.resolve().name, folder)]
    sets = [DataSet(path.name, path) for path in sorted(folder.iterdir()) if data_file(path, marker) is not None]
    if not sets:
        raise EvaluationError(f"neither this folder nor one in it has a {marker} or {marker}.gz", path=folder)
    return sets


def data_file(folder: Path, name: str) -> Path | None:
    """The file of that name in a folder, or its gzipped form, or None."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def read_bytes(path: Path) -> bytes:
    """The content of a file, unzipped when its name ends in ``.gz``.

    :raises EvaluationError: it cannot be read.
    """
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError, zlib.error) as error:
        raise EvaluationError(f"cannot be read: {error}", path=path) from error


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file, gzipped or not.

    :raises EvaluationError: the file cannot be read, or a line is not a JSON object.
    """
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise EvaluationError(f"line {number} is not JSON: {error}", path=path) from error
        if not isinstance(record, dict):
            raise EvaluationError(f"line {number} is not a JSON object", path=path)
        yield record
