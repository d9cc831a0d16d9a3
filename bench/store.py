"""CPU time of the store and the archive: ``python bench/store.py [--articles 5000] [--url postgresql://...]``.

Made-up articles of about 4 KB of Russian text are discovered, leased in batches of 64 on 50 hosts, stored, searched and
read; the archive gets bodies of 60 KB. Times are CPU time of this process in microseconds per article.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from newsmon.model import Document, Entry, Extract, Kind, Lease
from newsmon.page import Page
from newsmon.storage import Archive, NewUrl, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = datetime(2024, 5, 1, tzinfo=UTC)
WORDS = re.findall(r"\w+", "президент заявил что ёлки важно для экономики страны новый закон вступает в силу победой")
HOSTS = 50


class Site:
    """What the store reads of a rule file."""

    domain, name, feeds = "bench.example", None, ()


class Clock:
    """Adds up CPU time by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, name: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        start = process_time()
        result = call(*args, **kwargs)
        self.seconds[name] = self.seconds.get(name, 0.0) + process_time() - start
        return result


def text(random: Random) -> str:
    return " ".join(random.choice(WORDS) + str(random.randrange(300)) * (random.random() < 0.3) for _ in range(300))


def links(count: int) -> Iterator[NewUrl]:
    for number in range(count):
        host = f"{number % HOSTS}.example"
        entry = Entry(f"http://{host}/{number}", title="Заголовок", summary="коротко " * 20, published=NOW)
        yield NewUrl(f"{host}/{number}", entry.url, host, entry)


def document(lease: Lease, words: str) -> Document:
    extract = Extract(
        Kind.ARTICLE,
        "Заголовок статьи",
        words,
        summary="коротко " * 20,
        authors=("Автор",),
        published=NOW,
        tags=("a", "b"),
        method="rule",
        origins={"title": "rule:2024", "text": "rule:2024", "published": "json-ld"},
    )
    return Document(Page(lease.url, lease.url, 200, b"", NOW), lease.site, lease, lease.entry, None, extract)


def crawl(store: Store, clock: Clock, articles: int) -> None:
    random = Random(1)
    texts = [text(random) for _ in range(200)]
    store.sync_sites([Site], {}, now=NOW)  # type: ignore[list-item]
    clock.time("discover", store.add_urls, links(articles), site=Site.domain, now=NOW)
    while True:
        clock.time("full text", store.index_new)  # a crawl does this within lease_work
        work = clock.time("lease", store.lease_work, NOW, feeds=64, pages=64, per_host=4)
        if not work.pages:
            return
        for lease in work.pages:
            keys = [f"final/{lease.key}"]
            clock.time("finish", store.finish, lease, document(lease, random.choice(texts)), None, keys=keys, now=NOW)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=5000)
    parser.add_argument("--url", default="sqlite:///")
    options = parser.parse_args()
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        with Store.open(options.url, owner="bench", state_dir=Path(folder), exclusive=True) as store:
            crawl(store, clock, options.articles)
            clock.time("keys", lambda: len(set(store.keys())))
            clock.time("read", lambda: sum(1 for _ in store.articles()))
            clock.time("one search", store.search, "экономики победой")
            clock.time("one status", store.status)
        archive, random = Archive(Path(folder) / "archive"), Random(2)
        bodies = ["<p>".join(text(random) for _ in range(15)).encode() for _ in range(50)]
        for number in range(500):
            page = Page(f"http://a/{number}", f"http://a/{number}", 200, bodies[number % 50], NOW)
            clock.time("archive, 500 pages", archive.append, page, now=NOW)
        archive.close()
    for name, seconds in clock.seconds.items():
        share = 1 if name.startswith("one") else 500 if name.startswith("archive") else options.articles
        print(f"{name:20} {seconds / share * 1e6:8.0f} us")


if __name__ == "__main__":
    main()
