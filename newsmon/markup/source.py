"""What is written out: paragraphs in one form, and what is known of the article they are from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from newsmon.model import Article, Extract, Paragraph, Role
from newsmon.records import iso_time
from newsmon.text import UNWANTED, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

Source: TypeAlias = Extract | Article | Iterable[Paragraph]

DEEPEST_LIST = 16
"""List items deeper than this are written as deep as this."""

FIELDS = (
    *("url", "site", "canonical_url", "title", "summary", "authors", "published", "modified", "language", "image"),
    *("section", "tags", "paywalled", "kind", "method", "rule_version", "confidence", "reason", "fetched_at"),
)
"""What is written of an article besides its text, in this order."""

_SPACE = re.compile(r"\s")


def paragraphs_of(source: Source) -> Iterator[Paragraph]:
    """The paragraphs with clean text and levels that exist; empty ones are left out."""
    for paragraph in source.paragraphs if isinstance(source, Extract | Article) else source:
        if text := _clean(paragraph):
            yield Paragraph(text, paragraph.role, _level(paragraph))


def known_of(source: Source, *, title: str | None, url: str | None) -> dict[str, Any]:
    """What is known of an article: texts, lists of texts, booleans and numbers; nothing unknown or empty.

    :param title: instead of the article's own; an empty one leaves it out.
    :param url: instead of the article's own, which an extract does not know.
    """
    named: dict[str, Any] = {}
    if isinstance(source, Extract | Article):
        named = {name: getattr(source, name, None) for name in FIELDS}
    given = {name: value for name, value in (("url", url), ("title", title)) if value is not None}
    known = {name: _plain(value) for name in FIELDS if (value := {**named, **given}.get(name)) is not None}
    return {name: value for name, value in known.items() if value not in ("", [])}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return iso_time(value)
    if isinstance(value, str):
        return one_line(value)
    return [text for text in map(one_line, value) if text] if isinstance(value, tuple) else value


def _clean(paragraph: Paragraph) -> str:
    lines = paragraph.text.split("\n")
    if paragraph.role is Role.CODE:
        return "\n".join(line for line in map(_code_line, lines) if line)
    joint = " " if paragraph.role in (Role.HEADING, Role.ROW) else "\n"
    return joint.join(line for line in map(one_line, lines) if line)


def _code_line(line: str) -> str:
    return _SPACE.sub(" ", UNWANTED.sub("", line)).rstrip()


def _level(paragraph: Paragraph) -> int:
    if paragraph.role is Role.HEADING:
        return min(max(paragraph.level, 1), 6)
    return min(max(paragraph.level, 1), DEEPEST_LIST) if paragraph.role is Role.ITEM else 0
