"""What is known of one site: its feeds, how to be polite to it, and where the fields of an article stand.

::

    SiteRules ── feeds, sitemaps, language, time zone, delay, headers, browser, polling, urls, articles
        └── versions: RuleVersion ── valid_from, valid_until, a list of XPaths per field, strip

The models hold valid values only: every XPath compiles (:mod:`newsmon.xpath`), every time zone exists, every address is
an http(s) address. Files and lines are the business of :mod:`newsmon.rulefile`.
"""

from __future__ import annotations

import difflib
import re
from datetime import date
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from newsmon.errors import UrlError
from newsmon.hosts import normal_host
from newsmon.patterns import check_pattern, check_replacement, matches
from newsmon.urls import UrlRules, canonical
from newsmon.xpath import compile_xpath

XPATH_FIELDS = (
    "text",
    "title",
    "authors",
    "published",
    "modified",
    "summary",
    "image",
    "section",
    "tags",
    "language",
    "strip",
)
"""The keys of a rule version that hold XPaths."""

WILDCARD = "*."

_OWN_HEADERS = frozenset(
    {"user-agent", "host", "connection", "content-length", "transfer-encoding", "range", "expect", "upgrade", "te"}
    | {"if-none-match", "if-modified-since", "accept-encoding", "proxy-authorization"}
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")

Item = TypeVar("Item")


def _listed(value: Any) -> Any:
    """One value stands for a list of one; a list of YAML is a tuple here."""
    if isinstance(value, str | dict | BaseModel):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


def _feeds(value: Any) -> Any:
    """A plain address stands for a feed without further keys."""
    listed = _listed(value)
    if not isinstance(listed, tuple):
        return listed
    return tuple({"url": feed} if isinstance(feed, str) else feed for feed in listed)


def normal_domain(value: str) -> str:
    """Return the domain of a rule file in lower-case ASCII.

    :raises ValueError: when it is not one.
    """
    wildcard = WILDCARD if value.startswith(WILDCARD) else ""
    try:
        host = normal_host(value.removeprefix(WILDCARD))
    except UrlError as error:
        raise ValueError(f"{value!r} is not a domain; write it like lenta.ru or *.blogspot.com") from error
    if host.startswith("www."):
        raise ValueError(f"write {host.removeprefix('www.')}: the rules of a domain are those of its www. host too")
    return wildcard + host


def _address(value: str) -> str:
    try:
        canonical(value)
    except UrlError as error:
        raise ValueError(f"{value!r} {error.message}; write it like https://lenta.ru/rss/news") from error
    return value


def _language(value: str) -> str:
    if not _LANGUAGE.fullmatch(value):
        raise ValueError(f"{value!r} is not a language code; write it like ru, uk, en, zh or pt-BR")
    return value


def _time_zone(value: str) -> str:
    if value not in _time_zones():
        close = difflib.get_close_matches(value, _time_zones(), n=1, cutoff=0.75)
        hint = f"did you mean {close[0]}?" if close else "write it like Europe/Moscow or UTC"
        raise ValueError(f"{value!r} is not a time zone; {hint}")
    return value


@lru_cache(maxsize=1)
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _headers(value: dict[str, str]) -> dict[str, str]:
    for name, content in value.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a header")
        if name.lower() in _OWN_HEADERS:
            raise ValueError(f"{name} is set by newsmon itself and cannot be given here")
        if not content.isprintable() or not content.isascii():
            raise ValueError(f"the value of {name} must be one line of ASCII characters")
    return value


def _xpath(value: str) -> str:
    return compile_xpath(value).expression


Text = Annotated[str, Field(min_length=1, max_length=2000)]
Domain = Annotated[str, AfterValidator(normal_domain)]
Address = Annotated[str, AfterValidator(_address)]
Pattern = Annotated[str, AfterValidator(check_pattern)]
XPathText = Annotated[str, AfterValidator(_xpath)]
Many = Annotated[tuple[Item, ...], BeforeValidator(_listed), Field(max_length=1000)]
PolicyName = Literal["sqrt", "share", "fixed"]


class _Model(BaseModel):
    # Strict, because YAML turns an unquoted no into False and 2024 into a number: nothing is converted silently.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class FeedRule(_Model):
    """A feed of the site; in a rule file a plain address stands for a feed without further keys.

    :param policy: polling policy of this feed, None for the site's.
    """

    url: Address
    policy: PolicyName | None = None


class BrowserRule(_Model):
    """The pages of the site need a browser.

    :param wait_for: CSS selector or XPath to wait for, in Playwright's notation; None: the page's DOM is enough.
    :param timeout: seconds.
    """

    wait_for: Text | None = None
    timeout: float = Field(default=15.0, gt=0, le=120)


class PollingRule(_Model):
    """How often the feeds of the site are polled; None: as the settings say."""

    policy: PolicyName | None = None
    min_minutes: float | None = Field(default=None, gt=0)
    max_minutes: float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _in_order(self) -> PollingRule:
        if self.min_minutes and self.max_minutes and self.min_minutes > self.max_minutes:
            raise ValueError(f"min_minutes {self.min_minutes:g} is more than max_minutes {self.max_minutes:g}")
        return self


class SameRule(_Model):
    r"""Pages whose keys are equal after the replacement are one page.

    :param pattern: regular expression over page keys (``lenta.ru/news/2024/01/01/title``).
    :param replacement: with ``\1`` for the first group.
    """

    pattern: Pattern
    replacement: str = ""

    @model_validator(mode="after")
    def _fits(self) -> SameRule:
        check_replacement(self.pattern, self.replacement)
        return self


class UrlRule(_Model):
    """What to do with the addresses of the site.

    :param drop: parameters to drop beside the known tracking parameters.
    :param keep: parameters that matter and must stay.
    """

    drop: Many[Text] = ()
    keep: Many[Text] = ()
    same: Many[SameRule] = ()


class ArticleRule(_Model):
    """Which links of the feeds are articles: regular expressions searched for in the whole address."""

    include: Many[Pattern] = ()
    exclude: Many[Pattern] = ()


class RuleVersion(_Model):
    """Where the fields of an article stand in one layout of the site.

    Every field is a list of XPaths tried in order: the first that gives something decides. ``text`` selects the
    paragraphs, or elements that hold them; ``strip`` is cut out of what ``text`` selects.

    :param valid_from: first day of the layout, None: since ever.
    :param valid_until: its last day, None: still valid.
    """

    id: Annotated[str, Field(min_length=1, max_length=64)]
    valid_from: date | None = None
    valid_until: date | None = None
    text: Many[XPathText] = ()
    title: Many[XPathText] = ()
    authors: Many[XPathText] = ()
    published: Many[XPathText] = ()
    modified: Many[XPathText] = ()
    summary: Many[XPathText] = ()
    image: Many[XPathText] = ()
    section: Many[XPathText] = ()
    tags: Many[XPathText] = ()
    language: Many[XPathText] = ()
    strip: Many[XPathText] = ()

    @model_validator(mode="after")
    def _in_order(self) -> RuleVersion:
        if self.valid_from and self.valid_until and self.valid_from > self.valid_until:
            raise ValueError(f"valid_from {self.valid_from} is after valid_until {self.valid_until}")
        if not any(getattr(self, name) for name in XPATH_FIELDS):
            raise ValueError(f"has no XPath; give at least one of {', '.join(XPATH_FIELDS)}")
        return self

    def valid_on(self, day: date) -> bool:
        """Say whether the layout is served on a day; both ends belong to it."""
        return (self.valid_from or date.min) <= day <= (self.valid_until or date.max)


class SiteRules(_Model):
    """Everything newsmon knows of one site.

    :param domain: the site's domain without ``www.``; its subdomains belong to it unless they have rules of their own.
        ``*.example.com`` is for the subdomains only.
    :param name: name for people, the domain by default.
    :param aliases: further domains with the same pages.
    :param sitemaps: where ``backfill`` finds past articles; empty: those in robots.txt.
    :param language: of articles that do not state theirs.
    :param time_zone: IANA name, for times without a zone.
    :param delay: seconds between two requests; None: as the settings say.
    :param headers: request headers for this site.
    :param examples: addresses of articles to try the rules on.

    >>> rules = SiteRules(domain="a.example", versions=[
    ...     {"id": "2019", "valid_until": date(2024, 1, 31), "text": "//div[@id='text']"},
    ...     {"id": "2024", "valid_from": date(2024, 1, 1), "text": "//article"}])
    >>> [version.id for version in rules.versions_at(date(2024, 1, 15))]
    ['2024', '2019']
    """

    domain: Domain
    name: Text | None = None
    aliases: Many[Domain] = ()
    feeds: Annotated[tuple[FeedRule, ...], BeforeValidator(_feeds)] = ()
    sitemaps: Many[Address] = ()
    language: Annotated[str, AfterValidator(_language)] | None = None
    time_zone: Annotated[str, AfterValidator(_time_zone)] | None = None
    delay: float | None = Field(default=None, ge=0, le=3600)
    headers: Annotated[dict[str, str], AfterValidator(_headers)] = Field(default_factory=dict)
    browser: BrowserRule | None = None
    polling: PollingRule | None = None
    urls: UrlRule = UrlRule()
    articles: ArticleRule = ArticleRule()
    examples: Many[Address] = ()
    versions: Many[RuleVersion] = ()

    @model_validator(mode="after")
    def _distinct(self) -> SiteRules:
        for what, values in (("version id", [v.id for v in self.versions]), ("feed", [f.url for f in self.feeds])):
            twice = next((value for value in values if values.count(value) > 1), None)
            if twice is not None:
                raise ValueError(f"the {what} {twice!r} is given twice")
        return self

    @cached_property
    def zone(self) -> ZoneInfo | None:
        """The site's time zone."""
        return ZoneInfo(self.time_zone) if self.time_zone else None

    @cached_property
    def url_rules(self) -> UrlRules:
        """``urls`` as :mod:`newsmon.urls` wants it."""
        return UrlRules(
            drop=frozenset(map(str.lower, self.urls.drop)),
            keep=frozenset(map(str.lower, self.urls.keep)),
            same=tuple((same.pattern, same.replacement) for same in self.urls.same),
        )

    def wants(self, url: str) -> bool:
        """Say whether an address is that of an article, by the patterns of ``articles``."""
        include, exclude = self.articles.include, self.articles.exclude
        wanted = not include or any(matches(pattern, url) for pattern in include)
        return wanted and not any(matches(pattern, url) for pattern in exclude)

    def versions_at(self, day: date) -> tuple[RuleVersion, ...]:
        """Return the versions valid on a day, the newest first; equally old ones in the order of the file."""
        valid = (version for version in self.versions if version.valid_on(day))
        return tuple(sorted(valid, key=lambda version: version.valid_from or date.min, reverse=True))
