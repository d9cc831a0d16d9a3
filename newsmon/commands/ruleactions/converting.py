"""``scrapy rules import`` and ``export``: rule files from and to ftr-site-config."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newsmon.errors import NewsmonError
from newsmon.ftr import Imported, export_ftr, ftr_file_name, import_ftr
from newsmon.library import load_library
from newsmon.rulefile import write_rules
from newsmon.siterules import SiteRules, normal_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

NOT_SITES = ("LICENSE.txt", "README.txt")


class Conversion(NamedTuple):
    """A site configuration and what became of it.

    :param written: the rule file, None when none was written.
    """

    file: Path
    imported: Imported
    written: Path | None = None
    problem: str | None = None


def import_rules(names: list[str], opts: argparse.Namespace) -> int:
    """Convert the site configurations named.

    :raises NewsmonError: when nothing is named, or there is no such file.
    """
    if not names:
        raise NewsmonError("name a folder of site configurations, like: scrapy rules import ftr-site-config")
    out = Path(opts.out) if opts.out else None
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    conversions = [_convert(file, out, force=opts.force) for name in names for file in _configurations(Path(name))]
    good = [item for item in conversions if item.problem is None]
    notes = Counter(note.directive.partition("(")[0] for item in conversions for note in item.imported.notes)
    if opts.json:
        content = {
            "files": len(conversions),
            "converted": len(good),
            "with_text": sum(map(_has_text, good)),
            "not_converted": {item.file.name: item.problem for item in conversions if item.problem},
            "left_out": dict(notes.most_common()),
            "notes": {item.file.name: [str(note) for note in item.imported.notes] for item in conversions},
        }
        print(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        _show(conversions, good, notes, out)
    return 0 if good else 1


def export_rules(names: list[str], opts: argparse.Namespace) -> int:
    """Write the rules of the domains, files or folders named as site configurations.

    :raises NewsmonError: when there are no such rules.
    """
    if not names:
        raise NewsmonError("name a domain or a folder of rule files, like: scrapy rules export lenta.ru")
    day = datetime.now(UTC).date()
    out = Path(opts.out) if opts.out else None
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    chosen = [rules for name in names for rules in _rules(name, opts.rules)]
    exported = {ftr_file_name(rules): export_ftr(rules, day=day) for rules in chosen}
    for name, text in exported.items():
        if out is not None:
            (out / name).write_text(text + "\n", encoding="utf-8")
        elif not opts.json:
            print(f"# {name}\n{text}\n" if len(exported) > 1 else text)
    if opts.json:
        print(json.dumps(exported, ensure_ascii=False, indent=2))
    elif out is not None:
        print(f"{len(exported)} site configurations written to {out}.")
    return 0


def _configurations(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.glob("*.txt") if file.name not in NOT_SITES)
    elif path.is_file():
        yield path
    else:
        raise NewsmonError(f"there is no file or folder {path}")


def _convert(file: Path, out: Path | None, *, force: bool) -> Conversion:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return Conversion(file, Imported(None), problem=f"cannot be read: {error}")
    imported = import_ftr(text, file_name=file.name)
    if imported.rules is None or out is None:
        return Conversion(file, imported, problem=imported.problem)
    target = out / f"{imported.rules.domain.replace('*', '_')}.yaml"
    if target.exists() and not force:
        return Conversion(file, imported, problem=f"{target} exists; write over it with --force")
    comments = [f"Imported from {file.name} of ftr-site-config."]
    comments += [f"Left out: {' '.join(str(note).split())}" for note in imported.notes]
    target.write_text(write_rules(imported.rules, comments=comments), encoding="utf-8")
    return Conversion(file, imported, target)


def _has_text(item: Conversion) -> bool:
    rules = item.imported.rules
    return rules is not None and any(version.text for version in rules.versions)


def _show(conversions: list[Conversion], good: list[Conversion], notes: Counter[str], out: Path | None) -> None:
    for item in conversions:
        if item.problem:
            print(f"{item.file.name}: not converted: {item.problem}")
        for note in item.imported.notes:
            if note.reason.startswith("left out") or not note.directive:
                print(f"{item.file.name}: {note}")
    share = 100 * len(good) / len(conversions) if conversions else 0
    print(
        f"{len(good)} of {len(conversions)} site configurations converted ({share:.1f} %), "
        f"{sum(map(_has_text, good))} of them with XPaths for the text."
    )
    if notes:
        told = ", ".join(f"{name or 'no directive'} {count}" for name, count in notes.most_common())
        print(f"Lines newsmon has no place for: {told}.")
    print(f"Rule files written to {out}." if out else "Nothing was written; add --out DIR.")


def _rules(name: str, folder: str | None) -> list[SiteRules]:
    if Path(name).exists():
        return list(load_library(name).sites.values())
    library = load_library(folder)
    try:
        domain = normal_domain(name)
    except ValueError as error:
        raise NewsmonError(f"there is no file or folder {name}, and {error}") from error
    if domain not in library.sites:
        raise library.broken.get(domain) or NewsmonError(f"there is no rule file for {domain}")
    return [library.sites[domain]]
