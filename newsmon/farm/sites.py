"""The demo's sites, one function each: a language, a design, a kind of feed, and the difficulties of real sites.

| site | language | feed | what is difficult |
|---|---|---|---|
| zarya.example | ru | RSS 2.0, two feeds | "вчера, 15:30", tracking parameters, 404, 410, Disallow |
| vestnik.example | ru | RSS in windows-1251 | windows-1251 sent as UTF-8; redesign; redirects |
| visnyk.example | uk | Atom | koi8-u; an edited article; consent by redirect; Request-rate |
| dumka.example | uk | news sitemap | robots.txt moved; 429 with seconds; archive in gzipped sitemaps |
| courier.example | en | JSON Feed, moved by 301 | AMP, mobile, print variants; paywall; video; ticker; 429 |
| tribune.example | en | RDF, lying ETag | two layouts at once; login, challenge and section pages |
| pulse.example | en | RSS 2.0 | content by JavaScript only |
| chenbao.example | zh | sitemap index, gzipped news sitemap | gb18030 called gb2312 and ISO-8859-1; soft 404 |
| abendpost.example | de | RSS 2.0 with ttl | consent wall; an article in JSON-LD only |
"""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from newsmon.farm import feeds
from newsmon.farm.content import Story, labels, new_paragraph, relative_date_text
from newsmon.farm.desk import Desk, Press
from newsmon.farm.model import HTML, Answer, Reply, Site, Visit
from newsmon.farm.render import front_page

if TYPE_CHECKING:
    from collections.abc import Callable

RSS, ATOM, JSON_FEED = "application/rss+xml", "application/atom+xml", "application/feed+json"
XML, GZIP, TEXT = "application/xml", "application/gzip", "text/plain"


def zarya(press: Press) -> Site:
    """Russian daily: relative dates, every article in two feeds with tracking parameters, dead and forbidden links."""
    desk = Desk(
        press, "zarya.example", "Заря", "ru", zone="Europe/Moscow", layout="zarya", first=1000, color="#c4161c",
        path=lambda story: f"/news/{story.published:%Y/%m/%d}/{story.number}/",
    )  # fmt: skip
    for stage, story in desk.stories:
        tracked = desk.site.url(f"{desk.path(story)}?utm_source=rss&utm_medium=feed")
        url = desk.publish(story, stage=stage, link=tracked, answer=_dated_anew(desk, story))
        desk.expect(tracked, "duplicate", same_as=url, stage=stage, note="tracking parameters")
    desk.odd("/news/lost/", desk.notice("missing", status=404), "gone", note="404")
    desk.odd("/news/withdrawn/", desk.notice("missing", status=410), "gone", note="410")
    desk.odd("/internal/draft/", desk.page(desk.write()), "forbidden", note="Disallow: /internal/")
    desk.robots("User-agent: *", "Crawl-delay: 0.5", "Disallow: /internal/", "Disallow: /search")
    desk.feed("/rss.xml", partial(feeds.rss, ttl=5), "rss", RSS)
    desk.feed("/rss/top.xml", _retracked(feeds.rss, "utm_source=rss&utm_medium=feed", "from=top&fbclid=x1"), "rss", RSS)
    desk.front([(RSS, "/rss.xml"), (RSS, "/rss/top.xml")])
    return desk.site


def vestnik(press: Press) -> Site:
    """Russian weekly in windows-1251, partly sent as UTF-8; its redesign in stage 1 is unknown to its rule."""
    desk = Desk(
        press, "vestnik.example", "Вестник Заречья", "ru", zone="Europe/Moscow", layout="vestnik", first=2000,
        path=lambda story: f"/article.php?id={story.number}", color="#1a4b8c",
        charset="windows-1251", content_type="text/html", lie=HTML,
    )  # fmt: skip
    for stage, story in desk.stories:
        new = desk.page(story, layout="vestnik_new")
        desk.serve(story, stage=max(stage, 1), answer=new)
        if stage == 0:
            desk.publish(story)
        else:
            url = desk.site.url(desk.path(story))
            desk.list_item(story, url, stage=stage)
            desk.expect_story(story, url, stage=stage, note="redesign unknown to the rule: read without it")
    moved = desk.write()
    final = desk.serve(moved)
    desk.site.add("/go/1", Reply(b"", 301, headers={"Location": "/go/2"}))
    desk.site.add("/go/2", Reply(b"", 302, headers={"Location": final}))
    desk.list_item(moved, desk.site.url("/go/1"))
    desk.expect_story(moved, desk.site.url("/go/1"), final_url=final, note="301, then 302")
    desk.robots("User-agent: *", "Crawl-delay: 0.5", "Disallow: /print/")
    desk.feed("/rss/all.xml", partial(feeds.rss, encoding="windows-1251"), "rss", "text/xml")
    desk.front([(RSS, "/rss/all.xml")])
    return desk.site


def visnyk(press: Press) -> Site:
    """Ukrainian blog-like site in koi8-u; its oldest article is edited in stage 1."""
    desk = Desk(
        press, "visnyk.example", "Вісник", "uk", zone="Europe/Kyiv", layout="visnyk", first=3000, color="#00695c",
        path=lambda story: f"/{story.published:%Y/%m}/zamitka-{story.number}/",
        charset="koi8-u", content_type="text/html", lie=HTML,
    )  # fmt: skip
    desk.publish_all()
    _edit(desk, desk.stories[0][1])
    walled = desk.write()
    wall = f"/zgoda/?return={walled.number}"
    desk.site.add(wall, desk.notice("consent", actions=_buttons(desk)))
    _walled(desk, walled, Reply(b"", 302, headers={"Location": wall}), final_url=desk.site.url(wall))
    desk.robots("User-agent: *", "Request-rate: 2/1")
    desk.feed("/feed/atom/", partial(feeds.atom, updated=press.now), "atom", ATOM)
    desk.front([(ATOM, "/feed/atom/")])
    return desk.site


def dumka(press: Press) -> Site:
    """Ukrainian paper with a news sitemap, and archive sitemaps for backfill."""
    desk = Desk(
        press, "dumka.example", "Думка", "uk", zone="Europe/Kyiv", layout="dumka", first=4000, color="#b71c1c",
        path=lambda story: f"/statti/{story.number}.html",
    )  # fmt: skip
    desk.publish_all()
    busy = desk.write()
    desk.publish(busy, answer=_busy_once(desk.page(busy), lambda visit: "1"), note="429 first, Retry-After in seconds")
    desk.feed("/news-sitemap.xml", feeds.news_sitemap, "sitemap", XML, etag=None, last_modified=_http_date(press))
    _archive(desk, days=(33, 36, 64, 70))
    desk.site.add("/robots.txt", Reply(b"", 301, headers={"Location": "/robots-current.txt"}))
    lines = ["User-agent: *", "Crawl-delay: 0.5", "Sitemap: http://dumka.example/news-sitemap.xml"]
    lines.append("Sitemap: http://dumka.example/sitemap.xml")
    desk.site.add("/robots-current.txt", Reply("\r\n".join(lines).encode(), 200, TEXT))
    desk.front([])
    return desk.site


def courier(press: Press) -> Site:
    """American daily: variants of one article, walls, and pages that are no articles; robots.txt is missing."""
    desk = Desk(
        press, "courier.example", "The Northhaven Courier", "en", zone="America/New_York", layout="courier", first=5000,
        path=lambda story: f"/{story.published:%Y/%m/%d}/{story.slug}.html",
        aliases=("m.courier.example",), color="#111",
    )  # fmt: skip
    desk.publish_all()
    for story, variant, host, layout, note in (
        (desk.stories[0][1], "/amp", None, "courier_amp", "AMP variant"),
        (desk.stories[1][1], "", "m.courier.example", "courier", "mobile variant"),
        (desk.stories[2][1], "?print=1", None, "courier", "print variant with rel=canonical"),
    ):
        url = desk.serve(story, target=desk.path(story) + variant, answer=desk.page(story, layout=layout))
        same = desk.site.url(desk.path(story))
        url = desk.site.url(desk.path(story) + variant, host=host)
        desk.list_item(story, url)
        desk.expect(url, "duplicate", same_as=same, note=note)
    again = desk.stories[0][1]
    url = desk.serve(again, target=f"/stories/{again.number}")
    desk.list_item(again, url)
    desk.expect(url, "duplicate", same_as=desk.site.url(desk.path(again)), note="another address, same rel=canonical")
    _courier_no_articles(desk)
    busy = desk.write()
    until = partial(_seconds_later, 2)
    desk.publish(busy, answer=_busy_once(desk.page(busy), until), note="429 first, Retry-After as a date")
    desk.feed("/feed.json", feeds.json_feed, "json", JSON_FEED, moved_to="/feeds/top.json")
    desk.front([(JSON_FEED, "/feed.json")])
    return desk.site


def tribune(press: Press) -> Site:
    """British paper that shows two layouts at once and whose feed keeps its ETag whatever it contains."""
    desk = Desk(
        press, "tribune.example", "Fallow Tribune", "en", zone="Europe/London", layout="tribune", first=6000,
        path=lambda story: f"/story/{story.number}", color="#0d47a1",
    )  # fmt: skip
    for stage, story in desk.stories:
        layout = "tribune_b" if story.number % 2 else "tribune"
        desk.publish(story, stage=stage, answer=desk.page(story, layout=layout))
    form = (
        '<form method="post"><input name="user"><input type="password" name="password"><button>Sign in</button></form>'
    )
    login = desk.notice("login", heading="Sign in", message="Please log in to read this page.", actions=form)
    desk.odd("/members/report", login, "not_article", kind="login")
    challenge = desk.notice(
        "challenge",
        heading="Just a moment...",
        message="Checking your browser. Enable JavaScript and cookies to continue.",
    )
    desk.odd("/story/checked", challenge, "not_article", kind="challenge", note="bot challenge with status 200")
    headlines = [(replace(desk.write(), summary=""), f"/archive/{number}") for number in range(20)]
    for story, _ in headlines:
        desk.illustrate(story)
    desk.odd("/section/1", desk.html(front_page(desk.look, headlines, [], press.now)), "not_article", kind="section")
    desk.robots("User-agent: *", "Crawl-delay: 0.5", "Disallow: /cgi-bin/")
    desk.feed("/index.rdf", feeds.rdf, "rdf", "application/rdf+xml", etag='"tribune"')
    desk.front([("application/rdf+xml", "/index.rdf")])
    return desk.site


def pulse(press: Press) -> Site:
    """A site whose pages are empty until a script has fetched the story, 300 ms after the page loaded."""
    desk = Desk(
        press, "pulse.example", "Pulse", "en", zone="UTC", layout="pulse", first=7000, color="#0f172a",
        path=lambda story: f"/stories/{story.number}",
    )  # fmt: skip
    desk.stories = desk.stories[:2] + [pair for pair in desk.stories if pair[0]][:2]  # a browser takes its time
    for stage, story in desk.stories:
        desk.publish(story, stage=stage, needs_browser=True, note="content by script")
        record = {
            "title": story.title,
            "authors": story.authors,
            "published": story.published.isoformat(),
            "date": f"{story.published:%d %B %Y, %H:%M} UTC",
            "image": f"/images/{story.number}.svg",
            "paragraphs": story.paragraphs,
        }
        data = Reply(json.dumps(record).encode(), 200, "application/json")
        desk.site.add(f"/api/stories/{story.number}.json", data, stage=stage)
    desk.robots("User-agent: *", "Disallow:")
    desk.feed("/rss", feeds.rss, "rss", RSS)
    desk.front([(RSS, "/rss")])
    return desk.site


def chenbao(press: Press) -> Site:
    """Chinese morning paper in gb18030 that claims gb2312 in the page and, on some, ISO-8859-1 in the header."""
    desk = Desk(
        press, "chenbao.example", "北港晨报", "zh", zone="Asia/Shanghai", layout="chenbao", first=8000, color="#c00",
        path=lambda story: f"/{story.published:%Y%m%d}/c{story.number}.shtml",
        charset="gb18030", content_type="text/html", lie="text/html; charset=ISO-8859-1",
    )  # fmt: skip
    desk.publish_all()
    desk.odd("/20200101/c1.shtml", desk.notice("missing"), "not_article", kind="soft_404", note="status 200")
    desk.robots("User-agent: *", "Crawl-delay: 0.5", "Sitemap: http://chenbao.example/sitemap_index.xml")
    desk.feed("/sitemap-news.xml.gz", _gzipped(feeds.news_sitemap), "sitemap", GZIP)
    index = feeds.sitemap_index([(desk.site.url("/sitemap-news.xml.gz"), press.now)])
    desk.site.add("/sitemap_index.xml", Reply(index, 200, XML))
    desk.expect_feed(desk.site.url("/sitemap_index.xml"), "ok", "sitemapindex", 1)
    desk.front([])
    return desk.site


def abendpost(press: Press) -> Site:
    """German evening paper: a cookie wall before some articles, one article only in JSON-LD."""
    desk = Desk(
        press, "abendpost.example", "Abendpost", "de", zone="Europe/Berlin", layout="abendpost", first=9000,
        path=lambda story: f"/artikel/{story.number}.html", color="#a05a00",
    )  # fmt: skip
    desk.publish_all()
    for _ in range(2):
        story = desk.write()
        wall = desk.notice("consent", actions=_buttons(desk))
        _walled(desk, story, partial(_behind_consent, wall, desk.page(story)))
    bare = desk.write()
    desk.publish(bare, answer=desk.page(bare, layout="jsonld_only", ld_text=True), note="JSON-LD only")
    desk.robots("User-agent: *", "Crawl-delay: 0.5")
    desk.feed("/rss/aktuell.xml", partial(feeds.rss, ttl=10), "rss", RSS)
    desk.front([(RSS, "/rss/aktuell.xml")])
    return desk.site


NEWS_SITES: tuple[Callable[[Press], Site], ...] = (
    zarya, vestnik, visnyk, dumka, courier, tribune, pulse, chenbao, abendpost,
)  # fmt: skip


def _dated_anew(desk: Desk, story: Story) -> Answer:
    """The story's page, its date written as of the visit: today, yesterday, or the day."""

    def answer(visit: Visit) -> Reply:
        return desk.page(story, date=relative_date_text(story.published, "ru", desk.look.zone, visit.now))

    return answer


def _busy_once(reply: Reply, retry_after: Callable[[Visit], str]) -> Answer:
    """429 at the first visit, the reply ever after."""

    def answer(visit: Visit) -> Reply:
        if visit.count:
            return reply
        return Reply(b"slow down", 429, TEXT, {"Retry-After": retry_after(visit)})

    return answer


def _behind_consent(wall: Reply, page: Reply, visit: Visit) -> Reply:
    agreed = "consent=1" in visit.headers.get("Cookie", "") or "consent=1" in visit.target
    return page if agreed else wall


def _walled(desk: Desk, story: Story, answer: Answer, **expected: str) -> None:
    """List a story that a crawler never sees for the consent page before it."""
    url = desk.serve(story, answer=answer)
    desk.list_item(story, url)
    desk.expect(url, "not_article", kind="consent", note="consent wall", **expected)


def _edit(desk: Desk, story: Story) -> None:
    """From stage 1 on the story has one more paragraph, a time of change, and a newer ``updated`` in the feed."""
    changed = desk.press.now - timedelta(minutes=5)
    added = (*story.paragraphs, new_paragraph(story, seed=desk.press.seed))
    edited = replace(story, paragraphs=added, modified=changed.replace(second=0, microsecond=0))
    url = desk.serve(edited, stage=1)
    desk.list_item(edited, url, stage=1, updated=edited.modified)
    desk.expect_story(edited, url, stage=1, revision=2, note="edited")


def _archive(desk: Desk, days: tuple[int, ...]) -> None:
    """Older stories, found only in the gzipped monthly sitemaps of a sitemap index."""
    months: dict[str, list[feeds.Item]] = {}
    for age in days:
        story = desk.write(desk.press.now - timedelta(days=age))
        url = desk.serve(story)
        months.setdefault(f"{story.published:%Y-%m}", []).append(feeds.Item(url, published=story.published))
        desk.expect_story(story, url, backfill=True, note="archive")
    children = []
    for month, items in sorted(months.items()):
        target = f"/sitemap-{month}.xml.gz"
        desk.site.add(target, Reply(gzip.compress(feeds.sitemap(items), mtime=0), 200, GZIP))
        children.append((desk.site.url(target), max(item.published for item in items if item.published)))
    desk.site.add("/sitemap.xml", Reply(feeds.sitemap_index(children), 200, XML))


def _courier_no_articles(desk: Desk) -> None:
    """A paywall stub, a video page and a live ticker."""
    stub, video, ticker = desk.write(), desk.write(), desk.write()
    gate = f'<div class="gate paywall"><p>{labels("en")["paywall_text"]}</p><button>Subscribe</button></div>'
    player = '<div class="player"><video controls src="/video/1.mp4" poster="/images/1.svg"></video></div>'
    moments = [f"{hour:02d}:15 {text}" for hour, text in enumerate(ticker.paragraphs, start=9)]
    for kind, story, page in (
        ("paywall", stub, desk.page(stub, paragraphs=stub.paragraphs[:1], free=False, after=gate)),
        ("video", video, desk.page(video, paragraphs=(), ld_type="VideoObject", after=player)),
        ("ticker", ticker, desk.page(ticker, paragraphs=moments, ld_type="LiveBlogPosting")),
    ):
        url = desk.serve(story, answer=page)
        desk.list_item(story, url)
        desk.expect(url, "not_article", kind=kind)


def _buttons(desk: Desk) -> str:
    own = labels(desk.site.language)
    return f"<button>{escape(own['accept'])}</button><button>{escape(own['settings'])}</button>"


def _retracked(write: Callable[..., bytes], old: str, new: str) -> Callable[..., bytes]:
    """The same feed with other tracking parameters on its links."""
    return lambda channel, items: write(channel, [replace(item, url=item.url.replace(old, new)) for item in items])


def _gzipped(write: Callable[..., bytes]) -> Callable[..., bytes]:
    return lambda channel, items: gzip.compress(write(channel, items), mtime=0)


def _seconds_later(seconds: float, visit: Visit) -> str:
    return format_datetime(visit.now + timedelta(seconds=seconds), usegmt=True)


def _http_date(press: Press) -> str:
    return format_datetime(press.now, usegmt=True)
