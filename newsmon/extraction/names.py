"""Names of people as bylines give them, and headlines without the site's name. Fewer authors rather than wrong ones."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING

from newsmon.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_PREFIX = re.compile(
    r"^(?:written by|reported by|story by|by|from|автор(?:ы|и)?|текст|фото|von|text|par|por|di|door|av|af"
    r"|作者|记者|記者|文)"
    r"(?:\s*[:：/]\s*|\s+)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*(?:[;|•·\n、]|\s/\s|\s(?:and|und|et|y|и|та|і|og|och)\s|\s?&\s)\s*", re.IGNORECASE)
_ROLE = re.compile(
    r"\b(?:correspondent|reporter|editor|writer|journalist|columnist|contributor|producer|administrator|webmaster"
    r"|updated|published)\w*\b"
    r"|\b(?:staff|agency|agencies|news(?:room|desk)?|desk|team|admin)\b"  # whole words: Newsom and Staffan are names
    r"|\b(?:корреспондент|редактор|журналист|обозреватель|редакция|кореспондент|редакція|redaktion|redakteur|redacción"
    r"|rédaction|redazione)\w*\b",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"https?:|www\.|@|\d")
_NOBODY = re.compile(
    r"^(?:admin\w*|editors?|staff|redaktion|redacción|rédaction|redazione|редакция|редакція|news|team|\W+)$|https?:|www\.|@",
    re.IGNORECASE,
)
_TITLE_AFTER = re.compile(r"\s?(?:선임)?(?:기자|특파원)(?:\s외 \d명)?$|\s?(?:記者|记者)$")
_HAN_SPACE = re.compile(r"(?<=^[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff]$)")
_NO_PERSON = re.compile(
    r"^[Tt]he\s"  # The Jersey Journal
    r"|^[a-z]+[._][a-z._]+$"  # ann.lee
    r"|\b(?:Inc|Ltd|LLC|GmbH|Corporation|Nachrichten)\b"
    r"|[\u4e00-\u9fff](?:报|報|社|网|網|台|局|新聞|新闻|媒体|媒體|频道|出版社|政府|中心)$"
)
_HOST_PARTS = re.compile(r"^www\.|\.(?:[a-z]{2,4})(?:\.[a-z]{2})?$")
_DECORATION = re.compile(r"^the(?=\w{3})|\W+|_")
_LOGIN = re.compile(r"\w[\w.-]*")
_REMARK = re.compile(r"(?<=[\w.])\s*[(（][^()（）]*[)）]")  # who, where or for whom: "Ann Lee (Kyiv)"
_MAX_NAME = 60
_MAX_NAMES = 50
_TITLE_SEPARATOR = re.compile(r"\s+[|–—‒·•»/\\-]+\s+|\s*[|»ㅣ｜]\s*|\s::\s|：：|_(?=[^_\s]+$)")


def author_names(values: Iterable[str], *, not_people: Collection[str] = (), chosen: bool = False) -> tuple[str, ...]:
    """Names without bylines' prefixes, roles, remarks in brackets, addresses and the site's own name, each once.

    :param not_people: names of the site and its publisher.
    :param chosen: someone has looked where the names stand, in a rule: a word with digits is a login there, elsewhere
        a date or a count.

    >>> author_names(["By Ann Lee (Kyiv) and Bob Ray, Political Editor", "https://facebook.com/ann", "v7878"])
    ('Ann Lee', 'Bob Ray')
    >>> author_names(["v7878"], chosen=True)
    ('v7878',)
    """
    refused = {plain_key(name) for name in not_people}
    names: dict[str, str] = {}
    for value in values:
        for part in _SEPARATOR.split(_PREFIX.sub("", _REMARK.sub("", one_line(unescape(value))))):
            for name in _people(part, chosen=chosen):
                if plain_key(name) not in refused:
                    names.setdefault(name.casefold(), name)
    return tuple(names.values())[:_MAX_NAMES]


def organisation_names(values: Iterable[str]) -> tuple[str, ...]:
    """Who a page names as author when it is no person: the site itself, an agency, a desk; the first of them.

    >>> organisation_names(["https://www.post.example", "admin", "The Post Staff"])
    ('The Post Staff',)
    """
    names = (one_line(unescape(value)) for value in values)
    return next(((name,) for name in names if 1 < len(name) <= _MAX_NAME and not _NOBODY.search(name)), ())


def _people(text: str, *, chosen: bool) -> Iterable[str]:
    """Names between commas; two lone words are one name, the last name first ("Lee, Ann")."""
    parts = [_TITLE_AFTER.sub("", _HAN_SPACE.sub("", part)).strip(" .:-–—/()") for part in re.split(r"[,，]", text)]
    if len(parts) == 2 and "," in text and not any(" " in part or _is_no_name(part, chosen=chosen) for part in parts):
        parts = [text.strip()]
    return [part for part in parts if 1 < len(part) <= _MAX_NAME and not _is_no_name(part, chosen=chosen)]


def _is_no_name(text: str, *, chosen: bool) -> bool:
    if _ROLE.search(text) or (not chosen and _NO_PERSON.search(text)):
        return True
    is_login = chosen and _LOGIN.fullmatch(text) and any(map(str.isalpha, text))
    return not is_login and _NO_NAME.search(text) is not None


def without_site_name(title: str, site_names: Collection[str], headings: Collection[str] = ()) -> str:
    """A headline without the name of its site at either end.

    :param site_names: what the site calls itself, its host name included.
    :param headings: texts of the page's ``h1``: where the title begins or ends with one, that is the headline.

    >>> without_site_name("Dam opens | World | The Post", {"The Post"}, ["Dam opens"])
    'Dam opens'
    >>> without_site_name("Ставка выросла - Заря", {"Заря"})
    'Ставка выросла'
    """
    for heading in headings:
        if plain_key(heading) == plain_key(title):
            return heading  # the same words, in the spelling and with the quotation marks readers see
    cuts = [(match.start(), match.end()) for match in _TITLE_SEPARATOR.finditer(title)]
    for heading in headings:
        if any(title[:start] == heading for start, _ in cuts) or any(title[end:] == heading for _, end in cuts):
            return heading
    names = {plain_key(name) for name in site_names} - {""}
    while cuts and plain_key(title[cuts[-1][1] :]) in names:
        title = title[: cuts.pop()[0]]
    if cuts and plain_key(title[: cuts[0][0]]) in names:
        title = title[cuts[0][1] :]
    return title


def same_name(name: str, other: str) -> bool:
    """True for two ways to write one name: of letters and digits only, ``www`` and a top-level domain left out."""
    return bool(plain_key(name)) and plain_key(name) == plain_key(other)


@lru_cache(maxsize=2048)
def plain_key(name: str) -> str:
    """Name for comparison: letters and digits only, without ``www`` and a top-level domain."""
    return _DECORATION.sub("", _HOST_PARTS.sub("", name.strip().casefold()))
