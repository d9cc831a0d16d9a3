"""Paywall stubs and registration walls, video pages, live tickers."""

from __future__ import annotations

from newsmon.model import Kind
from tests.kindpages.page import Draft, Voice, bare, cards, classic, family, json_ld, links, mega, og, p, portal


def _offer(lines: list[str]) -> str:
    return f"<h3>{lines[0]}</h3>{p(lines[1:])}"


@family(Kind.PAYWALL, "a")
def stub_that_says_so(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(2)]
    head = json_ld("NewsArticle", headline=title, isAccessibleForFree=False) + og("article")
    main = f"<article><h1>{title}</h1>{p(text)}<div class='piano-offer'>{_offer(voice['paywall'])}</div></article>"
    return Draft(classic(voice, main), title, head, text)


@family(Kind.PAYWALL, "a")
def three_paragraphs_and_an_offer(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(3, 2)
    main = f"<article><h1>{title}</h1>{p(text)}<div class='offer'>{_offer(voice['paywall'])}</div></article>"
    return Draft(portal(voice, main), title, og("article", title), text)


@family(Kind.PAYWALL, "a")
def registration_wall(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    wall = f"<div class='regwall'>{_offer(voice['register'])}<input type=email></div>"
    return Draft(bare(voice, f"<h1>{title}</h1>{p(text)}{wall}"), title, og("article"), text)


@family(Kind.PAYWALL, "a")
def cut_within_a_sentence(voice: Voice) -> Draft:
    title, whole = voice.title(), voice.paragraph(3)
    text = [voice.sentence(), whole[: len(whole) * 2 // 3].rstrip(" ,.") + "…"]
    main = f"<h1>{title}</h1>{p(text)}<div class='gradient'></div><section>{_offer(voice['paywall'])}</section>"
    return Draft(classic(voice, main), title, "", text)


@family(Kind.PAYWALL, "a")
def no_text_but_an_offer(voice: Voice) -> Draft:
    title = voice.title()
    return Draft(
        classic(voice, f"<h1>{title}</h1><div class=wall>{_offer(voice['paywall'])}</div>"), title, og("article")
    )


@family(Kind.PAYWALL, "b")
def members_only_without_metadata(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 2)
    main = f"<h1>{title}</h1>{p(text, 'class=sc-p')}<div class='sc-gate'>{p(voice['paywall'])}</div>"
    return Draft(cards(voice, main), title, "", text)


@family(Kind.PAYWALL, "b")
def marked_part_left_out(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 3)
    part = {"@type": "WebPageElement", "isAccessibleForFree": False, "cssSelector": ".premium"}
    head = json_ld("NewsArticle", headline=title, isAccessibleForFree="False", hasPart=part, wordCount=940)
    main = f"<h1>{title}</h1>{p(text)}<div class=premium></div><div class=tm>{p(voice['paywall'])}</div>"
    return Draft(mega(voice, main), title, head, text)


@family(Kind.PAYWALL, "b")
def metered_dialog(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(1, 3)
    dialog = f"<div role=dialog>{p(voice['register'])}<form><input type=email></form></div>"
    return Draft(mega(voice, f"<h1>{title}</h1>{p(text)}{dialog}"), title, og("article"), text)


@family(Kind.PAYWALL, "b")
def price_table(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.sentence(), voice.paragraph(2)]
    offer = voice["paywall"]
    table = f"<table><tr><td>{offer[0]}</td></tr><tr><td>{offer[1]}</td></tr><tr><td>{offer[-1]}</td></tr></table>"
    head = og("article") + '<meta property="article:content_tier" content="locked">'
    return Draft(cards(voice, f"<h1>{title}</h1><p>{text[0]}</p><p>{text[1]}</p>{table}"), title, head, text)


@family(Kind.VIDEO, "a")
def open_graph_video(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.sentence()]
    main = f"<h1>{title}</h1><div class=player><video src=/v.mp4></video></div>{p(text)}"
    return Draft(classic(voice, main), f"{title} | {voice['video']['word']}", og("video.other", title), text)


@family(Kind.VIDEO, "a")
def video_object(voice: Voice) -> Draft:
    title, text = voice.title(), voice.paragraphs(2, 1)
    more = links(voice, 12, "<div class=v><a href='{url}'>{title}</a><span>{teaser}</span></div>")
    main = (
        f"<iframe src='https://player.example/embed/9'></iframe>"
        f"<h1>{title}</h1>{p(text)}<h2>{voice['video']['more']}</h2>{more}"
    )
    return Draft(bare(voice, main), title, json_ld("VideoObject", name=title, duration="PT2M14S"), text)


@family(Kind.VIDEO, "a")
def video_portal(voice: Voice) -> Draft:
    title, words = voice.title(), voice["video"]
    main = f"<h1>{words['word']}: {title}</h1><video controls></video><div>{words['duration']}</div>"
    return Draft(
        portal(voice, main),
        f"{words['word']}: {title}",
        og("video", title),
        path=f"/video/{voice.chance.randint(1000, 9999)}",
    )


@family(Kind.VIDEO, "a")
def clip_without_json_ld(voice: Voice) -> Draft:
    title, text, words = voice.title(), [voice.sentence()], voice["video"]
    main = f"<h1>{title}</h1><div class='jwplayer' id=jw1></div><span>{words['duration']}</span>{p(text)}"
    return Draft(classic(voice, main), title, og("article", title), text, path="/video/2026/03/bridge-4711.html")


@family(Kind.VIDEO, "b")
def article_metadata_in_the_video_section(voice: Voice) -> Draft:
    title, text, words = voice.title(), voice.paragraphs(2, 1), voice["video"]
    more = links(voice, 8, "<li><a href='{url}'><span>{title}</span><em>1:4{time}</em></a></li>")
    main = (
        f"<h1>{title}</h1><iframe allow=autoplay src='https://www.youtube.com/embed/x'>"
        f"</iframe>{p(text)}<h3>{words['more']}</h3>{more}"
    )
    return Draft(
        mega(voice, main), f"{title} - {words['word']}", og("article", title), text, path="/videos/bridge-4711"
    )


@family(Kind.VIDEO, "b")
def graph_with_a_video(voice: Voice) -> Draft:
    title, text = voice.title(), [voice.paragraph(2)]
    head = json_ld("WebPage", mainEntity={"@type": "VideoObject", "name": title})
    more = links(voice, 9, "<article><a href='{url}'><h3>{title}</h3></a><p>{teaser}</p></article>")
    main = f"<video-player></video-player><h1>{title}</h1>{p(text)}{more}"
    return Draft(cards(voice, main), title, head, text)


@family(Kind.VIDEO, "b")
def player_card(voice: Voice) -> Draft:
    title, words = voice.title(), voice["video"]
    head = og("video.episode", title) + "<meta name='twitter:card' content='player'>"
    main = (
        f"<div class=sc-player data-video-id=7></div><h1>{title}"
        f"</h1><p>{voice.sentence()}</p><p>{words['duration']}</p>"
    )
    return Draft(cards(voice, main), title, head)


@family(Kind.VIDEO, "b")
def watch_page(voice: Voice) -> Draft:
    title, words = voice.title(), voice["video"]
    main = (
        f"<div><video></video><h1>{title}</h1><p>{words['watch']}</p>"
        f"<p>{words['duration']}</p></div><ul>{links(voice, 10)}</ul>"
    )
    return Draft(
        mega(voice, main), f"{words['watch']}: {title}", json_ld("VideoObject", name=title), path="/watch/4711"
    )


def _posts(voice: Voice, count: int, item: str, *, sign: str = ":") -> tuple[str, list[str]]:
    text = [voice.paragraph(voice.chance.choice((1, 2, 2, 3))) for _ in range(count)]
    shown = (
        item.format(
            time=voice.clock(n, sign=sign),
            text=line,
            title=voice.title(),
            ago=voice["ticker"]["ago"].format(n=3 + 6 * n),
        )
        for n, line in enumerate(text)
    )
    return "".join(shown), text


@family(Kind.TICKER, "a")
def live_blog_posting(voice: Voice) -> Draft:
    title = voice.title()
    posts, text = _posts(voice, 12, "<article><time>{time}</time><h3>{title}</h3><p>{text}</p></article>")
    return Draft(
        classic(voice, f"<h1>{title}</h1>{posts}"),
        title,
        json_ld("LiveBlogPosting", headline=title) + og("article"),
        text,
    )


@family(Kind.TICKER, "a")
def entries_with_clock(voice: Voice) -> Draft:
    title, words = voice.title(), voice["ticker"]
    posts, text = _posts(voice, 14, "<div class='liveblog__entry'><div class='t'>{time}</div><p>{text}</p></div>")
    main = f"<h1>{words['live']}: {title}</h1><p>{words['kicker']}</p>{posts}"
    return Draft(classic(voice, main), f"{words['live']}: {title}", og("article"), text)


@family(Kind.TICKER, "a")
def table_of_posts(voice: Voice) -> Draft:
    title, words = voice.title(), voice["ticker"]
    posts, text = _posts(voice, 18, "<tr><td>{time}</td><td>{text}</td></tr>")
    return Draft(
        bare(voice, f"<h1>{title}. {words['live']}</h1><table>{posts}</table>"), f"{title}. {words['live']}", "", text
    )


@family(Kind.TICKER, "a")
def time_before_each_paragraph(voice: Voice) -> Draft:
    title, words = voice.title(), voice["ticker"]
    posts, text = _posts(voice, 15, "<p><strong>{time}</strong> {text}</p>")
    head = json_ld("NewsArticle", headline=title) + og("article")
    return Draft(
        classic(voice, f"<article><h1>{title}</h1><p>{words['kicker']}</p>{posts}</article>"),
        f"{title} - {words['live']}",
        head,
        text,
    )


@family(Kind.TICKER, "b")
def posts_some_minutes_ago(voice: Voice) -> Draft:
    title, words = voice.title(), voice["ticker"]
    posts, text = _posts(voice, 14, "<div class='sc-post'><span>{ago}</span><h3>{title}</h3><p>{text}</p></div>")
    main = f"<h1>{title}</h1><p>{words['kicker']}</p><p>{words['updated']}</p>{posts}"
    return Draft(cards(voice, main), title, og("article"), text, path="/news/live/most-4711")


@family(Kind.TICKER, "b")
def headings_with_time(voice: Voice) -> Draft:
    title, words = voice.title(), voice["ticker"]
    posts, text = _posts(voice, 13, "<h2>+++ {time} {title} +++</h2><p>{text}</p>")
    head = json_ld("NewsArticle", headline=title) + og("article")
    return Draft(mega(voice, f"<h1>{words['live']} +++ {title}</h1>{posts}"), title, head, text)


@family(Kind.TICKER, "b")
def paragraphs_with_dotted_time(voice: Voice) -> Draft:
    title, words = voice.title(), voice["ticker"]
    posts, text = _posts(voice, 16, "<p class='sc-p'><b>{time}:</b> {text}</p>", sign=".")
    main = f"<h1>{title}</h1><p>{words['kicker']}</p>{posts}"
    return Draft(cards(voice, main), f"{words['live']} - {title}", "", text, path="/sport/live-ticker/most-4711.html")


@family(Kind.TICKER, "b")
def live_posts_of_a_component(voice: Voice) -> Draft:
    title = voice.title()
    posts, text = _posts(
        voice, 20, "<li class='live-blog-post'><time datetime='2026-03-12'>{time}</time><div><p>{text}</p></div></li>"
    )
    return Draft(mega(voice, f"<h1>{title}</h1><ol id='live-blog'>{posts}</ol>"), title, "", text)
