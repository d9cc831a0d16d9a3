"""How well and how fast feeds are read, with feedparser as the reference.

    python -m bench.feeds FOLDER_OF_FEEDS

Part 1, on a folder of feeds: exceptions, states, and in how many files the list of entry links equals feedparser's.
Both readers get the bytes and the same address; entries without a link count in neither list.

Part 2, on 50 generated feeds (20 RSS, 10 full-text RSS, 10 Atom, 5 RDF, 5 RSS in windows-1251; about 31 KB each): CPU
time per feed of both readers, the median of some rounds. In each round one reader reads all feeds, then the other, so
that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

import feedparser

from newsmon.farm.feeds import Channel, Item, atom, rdf, rss
from newsmon.feeds.parse import parse_feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newsmon.model import FeedDocument

URL = "http://zarya.example/feed"
RU = "совет принял решение город новости сегодня мост река область заявил министр работа дорога школа сказал"
EN = "council agreed that the new bridge across river will open next year after long debate minister said on Monday"
START = datetime(2024, 5, 3, 8, 15, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of feeds, searched to the bottom")
    parser.add_argument("--rounds", type=int, default=5, help="times each generated feed is read (default 5)")
    arguments = parser.parse_args()
    compare(arguments.data)
    race(arguments.rounds)


def compare(folder: Path) -> None:
    """Part 1: links against feedparser."""
    states: Counter[str] = Counter()
    same: Counter[str] = Counter()
    different = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        body = file.read_bytes()
        document = parse_feed(body, url=URL)
        links, reference = [entry.url for entry in document.entries], reference_links(body)
        states[f"{document.state} by {document.parser}"] += 1
        for group, is_in in (("all files", True), ("files where feedparser finds links", bool(reference))):
            same[group, links == reference] += is_in
        if links != reference:
            different.append(f"  {file.relative_to(folder)}: {links} instead of {reference}")
    print(
        "no exception (one would have ended this run);",
        ", ".join(f"{count} {state}" for state, count in states.most_common()),
    )
    for group in dict.fromkeys(group for group, _ in same):
        right, wrong = same[group, True], same[group, False]
        print(f"equal links, {group}: {right} of {right + wrong} ({right / max(1, right + wrong):.1%})")
    print("different:", *different, sep="\n")


def race(rounds: int) -> None:
    """Part 2: CPU time per feed."""
    feeds = list(generated_feeds(random.Random(3)))
    readers = {"newsmon": parse_with_newsmon, "feedparser": parse_with_feedparser}
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(rounds):
        for name, read in readers.items():
            for number, (_, body) in enumerate(feeds):
                times.setdefault((name, number), []).append(cpu_ms(read, body))
    size = fmean(len(body) for _, body in feeds) / 1024
    print(f"\n{len(feeds)} feeds of {size:.0f} KiB, median of {rounds} rounds; CPU ms a feed")
    for kind in (*dict.fromkeys(kind for kind, _ in feeds), "all"):
        chosen = [number for number, (its_kind, _) in enumerate(feeds) if kind in (its_kind, "all")]
        fast, slow = (fmean(median(times[name, number]) for number in chosen) for name in readers)
        print(f"{kind:16} newsmon {fast:6.2f}   feedparser {slow:7.2f}   ratio 1/{slow / fast:.1f}")


def reference_links(body: bytes) -> list[str]:
    """The links feedparser finds."""
    return [entry.link for entry in parse_with_feedparser(body).entries if entry.get("link")]


def parse_with_newsmon(body: bytes) -> FeedDocument:
    return parse_feed(body, url=URL)


def parse_with_feedparser(body: bytes) -> feedparser.FeedParserDict:
    return feedparser.parse(BytesIO(body), response_headers={"content-location": URL})


def cpu_ms(read: Callable[[bytes], object], body: bytes) -> float:
    begin = time.process_time_ns()
    read(body)
    return (time.process_time_ns() - begin) / 1e6


def generated_feeds(chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Feeds like those of news sites: (kind, body)."""
    channel = Channel("Zarya", "http://zarya.example/", URL, "ru")
    for number in range(50):
        if number < 20:
            yield "RSS", rss(channel, items(chance, RU, 28))
        elif number < 30:
            yield "full-text RSS", full_text_rss(chance)
        elif number < 40:
            yield "Atom", atom(channel, items(chance, EN, 40), updated=START)
        elif number < 45:
            yield "RDF", rdf(channel, items(chance, EN, 40))
        else:
            yield "RSS cp1251", rss(channel, items(chance, RU, 45), encoding="windows-1251")


def items(chance: random.Random, words: str, count: int) -> list[Item]:
    return [
        Item(
            url=f"http://zarya.example/news/{START.year}/{number}-{chance.randrange(10**6)}.html",
            title=prose(chance, words, 9),
            summary=f"<p>{prose(chance, words, 45)}</p><br/>",
            published=START - timedelta(minutes=17 * number),
            authors=(prose(chance, words, 2).title(),),
            tags=tuple(prose(chance, words, 1) for _ in range(3)),
        )
        for number in range(count)
    ]


def full_text_rss(chance: random.Random) -> bytes:
    """A WordPress feed: ten articles with their text in ``content:encoded``."""
    body = rss(Channel("Zarya", "http://zarya.example/", URL, "en"), items(chance, EN, 10)).decode()
    body = body.replace("<rss ", '<rss xmlns:content="http://purl.org/rss/1.0/modules/content/" ', 1)
    parts = body.split("</item>")
    return "</item>".join([*(part + full_text(chance) for part in parts[:-1]), parts[-1]]).encode()


def full_text(chance: random.Random) -> str:
    picture = '<figure><img src="http://zarya.example/a.jpg" alt="A" width="640"/></figure>'
    paragraphs = "".join(f'<p class="text">{prose(chance, EN, 60)} <a href="/tag">more</a></p>\n' for _ in range(7))
    return f"<content:encoded><![CDATA[{picture}{paragraphs}]]></content:encoded>"


def prose(chance: random.Random, words: str, count: int) -> str:
    return " ".join(chance.choices(words.split(), k=count))


if __name__ == "__main__":
    main()
