"""``scrapy rules``: check rule files, try them on pages, find feeds, exchange them with other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from newsmon.commands.ruleactions.checking import check
from newsmon.commands.ruleactions.discovering import discover_feeds
from newsmon.commands.ruleactions.exporting import export_rules
from newsmon.commands.ruleactions.importing import import_rules
from newsmon.commands.ruleactions.trying import try_pages
from newsmon.errors import NewsmonError

if TYPE_CHECKING:
    import argparse

USAGE = {
    "check": (
        "[DIR | FILE ...]",
        "Reads rule files and names every problem with its file, its line and what to write instead. Without a name "
        "it reads the rules the crawl would use. Exit code 1 when there are problems.",
    ),
    "test": (
        "FILE_OR_URL ... [--site DOMAIN] [--url URL] [--date DAY] [--save-fixture]",
        "Reads pages by the rules of their site: shows every field, where it came from, and what each rule version "
        "gives alone. A FILE is a saved page, gzipped or not; its site is taken from --site, --url, or the address the "
        "page gives itself. A URL is fetched as the crawl would fetch it. Exit code 1 when a page is no article or no "
        "rule version gives its text, 2 when there is no page or no rule for it.",
    ),
    "discover": (
        "URL",
        "Looks for the feeds and sitemaps of a site: links in the page, robots.txt, usual places. Prints a rule "
        "file to begin with. Exit code 1 when there are none, 2 when the site cannot be read.",
    ),
    "import": (
        "DIR | FILE ... [--out DIR] [--force]",
        "Converts site configurations of FiveFilters / wallabag (ftr-site-config) to rule files in --out, and names "
        "the files that cannot be converted and the lines newsmon has no place for. A list of feeds (OPML, as every "
        "feed reader exports it; FILE.opml or FILE.xml) becomes a rule file per site, with its feeds. Without --out "
        "nothing is written. Exit code 1 when nothing could be converted.",
    ),
    "export": (
        "DOMAIN | DIR | FILE ... [--opml] [--out DIR]",
        "Writes rules as site configurations for FiveFilters / wallabag: to --out, or to the terminal. With --opml it "
        "writes their feeds as a list for feed readers; without a name those of all sites.",
    ),
}


class Command(ScrapyCommand):
    """Works on rule files."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """Usage line of the help."""
        return f"{'|'.join(USAGE)} NAME ... [options]"

    def short_desc(self) -> str:
        """Line in the list of commands."""
        return "Check rule files, test them on pages, find feeds, import and export ftr-site-config and OPML"

    def long_desc(self) -> str:
        """Text of the help."""
        return (
            "A rule file says what newsmon knows of one site: its feeds and where the fields of an article stand. "
            "docs/rules.md shows how to write one. Exit code 0: all is well; 1: something is wrong with the rules or "
            "pages; 2: the command could not do its work."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the actions and their options."""
        super().add_options(parser)
        parser.add_argument("action", choices=list(USAGE), metavar="ACTION", help=f"{', '.join(USAGE)}: see below")
        parser.add_argument("names", nargs="*", metavar="NAME", help="files, folders, addresses or domains: see below")
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
        parser.add_argument("--rules", metavar="DIR", help="folder of rule files, the one of the crawl by default")
        parser.add_argument("--out", metavar="DIR", help="import, export: folder to write to")
        groups = {
            action: parser.add_argument_group(action, f"scrapy rules {action} {usage}. {text}")
            for action, (usage, text) in USAGE.items()
        }
        test = groups["test"].add_argument
        test("--site", metavar="DOMAIN", help="read the page by the rules of this site")
        test("--url", metavar="URL", help="address of a saved page")
        test("--date", metavar="DAY", help="day a saved page is from, like 2024-01-31; today by default")
        test("--save-fixture", action="store_true", help="keep page and result as a test of your own")
        test("--fixtures", metavar="DIR", default="tests/pages", help="where to keep them, tests/pages by default")
        groups["import"].add_argument("--force", action="store_true", help="write over files that exist")
        groups["export"].add_argument("--opml", action="store_true", help="a list of their feeds, for feed readers")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the action says."""
        assert self.settings is not None
        assert self.crawler_process is not None
        # argparse takes no names after an option: scrapy rules check --json DIR
        opts.names += [name for name in args if not name.startswith("-")]
        if unknown := [name for name in args if name.startswith("-")]:
            raise UsageError(f"unknown options: {' '.join(unknown)}")
        opts.rules = opts.rules or self.settings["NEWSMON_RULES_DIR"]
        try:
            match opts.action:
                case "check":
                    self.exitcode = check(opts.names, opts)
                case "test":
                    self.exitcode = try_pages(opts.names, opts, self.crawler_process)
                case "discover":
                    self.exitcode = discover_feeds(opts.names, opts, self.crawler_process)
                case "import":
                    self.exitcode = import_rules(opts.names, opts)
                case "export":
                    self.exitcode = export_rules(opts.names, opts)
        except NewsmonError as error:
            self._fail(opts.action, str(error))
        except OSError as error:
            self._fail(opts.action, f"{error.filename}: {error.strerror}" if error.filename else str(error))

    def _fail(self, action: str, problem: str) -> None:
        print(f"scrapy rules {action}: {problem}")
        self.exitcode = 2
