"""Sites, feeds, polls and the status of sources, the same on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsmon.commands.status import needs_attention, remarks
from newsmon.errors import LeaseLost
from newsmon.feeds.polling import PollState, PollStatus
from newsmon.model import FeedState, Kind, Outcome
from newsmon.storage import FeedLease, Store, StoredRobots
from tests.storing import MINUTE, NOW, Feed, Rules, Written, decision, document, link, links, put, rules, take

SITE = rules("a.example", "rss", "atom")


def polls(store: Store, now: object = NOW, *, feeds: int = 100, per_host: int = 100) -> list[FeedLease]:
    return store.lease_work(now, feeds=feeds, pages=0, per_host=per_host, sites=None, ttl=60).feeds  # type: ignore[arg-type]


def test_listed_feeds_are_due_at_once_and_leased_once(store: Store) -> None:
    store.sync_sites([SITE], {}, now=NOW)
    leased = polls(store)
    assert sorted(feed.url for feed in leased) == ["http://a.example/atom", "http://a.example/rss"]
    assert leased[0].poll_state is None
    assert polls(store) == []


def test_feeds_of_one_host_are_bounded(store: Store) -> None:
    busy, small = rules("a.example", *map(str, range(9))), rules("b.example", "rss")
    store.sync_sites([busy, small], {}, now=NOW)
    assert sorted(feed.host for feed in polls(store, per_host=2)) == ["a.example", "a.example", "b.example"]
    assert polls(store, per_host=2) == []
    assert len(polls(store, per_host=3)) == 1


def test_a_poll_is_stored_with_its_links(store: Store) -> None:
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    [feed] = polls(store)
    taught = decision(due=NOW + 7 * MINUTE)
    new = store.record_poll(
        feed,
        taught,
        links("a.example", 3),
        now=NOW,
        http_status=200,
        feed_state=FeedState.OK,
        etag='"e"',
        last_modified="Wed, 01 May 2024 12:00:00 GMT",
        body_sha256="cd" * 32,
    )
    assert new == 3
    assert polls(store, NOW + 6 * MINUTE) == []
    assert store.next_due(NOW, feeds=True) == NOW
    assert len(take(store)) == 3
    assert store.next_due(NOW) == NOW + 7 * MINUTE
    assert store.next_due(NOW, feeds=False) is None
    [again] = polls(store, NOW + 7 * MINUTE)
    assert again.poll_state == taught.state
    assert (again.etag, again.last_modified, again.body_sha256) == (
        '"e"',
        "Wed, 01 May 2024 12:00:00 GMT",
        "cd" * 32,
    )


def test_validators_last_until_the_next_body(store: Store) -> None:
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    [feed] = polls(store)
    store.record_poll(feed, decision(due=NOW), now=NOW, http_status=200, etag="1", body_sha256="aa")
    [feed] = polls(store)
    store.record_poll(feed, decision(due=NOW), now=NOW, http_status=304)
    [feed] = polls(store)
    assert (feed.etag, feed.body_sha256) == ("1", "aa")
    store.record_poll(feed, decision(due=NOW), now=NOW, http_status=200, body_sha256="bb")
    [feed] = polls(store)
    assert (feed.etag, feed.body_sha256) == (None, "bb")


def test_a_failing_feed_says_since_when_and_recovers(store: Store) -> None:
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    for errors in (1, 2):
        [feed] = polls(store, NOW + errors * MINUTE)
        failing = decision(PollStatus.FAILING, due=NOW, errors=errors)
        store.record_poll(feed, failing, now=NOW + errors * MINUTE, http_status=500, error="HTTP 500")
    [site] = store.status()
    [status] = site.feeds
    assert (status.status, status.errors, status.error, status.http_status) == ("failing", 2, "HTTP 500", 500)
    assert status.error_since == NOW + MINUTE
    assert (status.last_success, status.last_poll) == (None, NOW + 2 * MINUTE)
    [feed] = polls(store, NOW + 3 * MINUTE)
    store.record_poll(feed, decision(), now=NOW + 3 * MINUTE, http_status=200, feed_state=FeedState.OK)
    [status] = store.status()[0].feeds
    assert (status.status, status.errors, status.error, status.error_since) == ("active", 0, None, None)
    assert status.last_success == NOW + 3 * MINUTE


def test_a_gone_feed_is_not_polled_and_a_moved_one_follows(store: Store) -> None:
    store.sync_sites([SITE], {}, now=NOW)
    gone, moved = sorted(polls(store), key=lambda feed: feed.url)
    store.record_poll(gone, decision(PollStatus.GONE, due=NOW), now=NOW, http_status=410)
    store.record_poll(moved, decision(due=NOW, url="http://feeds.b.example/rss"), now=NOW)
    [feed] = polls(store)
    assert (feed.url, feed.host, feed.listed_url) == ("http://feeds.b.example/rss", "feeds.b.example", moved.url)
    store.sync_sites([SITE], {}, now=NOW)
    assert [(status.status, status.url) for status in store.status()[0].feeds] == [
        ("gone", "http://a.example/atom"),
        ("active", "http://feeds.b.example/rss"),
    ]


def test_only_the_holder_of_a_lease_records_a_poll(store: Store) -> None:
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    [feed] = polls(store)
    store.release(NOW)
    with pytest.raises(LeaseLost):
        store.record_poll(feed, decision(), links("a.example", 3), now=NOW)
    assert store.ledger().discovered == 0


def test_feeds_no_longer_listed_rest_and_come_back(store: Store) -> None:
    store.sync_sites([SITE], {}, now=NOW)
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    assert [feed.url for feed in polls(store)] == ["http://a.example/rss"]
    assert [(feed.status, feed.next_poll) for feed in store.status()[0].feeds] == [("unlisted", None), ("active", NOW)]
    store.sync_sites([SITE], {}, now=NOW)
    assert [feed.url for feed in polls(store)] == ["http://a.example/atom"]


def test_a_broken_rule_file_stops_its_site_only(store: Store) -> None:
    store.sync_sites([SITE, rules("b.example", "rss")], {}, now=NOW)
    store.sync_sites([SITE], {"rules/b.example.yaml": "line 4: unknown key 'titel'", "c.example": "empty"}, now=NOW)
    assert {feed.site for feed in polls(store)} == {"a.example"}
    a, b, c = store.status()
    assert (a.domain, a.active, a.rule_error) == ("a.example", True, None)
    assert (b.domain, b.active, b.rule_error, b.next_poll) == ("b.example", False, "line 4: unknown key 'titel'", None)
    assert (c.domain, c.active, c.rule_error, c.feeds) == ("c.example", False, "empty", ())
    store.sync_sites([SITE, rules("b.example", "rss")], {}, now=NOW)
    assert [feed.site for feed in polls(store)] == ["b.example"]


def test_status_of_a_site(store: Store) -> None:
    store.sync_sites([Rules("a.example", (Feed("http://a.example/rss", "fixed"),), "The A")], {}, now=NOW)  # type: ignore[list-item]
    [feed] = polls(store)
    assert feed.policy == "fixed"
    store.record_poll(feed, decision(), links("a.example", 4), now=NOW, http_status=200, feed_state=FeedState.OK)
    first, second, third, _ = take(store)
    store.finish(first, document(first, at=NOW + MINUTE), None, now=NOW + MINUTE)
    store.finish(second, document(second, Written(kind=Kind.CONSENT), at=NOW + 2 * MINUTE), None, now=NOW + 2 * MINUTE)
    store.drop(third, Outcome.GONE, "HTTP 410", now=NOW + 3 * MINUTE)
    [site] = store.status()
    assert (site.domain, site.name, site.last_article) == ("a.example", "The A", NOW + MINUTE)
    assert (site.last_success, site.next_poll, site.last_reason) == (NOW, NOW + 5 * MINUTE, "HTTP 410")
    assert (site.pages.discovered, site.pages.leased) == (4, 1)
    assert site.pages.done == {Outcome.STORED: 1, Outcome.NOT_ARTICLE: 1, Outcome.GONE: 1}
    assert site.feeds[0].last_new == NOW


def test_a_rule_that_failed_on_the_newest_article_is_told(store: Store) -> None:
    without = Written(
        extract={"method": "svm", "rule_version": None, "reason": "rule v: its text XPaths select no text"}
    )
    no_rule = Written(extract={"method": "svm", "rule_version": None})
    told = []
    for number, written in enumerate((Written(), without, no_rule, without, Written())):
        put(store, f"http://a.example/{number}", written, now=NOW + number * MINUTE)
        [site] = store.status()
        told.append((site.rule_failure is not None, needs_attention(site), len(remarks(site))))
    fine, failing = (False, False, 0), (True, True, 1)
    assert told == [fine, failing, fine, failing, fine]


def test_what_was_asked_last_is_remembered_with_the_work(store: Store) -> None:
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    [feed] = polls(store)
    store.record_poll(feed, decision(), [link("http://b.example/1")], now=NOW)
    assert store.host_last_fetch("a.example") == NOW
    [page] = take(store)
    store.finish(page, document(page, at=NOW + MINUTE), None, now=NOW + 2 * MINUTE)
    assert store.host_last_fetch("b.example") == NOW + MINUTE


def test_robots_files_are_kept(store: Store) -> None:
    origin = "https://a.example"
    assert store.robots(origin) is None
    good = StoredRobots(origin, 200, b"User-agent: *\nDisallow: /\x00\xff", NOW)
    down = StoredRobots(origin, 503, b"", NOW + MINUTE, failure="HTTP 503", unreachable_since=NOW)
    for stored in (good, down):
        store.save_robots(stored)
        assert store.robots(origin) == stored


def test_poll_state_survives(store: Store) -> None:
    store.sync_sites([rules("a.example", "rss")], {}, now=NOW)
    [feed] = polls(store)
    store.record_poll(feed, decision(due=NOW), now=NOW)
    [feed] = polls(store, NOW + timedelta(seconds=1))
    assert feed.poll_state == PollState(period=300.0)
