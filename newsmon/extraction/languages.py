"""Language tags, whether a text can be in the language its page claims (templates often claim ``en``), and a guess at
the language of a page that claims none."""

from __future__ import annotations

import re
from collections import Counter

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
_COMMON = {
    "en": "the of and to in is that for was with on as by at from his they are this not have",
    "de": "der die und das ist nicht von mit den des sich auf ein eine dem auch für als im wird",
    "fr": "le la les et des du une est dans que pour qui sur pas au avec ce plus par il",
    "es": "el la los y las del una que en por con para se no su al más como pero fue",
    "it": "il di che la gli della per una con non del sono alla nel è anche più dei le si",
    "pt": "o os de que um uma não para com do da em por mais dos ao foi são pela no",
    "nl": "de het een van en dat is niet op zijn voor met te aan ook door naar bij wordt er",
    "pl": "i w na z że się nie do jest to przez jak po od oraz dla który tym była są",
    "cs": "a se na je že v o s z do pro jsem ale by jako jeho při podle byl který",
    "sv": "och att det som en för av inte med den är till på har om ett var från han kan",
    "no": "og det som er på til av for med at en ikke den har var fra han men et skal",
    "da": "og det er til af en at på med som for den ikke de har der fra et han blev",
    "fi": "ja on ei että oli se hän mutta ovat kun myös joka niin tai jo vain kuin sen mukaan",
    "ro": "și în de la cu care pe nu este din pentru un o să mai fost ca sunt lui după",
    "hu": "a az és hogy nem is egy volt meg ez csak mint már de azt szerint lesz vagy el még",
    "tr": "ve bir bu için ile da de çok olarak daha olan gibi sonra kadar ise oldu en ne göre var",
    "id": "yang dan di dengan untuk dari ini itu pada dalam tidak akan juga ke oleh karena telah bisa ada sebagai",
    "vi": "và của là có cho không được trong một với các người này đã để những khi về tại từ",
}
_LANGUAGES_OF_WORD: dict[str, list[str]] = {}
for _code, _line in _COMMON.items():
    for _common_word in _line.split():
        _LANGUAGES_OF_WORD.setdefault(_common_word, []).append(_code)
_RIVALS = {"nb": "no", "nn": "no", "sk": "cs"}
_LETTERS_OF = tuple(
    (re.compile(f"[{letters}]", re.IGNORECASE), share, code)
    for letters, share, code in (
        (r"\u3040-\u30ff", 0.03, "ja"),
        (r"\uac00-\ud7af", 0.03, "ko"),
        (r"\u4e00-\u9fff", 0.03, "zh"),
        ("іїєґ", 0.01, "uk"),
        ("ыэё", 0.005, "ru"),
        ("ъ", 0.005, "bg"),
        ("α-ωά-ώ", 0.1, "el"),
        (r"\u0590-\u05ff", 0.1, "he"),
        (r"\u0e00-\u0e7f", 0.1, "th"),
        ("پچژگ", 0.005, "fa"),
        (r"\u0600-\u06ff", 0.1, "ar"),
    )
)
"""Letters, the share of them in a text that speaks for a language, and the language; the first that fits."""

_MOST_WORDS = 250
_WORDS_SAMPLE = 1500
_ENOUGH = 8
_DIFFERENT = 4
_MARGIN = 1.3
_WORD = re.compile(r"[^\W\d_]+")
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


def guess_language(text: str) -> str | None:
    """The language of a text by letters that only one has, or by its most common words; None when unsure.

    Belarusian is taken for Ukrainian, and some small languages for a neighbour: a page that says what it is written in
    is not asked.

    >>> guess_language("Ставка выросла до 21 %"), guess_language("水库今天启用"), guess_language("Dam opens")
    ('ru', 'zh', None)
    """
    sample = text[:_WORDS_SAMPLE]
    letters = len(_LETTER.findall(sample))
    for pattern, share, code in _LETTERS_OF:
        if len(pattern.findall(sample)) > share * letters:
            return code
    counts = _common_words(sample)
    (best, most), (_, second) = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    return best if most >= _ENOUGH and most > _MARGIN * second else None


def contradicted(language: str, text: str) -> bool:
    """True when a text's common words are those of another language, whatever the page says.

    >>> contradicted("en", "Der Damm ist nicht von den Leuten und auch nicht für die Stadt, die sich das wünscht. " * 4)
    True
    """
    own = _RIVALS.get(language, language)
    if own not in _COMMON:
        return False
    counts = _common_words(text[:_WORDS_SAMPLE])
    return max(counts.values(), default=0) >= max(2 * _ENOUGH, 4 * counts[own])


def _common_words(text: str) -> Counter[str]:
    """How many words of a text are among the most common ones of each language, for those with several of them."""
    words = Counter(_WORD.findall(text.lower())[:_MOST_WORDS])
    counts: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for word, number in words.items():
        for code in _LANGUAGES_OF_WORD.get(word, ()):
            counts[code] += number
            different[code] += 1
    return Counter({code: number for code, number in counts.items() if different[code] >= _DIFFERENT})
