"""Language tags, and whether a text can be in the language its page claims (templates often claim ``en``)."""

from __future__ import annotations

import re

_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_SCRIPTS = {
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "han": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"),
    "hangul": re.compile(r"[\uac00-\ud7af]"),
    "greek": re.compile(r"[\u0370-\u03ff]"),
    "arabic": re.compile(r"[\u0600-\u06ff]"),
    "hebrew": re.compile(r"[\u0590-\u05ff]"),
    "latin": re.compile(r"[a-zA-Z\u00c0-\u024f]"),
}
_WRITTEN_IN = {
    **dict.fromkeys("ru uk be bg mk ky tg".split(), {"cyrillic"}),
    **dict.fromkeys("sr kk mn uz az tk bs".split(), {"cyrillic", "latin"}),
    **dict.fromkeys(("zh", "ja"), {"han"}),
    **dict.fromkeys("ar fa ur ps".split(), {"arabic"}),
    **dict.fromkeys("en de fr es it pt pl cs sk nl sv no nb da fi et lv lt hu ro hr sl tr id vi".split(), {"latin"}),
    "ko": {"hangul"},
    "el": {"greek"},
    "he": {"hebrew"},
}
_SAMPLE = 2000
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

    >>> can_be("en", "Ставка выросла"), can_be("ru", "Ставка выросла"), can_be("en", "")
    (False, True, True)
    """
    scripts = _WRITTEN_IN.get(language)
    if scripts is None or not text:
        return True
    counts = {name: len(pattern.findall(text[:_SAMPLE])) for name, pattern in _SCRIPTS.items()}
    counts["han"] *= 3  # one sign says as much as a few letters
    return not any(counts.values()) or max(counts, key=lambda name: counts[name]) in scripts
