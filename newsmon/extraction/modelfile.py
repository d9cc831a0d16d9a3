"""Model files: arrays and a JSON header in one ``.npz``, read without pickle.

The models newsmon comes with lie in ``newsmon/models``; they are read through the import system, so they are found in a
checkout, an installed wheel and the zipped egg of Scrapyd alike. The same arrays and header always give the same bytes.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from newsmon.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

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


@cache
def load_folds(name: str) -> ModelFile:
    """The models of cross-validation of a model that newsmon comes with; their arrays are named ``fold0_...``.

    :raises ModelError: there are none.
    """
    return load_model(f"{name}-folds")


def fold_without(name: str, site: str) -> str | None:
    """Prefix of the arrays of the fold that was trained without a site; None when the whole model does not know it.

    A model measured on the sites it was trained on looks better than it is.

    :param site: registered domain, as :attr:`newsmon.corpora.GoldPage.site` gives it.
    """
    fold = _folds_of_sites(name).get(site)
    return None if fold is None else f"fold{fold}_"


@cache
def _folds_of_sites(name: str) -> dict[str, int]:
    return {site: number for number, sites in enumerate(load_folds(name).header["folds"]) for site in sites}


def read_model(path: Path) -> ModelFile:
    """Read a model from a file.

    :raises ModelError: it cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", model=str(path)) from error
    return ModelFile.from_bytes(data, str(path))
