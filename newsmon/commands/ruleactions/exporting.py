"""``scrapy rules export``: rule files to ftr-site-config, or their feeds to a list that feed readers import."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newsmon.commands.ruleactions.folders import folder_to_write
from newsmon.errors import NewsmonError
from newsmon.feeds.opml import write_opml
from newsmon.ftr import export_ftr, ftr_file_name
from newsmon.library import load_library
from newsmon.siterules import SiteRules, normal_domain
from newsmon.subscriptions import opml_feeds

if TYPE_CHECKING:
    import argparse

OPML_NAME = "newsmon.opml"


def export_rules(names: list[str], opts: argparse.Namespace) -> int:
    """Write the rules of the domains, files or folders named as site configurations, or their feeds as OPML.

    :raises NewsmonError: when there are no such rules.
    """
    if not names and not opts.opml:
        raise NewsmonError("name a domain or a folder of rule files, like: scrapy rules export lenta.ru")
    out = folder_to_write(opts.out)
    now = datetime.now(UTC)
    chosen = [rules for name in names for rules in _rules(name, opts.rules)]
    if opts.opml:
        exported = {OPML_NAME: _opml(chosen if names else _all_rules(opts.rules), now)}
    else:
        exported = {ftr_file_name(rules): export_ftr(rules, day=now.date()) for rules in chosen}
    for name, text in exported.items():
        if out is not None:
            (out / name).write_text(text + "\n", encoding="utf-8")
        elif not opts.json:
            print(f"# {name}\n{text}\n" if len(exported) > 1 else text)
    if opts.json:
        print(json.dumps(exported, ensure_ascii=False, indent=2))
    elif out is not None:
        print(f"{out / OPML_NAME} written." if opts.opml else f"{len(exported)} site configurations written to {out}.")
    return 0


def _opml(sites: list[SiteRules], now: datetime) -> str:
    feeds = list(opml_feeds(sites))
    if not feeds:
        raise NewsmonError("these rules have no feed; find some with: scrapy rules discover URL")
    return write_opml(feeds, title="newsmon", created=now).decode("utf-8").rstrip()


def _rules(name: str, folder: str | None) -> list[SiteRules]:
    if Path(name).exists():
        return _all_rules(name)
    library = load_library(folder)
    try:
        domain = normal_domain(name)
    except ValueError as error:
        raise NewsmonError(f"there is no file or folder {name}, and {error}") from error
    if domain not in library.sites:
        raise library.broken.get(domain) or NewsmonError(f"there is no rule file for {domain}")
    return [library.sites[domain]]


def _all_rules(folder: str | None) -> list[SiteRules]:
    """The good rules of a folder or file; a single file must be good."""
    library = load_library(folder)
    if not library.sites:
        raise next(iter(library.broken.values()), NewsmonError(f"there are no rule files (*.yaml) in {folder}"))
    return list(library.sites.values())
