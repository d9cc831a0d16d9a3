"""Many plain sites with pages of realistic weight, for benches: one feed, no delay, nothing difficult.

A page of 100 KB holds the article in one of three designs of the demo, and around it what weighs on real pages: style
sheets, scripts, a menu, columns of teasers. The pages are made once and kept compressed.
"""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from html import escape
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from newsmon.farm import feeds
from newsmon.farm.content import Story, write_story
from newsmon.farm.model import Expectation, FeedExpectation, Reply, Site
from newsmon.farm.render import LAYOUTS, Look, article_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_STYLE_SHARE, _SCRIPT_SHARE = 0.2, 0.4  # of the weight around an article; teasers are the rest
_POOL = 400  # titles per language from which teasers are drawn


@dataclass(frozen=True, slots=True)
class Design:
    """A layout of the demo with the rule fields that read it."""

    layout: str
    language: str
    zone: str
    fields: Mapping[str, Sequence[str]]


DESIGNS = (
    Design(
        "zarya",
        "ru",
        "Europe/Moscow",
        {
            "text": ["//p[@class='topic-text']"],
            "title": ["//h1[@class='topic-title']"],
            "authors": ["//span[@class='topic-author']"],
            "published": ["//span[@class='topic-time']"],
        },
    ),
    Design(
        "courier",
        "en",
        "America/New_York",
        {
            "text": ["//section[@name='articleBody']/p"],
            "title": ["//h1[@data-testid='headline']"],
            "authors": ["//p[@class='byline']"],
            "published": ["//article//time/@datetime"],
        },
    ),
    Design(
        "abendpost",
        "de",
        "Europe/Berlin",
        {
            "text": ["//p[@class='artikel-absatz']"],
            "title": ["//span[@class='artikel__titel']"],
            "authors": ["//div[@class='artikel__autor']"],
            "published": ["//div[@class='artikel__zeit']"],
        },
    ),
)


def bulk_sites(hosts: int, articles: int, page_kb: int, *, seed: str, now: datetime) -> list[Site]:
    """``hosts`` sites of ``articles`` pages each, about ``page_kb`` kilobytes a page before compression."""
    return [_bulk_site(place, articles, page_kb, seed, now) for place in range(hosts)]


def _bulk_site(place: int, articles: int, page_kb: int, seed: str, now: datetime) -> Site:
    design = DESIGNS[place % len(DESIGNS)]
    host = f"bulk-{place:03d}.example"
    look = Look(host, f"Bulk {place}", design.language, ZoneInfo(design.zone))
    site = Site(host, look.name, design.language)
    feed_url = site.url("/rss.xml")
    items = []
    for number in range(articles):
        story = write_story(design.language, number, now - timedelta(minutes=5 * (number + 1)), seed=f"{seed}:{host}")
        url = site.url(f"/news/{number}.html")
        page = article_page(LAYOUTS[design.layout], look, story, canonical=url, today=now)
        weighed = _weighed(page, page_kb * 1000, design.language, random.Random(f"{seed}:{host}:{number}"))
        site.add(f"/news/{number}.html", Reply(packed=gzip.compress(weighed.encode(), 6, mtime=0)))
        site.expected.append(_expectation(site, story, url))
        items.append(feeds.Item(url, story.title, None, story.published))
    body = feeds.rss(feeds.Channel(site.name, site.url("/"), feed_url, site.language), items)
    site.add("/rss.xml", Reply(body, 200, "application/rss+xml", etag='"bulk"'))
    site.add("/robots.txt", Reply(b"User-agent: *\nDisallow:\n", 200, "text/plain"))
    site.expected_feeds.append(FeedExpectation(feed_url, host, "ok", "rss", articles))
    site.rules = {
        "domain": host,
        "feeds": [feed_url],
        "language": design.language,
        "time_zone": design.zone,
        "delay": 0,
        "versions": [{"id": "bulk", **design.fields}],
    }
    return site


def _expectation(site: Site, story: Story, url: str) -> Expectation:
    return Expectation(
        url,
        site.host,
        "stored",
        kind="article",
        title=story.title,
        paragraphs=story.paragraphs,
        authors=story.authors,
        published=story.published,
        language=story.language,
    )


def _weighed(page: str, size: int, language: str, chance: random.Random) -> str:
    """The page with furniture around the article until it has ``size`` bytes."""
    missing = max(0, size - len(page.encode()))
    style, script = _style(int(missing * _STYLE_SHARE)), _script(int(missing * _SCRIPT_SHARE))
    head, body_end, tail = page.rpartition("</body>")
    teasers = _teasers(missing - len(style) - len(script), language, chance)
    return head.replace("</head>", f"{style}</head>", 1) + teasers + script + body_end + tail


@cache
def _style(size: int) -> str:
    chance = random.Random(size)
    rules, length = [], 0
    while length < size:
        rule = (
            f".m-{chance.randrange(9999):04d}__item--{chance.randrange(999)}{{margin:{chance.randrange(40)}px;"
            f"padding:{chance.randrange(30)}px {chance.randrange(30)}px;color:#{chance.randrange(1 << 24):06x}}}"
        )
        rules.append(rule)
        length += len(rule)
    return f"<style>{''.join(rules)}</style>"


@cache
def _script(size: int) -> str:
    chance = random.Random(size)
    calls, length = [], 0
    while length < size:
        call = (
            f"window.q=window.q||[];q.push({{id:{chance.randrange(1 << 31)},slot:'s{chance.randrange(999)}',"
            f"sizes:[[{chance.randrange(900)},{chance.randrange(600)}]],key:'{chance.randrange(1 << 63):x}'}});"
        )
        calls.append(call)
        length += len(call)
    return f"<script>{''.join(calls)}</script>"


@cache
def _pool(language: str) -> Sequence[tuple[str, str]]:
    epoch = datetime.fromisoformat("2026-01-01T00:00+00:00")
    stories = (write_story(language, number, epoch, seed="teasers", paragraphs=1) for number in range(_POOL))
    return [(escape(story.title), escape(story.summary)) for story in stories]


def _teasers(size: int, language: str, chance: random.Random) -> str:
    blocks, length = [], 0
    while length < size:
        number, (title, summary) = chance.randrange(1 << 20), chance.choice(_pool(language))
        block = (
            f'<div class="teaser teaser--{number % 7}"><a class="teaser__link" href="/news/{number}.html">'
            f'<img class="teaser__image" src="/images/{number}_320x180.jpg" width="320" height="180" alt="">'
            f'<h3 class="teaser__title">{title}</h3></a><p class="teaser__text">{summary}</p>'
            f'<span class="teaser__meta">{number % 24:02d}:{number % 60:02d}</span></div>\n'
        )
        blocks.append(block)
        length += len(block.encode())
    return f'<div class="recommendations">{"".join(blocks)}</div>'
