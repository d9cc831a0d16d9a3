"""The desk of one site: turns stories into routes, feed items and expectations.

A site is declared in :mod:`newsmon.farm.sites` by telling its desk what to publish and how; the desk keeps the books,
so that what is served and what is expected cannot drift apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from newsmon.farm.content import Story, labels, write_story
from newsmon.farm.feeds import Channel, Item
from newsmon.farm.model import HTML, Answer, Expectation, FeedExpectation, OutcomeName, Reply, Site
from newsmon.farm.render import LAYOUTS, Look, article_page, front_page, notice_page, picture

FeedWriter = Callable[[Channel, Sequence[Item]], bytes]
_PAST = timedelta(hours=40)  # age of the oldest story of a site
_NEWEST = timedelta(minutes=20)  # age of the youngest: nothing lies in the future of a crawler whose clock is right


@dataclass(frozen=True, slots=True)
class Press:
    """What all sites of a farm are made from.

    :param articles: ordinary articles per site in stage 0; every later stage brings half as many.
    :param stages: number of stages that bring something new.
    """

    seed: str
    now: datetime
    articles: int
    stages: int

    def schedule(self) -> list[tuple[int, datetime]]:
        """Stage and time of publication of each ordinary article of a site, oldest first."""
        counts = [self.articles, *([max(1, self.articles // 2)] * (self.stages - 1))]
        stages = [stage for stage, count in enumerate(counts) for _ in range(count)]
        step = (_PAST - _NEWEST) / len(stages)
        return [(stage, self.now - _PAST + step * place) for place, stage in enumerate(stages)]


class Desk:
    """Publishes the pages of one site.

    :param first: number of the site's first story; stories of different sites have different numbers.
    :param path: the path under which a story is published.
    :param charset: how pages are encoded, whatever their headers say.
    :param content_type: the header of the site's pages.
    :param lie: the header of stories with odd numbers, when it differs.
    """

    def __init__(
        self,
        press: Press,
        host: str,
        name: str,
        language: str,
        *,
        zone: str,
        layout: str,
        path: Callable[[Story], str],
        first: int,
        color: str = "#37474f",
        charset: str = "utf-8",
        content_type: str = HTML,
        lie: str | None = None,
        aliases: tuple[str, ...] = (),
    ) -> None:
        self.press, self.layout, self.path = press, layout, path
        self.site = Site(host, name, language, aliases)
        self.look = Look(host, name, language, ZoneInfo(zone), color)
        self.charset, self.content_type, self.lie = charset, content_type, lie
        self.items: list[tuple[int, Item]] = []
        self._number = first
        self.stories = [(stage, self.write(at)) for stage, at in press.schedule()]
        latest = [(story.title, path(story)) for stage, story in reversed(self.stories) if stage == 0]
        self.look = replace(self.look, latest=tuple(latest[:8]))

    # -- stories

    def write(self, published: datetime | None = None) -> Story:
        """A new story of this site; without a time it is two hours old."""
        self._number += 1
        at = published or self.press.now - timedelta(hours=2)
        return write_story(self.site.language, self._number, at, seed=f"{self.press.seed}:{self.site.host}")

    def publish_all(self) -> None:
        """Publish the ordinary stories, each in its stage."""
        for stage, story in self.stories:
            self.publish(story, stage=stage)

    def publish(
        self,
        story: Story,
        *,
        stage: int = 0,
        link: str | None = None,
        answer: Answer | None = None,
        **expected: Any,
    ) -> str:
        """Serve a story, list it in the feeds and expect it to be stored.

        :param link: how the feeds write its address; None writes the address itself.
        :param answer: what its address answers; None is its page.
        :param expected: fields of :class:`Expectation` that differ.
        :returns: its address.
        """
        url = self.serve(story, stage=stage, answer=answer)
        self.list_item(story, link or url, stage=stage)
        self.expect_story(story, url, **({"stage": stage} | expected))
        return url

    def serve(self, story: Story, *, target: str | None = None, stage: int = 0, answer: Answer | None = None) -> str:
        """Answer for a story (and its picture) under its path or another one; gives the address."""
        target = target or self.path(story)
        self.illustrate(story)
        self.site.add(target, answer or self.page(story), stage=stage)
        return self.site.url(target)

    def illustrate(self, story: Story) -> None:
        """Serve the picture of a story."""
        self.site.add(f"/images/{story.number}.svg", Reply(picture(story.number), 200, "image/svg+xml"))

    def page(self, story: Story, *, layout: str | None = None, **page: Any) -> Reply:
        """The answer that shows a story; ``page`` as in :func:`article_page`."""
        page.setdefault("canonical", self.site.url(self.path(story)))
        text = article_page(LAYOUTS[layout or self.layout], self.look, story, today=self.press.now, **page)
        reply = self.html(text)
        return replace(reply, content_type=self.lie) if self.lie and story.number % 2 else reply

    def html(self, text: str, *, status: int = 200) -> Reply:
        """An answer in the site's encoding; what that lacks becomes a character reference."""
        return Reply(text.encode(self.charset, "xmlcharrefreplace"), status, self.content_type)

    def notice(self, kind: str, *, heading: str = "", message: str = "", actions: str = "", status: int = 200) -> Reply:
        """A page that is no article; ``kind`` names texts of the language file (``consent``, ``missing``)."""
        own = labels(self.site.language)
        heading, message = heading or own[f"{kind}_title"], message or own[f"{kind}_text"]
        page = notice_page(self.look, heading, message, panel=kind, actions=actions, today=self.press.now)
        return self.html(page, status=status)

    # -- feeds

    def list_item(self, story: Story, url: str, *, stage: int = 0, updated: datetime | None = None) -> None:
        """Let the feeds link a story under an address."""
        item = Item(url, story.title, story.summary, story.published, updated, story.authors, story.tags)
        self.items.append((stage, item))

    def link(self, target: str, *, title: str | None = None, stage: int = 0) -> str:
        """Let the feeds link a path of this site (or a whole address) that is no ordinary story; gives the address."""
        url = self.site.url(target) if target.startswith("/") else target
        at = self.press.now - timedelta(hours=3)
        self.items.append((stage, Item(url, title or self.site.name, published=at.replace(second=0, microsecond=0))))
        return url

    def listed(self, stage: int) -> list[Item]:
        """Feed items of a stage, newest first; an item listed again replaces the older one."""
        found = {item.url: item for since, item in self.items if since <= stage}
        return sorted(found.values(), key=lambda item: item.updated or item.published or self.press.now, reverse=True)

    def feed(
        self,
        target: str,
        write: FeedWriter,
        kind: str,
        content_type: str,
        *,
        pick: Callable[[int, Item], bool] = lambda place, item: True,
        etag: str | None = "",
        moved_to: str | None = None,
        **headers: str,
    ) -> None:
        """Serve a feed of what is listed, in every stage.

        :param pick: chooses items by their place and content.
        :param etag: a constant one is a lie; "" is honest, None sends none.
        :param moved_to: from stage 1 on the feed is there, and a 301 here.
        """
        for stage in range(self.press.stages):
            url = self.site.url(target)
            items = [item for place, item in enumerate(self.listed(stage)) if pick(place, item)]
            channel = Channel(self.site.name, self.site.url("/"), url, self.site.language)
            body = write(channel, items)
            honest = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            own = {name.replace("_", "-").title(): value for name, value in headers.items()}
            reply = Reply(body, 200, content_type, own, etag=honest if etag == "" else etag)
            at = moved_to if moved_to and stage else target
            self.site.add(at, reply, stage=stage)
            links = sum(item.url.startswith("http") for item in items)
            self.expect_feed(url, "ok", kind, links, stage=stage, note="moved by 301" if at != target else "")
        if moved_to:
            self.site.add(target, Reply(b"", 301, headers={"Location": moved_to}), stage=1)

    def front(self, feeds: Iterable[tuple[str, str]]) -> None:
        """Serve the home page of every stage; ``feeds`` are (media type, path)."""
        links = list(feeds)
        for stage in range(self.press.stages):
            shown = [(story, self.path(story)) for since, story in reversed(self.stories) if since <= stage][:9]
            self.site.add("/", self.html(front_page(self.look, shown, links, self.press.now)), stage=stage)

    def robots(self, *lines: str, status: int = 200) -> None:
        """Serve robots.txt."""
        body = "".join(f"{line}\n" for line in lines).encode()
        self.site.add("/robots.txt", Reply(body, status, "text/plain; charset=utf-8"))

    # -- books

    def expect(self, url: str, outcome: OutcomeName, **fields: Any) -> None:
        """Expect an outcome for an address."""
        self.site.expected.append(Expectation(url, self.site.host, outcome, **fields))

    def expect_story(self, story: Story, url: str, **fields: Any) -> None:
        """Expect a story to be stored under an address, with its exact text and metadata."""
        plain = Expectation(
            url,
            self.site.host,
            "stored",
            kind="article",
            title=story.title,
            paragraphs=story.paragraphs,
            authors=story.authors,
            published=story.published,
            language=story.language,
        )
        self.site.expected.append(replace(plain, **fields))

    def expect_feed(self, url: str, state: str, kind: str, links: int, *, stage: int = 0, note: str = "") -> None:
        """Expect what a feed turns out to be."""
        self.site.expected_feeds.append(FeedExpectation(url, self.site.host, state, kind, links, stage, note))

    def odd(self, target: str, answer: Answer, outcome: OutcomeName, **fields: Any) -> str:
        """Serve and list a page that is not an ordinary story, and expect an outcome; gives its address."""
        self.site.add(target, answer)
        url = self.link(target)
        self.expect(url, outcome, **fields)
        return url
