"""`scrapy evaluate polling`: the replay by hand-made figures, the peers' rules, the goal, and the command itself."""

from __future__ import annotations

import gzip
import json
import math
import random
from argparse import Namespace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from newsmon.errors import EvaluationError
from newsmon.evaluation import DataSet, find_sets, load, names, read_records
from newsmon.evaluation.polling import CALIBRATED
from newsmon.evaluation.polling.peers import MediaCloud, Miniflux
from newsmon.evaluation.polling.simulation import Figures, Replay, calibrated, figures, read_streams, replay, run
from newsmon.model import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from newsmon.evaluation.polling.simulation import Stream

START = datetime(2024, 3, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def documents(source: str, moments: Iterable[datetime]) -> list[dict[str, Any]]:
    return [{"id": str(n), "source": source, "published": moment.isoformat()} for n, moment in enumerate(moments)]


def stream(moments: Iterable[datetime]) -> Stream:
    (only,) = read_streams(documents("a", moments))
    return only


def publisher(per_day: float, seed: int, days: int = 30) -> list[datetime]:
    """A Poisson process with a daily cycle: four times as busy at noon as at midnight."""
    chance, moments, moment = random.Random(seed), [], START
    while moment < START + timedelta(days=days):
        moment += timedelta(days=chance.expovariate(per_day * 1.6))
        hour = moment.hour + moment.minute / 60
        if chance.random() < (1 - 0.6 * math.cos(hour / 24 * 2 * math.pi)) / 1.6:
            moments.append(moment)
    return moments


class Every:
    """Polls at a fixed distance, and notes what it was shown."""

    def __init__(self, minutes: float) -> None:
        self.seconds = minutes * 60
        self.calls: list[tuple[int, int]] = []

    def first(self, shown: Sequence[Entry], now: datetime) -> float:
        return self.seconds

    def again(self, shown: Sequence[Entry], new: int, now: datetime) -> float:
        self.calls.append((len(shown), new))
        return self.seconds


# --- the replay -------------------------------------------------------------------------------------------------------


def test_delays_by_hand() -> None:
    """Ten entries ten minutes apart; known: the first five; polls at 40 + 25, 50, 75 minutes."""
    schedule = Every(25)
    result = replay(stream(START + index * 10 * MINUTE for index in range(10)), schedule)
    assert [delay / 60 for delay in result.delays] == [15, 5, 20, 10, 0]
    assert (result.polls, result.lost, result.items) == (2, 0, 5)
    assert schedule.calls == [(7, 2), (10, 3)]
    assert result.days == pytest.approx(50 / 1440)


def test_entries_that_scroll_off_are_lost() -> None:
    """100 entries a minute apart in a feed of 20: of the 80 after the first 20, a poll after 40 minutes shows 20."""
    schedule = Every(40)
    result = replay(stream(START + index * MINUTE for index in range(100)), schedule)
    assert (result.polls, result.lost, len(result.delays)) == (2, 40, 40)
    assert schedule.calls == [(20, 20), (20, 20)]


def test_a_schedule_is_kept_within_the_limits() -> None:
    moments = [START + index * MINUTE for index in range(30)]
    assert replay(stream(moments), Every(0)).polls == 3  # every five minutes over the ten after the first 20
    weekly = [START + timedelta(days=index) for index in range(10)]
    assert replay(stream(weekly), Every(1e6)).polls == 5  # once a day


def test_feeds_count_by_entries_a_day_and_not_by_the_length_of_their_record() -> None:
    busy = Replay(delays=[60.0] * 30, lost=0, polls=10, days=1.0)  # 30 a day
    quiet = Replay(delays=[600.0] * 300, lost=100, polls=400, days=40.0)  # 10 a day, a quarter of them lost
    both = figures([busy, quiet])
    assert both.delay_mean == pytest.approx((30 * 1 + 7.5 * 10) / 37.5)
    assert (both.delay_p90, both.delay_p99) == (10, 10)
    assert both.lost_share == pytest.approx(2.5 / 40)
    assert (both.polls_per_day, both.items, both.feeds) == (10, 430, 2)


def test_streams_need_times_of_day_and_some_entries() -> None:
    moments = [START + index * MINUTE for index in range(12)]
    records = documents("good", reversed(moments)) + documents("few", moments[:5])
    records += [{"source": "days", "published": "2024-03-01"}] * 20
    records += [{"source": None, "published": None}, {"source": "x", "published": "soon, very soon"}, {}]
    records += [{"source": "good", "published": "2024-03-01T03:00:00+03:00"}]
    (only,) = read_streams(records)
    assert (only.source, len(only.entries), only.times[0]) == ("good", 13, START.timestamp())
    assert list(only.times) == sorted(only.times)


def test_calibration_meets_the_number_of_polls() -> None:
    streams = read_streams(documents("a", publisher(20, 1)) + documents("b", publisher(60, 2)))
    for make in CALIBRATED.values():
        assert calibrated(streams, make, 12, guess=12).polls_per_day == pytest.approx(12, rel=0.02)


# --- the peers' rules -------------------------------------------------------------------------------------------------


def shown(*minutes: float) -> list[Entry]:
    return [Entry(url="", published=START + minute * MINUTE) for minute in minutes]


def test_miniflux_divides_the_week_by_the_weekly_count() -> None:
    feed = Miniflux(factor=1)
    assert feed.first(shown(0, 60, 120, 180), START + 200 * MINUTE) == 3600  # an hour apart: 168 a week
    assert feed.again(shown(0, 60, 120, 180, 210), 1, START + 220 * MINUTE) == 604_800 / math.ceil(168 * 60 / 52.5)
    assert Miniflux(factor=2).first(shown(0, 60), START + 60 * MINUTE) == 1800
    assert Miniflux(factor=1).first(shown(0), START) == 86_400
    assert feed.again(shown(0), 0, START + timedelta(days=30)) == 86_400


def test_mediacloud_adjusts_by_the_share_of_known_entries() -> None:
    feed, now, entries = MediaCloud(), START, shown(*range(10))
    assert feed.first(entries, now) == 6 * 3600
    assert feed.again(entries, 0, now) / 60 == 370
    assert feed.again(entries, 5, now) / 60 == 370
    assert feed.again(entries, 8, now) / 60 == 360  # above six hours: back to them
    assert feed.again(entries, 8, now) / 60 == 300
    for _ in range(10):
        last = feed.again(entries, 10, now)
    assert last / 60 == 10
    assert feed.again(entries, 0, now + timedelta(days=40)) / 60 == 70


# --- the goal ---------------------------------------------------------------------------------------------------------


def by_method(streams: Sequence[Stream], polls: float) -> dict[str, Figures]:
    return {method: calibrated(streams, make, polls, guess=polls) for method, make in CALIBRATED.items()}


@pytest.fixture(scope="module")
def simulated() -> list[Stream]:
    rates = [3, 6, 12, 25, 50, 100]
    return read_streams([record for rate in rates for record in documents(str(rate), publisher(rate, int(rate)))])


def test_simulated_publishers_are_found_sooner_than_by_any_peer_at_equal_polls(simulated: list[Stream]) -> None:
    found = by_method(simulated, 24)
    assert found["default"].delay_mean < 0.8 * found["fixed"].delay_mean
    assert found["default"].delay_mean < 0.8 * found["miniflux"].delay_mean
    assert found["default"].delay_mean < found["share"].delay_mean
    assert found["default"].lost_share <= found["fixed"].lost_share


def test_simulated_publishers_are_found_sooner_than_by_mediacloud_with_no_more_polls(simulated: list[Stream]) -> None:
    peer = run(simulated, lambda seed: MediaCloud())
    ours = calibrated(simulated, CALIBRATED["default"], peer.polls_per_day * 0.99, guess=peer.polls_per_day)
    assert ours.polls_per_day <= peer.polls_per_day
    assert ours.delay_mean < 0.95 * peer.delay_mean
    assert ours.lost_share <= peer.lost_share


@pytest.mark.parametrize("polls", [24.0, 8.0])
def test_real_streams_are_found_30_percent_sooner(shared_data: Path, polls: float) -> None:
    (data,) = find_sets(shared_data / "stories" / "ru_telegram_unlabelled", "docs.jsonl")
    streams = read_streams(read_records(next(data.path.glob("docs.jsonl*"))))
    methods = ["default", "fixed", "miniflux"]
    default, *peers = (calibrated(streams, CALIBRATED[method], polls, guess=polls) for method in methods)
    for peer in peers:
        assert default.polls_per_day <= peer.polls_per_day * 1.005
        assert default.delay_mean <= 0.7 * peer.delay_mean


# --- the command ------------------------------------------------------------------------------------------------------


def make_set(folder: Path, records: Iterable[dict[str, Any]], *, zipped: bool = False) -> Path:
    folder.mkdir(parents=True)
    text = "".join(json.dumps(record) + "\n" for record in records).encode()
    path = folder / ("docs.jsonl.gz" if zipped else "docs.jsonl")
    path.write_bytes(gzip.compress(text) if zipped else text)
    return folder


def evaluate(*args: object) -> int:
    """Run `scrapy evaluate` in this process and give its exit code."""
    settings = Settings({"COMMANDS_MODULE": "newsmon.commands.evaluate"})
    with pytest.raises(SystemExit) as end:
        execute(["scrapy", "evaluate", *map(str, args)], settings)
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.fixture
def two_sets(tmp_path: Path) -> Path:
    make_set(tmp_path / "both" / "one", documents("a", publisher(20, 1, days=6)))
    make_set(tmp_path / "both" / "two", documents("b", publisher(40, 2, days=6)), zipped=True)
    (tmp_path / "both" / "notes").mkdir()
    return tmp_path / "both"


def test_a_folder_of_sets_gives_a_group_each_and_all(two_sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = two_sets / "out.json"
    assert evaluate("polling", two_sets, "--polls", "12,6", "--json", target) == 0
    report = json.loads(target.read_text())
    assert (report["what"], report["data"]) == ("polling", "both")
    assert {row["group"] for row in report["rows"]} == {"one", "one@6", "two", "two@6", "all", "all@6"}
    assert {row["method"] for row in report["rows"]} == {"default", "share", "fixed", "miniflux", "mediacloud"}
    assert all(set(row) == {"method", "group", "metric", "value", "n"} for row in report["rows"])
    metrics = ["delay_mean", "delay_p90", "delay_p99", "lost_share", "polls_per_day"]
    assert list(dict.fromkeys(row["metric"] for row in report["rows"])) == metrics
    shown = capsys.readouterr().out
    assert all(word in shown for word in [*metrics, "default", "miniflux", "all@6"])


def test_one_set_is_all(two_sets: Path) -> None:
    assert evaluate("polling", two_sets / "two", "--polls", "8", "--json", two_sets / "out.json") == 0
    rows = json.loads((two_sets / "out.json").read_text())["rows"]
    assert {row["group"] for row in rows} == {"all"}


def test_names_of_sources_do_not_matter(two_sets: Path) -> None:
    plain = load("polling").measure
    options, silent = Namespace(polls=[8.0]), lambda *_: None
    before = list(plain([DataSet("x", two_sets / "one")], options, silent))
    text = (two_sets / "one" / "docs.jsonl").read_text()
    (two_sets / "one" / "docs.jsonl").write_text(text.replace('"source": "a"', '"source": "другой"'))
    assert list(plain([DataSet("y", two_sets / "one")], options, silent)) == before


@pytest.fixture
def bad_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with data sets that have something wrong each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    make_set(tmp_path / "good", documents("a", publisher(20, 1, days=3)))
    make_set(tmp_path / "undated", [{"source": "a", "published": "2024-03-01"}] * 30)
    (make_set(tmp_path / "torn", []) / "docs.jsonl").write_text('{"a": 1}\n{"a"')
    (make_set(tmp_path / "list", []) / "docs.jsonl").write_text("[1]\n")
    (make_set(tmp_path / "cut", []) / "docs.jsonl").unlink()
    (tmp_path / "cut" / "docs.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 1000)[:-9])
    return tmp_path


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ([], 2, "WHAT is one of: "),
        (["weather", "."], 2, "got weather"),
        (["polling"], 2, "--polls"),
        (["polling", "nowhere"], 1, "nowhere: no such folder"),
        (["polling", "empty"], 1, "docs.jsonl"),
        (["polling", "torn"], 1, "line 2 is not JSON"),
        (["polling", "cut"], 1, "cannot be read"),
        (["polling", "list"], 1, "line 1 is not a JSON object"),
        (["polling", "undated"], 1, "time of day"),
        (["polling", "undated", "--polls", "many"], 2, "numbers from 1 to 288"),
        (["polling", "undated", "--polls", "0"], 2, "numbers from 1 to 288"),
        (["polling", "undated", "--pols", "8"], 2, "--pols"),
        (
            ["polling", "good", "--polls", "8", "--json", "no/such/folder.json"],
            1,
            "no/such: no such folder to write to",
        ),
    ],
)
def test_bad_input_is_named(
    args: list[str], code: int, message: str, bad_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(*args) == code
    assert message in capsys.readouterr().err


def test_an_evaluation_is_a_module() -> None:
    assert "polling" in names()
    with pytest.raises(EvaluationError, match="choose one of"):
        load("weather")
