"""The filter of seen pages: a Bloom filter that forgets the oldest keys (seed 003, 1.1.2.1).

A Bloom filter answers "certainly new" or "perhaps seen". newsmon uses it to spare the database a question for every new
link, never to decide: a hit is confirmed in the database before anything is dropped, and a key it has forgotten is
still known there. It is therefore a cache that may be lost: a missing or damaged file is rebuilt from the database.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from itertools import chain
from math import ceil
from typing import IO, TYPE_CHECKING, Any

from pybloom_live import BloomFilter

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

_MAGIC = b"newsmon seen filter 1\n"
_DIGEST = hashlib.sha256
_DIGEST_SIZE = 32
_CHUNK = 1 << 20

# pybloom-live takes 16-bit hashes modulo the slice length where a slice is shorter than 2**15 bits, which favours the
# low bits: measured 1.2 to 1.4 times the error asked for. Filters of this size and more have longer slices.
_SMALLEST_FILTER = 50_000
# Share of the error rate that the filters are sized for. The rest pays for rounding k up in formula (1.2) and for
# chance in a measurement; it costs 3 % of the bits.
_RESERVE = 0.75


class SeenFilter:
    """Page keys seen, in rotating generations of Bloom filters.

    For n keys and a false-positive probability p a filter has m bits and k hash functions::

        m = -n ln p / (ln 2)^2      (1.1)
        k = (m / n) ln 2            (1.2; the seed prints a minus sign, which would make k negative)

    Of g generations, each sized for n = capacity / (g - 1) keys, the newest takes new keys; when it is full the oldest
    is dropped and an empty one begins. So at least the last ``capacity`` keys are remembered, and a key that is added
    again stays. A key is "perhaps seen" when any generation says so, the error of the whole is at most the sum over
    the generations, and each is sized for p = error_rate / g, less a reserve.

    :param capacity: keys to remember at least; a million at 0.001 and four generations take 3.0 MB.
    :param error_rate: probability that a new key is called seen, over all generations when they are full.
    :param generations: 2 or more; more forget more evenly and cost more time per question.
    :raises ValueError: when a parameter is out of range.

    >>> seen = SeenFilter(capacity=1000, error_rate=0.001)
    >>> seen.add("example.com/news/1"), "example.com/news/1" in seen, "example.com/news/2" in seen
    (True, True, False)
    """

    def __init__(self, capacity: int, error_rate: float, generations: int = 4) -> None:
        if capacity < 1 or generations < 2 or not 0 < error_rate < 1:
            raise ValueError("a filter needs capacity >= 1, generations >= 2 and an error rate between 0 and 1")
        self.capacity, self.error_rate, self.generations = capacity, error_rate, generations
        self._per_generation = ceil(capacity / (generations - 1))
        self._filters = [self._empty()]  # newest first

    def __contains__(self, key: str) -> bool:
        return any(key in filter_ for filter_ in self._filters)

    def __len__(self) -> int:
        """Keys remembered; one that was added in several generations counts in each."""
        return sum(len(filter_) for filter_ in self._filters)

    @property
    def fill(self) -> float:
        """Share of the newest generation that is used, 0..1; at 1 the next key rotates."""
        return len(self._filters[0]) / self._per_generation

    def add(self, key: str) -> bool:
        """Remember a key; say whether it was new."""
        new = key not in self
        if key not in self._filters[0]:
            if len(self._filters[0]) >= self._per_generation:
                self._filters = [self._empty(), *self._filters[: self.generations - 1]]
            self._filters[0].add(key)
        return new

    def save(self, path: Path) -> None:
        """Write the filter to ``path``: all of it or nothing, also when the machine stops meanwhile.

        :raises OSError: when it cannot be written; the file that was there is unharmed.
        """
        partial = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            with partial.open("wb") as file:
                self._write(file)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        _sync_folder(path.parent)

    @classmethod
    def load(cls, path: Path, *, capacity: int, error_rate: float, generations: int = 4) -> Self | None:
        """Return the filter saved at ``path``, None when it is missing, damaged or made for other parameters.

        :raises OSError: when a file is there and cannot be read.
        """
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return None
        fresh = cls(capacity, error_rate, generations)
        with path.open("rb") as file:
            if size < _DIGEST_SIZE or not _is_sound(file, size - _DIGEST_SIZE):
                return None
            file.seek(0)
            return fresh if fresh._read(file) else None

    def _empty(self) -> Any:
        rate = _RESERVE * self.error_rate / self.generations
        return BloomFilter(max(self._per_generation, _SMALLEST_FILTER), rate)

    def _parameters(self) -> dict[str, float]:
        return {"capacity": self.capacity, "error_rate": self.error_rate, "generations": self.generations}

    def _write(self, file: IO[bytes]) -> None:
        """Magic, parameters, length of the filters and the filters themselves; at the end a digest of all that."""
        out = _Digesting(file)
        header = {**self._parameters(), "filters": [_size(filter_) for filter_ in self._filters]}
        out.write(_MAGIC + json.dumps(header).encode() + b"\n")
        for filter_ in self._filters:
            filter_.tofile(out)
        file.write(out.digest())

    def _read(self, file: IO[bytes]) -> bool:
        """Take over the filters of a sound file; False when it was made for other parameters."""
        if file.readline() != _MAGIC:
            return False
        header = json.loads(file.readline())
        sizes = header.pop("filters")
        if header != self._parameters():
            return False
        self._filters = [BloomFilter.fromfile(file, size) for size in sizes]
        return True


class _Digesting:
    """A file to write to that keeps a digest of what passes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = _DIGEST()

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        return self._file.write(data)

    def digest(self) -> bytes:
        return self._hash.digest()


def _size(filter_: Any) -> int:
    """Bytes that pybloom-live writes for a filter: five numbers of eight bytes, then the bits."""
    return 40 + (int(filter_.num_bits) + 7) // 8


def _is_sound(file: IO[bytes], length: int) -> bool:
    """Say whether the first ``length`` bytes have the digest that follows them."""
    digest = _DIGEST()
    whole, rest = divmod(length, _CHUNK)
    for size in chain([_CHUNK] * whole, [rest]):
        digest.update(file.read(size))
    return digest.digest() == file.read(_DIGEST_SIZE)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; file systems that cannot do it for folders are left alone."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
