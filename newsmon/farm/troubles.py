"""Sites that are broken, closed or hostile: nothing of them may hurt the crawl of the others.

| site | language | what it does |
|---|---|---|
| stumm.example | de | robots.txt answers 503: to be left alone entirely |
| wirr.example | de | a feed cut off in the middle, an HTML page for a feed, an empty feed |
| trap.example | en | redirects to private addresses and files, loops, a drip, a gzip bomb, a 200,000-deep page |
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from newsmon.farm import feeds
from newsmon.farm.desk import Desk, Press
from newsmon.farm.model import Reply, Site
from newsmon.farm.sites import RSS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BOMB_MEGABYTES = 200
_DEPTH = 200_000
_REFUSED_LINKS = (
    ("file:///etc/hostname", "a file"),
    ("javascript:alert(1)", "a script"),
    ("http://2130706434/decimal", "loopback written as one number"),
    ("http://0x7f.0.0.2/hexadecimal", "loopback in hexadecimal"),
    ("http://[::ffff:10.0.0.1]/mapped", "a private address mapped into IPv6"),
    ("http://user:secret@trap.example/userinfo", "user name and password"),
)
_REFUSED_REDIRECTS = (
    ("http://127.0.0.2/admin", "redirect to loopback"),
    ("http://10.0.0.1/", "redirect to a private address"),
    ("http://169.254.169.254/latest/meta-data/", "redirect to link-local"),
    ("file:///etc/passwd", "redirect to a file"),
)


def stumm(press: Press) -> Site:
    """A site that cannot serve its robots.txt: by RFC 9309 nothing of it may be fetched."""
    desk = Desk(
        press, "stumm.example", "Stumm", "de", zone="Europe/Berlin", layout="plain", first=10_000,
        path=lambda story: f"/{story.number}.html",
    )  # fmt: skip
    for stage, story in desk.stories[:2]:
        url = desk.serve(story, stage=stage)
        desk.list_item(story, url)
        desk.expect(url, "forbidden", note="robots.txt answers 503; not even its feed may be asked for")
    desk.robots("try later", status=503)
    desk.feed("/rss.xml", feeds.rss, "rss", RSS)
    desk.site.expected_feeds = [replace(desk.site.expected_feeds[0], state="forbidden", links=0)]
    return desk.site


def wirr(press: Press) -> Site:
    """A site whose feeds are all wrong in some way; what can be read of them is good."""
    desk = Desk(
        press, "wirr.example", "Wirrwarr", "de", zone="Europe/Berlin", layout="plain", first=11_000,
        path=lambda story: f"/beitrag/{story.number}",
    )  # fmt: skip
    for stage, story in desk.stories:
        desk.publish(story, stage=stage)
    lost = desk.site.expected.pop(0)  # the feed is cut inside its last entry, which is the oldest
    desk.robots("User-agent: *", "Disallow:")
    desk.feed("/kaputt.xml", _cut_in_last_entry, "rss", RSS)
    whole = [each for each in desk.site.expected_feeds if each.url.endswith("/kaputt.xml")]
    cut = [replace(each, state="partial", links=each.links - 1, note=f"cut inside {lost.url}") for each in whole]
    desk.site.expected_feeds = cut
    desk.site.add("/seite.xml", desk.notice("missing"))
    desk.expect_feed(desk.site.url("/seite.xml"), "html", "", 0, note="an HTML page in place of a feed")
    empty = feeds.rss(feeds.Channel(desk.site.name, desk.site.url("/"), desk.site.url("/leer.xml"), "de"), [])
    desk.site.add("/leer.xml", Reply(empty, 200, RSS))
    desk.expect_feed(desk.site.url("/leer.xml"), "empty", "rss", 0)
    return desk.site


def trap(press: Press) -> Site:
    """A hostile site: every link but two is to be refused or given up."""
    desk = Desk(
        press, "trap.example", "Trap", "en", zone="UTC", layout="plain", first=12_000,
        path=lambda story: f"/item/{story.number}",
    )  # fmt: skip
    desk.publish(desk.stories[0][1], note="an honest article")
    nasty = desk.write()
    written = (*nasty.paragraphs, "He typed <script>alert('text')</script> and =SUM(1+1) into the form & left.")
    nasty = replace(nasty, title="=SUM(1+1) & 'quotes' \" > <", paragraphs=written)
    desk.publish(nasty, note="markup and formulas as text")
    for link, note in _REFUSED_LINKS:
        desk.expect(desk.link(link), "refused", note=note)
    for number, (location, note) in enumerate(_REFUSED_REDIRECTS):
        desk.odd(f"/away/{number}", _redirect(location), "refused", note=note)
    desk.site.add("/loop/b", _redirect("/loop/a"))
    desk.odd("/loop/a", _redirect("/loop/b"), "failed", note="redirect loop")
    desk.odd("/drip", Reply(manner="drip"), "failed", note="one byte every 100 ms")
    desk.odd("/bomb", lambda visit: _bomb(), "refused", note=f"{_BOMB_MEGABYTES} MB in a small gzip body")
    deep = Reply(b"<html><body>" + b"<div>" * _DEPTH + b"deep")
    desk.odd("/deep", deep, "not_article", kind="unparsable", note=f"{_DEPTH:,} nested elements")
    desk.robots("User-agent: *", "Disallow: /secret")
    desk.feed("/rss.xml", feeds.rss, "rss", RSS)
    return desk.site


TROUBLE_SITES: tuple[Callable[[Press], Site], ...] = (stumm, wirr, trap)


def _redirect(location: str) -> Reply:
    return Reply(b"", 302, headers={"Location": location})


def _cut_in_last_entry(channel: feeds.Channel, items: Sequence[feeds.Item]) -> bytes:
    whole = feeds.rss(channel, items)
    return whole[: whole.rindex(b"<item>") + len(b"<item>\n<title>ab")]


@cache
def _bomb() -> Reply:
    """Zeros behind a small gzip body; packed block by block, so that making it costs neither memory nor time."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    packed = b"".join(pack.compress(block) for _ in range(_BOMB_MEGABYTES)) + pack.flush()
    return Reply(packed=packed, only_packed=True)
