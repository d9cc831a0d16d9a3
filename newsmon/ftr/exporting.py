"""Site rules to a site configuration; what the format has no place for is said in comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsmon.ftr.importing import FIELDS
from newsmon.siterules import WILDCARD, XPATH_FIELDS, RuleVersion, SiteRules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date


def ftr_file_name(rules: SiteRules) -> str:
    """Return the name of the file the configuration of a site belongs into.

    >>> ftr_file_name(SiteRules(domain="*.example.com"))
    '.example.com.txt'
    """
    wildcard = rules.domain.startswith(WILDCARD)
    return f"{'.' if wildcard else ''}{rules.domain.removeprefix(WILDCARD)}.txt"


def export_ftr(rules: SiteRules, *, day: date) -> str:
    """Return the site configuration for the layouts valid on a day, those of the newest first.

    ``import_ftr(export_ftr(rules))`` gives the same rules again when these came from an import.

    >>> from datetime import date
    >>> version = RuleVersion(id="1", text=("//article",), tags=("//a",))
    >>> print(export_ftr(SiteRules(domain="a.example", language="ru", versions=(version,)), day=date(2026, 1, 1)))
    # Exported by newsmon. Left out, the format has no place for it: language; tags of version 1.
    body: //article
    """
    versions = rules.versions_at(day)
    lines = [*_comment(rules, versions)]
    for directive, key in FIELDS.items():
        xpaths = [xpath for version in versions for xpath in getattr(version, key)]
        lines += [f"{directive}: {_one_line(xpath)}" for xpath in dict.fromkeys(xpaths)]
    lines += [f"http_header({name}): {value}" for name, value in rules.headers.items()]
    lines += [f"test_url: {url}" for url in rules.examples]
    return "\n".join(lines)


def _comment(rules: SiteRules, versions: tuple[RuleVersion, ...]) -> Iterator[str]:
    kept = {"domain", "headers", "examples", "versions", "name"}
    left_out = [key for key in rules.model_fields_set - kept if getattr(rules, key)]
    left_out += [f"version {version.id} (not valid now)" for version in rules.versions if version not in versions]
    for version in versions:
        left_out += [
            f"{key} of version {version.id}"
            for key in XPATH_FIELDS
            if key not in FIELDS.values() and getattr(version, key)
        ]
    if left_out:
        yield f"# Exported by newsmon. Left out, the format has no place for it: {'; '.join(sorted(left_out))}."


def _one_line(xpath: str) -> str:
    """The expression on one line; spaces in it stay, they may stand in a literal."""
    return " ".join(xpath.splitlines())
