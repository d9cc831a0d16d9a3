"""``scrapy evaluate``: measures a capability on data in public formats."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from rich.progress import Progress as ProgressBar
from rich.table import Table
from scrapy.commands import ScrapyCommand

from newsmon import __version__
from newsmon.errors import EvaluationError, NewsmonError
from newsmon.evaluation import Progress, Row, find_sets, load, names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WIDTH = 120  # of the table when stdout is not a terminal, at least


class Command(ScrapyCommand):
    """Runs an evaluation and prints its figures."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "WHAT DATA_DIR [--json FILE] [options of WHAT]"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Measure a capability of newsmon on a data set"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            f"WHAT is one of: {', '.join(names())}. DATA_DIR is one set (a folder with docs.jsonl, gold.jsonl or "
            "manifest.jsonl, gzipped or not) or a folder of sets. Prints a table; --json writes the same figures as "
            "flat rows. `scrapy evaluate WHAT` alone shows the options of WHAT. "
            "Exit code 0: measured; 1: the data cannot be used; 2: wrong usage."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add ``--json``; the options of an evaluation are read once it is known which one is meant."""
        super().add_options(parser)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Measure, print, write."""
        what, rest = (args[0], args[1:]) if args else (None, [])
        if what not in names():
            self._fail(f"WHAT is one of: {', '.join(names())}; got {what or 'nothing'}", code=2)
            return
        try:
            self._evaluate(what, rest, opts)
        except NewsmonError as error:  # EvaluationError, or ModelError before `scrapy train`
            self._fail(str(error), code=1)
        except OSError as error:
            self._fail(f"{error.filename}: {error.strerror}", code=1)

    def _evaluate(self, what: str, args: list[str], opts: argparse.Namespace) -> None:
        evaluation = load(what)
        parser = argparse.ArgumentParser(
            prog=f"scrapy evaluate {what}", description=evaluation.summary, add_help=False, allow_abbrev=False
        )
        parser.add_argument("data_dir", type=Path, metavar="DATA_DIR", help="a set, or a folder of sets")
        evaluation.add_options(parser)
        if not args:
            parser.print_help(sys.stderr)
            self.exitcode = 2
            return
        options = parser.parse_args(args)
        if opts.json and not opts.json.parent.is_dir():  # told before the long work, not after it
            raise EvaluationError("no such folder to write to", path=opts.json.parent)
        sets = find_sets(options.data_dir, evaluation.marker)
        with show_progress() as progress:
            rows = list(evaluation.measure(sets, options, progress))
        print_rows(rows)
        if opts.json:
            report = document(what, options.data_dir, rows)
            opts.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    def _fail(self, message: str, *, code: int) -> None:
        print(f"scrapy evaluate: {message}", file=sys.stderr)
        self.exitcode = code


def document(what: str, data_dir: Path, rows: Sequence[Row]) -> dict[str, Any]:
    """What ``--json`` writes: flat rows, one figure each."""
    return {
        "what": what,
        "data": data_dir.resolve().name,
        "version": __version__,
        "rows": [asdict(row) for row in rows],
    }


@contextmanager
def show_progress() -> Iterator[Progress]:
    """A progress bar on stderr while stdout is a terminal, nothing otherwise."""
    with ProgressBar(console=Console(stderr=True), transient=True, disable=not sys.stdout.isatty()) as bar:
        task = bar.add_task("reading", total=None)

        def show(doing: str, done: int, steps: int) -> None:
            bar.update(task, description=doing, completed=done, total=steps)

        yield show


def print_rows(rows: Sequence[Row]) -> None:
    """One line per method and group, one column per metric, in the order in which they came."""
    metrics = list(dict.fromkeys(row.metric for row in rows))
    table = Table("group", "method")
    for metric in metrics:
        table.add_column(metric, justify="right", overflow="fold")
    lines: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        lines.setdefault((row.group, row.method), {})[row.metric] = f"{row.value:.4g}"
    for (group, method), values in lines.items():
        table.add_row(group, method, *(values.get(metric, "") for metric in metrics))
    console = Console()
    if not sys.stdout.isatty():
        console = Console(width=max(_WIDTH, console.measure(table, options=console.options.update(width=1000)).maximum))
    console.print(table)
