"""``scrapy rules import``: rule files from ftr-site-config, and from the lists of feeds that feed readers export."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newsmon.commands.ruleactions.folders import folder_to_write
from newsmon.errors import FeedError, NewsmonError
from newsmon.feeds.opml import read_opml
from newsmon.ftr import Imported, import_ftr
from newsmon.rulefile import write_rules
from newsmon.subscriptions import rules_of_feeds

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

NOT_SITES = ("LICENSE.txt", "README.txt")
OPML_SUFFIXES = (".opml", ".xml")


class Conversion(NamedTuple):
    """A site and what became of it.

    :param name: file name of the site configuration; domain, or address of a feed, of a list.
    :param source: where it was found, in words.
    :param problem: why there is no rule file.
    """

    name: str
    source: str
    imported: Imported
    problem: str | None = None


def import_rules(names: list[str], opts: argparse.Namespace) -> int:
    """Convert the site configurations and lists of feeds named.

    :raises NewsmonError: when nothing is named, or there is no such file.
    """
    if not names:
        raise NewsmonError("name a folder of site configurations or an OPML file: scrapy rules import feeds.opml")
    out = folder_to_write(opts.out)
    conversions = [_written(item, out, force=opts.force) for name in names for item in _found(Path(name))]
    good = [item for item in conversions if item.problem is None]
    notes = Counter(note.directive.partition("(")[0] for item in conversions for note in item.imported.notes)
    if opts.json:
        content = {
            "files": len(conversions),
            "converted": len(good),
            "with_text": sum(map(_has_text, good)),
            "not_converted": {item.name: item.problem for item in conversions if item.problem},
            "left_out": dict(notes.most_common()),
            "notes": {item.name: [str(note) for note in item.imported.notes] for item in conversions},
        }
        print(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        _show(conversions, good, notes, out)
    return 0 if good else 1


def _found(path: Path) -> Iterator[Conversion]:
    """What the files at a path hold, not written yet."""
    if not path.exists():
        raise NewsmonError(f"there is no file or folder {path}")
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix == ".txt" and file.name not in NOT_SITES)
        files += sorted(path.glob("*.opml"))
    if not files:
        raise NewsmonError(f"there is no site configuration (*.txt) and no list of feeds (*.opml) in {path}")
    for file in files:
        yield from _from_opml(file) if file.suffix.lower() in OPML_SUFFIXES else [_from_ftr(file)]


def _from_ftr(file: Path) -> Conversion:
    source = f"{file.name} of ftr-site-config"
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return _unreadable(file, error)
    imported = import_ftr(text, file_name=file.name)
    return Conversion(file.name, source, imported, imported.problem)


def _from_opml(file: Path) -> Iterator[Conversion]:
    try:
        found = rules_of_feeds(read_opml(file.read_bytes()))
    except (OSError, FeedError) as error:
        yield _unreadable(file, error)
        return
    yield from (Conversion(rules.domain, file.name, Imported(rules)) for rules in found.rules)
    yield from (Conversion(url, file.name, Imported(None), problem) for url, problem in found.left_out.items())


def _unreadable(file: Path, error: Exception) -> Conversion:
    reason = getattr(error, "strerror", None) or error
    return Conversion(file.name, file.name, Imported(None), f"cannot be read: {reason}")


def _written(item: Conversion, out: Path | None, *, force: bool) -> Conversion:
    rules = item.imported.rules
    if rules is None or out is None:
        return item
    target = out / f"{rules.domain.replace('*', '_')}.yaml"
    if target.exists() and not force:
        return item._replace(problem=f"{target} exists; write over it with --force")
    comments = [f"Imported from {item.source}."]
    comments += [f"Left out: {' '.join(str(note).split())}" for note in item.imported.notes]
    target.write_text(write_rules(rules, comments=comments), encoding="utf-8")
    return item


def _has_text(item: Conversion) -> bool:
    rules = item.imported.rules
    return rules is not None and any(version.text for version in rules.versions)


def _show(conversions: list[Conversion], good: list[Conversion], notes: Counter[str], out: Path | None) -> None:
    for item in conversions:
        if item.problem:
            print(f"{item.name}: not converted: {item.problem}")
        for note in item.imported.notes:
            if note.reason.startswith("left out") or not note.directive:
                print(f"{item.name}: {note}")
    share = 100 * len(good) / len(conversions) if conversions else 0
    print(
        f"{len(good)} of {len(conversions)} sites converted ({share:.1f} %), "
        f"{sum(map(_has_text, good))} of them with XPaths for the text."
    )
    if notes:
        told = ", ".join(f"{name or 'no directive'} {count}" for name, count in notes.most_common())
        print(f"Lines newsmon has no place for: {told}.")
    print(f"Rule files written to {out}." if out else "Nothing was written; add --out DIR.")
