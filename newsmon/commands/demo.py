"""``scrapy demo``: a news farm on loopback, the real crawl on it, and an account of what became of every page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from scrapy.commands import ScrapyCommand

from newsmon.commands.status import show
from newsmon.crawl import browser
from newsmon.errors import NewsmonError
from newsmon.farm import Farm, PagesFarm
from newsmon.farm.audit import Finding, audit
from newsmon.library import load_library
from newsmon.model import Outcome
from newsmon.rulefile import write_rules
from newsmon.storage import Selection, Store

if TYPE_CHECKING:
    import argparse

    from newsmon.farm.server import Server

POLL_PAUSE = 2.0  # seconds: the demo's feeds fall due this often instead of every few minutes


class Command(ScrapyCommand):
    """Runs the whole system on a farm of its own."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return "[options]"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Crawl a news farm on this machine (no internet needed) and show what was collected, refused and why"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "Starts a web server with a dozen made-up news sites on 127.0.0.1, runs `scrapy crawl news -a once=1` on "
            "them as you would on real ones, lets time pass (articles are edited, a feed moves, two sites are "
            "redesigned), crawls again, and holds everything stored against what the farm knows it published. With "
            "--pages DIR the farm serves saved real pages instead. Exit code 1 when anything is not as it should be."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the demo's options."""
        super().add_options(parser)
        parser.add_argument(
            "--pages",
            metavar="DIR",
            help="serve saved pages: a folder with manifest.jsonl[.gz] and pages/, or a folder of such",
        )
        parser.add_argument(
            "--state", metavar="DIR", help="keep database and archive in DIR (default: a temporary folder)"
        )
        parser.add_argument(
            "--articles", type=int, default=4, help="ordinary articles per site at the start (default 4)"
        )
        parser.add_argument("--no-browser", action="store_true", help="do as if this machine had no browser")
        parser.add_argument("--json", metavar="FILE", help="write the account as JSON")
        parser.add_argument("--verbose", action="store_true", help="show the log of the crawl")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the demo."""
        try:
            with tempfile.TemporaryDirectory(prefix="newsmon-demo-") as temporary:
                state = Path(opts.state or temporary).resolve()
                farm = PagesFarm(Path(opts.pages)) if opts.pages else Farm(articles=opts.articles)
                with farm:
                    self.exitcode = self._tour(farm, state, opts)
        except NewsmonError as error:
            print(f"scrapy demo: {error}")
            self.exitcode = 2

    def _tour(self, farm: Server, state: Path, opts: argparse.Namespace) -> int:
        console = Console()
        stages = 1 if opts.pages else 3
        console.print(f"A news farm of {len(farm.sites)} sites listens on 127.0.0.1:{farm.port}.", highlight=False)
        for stage in range(stages):
            if stage:
                farm.advance_stage()
                console.print(f"Time passes on the farm (stage {stage}); the feeds fall due again.")
                time.sleep(POLL_PAUSE)
            console.print("[bold]scrapy crawl news -a once=1[/]")
            code = self._crawl(farm, state, opts)
            if code:
                console.print(f"The crawl ended with exit code {code}.")
                return 1
        return self._account(farm, state, opts, console)

    def _crawl(self, farm: Server, state: Path, opts: argparse.Namespace) -> int:
        """Run the real command in a process of its own, as a user would."""
        values = {
            "NEWSMON_STATE_DIR": str(state),
            "NEWSMON_STORE_URL": "",
            "NEWSMON_ALLOW_ADDRESSES": "127.0.0.1",
            "NEWSMON_CONNECT_TO": json.dumps(farm.connect_to),
            "NEWSMON_ONLY_SITES": ",".join(site for site in farm.sites),
            # The one thing that is not as in real life: time is pressed together.
            "NEWSMON_POLL_MIN": str(POLL_PAUSE / 2),
            "NEWSMON_POLL_MAX": str(POLL_PAUSE),
            "NEWSMON_FULL_GET_EVERY": "1",
            "NEWSMON_ONCE_PATIENCE": "5",
            "DOWNLOAD_TIMEOUT": "5",
            "LOG_LEVEL": "INFO" if opts.verbose else "ERROR",
        }
        rules = state / "rules"
        if farm.write_rules(rules):
            prefer_shipped_rules(rules)
            values["NEWSMON_RULES_DIR"] = str(rules)
        if opts.no_browser:
            values["NEWSMON_BROWSER"] = "/nonexistent/browser"
        if opts.pages:
            # These pages are on this machine: there is nobody to be polite to.
            values |= {"DOWNLOAD_DELAY": "0", "CONCURRENT_REQUESTS_PER_DOMAIN": "8"}
        command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", "once=1"]
        for name, value in values.items():
            command += ["-s", f"{name}={value}"]
        environment = {"NEWSMON_CONTACT": "scrapy demo", **os.environ}
        return subprocess.run(command, check=False, env=environment).returncode  # noqa: S603 - our own interpreter and arguments

    def _account(self, farm: Server, state: Path, opts: argparse.Namespace, console: Console) -> int:
        store = Store.open(f"sqlite:///{state / 'newsmon.db'}", owner="demo", state_dir=state, exclusive=False)
        try:
            show([site for site in store.status() if site.domain in farm.sites], as_json=False, all_feeds=False)
            has_browser = not opts.no_browser and browser.missing() is None
            expected = [item for item in farm.expected if not item.backfill]
            rules = load_library(state / "rules" if opts.pages else None)
            findings = audit(expected, store, browser=has_browser, library=rules)
            counts = store.ledger()
            articles = sum(1 for _ in store.articles(Selection()))
        finally:
            store.close()
        table = refusals(findings)
        if table.row_count:
            console.print(table)
        if not has_browser:
            waiting = sum(finding.expected.needs_browser for finding in findings)
            console.print(f"{waiting} pages need a browser and wait for one: {browser.missing() or 'switched off'}")
        wrong = [finding for finding in findings if not finding.ok]
        for finding in wrong:
            console.print(
                f"[red]not as expected[/] {finding.expected.url}: {'; '.join(finding.problems)} ({finding.reason})"
            )
        done = counts.done
        stored, waiting = done.get(Outcome.STORED, 0), counts.pending + counts.leased
        console.print(
            f"{counts.discovered} addresses = {stored} stored as articles + {sum(done.values()) - stored} refused or "
            f"put aside + {waiting} waiting. {articles} articles in the store; {len(findings) - len(wrong)} of "
            f"{len(findings)} pages are as the farm expects.",
            highlight=False,
        )
        if opts.state:
            console.print(f"Database and archive are in {state}.", highlight=False)
        if opts.json:
            Path(opts.json).write_text(
                json.dumps([_plain(finding) for finding in findings], ensure_ascii=False, indent=1)
            )
        return 1 if wrong else 0


def prefer_shipped_rules(folder: Path) -> None:
    """Read saved pages by newsmon's own rules where it has some for their site; only the feed is the farm's."""
    shipped = load_library().sites
    for domain, given in load_library(folder).sites.items():
        if domain in shipped:
            # Saved pages are of any age, and today is the day of the crawl: all versions are valid at once.
            ever = {"valid_from": None, "valid_until": None}
            versions = tuple(version.model_copy(update=ever) for version in shipped[domain].versions)
            changes = {"feeds": given.feeds, "delay": given.delay, "versions": versions}
            rules = shipped[domain].model_copy(update=changes)
            (folder / f"{domain}.yaml").write_text(write_rules(rules), "utf-8")


def refusals(findings: list[Finding]) -> Table:
    """What was not stored as an article, and the reason the store gives for it."""
    table = Table(title="Not stored as articles, and why", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("outcome", "what the farm served", "reason given"):
        table.add_column(column, overflow="fold")
    seen: set[tuple[str, str]] = set()
    for finding in sorted(findings, key=lambda finding: (finding.actual, finding.expected.note)):
        served = finding.expected.note or finding.expected.kind or ""
        if finding.actual != "stored" and (finding.actual, served) not in seen:
            seen.add((finding.actual, served))
            table.add_row(finding.actual, escape(served), escape(_first_words(finding.reason or "")))
    return table


def _first_words(reason: str, length: int = 110) -> str:
    return reason if len(reason) <= length else f"{reason[:length]}..."


def _plain(finding: Finding) -> dict[str, object]:
    expected = finding.expected
    return {
        "url": expected.url,
        "site": expected.site,
        "expected": expected.outcome,
        "actual": finding.actual,
        "reason": finding.reason,
        "problems": list(finding.problems),
    }
