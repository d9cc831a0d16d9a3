"""What a crawl of the farm made of every page, held against what the farm expects.

::

    farm.expected ─┐
    store.pages() ─┼─> audit() ─> Finding per expected address: as expected, or what is wrong
    store.articles ┘
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsmon.errors import UrlError
from newsmon.model import Article, Kind
from newsmon.storage import PageState, Selection, Store
from newsmon.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from newsmon.farm.model import Expectation
    from newsmon.library import Library


@dataclass(frozen=True, slots=True)
class Finding:
    """One expected address and what became of it.

    :param actual: outcome in the store, ``pending`` or ``never met``.
    :param reason: what the store says of it.
    :param problems: how it differs from what is expected; empty when it does not.
    """

    expected: Expectation
    actual: str
    reason: str | None
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the crawl did what is expected."""
        return not self.problems


def audit(
    expected: Iterable[Expectation], store: Store, *, browser: bool = True, library: Library | None = None
) -> list[Finding]:
    """Hold what is stored against what is expected.

    :param browser: whether the crawl had a browser; without one, pages that need it are expected to wait.
    :param library: rules of the crawl, for what they say of addresses.
    """
    found = list(store.pages())
    pages = {page.key: page for page in found}
    key_of = {page.url: page.key for page in found}
    articles = {key_of[article.url]: article for article in store.articles(Selection(kinds=frozenset(Kind)))}
    sites = library.sites if library is not None else {}

    def key(url: str, site: str) -> str:
        try:
            return page_key(url, rules=sites[site].url_rules if site in sites else None)
        except UrlError:
            return url

    return [_finding(item, key, pages, articles, browser=browser) for item in expected]


def _finding(
    expected: Expectation,
    key: Callable[[str, str], str],
    pages: Mapping[str, PageState],
    articles: Mapping[str, Article],
    *,
    browser: bool,
) -> Finding:
    page = pages.get(key(expected.url, expected.site))
    if page is None:
        missed = () if expected.outcome in ("refused", "forbidden") else ("never met",)
        return Finding(expected, "never met", None, missed)
    actual = str(page.outcome or page.state)
    if expected.needs_browser and not browser:
        waits = page.outcome is None and "browser" in (page.reason or "")
        return Finding(expected, actual, page.reason, () if waits else ("should wait for a browser",))
    twin = pages.get(key(expected.same_as, expected.site)) if expected.same_as else None
    problems = list(_outcome_problems(expected, page, twin))
    article = articles.get(page.key)
    if not problems and page.outcome == "stored" and article is not None:
        problems.extend(_article_problems(expected, article))
    return Finding(expected, actual, page.reason, tuple(problems))


def _outcome_problems(expected: Expectation, page: PageState, twin: PageState | None) -> Iterator[str]:
    # Of two addresses of one article the first fetched is stored, whichever it is.
    either = {"stored", "duplicate"} if twin is not None else {expected.outcome}
    actual = str(page.outcome or page.state)
    if expected.outcome in ("failed", "gone") and page.outcome is None and page.attempts:
        return  # on its way there: tries are minutes and hours apart
    if actual not in either:
        yield f"{actual} instead of {expected.outcome}"


def _article_problems(expected: Expectation, article: Article) -> Iterator[str]:
    if expected.outcome != "stored":
        return
    pairs = {
        "title": (expected.title, article.title),
        "text": (_words(expected.text), _words(article.text)),
        "authors": (expected.authors, article.authors),
        "published": (expected.published, article.published),
        "language": (expected.language, article.language),
        "revision": (expected.revision, article.revision),
    }
    for name, (wanted, found) in pairs.items():
        if wanted and wanted != found:
            yield f"{name}: {_shorten(found)} instead of {_shorten(wanted)}"


def _words(text: str) -> str:
    return " ".join(text.split())


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 90 else f"{text[:60]}...{text[-25:]}"
