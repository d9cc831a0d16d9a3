"""Which ``rel=canonical`` to believe.

A canonical address decides what is a duplicate, so a wrong one loses articles: sites point all their pages to the
front page or a section, and copies to another site. A missing one costs only a comparison of texts. So it must be on
the page's own site (the same host but for ``www``, ``m`` and ``amp``, or a parent or child domain of it), or be
confirmed by the article's JSON-LD; and it must not be a folder above the page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from newsmon.errors import UrlError
from newsmon.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_LANGUAGES = frozenset(
    "ar az be bg bn bs ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko ky lt lv mk mn ms"
    " nl no pl pt ro ru sk sl sq sr sv sw ta tg th tk tr uk ur uz vi zh".split()
)
_PREFIX = re.compile(r"^(?:www|m|mobile|amp|wap|touch)\d?\.")
_VARIANT = re.compile(r"(?:amp|m|mobile|print|all|full|index|page|comments?|\d\d?)(?:\.\w{3,5})?", re.IGNORECASE)


def trusted_canonical(page_url: str, stated: Iterable[str], confirmed: Collection[str] = ()) -> str | None:
    """The canonical address of a page, as :func:`newsmon.urls.canonical` writes it; None when it is not to be believed.

    :param page_url: the address that answered; relative addresses are relative to it.
    :param stated: what the page states; contradicting statements are not believed.
    :param confirmed: addresses that the article's own metadata gives; they may be on another site.

    >>> trusted_canonical("https://m.news.example/a/1?x=2", ["https://news.example/a/1"])
    'https://news.example/a/1'
    >>> trusted_canonical("https://news.example/a/1", ["https://news.example/"]) is None
    True
    >>> trusted_canonical("https://news.example/es/a/1", ["https://news.example/a/1"]) is None
    True
    """
    found = {_absolute(page_url, url) for url in stated}
    if len(found) != 1 or (url := found.pop()) is None:
        return None
    if _edition(url) != _edition(page_url):
        return None
    same = same_site(page_url, url) or url in {_absolute(page_url, other) for other in confirmed}
    return url if same and not _is_folder_above(url, page_url) else None


def same_site(url: str, other: str) -> bool:
    """True when the hosts are equal but for ``www`` and the like, or one is a subdomain of the other."""
    first, second = (_site(address) for address in (url, other))
    return first == second or first.endswith("." + second) or second.endswith("." + first)


def absolute_url(base: str, url: str) -> str | None:
    """An http(s) address, or None."""
    try:
        joined = urljoin(base, url.strip())
        parts = urlsplit(joined)
    except ValueError:
        return None
    return joined if parts.scheme in ("http", "https") and parts.hostname else None


def _absolute(base: str, url: str) -> str | None:
    try:
        return canonical(url.strip(), base=base)
    except UrlError:
        return None


def _site(url: str) -> str:
    return _PREFIX.sub("", urlsplit(url).hostname or "")


def _edition(url: str) -> str | None:
    """The language edition an address names: a translation is an article of its own, whatever it calls its original."""
    parts = urlsplit(url)
    for name in (parts.path.strip("/").partition("/")[0].lower(), (parts.hostname or "").partition(".")[0]):
        if name.partition("-")[0] in _LANGUAGES:
            return name
    return None


def _is_folder_above(url: str, page: str) -> bool:
    """True for the front page and for a section of the page; its AMP, print or numbered parts are variants of it."""
    above, below = urlsplit(url), urlsplit(page)
    folder, path = above.path.rstrip("/"), below.path.rstrip("/")
    if above.query or not (path + "/").startswith(folder + "/"):
        return False
    if not folder:
        return bool(path or below.query)
    return not all(_VARIANT.fullmatch(part) for part in path[len(folder) + 1 :].split("/") if part)
