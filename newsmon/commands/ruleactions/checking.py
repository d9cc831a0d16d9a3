"""``scrapy rules check``: every problem of rule files, with file and line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from newsmon.errors import NewsmonError
from newsmon.library import library_from, rule_files

if TYPE_CHECKING:
    import argparse

    from newsmon.errors import RuleError


def check(names: list[str], opts: argparse.Namespace) -> int:
    """Print the problems of the files and folders named.

    :raises NewsmonError: when there is no such file or folder, or no rule file in it.
    """
    read = [file for name in (names or [opts.rules]) for file in rule_files(name)]
    if not read:
        where = ", ".join(names or [opts.rules])
        raise NewsmonError(f"there is no rule file (*.yaml) in {where}; begin one with: scrapy rules discover URL")
    library = library_from(read)
    unreadable = {file.file for file in read if file.problems}
    conflicts = [error for error in library.broken.values() if error.file not in unreadable]
    problems = [problem for file in read for problem in file.problems] + conflicts
    without_feed = sorted(site.domain for site in library.sites.values() if not site.feeds)
    if opts.json:
        content = {
            "files": len(read),
            "sites": len(library.sites),
            "without_feed": without_feed,
            "problems": [_as_json(problem) for problem in problems],
        }
        print(json.dumps(content, ensure_ascii=False, indent=2))
        return 1 if problems else 0
    for problem in problems:
        print(problem)
    broken = len(unreadable) + len(conflicts)
    print(f"{len(read)} rule files: {len(library.sites)} good, {broken} broken.")
    if without_feed:
        print(f"{len(without_feed)} have no feed, so nothing of them is crawled: {_some(without_feed)}")
    return 1 if problems else 0


def _as_json(problem: RuleError) -> dict[str, object]:
    return {"file": problem.file, "line": problem.line, "site": problem.site, "message": problem.message}


def _some(names: list[str]) -> str:
    return ", ".join(names[:10]) + (" ..." if len(names) > 10 else "")
