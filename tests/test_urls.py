"""Identity of pages: what is one article and what is not, and which address is requested."""

from __future__ import annotations

import gzip
import json
import string
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from newsmon.errors import UrlError
from newsmon.urlparams import is_noise, is_presentation
from newsmon.urls import MAX_LENGTH, UrlRules, canonical, host_of, origin_of, page_key

if TYPE_CHECKING:
    from pathlib import Path

# (an address, another one of the same article, what the pair proves); a bare path stands on https://example.com
SAME = [
    # safe rules of the paper
    ("HTTP://www.Example.com/", "http://www.example.com/", "case of scheme and host"),
    ("https://EXAMPLE.com/a", "/a", "case of the host alone"),
    ("http://example.com/../a/b/../c/./d", "http://example.com/a/c/d", "dot segments"),
    ("/a/%2e%2e/b", "/b", "escaped dot segments"),
    ("/a/.", "/a/", "dot segment at the end"),
    ("/../../x", "/x", "dot segments above the root"),
    ("http://example.com/bar.html#section1", "http://example.com/bar.html", "fragment"),
    ("/bar#", "/bar", "empty fragment"),
    ("/bar#comment-17", "/bar", "fragment of a comment"),
    ("http://example.com/foo/", "https://example.com/foo", "final slash"),
    ("http://example.com:80", "http://example.com", "default port of http"),
    ("https://example.com:443/a", "https://example.com/a", "default port of https"),
    ("https://example.com:/a", "https://example.com/a", "empty port"),
    ("http://xn--e1afmkfd.xn--80akhbyknj4f/", "http://пример.испытание/", "IDN"),
    ("http://ПРИМЕР.Испытание/новость", "http://xn--e1afmkfd.xn--80akhbyknj4f/новость", "IDN in upper case"),
    ("https://bücher.example/a", "https://xn--bcher-kva.example/a", "IDN with Latin letters"),
    ("https://example.com./a", "/a", "final dot of the host"),
    ("https://example。com/a", "/a", "ideographic dot in the host"),
    ("http://0x7f.0.0.1/a", "http://127.0.0.1/a", "spelling of an IPv4 address"),
    ("http://[0:0:0:0:0:0:0:1]/a", "http://[::1]/a", "spelling of an IPv6 address"),
    ("https://example.com", "https://example.com/", "empty path"),
    ("https://example.com?a=1", "https://example.com/?a=1", "empty path before a query"),
    ("  https://example.com/a\n", "/a", "blanks around"),
    ("\ufeffhttps://example.com/a\u200b", "/a", "invisible characters around"),
    ("https:\\\\example.com\\a\\b", "/a/b", "backslashes"),
    # aggressive rules of the paper
    ("http://example.com/index.html", "http://www.example.com/", "index file and www"),
    ("/news/index.php?id=5", "/news/?id=5", "index file before a query"),
    ("/news/Default.aspx", "/news", "index file of IIS"),
    ("/a/index.shtml", "/a/", "index file with includes"),
    ("http://example.com/foo//bar.html", "http://example.com/foo/bar.html", "doubled slash"),
    ("//example.com//a", "/a", "doubled slash at the start"),
    ("http://www.example.com/", "http://example.com/", "www"),
    ("http://www2.example.com/a", "http://example.com/a", "numbered www"),
    ("https://example.com", "http://example.com", "scheme"),
    ("HTTP://example.COM/TEST.html", "http://example.com/test.html", "lower case of everything"),
    ("/News/Какая-Новость", "/news/какая-новость", "lower case beyond ASCII"),
    ("/a?ID=5", "/a?id=5", "lower case in the query"),
    # percent-encoding
    ("/%7Euser/", "/~user/", "needless escape"),
    ("/%6eews/%31", "/news/1", "needless escapes of letters and digits"),
    ("/%d0%b0%d0%b1", "/%D0%B0%D0%B1", "case of escapes"),
    ("/%D0%B0%D0%B1", "/аб", "escapes and Unicode"),
    ("/%D0%90", "/%D0%B0", "case behind escapes"),
    ("/caf%C3%A9", "/cafe%CC%81", "composed and decomposed accents"),
    ("/a%2Cb%3A%28c%29", "/a,b:(c)", "escapes of harmless punctuation"),
    ("/a b", "/a%20b", "blank"),
    ("/?q=a+b", "/?q=a%20b", "plus and blank in the query"),
    ("/100%", "/100%25", "lone percent sign"),
    # query
    ("/a?x=1&y=2", "/a?y=2&x=1", "order of parameters"),
    ("/a?x=1&x=1", "/a?x=1", "doubled parameter"),
    ("/a?x=", "/a?x", "parameter without a value"),
    ("/a?", "/a", "empty query"),
    ("/a?&&x=1&", "/a?x=1", "empty parameters"),
    ("/a?x=1&amp;y=2", "/a?x=1&y=2", "ampersand escaped once too often"),
    ("/a?x=1&amp;amp;utm_source=rss", "/a?x=1", "tracking behind an escaped ampersand"),
    # tracking
    ("/a?utm_source=rss&utm_medium=feed&utm_campaign=x", "/a", "Google Analytics"),
    ("/a?UTM_Source=rss", "/a", "tracking in upper case"),
    ("/a?utm%5Fsource=rss", "/a", "tracking behind an escape"),
    ("/a?id=5&fbclid=IwAR0x", "/a?id=5", "Facebook"),
    ("/a?gclid=1&gbraid=2&wbraid=3&dclid=4", "/a", "Google Ads"),
    ("/a?yclid=1&ysclid=2&_openstat=3&etext=4", "/a", "Yandex"),
    ("/a?msclkid=1&twclid=2&ttclid=3&igshid=4", "/a", "Microsoft, Twitter, TikTok, Instagram"),
    ("/a?mc_cid=1&mc_eid=2&mkt_tok=3&_hsenc=4", "/a", "mail"),
    ("/a?at_medium=RSS&at_campaign=KARANGA", "/a", "AT Internet (BBC)"),
    ("/a.html?ns_mchannel=rss&ito=1490&ns_campaign=1490", "/a.html", "comScore (Daily Mail)"),
    ("/a?xtor=RSS-3208", "/a", "AT Internet (Le Monde)"),
    ("/a?pk_campaign=x&mtm_source=y", "/a", "Matomo"),
    ("/a?from=rss", "/a", "channel in from"),
    ("/a?ref=Twitter&id=1", "/a?id=1", "channel in ref"),
    ("/a?source=newsletter", "/a", "channel in source"),
    ("/a#xtor=RSS-3208", "/a", "tracking in the fragment"),
    # sessions
    ("/a;jsessionid=0123ABCD?id=1", "/a?id=1", "Java session"),
    ("/a?PHPSESSID=0123456789abcdef0123456789abcdef", "/a", "PHP session"),
    ("/a?ASPSESSIONIDQQABCDEF=XYZ", "/a", "ASP session"),
    ("/(S(abcdefghij0123456789abcd))/a.aspx", "/a.aspx", "ASP.NET session in the path"),
    # AMP
    ("/news/17/amp/", "/news/17/", "AMP segment at the end"),
    ("/amp/news/17", "/news/17", "AMP segment at the start"),
    ("/news/amp/world-17", "/news/world-17", "AMP segment in the middle (BBC)"),
    ("/a/slug.amp.html", "/a/slug.html", "AMP suffix before .html"),
    ("/a/slug.amp", "/a/slug.html", "AMP suffix instead of .html"),
    ("/a/slug~amp.html", "/a/slug.html", "AMP suffix of MDR"),
    ("/a/slug_amp.html", "/a/slug.html", "AMP suffix of ABC"),
    ("/amphtml/a/17", "/a/17", "AMP segment of Libération"),
    ("/a?amp=1", "/a", "AMP parameter"),
    ("/a?amp", "/a", "AMP parameter without a value"),
    ("/a?outputType=amp&id=2", "/a?id=2", "AMP output type"),
    ("https://amp.example.com/a", "/a", "AMP host"),
    ("https://www.google.com/amp/s/www.example.com/news/17/amp", "https://example.com/news/17", "Google AMP viewer"),
    ("https://google.de/amp/example.com/a?x=1", "http://example.com/a?x=1", "Google AMP viewer without TLS"),
    ("https://www-example-com.cdn.ampproject.org/v/s/www.example.com/a?usqp=mq3", "/a", "Google AMP cache"),
    ("https://cdn.ampproject.org/c/s/amp.example.com/a", "/a", "old Google AMP cache"),
    ("https://www-example-com.bing-amp.com/c/s/www.example.com/a", "/a", "Bing AMP cache"),
    # mobile and print
    ("https://m.example.com/a", "https://www.example.com/a", "mobile host"),
    ("http://mobile.nytimes.com/2012/06/10/a.html", "http://www.nytimes.com/2012/06/10/a.html", "mobile. host"),
    ("https://touch.example.com/a", "/a", "touch host"),
    ("https://www.m.example.com/a", "/a", "mobile host behind www"),
    ("/a?print=1", "/a", "print parameter"),
    ("/a?view=print", "/a", "print view"),
    ("/print/news/17", "/news/17", "print segment at the start"),
    ("/news/17/print/", "/news/17", "print segment at the end"),
    ("/a?pagewanted=all", "/a", "all pages on one"),
    ("/news/17.html", "/news/17", "file name suffix"),
    # titles beside an id
    (
        "/noticia/Z59BAEC38-ADF2-2475-07830E240D31D863/202101/111m-para-crear-una-red-de-areas",
        "/noticia/Z59BAEC38-ADF2-2475-07830E240D31D863/202101/14-positivos-en-el-cribado-de-la-zona",
        "title behind a GUID (commoncrawl/news-crawl#44)",
    ),
    (
        "/census-native-american-surges-1be8eef6-d09f-4249-86b0-7bf8cfbfc801.html",
        "/native-american-census-corrected-1be8eef6-d09f-4249-86b0-7bf8cfbfc801.html",
        "title before a GUID in one segment",
    ),
    (
        "/article/abortion-texas-courts-bills-adaf9baabf57a425c8596454286842d0",
        "/article/texas-abortion-bill-in-court-adaf9baabf57a425c8596454286842d0",
        "title before a GUID without hyphens",
    ),
    ("/football/koryan-rasskazal-o-prichinah-2180327/", "/football/drugoj-zagolovok-toj-zhe-2180327/", "id at the end"),
    ("/football/koryan-rasskazal-o-prichinah-2180327/", "/football/2180327/", "id with and without a title"),
    ("/a/7654321-storm-hits-the-coast.html", "/a/7654321-storm-hits-coast-again-soon.html", "id at the start"),
    ("/a/hyperrealistic-cake-tools-a45038052/", "/a/cake-tools-so-real-a45038052/", "id with a letter"),
    ("/a/news_of_the_day_7654321.php", "/a/another_title_here_7654321.php", "title with underscores"),
]

DIFFERENT = [
    ("https://example.com/a", "https://example.org/a", "host"),
    ("https://news.example.com/a", "https://example.com/a", "subdomain"),
    ("https://example.com:8080/a", "https://example.com/a", "port"),
    ("/a", "/b", "path"),
    ("/news/1", "/news/2", "id"),
    ("/news/1", "/sport/1", "section"),
    ("/a?id=1", "/a?id=2", "value of a parameter"),
    ("/a?id=1", "/a", "a parameter"),
    ("/story?id=80397149", "/story?id=80167793", "id in the query (ABC News)"),
    ("/index.php?sid=12", "/index.php?sid=13", "sid is a story id"),
    ("/news.php?s=12", "/news.php?s=13", "s is no session"),
    ("/a?page=2", "/a?page=3", "page of a list"),
    ("/a/2", "/a", "page of an article"),
    ("/index2.html", "/index.html", "numbered file"),
    ("/a?from=2024-01-01", "/a?from=2024-01-02", "from is a date"),
    ("/a?from=20", "/a?from=40", "from is an offset"),
    ("/a?source=4711", "/a?source=4712", "source is an id"),
    ("/?print=123", "/?print=124", "print holds the id"),
    ("/a?view=list", "/a?view=map", "view is no variant"),
    ("/forum.php?mod=viewthread&tid=1", "/forum.php?mod=viewthread&tid=2", "thread"),
    ("/?feed=rss2", "/", "a feed is not the front page"),
    ("/rss.php?channel=main", "/rss.php?channel=sport", "channels of a feed"),
    ("/#!/news/17", "/#!/news/18", "address behind a hash-bang"),
    ("/app#/news/17", "/app#/news/18", "address of a single-page application"),
    ("/a%2Fb", "/a/b", "escaped slash"),
    ("/a%3Fb", "/a?b", "escaped question mark"),
    ("/?a=1%26b=2", "/?a=1&b=2", "escaped ampersand"),
    ("/?a=1%2B1", "/?a=1+1", "escaped plus"),
    ("/%CF%F0%E8", "/%CF%F0%E9", "escapes in another encoding"),
    ("/watch?v=dQw4w9WgXcQ", "/watch?v=dqw4w9wgxcq", "identifier whose case matters"),
    ("/p/AA1bCdE", "/p/aa1bcde", "identifier of MSN"),
    ("/2024/05/12/title", "/2024/05/13/title", "day"),
    ("/fender-guitar-amp", "/fender-guitar", "amp as a word of the title"),
    ("/blue_print.html", "/blue.html", "print as a word of the title"),
    ("/amplifier/a", "/a", "segment that begins like amp"),
    ("https://mars.example.com/a", "/a", "host that begins like m."),
    ("https://m.de/a", "https://x.de/a", "domain of one letter"),
    ("https://www.google.com/amp/s/example.com/a", "https://www.google.com/amp/s/example.com/b", "pages in the viewer"),
    ("https://www.google.com/search?q=a", "https://www.google.com/search?q=b", "Google without AMP"),
    # titles that must stay
    ("/top-ten-films-of-2024", "/best-ten-books-of-2024", "year"),
    ("/news-of-the-day-20240815", "/sport-of-the-day-20240815", "date at the end"),
    ("/20240815-news-of-the-day", "/20240815-sport-of-the-day", "date at the start"),
    ("/news-of-the-day-15082024", "/sport-of-the-day-15082024", "date, day first"),
    ("/storm-in-the-north-202408151230", "/calm-in-the-south-202408151230", "date and time"),
    ("/storm-in-the-north-2408151230", "/calm-in-the-south-2408151230", "short date and time"),
    ("/storm-in-the-north-1723723800", "/calm-in-the-south-1723723800", "seconds since 1970"),
    ("/1000000-people-march-in-london", "/1000000-people-march-in-paris", "round figure"),
    ("/moutai-profit-rises-again-600519", "/moutai-profit-falls-again-600519", "stock code"),
    ("/moutai-profit-rises-7654321-1234567", "/tesla-profit-falls-1111111-1234567", "two long numbers"),
    ("/video-7654321", "/photo-7654321", "kind instead of a title"),
    ("/world/storm-hits-the-coast-7654321", "/sport/storm-hits-the-coast-7654321", "section before an id"),
    ("/7654321-storm-hits-the-coast-2", "/7654321-storm-hits-the-coast-3", "page number behind the title"),
    ("/storm-hits-the-coast-7654321_2.html", "/storm-hits-the-coast-7654321_3.html", "page number behind the id"),
    (
        "/media/1be8eef6-d09f-4249-86b0-7bf8cfbfc801/first-article-of-the-channel",
        "/media/1be8eef6-d09f-4249-86b0-7bf8cfbfc801/second-article-of-the-channel",
        "GUID of a channel",
    ),
    (
        "/article/1be8eef6-d09f-4249-86b0-7bf8cfbfc801/comments",
        "/article/1be8eef6-d09f-4249-86b0-7bf8cfbfc801",
        "comments behind a GUID",
    ),
    (
        "/who-did-what-1be8eef6-d09f-4249-86b0-123456789012",
        "/who-did-what-2be8eef6-d09f-4249-86b0-123456789012",
        "GUIDs of one machine (the last group is its network card)",
    ),
]


def full(url: str) -> str:
    return f"https://example.com{url}" if url.startswith(("/", "?")) and not url.startswith("//e") else url


def cases(table: list[tuple[str, str, str]]) -> list[object]:
    return [pytest.param(full(first), full(second), id=proves) for first, second, proves in table]


def key(url: str, rules: UrlRules | None = None) -> str:
    return page_key(canonical(url, base="https://base.example/"), rules=rules)


@pytest.mark.parametrize(("first", "second"), cases(SAME))
def test_one_article(first: str, second: str) -> None:
    assert key(first) == key(second)


@pytest.mark.parametrize(("first", "second"), cases(DIFFERENT))
def test_two_articles(first: str, second: str) -> None:
    assert key(first) != key(second)


def test_the_table_is_large_enough() -> None:
    assert len(SAME) + len(DIFFERENT) >= 110


# --- the address to request ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://Example.com:80/Foo/", "http://example.com/Foo/"),  # the slash and the case of the path stay
        ("https://www.example.com//a//b", "https://www.example.com//a//b"),  # so do doubled slashes and www
        ("/a?b=2&a=1", "https://example.com/a?b=2&a=1"),  # and the order of parameters
        ("/a?b=2&utm_source=x&a=1#top", "https://example.com/a?b=2&a=1"),
        ("/a/index.html?amp=1", "https://example.com/a/index.html?amp=1"),  # the server needs it
        ("/%7e/%c3%a9/%2f", "https://example.com/~/%C3%A9/%2F"),
        ("/é/a b", "https://example.com/%C3%A9/a%20b"),
        ("/a?q=[1]|'x'", "https://example.com/a?q=%5B1%5D%7C%27x%27"),
        ("/50%", "https://example.com/50%25"),
        ("/#!/news/17", "https://example.com/#!/news/17"),
        ("http://пример.рф/а", "http://xn--e1afmkfd.xn--p1ai/%D0%B0"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://[::FFFF:1.2.3.4]:81/", "http://[::ffff:102:304]:81/"),
        ("https://my_site.blogspot.com/x", "https://my_site.blogspot.com/x"),
    ],
)
def test_canonical(url: str, expected: str) -> None:
    assert canonical(full(url)) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("2.html", "https://example.com/news/2.html"),
        ("/2.html", "https://example.com/2.html"),
        ("../2.html", "https://example.com/2.html"),
        ("?id=2", "https://example.com/news/1.html?id=2"),
        ("//cdn.example.org/a", "https://cdn.example.org/a"),
        ("http://other.example/a", "http://other.example/a"),
        ("", "https://example.com/news/1.html"),
        ("www.example.org/a", "https://example.com/news/www.example.org/a"),
    ],
)
def test_relative_addresses(link: str, expected: str) -> None:
    assert canonical(link, base="https://example.com/news/1.html#x") == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com/a",
        "/a",
        "//example.com/a",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "feed://example.com/rss",
        "mailto:a@example.com",
        "http:/example.com",
        "http://",
        "http:///a",
        "http://user@example.com/",
        "http://user:secret@example.com/",
        "http://@example.com/",
        "http://exa mple.com/",
        "http://example.com:port/",
        "http://example.com:99999/",
        "http://example.com:80:80/",
        "http://[::1/",
        "http://::1/",
        "http://[fe80::1%25eth0]/",
        "http://[nothing]/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://08.1.1.1/",
        "http://a..b/",
        "http://.example.com/",
        "http://ex%61mple.com/",
        f"http://{'a' * 64}.com/",
        f"http://{'a.' * 130}com/",
        "http://example.com/a\nb",
        "http://example.com/a\tb",
        "http://exa\x00mple.com/",
        "http://example.com/\x7f",
        "http://example.com/\ud800",
        f"http://example.com/{'a' * MAX_LENGTH}",
        f"http://example.com/{'я' * (MAX_LENGTH // 3)}",
    ],
)
def test_refused_addresses(url: str) -> None:
    with pytest.raises(UrlError):
        canonical(url)
    with pytest.raises(UrlError):
        page_key(url)


def test_a_backslash_ends_the_host_as_in_every_browser() -> None:
    assert canonical("http://good.example\\@evil.example/") == "http://good.example/@evil.example/"


def test_errors_name_the_address_without_its_control_characters() -> None:
    with pytest.raises(UrlError) as error:
        canonical("http://example.com/a\nFake log line")
    assert "\n" not in str(error.value)
    assert "http://example.com/a" in str(error.value)


def test_host_and_origin() -> None:
    assert host_of("HTTPS://Пример.рф:8443/a") == "xn--e1afmkfd.xn--p1ai"
    assert host_of("http://[::1]:81/") == "::1"
    assert str(origin_of("HTTPS://Example.com:443/a?b#c")) == "https://example.com"
    assert str(origin_of("http://example.com:8080/a")) == "http://example.com:8080"
    assert origin_of("http://[::1]/").port == 80


def test_a_host_that_is_no_valid_idna_stays_as_it_is() -> None:
    assert page_key("https://xn--zz--.example/a") == "xn--zz--.example/a"


def test_viewers_inside_viewers_end_somewhere() -> None:
    nested = "https://www.google.com" + "/amp/s/www.google.com" * 380 + "/amp/s/example.com/a"
    assert page_key(nested).startswith("google.com/")


@pytest.mark.parametrize("inner", ["a..b/c", "256.1.1.1/", "user@example.com/", "example.com:x/"])
def test_a_viewer_without_a_readable_address_is_a_page_of_its_own(inner: str) -> None:
    assert page_key(f"https://www.google.com/amp/s/{inner}").startswith("google.com/s/")


# --- rules of a site -------------------------------------------------------------------------------------------------


def test_a_site_drops_and_keeps_parameters() -> None:
    rules = UrlRules(drop=frozenset(["share_id", "x_*"]), keep=frozenset(["from", "utm_id"]))
    url = "https://example.com/a?share_id=7&X_1=2&from=rss&utm_id=3&utm_source=4"
    assert canonical(url, rules=rules) == "https://example.com/a?from=rss&utm_id=3"


def test_a_site_keeps_a_view_apart() -> None:
    rules = UrlRules(keep=frozenset(["print"]))
    assert key("https://example.com/a?print=1", rules) != key("https://example.com/a", rules)


def test_a_site_drops_all_parameters_but_one() -> None:
    rules = UrlRules(drop=frozenset(["*"]), keep=frozenset(["id"]))
    assert canonical("https://example.com/a?id=5&b=2&c=3", rules=rules) == "https://example.com/a?id=5"


def test_a_site_says_what_is_the_same() -> None:
    rules = UrlRules(same=((r"^(vc\.ru)/(?:u/[^/]+/|[a-z]+/)?(\d{5,})-.*", r"\1/\2"), ("/comments$", "")))
    assert key("https://vc.ru/u/448404-pavel/383300-kak-rozhdayutsya-posty/comments", rules) == "vc.ru/383300"
    assert key("https://vc.ru/marketing/383300-drugoe", rules) == "vc.ru/383300"


def test_a_site_with_its_own_rules_is_spared_the_general_one_for_titles() -> None:
    rules = UrlRules(same=(("/comments$", ""),))
    first, second = "https://example.com/one-title-here-7654321", "https://example.com/other-title-here-7654321"
    assert key(first) == key(second)
    assert key(first, rules) != key(second, rules)


# --- parameters ------------------------------------------------------------------------------------------------------


def test_no_view_is_noise() -> None:
    """The address that is requested must keep what chooses a view, or the server gives another page."""
    assert is_presentation("amp", "1")
    assert not is_noise("amp", "1")
    assert not is_noise("print", "y")


# --- properties ------------------------------------------------------------------------------------------------------

LETTERS = string.ascii_letters + string.digits
PATHS = st.text(alphabet=LETTERS + "/.-_~%;,:@!$&'()*+= []|\\\"<>аЯéß☃", max_size=40)
ADDRESSES = st.builds(
    lambda scheme, host, port, path, query, fragment: f"{scheme}://{host}{port}/{path}{query}{fragment}",
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(
        [
            "example.com",
            "www.google.com/amp/s",
            "x.cdn.ampproject.org/c",
            "www.Example.com",
            "m.example.com",
            "пример.рф",
            "127.1",
            "[::1]",
            "a.b.c.",
        ]
    ),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    PATHS,
    PATHS.map(lambda text: f"?{text}") | st.just(""),
    PATHS.map(lambda text: f"#{text}") | st.just(""),
)
ANYTHING = ADDRESSES | st.text() | st.text(alphabet=string.printable).map(lambda text: f"http://{text}")


def attempted(url: str) -> str | None:
    try:
        return canonical(url)
    except UrlError:
        return None


@given(ANYTHING)
def test_canonical_raises_nothing_but_url_errors_and_is_idempotent(url: str) -> None:
    first = attempted(url)
    assert first is None or canonical(first) == first


@given(ANYTHING)
def test_the_key_of_the_canonical_address_is_the_key(url: str) -> None:
    first = attempted(url)
    if first is None:
        with pytest.raises(UrlError):
            page_key(url)
    else:
        assert page_key(first) == page_key(url)


@given(ADDRESSES)
def test_the_case_of_scheme_and_host_never_matters(url: str) -> None:
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    assert page_key(f"{scheme.swapcase()}://{host.upper()}{slash}{path}") == page_key(url)


@given(st.text(alphabet=string.ascii_letters + "/-", max_size=30))
def test_the_case_of_words_never_matters(path: str) -> None:
    assert page_key(f"http://example.com/{path.upper()}") == page_key(f"http://example.com/{path}")


@given(ADDRESSES)
def test_scrapy_requests_the_canonical_address_unchanged(url: str) -> None:
    """Scrapy passes every address through w3lib; what it changed there would no longer be the address stored."""
    assert safe_url_string(canonical(url)) == canonical(url)


@given(ADDRESSES, st.sampled_from(["utm_source=rss", "fbclid=x", "from=rss", "amp=1"]))
def test_a_tracking_or_view_parameter_never_changes_the_key(url: str, extra: str) -> None:
    base, hash_mark, fragment = canonical(url).partition("#")
    joined = f"{base}{'&' if '?' in base else '?'}{extra}{hash_mark}{fragment}"
    assert page_key(joined) == page_key(url)


# --- real addresses --------------------------------------------------------------------------------------------------


def stated_addresses(folder: Path) -> dict[str, set[str]]:
    """Addresses of all articles in the data, with the titles they have there."""
    found: dict[str, set[str]] = defaultdict(set)
    for pattern in ("sites/*/manifest", "extraction/*/gold", "stories/*/docs", "redesign/manifest"):
        for file in folder.glob(f"{pattern}.jsonl.gz"):
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                for record in map(json.loads, lines):
                    if str(record.get("url")).startswith("http"):
                        found[record["url"]].add(record.get("gold_title") or record.get("title") or "")
    return found


def test_no_two_articles_of_the_data_are_merged(shared_data: Path) -> None:
    titles = stated_addresses(shared_data)
    merged: dict[str, set[str]] = defaultdict(set)
    for url in titles:
        merged[page_key(url)].add(url)
    suspicious = [urls for urls in merged.values() if len(set().union(*(titles[url] - {""} for url in urls))) > 1]
    assert len(titles) > 2000
    assert [urls for urls in suspicious if len(urls) > 1] == []


def test_desktop_and_amp_pages_of_the_data_are_one(shared_data: Path) -> None:
    with gzip.open(shared_data / "sites" / "nytimes.com-es" / "manifest.jsonl.gz", "rt", encoding="utf-8") as lines:
        urls = [json.loads(line)["url"] for line in lines]
    amp = {page_key(url) for url in urls if "/amp" in url}
    desktop = {page_key(url) for url in urls if "/amp" not in url}
    assert len(amp) > 100
    assert amp == desktop
