"""The arrows of the architecture, shell -> edge -> core: the core runs without Scrapy, database and network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import newsmon

PACKAGE = Path(newsmon.__file__).parent
EVERY = {
    ".".join(("newsmon", *file.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for file in PACKAGE.rglob("*.py")
    if file.name != "__main__.py" and "migrations" not in file.parts
}

# What is not core: the Scrapy shell, the edges (files, database, sockets), and what only they use.
SHELL = {
    "newsmon.addon",
    "newsmon.commands",
    "newsmon.crawl",
    "newsmon.exporters",
    "newsmon.extensions",
    "newsmon.fetching",
    "newsmon.middlewares",
    "newsmon.pipelines",
    "newsmon.spiders",
}
EDGE = {"newsmon.export", "newsmon.farm", "newsmon.sandbox", "newsmon.storage"}
FRAMEWORKS = ("scrapy", "twisted", "scrapy_playwright", "playwright")
SQL = ("sqlalchemy", "sqlite3", "psycopg", "alembic")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="each module is imported in a fork")
NETWORK = ("aiohttp", "requests", "urllib3", "httpx")


def within(module: str, packages: set[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


CORE = sorted(module for module in EVERY if not within(module, SHELL | EDGE))


def loaded_by(modules: list[str], ahead: tuple[str, ...]) -> dict[str, list[str]]:
    """For each module, what a fresh interpreter has loaded after importing it and nothing else.

    :param ahead: imported once before; what many of the modules need, so that it goes quickly.
    """
    program = """
import importlib, json, os, sys
modules, ahead = map(json.loads, sys.argv[1:])
def load(module):
    read, write = os.pipe()
    if not os.fork():
        importlib.import_module(module)
        os.write(write, json.dumps(sorted({name.partition(".")[0] for name in sys.modules})).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        found = json.load(answer)
    os.wait()
    return found
for module in ahead:
    importlib.import_module(module)
json.dump({module: load(module) for module in modules}, sys.stdout)
"""
    arguments = [json.dumps(modules), json.dumps(ahead)]
    ran = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def offenders(modules: list[str], forbidden: tuple[str, ...], ahead: tuple[str, ...]) -> dict[str, list[str]]:
    loaded = loaded_by(modules, ahead)
    return {module: bad for module in modules if (bad := [name for name in forbidden if name in loaded[module]])}


def test_the_core_is_what_it_is_thought_to_be():
    named = {
        "model",
        "errors",
        "page",
        "urls",
        "hosts",
        "encoding",
        "dates",
        "dedup",
        "robots",
        "addresses",
        "siterules",
    }
    named |= {"rulefile", "xpath", "patterns", "extraction", "feeds.parse", "feeds.polling", "feeds.discovery"}
    assert {f"newsmon.{name}" for name in named} <= set(CORE)


@needs_fork
def test_the_core_imports_no_framework_no_database_and_no_network():
    assert offenders(CORE, (*FRAMEWORKS, *SQL, *NETWORK), ("lxml.html", "pydantic", "yaml")) == {}


@needs_fork
def test_the_edges_import_no_framework():
    edges = sorted(module for module in EVERY if within(module, EDGE))
    assert offenders(edges, FRAMEWORKS, ("lxml.html", "pydantic", "alembic.config", "aiohttp.web")) == {}


def test_only_the_store_speaks_sql():
    """By their text: everything of the shell loads the store, and with it SQLAlchemy."""
    speakers = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*.py")
        if any(f"import {name}" in file.read_text("utf-8") or f"from {name}" in file.read_text("utf-8") for name in SQL)
    }
    assert all(speaker.startswith("storage/") for speaker in speakers), speakers
