"""Language tags, and whether a text can be in the language its page claims (templates often claim ``en``)."""

from __future__ import annotations

import re

_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_SCRIPTS = {
    "cyrillic": r"\u0400-\u04ff",
    "han": r"\u3040-\u30ff\u4e00-\u9fff",
    "hangul": r"\uac00-\ud7af",
    "greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "arabic": r"\u0600-\u06ff",
    "hebrew": r"\u0590-\u05ff",
    "latin": r"a-zA-Z\u00c0-\u024f\u1e00-\u1eff",
}
_LANGUAGES_IN = {
    ("cyrillic",): "ru uk be bg mk ky tg",
    ("cyrillic", "latin"): "sr kk mn uz az tk bs",
    ("han",): "zh ja",
    ("arabic",): "ar fa ur ps",
    ("latin",): "en de fr es it pt pl cs sk nl sv no nb da fi et lv lt hu ro hr sl tr id vi",
    ("hangul",): "ko",
    ("greek",): "el",
    ("hebrew",): "he",
}
_LETTER = re.compile(r"[^\W\d_]")
_FOREIGN = {  # letters of other scripts than the language's
    code: re.compile(rf"[^\W\d_{''.join(_SCRIPTS[name] for name in scripts)}]")
    for scripts, codes in _LANGUAGES_IN.items()
    for code in codes.split()
}
_LATIN = frozenset(_LANGUAGES_IN["latin",].split())
_SAMPLE = 600
_ALIASES = {"ua": "uk", "cn": "zh", "jp": "ja", "cz": "cs", "iw": "he", "gr": "el"}


def language_code(tag: str) -> str | None:
    """The primary language of a tag in lower case; None when it is no language tag.

    >>> language_code("ru_RU"), language_code("zh-Hant-TW"), language_code("ua"), language_code("12")
    ('ru', 'zh', 'uk', None)
    """
    match = _TAG.fullmatch(tag.strip())
    if match is None:
        return None
    code = match[1].lower()
    return _ALIASES.get(code, code)


def can_be(language: str, text: str) -> bool:
    """False when the text is mostly in a script that the language is not written in.

    Latin letters stand in every text (names, code), so they count as foreign only when they are four fifths of it.

    >>> can_be("en", "Ставка выросла до 21 %"), can_be("ru", "Ставка NASA и SpaceX выросла"), can_be("en", "")
    (False, True, True)
    """
    foreign = _FOREIGN.get(language)
    if foreign is None:
        return True
    sample = text[:_SAMPLE]
    letters = len(_LETTER.findall(sample))
    return len(foreign.findall(sample)) <= (0.5 if language in _LATIN else 0.8) * letters
