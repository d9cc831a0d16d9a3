"""The checkout as a user packs it: copied, installed by pip, run with nothing of this test run on the path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import newsmon

ROOT = Path(__file__).resolve().parent.parent
PACKED = ("pyproject.toml", "setup.py", "MANIFEST.in", "scrapy.cfg", "requirements.txt", "README.md", "LICENSE")
OURS = ("PYTHON", "SCRAPY", "SCRAPYD", "NEWSMON")  # what of the environment could change how newsmon is found or runs


def copy_checkout(to: Path, *, mark: str) -> Path:
    """Copy what packages are made of; the copy's version ends in ``+mark``, so that its requests can be told apart."""
    for folder in ("newsmon", "rules"):
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in PACKED:
        shutil.copy(ROOT / file, to)
    edit(to / "newsmon" / "__init__.py", newsmon.__version__, f"{newsmon.__version__}+{mark}")
    return to


def edit(file: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = file.read_text("utf-8")
    assert old in text, f"{file} has no {old!r}"
    file.write_text(text.replace(old, new), "utf-8")


def install(checkout: Path, target: Path) -> Path:
    """``pip install`` into a folder for PYTHONPATH, with what this environment has and without the internet."""
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    done = python("-m", "pip", "install", "--quiet", *offline, "--target", str(target), str(checkout), cwd=checkout)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this interpreter in a folder and a clean environment."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=clean_environment(cwd) | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def clean_environment(home: Path) -> dict[str, str]:
    """This process's environment without settings of newsmon, Scrapy or Python, in another home folder."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | {"HOME": str(home)}
