"""What the rules of a site make of one page: what a crawl would store, and what each rule version gives alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsmon.extraction import extract
from newsmon.fixtures import values

if TYPE_CHECKING:
    from newsmon.model import Extract
    from newsmon.page import Page
    from newsmon.siterules import RuleVersion, SiteRules


@dataclass(frozen=True)
class VersionTrial:
    """What one rule version gives.

    :param valid: whether it is valid on the day of the page, so that a crawl would use it.
    """

    version: RuleVersion
    valid: bool
    extract: Extract

    @property
    def has_text(self) -> bool:
        """Whether the version's own XPaths gave the text."""
        return self.extract.method == "rule"

    @property
    def fields(self) -> list[str]:
        """The fields the version's own XPaths gave, the text aside."""
        own = f"rule:{self.version.id}"
        return sorted(name for name, origin in self.extract.origins.items() if origin == own and name != "text")


@dataclass(frozen=True)
class Trial:
    """What the rules make of a page."""

    page: Page
    rules: SiteRules
    extract: Extract
    versions: tuple[VersionTrial, ...]

    @property
    def passed(self) -> bool:
        """Whether the page is an article whose text a rule version gave."""
        return self.extract.kind == "article" and self.extract.method == "rule"

    def as_json(self) -> dict[str, object]:
        """The trial as JSON values."""
        found = values(self.extract)
        return {
            "url": self.page.url,
            "site": self.rules.domain,
            "passed": self.passed,
            "reason": self.extract.reason,
            "fields": {
                name: {"value": value, "origin": origin_of_field(self.extract, name)} for name, value in found.items()
            },
            "versions": [
                {
                    "id": trial.version.id,
                    "valid": trial.valid,
                    "characters": len(trial.extract.text) if trial.has_text else 0,
                    "paragraphs": len(trial.extract.paragraphs) if trial.has_text else 0,
                    "fields": trial.fields,
                }
                for trial in self.versions
            ],
        }


def try_rules(page: Page, rules: SiteRules) -> Trial:
    """Read a page by the rules of its site; versions that are not valid on its day are tried too, but only shown."""
    valid = rules.versions_at(page.fetched_at.date())
    trials = []
    for version in (*valid, *(version for version in rules.versions if version not in valid)):
        always = version.model_copy(update={"valid_from": None, "valid_until": None})
        alone = rules.model_copy(update={"versions": (always,)})
        trials.append(VersionTrial(version, version in valid, extract(page, rules=alone)))
    return Trial(page, rules, extract(page, rules=rules), tuple(trials))


def origin_of_field(found: Extract, name: str) -> str:
    """Say where a field came from.

    >>> from newsmon.model import Extract, Kind
    >>> origin_of_field(Extract(kind=Kind.ARTICLE, origins={"text": "rule:1"}), "paragraphs")
    'rule:1'
    """
    return found.origins.get("text" if name == "paragraphs" else name, "")
