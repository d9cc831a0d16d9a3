"""A fourth part: written to measure what the rules did with pages they had not seen; some was mended since."""

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

_WORDS = words("fourth")
_CONSENT: dict[str, str] = _WORDS["consent"]
_OFFERS, _LOGINS, _MISSING = _WORDS["offers"], _WORDS["logins"], _WORDS["missing"]
_SOME = ("en", "de", "ru", "fr", "pl", "uk")


@family(Kind.CONSENT, "d", languages=tuple(code for code in _CONSENT if code != "it"))
def overlay_alone(voice: Voice) -> Draft:
    return Draft(f"<dialog open><p>{_CONSENT[voice.language]}</p><button>OK</button></dialog>", "Kurier")


@family(Kind.CONSENT, "d", languages=("en",))
def italian_wall(voice: Voice) -> Draft:
    return Draft(bare(voice, f"<h2>Informativa</h2><p>{_CONSENT['it']}</p>"), "Il Kurier")


@family(Kind.CONSENT, "d", languages=tuple(code for code in _CONSENT if code != "it"))
def wall_with_a_list_of_links(voice: Voice) -> Draft:
    below = "".join(f"<a href='/{n}'>{name}</a> " for n, name in enumerate(("Imprint", "Terms", "Privacy", "Contact")))
    return Draft(
        (f"<header>Kurier</header><section><p>{_CONSENT[voice.language]}</p></section><footer>{below}</footer>"),
        "Kurier",
        og("website"),
    )


def _as_sent(name: str, title: str, body: str, status: int) -> None:
    def write(_voice: Voice) -> Draft:
        return Draft(body, title, status=status)

    write.__name__ = f"fourth_{name}"
    family(Kind.CHALLENGE, "d", languages=("en",))(write)


for _name, _sent in _WORDS["challenges"].items():
    _as_sent(_name, *_sent)


@family(Kind.PAYWALL, "d")
def offer_in_a_box(voice: Voice) -> Draft:
    title, text, offer = voice.title(), voice.paragraphs(2, 2), _OFFERS[voice.language]
    box = f"<div class=box><p><b>{offer[0]}</b></p><p>{offer[1]}</p><a href=/l>{offer[2]}</a></div>"
    return Draft(cards(voice, f"<h1>{title}</h1>{p(text)}{box}"), title, og("article"), text)


@family(Kind.PAYWALL, "d")
def offer_and_closed(voice: Voice) -> Draft:
    title, text, offer = voice.title(), voice.paragraphs(3, 2), _OFFERS[voice.language]
    head = json_ld("NewsArticle", headline=title, isAccessibleForFree=False)
    return Draft(
        portal(voice, (f"<h1>{title}</h1>{p(text)}<div>{offer[0]}</div><div>{offer[1]}</div>")), title, head, text
    )


@family(Kind.SOFT_404, "d")
def lost_page(voice: Voice) -> Draft:
    title, line = _MISSING[voice.language]
    return Draft(bare(voice, f"<h1>{title}</h1><p>{line}</p>"), f"{title} | Kurier")


@family(Kind.SOFT_404, "d")
def lost_page_with_teasers(voice: Voice) -> Draft:
    title, line = _MISSING[voice.language]
    teasers = links(voice, 8, "<div><h4><a href='{url}'>{title}</a></h4><p>{teaser}</p></div>")
    return Draft(classic(voice, f"<h2>{title}</h2><p>{line}</p>{teasers}"), "Kurier")


@family(Kind.LOGIN, "d", languages=tuple(_LOGINS))
def plain_login(voice: Voice) -> Draft:
    title, user, password, help_ = _LOGINS[voice.language]
    form = (
        f"<form><h1>{title}</h1><label>{user}<input name=u></label>"
        f"<label>{password}<input type=password></label></form>"
    )
    return Draft(mega(voice, f"{form}<p>{help_}</p>"), f"{title} – Kurier")


@family(Kind.LOGIN, "d", languages=tuple(_LOGINS))
def login_host(voice: Voice) -> Draft:
    title, user, password, _ = _LOGINS[voice.language]
    form = f"<form><p>{user}</p><input name=u><p>{password}</p><input type=password></form>"
    return Draft(form, title, final_url=f"{SITE.replace('www', 'login')}/u/session?back=1")


@family(Kind.TICKER, "d", languages=_SOME)
def times_in_headings(voice: Voice) -> Draft:
    title = voice.title()
    posts = "".join(f"<h3>{voice.clock(n)} {voice.title()}</h3><p>{voice.paragraph(2)}</p>" for n in range(18))
    return Draft(
        cards(voice, f"<article><h1>{title}</h1>{posts}</article>"), title, og("article"), path="/live/2026/bridge"
    )


@family(Kind.TICKER, "d", languages=_SOME)
def feed_of_updates(voice: Voice) -> Draft:
    title, words_ = voice.title(), voice["ticker"]
    posts = "".join(f"<li><div>{voice.clock(n)}</div><div>{voice.paragraph(1)}</div></li>" for n in range(10))
    return Draft(
        mega(voice, f"<h1>{title} | {words_['live']}</h1><ul>{posts}</ul>"),
        f"{title} | {words_['live']}",
        og("article"),
    )


@family(Kind.VIDEO, "d", languages=_SOME)
def video_with_a_description(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(2)]
    head = json_ld("VideoObject", name=title, description=text[0]) + og("video.movie", title)
    return Draft(mega(voice, f"<div class=vjs></div><h1>{title}</h1>{p(text)}"), title, head, text)


@family(Kind.SECTION, "d", languages=_SOME)
def front_with_leads(voice: Voice) -> Draft:
    lead = f"<div class=lead><h2><a href='/a'>{voice.title()}</a></h2><p>{voice.paragraph(2)}</p></div>"
    rows = links(voice, 30, "<div class=row><a href='{url}'>{title}</a><span>{teaser}</span></div>")
    return Draft(bare(voice, lead + rows), "Kurier - News", og("website"), path="/news/")


@family(Kind.SECTION, "d", languages=_SOME)
def list_of_videos(voice: Voice) -> Draft:
    items = links(
        voice,
        16,
        ("<figure><a href='{url}'><img src=x></a><figcaption><a href='{url}'>{title}</a></figcaption></figure>"),
    )
    return Draft(cards(voice, f"<h1>{voice['video']['more']}</h1>{items}"), voice["video"]["more"], path="/videos/all")


@family(Kind.ARTICLE, "d")
def column_with_a_portrait(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(5, 2)
    about = f"<div class=bio>{voice['section']['author'].format(name=voice.person())}</div>"
    return Draft(cards(voice, f"<h1>{title}</h1>{p(text)}{about}"), f"{title} | Kurier", "", text)


@family(Kind.ARTICLE, "d")
def one_long_paragraph(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(4)]
    return Draft(mega(voice, f"<h2>{title}</h2><div>{text[0]}</div>"), "Kurier", og("website"), text, path="/n/55121")


@family(Kind.ARTICLE, "d")
def letter_about_subscriptions(voice: Voice) -> Draft:
    story = voice["about"]["paywall"]
    text = [*story["lines"], voice["support"]]
    return Draft(portal(voice, f"<h1>{story['title']}</h1>{p(text)}"), story["title"], "", text)


@family(Kind.ARTICLE, "d")
def results_with_times(voice: Voice) -> Draft:
    title = voice.title()
    text = [voice.paragraph(2), *(f"{voice.clock(n)} – {voice.title()}" for n in range(8)), voice.paragraph(2)]
    return Draft(classic(voice, f"<h1>{title}</h1>{p(text)}"), title, og("article"), text)
