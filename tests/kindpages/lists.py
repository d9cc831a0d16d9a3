"""Pages that list others: sections, tags, authors, searches, front pages."""

from __future__ import annotations

from newsmon.model import Kind
from tests.kindpages.page import Draft, Voice, bare, cards, classic, family, json_ld, links, mega, og, portal


@family(Kind.SECTION, "a")
def teasers_with_text(voice: Voice) -> Draft:
    name = voice.section()
    items = links(voice, 20, "<div class=teaser><h2><a href='{url}'>{title}</a></h2><p>{teaser}</p></div>")
    return Draft(classic(voice, f"<h1>{name}</h1>{items}"), f"{name} - Kurier", og("website"), path=f"/{name.lower()}/")


@family(Kind.SECTION, "a")
def collection_page(voice: Voice) -> Draft:
    name = voice.section()
    items = links(voice, 16, "<article><h3><a href='{url}'>{title}</a></h3><div>{teaser}</div></article>")
    return Draft(bare(voice, f"<h1>{name}</h1>{items}"), name, json_ld("CollectionPage", name=name), path="/politics")


@family(Kind.SECTION, "a")
def tag_in_a_portal(voice: Voice) -> Draft:
    words = voice["section"]
    items = links(voice, 24, "<div><span>{time}</span><a href='{url}'>{title}</a><br>{teaser}</div>")
    return Draft(
        portal(voice, f"<h1>{words['tag']}</h1>{items}<a href='?p=2'>{words['older']}</a>"),
        words["tag"],
        path="/tag/bridge",
    )


@family(Kind.SECTION, "a")
def front_page(voice: Voice) -> Draft:
    blocks = "".join(f"<section><h2>{voice.section()}</h2><ul>{links(voice, 9)}</ul></section>" for _ in range(5))
    return Draft(classic(voice, blocks), "Kurier", og("website") + json_ld("WebSite", name="Kurier"), path="/")


@family(Kind.SECTION, "b")
def card_grid(voice: Voice) -> Draft:
    card = "<a class='sc-card' href='{url}'><div class=sc-h>{title}</div><div class=sc-d>{teaser}</div></a>"
    name = voice.section()
    return Draft(
        cards(voice, f"<h1>{name}</h1><div class=grid>{links(voice, 18, card)}</div>"),
        f"{name} | Kurier",
        path="/c/city",
    )


@family(Kind.SECTION, "b")
def author_page(voice: Voice) -> Draft:
    words, person = voice["section"], voice.person()
    items = links(voice, 14, "<li><a href='{url}'>{title}</a><p>{teaser}</p><time>12.03.2026</time></li>")
    main = f"<h1>{person}</h1><p>{words['author'].format(name=person)} {voice.sentence()}</p><ul>{items}</ul>"
    return Draft(
        mega(voice, main), person, og("profile", person) + json_ld("ProfilePage", name=person), path="/author/7"
    )


@family(Kind.SECTION, "b")
def search_results(voice: Voice) -> Draft:
    words = voice["section"]
    items = links(voice, 15, "<div class=res><h3><a href='{url}'>{title}</a></h3><p>… {teaser} …</p></div>")
    return Draft(
        mega(voice, f"<h1>{words['results']}</h1>{items}<p>{words['page']}</p>"),
        words["results"],
        path="/search?q=bridge",
    )


@family(Kind.SECTION, "b")
def archive_of_a_day(voice: Voice) -> Draft:
    items = links(voice, 40, "<tr><td>{time}</td><td><a href='{url}'>{title}</a></td></tr>")
    return Draft(
        cards(voice, f"<h1>12.03.2026</h1><table>{items}</table>"), "Kurier 12.03.2026", path="/archive/2026/03/12/"
    )


@family(Kind.SECTION, "b")
def teasers_with_long_text(voice: Voice) -> Draft:
    """A blog's front page: some lines of each post, then "read more"."""
    words, name = voice["section"], voice.section()
    items = "".join(
        (
            f"<div class=post><h2><a href='/p/{n}'>{voice.title()}</a></h2>"
            f"<p>{voice.paragraph(2)}</p><a href='/p/{n}'>{words['more']}</a></div>"
        )
        for n in range(10)
    )
    return Draft(
        mega(voice, f"<h1>{name}</h1>{items}<a href='/page/2'>{words['older']}</a>"),
        f"{name} - Kurier",
        og("website"),
        path="/blog/",
    )
