"""The folder of rule files: one file per site, and a broken file stops only its own site.

``load_library()`` reads the rules that come with newsmon, wherever it runs from: a checkout, an installed wheel, or the
zipped egg that Scrapyd keeps (nothing in there is a file of the file system).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from newsmon.errors import RuleError
from newsmon.rulefile import RuleFile, read_rules
from newsmon.siterules import WILDCARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from newsmon.siterules import SiteRules

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Library:
    """The rules of all sites.

    :param sites: domain -> rules.
    :param broken: domain, or file name where the domain cannot be read or has working rules -> what is wrong.
    """

    sites: Mapping[str, SiteRules]
    broken: Mapping[str, RuleError]

    def for_host(self, host: str) -> SiteRules | None:
        """Return the rules for a host: its own, else those of the nearest parent domain; ``www.`` is ignored.

        Rules for ``*.example.com`` come before those of ``example.com`` on subdomains, and are for nothing else.

        :param host: in lower-case ASCII, as :func:`newsmon.urls.host_of` gives it.

        >>> from newsmon.siterules import SiteRules
        >>> library = library_of([SiteRules(domain="a.example"), SiteRules(domain="*.b.example")])
        >>> [rules and rules.domain for rules in map(library.for_host, ("www.a.example", "m.b.example", "b.example"))]
        ['a.example', '*.b.example', None]
        """
        name = host.removeprefix("www.")
        found = self._by_host.get(name)
        while found is None and "." in name:
            name = name.partition(".")[2]
            found = self._by_host.get(WILDCARD + name) or self._by_host.get(name)
        return found

    def fault_of(self, domain: str) -> RuleError | None:
        """Return what is wrong with the rule file of a site; a file that cannot be read is known by its name only."""
        names = (domain, *(f"{domain}{suffix}" for suffix in SUFFIXES))
        return next((error for name, error in self.broken.items() if PurePath(name).name in names), None)

    @cached_property
    def _by_host(self) -> dict[str, SiteRules]:
        return {host: rules for rules in self.sites.values() for host in (rules.domain, *rules.aliases)}


def library_of(rules: Iterable[SiteRules]) -> Library:
    """Make a library of rules that are not in files."""
    return Library({site.domain: site for site in rules}, {})


def load_library(path: str | Path | None = None) -> Library:
    """Read a folder of rule files, or one file; None: the rules that come with newsmon.

    :raises RuleError: when there is no such folder. What is wrong with a file is in :attr:`Library.broken`.
    """
    return library_from(rule_files(path))


def library_from(read: Iterable[RuleFile]) -> Library:
    """Make a library of files that were read; the first of two files for one site counts."""
    sites: dict[str, SiteRules] = {}
    broken: dict[str, RuleError] = {}
    owner: dict[str, str] = {}
    for file in read:
        rules = file.rules
        error = file.error or (_conflict(file.file, rules, owner) if rules else None)
        if error is not None:
            broken[_name_of_broken(file, sites, broken)] = error
        elif rules is not None:
            sites[rules.domain] = rules
            owner.update(dict.fromkeys((rules.domain, *rules.aliases), file.file))
    for site in sites.keys() & broken.keys():
        error = broken.pop(site)
        broken[error.file or site] = error
    return Library(sites, broken)


def rule_files(path: str | Path | None = None) -> Iterator[RuleFile]:
    """Read every rule file of a folder in the order of their names, good or not; a path to a file gives that file.

    :raises RuleError: when there is no such folder or file, or the folder cannot be read.
    """
    root = shipped_rules() if path is None else Path(path)
    if root.is_file():
        yield _read(root, str(root))
        return
    if not root.is_dir():
        raise RuleError(f"there is no rule file or folder {root}; NEWSMON_RULES_DIR or --rules names the folder")
    try:
        found = list(_walk(root, "rules" if path is None else str(path)))
    except OSError as error:
        raise RuleError(f"the folder of rule files {root} cannot be read: {error.strerror}") from error
    for file, name in found:
        yield _read(file, name)


def shipped_rules() -> Traversable:
    """The folder of the rules that come with newsmon: inside the package, or beside it in a checkout."""
    package = files("newsmon")
    inside = package / "rules"
    if inside.is_dir() or not isinstance(package, Path):
        return inside
    return package.parent / "rules"


def _walk(folder: Traversable, name: str) -> Iterator[tuple[Traversable, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{name}/{entry.name}")
        elif entry.name.endswith(SUFFIXES):
            yield entry, f"{name}/{entry.name}"


def _read(file: Traversable, name: str) -> RuleFile:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return RuleFile(name, problems=(RuleError(f"cannot be read as UTF-8 text: {error}", file=name),))
    return read_rules(text, file=name)


def _conflict(file: str, rules: SiteRules, owner: Mapping[str, str]) -> RuleError | None:
    for host in (rules.domain, *rules.aliases):
        if host in owner:
            message = f"{host} has rules in {owner[host]} already; a site has one file"
            return RuleError(message, file=file, site=rules.domain)
    return None


def _name_of_broken(file: RuleFile, sites: Mapping[str, SiteRules], broken: Mapping[str, RuleError]) -> str:
    if file.site is None or file.site in sites or file.site in broken:
        return file.file
    return file.site
