"""newsmon under a real Scrapyd: deployed as an egg, and installed; nothing of the checkout is on the node's path."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.error import HTTPError

import pytest

from newsmon.farm import Farm
from newsmon.farm.audit import audit
from tests.crawling import Ended, farm_settings, opened, stored, twice
from tests.packaging import clean_environment, copy_checkout, edit, install, python
from tests.scrapyd_node import ScrapydNode

MISSING = [name for name in ("scrapyd", "scrapyd_client", "pkg_resources", "pip") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (pip install -r requirements-dev.txt)"
)

SITES = ["zarya.example", "abendpost.example"]
USE_ALL_FILES = """
import newsmon
assert '.egg/' in newsmon.__file__, newsmon.__file__
from newsmon.export.xml import schema
from newsmon.farm import Farm
from newsmon.library import load_library
library = load_library()
assert not library.broken, library.broken
with Farm(articles=3) as farm:
    assert schema() is not None
    assert set(farm.sites) <= set(library.sites) | {site.domain for site in farm.sites.values() if site.rules}
    print(len(farm.expected), 'pages')
"""


@pytest.fixture(scope="module")
def _no_newsmon(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An installed newsmon comes before an egg on the path, so that the egg would not be what is tested."""
    if python("-c", "import newsmon", cwd=tmp_path_factory.mktemp("empty")).returncode == 0:
        pytest.skip("newsmon is installed in this environment and hides the one that is deployed; uninstall it")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_checkout(tmp_path_factory.mktemp("checkout"), mark="egg")


@pytest.fixture(scope="module")
def node(_no_newsmon: None, checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScrapydNode]:
    """A node whose working folder is empty, to which the checkout was deployed by ``scrapyd-deploy local``."""
    state = tmp_path_factory.mktemp("state")
    environment = {"NEWSMON_STATE_DIR": str(state), "NEWSMON_STORE_URL": f"sqlite:///{state}/elsewhere/articles.db"}
    with ScrapydNode(tmp_path_factory.mktemp("node"), **environment) as node:
        edit(checkout / "scrapy.cfg", "http://127.0.0.1:6800/", node.url)
        deployed = deploy(checkout, *node.login)
        assert deployed.returncode == 0, deployed.stdout + deployed.stderr
        yield node
