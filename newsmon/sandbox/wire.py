"""What goes through the pipe between a process and its worker: frames of JSON and raw bytes.

::

    request  8 bytes length, JSON {page, rules, entry, options}; 8 bytes length, the body of the page
    answer   8 bytes length, JSON {extract}, {failure: of the page} or {fault: of the extractor}

JSON and not pickle: the worker has parsed what strangers wrote with a parser written in C. Should one of them ever take
it over, its answer is still nothing but text, numbers and times in the fields of an :class:`~newsmon.model.Extract`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache, partial
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints

from newsmon.model import Entry, Extract
from newsmon.page import Page
from newsmon.siterules import SiteRules

if TYPE_CHECKING:
    from typing import BinaryIO

_Reader = Callable[[Any], Any]

LARGEST_ANSWER = 24 * 2**20
"""Bytes; three times the largest body that is read."""

_LENGTH = struct.Struct(">Q")


class Request(NamedTuple):
    """A page to read, and what ``extract`` is told beside it."""

    page: Page
    rules: SiteRules | None
    entry: Entry | None
    options: Mapping[str, Any]


def send(stream: BinaryIO, frame: bytes) -> None:
    """Write one frame."""
    stream.write(_LENGTH.pack(len(frame)))
    stream.write(frame)


def receive(stream: BinaryIO, *, largest: int | None = None) -> bytes:
    """Read one frame.

    :raises EOFError: when the other end is gone.
    :raises ValueError: when it promises more than ``largest`` bytes.
    """
    length: int = _LENGTH.unpack(_read(stream, _LENGTH.size))[0]
    if largest is not None and length > largest:
        raise ValueError(f"an answer of {length:,} bytes")
    return _read(stream, length)


def _read(stream: BinaryIO, length: int) -> bytes:
    found = stream.read(length)
    if len(found) < length:
        raise EOFError
    return found


def pack_request(request: Request) -> bytes:
    """Everything but the body, as JSON."""
    page, rules = request.page, request.rules
    told_page = {
        "url": page.url,
        "final_url": page.final_url,
        "status": page.status,
        "fetched_at": page.fetched_at,
        "headers": dict(page.headers),
        "rendered": page.rendered,
    }
    told = {
        "page": told_page,
        "rules": rules.model_dump_json() if rules is not None else None,
        "entry": request.entry,
        "options": dict(request.options),
    }
    return to_json(told)


def unpack_request(header: bytes, body: bytes) -> Request:
    """The request that :func:`pack_request` wrote."""
    told = json.loads(header)
    fetched_at = datetime.fromisoformat(told["page"].pop("fetched_at"))
    return Request(
        Page(body=body, fetched_at=fetched_at, **told["page"]),
        SiteRules.model_validate_json(told["rules"]) if told["rules"] is not None else None,
        _reader(Entry)(told["entry"]) if told["entry"] is not None else None,
        told["options"],
    )


def to_json(value: Any) -> bytes:
    """JSON of a value that may hold records and times."""
    return json.dumps(value, default=_plain, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"no value of JSON: {value!r}")


def read_extract(told: Any) -> Extract:
    """An extract from the values of JSON.

    :raises ValueError: when its fields are not of the types that the record has.
    """
    found: Extract = _reader(Extract)(told)
    return found


@cache
def _reader(kind: Any) -> _Reader:
    """What makes a value of an annotated type from a value of JSON, and refuses any other."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is UnionType:
        (stated,) = map(_reader, (part for part in arguments if part is not NoneType))
        return lambda told: None if told is None else stated(told)
    if origin is tuple:
        item = _reader(arguments[0])
        return lambda told: tuple(map(item, _checked(list, told)))
    if origin is Mapping:
        key, item = map(_reader, arguments)
        return lambda told: {key(name): item(value) for name, value in _checked(dict, told).items()}
    if is_dataclass(kind):
        return _record_reader(kind)
    if kind is datetime:
        return lambda told: datetime.fromisoformat(_checked(str, told))
    if kind is float:
        return lambda told: float(told) if type(told) is int else _checked(float, told)
    return kind if issubclass(kind, StrEnum) else partial(_checked, kind)


def _record_reader(record: Any) -> _Reader:
    # the module of the records imports some types only while it is checked
    hints = get_type_hints(record, localns={"datetime": datetime, "Mapping": Mapping})
    readers = {name: _reader(kind) for name, kind in hints.items()}

    def read(told: Any) -> Any:
        if type(told) is not dict or not told.keys() <= readers.keys():
            raise ValueError(f"no {record.__name__}: {str(told)[:100]}")
        try:
            return record(**{name: readers[name](value) for name, value in told.items()})
        except TypeError as error:  # a field is missing
            raise ValueError(str(error)) from error

    return read


def _checked(kind: type, told: Any) -> Any:
    if type(told) is not kind:
        raise ValueError(f"{type(told).__name__}, not {kind.__name__}: {str(told)[:100]}")
    return told
