"""Risky pages are read in a process of their own: what they do to it, they do to nobody else."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from newsmon.errors import ExtractorFault, StoreError
from newsmon.extraction import extract
from newsmon.farm.model import Reply
from newsmon.farm.server import Server
from newsmon.model import Entry, Extract, Kind, Paragraph, Role
from newsmon.page import ORDINARY_TAGS, Page
from newsmon.sandbox import Sandbox, guarded, wire
from newsmon.storage import Archive, Selection
from tests.crawling import opened, start
from tests.extractors import named_by_the_page
from tests.pages import TEXT, article, page, rules
from tests.smallsites import site

EXTRACTOR = f"{named_by_the_page.__module__}.{named_by_the_page.__name__}"
linux = pytest.mark.skipif(not Path("/proc/self").exists(), reason="memory is limited and measured as on Linux")


RULES = rules(TEXT)


def asked(fault: str = "", words: str = "The dam was opened on Friday by the mayor of the town. ") -> Page:
    """A page with an article, at whose address the extractor of these tests has a fault."""
    return page(article(words * 20), url=f"http://zarya.example/{fault}")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests: each leaves it fit for the next."""
    with Sandbox(EXTRACTOR, seconds=60, memory=2**29) as made:
        yield made


def risky(body: str) -> Page:
    return page(body + "<i></i>" * ORDINARY_TAGS, fetched_at=datetime(2024, 5, 10, tzinfo=UTC))


def test_a_page_is_read_there_as_it_is_here(sandbox: Sandbox) -> None:
    known = rules({**TEXT, "title": ["//h1"]}, language="uk", time_zone="Europe/Kyiv")
    said = Entry(
        "http://zarya.example/1", title="Dam", authors=("Ann Lee",), published=datetime(2024, 5, 9, tzinfo=UTC)
    )
    read = page(article(head='<meta name="keywords" content="dam, Загреб">'), headers={"content-type": "text/html"})
    here = extract(read, rules=known, entry=said)
    assert here.kind is Kind.ARTICLE
    assert here.authors == ("Ann Lee",)
    assert sandbox.extract(read, rules=known, entry=said) == here


def test_ordinary_pages_stay_here_and_risky_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Extract:
        raise ExtractorFault("sent away")

    elsewhere = Sandbox()
    monkeypatch.setattr(elsewhere, "extract", refuse)
    assert guarded(asked(), sandbox=elsewhere).reason != "newsmon failed on the page: sent away"
    assert guarded(risky(article()), sandbox=elsewhere).reason == "newsmon failed on the page: sent away"


def test_a_long_honest_article_is_read(sandbox: Sandbox) -> None:
    text = "".join(f"<p>{number}. The dam above the old town was opened on Friday.</p>" for number in range(12_000))
    found = guarded(page(f"<article>{text}</article>"), rules=rules(TEXT), sandbox=sandbox)
    assert (found.kind, len(found.paragraphs)) == (Kind.ARTICLE, 12_000)


@pytest.mark.parametrize("fault", ["sleep", "spin"])
def test_a_page_that_takes_too_long_is_ended(fault: str) -> None:
    with Sandbox(EXTRACTOR, seconds=0.2) as impatient:
        found = impatient.extract(asked(fault))
    assert found.kind is Kind.UNPARSABLE
    assert "the page cannot be read: it took more than 0." in str(found.reason)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        pytest.param("eat", "it took more memory than is allowed", marks=linux),
        ("crash", "the process that read it ended with SIGABRT"),
        ("leave", "the process that read it ended with code 3"),
        ("recurse", "something in it is nested too deeply"),
    ],
)
def test_what_ends_the_process_costs_one_page(sandbox: Sandbox, fault: str, reason: str) -> None:
    assert sandbox.extract(asked(fault), rules=RULES) == Extract(
        kind=Kind.UNPARSABLE, reason=f"the page cannot be read: {reason}"
    )
    assert sandbox.extract(asked(), rules=RULES) == extract(asked(), rules=RULES)


def test_a_fault_of_the_extractor_is_told_as_one(sandbox: Sandbox) -> None:
    with pytest.raises(ExtractorFault, match=r"^ZeroDivisionError: a fault of$"):
        sandbox.extract(asked("fail"), rules=RULES)
    assert sandbox.extract(asked(), rules=RULES) == extract(asked(), rules=RULES)


def test_the_guard_never_raises(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    with Sandbox("newsmon.extraction.nosuch") as broken:
        found = guarded(risky(article()), sandbox=broken)
    assert found.kind is Kind.UNPARSABLE
    assert "newsmon.extraction.nosuch: AttributeError" in str(found.reason)
    monkeypatch.setattr("newsmon.sandbox.extract", lambda *_, **__: 1 / 0)
    assert guarded(asked()).reason == "newsmon failed on the page: ZeroDivisionError: division by zero"
    assert caplog.messages[-1] == "Reading http://zarya.example/ failed: ZeroDivisionError: division by zero"


def test_what_a_library_prints_is_no_answer(sandbox: Sandbox) -> None:
    assert sandbox.extract(asked("chatter"), rules=RULES) == extract(asked("chatter"), rules=RULES)


def test_the_process_knows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSMON_STORE_URL", "postgresql://user:secret@db/newsmon")
    with Sandbox(EXTRACTOR) as made, pytest.raises(ExtractorFault, match="not told"):
        made.extract(asked("tell"), rules=RULES)


@linux
def test_memory_that_pages_leave_behind_is_given_back() -> None:
    with Sandbox(EXTRACTOR, seconds=60, memory=2**29) as made:
        for _ in range(3):  # of 256 megabytes each, where 512 are allowed
            assert made.extract(asked("keep"), rules=RULES).kind is not Kind.UNPARSABLE


def test_threads_take_turns_and_get_their_own_answers(sandbox: Sandbox) -> None:
    pages = [asked(words=f"The dam {name} was opened on Friday by the mayor. ") for name in "ABCDEF"]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(partial(sandbox.extract, rules=RULES), pages)) == [
            extract(page, rules=RULES) for page in pages
        ]


@linux
def test_a_fork_uses_a_process_of_its_own(sandbox: Sandbox) -> None:
    expected = sandbox.extract(asked(), rules=RULES)
    child = os.fork()
    if not child:
        code = 0 if sandbox.extract(asked(), rules=RULES) == expected else 1
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert sandbox.extract(asked(), rules=RULES) == expected


ORPHAN = """
import os, signal, sys
from newsmon.sandbox import Sandbox
from tests.pages import page
sandbox = Sandbox()
sandbox.extract(page("%PDF-1.7"))
print(sandbox._worker._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@linux
def test_nothing_is_left_when_the_crawl_is_killed() -> None:
    ran = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True, check=False)
    assert ran.returncode == -signal.SIGKILL
    wait_until(lambda: not is_running(int(ran.stdout)))


def is_running(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "ZX"


def wait_until(happened: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.02)


HONEST = "".join(f"<p>{number}. The dam above the old town was opened on Friday.</p>" for number in range(12_000))
MANY_TAGS = b"<p>x" * 3_000_000  # 12 megabytes; some 600 if they were parsed
ENDS = {
    "/wait": Kind.ARTICLE,
    "/long": Kind.ARTICLE,
    "/deep": Kind.UNPARSABLE,
    "/tags": Kind.UNPARSABLE,
    "/crash": Kind.UNPARSABLE,
}


@linux
def test_a_crawl_goes_on_beside_pages_that_hurt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one of them holds its process up, all others are stored; each ends stored and archived with its kind."""
    state, released = tmp_path / "state", tmp_path / "released"
    monkeypatch.setenv("NEWSMON_TEST_SIGNAL", str(released))
    long = f"<title>Long</title><article><h1>Long</h1>{HONEST}</article>".encode()
    hurting = {path: Reply(long) for path in ENDS} | {"/deep": Reply(b"<div>" * 200_000), "/tags": Reply(MANY_TAGS)}
    with Server([site("hurts.example", hurting), site("calm.example", 5)]) as farm:
        settings = {"NEWSMON_EXTRACTOR": EXTRACTOR, "NEWSMON_EXTRACTION_SECONDS": 60, "NEWSMON_STOP_PATIENCE": 60}
        running = start(farm, state, once=False, DOWNLOAD_DELAY=0, **settings)
        running.wait_for(lambda: kinds(state, "calm.example") == [Kind.ARTICLE] * 5)
        assert kinds(state, "hurts.example") == []
        released.touch()
        running.wait_for(lambda: len(kinds(state, "hurts.example")) == len(ENDS), seconds=90)
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{running.process.pid}/status").read_text())
        running.stop().check()
    assert peak is not None
    assert int(peak[1]) < 400_000
    archive = Archive(state / "archive")
    with opened(state) as store:
        for article in store.articles(Selection(sites=frozenset({"hurts.example"}), kinds=frozenset(Kind))):
            path = article.url.removeprefix("http://hurts.example")
            assert article.archive is not None
            assert archive.read(article.archive, url=article.url).body == hurting[path].body
            assert article.kind is ENDS[path]
            assert bool(article.text) == (article.kind is Kind.ARTICLE) == (article.reason is None)
        assert not any(page.outcome is None for page in store.pages())


def kinds(state: Path, name: str) -> list[Kind]:
    """What is stored of a site."""
    if not (state / "newsmon.db").exists():
        return []
    try:
        with opened(state) as store:
            selection = Selection(sites=frozenset({name}), kinds=frozenset(Kind))
            return [article.kind for article in store.articles(selection)]
    except StoreError:  # it is just being made
        return []


FULL = Extract(
    kind=Kind.ARTICLE,
    title="Dam\u2028",
    text="One\n\n“two” \U0001f600",
    paragraphs=(Paragraph("One", Role.HEADING, 2), Paragraph("“two” \U0001f600")),
    authors=("Ann", "Bob"),
    published=datetime(2024, 5, 9, 8, 15, 30, 123456, tzinfo=timezone(timedelta(hours=3))),
    modified=datetime(2024, 5, 10, tzinfo=UTC),
    tags=("dam",),
    paywalled=False,
    method="svm",
    confidence=1,
    origins={"title": "rule:1"},
    reason="none",
)


def test_an_extract_survives_the_pipe() -> None:
    read = wire.read_extract(json.loads(wire.to_json(FULL)))
    assert read == FULL
    assert isinstance(read.kind, Kind)
    assert isinstance(read.paragraphs[0].role, Role)
    assert wire.read_extract(json.loads(wire.to_json(Extract(kind=Kind.EMPTY)))) == Extract(kind=Kind.EMPTY)


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        {"text": "no kind"},
        {"kind": "nosuch"},
        {"kind": "article", "nosuch": 1},
        {"kind": "article", "text": 1},
        {"kind": "article", "text": None},
        {"kind": "article", "authors": "Ann"},
        {"kind": "article", "authors": [["Ann"]]},
        {"kind": "article", "paragraphs": ["One"]},
        {"kind": "article", "published": "soon"},
        {"kind": "article", "origins": {"title": {}}},
        {"kind": "article", "paywalled": 1},
    ],
)
def test_an_answer_of_other_types_is_refused(told: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        wire.read_extract(told)
