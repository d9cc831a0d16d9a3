"""Paths of one article: index files, AMP and print variants, and titles beside an article id.

Everything here guesses what servers do, for page keys only; see :mod:`newsmon.urls` for why it guesses so little.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_INDEX = re.compile(r"(?:index|default)\.(?:html?|shtml|xhtml|php\d?|aspx?|jsp|cfm|cgi|pl)").fullmatch
_VARIANT_SEGMENTS = frozenset(
    ["amp", "amphtml", "google-amp", "amp.html", "print", "printable", "printversion", "print.html"]
)
_VARIANT_SUFFIX = re.compile(r"(?:[.~](?:amp|print)|_amp(?=\.))?(?:\.(?:amp|s?html?|xhtml))?$")

_GUID = r"[a-z]?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
_IS_GUID = re.compile(_GUID).fullmatch
_IS_DATE = re.compile(r"\d{1,8}").fullmatch
_ID_LAST = re.compile(rf"(?P<title>.+?)[-_](?P<id>{_GUID}|[a-z]?\d{{7,12}})(?P<suffix>\.[a-z]{{2,5}})?").fullmatch
_ID_FIRST = re.compile(rf"(?P<id>{_GUID}|\d{{7,12}})[-_](?P<title>.+?)(?P<suffix>\.[a-z]{{2,5}})?").fullmatch
_NO_ID = re.compile(
    r"(?:19|20)\d{6,}"  # 20240815, 202408151230
    r"|\d{4}(?:19|20)\d\d"  # 15082024
    r"|[0-4]\d[01]\d[0-3]\d[0-2]\d[0-5]\d"  # 2408151230
    r"|1\d{9}(?:\d{3})?"  # seconds or milliseconds since 1970
    r"|\d*000"  # 1000000 people
).fullmatch

_NO_TITLE = re.compile(r"\d{5}|[-_]\d\d?$").search  # another long number, or a page number
_IS_ARTICLE_WORD = re.compile(
    r"a|articles?|art[ií]culos?|artikel|artigos?|artykul|content|item|nachricht(?:en)?|news(?:item)?|notas?|noticias?"
    r"|notizi[ae]|novost[iь]?|новост[иь]|posts?|publication|publikacija|statya|stor(?:y|ies)"
).fullmatch


def page_segments(path: str, *, fold_titles: bool = True) -> list[str]:
    """Return what of a path names the page, segment by segment.

    :param path: decoded and in lower case.
    :param fold_titles: leave out titles beside an article id.

    >>> page_segments("/news//2024/amp/index.html")
    ['news', '2024']
    >>> page_segments("/news/storm-hits-the-coast-7654321.html")
    ['news', '7654321']
    """
    segments = [segment for segment in path.split("/") if segment and segment not in _VARIANT_SEGMENTS]
    if not segments:
        return []
    if _INDEX(segments[-1]):
        return segments[:-1]
    leaf = segments[-1]
    if "." in leaf or "~" in leaf:
        segments[-1] = _VARIANT_SUFFIX.sub("", leaf, count=1) or leaf
    return _without_title(segments) if fold_titles else segments


def _without_title(segments: list[str]) -> list[str]:
    """Leave out the title beside an article id, because sites answer the same article under any title.

    Only for shapes that cannot be something else:

    * a GUID after a word for article, with the title behind it (commoncrawl/news-crawl#44); without that word the GUID
      may be a channel or an author, and the titles behind it different articles;
    * a GUID in one segment with the title;
    * a number of 7 to 12 digits in one segment with the title, when it is no date, time or round figure. Shorter
      numbers are years, sums and stock codes as often as ids: those sites have a rule of their own.

    The title must have three words and no other long number.
    """
    for position, (word, segment) in enumerate(pairwise(segments), start=1):
        if _IS_ARTICLE_WORD(word) and _IS_GUID(segment) and _is_dated_title(segments[position + 1 :]):
            return segments[: position + 1]
    leaf = segments[-1]
    match = _ID_LAST(leaf) or _ID_FIRST(leaf)
    if match and _is_title(match["title"]) and not _NO_ID(match["id"].lstrip("abcdefghijklmnopqrstuvwxyz")):
        return [*segments[:-1], match["id"] + (match["suffix"] or "")]
    return segments


def _is_dated_title(segments: Sequence[str]) -> bool:
    *dates, title = segments or [""]
    return all(map(_IS_DATE, dates)) and _is_title(title.partition(".")[0])


def _is_title(text: str) -> bool:
    words = re.split(r"[-_]+", text)
    return sum(word.isalpha() for word in words) >= 3 and not _NO_TITLE(text)
