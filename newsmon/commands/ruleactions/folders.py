"""The folder that ``--out`` names."""

from __future__ import annotations

from pathlib import Path

from newsmon.errors import NewsmonError


def folder_to_write(name: str | None) -> Path | None:
    """Return the folder of ``--out``, made where it is missing; None without ``--out``.

    :raises NewsmonError: when it is no folder and cannot become one.
    """
    if name is None:
        return None
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NewsmonError(f"--out {name} cannot be written to: {error.strerror}; name a folder") from error
    return folder
