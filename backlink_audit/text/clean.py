"""Texts as a reader sees them: without invisible characters, white space single."""

import regex

_SPACES = regex.compile(r"\s+")
_INVISIBLE = regex.compile(r"[\p{Cf}\uFFFD--[\u200c\u200d]]", flags=regex.V1)
"""Without the two joiners, which are part of the spelling in Persian, Hindi and emoji."""


def clean_text(text: str) -> str:
    r"""Return a text without invisible characters, its white space single and none at the ends.

    >>> clean_text("  Oil\u200b a\xa0 table\n")
    'Oil a table'
    """
    return _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()
