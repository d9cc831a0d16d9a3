"""kill -9 at random moments of a crawl, then an account: was anything lost or stored twice?

    python -m bench.kill9 [--pages 2000] [--kills 50] [--seed 1]

A process crawls a farm on this machine until a random moment, is killed, and the next one goes on, until the last is
left to finish. Four moments of five are spread over the crawl: when so many different pages were served as a random
number says, and up to 0.2 s later. Every fifth is in the first seconds of a process: imports, opening of the store,
first leases. Exit code 1 when a page was lost or stored twice, or a record is torn.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.processes import NEWSMON, RunFailedError, newsmon_settings, scrapy_command
from newsmon.errors import StoreError
from newsmon.farm import Farm
from newsmon.model import Article, Kind
from newsmon.storage import Archive, Selection, Store

HOSTS = 10
START_UP = 3.0  # seconds in which a process gets from its first import to its first pages
LONGEST_LIFE = 600.0  # seconds; a process that makes no progress for so long is a failure, not a slow one


@dataclass(frozen=True, slots=True)
class Moment:
    """When a process is killed: ``seconds`` after the farm has served ``pages`` different pages; 0 is at its start."""

    pages: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What is left after all kills and one undisturbed end.

    :param kills: processes that were killed while they ran.
    :param lost: addresses of pages without an article in the store.
    :param twice: addresses with more than one.
    :param unfinished: frontier rows that are not DONE.
    :param torn: articles whose raw page cannot be read back, and bytes of the archive that belong to no record.
    :param unreferenced: raw pages no article refers to: archived just before the process died, and fetched again.
    :param fetched_again: requests for pages beyond the first.
    """

    pages: int
    kills: int
    stored: int
    lost: tuple[str, ...]
    twice: tuple[str, ...]
    unfinished: int
    torn: tuple[str, ...]
    unreferenced: int
    fetched_again: int
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether every page is stored exactly once, and so is its raw form."""
        return self.stored == self.pages and not (self.lost or self.twice or self.unfinished or self.torn)


def run(pages: int, kills: int, seed: int) -> Result:
    """Crawl about ``pages`` pages, killed ``kills`` times, and look at what is stored.

    :raises RunFailedError: when a process ends with an error, or makes no progress.
    """
    begun = time.monotonic()
    hosts = min(HOSTS, pages)
    with (
        tempfile.TemporaryDirectory(prefix="newsmon-kill9-") as temporary,
        Farm(sites=[], bulk_hosts=hosts, bulk_articles=pages // hosts, page_kb=20, seed=seed) as farm,
    ):
        folder = Path(temporary)
        farm.write_rules(folder / "rules")
        wanted = [page.url for page in farm.expected]
        killed = _crawl(farm, folder, moments(len(wanted), kills, random.Random(seed)))
        served = _pages_served(farm)
        return _account(wanted, folder / "state", served, killed, time.monotonic() - begun)


def moments(pages: int, kills: int, chance: random.Random) -> list[Moment]:
    """When the processes are killed, in the order of the crawl.

    >>> [moment.pages for moment in moments(100, 5, random.Random(1))][4]
    0
    """
    # The last pages are left to the last process: a kill that comes after the end would be none.
    served = sorted(chance.randrange(1, max(2, pages * 97 // 100)) for _ in range(kills))
    return [
        Moment(0, chance.uniform(0, START_UP)) if number % 5 == 4 else Moment(after, chance.uniform(0, 0.2))
        for number, after in enumerate(served)
    ]


def _crawl(farm: Farm, folder: Path, planned: list[Moment]) -> int:
    """Crawl to the end in spite of the kills; return how many processes were killed."""
    killed = 0
    for moment in [*planned, None]:
        with (folder / "log").open("wb") as log, _start(farm, folder, log.fileno()) as process:
            if moment is None:
                _finish(process, folder / "log")
            else:
                killed += _kill(process, moment, farm, folder / "log")
    return killed


def _start(farm: Farm, folder: Path, log: int) -> subprocess.Popen[bytes]:
    settings = newsmon_settings(farm.port, folder / "state", folder / "rules")
    command = scrapy_command("crawl", "news", "-a", "once=1", settings=settings)
    return subprocess.Popen(command, cwd=folder, env=NEWSMON, stdout=log, stderr=log)


def _kill(process: subprocess.Popen[bytes], moment: Moment, farm: Farm, log: Path) -> bool:
    """Wait for the moment and kill; False when the process had ended by then."""
    deadline = time.monotonic() + LONGEST_LIFE
    # The process before may have come further than planned: this one is to fetch something too before it dies.
    goal = moment.pages and max(moment.pages, len(_pages_served(farm)) + 1)
    while len(_pages_served(farm)) < goal and process.poll() is None:
        if time.monotonic() > deadline:
            process.kill()
            raise RunFailedError(f"no page for {LONGEST_LIFE:.0f} s\n{_tail(log)}")
        time.sleep(0.005)
    try:
        code = process.wait(moment.seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return True
    if code:
        raise RunFailedError(f"a process ended with exit code {code}\n{_tail(log)}")
    return False


def _finish(process: subprocess.Popen[bytes], log: Path) -> None:
    try:
        code = process.wait(LONGEST_LIFE)
    except subprocess.TimeoutExpired as error:
        process.kill()
        raise RunFailedError(f"the last process does not end\n{_tail(log)}") from error
    if code:
        raise RunFailedError(f"the last process ended with exit code {code}\n{_tail(log)}")


def _tail(log: Path) -> str:
    return log.read_text("utf-8", "replace")[-2000:]


def _pages_served(farm: Farm) -> Counter[str]:
    return Counter(f"http://{hit.host}{hit.target}" for hit in farm.log if hit.target.startswith("/news/"))


def _account(wanted: list[str], state: Path, served: Counter[str], killed: int, seconds: float) -> Result:
    with Store.open("sqlite:///", owner="bench", state_dir=state, exclusive=False) as store:
        articles = list(store.articles(Selection(kinds=frozenset(Kind))))
        ledger = store.ledger()
    stored = Counter(article.url for article in articles)
    torn, unreferenced = _archive_faults(Archive(state / "archive"), articles)
    return Result(
        pages=len(wanted),
        kills=killed,
        stored=len(articles),
        lost=tuple(url for url in wanted if url not in stored),
        twice=tuple(url for url, number in stored.items() if number > 1),
        unfinished=ledger.pending + ledger.leased,
        torn=torn,
        unreferenced=unreferenced,
        fetched_again=served.total() - len(served),
        seconds=seconds,
    )


def _archive_faults(archive: Archive, articles: list[Article]) -> tuple[tuple[str, ...], int]:
    """Articles without a readable raw page, files with torn tails; and how many raw pages have no article."""
    torn = []
    for article in articles:
        try:
            if article.archive is None:
                torn.append(f"{article.url}: not archived")
            else:
                archive.read(article.archive, url=article.url)
        except StoreError as error:
            torn.append(f"{article.url}: {error}")
    torn += [f"{name}: a torn tail" for name in archive.repair()]
    referenced = {article.archive for article in articles}
    return tuple(torn), sum(ref not in referenced for ref, _ in archive.pages())


def report(result: Result) -> None:
    print(f"{result.pages} pages, {result.kills} processes killed with kill -9, {result.seconds:.0f} s")
    print(f"stored {result.stored}, lost {len(result.lost)}, stored twice {len(result.twice)}")
    print(f"frontier rows not done {result.unfinished}, archive records torn {len(result.torn)}")
    print(f"pages fetched again {result.fetched_again}, raw pages archived without an article {result.unreferenced}")
    for fault in (*result.lost, *result.twice, *result.torn)[:20]:
        print(f"  {fault}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.kill9", description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=2000, help="pages to crawl (default 2000)")
    parser.add_argument("--kills", type=int, default=50, help="processes to kill (default 50)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the pages and of the moments (default 1)")
    options = parser.parse_args()
    try:
        result = run(options.pages, options.kills, options.seed)
    except RunFailedError as error:
        print(error)
        return 2
    report(result)
    return 0 if result.sound else 1


if __name__ == "__main__":
    sys.exit(main())
