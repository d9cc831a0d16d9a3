"""Pages of bot protections, with the scripts, headers and statuses they come with."""

from __future__ import annotations

from typing import Any

from newsmon.model import Kind
from tests.kindpages.page import Draft, Voice, bare, family, mega, words

_WORDS = words("challenges")


def _as_sent(page: dict[str, Any]) -> None:
    """Register a page that is sent as it is."""

    def write(_voice: Voice) -> Draft:
        sent = {"status": page.get("status", 403), "headers": page.get("headers", {})}
        return Draft(page["body"], page.get("title", ""), page.get("head", ""), **sent)

    write.__name__ = page["name"]
    family(Kind.CHALLENGE, page["half"], languages=page.get("languages", ("en",)))(write)


for _page in _WORDS["pages"]:
    _as_sent(_page)


@family(Kind.CHALLENGE, "a")
def cloudflare_managed(voice: Voice) -> Draft:
    title, prove, review = _WORDS["cloudflare"][voice.language]
    body = (
        f"<div class='main-wrapper'><div class='main-content'><h1>www.kurier.example</h1><p>{prove}</p>"
        f"<div id='challenge-stage'></div><p>www.kurier.example {review}</p></div></div><script>(function(){{"
        "window._cf_chl_opt = {cvId: '3', cType: 'managed', cRay: '8a1'};}())</script>"
        "<div class='footer'><div>Ray ID: <code>8a1f77bc</code></div><div>Performance &amp; security by "
        "Cloudflare</div></div>"
    )
    return Draft(body, title, "<meta name='robots' content='noindex,nofollow'>", status=403)


@family(Kind.CHALLENGE, "b")
def own_captcha(voice: Voice) -> Draft:
    title, prove = _WORDS["own"][voice.language]
    frame = bare if voice.language in ("en", "ru", "fr") else mega
    form = "<form><img src='/captcha.php?id=7'><input name='captcha'></form>"
    return Draft(frame(voice, f"<h1>{title}</h1><p>{prove}</p>{form}"), title, status=200)
