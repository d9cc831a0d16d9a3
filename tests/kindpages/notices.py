"""Consent walls, logins, and pages that are not there."""

from __future__ import annotations

from newsmon.model import Kind
from tests.kindpages.page import SITE, Draft, Voice, bare, cards, classic, family, json_ld, links, mega, og, p, portal


def _buttons(names: list[str]) -> str:
    return "".join(f"<button>{name}</button>" for name in names)


@family(Kind.CONSENT, "a")
def sourcepoint_message(voice: Voice) -> Draft:
    wall = voice["consent"]
    body = f"<div id='sp_message_container_7'><div class='message'><h1>{wall['title']}</h1>{p(wall['lines'])}"
    return Draft(body + _buttons(wall["buttons"]) + "</div></div>", f"{wall['title']} | Kurier")


@family(Kind.CONSENT, "a")
def one_trust_page(voice: Voice) -> Draft:
    wall = voice["consent"]
    body = f"<div id='onetrust-banner-sdk'><div id='onetrust-policy'><h2>{wall['title']}</h2>{p(wall['lines'])}</div>"
    return Draft(bare(voice, body + _buttons(wall["buttons"]) + "</div>"), "Kurier")


@family(Kind.CONSENT, "a")
def redirect_to_collect(voice: Voice) -> Draft:
    wall = voice["consent"]
    body = f"<form method=post><h1>Kurier</h1>{p(wall['lines'][:2])}{_buttons(wall['buttons'])}</form>"
    return Draft(body, "Kurier", final_url="https://consent.kurier.example/v2/collectConsent?sessionId=3_cc-session")


@family(Kind.CONSENT, "a")
def links_for_buttons(voice: Voice) -> Draft:
    wall = voice["consent"]
    actions = "".join(f"<a class=btn href='#'>{name}</a>" for name in wall["buttons"])
    body = (
        f"<section class=cmp><p class=h>{wall['title']}</p>{'<br>'.join(wall['lines'])}<div>{actions}</div></section>"
    )
    return Draft(body, wall["title"], og("website"))


@family(Kind.CONSENT, "b")
def read_with_ads_or_pay(voice: Voice) -> Draft:
    wall = voice["consent"]
    columns = (
        f"<div class=col><h2>{wall['title']}</h2><p>{wall['lines'][0]}</p><button>{wall['buttons'][0]}</button></div>"
    )
    columns += f"<div class=col><p>{wall['lines'][1]}</p><button>{wall['buttons'][-1]}</button></div>"
    return Draft(bare(voice, f"{columns}<p class=small>{wall['lines'][2]}</p>"), "Kurier: News")


@family(Kind.CONSENT, "b")
def list_of_purposes(voice: Voice) -> Draft:
    wall = voice["consent"]
    items = "".join(f"<li><b>{n}</b> {line}</li>" for n, line in enumerate(wall["lines"] * 3, 1))
    body = f"<div id=didomi-host><h1>{wall['title']}</h1><ul>{items}</ul>{_buttons(wall['buttons'])}</div>"
    return Draft(body, wall["title"])


@family(Kind.CONSENT, "b")
def privacy_gate(voice: Voice) -> Draft:
    wall = voice["consent"]
    final = "https://myprivacy.kurier.example/consent?siteKey=V9&callbackUrl=https%3A%2F%2Fwww.kurier.example%2Fa"
    return Draft(f"<main><h1>{wall['title']}</h1>{p(wall['lines'])}</main>", "Privacy Gate", final_url=final)


@family(Kind.CONSENT, "b")
def wall_under_the_article_address(voice: Voice) -> Draft:
    """The head still speaks of the article, for social networks; the body is the wall."""
    wall, title = voice["consent"], voice.title()
    body = f"<div class=fc-dialog><h2>{wall['title']}</h2>{p(wall['lines'])}{_buttons(wall['buttons'])}</div>"
    return Draft(bare(voice, body), f"{title} | Kurier", og("article", title))


@family(Kind.LOGIN, "a")
def login_redirect(voice: Voice) -> Draft:
    page = voice["login"]
    form = f"<form method=post><h1>{page['title']}</h1>{p(page['lines'])}<input name=u><input type=password name=p>"
    return Draft(
        bare(voice, f"{form}<button>{page['button']}</button></form>"), page["title"],
        final_url=f"{SITE}/login?next=%2Fnews%2F1",
    )  # fmt: skip


@family(Kind.LOGIN, "a")
def login_in_the_site(voice: Voice) -> Draft:
    page = voice["login"]
    fields = "".join(f"<label>{line}</label><input>" for line in page["lines"])
    form = (
        f"<h1>{page['title']}</h1><form>{fields}<input type=password>"
        f"<input type=submit value='{page['button']}'></form>"
    )
    return Draft(classic(voice, form), f"{page['title']} - Kurier")


@family(Kind.LOGIN, "a")
def register_page(voice: Voice) -> Draft:
    page = voice["register_page"]
    fields = "".join(f"<p>{line}</p><input>" for line in page["lines"])
    form = f"<form><h2>{page['title']}</h2>{fields}<input type=password><button>{page['button']}</button></form>"
    return Draft(bare(voice, form), f"{page['title']} | Kurier", path="/account/register")


@family(Kind.LOGIN, "a")
def single_sign_on(voice: Voice) -> Draft:
    page = voice["login"]
    form = f"<div class=auth><p>{page['lines'][0]}</p><form><input type=email><input type=password></form></div>"
    return Draft(form, "Kurier ID", final_url="https://id.kurier.example/auth/realms/kurier/login?client_id=web")


@family(Kind.LOGIN, "b")
def login_with_benefits(voice: Voice) -> Draft:
    page = voice["login"]
    form = (
        f"<div class=two><div><h2>{page['title']}</h2><form>"
        f"<p>{page['lines'][0]}</p><input type=email><input type=password>"
    )
    form += (
        f"<button>{page['button']}</button></form>{p(page['lines'][2:])}"
        f"</div><div><p>{page['lines'][1]}</p></div></div>"
    )
    return Draft(mega(voice, form), f"{page['button']} | Kurier")


@family(Kind.LOGIN, "b")
def login_step_one(voice: Voice) -> Draft:
    """Asks for the address first, the password comes on the next page."""
    page = voice["login"]
    form = (
        f"<h1>{page['title']}</h1><p>{page['lines'][0]}</p><form><input"
        f" type=email name=email><button>{page['button']}</button></form>"
    )
    return Draft(bare(voice, form), f"{page['title']} | Kurier", final_url=f"{SITE}/account/signin?returnUrl=%2Fa")


@family(Kind.LOGIN, "b")
def member_area(voice: Voice) -> Draft:
    page = voice["login"]
    form = f"<form id=member><table><tr><td>{page['lines'][0]}</td></tr><tr><td><input name=login></td></tr><tr><td>"
    form += f"<input type=password name=pw></td></tr></table><input type=submit value='{page['button']}'></form>"
    return Draft(cards(voice, f"<h1>{page['button']}</h1>{form}"), page["button"])


@family(Kind.LOGIN, "b")
def register_with_benefits(voice: Voice) -> Draft:
    page, benefits = voice["register_page"], voice["login"]["lines"][1]
    fields = "".join(f"<label>{line} <input></label>" for line in page["lines"][1:])
    form = (
        f"<h1>{page['title']}</h1><p>{benefits}</p><form>{fields}"
        f"<input type=password><button>{page['button']}</button></form>"
    )
    return Draft(mega(voice, form), page["title"], path="/user/signup")


@family(Kind.SOFT_404, "a")
def missing_plain(voice: Voice) -> Draft:
    page = voice["missing"]
    return Draft(bare(voice, f"<h1>{page['title']}</h1>{p(page['lines'])}"), f"{page['title']} - Kurier")


@family(Kind.SOFT_404, "a")
def missing_with_most_read(voice: Voice) -> Draft:
    page = voice["missing"]
    main = f"<h1>{page['title']}</h1>{p(page['lines'])}<h2>{page['list']}</h2><ul>{links(voice, 15)}</ul>"
    return Draft(classic(voice, main), f"{page['title']} | Kurier", og("website"))


@family(Kind.SOFT_404, "a")
def missing_in_a_portal(voice: Voice) -> Draft:
    page = voice["missing"]
    return Draft(portal(voice, f"<div class=e>404</div><h2>{page['title']}</h2>{p(page['lines'])}"), "Kurier")


@family(Kind.SOFT_404, "a")
def redirected_to_the_front_page(voice: Voice) -> Draft:
    teasers = links(voice, 25, "<div><a href='{url}'>{title}</a><p>{teaser}</p></div>")
    return Draft(classic(voice, teasers), "Kurier", og("website"), final_url=f"{SITE}/")


@family(Kind.SOFT_404, "b")
def missing_with_teasers(voice: Voice) -> Draft:
    page = voice["missing"]
    teasers = links(voice, 9, "<div class=sc-t><a href='{url}'><h3>{title}</h3></a><p>{teaser}</p></div>")
    main = f"<h1>{page['title']}</h1>{p(page['lines'])}<h2>{page['list']}</h2>{teasers}"
    return Draft(cards(voice, main), f"404 | {page['title']}", og("website"))


@family(Kind.SOFT_404, "b")
def missing_in_the_text_only(voice: Voice) -> Draft:
    page = voice["missing"]
    return Draft(mega(voice, f"<div class=err><p>{page['title']}</p>{p(page['lines'])}</div>"), "Kurier")


@family(Kind.SOFT_404, "b")
def error_address(voice: Voice) -> Draft:
    page = voice["missing"]
    return Draft(cards(voice, p(page["lines"])), "Kurier", final_url=f"{SITE}/404.html")


@family(Kind.SOFT_404, "b")
def missing_says_article(voice: Voice) -> Draft:
    """The CMS leaves the metadata of an article on its error page."""
    page = voice["missing"]
    head = og("article", page["title"]) + json_ld("WebPage", name=page["title"])
    return Draft(mega(voice, f"<h1>404</h1><h2>{page['title']}</h2>{p(page['lines'])}"), page["title"], head)
