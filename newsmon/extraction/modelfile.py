"""Model files: arrays and a JSON header in one ``.npz``, read without pickle.

The models newsmon comes with lie in ``newsmon/models``; they are read through the import system, so they are found in a
checkout, an installed wheel and the zipped egg of Scrapyd alike. The same arrays and header always give the same bytes.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from newsmon.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

Model = TypeVar("Model")

_HEADER = "header"


@dataclass(frozen=True)
class ModelFile:
    """What a model file holds.

    :param header: what the model was trained on and how: sets, pages, seed, settings, scores.
    """

    arrays: Mapping[str, NDArray[np.generic]]
    header: Mapping[str, Any]

    def to_bytes(self) -> bytes:
        """The model as the content of a file."""
        text = json.dumps(self.header, ensure_ascii=False, indent=1, sort_keys=True)
        buffer = BytesIO()
        np.savez_compressed(
            buffer, allow_pickle=False, **{_HEADER: np.frombuffer(text.encode(), np.uint8)}, **self.arrays
        )
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "model") -> ModelFile:
        """Read a model.

        :param name: what the model is called in an error.
        :raises ModelError: it is no model file, or would need pickle.
        """
        try:
            with np.load(BytesIO(data), allow_pickle=False) as stored:
                arrays = {key: stored[key] for key in stored.files}
            header = json.loads(arrays.pop(_HEADER).tobytes())
        except (ValueError, KeyError, OSError, EOFError, AttributeError, zipfile.BadZipFile) as error:
            raise ModelError(f"the model cannot be read: {error}", model=name) from error
        if not isinstance(header, dict):
            raise ModelError("its header is no JSON object", model=name)
        return cls(arrays, header)


def load_model(name: str) -> ModelFile:
    """Read a model that newsmon comes with, as ``paper``.

    :raises ModelError: there is none of that name, or it is damaged.
    """
    file = files("newsmon") / "models" / f"{name}.npz"
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ModelError("newsmon has no such model; `scrapy train` makes one", model=name) from error
    return ModelFile.from_bytes(data, name)


class Packaged(Generic[Model]):
    """A model that newsmon comes with, and the models of its cross-validation, each read once.

    :param name: of the model file; the folds lie in ``NAME-folds``.
    :param read: (arrays, prefix of their names) -> model.
    """

    def __init__(self, name: str, read: Callable[[Mapping[str, NDArray[Any]], str], Model]) -> None:
        self._name, self._read = name, read
        self._folds: dict[int, Model] = {}

    @cached_property
    def whole(self) -> Model:
        """The model, trained on everything its header names.

        :raises ModelError: it is missing or damaged.
        """
        return self._read(load_model(self._name).arrays, "")

    def without(self, site: str) -> Model:
        """A model that was not trained on a site: the whole one, or that of the site's fold.

        A model measured on the sites it was trained on looks better than it is.

        :param site: registered domain, as :attr:`newsmon.corpora.GoldPage.site` gives it.
        :raises ModelError: a file is missing or damaged.
        """
        fold = self._fold_of_site.get(site)
        if fold is None:
            return self.whole
        if fold not in self._folds:
            self._folds[fold] = self._read(self._file_of_folds.arrays, f"fold{fold}_")
        return self._folds[fold]

    @cached_property
    def _file_of_folds(self) -> ModelFile:
        return load_model(f"{self._name}-folds")

    @cached_property
    def _fold_of_site(self) -> dict[str, int]:
        return {site: fold for fold, sites in enumerate(self._file_of_folds.header["folds"]) for site in sites}


def read_model(path: Path) -> ModelFile:
    """Read a model from a file.

    :raises ModelError: it cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", model=str(path)) from error
    return ModelFile.from_bytes(data, str(path))
