"""Full-text search that finds the same on SQLite (FTS5) and PostgreSQL (tsvector with a GIN index).

Both databases get words that were folded here: lower case, no accents (``ё`` is ``е``, ``é`` is ``e``), and Chinese,
Japanese and Korean, which put no spaces between words, as overlapping pairs of characters::

    "Экономика растёт"  ->  экономика растет
    "北京大学 opens"      ->  北京 京大 大学 学 opens          (the last character alone, so that prefixes find it)

A query is words that must all occur; ``"in quotes"`` they must follow each other, and ``word*`` finds beginnings. A run
of Chinese characters is looked for as written. There is no stemming: it differs between languages and databases.
The FTS5 table is contentless, because the folded text is not kept: a row is deleted by giving the same words again.
"""

from __future__ import annotations

import re
import unicodedata

import sqlalchemy as sa

from newsmon.storage.part import StorePart

LONGEST = 200_000  # characters of a text that are indexed; a tsvector holds at most 1 MiB

_MARKS = re.compile("[\u0300-\u036f]+")
_WORDS = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0002fa1f]+")
_TERMS = re.compile(r'"([^"]*)"|(\S+)')

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
        with self._database.read() as connection:
            write = _fts5_query if self._database.sqlite else _tsquery
            asked = write(query)
            if not asked:
                return []
            return list(connection.scalars(_FIND[connection.dialect.name], {"query": asked, "most": limit}))


def index(connection: sa.Connection, document_id: int, title: str | None, text: str) -> None:
    """Make an article searchable."""
    connection.execute(_INSERT[connection.dialect.name], _words_of(document_id, title, text))


def unindex(connection: sa.Connection, document_id: int, title: str | None, text: str) -> None:
    """Take an article out; title and text must be those it was indexed with."""
    connection.execute(_DELETE[connection.dialect.name], _words_of(document_id, title, text))


def _words_of(document_id: int, title: str | None, text: str) -> dict[str, object]:
    return {"id": document_id, "title": words(title or ""), "text": words(text[:LONGEST])}


def words(text: str) -> str:
    """Fold a text into the words that are indexed.

    >>> words("Ёлка в Café_2")
    'елка в cafe 2'
    >>> words("北京大学")
    '北京 京大 大学 学'
    """
    folded = _fold(text)
    if _UNSPACED.search(folded):
        folded = _UNSPACED.sub(lambda run: f" {' '.join([*_pairs(run[0]), run[0][-1]])} ", folded)
    return " ".join(_WORDS.findall(folded))


def _fold(text: str) -> str:
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    # Composed again at the end, for the decomposition takes Korean syllables apart, too.
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", lowered)))


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
