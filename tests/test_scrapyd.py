"""newsmon under a real Scrapyd: deployed as an egg, and installed; nothing of the checkout is on the node's path."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.error import HTTPError

import pytest

import newsmon
from newsmon.farm import Farm
from newsmon.farm.audit import audit
from tests.crawling import Ended, farm_settings, opened, stored, twice
from tests.packaging import copy_checkout, edit, install, python
from tests.scrapyd_node import Login, ScrapydNode

MISSING = [name for name in ("scrapyd", "scrapyd_client", "pkg_resources", "pip") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (pip install -r requirements-dev.txt)"
)

SITE = "zarya.example"
USE_ALL_FILES = """
import sys
import newsmon
from newsmon.export.xml import schema
from newsmon.farm import Farm
from newsmon.library import load_library
assert newsmon.__file__.startswith(sys.argv[1]), newsmon.__file__
assert schema() is not None
assert {expected.site for expected in Farm(articles=3).expected} <= set(load_library().sites)
"""


@pytest.fixture(scope="module")
def _nothing_installed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An installed newsmon comes before an egg on the path, so the egg would not be what is tested."""
    if python("-c", "import newsmon", cwd=tmp_path_factory.mktemp("nothing")).returncode == 0:
        pytest.skip("newsmon is installed in this environment and would hide the egg: pip uninstall newsmon")


@pytest.fixture(scope="module")
def node(_nothing_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScrapydNode]:
    """A node in an empty folder with a checkout deployed to it; its store is elsewhere than its state."""
    state = tmp_path_factory.mktemp("state")
    environment = {"NEWSMON_STATE_DIR": str(state), "NEWSMON_STORE_URL": f"sqlite:///{state}/db/articles.db"}
    with ScrapydNode(tmp_path_factory.mktemp("node"), environment) as node:
        checkout = checkout_for(node, tmp_path_factory.mktemp("checkout"))
        deployed = deploy(checkout, node.login)
        assert deployed.returncode == 0, deployed.stdout + deployed.stderr
        yield node


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip installed the checkout."""
    checkout = copy_checkout(tmp_path_factory.mktemp("checkout"), mark="installed")
    return install(checkout, tmp_path_factory.mktemp("installed"))


@pytest.fixture
def farm() -> Iterator[Farm]:
    with Farm(sites=[SITE], articles=4) as farm:
        yield farm


def checkout_for(node: ScrapydNode, folder: Path) -> Path:
    """A checkout whose deploy target is a node."""
    checkout = copy_checkout(folder, mark="egg")
    edit(checkout / "scrapy.cfg", "http://127.0.0.1:6800/", node.url)
    return checkout


def deploy(checkout: Path, login: Login) -> subprocess.CompletedProcess[str]:
    """``scrapyd-deploy local`` by a user whose ``.netrc`` has this login."""
    netrc = checkout / ".netrc"
    netrc.write_text(f"machine 127.0.0.1 login {login[0]} password {login[1]}\n")
    netrc.chmod(0o600)
    return python("-m", "scrapyd_client.deploy", "local", "--version", "1", cwd=checkout)


def ended(node: ScrapydNode, job: str) -> Ended:
    """Wait for a job and check that its log names no error."""
    node.wait_until("finished", job)
    result = Ended(0, node.log(job))
    assert not result.errors
    return result


def check_articles(farm: Farm, state: Path, url: str = "sqlite:///") -> None:
    """Every page of the farm is in the store as the farm expects it, and none twice."""
    with opened(state, url) as store:
        findings = audit([page for page in farm.expected if not page.backfill], store)
    assert [f"{finding.expected.url}: {finding.problems}" for finding in findings if not finding.ok] == []
    articles = stored(state, url)
    assert len(articles) == 4
    assert not twice(articles)


def asked_by(farm: Farm) -> set[str]:
    """Who asked the farm: name and version of its visitors."""
    return {hit.headers["user-agent"].split()[0] for hit in farm.log}


def test_a_deployed_egg_crawls_and_is_cancelled_cleanly(node: ScrapydNode, farm: Farm) -> None:
    state = Path(node.environment["NEWSMON_STATE_DIR"])
    url = node.environment["NEWSMON_STORE_URL"]
    assert node.ask("listspiders", project="newsmon")["spiders"] == ["backfill", "news"]

    farm.slow(SITE, 0.5)
    endless = node.schedule(farm_settings(farm))
    node.wait_until("running", endless)
    wait_for(lambda: any("/news/" in hit.target for hit in farm.log))
    asked = time.monotonic()
    assert node.cancel(endless)["prevstate"] == "running"
    stopped = ended(node, endless)
    assert time.monotonic() - asked < 10
    assert "Closing spider (shutdown)" in stopped.log
    with opened(state, url) as store:
        ledger = store.ledger()
    assert ledger.leased == 0
    assert ledger.pending > 0

    farm.up(SITE)
    once = node.schedule(farm_settings(farm), once=1)
    assert "Spider closed (finished)" in ended(node, once).log
    check_articles(farm, state, url)
    assert (state / "archive").is_dir()
    assert asked_by(farm) == {f"newsmon/{newsmon.__version__}+egg"}
    jobs = node.ask("listjobs", project="newsmon")
    assert ({job["id"] for job in jobs["finished"]}, jobs["running"]) == ({endless, once}, [])
    shown = str(jobs) + node.fetch("jobs") + stopped.log
    assert url not in shown


def test_all_files_of_the_egg_are_read_where_they_are(node: ScrapydNode, tmp_path: Path) -> None:
    (egg,) = (node.folder / "eggs" / "newsmon").glob("*.egg")
    ran = python("-c", USE_ALL_FILES, str(egg), cwd=tmp_path, PYTHONPATH=str(egg))
    assert ran.returncode == 0, ran.stderr


def test_an_installed_package_needs_no_egg(installed: Path, farm: Farm, tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\nnewsmon = newsmon.settings\n")
    with ScrapydNode(tmp_path, {"PYTHONPATH": str(installed)}) as node:
        assert node.ask("listspiders", project="newsmon")["spiders"] == ["backfill", "news"]
        ended(node, node.schedule(farm_settings(farm), once=1))
    check_articles(farm, tmp_path / "state")
    assert asked_by(farm) == {f"newsmon/{newsmon.__version__}+installed"}


@pytest.mark.parametrize("command", [("rules", "check"), ("demo", "--help")])
def test_commands_run_from_any_folder_once_installed(installed: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    environment = {"PYTHONPATH": str(installed), "SCRAPY_SETTINGS_MODULE": "newsmon.settings"}
    ran = python("-m", "scrapy", *command, cwd=tmp_path, **environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_wrong_password_is_refused(node: ScrapydNode, tmp_path: Path) -> None:
    wrong = (node.login[0], "a-guess")
    for service in ("daemonstatus.json", "jobs", "logs/", "listjobs.json?project=newsmon"):
        with pytest.raises(HTTPError, match="401"):
            node.fetch(service, login=wrong)
    with pytest.raises(HTTPError, match="401"):
        node.fetch("schedule.json", login=wrong, data={"project": "newsmon", "spider": "news"})
    refused = deploy(checkout_for(node, tmp_path), wrong)
    assert refused.returncode == 1
    assert "401" in refused.stdout + refused.stderr
    assert node.ask("listversions", project="newsmon")["versions"] == ["1"]


def test_no_other_address_of_the_machine_is_listened_on(node: ScrapydNode) -> None:
    with pytest.raises(OSError, match=r"refused|unreachable|assign"):
        socket.create_connection(("127.0.0.2", node.port), timeout=5)


def wait_for(happened: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until a function says True."""
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until, f"did not happen within {seconds} s"
        time.sleep(0.05)
