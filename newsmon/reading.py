"""Reading articles in a notebook or a program: ``from newsmon import extract``.

>>> page = "<h1>Dam opens</h1><article><p>" + "The dam was opened on Friday by the mayor. " * 20 + "</p></article>"
>>> found = extract(page, url="http://a.example/dam")
>>> found.title
'Dam opens'
>>> extract(b"%PDF-1.7").reason
'the body is binary data, not HTML'
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from newsmon.errors import NewsmonError, UrlError
from newsmon.library import Library, load_library
from newsmon.model import Extract, Kind
from newsmon.sandbox import guarded
from newsmon.saved import read_saved, saved_page, unpacked
from newsmon.siterules import SiteRules
from newsmon.urls import host_of

if TYPE_CHECKING:
    from newsmon.page import Page

Method = Literal["auto", "svm", "paper"]
METHODS: tuple[Method, ...] = ("auto", "svm", "paper")

_ADDRESS = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)
_LONGEST_PATH = 1024
_FILE_ENDS = (".html", ".htm", ".xhtml", ".gz")


def extract(
    source: bytes | bytearray | memoryview | str | Path,
    *,
    url: str | None = None,
    rules: SiteRules | Library | str | Path | None = None,
    content_type: str | None = None,
    method: Method = "auto",
    fetched_at: datetime | None = None,
) -> Extract:
    """Read the article of a page: text, paragraphs with their roles, title, authors, dates, kind of page.

    ::

        from newsmon import extract

        found = extract(requests.get(url).content, url=url)     # bytes are best: the encoding is found
        found = extract("saved/page.html.gz")                   # a file, gzipped or not
        if found.kind == "article":
            print(found.title, found.published, *found.text.split("\\n\\n"), sep="\\n")
        else:
            print(found.kind, found.reason)                     # consent, paywall, section, unparsable ...

    Never raises for what a page contains; a page that cannot be read has the kind ``unparsable`` and a reason. What
    takes very long or very much memory is read in a process of its own, which is stopped after five seconds.

    :param source: the bytes of a page as they came, gzipped or not; its markup as text; or the path of a saved page. A
        text is a path when it has no ``<`` and a file of that name exists or it ends like one (``.html``, ``.gz``).
    :param url: where the page is from; by default the address it gives itself (``rel=canonical``, ``og:url``).
    :param rules: rules of a site, or a library, folder or file of them, from which those for the address are taken.
    :param content_type: the header of the response; it may name the encoding.
    :param method: ``auto``: rules first, then the best of several extractions; ``svm``: the classifier without rules;
        ``paper``: the model of Zhou, Li, Song (2019).
    :param fetched_at: aware time at which the page was seen, now by default: what it calls "yesterday" depends on it.
    :raises FileNotFoundError: when a path names no file. Other troubles with a file are told in the result.
    :raises ValueError: for an unknown method, or a time without a zone.
    :raises RuleError: when there is no such folder or file of rules, or those for the address are broken.
    """
    if method not in METHODS:
        raise ValueError(f"method is one of {', '.join(METHODS)}; got {method!r}")
    if fetched_at is not None and fetched_at.tzinfo is None:
        raise ValueError("fetched_at has no time zone: write datetime.now(UTC)")
    try:
        body, content_type = _body(source, content_type)
    except NewsmonError as error:
        return Extract(kind=Kind.UNPARSABLE, reason=str(error))
    page = saved_page(body, url=url, content_type=content_type, fetched_at=fetched_at or datetime.now(UTC))
    return read_page(page, rules=_rules_for(page, rules), method=method)


def read_page(page: Page, *, rules: SiteRules | None = None, method: Method = "auto") -> Extract:
    """Read the article of a page, whatever the page is; never raises for it."""
    return guarded(page, rules=rules, method=method)


def rules_of(library: Library, address: str) -> SiteRules | None:
    """The rules for the host of an address, None when there are none.

    :raises RuleError: when their file is broken.
    """
    try:
        host = host_of(address)
    except UrlError:
        return None
    rules = library.for_host(host)
    if rules is None and (fault := library.broken.get(host.removeprefix("www."))):
        raise fault
    return rules


def _body(source: object, content_type: str | None) -> tuple[bytes, str | None]:
    """The bytes, and the header that tells how to read them."""
    if isinstance(source, str):
        if _ADDRESS.fullmatch(source):
            raise NewsmonError("this is an address, not a page: fetch it first, or use scrapy extract")
        if not _is_path(source):
            return source.encode("utf-8", "replace"), "text/html; charset=utf-8"
        source = Path(source)
    if isinstance(source, Path):
        if not source.exists():
            raise FileNotFoundError(f"there is no file {source}")
        return read_saved(source), content_type
    if isinstance(source, bytes | bytearray | memoryview):
        return unpacked(bytes(source)), content_type
    raise TypeError(f"source is bytes, text or a path; got {type(source).__name__}")


def _is_path(text: str) -> bool:
    if "<" in text or "\n" in text or "\0" in text or not text.strip() or len(text) > _LONGEST_PATH:
        return False
    return text.lower().endswith(_FILE_ENDS) or _is_file(text)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # a name longer than names may be
        return False


def _rules_for(page: Page, rules: SiteRules | Library | str | Path | None) -> SiteRules | None:
    if rules is None or isinstance(rules, SiteRules):
        return rules
    return rules_of(rules if isinstance(rules, Library) else load_library(rules), page.url)
