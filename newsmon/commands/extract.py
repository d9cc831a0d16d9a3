"""``scrapy extract``: articles of saved pages and addresses, as JSON Lines, text, Markdown or XML."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from scrapy.commands import ScrapyCommand

from newsmon.commands.extractactions.outputs import FORMATS, Write, open_output
from newsmon.errors import NewsmonError
from newsmon.fetching import Fetch, FetchFailure, fetch_plan
from newsmon.library import Library, load_library
from newsmon.model import Extract, Kind
from newsmon.reading import METHODS, read_page, rules_of
from newsmon.saved import page_id, read_saved, saved_page, walk
from newsmon.urls import host_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from newsmon.fetching import Plan
    from newsmon.page import Page
    from newsmon.siterules import SiteRules

STDIN = "-"


class Command(ScrapyCommand):
    """Extracts articles without a crawl and without a store."""

    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "FILE_OR_URL ... [--rules DIR] [--format jsonl|text|markdown|xml] [--output FILE]"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Extract the articles of saved pages or addresses"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "A FILE is a saved page, gzipped or not; a folder means all pages (.html, .htm, .xhtml, .gz) in it, and - "
            "is standard input. A URL is fetched as the crawl would fetch it: robots.txt, delays, no private "
            "addresses. Prints a JSON object per page: id (the file's name without .html and .gz), url, title, text, "
            "published, authors, language, kind, method, confidence, reason. A page that cannot be read is a line of "
            "kind unparsable with a reason. docs/extraction.md explains the fields. "
            "Exit code 0: every page was read, whatever it is; 1: a file or address could not be read; "
            "2: the command could not do its work."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the pages, how to read them and what to write."""
        super().add_options(parser)
        add = parser.add_argument
        add("names", nargs="*", metavar="FILE_OR_URL", help="pages to read, folders of them, addresses, or -")
        add("--rules", metavar="DIR", help="folder of rule files, or a file; without it no site's rules are used")
        add(
            "--method",
            choices=METHODS,
            default="auto",
            help="auto: rules, then the best of several extractions (default); svm: the classifier; paper: the model "
            "of Zhou, Li, Song (2019)",
        )
        add("--url", help="address of a saved page; by default the one it gives itself")
        add("--format", choices=FORMATS, default="jsonl", help="what to write (default: jsonl)")
        add(
            "--output",
            metavar="FILE",
            help="write to FILE instead of standard output; text, Markdown and XML of several pages go to a folder",
        )
        add("--all", action="store_true", help="jsonl: every field, as section, tags, image, modified, paywalled")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read every page and write what was found."""
        # argparse takes no names after an option: scrapy extract --all FILE
        names = opts.names + [name for name in args if name == STDIN or not name.startswith("-")]
        try:
            if unknown := [name for name in args if name != STDIN and name.startswith("-")]:
                raise NewsmonError(f"unknown options: {' '.join(unknown)}")
            self.exitcode = self._extract(names, opts)
        except NewsmonError as error:
            self._fail(str(error))
        except BrokenPipeError:  # whoever reads our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            self._fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))

    def _extract(self, names: Sequence[str], opts: argparse.Namespace) -> int:
        if not names:
            raise NewsmonError("name a saved page, a folder or an address; scrapy extract --help tells more")
        if "" in names:  # of an empty variable of the shell; as a path it would be the folder we are in
            raise NewsmonError("an empty name is no page")
        if opts.url:
            host_of(opts.url)  # raises UrlError, which names what is wrong
        library = load_library(opts.rules) if opts.rules else None
        wanted = list(walk(list(names)))
        if opts.url and len(wanted) > 1:
            raise NewsmonError("--url is the address of one page")
        opened = open_output(opts.format, opts.output, several=len(wanted) > 1, complete=opts.all)
        with opened as write, _progress(len(wanted), shown=bool(opts.output)) as step:
            plan = _plan(wanted, _Reader(library, opts.method, opts.url), write, step)
            return self._carried_out(plan, fetches=any(map(_is_address, wanted)))

    def _carried_out(self, plan: Plan[int], *, fetches: bool) -> int:
        """The exit code at the end of the plan; nothing of the network is started for files."""
        if fetches:
            assert self.crawler_process is not None
            return fetch_plan(self.crawler_process, plan)
        try:
            next(plan)
        except StopIteration as end:
            return int(end.value)
        raise AssertionError("a plan without addresses fetches nothing")

    def _fail(self, problem: str) -> None:
        print(f"scrapy extract: {problem}", file=sys.stderr)
        self.exitcode = 2


class _Reader(NamedTuple):
    """How pages are read.

    :param url: the address of the page, where the user gave it.
    """

    library: Library | None
    method: Any
    url: str | None

    def rules_for(self, address: str) -> SiteRules | None:
        return rules_of(self.library, address) if self.library else None

    def read(self, page: Page) -> Extract:
        return read_page(page, rules=self.rules_for(page.final_url), method=self.method)


def _plan(names: Sequence[str], reader: _Reader, write: Write, step: Callable[[str], None]) -> Plan[int]:
    """Read and write page by page; the exit code."""
    code = 0
    for name in names:
        step(name)
        page_name = name if _is_address(name) else "stdin" if name == STDIN else page_id(name)
        try:
            if _is_address(name):
                page = _fetched((yield Fetch(name, reader.rules_for(name))))
            else:
                page = _saved(name, reader.url)
            write(page_name, page.final_url or None, reader.read(page))
        except NewsmonError as error:
            code = 1
            address = name if _is_address(name) else reader.url
            write(page_name, address, Extract(kind=Kind.UNPARSABLE, reason=str(error)))
    return code


def _saved(name: str, url: str | None) -> Page:
    if name == STDIN:
        body = read_saved(sys.stdin.buffer)
    elif Path(name).is_dir():
        raise NewsmonError("there is no page in this folder: no file ends with .html, .htm, .xhtml or these and .gz")
    else:
        body = read_saved(Path(name))
    return saved_page(body, url=url, fetched_at=datetime.now(UTC))


def _fetched(answer: Page | FetchFailure) -> Page:
    if isinstance(answer, FetchFailure):
        raise NewsmonError(f"cannot be fetched: {answer.reason}")
    return answer


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


@contextmanager
def _progress(total: int, *, shown: bool) -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr, if that is a terminal and the output goes to a file."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not (shown and console.is_terminal)) as bar:
        task = bar.add_task("", total=total)
        begun = False

        def step(name: str) -> None:
            nonlocal begun
            bar.update(task, description=page_id(name)[-40:], advance=int(begun))
            begun = True

        yield step
