"""What is not an article, in several languages, and the articles that only look like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newsmon.extraction import extract
from newsmon.model import Kind
from tests.pages import SENTENCE, URL, article, page, real_pages, rules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RULE = {"text": ["//article//p"], "title": ["//h1"]}
GREEDY = {"text": ["//p"]}  # a rule that takes whatever the page has
LONG = SENTENCE * 15
CLOSED = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>'
OPEN = CLOSED.replace("false", "true")
LIVE = '<script type="application/ld+json">{"@type":["LiveBlogPosting"],"headline":"x"}</script>'
FILM = '<script type="application/ld+json">{"@type":"VideoObject","name":"x"}</script>'
OG_VIDEO = '<meta property="og:type" content="video.other">'
JSD = "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>"
LIST = '<script type="application/ld+json">{"@type":"CollectionPage"}</script>'
FORM = "<form><input name=u><input type=password name=p></form>"
LINKS = "".join(f"<li><a href='/{n}'>Headline number {n} about the town and its dam</a></li>" for n in range(30))


def notice(title: str, *texts: str, head: str = "", more: str = "") -> str:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return f"<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1>{body}{more}</body></html>"


CONSENT = {
    "en": "We and our partners store cookies and use personal data. You can accept or refuse consent, read the privacy "
    "policy and manage cookies for each of our 823 partners. Consent can be withdrawn at any time.",
    "de": "Wir und unsere Partner speichern Cookies. Mit Ihrer Einwilligung verarbeiten wir Daten. Sie können "
    "zustimmen. Die Einwilligung ist freiwillig; mehr in der Datenschutzerklärung. Alle Cookies akzeptieren",
    "ru": "Сайт использует файлы cookie. Нажимая кнопку, вы даёте согласие на обработку персональных данных и "
    "принимаете политику конфиденциальности. Согласие можно отозвать в настройках cookie в любое время.",
    "uk": "Сайт використовує файли cookie. Натискаючи кнопку, ви даєте згоду на обробку персональних даних і приймаєте "
    "політику конфіденційності. Згоду можна відкликати в налаштуваннях cookie будь-коли.",
    "zh": "本网站使用cookie。点击同意即表示您同意我们处理您的个人信息，并接受隐私政策。您可以随时撤回同意。",
    "es": "Nosotros y nuestros socios usamos cookies. Con su consentimiento tratamos datos personales. Puede "
    "retirar el consentimiento en la política de privacidad y gestionar las cookies en todo momento.",
}
NOT_ARTICLES = [
    *(pytest.param(Kind.CONSENT, notice("Consent", text), id=f"consent {code}") for code, text in CONSENT.items()),
    pytest.param(Kind.CHALLENGE, notice("Just a moment...", "Checking your browser"), id="cloudflare"),
    pytest.param(Kind.CHALLENGE, notice("x", more="<script>window._cf_chl_opt={}</script>"), id="cloudflare script"),
    pytest.param(
        Kind.CHALLENGE, notice("a.example", more="<script src='//ct.captcha-delivery.com/c.js'>"), id="datadome"
    ),
    pytest.param(Kind.CHALLENGE, notice("Access to this page has been denied", "Press and hold"), id="perimeterx"),
    pytest.param(Kind.CHALLENGE, notice("Вы не робот?", "Подтвердите"), id="smartcaptcha"),
    pytest.param(Kind.CHALLENGE, notice("安全验证", "请完成验证"), id="challenge zh"),
    pytest.param(Kind.SOFT_404, notice("404 Not Found", "Sorry."), id="404 en"),
    pytest.param(Kind.SOFT_404, notice("Страница не найдена", "Возможно, она удалена."), id="404 ru"),
    pytest.param(Kind.SOFT_404, notice("Сторінку не знайдено", "Перевірте адресу."), id="404 uk"),
    pytest.param(Kind.SOFT_404, notice("Seite nicht gefunden", "Hoppla"), id="404 de"),
    pytest.param(Kind.SOFT_404, notice("页面不存在", "返回首页"), id="404 zh"),
    pytest.param(Kind.SOFT_404, notice("Página no encontrada", "Volver"), id="404 es"),
    pytest.param(Kind.SOFT_404, notice("The page could not be found", more=f"<ul>{LINKS}</ul>"), id="404 with links"),
    pytest.param(Kind.LOGIN, notice("Sign in", "Welcome back", more=FORM), id="login en"),
    pytest.param(Kind.LOGIN, notice("Вход на сайт", "Пароль", more=FORM), id="login ru"),
    pytest.param(Kind.LOGIN, notice("登录", "密码", more=FORM), id="login zh"),
    pytest.param(Kind.PAYWALL, article(SENTENCE * 3, head=CLOSED), id="stub that says it is closed"),
    pytest.param(Kind.PAYWALL, notice("Dam", "Subscribe to continue reading"), id="wall en"),
    pytest.param(Kind.PAYWALL, article(SENTENCE * 3 + "…", head="") + "<div>Weiterlesen mit Z+</div>", id="cut de"),
    pytest.param(
        Kind.PAYWALL, article("Плотина открыта. " * 10 + "Материал доступен по подписке."), id="wall in text ru"
    ),
    pytest.param(Kind.PAYWALL, article("Греблю відкрито. " * 10 + "Доступно передплатникам."), id="wall in text uk"),
    pytest.param(Kind.PAYWALL, article("水库启用。" * 10 + "订阅后继续阅读"), id="wall in text zh"),
    pytest.param(Kind.TICKER, article(LONG, head=LIVE), id="live blog"),
    pytest.param(
        Kind.VIDEO, notice("Film", "Watch.", head='<meta property="og:type" content="video.other">'), id="video"
    ),
    pytest.param(Kind.VIDEO, notice("Film", "Watch.", head=FILM), id="VideoObject"),
    pytest.param(Kind.SHELL, "<div id=root></div><script src=app.js></script>", id="shell"),
    pytest.param(
        Kind.SHELL,
        "<noscript>You need to enable JavaScript to run this app.</noscript><i>Loading</i><script src=a.js></script>",
        id="shell with noscript",
    ),
    pytest.param(Kind.SECTION, notice("City", head=LIST), id="CollectionPage"),
    pytest.param(Kind.SECTION, notice("City", more=f"<ul>{LINKS}</ul>"), id="headlines"),
]


@pytest.mark.parametrize("rule", [RULE, GREEDY], ids=["exact rule", "greedy rule"])
@pytest.mark.parametrize(("kind", "body"), NOT_ARTICLES)
def test_not_an_article(kind: Kind, body: str, rule: Mapping[str, list[str]]) -> None:
    found = extract(page(body), rules=rules(rule))
    assert found.kind is kind, found.reason
    assert found.reason


@pytest.mark.parametrize(
    ("kind", "final_url"),
    [
        (Kind.SOFT_404, "http://zarya.example/"),
        (Kind.SOFT_404, "http://other.example"),
        (Kind.CONSENT, "https://consent.zarya.example/v2/collect?continue=x"),
        (Kind.LOGIN, "http://zarya.example/account/login?next=/news"),
    ],
)
def test_redirects_tell(kind: Kind, final_url: str) -> None:
    found = extract(page(notice("Zarya", "Welcome."), final_url=final_url), rules=rules(RULE))
    assert found.kind is kind, found.reason


@pytest.mark.parametrize("headers", [{"cf-mitigated": "challenge"}, {"x-amzn-waf-action": "captcha"}])
def test_headers_tell(headers: dict[str, str]) -> None:
    assert extract(page(article(LONG), headers=headers), rules=rules(RULE)).kind is Kind.CHALLENGE


ABOUT_COOKIES = (
    "Regulators fined the company over cookies on Friday. The privacy watchdog said consent had to be asked for before "
    "any cookies were stored. Lawyers for the advertising group answered that the ruling went further than the text of "
    "the law, and that they would take the matter to the highest court, where a decision is expected by next summer. "
)
ARTICLES = [
    pytest.param(article(LONG), id="an article"),
    pytest.param(article(SENTENCE * 4), id="a short news item"),
    pytest.param(article("央行今天宣布下调利率。" * 8), id="a short Chinese item"),
    pytest.param(article(ABOUT_COOKIES * 2, title="Company fined over cookies"), id="about cookies"),
    pytest.param(article(ABOUT_COOKIES, head='<meta property="og:type" content="article">'), id="short, about cookies"),
    pytest.param(article(LONG, title="404: the story of an error page"), id="about 404"),
    pytest.param(article(LONG, head=CLOSED), id="closed, but the text is all there"),
    pytest.param(
        article(SENTENCE * 4, head=OPEN) + "<div>Subscribe to continue reading</div>", id="open, with an offer"
    ),
    pytest.param(
        article(SENTENCE * 4) + "<div hidden>Subscribe to continue reading</div>", id="offer in a hidden layer"
    ),
    pytest.param(article(LONG) + FORM, id="a login form in the header"),
    pytest.param(article(LONG, head=FILM), id="with a video"),
    pytest.param(article(LONG, head=LIST) + LINKS, id="with many links"),
    pytest.param(article(LONG) + "<noscript>Please enable JavaScript</noscript>", id="works better with JavaScript"),
    pytest.param(article(LONG, head=JSD), id="cloudflare's usual script"),
    pytest.param(article(LONG, title="Just a moment of silence"), id="a title like a challenge"),
]


@pytest.mark.parametrize("body", ARTICLES)
def test_articles_stay_articles(body: str) -> None:
    found = extract(page(body), rules=rules(RULE))
    assert (found.kind, found.reason) == (Kind.ARTICLE, None)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(article(LONG, head=CLOSED), id="closed"),
        pytest.param(article(LONG) + "<div>Subscribe to continue reading</div>", id="with an offer"),
        pytest.param(article(LONG) + FORM + "<h1>Sign in</h1>", id="with a login form"),
        pytest.param(article(LONG) + LINKS, id="with many links"),
        pytest.param(article(LONG, title="404 days"), id="404 in the title"),
    ],
)
def test_a_broken_rule_is_not_taken_for_another_kind_of_page(body: str) -> None:
    found = extract(page(body), rules=rules({"text": ["//main"]}))
    assert (found.kind, found.method) == (Kind.ARTICLE, "svm")
    assert "select no text" in found.reason


def test_front_page_asked_for_is_no_soft_404() -> None:
    root = "http://zarya.example/"
    assert extract(page(article(LONG), url=root), rules=rules(RULE)).kind is Kind.ARTICLE
    moved = extract(page(article(LONG), url=URL, final_url=root + "?p=12"), rules=rules(RULE))
    assert moved.kind is Kind.ARTICLE


def test_other_kinds_keep_their_text_and_metadata() -> None:
    found = extract(page(article(SENTENCE * 3, head=CLOSED)), rules=rules(RULE))
    assert (found.kind, found.title, found.paywalled, found.method) == (Kind.PAYWALL, "Dam opens", True, "rule")
    assert found.text == (SENTENCE * 3).strip()


def test_no_real_article_is_called_something_else(shared_data: Path) -> None:
    kinds = {}
    for fetched, line in real_pages(shared_data):
        deleted = str(line["gold_title"]).startswith("Статья удалена")  # shown for an article that is gone
        if line["rule_hit"] and line["rule_chars"] and not deleted:
            for site in (rules({"text": [line["rule"]]}), None):
                found = extract(fetched, rules=site)
                kinds.setdefault((site is None, found.kind), []).append((line["id"], found.reason))
    assert set(kinds) <= {(False, Kind.ARTICLE), (True, Kind.ARTICLE), (True, Kind.EMPTY)}, kinds
