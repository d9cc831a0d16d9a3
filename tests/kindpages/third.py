"""A third part: other markup and other words, written after the first rules; what they missed was mended since."""

from __future__ import annotations

from newsmon.model import Kind
from tests.kindpages.page import (
    SITE,
    Draft,
    Voice,
    bare,
    cards,
    classic,
    family,
    json_ld,
    links,
    mega,
    og,
    p,
    portal,
    words,
)

_WORDS = words("third")
_CONSENT: dict[str, str] = _WORDS["consent"]
_OFFERS, _LOGINS, _MISSING = _WORDS["offers"], _WORDS["logins"], _WORDS["missing"]


@family(Kind.CONSENT, "c", languages=tuple(_CONSENT))
def one_paragraph_wall(voice: Voice) -> Draft:
    return Draft(
        f"<div class=wrap><div class=logo>Kurier</div><p>{_CONSENT[voice.language]}</p><button>OK</button></div>",
        "Kurier.example",
    )


@family(Kind.CONSENT, "c", languages=tuple(_CONSENT))
def wall_by_sentences(voice: Voice) -> Draft:
    sentences = "".join(f"<div>{line}.</div>" for line in _CONSENT[voice.language].rstrip(".").split(". "))
    return Draft(
        bare(
            voice,
            f"<h1>Kurier</h1>{sentences}<ul>{''.join(f'<li>{n}</li>' for n in ('FAQ', 'Impressum', 'Kontakt'))}</ul>",
        ),
        "Kurier",
    )


def _as_sent(name: str, title: str, body: str, status: int) -> None:
    def write(_voice: Voice) -> Draft:
        return Draft(body, title, status=status)

    write.__name__ = f"third_{name}"
    family(Kind.CHALLENGE, "c", languages=("en",))(write)


for _name, _sent in _WORDS["challenges"].items():
    _as_sent(_name, *_sent)


@family(Kind.PAYWALL, "c")
def post_for_payers(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    lines = _OFFERS[voice.language]
    wall = f"<div class=wall><div>{lines[0]}</div><a href=/s>{lines[1]}</a><a href=/l>{lines[2]}</a></div>"
    return Draft(classic(voice, f"<h1>{title}</h1>{p(text)}{wall}"), title, og("article"), text)


@family(Kind.PAYWALL, "c")
def teaser_with_buttons(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.sentence(), voice.sentence() + " ..."]
    lines = _OFFERS[voice.language]
    head = json_ld("NewsArticle", headline=title, isAccessibleForFree=False)
    wall = f"<section><h2>{lines[0]}</h2><button>{lines[1]}</button></section>"
    return Draft(mega(voice, f"<h1>{title}</h1>{p(text)}{wall}"), title, head, text)


@family(Kind.LOGIN, "c", languages=tuple(_LOGINS))
def social_login(voice: Voice) -> Draft:
    title, *ways = _LOGINS[voice.language]
    form = "".join(f"<a class=b href='#'>{way}</a><br>" for way in ways)
    return Draft(
        bare(voice, f"<h1>{title}</h1>{form}<form><input type=email><input type=password></form>"),
        title,
        final_url=f"{SITE}/user/login/?destination=news/1",
    )


@family(Kind.LOGIN, "c", languages=tuple(_LOGINS))
def login_without_redirect(voice: Voice) -> Draft:
    title, *ways = _LOGINS[voice.language]
    form = "".join(f"<div>{way}</div>" for way in ways)
    return Draft(
        classic(voice, f"<h2>{title}</h2><form>{form}<input name=login><input type=password></form>"),
        f"{title} - Kurier",
    )


@family(Kind.SOFT_404, "c")
def word_press_missing(voice: Voice) -> Draft:
    title, line = _MISSING[voice.language]
    widget = f"<div class=widget><h2>{voice['section']['latest']}</h2><ul>{links(voice, 8)}</ul></div>"
    return Draft(mega(voice, f"<h1 class=page-title>{title}</h1><p>{line}</p>{widget}"), f"{title} – Kurier")


@family(Kind.SOFT_404, "c")
def missing_as_a_heading_only(voice: Voice) -> Draft:
    title, line = _MISSING[voice.language]
    return Draft(portal(voice, f"<div><h3>{title}</h3><span>{line}</span></div>"), "Kurier - News", og("website"))


@family(Kind.VIDEO, "c", languages=("en", "de", "ru", "es"))
def broadcast(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(2)]
    head = og("video.tv_show", title)
    return Draft(
        cards(voice, f"<div class=mediaplayer></div><h1>{title}</h1>{p(text)}<dl><dt>FSK 0</dt><dd>28 min</dd></dl>"),
        title,
        head,
        text,
    )


@family(Kind.VIDEO, "c", languages=("en", "de", "ru", "es"))
def clip_in_the_tv_section(voice: Voice) -> Draft:
    title = voice.title()
    main = f"<h1>{title}</h1><div id=player-1 class=bmpui></div><p>{voice.sentence()}</p>"
    return Draft(portal(voice, main), title, "", [], path="/tv/2026/most-otkryt-47113")


@family(Kind.TICKER, "c", languages=("en", "de", "ru", "es"))
def blocks_with_zone(voice: Voice) -> Draft:
    title = voice.title()
    blocks = "".join(
        f"<div class=block><p class='block-time'>{voice.clock(n, sign='.')} GMT</p><h2>{voice.title()}</h2>"
        f"<p>{voice.paragraph(2)}</p></div>"
        for n in range(15)
    )
    return Draft(
        mega(voice, f"<h1>{title}</h1>{blocks}"), f"{title} – {voice['ticker']['live'].lower()}", og("article")
    )


@family(Kind.TICKER, "c", languages=("en", "de", "ru", "es"))
def minutes_of_a_match(voice: Voice) -> Draft:
    title = voice.title()
    rows = "".join(f"<li><b>{90 - 4 * n}'</b><p>{voice.sentence()}</p></li>" for n in range(20))
    return Draft(
        classic(voice, f"<h1>{voice['ticker']['live']}: {title}</h1><ul class=events>{rows}</ul>"),
        f"{title} | {voice['ticker']['live']}",
    )


@family(Kind.SECTION, "c", languages=("en", "de", "ru", "zh", "fr"))
def excerpts(voice: Voice) -> Draft:
    posts = "".join(
        f"<article class=post><header><h2 class=entry-title><a href='/{n}-most/'>{voice.title()}</a></h2>"
        "<span>12.03.2026</span></header>"
        f"<div class=entry-summary><p>{voice.paragraph(2)} […]</p></div></article>"
        for n in range(10)
    )
    name = voice.section()
    return Draft(
        classic(voice, f"<h1 class=archive-title>{name}</h1>{posts}"),
        f"{name} | Kurier",
        "",
        path=f"/category/{voice.wording}/",
    )


@family(Kind.SECTION, "c", languages=("en", "de", "ru", "zh", "fr"))
def topic_with_introduction(voice: Voice) -> Draft:
    name = voice.title()
    items = links(voice, 12, "<div class=it><a href='{url}'><img src=x><b>{title}</b></a><p>{teaser}</p></div>")
    return Draft(
        bare(voice, f"<h1>{name}</h1><p class=intro>{voice.paragraph(2)}</p>{items}"),
        name,
        og("website"),
        path="/thema/bruecken",
    )


@family(Kind.ARTICLE, "c")
def brief_with_a_channel_line(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 1)
    end = "<p><a href='https://t.example/kurier'>Telegram</a></p>"
    return Draft(
        portal(voice, f"<h1>{title}</h1>{p(text)}{end}"),
        f"{title} / Kurier",
        og("website"),
        text,
        path="/news/?id=55121",
    )


@family(Kind.ARTICLE, "c")
def morning_briefing(voice: Voice) -> Draft:
    title = voice.title()
    text = [voice.paragraph(2) for _ in range(7)]
    main = "".join(
        f"<p><b>{voice.title()}.</b> {line} <a href='/{n}'>{voice.title()}</a></p>" for n, line in enumerate(text)
    )
    return Draft(mega(voice, f"<h1>{title}</h1>{main}"), title, og("article"), text)


@family(Kind.ARTICLE, "c")
def timeline_of_a_day(voice: Voice) -> Draft:
    title = voice.title()
    text = [voice.paragraph(3), *(f"{7 + n}:3{n % 6} {voice.paragraph(1)}" for n in range(10)), voice.paragraph(3)]
    return Draft(classic(voice, f"<h1>{title}</h1>{p(text)}"), title, "", text)


@family(Kind.ARTICLE, "c")
def text_in_one_cell(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(4, 2)
    return Draft(
        portal(voice, f"<b>{title}</b><br><br>{'<br>'.join(text)}"), "Kurier", "", text, path="/index.php?article=77"
    )


@family(Kind.ARTICLE, "c")
def video_news_with_text(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(4, 2)
    head = json_ld("VideoObject", name=title) + og("article")
    return Draft(
        cards(voice, f"<div class=player></div><h1>{title}</h1>{p(text)}"), title, head, text, path="/video/most-4711"
    )


@family(Kind.ARTICLE, "c")
def consumer_advice_about_cookies(voice: Voice) -> Draft:
    story, more = voice["about"]["cookies"], voice.paragraphs(2, 3)
    text = [*story["lines"], voice["banner"], *more]
    return Draft(mega(voice, f"<h1>{story['title']}</h1>{p(text)}"), story["title"], "", text)


@family(Kind.ARTICLE, "c")
def short_with_a_newspaper_offer(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    return Draft(
        classic(voice, f"<h1>{title}</h1>{p(text)}<div class=ad><p>{voice['support']}</p></div>"),
        title,
        og("article"),
        text,
    )
