"""Real pages from a folder, served under their own host names and paths, with a feed of all of them.

The folder holds ``manifest.jsonl`` (or ``.gz``), a line per page: ``id``, ``file``, ``url``, optionally ``date``,
``template``, ``rule`` (XPath of the body), ``gold_title``, ``rule_hit``, ``rule_chars``; files may be gzipped on disk
(``file`` names the form without ``.gz``). A folder of such folders is served whole.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newsmon.errors import UrlError
from newsmon.farm import feeds
from newsmon.farm.model import Expectation, FarmError, FeedExpectation, Reply, Site, route_key
from newsmon.farm.server import Server
from newsmon.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FEED_PATH = "/newsmon-farm-feed.xml"
_OWN_PATH = "/newsmon-farm/{}.html"  # for pages whose manifest knows no address
_SHORTEST_TEXT = 100  # characters
_MANIFESTS = ("manifest.jsonl", "manifest.jsonl.gz")
_ROBOTS = Reply(b"User-agent: *\nDisallow:\n", 200, "text/plain")


@dataclass(frozen=True, slots=True)
class PageFile:
    """One line of a manifest whose file is there; ``url`` is the address served, always http."""

    file: Path
    url: str
    date: datetime | None
    template: str | None
    rule: str | None
    gold_title: str | None
    rule_hit: bool

    @property
    def host(self) -> str:
        """Host name of the address."""
        return urlsplit(self.url).netloc

    @property
    def domain(self) -> str:
        """Host name without ``www.``: the site that the page belongs to."""
        return self.host.removeprefix("www.")


class PagesFarm(Server):
    """Serves a folder of real pages; see :class:`Server`.

    :param directory: a folder with a manifest, or a folder of such folders.
    :raises FarmError: no manifest, a line that cannot be read, or a page file that is missing.

    ``feeds`` maps each site's domain (without ``www.``) to the address of its feed. ``repeated`` counts lines whose URL
    was served already, ``alike`` those whose URL is another spelling of one served (they are served, and expected to be
    recognised as duplicates), ``unaddressed`` those without a URL, which are served under ``/newsmon-farm/ID.html``,
    and ``unjudged`` those for which the manifest has no rule that finds the text: nothing is expected of them.
    """

    def __init__(self, directory: Path | str, *, port: int = 0) -> None:
        pages = [page for folder in _folders(Path(directory)) for page in _read_manifest(folder)]
        self.repeated, self.alike, self.unjudged = 0, 0, 0
        self.unaddressed = sum(_OWN_PATH.partition("{")[0] in page.url for page in pages)
        self.feeds: dict[str, str] = {}
        by_domain: dict[str, list[PageFile]] = {}
        for page in self._first_of_each(pages):
            by_domain.setdefault(page.domain, []).append(page)
        super().__init__([self._site(domain, found) for domain, found in by_domain.items()], port=port)

    def _first_of_each(self, pages: Iterable[PageFile]) -> Iterator[PageFile]:
        known: set[tuple[str, str]] = set()
        for page in pages:
            address = (page.domain, route_key(_target(page.url)))
            if address in known:
                self.repeated += 1
            else:
                known.add(address)
                yield page

    def _site(self, domain: str, pages: list[PageFile]) -> Site:
        host, *others = dict.fromkeys(page.host for page in pages)
        site = Site(host, domain, aliases=tuple(others))
        feed = site.url(FEED_PATH)
        first_by_key: dict[str, str] = {}
        for page in pages:
            site.add(_target(page.url), _reply(page))
            first = first_by_key.setdefault(_key(page.url), page.url)
            self.alike += first != page.url
            if page.rule_hit or first != page.url:
                site.expected.append(_expectation(page, first))
            else:
                self.unjudged += 1
        self.feeds[domain] = feed
        site.add(FEED_PATH, Reply(_feed(site, pages), 200, "application/rss+xml"))
        site.add("/robots.txt", _ROBOTS)
        site.expected_feeds.append(FeedExpectation(feed, domain, "ok", "rss", len(pages)))
        site.rules = _rules(domain, feed, pages)
        return site


def _folders(directory: Path) -> list[Path]:
    """The folder itself when it has a manifest, else its subfolders that have one."""
    candidates = [directory, *sorted(path for path in directory.glob("*") if path.is_dir())]
    found = [folder for folder in candidates if _manifest(folder)]
    if not found:
        raise FarmError(
            f"{directory}: no {' or '.join(_MANIFESTS)} there or in a folder directly below; each line of it should"
            ' be a JSON object such as {"id": "1", "file": "pages/1.html", "url": "https://site/1"}'
        )
    return found[:1] if found[0] == directory else found


def _manifest(folder: Path) -> Path | None:
    return next((folder / name for name in _MANIFESTS if (folder / name).is_file()), None)


def _read_manifest(folder: Path) -> Iterator[PageFile]:
    manifest = _manifest(folder)
    assert manifest is not None  # _folders gives only those that have one
    lines = _bytes_of(manifest).decode("utf-8").splitlines()
    records = [_record(line, manifest, number) for number, line in enumerate(lines, start=1) if line.strip()]
    hosts = [urlsplit(record["url"]).netloc for record in records if record.get("url")]
    home = hosts[0] if hosts else folder.name
    for record in records:
        yield _page_file(record, folder, home)


def _record(line: str, manifest: Path, number: int) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise FarmError(f"{manifest}:{number}: not JSON: {error}") from error
    if not isinstance(record, dict) or not {"id", "file"} <= record.keys():
        raise FarmError(f'{manifest}:{number}: a line should be an object with "id", "file" and "url"')
    return record


def _page_file(record: Mapping[str, Any], folder: Path, home: str) -> PageFile:
    named = folder / record["file"]
    file = next((path for path in (named, named.with_name(f"{named.name}.gz")) if path.is_file()), None)
    if file is None:
        raise FarmError(f"{named}: named in the manifest but missing, also as {named.name}.gz")
    url = record.get("url") or f"http://{home}{_OWN_PATH.format(record['id'])}"
    parts = urlsplit(url)
    return PageFile(
        file=file,
        url=parts._replace(scheme="http", netloc=parts.netloc.lower(), path=parts.path or "/", fragment="").geturl(),
        date=_date(record.get("date")),
        template=record.get("template"),
        rule=record.get("rule"),
        gold_title=record.get("gold_title"),
        rule_hit=_has_text(record),
    )


def _has_text(record: Mapping[str, Any]) -> bool:
    """Whether the manifest's rule finds the text of an article, and not a picture's caption or nothing."""
    hit = bool(record.get("rule_hit", record.get("rule")))
    return hit and record.get("rule_chars", _SHORTEST_TEXT) >= _SHORTEST_TEXT


def _date(value: str | None) -> datetime | None:
    """A manifest's date as an aware time; a bare day is its midnight in UTC, what is no date at all is None."""
    try:
        moment = datetime.fromisoformat(value or "")
    except ValueError:  # the feed then goes without this date, as real feeds do
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _reply(page: PageFile) -> Reply:
    """The raw bytes of the page, with gzip coding and without a charset in the header."""
    raw = page.file.read_bytes()
    return Reply(packed=raw if page.file.suffix == ".gz" else gzip.compress(raw, 6, mtime=0), content_type="text/html")


def _bytes_of(file: Path) -> bytes:
    raw = file.read_bytes()
    return gzip.decompress(raw) if file.suffix == ".gz" else raw


def _target(url: str) -> str:
    return urlsplit(url)._replace(scheme="", netloc="").geturl()


def _key(url: str) -> str:
    try:
        return page_key(url)
    except UrlError:
        return url


def _expectation(page: PageFile, first: str) -> Expectation:
    if first != page.url:
        return Expectation(page.url, page.domain, "duplicate", same_as=first, note="the same page in another spelling")
    return Expectation(page.url, page.domain, "stored", kind="article")


def _feed(site: Site, pages: Iterable[PageFile]) -> bytes:
    channel = feeds.Channel(site.name, site.url("/"), site.url(FEED_PATH), "")
    return feeds.rss(channel, [feeds.Item(page.url, page.gold_title, None, page.date) for page in pages])


def _rules(domain: str, feed: str, pages: Iterable[PageFile]) -> Mapping[str, object] | None:
    """Rules made of the manifest's XPaths, one version per template, for sites that no rule file knows."""
    found: dict[str, dict[str, None]] = {}
    for page in pages:
        if page.rule:
            found.setdefault(page.template or "pages", {})[page.rule] = None
    versions = [{"id": template, "text": list(rules), "title": ["//h1"]} for template, rules in found.items()]
    return {"domain": domain, "feeds": [feed], "delay": 0, "versions": versions} if versions else None
