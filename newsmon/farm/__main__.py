"""``python -m newsmon.farm``: the farm on its own, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from newsmon.farm import Farm, FarmError, PagesFarm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsmon.farm.server import Server


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; the first line printed is JSON with ``port``, ``hosts`` and ``feeds``."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _farm(options) as farm:
            _announce(farm)
            _wait(farm, options.stage_every)
    except FarmError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m newsmon.farm", description="A news farm on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; 0 (default) takes a free one")
    parser.add_argument(
        "--pages", type=Path, metavar="DIR", help="serve the real pages of DIR instead of generated ones"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the generated news (default 1)")
    parser.add_argument("--articles", type=int, default=6, help="ordinary articles per demo site (default 6)")
    parser.add_argument("--sites", help="demo sites wanted, comma-separated; 'none' for none (default all)")
    parser.add_argument("--bulk-hosts", type=int, default=0, help="plain hosts for benches (default 0)")
    parser.add_argument("--bulk-articles", type=int, default=100, help="articles of each of them (default 100)")
    parser.add_argument("--page-kb", type=int, default=100, help="kilobytes of each of their pages (default 100)")
    parser.add_argument(
        "--stage-every", type=float, metavar="SECONDS", help="advance the stage so often (default never)"
    )
    parser.add_argument("--write-rules", type=Path, metavar="DIR", help="write rule files of the plain sites there")
    return parser


def _farm(options: argparse.Namespace) -> Server:
    farm: Server
    if options.pages:
        farm = PagesFarm(options.pages, port=options.port)
    else:
        farm = Farm(
            seed=options.seed,
            articles=options.articles,
            sites=_chosen(options.sites),
            bulk_hosts=options.bulk_hosts,
            bulk_articles=options.bulk_articles,
            page_kb=options.page_kb,
            port=options.port,
        )
    if options.write_rules:
        farm.write_rules(options.write_rules)
    return farm


def _chosen(sites: str | None) -> list[str] | None:
    return [] if sites == "none" else sites.split(",") if sites else None


def _announce(farm: Server) -> None:
    """One line of JSON for programs, then the hosts for a person."""
    feeds = [each.url for each in farm.expected_feeds]
    sys.stdout.write(json.dumps({"port": farm.port, "hosts": farm.hosts, "feeds": feeds}) + "\n")
    for host in farm.hosts:
        sys.stdout.write(f"http://{host}/  ->  127.0.0.1:{farm.port}\n")
    sys.stdout.flush()


def _wait(farm: Server, stage_every: float | None) -> None:
    pause = threading.Event()
    while not pause.wait(stage_every):
        farm.advance_stage()


if __name__ == "__main__":
    sys.exit(main())
