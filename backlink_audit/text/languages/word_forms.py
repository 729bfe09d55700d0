"""Words as they are compared: singular and plural are one."""

from functools import lru_cache

REMEMBERED = 100_000
"""Words whose forms are kept."""


@lru_cache(REMEMBERED)
def form(word: str) -> str:
    """Return a word without the ending of a plural, so that "emails" finds "email".

    >>> form("emails"), form("class"), form("gas")
    ('email', 'class', 'gas')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(8)
def forms_of(words: frozenset[str]) -> frozenset[str]:
    """Return the forms of some words that are asked for again and again, as stop words are."""
    return frozenset(map(form, words))
