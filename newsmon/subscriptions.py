"""Lists of feeds to rules of sites and back: a site per domain, with its feeds and no XPaths.

::

    OPML ── read_opml ── OpmlFeed ... ──┬── by domain ── SiteRules ──── opml_feeds ── write_opml ── OPML
                                        └── what no crawl could use, and why
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from newsmon.errors import UrlError
from newsmon.extraction.languages import language_code
from newsmon.feeds.opml import OpmlFeed
from newsmon.siterules import WILDCARD, FeedRule, SiteRules, normal_domain
from newsmon.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_NAME = 200  # characters of a site's name


class Subscriptions(NamedTuple):
    """What a list of feeds gave.

    :param left_out: address of a feed -> why there are no rules for it.
    """

    rules: list[SiteRules]
    left_out: dict[str, str]


def rules_of_feeds(feeds: Iterable[OpmlFeed]) -> Subscriptions:
    """Return rules for the sites of some feeds, sorted by domain; feeds of one site are in one rule file.

    The site is that of the feed's home page; where the list names none, that of the feed.

    >>> found = rules_of_feeds([OpmlFeed("http://feeds.example/z", "Zarya", "http://www.zarya.example/")])
    >>> found.rules[0].domain, found.rules[0].feeds[0].url
    ('zarya.example', 'http://feeds.example/z')
    """
    usable: list[tuple[str, OpmlFeed]] = []
    left_out = {}
    for feed in feeds:
        try:
            FeedRule(url=feed.url)
            usable.append((_domain(feed), feed))
        except ValidationError as error:
            left_out[feed.url] = error.errors()[0]["msg"].removeprefix("Value error, ")
        except (UrlError, ValueError) as error:
            left_out[feed.url] = str(error)
    usable.sort(key=lambda item: item[0])
    grouped = groupby(usable, key=lambda item: item[0])
    return Subscriptions([_site(domain, [feed for _, feed in items]) for domain, items in grouped], left_out)


def opml_feeds(sites: Iterable[SiteRules]) -> Iterator[OpmlFeed]:
    """Yield the feeds of some sites for :func:`newsmon.feeds.opml.write_opml`."""
    for rules in sites:
        home = f"https://{rules.domain.removeprefix(WILDCARD)}/"
        for feed in rules.feeds:
            yield OpmlFeed(feed.url, rules.name or rules.domain, home, language=rules.language)


def _domain(feed: OpmlFeed) -> str:
    return normal_domain(host_of(feed.site_url or feed.url).removeprefix("www."))


def _site(domain: str, feeds: Sequence[OpmlFeed]) -> SiteRules:
    """The rules of a site; what only some of its feeds say is not said of the site."""
    names = {feed.title[:MAX_NAME] if feed.title else None for feed in feeds}
    languages = {language_code(feed.language or "") for feed in feeds}
    return SiteRules(
        domain=domain,
        name=names.pop() if len(names) == 1 else None,
        feeds=tuple(FeedRule(url=url) for url in dict.fromkeys(feed.url for feed in feeds)),
        language=languages.pop() if len(languages) == 1 else None,
    )
