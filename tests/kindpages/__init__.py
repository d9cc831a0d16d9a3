"""Pages of every kind, made up: the families of :mod:`tests.kindpages` in eight languages.

A *family* is one shape of markup (a consent wall of one vendor, a card grid of one CMS ...). Families are divided in
two halves, with another wording of every notice in each: what is developed on half ``a`` is measured on half ``b``.
"""

from __future__ import annotations

from tests.kindpages import articles, challenges, fourth, lists, notices, stubs, third
from tests.kindpages.page import FAMILIES, LANGUAGES, KindPage, Voice

__all__ = ["FAMILIES", "LANGUAGES", "KindPage", "all_pages"]

_FILLED_BY = (articles, challenges, lists, notices, stubs, third, fourth)  # importing them registers their families


def all_pages(half: str | None = None) -> list[KindPage]:
    """Every family of a half (both when None) in every language it has."""
    return [
        family.make(Voice(language, family.name, family.half))
        for family in FAMILIES
        if half in (None, family.half)
        for language in family.languages
    ]
