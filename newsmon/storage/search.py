"""Full-text search that finds the same on SQLite (FTS5) and PostgreSQL (tsvector with a GIN index).

Both databases get words that were folded here: lower case, Latin and Greek without accents, ``ё`` as ``е``, and
Chinese, Japanese and Korean, which put no spaces between words, as overlapping pairs of characters::

    "Экономика растёт"  ->  экономика растет
    "北京大学 opens"      ->  北京 京大 大学 学 opens          (the last character alone, so that prefixes find it)

A query is words that must all occur; ``"in quotes"`` they must follow each other, and ``word*`` finds beginnings. A run
of Chinese characters is looked for as written. There is no stemming: it differs between languages and databases.

PostgreSQL indexes an article in the transaction that stores it. FTS5 writes a segment for every transaction, which
costs as much as all the rest of storing an article; there :func:`catch_up` indexes what is new some dozens at a time,
with the next leases and before every search. The FTS5 table is contentless, because the folded words are not kept: to
delete a row it is given the same words again.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from newsmon.model import Kind
from newsmon.storage.part import StorePart
from newsmon.storage.schema import documents

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 200_000  # characters of a text that are indexed; a tsvector holds at most 1 MiB

_ACCENTED = re.compile("[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]")
_WORDS = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f]+")
_TERMS = re.compile(r'"([^"]*)"|(\S+)')

_CAUGHT_UP = sa.text("SELECT coalesce(max(id), 0) FROM search_docsize")
_INSERT = {
    "sqlite": sa.text("INSERT INTO search (rowid, title, text) VALUES (:id, :title, :text)"),
    "postgresql": sa.text(
        "INSERT INTO search (document_id, words) VALUES (:id,"
        " setweight(to_tsvector('simple', :title), 'A') || setweight(to_tsvector('simple', :text), 'D'))"
    ),
}
_DELETE = {
    "sqlite": sa.text("INSERT INTO search (search, rowid, title, text) VALUES ('delete', :id, :title, :text)"),
    "postgresql": sa.text("DELETE FROM search WHERE document_id = :id"),
}
_FIND = {
    "sqlite": sa.text(
        "SELECT rowid FROM search WHERE search MATCH :query ORDER BY bm25(search, 5, 1), rowid LIMIT :most"
    ),
    "postgresql": sa.text(
        "SELECT document_id FROM search, to_tsquery('simple', :query) AS asked"
        " WHERE words @@ asked ORDER BY ts_rank_cd(words, asked) DESC, document_id LIMIT :most"
    ),
}


class Search(StorePart):
    """Search in titles and texts of articles."""

    def search_ids(self, query: str, *, limit: int = 20) -> list[int]:
        """Return the ids of articles that match, best first."""
        asked = _fts5_query(query) if self._database.sqlite else _tsquery(query)
        if not asked:
            return []
        self.index_new()
        with self._database.read() as connection:
            return list(connection.scalars(_FIND[connection.dialect.name], {"query": asked, "most": limit}))

    def index_new(self) -> None:
        """Make all stored articles searchable, where this was put off."""
        if not self._database.sqlite:
            return
        with self._database.read() as connection:
            if not _new_documents(connection, 1):
                return
        more = True
        while more:
            with self._database.write() as connection:
                more = catch_up(connection)


def index(connection: sa.Connection, document_id: int, title: str | None, text: str) -> None:
    """Make a new article searchable, on SQLite with the next :func:`catch_up`."""
    if connection.dialect.name != "sqlite":
        connection.execute(_INSERT["postgresql"], _words_of(document_id, title, text, spaced=True))


def catch_up(connection: sa.Connection, limit: int = 200) -> bool:
    """Index documents stored since the last time, at most ``limit``; say whether there may be more."""
    if connection.dialect.name != "sqlite":
        return False
    new = _new_documents(connection, limit)
    if new:
        # A document that is no article gets a row without words: the last row's id says what was indexed.
        rows = [_words_of(row.id, *((row.title, row.text) if row.kind == Kind.ARTICLE else (None, ""))) for row in new]
        connection.execute(_INSERT["sqlite"], rows)
    return len(new) == limit


def _new_documents(connection: sa.Connection, limit: int) -> Sequence[Any]:
    columns = (documents.c.id, documents.c.title, documents.c.text, documents.c.kind)
    since = connection.execute(_CAUGHT_UP).scalar_one()
    query = sa.select(*columns).where(documents.c.id > since).order_by(documents.c.id).limit(limit)
    return connection.execute(query).all()


def index_again(
    connection: sa.Connection, document_id: int, old: tuple[str | None, str], new: tuple[str | None, str]
) -> None:
    """Index an edited article: ``old`` and ``new`` are its title and text before and after."""
    while catch_up(connection):
        continue
    spaced = connection.dialect.name != "sqlite"
    connection.execute(_DELETE[connection.dialect.name], _words_of(document_id, *old, spaced=spaced))
    connection.execute(_INSERT[connection.dialect.name], _words_of(document_id, *new, spaced=spaced))


def _words_of(document_id: int, title: str | None, text: str, *, spaced: bool = False) -> dict[str, object]:
    """Values for the statements above; ``spaced`` leaves nothing for PostgreSQL's parser to guess (URLs, numbers)."""
    write = words if spaced else _cut
    return {"id": document_id, "title": write(title or ""), "text": write(text[:LONGEST])}


def words(text: str) -> str:
    """Return the words of a text as they are indexed.

    >>> words("Ёлка в Café_2")
    'елка в cafe 2'
    >>> words("北京大学")
    '北京 京大 大学 学'
    """
    return " ".join(_WORDS.findall(_cut(text)))


def _cut(text: str) -> str:
    """Fold a text and cut its unspaced runs; FTS5 splits the rest as :func:`words` does."""
    folded = _fold(text)
    if _UNSPACED.search(folded) is None:
        return folded
    return _UNSPACED.sub(lambda run: f" {' '.join([*_pairs(run[0]), run[0][-1]])} ", folded)


def _fold(text: str) -> str:
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    folded = unicodedata.normalize("NFKC", lowered).replace("ё", "е")
    return _ACCENTED.sub(_base_letter, folded) if _ACCENTED.search(folded) else folded


def _base_letter(accented: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", accented[0])[0]


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


def _terms(query: str) -> list[tuple[list[str], bool]]:
    """Read a query: sequences of words that must occur, and whether the last word is only a beginning.

    >>> _terms('растёт "белый дом" эконом*')
    [(['растет'], False), (['белый', 'дом'], False), (['эконом'], True)]
    >>> _terms("北京大学 京")
    [(['北京', '京大', '大学'], False), (['京'], True)]
    """
    terms = []
    for phrase, word in _TERMS.findall(query):
        folded = _fold(phrase or word)
        sequence = [part for piece in _WORDS.findall(folded) for part in _query_parts(piece)]
        if sequence:
            single = len(sequence[-1]) == 1 and _UNSPACED.match(sequence[-1]) is not None
            terms.append((sequence, single or word.endswith("*")))
    return terms


def _query_parts(piece: str) -> list[str]:
    parts: list[str] = []
    end = 0
    for run in _UNSPACED.finditer(piece):
        parts += [piece[end : run.start()], *(_pairs(run[0]) or [run[0]])]
        end = run.end()
    return [part for part in (*parts, piece[end:]) if part]


def _fts5_query(query: str) -> str:
    """Write a query for FTS5; the words hold letters and digits only, so nothing needs escaping."""
    return " AND ".join(f'"{" ".join(sequence)}"{"*" if prefix else ""}' for sequence, prefix in _terms(query))


def _tsquery(query: str) -> str:
    """Write the same query for PostgreSQL."""
    return " & ".join(f"({' <-> '.join(sequence)}{':*' if prefix else ''})" for sequence, prefix in _terms(query))
