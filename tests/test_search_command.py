"""`scrapy search`: words in, articles out, and an exit code that says whether there were any."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from newsmon.model import Kind
from newsmon.storage import Store
from tests.crawling import command
from tests.storing import Written, put, sync

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A store with two articles and a consent wall."""
    store = Store.open("sqlite:///", owner="test", state_dir=tmp_path, exclusive=True)
    sync(store, "a.example")
    put(store, "http://a.example/1", Written(title="Мост через реку", text="Мост открыли в мае."))
    put(store, "http://a.example/2", Written(title="大坝开放", text="大坝今天开放。"))
    put(store, "http://a.example/3", Written(title="Мост и cookies", text="Мост", kind=Kind.CONSENT))
    store.close()
    return tmp_path


def test_articles_are_found_by_their_words_and_only_articles(state: Path) -> None:
    found = command("search", "мост", state=state)
    assert found.code == 0
    assert "http://a.example/1" in found.log
    assert "http://a.example/3" not in found.log


def test_json_gives_whole_articles(state: Path) -> None:
    found = command("search", "大坝", "--json", state=state)
    assert [json.loads(line)["text"] for line in found.log.splitlines()] == ["大坝今天开放。"]


def test_nothing_found_is_exit_code_1_and_nothing_asked_2(state: Path) -> None:
    assert command("search", "вулкан", state=state).code == 1
    assert command("search", state=state).code == 2
