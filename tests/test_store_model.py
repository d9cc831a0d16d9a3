"""The frontier against a model of it: any order of calls and of deaths of the process leaves both the same."""

from __future__ import annotations

import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from newsmon.model import FrontierState, Kind, Lease, Outcome
from newsmon.storage import Selection, Store
from tests.storing import MINUTE, NOW, Written, document, link, sync, take

URLS = [f"http://{host}.example/{number}" for host in "ab" for number in range(4)]


class FrontierModel(RuleBasedStateMachine):
    """Every URL is in one state: a dict says in which, and the store must agree."""

    @initialize()
    def open_first(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.now, self.starts = NOW, 0
        self.states: dict[str, FrontierState | Outcome] = {}
        self.leases: dict[str, Lease] = {}
        self.stored: Counter[str] = Counter()
        self._open()
        sync(self.store, "a.example")

    def _open(self) -> None:
        self.starts += 1
        self.store = Store.open(
            "sqlite:///", owner=f"start-{self.starts}", state_dir=Path(self.folder.name), exclusive=True, now=self.now
        )

    def _forget_leases(self) -> None:
        self.leases.clear()
        for url, state in self.states.items():
            if state is FrontierState.LEASED:
                self.states[url] = FrontierState.PENDING

    @rule(urls=st.lists(st.sampled_from(URLS), max_size=5))
    def discover(self, urls: list[str]) -> None:
        new = {url for url in urls if url not in self.states}
        assert self.store.add_urls(map(link, urls), site="a.example", now=self.now) == len(new)
        self.states |= dict.fromkeys(new, FrontierState.PENDING)

    @rule(pages=st.integers(1, 5), per_host=st.integers(1, 3))
    def lease(self, pages: int, per_host: int) -> None:
        leased = take(self.store, self.now, pages=pages, per_host=per_host)
        assert len(leased) <= pages
        for one in leased:
            assert self.states[one.url] is FrontierState.PENDING
            self.states[one.url] = FrontierState.LEASED
            self.leases[one.url] = one
        in_hand = Counter(one.host for one in self.leases.values())
        assert all(in_hand[one.host] <= per_host for one in leased)
        waiting = {url.split("/")[2] for url, state in self.states.items() if state is FrontierState.PENDING}
        assert len(leased) == pages or all(in_hand[host] >= per_host for host in waiting)

    @precondition(lambda self: self.leases)
    @rule(data=st.data(), kind=st.sampled_from([Kind.ARTICLE, Kind.CONSENT]), twice=st.booleans())
    def finish(self, data: st.DataObject, kind: Kind, twice: bool) -> None:
        lease = self.leases.pop(data.draw(st.sampled_from(sorted(self.leases))))
        for _ in range(1 + twice):
            assert self.store.finish(lease, document(lease, Written(kind=kind)), None, now=self.now) is not None
        self.states[lease.url] = Outcome.STORED if kind is Kind.ARTICLE else Outcome.NOT_ARTICLE
        self.stored[lease.url] += 1

    @precondition(lambda self: self.leases)
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        lease = self.leases.pop(data.draw(st.sampled_from(sorted(self.leases))))
        assert self.store.retry(lease, due=self.now, reason="again", now=self.now)
        self.states[lease.url] = FrontierState.PENDING

    @precondition(lambda self: self.leases)
    @rule(data=st.data(), outcome=st.sampled_from([Outcome.GONE, Outcome.FAILED]))
    def drop(self, data: st.DataObject, outcome: Outcome) -> None:
        lease = self.leases.pop(data.draw(st.sampled_from(sorted(self.leases))))
        assert self.store.drop(lease, outcome, "no", now=self.now)
        self.states[lease.url] = outcome

    @rule()
    def release(self) -> None:
        self.store.release(self.now)
        self._forget_leases()

    @rule()
    def die_and_start_again(self) -> None:
        self.store.close()
        self.now += MINUTE
        self._open()
        self._forget_leases()

    @rule(seconds=st.integers(0, 7200))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)
        self.store.renew(self.now)

    @invariant()
    def agree(self) -> None:
        found = {page.url: page.outcome or page.state for page in self.store.pages()}
        assert found == self.states
        ledger = self.store.ledger()
        assert ledger.discovered == len(self.states) == ledger.pending + ledger.leased + sum(ledger.done.values())

    @invariant()
    def every_page_is_stored_once(self) -> None:
        everything = Selection(kinds=frozenset(Kind))
        from_store = Counter(article.url for article in self.store.articles(everything))
        assert from_store == self.stored
        assert set(self.stored.values()) <= {1}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


FrontierModel.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestFrontierModel = FrontierModel.TestCase
