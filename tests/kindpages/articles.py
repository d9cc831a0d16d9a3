"""Articles: usual ones and those that look like something else."""

from __future__ import annotations

from collections.abc import Callable

from newsmon.model import Kind
from tests.kindpages.page import (
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


def _story(voice: Voice, count: int = 6) -> tuple[str, list[str]]:
    return voice.title(), voice.paragraphs(count)


@family(Kind.ARTICLE, "a")
def long_with_json_ld(voice: Voice) -> Draft:
    title, text = _story(voice, 9)
    head = json_ld("NewsArticle", headline=title, datePublished="2026-03-12T09:00:00+01:00") + og("article", title)
    main = f"<article><h1>{title}</h1><p class=by>{voice.person()}, 12.03.2026</p>{p(text)}</article>"
    return Draft(classic(voice, main), f"{title} | Kurier", head, text)


@family(Kind.ARTICLE, "a")
def short_item_without_metadata(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(2)]
    return Draft(classic(voice, f"<h1>{title}</h1><div class=date>12.03.2026 14:20</div>{p(text)}"), title, "", text)


@family(Kind.ARTICLE, "a")
def short_item_in_a_portal(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    main = f"<h1 class=t>{title}</h1><div class=d>12.03.2026, 14:20</div><div class=txt>{'<br><br>'.join(text)}</div>"
    return Draft(portal(voice, main), f"{title} - Kurier", "", text)


@family(Kind.ARTICLE, "a")
def with_cookie_banner(voice: Voice) -> Draft:
    title, text = _story(voice, 3)
    banner = f"<div id='cookie-law'><p>{voice['banner']}</p><a href='#'>OK</a></div>"
    return Draft(banner + classic(voice, f"<article><h1>{title}</h1>{p(text)}</article>"), title, og("article"), text)


@family(Kind.ARTICLE, "a")
def with_long_consent_layer(voice: Voice) -> Draft:
    title, text = _story(voice, 4)
    wall = words(voice.language)["consent"][0]
    layer = f"<div class='qc-cmp2-container'><h2>{wall['title']}</h2>{p(wall['lines'])}</div>"
    return Draft(portal(voice, f"<h1>{title}</h1>{p(text)}") + layer, title, "", text)


def _about(topic: str, frame: Callable[[Voice, str], str], head: str = "") -> Callable[[Voice], Draft]:
    def write(voice: Voice) -> Draft:
        story = voice["about"][topic]
        main = f"<article><h1>{story['title']}</h1>{p(story['lines'])}</article>"
        return Draft(frame(voice, main), f"{story['title']} | Kurier", head, story["lines"])

    write.__name__ = f"about_{topic}_{frame.__name__}"
    return write


for _topic in ("cookies", "paywall", "missing", "login", "captcha"):
    family(Kind.ARTICLE, "a")(_about(_topic, classic, og("article")))
    family(Kind.ARTICLE, "b")(_about(_topic, mega))


@family(Kind.ARTICLE, "a")
def with_embedded_video(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    head = json_ld("NewsArticle", headline=title, video={"@type": "VideoObject", "name": title}) + og("article")
    main = f"<h1>{title}</h1><iframe src='https://player.example/embed/77'></iframe>{p(text)}"
    return Draft(classic(voice, main), title, head, text)


@family(Kind.ARTICLE, "a")
def with_comments(voice: Voice) -> Draft:
    title, text = _story(voice, 4)
    notes = "".join(
        f"<div class=comment><b>{voice.person()}</b> <span>{voice['comments']['ago'].format(n=n + 2)}</span>"
        f"<p>{voice.paragraph(2)}</p><a href=#>{voice['comments']['reply']}</a></div>"
        for n in range(12)
    )
    main = (
        f"<article><h1>{title}</h1>{p(text)}</article><section><h3>{voice['comments']['title']}</h3>{notes}</section>"
    )
    return Draft(classic(voice, main), title, "", text)


@family(Kind.ARTICLE, "a")
def chronology_in_paragraphs(voice: Voice) -> Draft:
    title = voice.title()
    text = [voice.paragraph(4), *(f"{voice.clock(9 - n)} {voice.sentence()}" for n in range(5)), voice.paragraph(3)]
    return Draft(classic(voice, f"<article><h1>{title}</h1>{p(text)}</article>"), title, og("article"), text)


@family(Kind.ARTICLE, "a")
def newsletter_box_in_the_middle(voice: Voice) -> Draft:
    title, text = _story(voice, 4)
    box = f"<div class='nl'><h4>Newsletter</h4><p>{voice['newsletter']}</p></div><p>{voice['support']}</p>"
    return Draft(bare(voice, f"<h1>{title}</h1>{p(text[:2])}{box}{p(text[2:])}"), title, "", text)


@family(Kind.ARTICLE, "a")
def read_also_between_all_paragraphs(voice: Voice) -> Draft:
    title, text = _story(voice, 7)
    also = "<p class=also><a href='{url}'>{title}</a></p>"
    main = "".join(f"<p>{line}</p>{links(voice, 1, also)}" for line in text)
    return Draft(classic(voice, f"<h1>{title}</h1>{main}"), title, og("article"), text)


# half b


@family(Kind.ARTICLE, "b")
def short_item_in_mega(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(2)]
    return Draft(mega(voice, f"<div class=hd><h1>{title}</h1></div>{p(text)}"), title, "", text)


@family(Kind.ARTICLE, "b")
def long_without_metadata(voice: Voice) -> Draft:
    title, text = _story(voice, 8)
    return Draft(
        cards(voice, f"<h1>{title}</h1>{''.join(f'<div class=sc-p>{line}</div>' for line in text)}"), title, "", text
    )


@family(Kind.ARTICLE, "b")
def open_graph_says_website(voice: Voice) -> Draft:
    title, text = _story(voice, 4)
    head = og("website", title) + json_ld("WebPage", name=title) + json_ld("BreadcrumbList", itemListElement=[])
    return Draft(cards(voice, f"<h1>{title}</h1><time>12.03.2026</time>{p(text)}"), title, head, text)


@family(Kind.ARTICLE, "b")
def item_list_of_related(voice: Voice) -> Draft:
    title, text = _story(voice, 3)
    head = json_ld("ItemList", itemListElement=[{"@type": "ListItem", "position": 1, "url": "/1"}])
    return Draft(mega(voice, f"<h1>{title}</h1>{p(text)}"), title, head, text)


@family(Kind.ARTICLE, "b")
def recipe(voice: Voice) -> Draft:
    made = voice["recipe"]
    text = [made["intro"], *made["items"], *made["steps"]]
    items = "".join(f"<li>{item}</li>" for item in made["items"])
    main = f"<h1>{made['title']}</h1><p>{made['intro']}</p><ul>{items}</ul><ol>" + "".join(
        f"<li>{step}</li>" for step in made["steps"]
    )
    return Draft(cards(voice, main + "</ol>"), made["title"], "", text)


@family(Kind.ARTICLE, "b")
def interview(voice: Voice) -> Draft:
    title = voice.title()
    text = [voice.paragraph(2), *(voice.sentence() for _ in range(16))]
    main = "".join(f"<p><b>{line}</b></p>" if n % 2 else f"<p>{line}</p>" for n, line in enumerate(text))
    return Draft(mega(voice, f"<h1>{title}</h1>{main}"), title, og("article"), text)


@family(Kind.ARTICLE, "b")
def photo_article(voice: Voice) -> Draft:
    title = voice.title()
    text = [voice.paragraph(2), *(voice.sentence() for _ in range(9))]
    shots = "".join(
        f"<figure><img src='/{n}.jpg'><figcaption>{line}</figcaption></figure>" for n, line in enumerate(text[1:])
    )
    return Draft(cards(voice, f"<h1>{title}</h1><p>{text[0]}</p>{shots}"), title, og("article"), text)


@family(Kind.ARTICLE, "b")
def sign_in_form_in_the_header(voice: Voice) -> Draft:
    title, text = _story(voice, 3)
    form = f"<form><h1>{voice['login']['title']}</h1><input name=u><input type=password name=p></form>"
    return Draft(form + mega(voice, f"<h1>{title}</h1>{p(text)}"), title, "", text)


@family(Kind.ARTICLE, "b")
def closed_but_complete(voice: Voice) -> Draft:
    title, text = _story(voice, 12)
    head = json_ld("NewsArticle", headline=title, isAccessibleForFree=False) + og("article")
    main = f"<h1>{title}</h1>{p(text)}<div class=support><p>{voice['support']}</p></div>"
    return Draft(cards(voice, main), title, head, text)


@family(Kind.ARTICLE, "b")
def with_consent_layer_before(voice: Voice) -> Draft:
    title, text = _story(voice, 3)
    wall = voice["consent"]
    layer = f"<div role=dialog><h2>{wall['title']}</h2>{p(wall['lines'])}<button>{wall['buttons'][0]}</button></div>"
    return Draft(layer + cards(voice, f"<h1>{title}</h1>{p(text)}"), title, og("article"), text)


@family(Kind.ARTICLE, "b")
def chronology_with_headings(voice: Voice) -> Draft:
    title = voice.title()
    times = [voice.clock(12 - n) for n in range(6)]
    text = [voice.paragraph(4), *(voice.paragraph(2) for _ in times), voice.paragraph(4)]
    middle = "".join(f"<h3>{time}</h3><p>{line}</p>" for time, line in zip(times, text[1:], strict=False))
    return Draft(cards(voice, f"<h1>{title}</h1><p>{text[0]}</p>{middle}<p>{text[-1]}</p>"), title, og("article"), text)


@family(Kind.ARTICLE, "b")
def video_above_a_short_item(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    head = json_ld("VideoObject", name=title) + json_ld("NewsArticle", headline=title)
    return Draft(mega(voice, f"<h1>{title}</h1><video src=/v.mp4></video>{p(text)}"), title, head, text)


@family(Kind.ARTICLE, "b")
def comments_with_clock(voice: Voice) -> Draft:
    title, text = _story(voice, 4)
    notes = "".join(
        f"<li><span>{voice.person()}</span><div>{voice.clock(n)}</div><p>{voice.paragraph(2)}</p></li>"
        for n in range(9)
    )
    main = f"<div class=story><h1>{title}</h1>{p(text)}</div><ul class=comments>{notes}</ul>"
    return Draft(cards(voice, main), title, og("article"), text)


@family(Kind.ARTICLE, "b")
def numbered_list(voice: Voice) -> Draft:
    title = f"7: {voice.title()}"
    text = voice.paragraphs(8, 2)
    main = "".join(f"<h2>{n}. {voice.title()}</h2><p>{line}</p>" for n, line in enumerate(text[1:], 1))
    return Draft(mega(voice, f"<h1>{title}</h1><p>{text[0]}</p>{main}"), title, "", text)


@family(Kind.ARTICLE, "b")
def free_with_an_offer_below(voice: Voice) -> Draft:
    title, text = _story(voice, 5)
    main = f"<h1>{title}</h1>{p(text)}<aside><p>{voice['support']}</p></aside>"
    return Draft(mega(voice, main), title, json_ld("NewsArticle", headline=title, isAccessibleForFree=True), text)
