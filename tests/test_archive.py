"""The WARC archive: what comes back, what is left after a torn write, and what other readers see."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

import newsmon
from newsmon.errors import StoreError, StoreUnavailable
from newsmon.model import ArchiveRef
from newsmon.page import Page
from newsmon.storage import Archive
from newsmon.storage.members import cut_torn_tail, pack, walk
from newsmon.storage.warc import pack_page, unpack_page
from tests.storing import NOW

PAGE = Page(
    "http://a.example/1",
    "https://www.a.example/one",
    200,
    "<html>страница</html>".encode("cp1251") * 50,
    datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=UTC),
    headers={"content-type": "text/html; charset=cp1251", "content-encoding": "gzip", "content-length": "17"},
    rendered=True,
)


def page(number: int, size: int = 2000) -> Page:
    body = Random(number).randbytes(size)
    return replace(PAGE, url=f"http://a.example/{number}", final_url=f"http://a.example/{number}", body=body)


def fill(folder: Path, count: int) -> tuple[Path, list[ArchiveRef]]:
    archive = Archive(folder)
    refs = [archive.append(page(number), now=NOW) for number in range(count)]
    archive.close()
    return folder / refs[0].file, refs


def test_a_page_comes_back_as_it_was(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    ref = archive.append(PAGE, now=NOW)
    assert ref.file == "newsmon-00-000001-20240501.warc.gz"
    assert archive.read(ref, url=PAGE.url) == PAGE
    assert archive.read(ref, url=PAGE.final_url) == PAGE


names = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True).filter(lambda name: not name.startswith("x-archive"))
values = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)


@given(headers=st.dictionaries(names, values), body=st.binary(max_size=300), status=st.integers(100, 599))
def test_any_answer_comes_back(headers: dict[str, str], body: bytes, status: int) -> None:
    asked = replace(PAGE, headers=headers, body=body, status=status, rendered=False)
    assert unpack_page(pack_page(asked)) == asked


def test_headers_cannot_smuggle_lines(tmp_path: Path) -> None:
    hostile = replace(PAGE, url="http://a.example/\r\nWARC-Type: x", headers={"x": "1\r\nset-cookie: y", "y\r\nz": "2"})
    back = unpack_page(pack_page(hostile))
    assert back.body == PAGE.body
    assert back.url == "http://a.example/ WARC-Type: x"
    assert sorted(back.headers) == ["x", "y z"]


def test_other_readers_read_it(tmp_path: Path) -> None:
    path, _ = fill(tmp_path, 3)
    with path.open("rb") as file:
        records = [(one.rec_type, one.rec_headers.get_header("WARC-Target-URI")) for one in ArchiveIterator(file)]
    assert records == [("warcinfo", None), *(("response", f"http://a.example/{number}") for number in range(3))]
    assert subprocess.run([sys.executable, "-m", "warcio.cli", "check", path], check=False).returncode == 0
    assert gzip.decompress(path.read_bytes()).count(b"WARC/1.1\r\n") == 4


def test_reading_checks_what_it_reads(tmp_path: Path) -> None:
    path, refs = fill(tmp_path, 3)
    archive = Archive(tmp_path)
    with pytest.raises(StoreError, match=r"holds http://a\.example/1, not http://b\.example"):
        archive.read(refs[1], url="http://b.example")
    with pytest.raises(StoreError, match="not a WARC record"):
        archive.read(replace(refs[1], offset=refs[1].offset + 7), url="http://a.example/1")
    with pytest.raises(StoreError, match="ends before"):
        archive.read(replace(refs[2], length=refs[2].length + 1), url="http://a.example/2")
    with pytest.raises(StoreError, match="No such file"):
        archive.read(replace(refs[1], file="newsmon-00-000009-20240501.warc.gz"), url="http://a.example/1")
    with pytest.raises(StoreError, match="of type 'warcinfo'"):
        archive.read(ArchiveRef(path.name, 0, refs[0].offset), url="http://a.example/1")


@pytest.mark.parametrize("name", ["../outside.warc.gz", "/etc/hostname", "newsmon-00-000001-20240501.warc.gz/../x"])
def test_names_do_not_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="is not the name of a file of this archive"):
        Archive(tmp_path).raw(ArchiveRef(name, 0, 10))


def test_files_are_ended_at_their_size_and_continued_later(tmp_path: Path) -> None:
    archive = Archive(tmp_path, max_bytes=5000)
    refs = [archive.append(page(number), now=NOW) for number in range(5)]
    archive.close()
    refs.append(Archive(tmp_path, max_bytes=5000).append(page(5), now=NOW))
    assert [ref.file[11:17] for ref in refs] == ["000001", "000001", "000002", "000002", "000003", "000003"]
    assert [found for found, _ in Archive(tmp_path).pages()] == refs
    assert [back.url[-1] for _, back in Archive(tmp_path).pages()] == list("012345")


def test_writers_do_not_share_files(tmp_path: Path) -> None:
    one, two = Archive(tmp_path), Archive(tmp_path)
    refs = [archive.append(page(number), now=NOW) for number in range(3) for archive in (one, two)]
    assert {ref.file[8:10] for ref in refs} == {"00", "01"}
    one.close()
    assert Archive(tmp_path).append(page(9), now=NOW).file == refs[0].file
    assert len(list(Archive(tmp_path).pages())) == 7


def test_threads_may_share_an_archive(tmp_path: Path) -> None:
    archive = Archive(tmp_path, max_bytes=20_000)
    barrier = threading.Barrier(4)

    def write(start: int) -> list[ArchiveRef]:
        barrier.wait()
        return [archive.append(page(number), now=NOW) for number in range(start, start + 20)]

    with ThreadPoolExecutor(4) as pool:
        refs = [ref for part in pool.map(write, range(0, 80, 20)) for ref in part]
    for number, ref in enumerate(refs):
        assert archive.read(ref, url=f"http://a.example/{number}") == page(number)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[ArchiveRef], str]:
    path, refs = fill(tmp_path_factory.mktemp("whole"), 3)
    return path.read_bytes(), refs, path.name


def cuts(refs: list[ArchiveRef]) -> list[int]:
    """Lengths at which a kill may have left the file: the last record's edges in full, its middle in samples."""
    length = refs[-1].length
    return [*range(1, 40), *range(40, length - 20, 37), *range(length - 20, length)]


def test_a_torn_tail_is_cut_off_wherever_it_tore(tmp_path: Path, whole: tuple[bytes, list[ArchiveRef], str]) -> None:
    data, refs, name = whole
    for length in cuts(refs):
        (tmp_path / name).write_bytes(data[: refs[-1].offset + length])
        assert Archive(tmp_path).repair() == [name], length
        assert (tmp_path / name).read_bytes() == data[: refs[-1].offset]
    assert Archive(tmp_path).repair() == []
    archive = Archive(tmp_path)
    assert archive.append(page(2), now=NOW).offset == refs[-1].offset
    assert [back.url for _, back in archive.pages()] == [f"http://a.example/{number}" for number in range(3)]


@pytest.mark.parametrize("rest", [b"\0" * 5000, b"\x1f\x8b\x08\x04" + b"\0" * 40, b"garbage", pack(b"x")[:-1]])
def test_what_a_power_failure_leaves_is_cut_off(
    tmp_path: Path, whole: tuple[bytes, list[ArchiveRef], str], rest: bytes
) -> None:
    data, _, name = whole
    (tmp_path / name).write_bytes(data + rest)
    assert Archive(tmp_path).repair() == [name]
    assert (tmp_path / name).read_bytes() == data


def test_a_last_record_with_wrong_bytes_is_cut_off(tmp_path: Path, whole: tuple[bytes, list[ArchiveRef], str]) -> None:
    data, refs, name = whole
    damaged = bytearray(data)
    damaged[-200:] = bytes(200)
    (tmp_path / name).write_bytes(damaged)
    assert Archive(tmp_path).repair() == [name]
    assert (tmp_path / name).read_bytes() == data[: refs[-1].offset]


def test_a_record_inside_a_record_does_not_mislead(tmp_path: Path) -> None:
    """A page may hold what looks like the end of an archive."""
    archive = Archive(tmp_path)
    trap = replace(page(1), body=pack_page(page(2)) + b"\0" * 9 + Random(1).randbytes(3000))
    ref = archive.append(trap, now=NOW)
    archive.close()
    assert Archive(tmp_path).repair() == []
    assert Archive(tmp_path).read(ref, url=trap.url) == trap


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "newsmon-00-000001-20240501.warc.gz"
    foreign.write_bytes(gzip.compress(b"WARC/1.0\r\nwritten by another program" * 40))
    before = foreign.read_bytes()
    assert Archive(tmp_path).repair() == []
    assert foreign.read_bytes() == before


def test_repair_leaves_the_file_of_a_living_writer_alone(tmp_path: Path) -> None:
    living = Archive(tmp_path)
    ref = living.append(page(1), now=NOW)
    with (tmp_path / ref.file).open("ab") as file:
        file.write(b"half a rec")
    assert Archive(tmp_path).repair() == []
    assert living.repair() == []


def test_repair_of_nothing(tmp_path: Path) -> None:
    assert Archive(tmp_path / "no folder yet").repair() == []


def test_a_full_disk_leaves_no_half_record(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    refs = [archive.append(page(0), now=NOW)]
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (refs[0].offset + refs[0].length + 500, limits[1]))
        with pytest.raises(StoreUnavailable, match="a page cannot be archived"):
            archive.append(page(1), now=NOW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert (tmp_path / refs[0].file).stat().st_size == refs[0].offset + refs[0].length
    refs.append(archive.append(page(1), now=NOW))
    assert [found for found, _ in archive.pages()] == refs


def test_a_read_only_folder_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("a file where the folder should be")
    with pytest.raises(StoreUnavailable, match="a page cannot be archived"):
        Archive(tmp_path / "archive").append(page(1), now=NOW)


KILLED = """
import sys, itertools
from pathlib import Path
from newsmon.storage import Archive
sys.path.insert(0, sys.argv[2])
from tests.test_archive import page
from tests.storing import NOW
archive = Archive(Path(sys.argv[1]))
archive.repair()
for number in itertools.count():
    ref = archive.append(page(number, 200_000), now=NOW)
    print(ref.file, ref.offset, ref.length, number, flush=True)
"""


def test_kill_nine_loses_no_record_that_was_reported(tmp_path: Path) -> None:
    root = str(Path(newsmon.__file__).parent.parent)
    reported: list[tuple[ArchiveRef, str]] = []
    for seed in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, tmp_path, root],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": root},
        )
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(Random(seed).randrange(1, 25))]
        process.kill()
        lines += process.stdout.readlines()
        process.wait()
        for file, offset, length, number in (line.split() for line in lines if line.endswith("\n")):
            reported.append((ArchiveRef(file, int(offset), int(length)), f"http://a.example/{number}"))
    archive = Archive(tmp_path)
    archive.repair()
    assert len({ref for ref, _ in reported}) == len(reported)
    for ref, url in reported:
        assert archive.read(ref, url=url).body == page(int(url.rpartition("/")[2]), 200_000).body


def test_walking_reads_only_headers() -> None:
    data = pack(b"a" * 1000) + pack(b"b") + pack(b"")
    offsets = list(walk(BytesIO(data)))
    assert [offset for offset, _ in offsets] == [0, len(pack(b"a" * 1000)), len(pack(b"a" * 1000)) + len(pack(b"b"))]
    assert sum(offsets[-1]) == len(data)


def test_cutting_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    assert not cut_torn_tail(tmp_path / "x")
