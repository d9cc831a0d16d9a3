"""The program that reads risky pages for :class:`newsmon.sandbox.Sandbox`: one after the other, until its input ends.

``python -m newsmon.sandbox.worker EXTRACTOR SECONDS MEMORY``

Its memory is limited by the system; an alarm clock ends it should nobody be left who could kill it.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsmon.sandbox import wire

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from newsmon.model import Extract

try:
    import resource
except ImportError:  # not on Windows: there only the time is limited
    resource = None  # type: ignore[assignment]

_SELF = Path("/proc/self/statm")
_UNKNOWN_SIZE = 2**30  # of this program where the system does not tell
_KEPT = 4  # a worker that keeps more than a fourth of the memory allowed makes way for a fresh one


def main(extractor: str, seconds: str, memory: str) -> None:
    """Answer requests on the standard input."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints, prints no answers
    try:
        extract = _load(extractor)
    except Exception as error:  # noqa: BLE001 - of whatever the user's module does; told to who started this
        _tell(answers, {"fault": f"{extractor}: {_in_words(error)}"})
        return
    room = _Room(int(memory))
    _tell(answers, {"ready": True})
    with suppress(EOFError):
        while not room.used_up:
            header, body = wire.receive(requests), wire.receive(requests)
            _set_alarm(2 * float(seconds) + 1)
            answer = _read(extract, header, body)
            del header, body
            _set_alarm(0)
            _tell(answers, answer | ({"last": True} if room.used_up else {}))


def _read(extract: Callable[..., Extract], header: bytes, body: bytes) -> dict[str, Any]:
    try:
        request = wire.unpack_request(header, body)
        found = extract(request.page, rules=request.rules, entry=request.entry, **request.options)
        return {"extract": found}
    except MemoryError:
        return {"failure": "it took more memory than is allowed"}
    except RecursionError:
        return {"failure": "something in it is nested too deeply"}
    except Exception as error:  # noqa: BLE001 - told to who asked
        return {"fault": _in_words(error)}


class _Room:
    """The memory that reading a page may take, beside what the program itself has taken when it starts."""

    def __init__(self, memory: int) -> None:
        self._most = _size() + memory // _KEPT
        if resource is not None:
            limit, (_, most) = _size() + memory, resource.getrlimit(resource.RLIMIT_AS)
            limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
            resource.setrlimit(resource.RLIMIT_AS, (limit, most))

    @property
    def used_up(self) -> bool:
        """True when so much stays in use after a page that the next one could lack it."""
        return _SELF.exists() and _size() > self._most


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:300]


def _load(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _tell(stream: BinaryIO, answer: dict[str, Any]) -> None:
    wire.send(stream, wire.to_json(answer))
    stream.flush()


def _size() -> int:
    """Bytes of address space that this program has."""
    if not _SELF.exists():
        return _UNKNOWN_SIZE
    return int(_SELF.read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _set_alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)  # by default it ends the process, whatever that is doing


if __name__ == "__main__":
    main(*sys.argv[1:])
