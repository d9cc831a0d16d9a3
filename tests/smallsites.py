"""Sites of a page or two, each for one point of the network side: robots.txt, delays, redirects, hostile answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from newsmon.farm.model import Answer, Reply, Site, Visit
from newsmon.storage.schema import UtcTime, metadata

SENTENCE = "The new dam above the old town opened on Friday after six years of work and two floods. "
TEXT, RSS, XML = "text/plain; charset=utf-8", "application/rss+xml", "application/xml"
OPEN = "User-agent: *\nDisallow: /private/\n"


def story(title: str, *, extra: str = "") -> Reply:
    """An article page with three long paragraphs, each saying the title."""
    text = "".join(f"<p>{title}: {number}. {SENTENCE * 4}</p>" for number in range(3))
    page = (
        f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{text}</article>{extra}</body></html>"
    )
    return Reply(page.encode())


def plain(text: str, status: int = 200, **headers: str) -> Reply:
    """A text; ``retry_after`` is the header ``Retry-After``."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Reply(text.encode(), status, TEXT, named)


def redirect(location: str, status: int = 302) -> Reply:
    return Reply(b"", status, None, {"Location": location})


def feed(*urls: str) -> Reply:
    """An RSS feed of these links, as they are."""
    items = "".join(f"<item><title>{url}</title><link><![CDATA[{url}]]></link></item>" for url in urls)
    return Reply(f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'.encode(), 200, RSS)


def sitemap(*urls: str, index: bool = False) -> Reply:
    """A sitemap of pages, or an index of sitemaps."""
    outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    body = "".join(f"<{inner}><loc>{url}</loc></{inner}>" for url in urls)
    return Reply(f'<{outer} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{body}</{outer}>'.encode(), 200, XML)


def site(
    host: str,
    pages: Mapping[str, Answer] | int = 2,
    *,
    robots: Answer | str | None = OPEN,
    links: Iterable[str] = (),
    feeds: Mapping[str, Answer] | None = None,
    aliases: tuple[str, ...] = (),
    **rules: Any,
) -> Site:
    """A site whose feed links to its pages, then to ``links``.

    :param pages: path -> answer, or the number of plain stories.
    :param robots: text or answer; None: there is none.
    :param feeds: path -> answer in place of the usual feed.
    :param rules: further keys of the rule file.
    """
    answers = (
        {f"/{number}": story(f"{host} {number}") for number in range(1, pages + 1)} if isinstance(pages, int) else pages
    )
    made = Site(host, aliases=aliases)
    own = feeds or {"/feed": feed(*(made.url(path) for path in answers), *links)}
    for path, answer in {**answers, **own}.items():
        made.add(path, answer)
    if robots is not None:
        made.add("/robots.txt", plain(robots) if isinstance(robots, str) else robots)
    domain = rules.pop("domain", made.domain)
    version = {"id": "1", "text": ["//article//p"], "title": ["//h1"]}
    listed = {"domain": domain, "feeds": [made.url(path) for path in own], "delay": 0, "versions": [version]}
    return replace(made, rules=listed | rules)


def in_turn(*answers: Reply) -> Callable[[Visit], Reply]:
    """One answer after the other; the last one stays."""
    return lambda visit: answers[min(visit.count, len(answers) - 1)]


def retry_at(seconds: float) -> Callable[[Visit], Reply]:
    """429 with the time of the return as an HTTP date."""
    return lambda visit: plain(
        "slow down", 429, retry_after=format_datetime(visit.now + timedelta(seconds=seconds), usegmt=True)
    )


def let_time_pass(state: Path, **period: float) -> None:
    """Make everything in a store of a crawl that has ended older; ``period`` as for :class:`timedelta`."""
    engine = sa.create_engine(f"sqlite:///{state / 'newsmon.db'}")
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            times = [column for column in table.columns if isinstance(column.type, UtcTime)]
            keys = list(table.primary_key.columns)
            for row in connection.execute(sa.select(*keys, *times)).all() if times else ():
                earlier = {
                    column.name: value - timedelta(**period)
                    for column in times
                    if isinstance(value := row._mapping[column], datetime)
                }
                if earlier:
                    same = sa.and_(*(key == row._mapping[key] for key in keys))
                    connection.execute(sa.update(table).where(same).values(**earlier))
    engine.dispose()
