"""CPU time per page: Scrapy with its defaults, newsmon's fetch path, newsmon whole, Scrapy with trafilatura.

    python -m bench.crawl [--hosts 12] [--articles 100] [--rounds 5] [--only default,fetch] [--json FILE]

Goals: the fetch path takes at most 0.6 of default Scrapy, newsmon whole at most 1/3 of Scrapy with trafilatura.
What is measured, and why so, is in bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.processes import (
    NEWSMON,
    PLAIN,
    ROOT,
    FarmAddress,
    Run,
    RunFailedError,
    farm_process,
    measure,
    newsmon_settings,
    scrapy_command,
)
from newsmon.storage import Store
from newsmon.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

COMMON = {"LOG_LEVEL": "INFO", "CONCURRENT_REQUESTS": "16"}
"""The same for all: Scrapy's default concurrency, and no log line per page, which would be a cost of default Scrapy."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """One crawl of some feeds to the end."""

    run: Run
    pages: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One round of one contestant: a crawl of all feeds, and one of the first few."""

    all: Crawl
    few: Crawl

    @property
    def ms(self) -> float:
        """CPU milliseconds per further page, which leaves out what starting costs."""
        return 1000 * (self.all.run.cpu - self.few.run.cpu) / (self.all.pages - self.few.pages)

    @property
    def start(self) -> float:
        """CPU seconds before the first page."""
        return self.few.run.cpu - self.few.pages * self.ms / 1000


def default_scrapy(farm: FarmAddress, feeds: Sequence[str], folder: Path) -> Crawl:
    return _by_feed_spider("feed_spider.py", farm, feeds, folder)


def scrapy_with_trafilatura(farm: FarmAddress, feeds: Sequence[str], folder: Path) -> Crawl:
    return _by_feed_spider("trafilatura_spider.py", farm, feeds, folder, "-O", str(folder / "articles.jsonl"))


def newsmon_fetching(farm: FarmAddress, feeds: Sequence[str], folder: Path) -> Crawl:
    settings = COMMON | newsmon_settings(farm.port, folder / "state", farm.rules)
    return _spidered("feed_spider.py", feeds, folder, settings, NEWSMON)


def newsmon_whole(farm: FarmAddress, feeds: Sequence[str], folder: Path) -> Crawl:
    state = folder / "state"
    settings = COMMON | newsmon_settings(farm.port, state, farm.rules)
    sites = ",".join(host_of(feed).removeprefix("www.") for feed in feeds)
    command = scrapy_command("crawl", "news", "-a", "once=1", "-a", f"sites={sites}", settings=settings)
    run = measure(command, folder, NEWSMON)
    with Store.open("sqlite:///", owner="bench", state_dir=state, exclusive=False) as store:
        ledger = store.ledger()
    if ledger.pending or ledger.leased:
        raise RunFailedError(f"{ledger.pending + ledger.leased} pages were left behind, see {folder}")
    return Crawl(run, ledger.discovered)


def _by_feed_spider(spider: str, farm: FarmAddress, feeds: Sequence[str], folder: Path, *options: str) -> Crawl:
    own = {
        "ROBOTSTXT_OBEY": "True",
        "DNS_RESOLVER": "bench.loopback.LoopbackResolver",
        "BENCH_PORT": str(farm.port),
    }
    return _spidered(spider, feeds, folder, COMMON | own, PLAIN, *options)


def _spidered(
    spider: str,
    feeds: Sequence[str],
    folder: Path,
    settings: Mapping[str, str],
    environment: Mapping[str, str],
    *options: str,
) -> Crawl:
    file = str(ROOT / "bench" / spider)
    command = scrapy_command("runspider", file, "-a", f"feeds={','.join(feeds)}", *options, settings=settings)
    run = measure(command, folder, environment)
    return Crawl(run, int(run.output))


CONTESTANTS: Mapping[str, tuple[str, Callable[[FarmAddress, Sequence[str], Path], Crawl]]] = {
    "default": ("Scrapy, its defaults", default_scrapy),
    "fetch": ("newsmon, fetch path", newsmon_fetching),
    "whole": ("newsmon, whole", newsmon_whole),
    "trafilatura": ("Scrapy + trafilatura", scrapy_with_trafilatura),
}
GOALS = (("fetch", "default", 0.6), ("whole", "trafilatura", 1 / 3))


def main() -> int:
    options = _options()
    if "trafilatura" in options.only and find_spec("trafilatura") is None:
        print("trafilatura is not installed: pip install -r bench/requirements.txt, or leave it out with --only")
        return 2
    try:
        samples = measure_all(options)
    except RunFailedError as error:
        print(error)
        return 2
    ratios = {
        (one, other): _ratio(samples[one], samples[other]) for one, other, _ in GOALS if {one, other} <= {*samples}
    }
    report(samples, ratios)
    if options.json:
        options.json.write_text(json.dumps(as_json(samples, ratios), indent=1))
    return 0 if all(ratios[one, other] <= goal for one, other, goal in GOALS if (one, other) in ratios) else 1


def measure_all(options: argparse.Namespace) -> dict[str, list[Sample]]:
    """Let the contestants take turns, ``rounds`` times."""
    samples: dict[str, list[Sample]] = {name: [] for name in options.only}
    with tempfile.TemporaryDirectory(prefix="newsmon-bench-") as temporary:
        folder = Path(temporary)
        with farm_process(folder, *_farm_options(options)) as farm:
            for number in range(options.rounds):
                for name, found in samples.items():
                    found.append(_sample(name, farm, folder / f"{number}-{name}"))
                    print(f"round {number + 1}: {CONTESTANTS[name][0]}: {found[-1].ms:.2f} ms", flush=True)
    return samples


def _sample(name: str, farm: FarmAddress, folder: Path) -> Sample:
    _, crawl = CONTESTANTS[name]
    few = farm.feeds[: max(1, len(farm.feeds) // 4)]  # of 12 hosts one of every design
    return Sample(crawl(farm, farm.feeds, folder / "all"), crawl(farm, few, folder / "few"))


def report(samples: Mapping[str, Sequence[Sample]], ratios: Mapping[tuple[str, str], float]) -> None:
    crawls = [sample.all for found in samples.values() for sample in found]
    pages = sorted({crawl.pages for crawl in crawls})
    print(f"\n{' / '.join(map(str, pages))} pages, medians of {len(next(iter(samples.values())))} rounds")
    print(f"{'':22}{'CPU ms/page':>12}{'(range)':>17}{'start-up s':>12}{'pages/s':>9}{'peak MB':>9}")
    for name, found in samples.items():
        times = [sample.ms for sample in found]
        start = median(sample.start for sample in found)
        speed = median(sample.all.pages / sample.all.run.wall for sample in found)
        peak = median(sample.all.run.peak for sample in found)
        spread = f"({min(times):.2f}..{max(times):.2f})"
        print(f"{CONTESTANTS[name][0]:22}{median(times):12.2f}{spread:>17}{start:12.2f}{speed:9.0f}{peak:9.0f}")
    for one, other, goal in GOALS:
        if (one, other) in ratios:
            ratio = ratios[one, other]
            verdict = "met" if ratio <= goal else "missed"
            print(f"{CONTESTANTS[one][0]} / {CONTESTANTS[other][0]}: {ratio:.3f}, goal <= {goal:.3f}: {verdict}")


def as_json(samples: Mapping[str, Sequence[Sample]], ratios: Mapping[tuple[str, str], float]) -> dict[str, object]:
    """The figures in the flat form that ``scrapy evaluate --json`` writes."""
    rows = []
    for name, found in samples.items():
        for metric, values in (
            ("cpu_ms_per_page", [sample.ms for sample in found]),
            ("start_up_s", [sample.start for sample in found]),
            ("peak_mb", [sample.all.run.peak for sample in found]),
        ):
            rows.append(_row(name, metric, median(values), found[0].all.pages))
    rows += [_row(one, f"ratio_to_{other}", ratio, len(samples[one])) for (one, other), ratio in ratios.items()]
    return {"what": "crawl", "data": "farm", "at": datetime.now(UTC).isoformat(timespec="seconds"), "rows": rows}


def _row(method: str, metric: str, value: float, number: int) -> dict[str, object]:
    return {"method": method, "group": "all", "metric": metric, "value": round(value, 4), "n": number}


def _ratio(one: Sequence[Sample], other: Sequence[Sample]) -> float:
    """Median of the ratios of each round: both were measured within it, under the same load of the machine."""
    return median(mine.ms / theirs.ms for mine, theirs in zip(one, other, strict=True))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.crawl", description=__doc__.splitlines()[0])
    parser.add_argument("--hosts", type=int, default=12, help="hosts of the farm, at least 2 (default 12)")
    parser.add_argument("--articles", type=int, default=100, help="pages of each host (default 100)")
    parser.add_argument("--page-kb", type=int, default=100, help="kilobytes of each page (default 100)")
    parser.add_argument("--pages", type=Path, metavar="DIR", help="serve the real pages of DIR (at least 2 sites)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default 5)")
    parser.add_argument(
        "--only", type=_names, default=[*CONTESTANTS], metavar="NAMES", help=f"some of {','.join(CONTESTANTS)}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    return parser.parse_args()


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := {*names} - {*CONTESTANTS}:
        raise argparse.ArgumentTypeError(f"no such contestant: {', '.join(sorted(unknown))}")
    return names


def _farm_options(options: argparse.Namespace) -> list[str]:
    if options.pages:
        return ["--pages", str(options.pages.resolve())]
    bulk = {"--bulk-hosts": options.hosts, "--bulk-articles": options.articles, "--page-kb": options.page_kb}
    return ["--sites", "none", *(str(part) for pair in bulk.items() for part in pair)]


if __name__ == "__main__":
    sys.exit(main())
