"""Saved pages of the user's own sites against what is expected of them.

``scrapy rules test URL --save-fixture`` puts a page and its expected values into ``tests/pages``; they are tested here
from then on. Publishers' pages are theirs: keep them out of a public repository.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from newsmon.extraction import extract
from newsmon.fixtures import Fixture, differences, load_fixtures
from newsmon.library import load_library

PAGES = Path(__file__).parent / "pages"
FIXTURES = list(load_fixtures(PAGES)) if PAGES.is_dir() else []


@pytest.mark.skipif(not FIXTURES, reason="no saved pages in tests/pages")
@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: f"{fixture.site}/{fixture.file.stem}")
def test_saved_page(fixture: Fixture) -> None:
    rules = load_library().sites.get(fixture.site)
    assert rules is not None, f"there is no rule file for {fixture.site}"
    assert not differences(fixture.expected, extract(fixture.page, rules=rules))
