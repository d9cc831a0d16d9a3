"""``scrapy rules test``: what the rules make of saved or fetched pages."""

from __future__ import annotations

import json
import textwrap
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table

from newsmon.commands.ruleactions.consoles import plain_console
from newsmon.errors import NewsmonError, UrlError
from newsmon.feeds.gunzip import MAX_BYTES, gunzip
from newsmon.fetching import Fetch, FetchFailure, fetch_plan
from newsmon.fixtures import save_fixture, values
from newsmon.library import load_library
from newsmon.page import Page
from newsmon.siterules import normal_domain
from newsmon.trial import Trial, origin_of_field, try_rules
from newsmon.urls import host_of
from newsmon.xpath import Selector

if TYPE_CHECKING:
    import argparse

    from rich.console import Console
    from scrapy.crawler import CrawlerProcessBase

    from newsmon.fetching import Plan
    from newsmon.library import Library
    from newsmon.siterules import SiteRules

OWN_ADDRESS = "//link[@rel='canonical']/@href | //meta[@property='og:url']/@content"
PARAGRAPHS_SHOWN = 3  # at each end of the text
LENGTH_SHOWN = 240  # characters of a paragraph


class Tried(NamedTuple):
    """A page that was asked for: what came of it, or why nothing did."""

    name: str
    trial: Trial | None = None
    problem: str | None = None


def try_pages(names: list[str], opts: argparse.Namespace, process: CrawlerProcessBase) -> int:
    """Try the rules on every file and address named.

    :raises NewsmonError: when none is named, or the rules cannot be read.
    """
    if not names:
        raise NewsmonError("name a saved page or an address, like: scrapy rules test https://lenta.ru/news/...")
    library = load_library(opts.rules)
    tried = [try_file(Path(name), library, opts) for name in names if not _is_address(name)]
    addresses = [name for name in names if _is_address(name)]
    if addresses:
        tried += fetch_plan(process, _plan(addresses, library, opts))
    saved = _saved(tried, Path(opts.fixtures)) if opts.save_fixture else {}
    if opts.json:
        print(json.dumps([_as_json(item, saved) for item in tried], ensure_ascii=False, indent=2))
    else:
        console = plain_console()
        for item in tried:
            show(item, console)
        for name, files in saved.items():
            console.print(
                f"{name}: saved as {' and '.join(files)}. Look the values over before you keep them.", soft_wrap=True
            )
    if any(item.trial is None for item in tried):
        return 2
    return 0 if all(item.trial and item.trial.passed for item in tried) else 1


def try_file(file: Path, library: Library, opts: argparse.Namespace) -> Tried:
    """Try the rules on a saved page."""
    try:
        page = _saved_page(_body(file), opts)
        url = opts.url or _own_address(page)
        rules = choose_rules(library, site=opts.site, url=url)
    except NewsmonError as error:
        return Tried(str(file), problem=str(error))
    address = url or f"https://{rules.domain.removeprefix('*.')}/{file.name.partition('.')[0]}"
    page = Page(address, address, page.status, page.body, page.fetched_at)
    return Tried(str(file), try_rules(page, rules))


def _body(file: Path) -> bytes:
    try:
        body, is_cut = gunzip(file.read_bytes())
    except OSError as error:
        raise NewsmonError(f"cannot be read: {error.strerror}") from error
    if is_cut:
        raise NewsmonError(f"cannot be read: it is longer than {MAX_BYTES >> 20} MB, or the gzip file is damaged")
    return body


def choose_rules(library: Library, *, site: str | None, url: str | None) -> SiteRules:
    """Return the rules for a site, else for the host of an address.

    :raises NewsmonError: when there are none, or their file is broken.
    """
    if site is None and url is None:
        raise NewsmonError("the page does not say where it is from: add --site DOMAIN or --url URL")
    try:
        host = normal_domain(site) if site else host_of(url or "")
    except ValueError as error:
        raise NewsmonError(str(error)) from error
    rules = library.for_host(host)
    if rules is not None:
        return rules
    broken = library.broken.get(host.removeprefix("www."))
    raise broken or NewsmonError(
        f"there is no rule file for {host}; begin one with: scrapy rules discover https://{host}/"
    )


def show(item: Tried, console: Console) -> None:
    """Print what came of a page."""
    if item.trial is None:
        console.print(f"{item.name}: {item.problem}", soft_wrap=True)
        return
    trial = item.trial
    verdict = (
        "an article, its text by the rule" if trial.passed else f"{trial.extract.kind}, text: {trial.extract.method}"
    )
    console.print(f"{item.name}: {trial.rules.domain}: {verdict}", soft_wrap=True)
    if trial.extract.reason:
        console.print(f"  {trial.extract.reason}", soft_wrap=True)
    console.print(_fields_table(trial))
    console.print(_versions_table(trial))


def _fields_table(trial: Trial) -> Table:
    table = Table("field", "value", "from")
    for name, value in values(trial.extract).items():
        shown = _shown(name, value) if isinstance(value, list) else str(value)
        label = "text" if name == "paragraphs" else name
        table.add_row(label, shown, origin_of_field(trial.extract, name))
    return table


def _shown(name: str, several: list[str]) -> str:
    return "\n\n".join(_ends(several)) if name == "paragraphs" else "; ".join(several)


def _ends(paragraphs: list[str]) -> list[str]:
    shown = [textwrap.shorten(paragraph, LENGTH_SHOWN, placeholder=" ...") for paragraph in paragraphs]
    left_out = len(shown) - 2 * PARAGRAPHS_SHOWN
    if left_out <= 0:
        return shown
    return [*shown[:PARAGRAPHS_SHOWN], f"({left_out} more paragraphs)", *shown[-PARAGRAPHS_SHOWN:]]


def _versions_table(trial: Trial) -> Table:
    table = Table("rule version", "valid on this day", "text", "other fields by the rule")
    for item in trial.versions:
        text = f"{len(item.extract.text)} characters, {len(item.extract.paragraphs)} paragraphs"
        table.add_row(
            item.version.id,
            "yes" if item.valid else _period(item.version.valid_from, item.version.valid_until),
            text if item.has_text else "nothing",
            ", ".join(item.fields) or "none",
        )
    return table


def _period(first: date | None, last: date | None) -> str:
    return f"no: {f'from {first} ' if first else ''}{f'until {last}' if last else ''}".rstrip()


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _saved_page(body: bytes, opts: argparse.Namespace) -> Page:
    try:
        day = date.fromisoformat(opts.date) if opts.date else None
    except ValueError as error:
        raise NewsmonError(f"--date {opts.date}: write a day like 2024-01-31") from error
    # The end of the day: whatever was published on it is not in the future.
    fetched_at = datetime.combine(day, time.max, UTC) if day else datetime.now(UTC)
    return Page("", "", 200, body, fetched_at)


def _own_address(page: Page) -> str | None:
    if page.tree is None:
        raise NewsmonError(page.problem or "the file holds no page")
    for found in Selector(page.tree).select(OWN_ADDRESS):
        try:
            host_of(str(found))
        except UrlError:
            continue
        return str(found)
    return None


def _plan(addresses: list[str], library: Library, opts: argparse.Namespace) -> Plan[list[Tried]]:
    tried = []
    for address in addresses:
        try:
            rules = choose_rules(library, site=opts.site, url=address)
        except NewsmonError as error:
            tried.append(Tried(address, problem=str(error)))
            continue
        answer = yield Fetch(address, rules)
        if isinstance(answer, FetchFailure):
            tried.append(Tried(address, problem=answer.reason))
        else:
            tried.append(Tried(address, try_rules(answer, rules)))
    return tried


def _saved(tried: list[Tried], folder: Path) -> dict[str, list[str]]:
    saved = {}
    for item in tried:
        if item.trial is not None:
            trial = item.trial
            files = save_fixture(trial.page, trial.extract, site=trial.rules.domain, folder=folder)
            saved[item.name] = [str(file) for file in files]
    return saved


def _as_json(item: Tried, saved: dict[str, list[str]]) -> dict[str, object]:
    if item.trial is None:
        return {"name": item.name, "problem": item.problem}
    return {"name": item.name, **item.trial.as_json(), "fixture": saved.get(item.name)}
