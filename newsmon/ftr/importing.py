"""A site configuration to :class:`~newsmon.siterules.SiteRules`, with a note on every line that has no place there."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from newsmon.ftr.directives import read_directives
from newsmon.siterules import RuleVersion, SiteRules, normal_domain
from newsmon.xpath import XPathError, compile_xpath

if TYPE_CHECKING:
    from newsmon.ftr.directives import Directive

VERSION = "ftr"
"""Id of the one rule version an import makes."""

FIELDS = {"body": "text", "title": "title", "author": "authors", "date": "published", "strip": "strip"}
"""Directive -> key of a rule version, for directives whose value is an XPath."""

_CHANGES_SOURCE = "it changes the page's source before it is read; newsmon reads pages as they are"
_MORE_PAGES = "newsmon stores the page itself, not further pages of the article"
_LOGIN = "newsmon does not log in"
_TUNING = "it steers the extraction program the format was made for"
_CHANGES_PAGE = "it changes the page's look, not its text"

UNUSED = {
    **dict.fromkeys(("find_string", "replace_string"), _CHANGES_SOURCE),
    **dict.fromkeys(
        ("next_page_link", "single_page_link", "single_page_link_in_feed", "autodetect_next_page", "if_page_contains"),
        _MORE_PAGES,
    ),
    **dict.fromkeys(
        (
            "requires_login",
            "login_uri",
            "login_username_field",
            "login_password_field",
            "login_extra_fields",
            "not_logged_in_xpath",
        ),
        _LOGIN,
    ),
    **dict.fromkeys(("tidy", "prune", "autodetect_on_failure", "parser", "skip_json_ld", "strip_comments"), _TUNING),
    **dict.fromkeys(
        (
            "strip_attr",
            "post_strip_attr",
            "wrap_in",
            "move_into",
            "dissolve",
            "footnotes",
            "convert_double_br_tags",
            "insert_detected_image",
            "src_lazy_load_attr",
        ),
        _CHANGES_PAGE,
    ),
    "test_contains": "newsmon's own fixtures say what a page must give: scrapy rules test --save-fixture",
    "native_ad_clue": "newsmon does not mark advertisements",
}
"""Directives that newsmon has no place for, with the reason."""


@dataclass(frozen=True)
class Note:
    """A line that did not become a rule.

    :param directive: its name, empty for a line that is no directive.
    """

    line: int
    directive: str
    value: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.directive and f'{self.directive}: '}{self.value} ({self.reason})"


@dataclass(frozen=True)
class Imported:
    """What an import gave.

    :param rules: None when nothing in the file is a rule.
    :param problem: why there are no rules.
    """

    rules: SiteRules | None
    notes: tuple[Note, ...] = ()
    problem: str | None = None


@dataclass
class _Draft:
    """What the lines read so far give."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def note(self, directive: Directive, reason: str) -> None:
        argument = f"({directive.argument})" if directive.argument else ""
        self.notes.append(Note(directive.line, directive.name and directive.name + argument, directive.value, reason))


def import_ftr(text: str, *, file_name: str) -> Imported:
    """Convert a site configuration.

    :param file_name: ``example.com.txt``, or ``.example.com.txt`` for the subdomains of example.com only.

    >>> found = import_ftr("body: //article\\nstrip_id_or_class: ad\\ntidy: no", file_name="example.com.txt")
    >>> found.rules.domain, found.rules.versions[0].strip
    ('example.com', ("//*[contains(@class, 'ad') or contains(@id, 'ad')]",))
    >>> print(found.notes[0])
    line 3: tidy: no (it steers the extraction program the format was made for)
    """
    try:
        domain = domain_of(file_name)
    except ValueError as error:
        return Imported(None, problem=str(error))
    draft = _Draft()
    for directive in read_directives(text):
        _take(directive, draft)
    notes = tuple(draft.notes)
    if not draft.fields and not draft.headers:
        return Imported(None, notes, "nothing in it is a rule newsmon could use")
    return Imported(_rules(domain, draft), notes)


def domain_of(file_name: str) -> str:
    """Return the domain a configuration is for.

    :raises ValueError: when the name of the file is not that of a site.

    >>> domain_of("example.com.txt"), domain_of(".example.com.txt")
    ('example.com', '*.example.com')
    """
    name = file_name.removesuffix(".txt")
    if name.startswith("."):
        return normal_domain(f"*{name}")
    if "." not in name:
        raise ValueError(f"{name!r} is not a domain: the file is not for one site")
    return normal_domain(name.removeprefix("www."))


def _take(directive: Directive, draft: _Draft) -> None:
    if not directive.name:
        draft.note(directive, "not a directive")
    elif not directive.value:
        draft.note(directive, "it has no value")
    elif directive.name in FIELDS:
        _take_xpath(FIELDS[directive.name], directive.value, directive, draft)
    elif directive.name in ("strip_id_or_class", "strip_image_src"):
        _take_xpath("strip", _strip_xpath(directive), directive, draft)
    elif directive.name == "http_header":
        _take_header(directive, draft)
    elif directive.name == "test_url":
        _take_example(directive, draft)
    else:
        draft.note(directive, UNUSED.get(directive.name) or _unknown(directive.name))


def _unknown(name: str) -> str:
    known = [*FIELDS, *UNUSED, "strip_id_or_class", "strip_image_src", "http_header", "test_url"]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    return f"unknown to newsmon; did you mean {close[0]}?" if close else "unknown to newsmon"


def _take_xpath(key: str, xpath: str, directive: Directive, draft: _Draft) -> None:
    try:
        compile_xpath(xpath)
    except XPathError as error:
        draft.note(directive, f"left out: {error}")
        return
    known = draft.fields.setdefault(key, [])
    if xpath not in known:
        known.append(xpath)


def _strip_xpath(directive: Directive) -> str:
    part = directive.value.translate(str.maketrans("", "", "'\""))
    if directive.name == "strip_image_src":
        return f"//img[contains(@src, '{part}')]"
    return f"//*[contains(@class, '{part}') or contains(@id, '{part}')]"


def _take_header(directive: Directive, draft: _Draft) -> None:
    headers = {**draft.headers, directive.argument.lower(): directive.value}
    if directive.argument.lower() == "user-agent":
        draft.note(directive, "newsmon says who it is to every site")
        return
    try:
        SiteRules(domain="site.example", headers=headers)
    except ValidationError as error:
        draft.note(directive, f"left out: {_first(error)}")
    else:
        draft.headers = headers


def _take_example(directive: Directive, draft: _Draft) -> None:
    url = directive.value if "://" in directive.value else f"http://{directive.value}"
    try:
        SiteRules(domain="site.example", examples=(url,))
    except ValidationError as error:
        draft.note(directive, f"left out: {_first(error)}")
        return
    if url not in draft.examples:
        draft.examples.append(url)


def _first(error: ValidationError) -> str:
    return error.errors()[0]["msg"].removeprefix("Value error, ")


def _rules(domain: str, draft: _Draft) -> SiteRules:
    fields: dict[str, Any] = {key: tuple(xpaths) for key, xpaths in draft.fields.items()}
    versions = (RuleVersion(id=VERSION, **fields),) if fields else ()
    return SiteRules(domain=domain, headers=draft.headers, examples=tuple(draft.examples), versions=versions)
