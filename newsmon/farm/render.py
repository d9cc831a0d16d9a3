"""Stories into pages: the layouts of the farm's sites and the values their HTML templates take.

A layout is a file under ``templates/`` (``string.Template``: ``$title``, ``$body`` ...) plus the few things that are
code: how a paragraph is marked up, what stands between paragraphs, how dates and names are written.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from newsmon.farm.content import Story, date_text, labels, words

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

DateWriter = Callable[[datetime, str, tzinfo], str]


def _numeric_date(moment: datetime, _: str, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%d.%m.%Y %H:%M}"


def _american_date(moment: datetime, language: str, zone: tzinfo) -> str:
    local = moment.astimezone(zone)
    clock = local.strftime("%I:%M %p").lstrip("0").replace("AM", "a.m.").replace("PM", "p.m.")
    return f"{words(language)['months'][local.month - 1]} {local.day}, {local.year}, {clock} {local:%Z}"


@dataclass(frozen=True, slots=True)
class Layout:
    """One page design.

    :param template: file name under ``templates/`` without ``.html``.
    :param paragraph: markup of one paragraph; ``{}`` is its content.
    :param insert: markup of what stands inside the text but is none of it (advert, related story).
    :param by: what the byline begins with; ``{}`` are the names.
    """

    template: str
    paragraph: str = "<p>{}</p>"
    insert: str = '<aside class="note">{}</aside>'
    by: str = "{}"
    joiner: str = ", "
    date: DateWriter = date_text


LAYOUTS: Mapping[str, Layout] = {
    layout.template: layout
    for layout in (
        Layout("zarya", '<p class="topic-text">{}</p>', '<div class="topic-incut">{}</div>', by="Автор: {}"),
        Layout("vestnik", "{}<br><br>", '<table class="box"><tr><td>{}</td></tr></table>', date=_numeric_date),
        Layout("vestnik_new", "<p>{}</p>", '<div class="story__card">{}</div>'),
        Layout("visnyk", "<p>{}</p>", '<div class="related-inline">{}</div>'),
        Layout("dumka", "<p>{}</p>", '<p class="c-ad">{}</p>'),
        Layout("courier", insert='<div class="promo">{}</div>', by="By {}", joiner=" and ", date=_american_date),
        Layout("courier_amp", insert='<div class="amp-ad">{}</div>', by="By {}", joiner=" and ", date=_american_date),
        Layout("tribune", insert='<div class="story-related">{}</div>'),
        Layout("tribune_b", '<div class="b-article__p">{}</div>', '<div class="b-article__box">{}</div>', by="By {}"),
        Layout("pulse"),
        Layout("chenbao", "<p>\u3000\u3000{}</p>", '<p class="ad">{}</p>', by="记者 {}", joiner="、"),
        Layout("abendpost", '<p class="artikel-absatz">{}</p>', '<div class="artikel-hinweis">{}</div>', by="Von {}"),
        Layout("jsonld_only"),
        Layout("plain", insert='<div class="note">{}</div>'),
    )
}


@dataclass(frozen=True)
class Look:
    """What all pages of one site share.

    :param zone: the zone in which its pages print times.
    :param latest: titles with addresses, for the side column.
    """

    host: str
    name: str
    language: str
    zone: ZoneInfo
    color: str = "#37474f"
    latest: Sequence[tuple[str, str]] = field(default=())


def article_page(
    layout: Layout,
    look: Look,
    story: Story,
    *,
    canonical: str,
    today: datetime,
    date: str | None = None,
    paragraphs: Sequence[str] | None = None,
    free: bool = True,
    ld_type: str = "NewsArticle",
    ld_text: bool = False,
    after: str = "",
    amp: str = "",
) -> str:
    """The page of a story.

    :param date: how the page names the time of publication; None writes it as the layout does.
    :param paragraphs: what of the text the page shows; None shows all of it.
    :param free: False marks the JSON-LD ``isAccessibleForFree: false``.
    :param ld_type: what the JSON-LD says the page is.
    :param ld_text: the JSON-LD holds the article's text.
    :param after: markup after the text.
    """
    shown = story.paragraphs if paragraphs is None else paragraphs
    values = _furniture(look, today) | {
        "title": escape(story.title),
        "summary": escape(story.summary),
        "section": escape(story.section),
        "number": str(story.number),
        "keywords": escape(", ".join(story.tags)),
        "tags": "".join(f'<a href="/tags/{number}">{escape(tag)}</a> ' for number, tag in enumerate(story.tags)),
        "canonical": escape(canonical),
        "amp": escape(amp),
        "image": f"/images/{story.number}.svg",
        "date": escape(date or layout.date(story.published, look.language, look.zone)),
        "iso": story.published.astimezone(look.zone).isoformat(),
        "modified_iso": (story.modified or story.published).astimezone(look.zone).isoformat(),
        "byline": escape(layout.by.format(layout.joiner.join(story.authors))),
        "authors_text": escape(", ".join(story.authors)),
        "authors_spans": "".join(_author_span(name) for name in story.authors),
        "jsonld": _json_ld(look, story, canonical, kind=ld_type, free=free, text=ld_text),
        "body": _body(layout, look, shown, story.number),
        "og_type": "video.other" if ld_type == "VideoObject" else "article",
        "after": after,
    }
    return _template(layout.template).substitute(values)


def notice_page(look: Look, heading: str, message: str, *, panel: str, actions: str = "", today: datetime) -> str:
    """A page that is no article: a wall, an error, a form. ``panel`` is the id of its box."""
    values = {"heading": escape(heading), "message": escape(message), "panel": panel, "actions": actions}
    return _template("notice").substitute(_furniture(look, today) | values)


def front_page(
    look: Look, stories: Iterable[tuple[Story, str]], feeds: Iterable[tuple[str, str]], today: datetime
) -> str:
    """The site's home page: its newest stories, and its feeds as ``<link rel="alternate">`` (media type, address)."""
    cards = (
        f'<div class="card"><img src="/images/{story.number}.svg" alt=""><h2><a href="{escape(url)}">'
        f"{escape(story.title)}</a></h2><p>{escape(story.summary)}</p></div>"
        for story, url in stories
    )
    links = (f'<link rel="alternate" type="{kind}" href="{escape(url)}">' for kind, url in feeds)
    values = {"cards": "\n".join(cards), "alternates": "\n".join(links)}
    return _template("front").substitute(_furniture(look, today) | values)


def picture(number: int) -> bytes:
    """A drawn landscape (SVG) that stands where a photograph would, different for every number."""
    chance = random.Random(number)
    sky, hill, near = (chance.randrange(360) for _ in range(3))
    points = " ".join(f"{x},{chance.randrange(180, 280)}" for x in range(0, 701, 70))
    front = " ".join(f"{x},{chance.randrange(270, 350)}" for x in range(0, 701, 50))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 400" preserveAspectRatio="xMidYMid slice">'
        f'<rect width="700" height="400" fill="hsl({sky},45%,78%)"/>'
        f'<circle cx="{chance.randrange(80, 620)}" cy="90" r="46" fill="hsl(45,90%,85%)"/>'
        f'<polygon points="0,400 {points} 700,400" fill="hsl({hill},25%,48%)"/>'
        f'<polygon points="0,400 {front} 700,400" fill="hsl({near},30%,30%)"/></svg>'
    ).encode()


@cache
def _template(name: str) -> Template:
    return Template((files("newsmon.farm") / "templates" / f"{name}.html").read_text("utf-8"))


def _furniture(look: Look, today: datetime) -> dict[str, str]:
    sections: Sequence[str] = words(look.language)["section"]
    items = [f'<a href="/section/{number}">{escape(section)}</a>' for number, section in enumerate(sections)]
    latest = "".join(f'<li><a href="{escape(url)}">{escape(title)}</a></li>' for title, url in look.latest)
    return {f"label_{name}": escape(text) for name, text in labels(look.language).items()} | {
        "lang": look.language,
        "site_name": escape(look.name),
        "color": look.color,
        "today": escape(date_text(today, look.language, look.zone)),
        "year": str(today.year),
        "nav": "".join(f"<li>{item}</li>" for item in items),
        "nav_divs": "".join(f"<div>{item}</div>" for item in items),
        "latest": latest,
        "related": latest,
    }


def _author_span(name: str) -> str:
    return f'<span itemprop="author"><span itemprop="name" class="author vcard">{escape(name)}</span></span> '


def _body(layout: Layout, look: Look, paragraphs: Sequence[str], number: int) -> str:
    """The text with what real pages put into it: a link, an emphasis, an advert, a related story."""
    own = labels(look.language)
    blocks = [layout.paragraph.format(_marked_up(text, place + number)) for place, text in enumerate(paragraphs)]
    related = look.latest[number % len(look.latest)] if look.latest else (own["latest"], "/")
    notes = [
        f'<b>{escape(own["related"])}</b> <a href="{escape(related[1])}">{escape(related[0])}</a>',
        escape(own["advert"]),
    ]
    for place, note in zip((2, 5), notes, strict=True):
        if place < len(blocks):
            blocks.insert(place, layout.insert.format(note))
    return "\n".join(blocks)


def _marked_up(text: str, turn: int) -> str:
    """A paragraph's HTML; some words of it are a link or stressed, none are changed."""
    marks = ("{}", '<a href="/tags/0">{}</a>', "{}", "<em>{}</em>")
    head, space, tail = text.partition(" ")
    return marks[turn % len(marks)].format(escape(head)) + space + escape(tail) if space else escape(text)


def _json_ld(look: Look, story: Story, canonical: str, *, kind: str, free: bool, text: bool) -> str:
    record: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": kind,
        "headline": story.title,
        "description": story.summary,
        "inLanguage": look.language,
        "datePublished": story.published.astimezone(look.zone).isoformat(),
        "dateModified": (story.modified or story.published).astimezone(look.zone).isoformat(),
        "author": [{"@type": "Person", "name": name} for name in story.authors],
        "publisher": {"@type": "Organization", "name": look.name},
        "image": f"http://{look.host}/images/{story.number}.svg",
        "mainEntityOfPage": canonical,
        "articleSection": story.section,
        "keywords": list(story.tags),
        "isAccessibleForFree": free,
    }
    if text:
        record["articleBody"] = "\n\n".join(story.paragraphs)
    return json.dumps(record, ensure_ascii=False).replace("</", "<\\/")
