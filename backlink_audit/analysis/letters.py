"""How many of a text's groups of letters a site's own pages have too: a likeness (kinship) in any language.

A group is four characters of one word, its beginning and end counted as characters: " cha", "chai", "hair", "air ".
Any text in the site's language shares some, and a site of many pages shares more, so what plain subjects share with
it by chance is taken off.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

ROWS_AT_ONCE = 4_096
"""Texts read in one go: a few megabytes."""
GROUP = 4
"""Characters of a group."""
HASH_BITS = 18
"""Groups are distinguished by so many bits: a site of 200 pages fills about one place in a hundred."""

_SPACE, _END, _DROPPED = ord(" "), ord("\n"), 0
"""Codes for any character that is no letter, for the end of a text, and for characters that are left out."""
_KNOWN_CHARACTERS = 0x30000
"""Characters beyond these are taken for letters."""
_PRIME = np.uint32(2_654_435_761)
"""Knuth's multiplier: 2^32 over the golden ratio."""


class SiteLetters:
    """The groups of letters of one site's pages."""

    def __init__(self, pages: Iterable[str], plain: Sequence[str]) -> None:
        """Read the words of the pages; `plain` texts say what is shared by chance."""
        self._has = np.zeros(1 << HASH_BITS, dtype=bool)
        self._has[_groups(list(pages))[0]] = True
        self._by_chance = np.float32(np.nan_to_num(np.nanmean(self._shares(plain))) if len(plain) else 0)

    def kinship(self, texts: Sequence[str]) -> np.ndarray:
        """Return for each text the share of its groups that the site has, less that of plain texts: 0 to 1, float32.

        Sharing less than by chance is no distance: a page in another language does so, whatever it is about.
        """
        return np.nan_to_num(self._shares(texts) - self._by_chance).clip(min=0)

    def _shares(self, texts: Sequence[str]) -> np.ndarray:
        """Return the share of each text's groups that the site has, float32 (texts,); NaN where there are none."""
        groups, text_of_group = _groups(texts)
        count = np.bincount(text_of_group, minlength=len(texts))
        had = np.bincount(text_of_group, weights=self._has[groups], minlength=len(texts))
        return np.divide(had, count, out=np.full(len(texts), np.nan, np.float32), where=count > 0, casting="same_kind")


def letters_shared(
    texts: pd.Series, sites: pd.Series, pages: Mapping[str, Sequence[str]], plain: Sequence[str]
) -> np.ndarray:
    """Return the kinship of each text with the pages of its site, float32; 0 where nothing is known of the site.

    `texts` and `sites` have a row per link; `pages` has the texts of the pages of each site, by its domain.
    """
    codes, distinct = pd.factorize(sites)
    found = np.zeros(len(texts), dtype=np.float32)
    for code, site in enumerate(distinct):
        if site in pages:
            rows = np.flatnonzero(codes == code)
            letters = SiteLetters(pages[site], plain)
            for start in range(0, len(rows), ROWS_AT_ONCE):
                block = rows[start : start + ROWS_AT_ONCE]
                found[block] = letters.kinship(texts.iloc[block].tolist())
    return found


def _groups(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the hashes of the groups of all texts, and the place of the text that each belongs to."""
    joined = "".join(f" {text.replace(chr(_END), ' ')} \n" for text in texts)
    folded = unicodedata.normalize("NFKD", joined.casefold())
    characters = np.frombuffer(folded.encode("utf-32-le", "replace"), dtype=np.uint32)
    characters = np.where(characters < _KNOWN_CHARACTERS, _plain()[characters % _KNOWN_CHARACTERS], characters)
    characters = characters[characters != _DROPPED]
    if len(characters) < GROUP:
        return np.empty(0, np.uint32), np.empty(0, np.int64)
    last = len(characters) - GROUP + 1
    columns = [characters[place : place + last] for place in range(GROUP)]
    apart = characters <= _SPACE
    chosen = ~apart[1 : 1 + last] & ~apart[2 : 2 + last]
    chosen &= (columns[0] != _END) & (columns[-1] != _END)
    hashed = np.zeros(int(chosen.sum()), dtype=np.uint32)
    for column in columns:
        hashed = (hashed ^ column[chosen]) * _PRIME
        hashed ^= hashed >> np.uint32(15)
    text_of_character = np.cumsum(characters == _END)
    return hashed >> np.uint32(32 - HASH_BITS), text_of_character[:last][chosen]


@cache
def _plain() -> np.ndarray:
    """Return for each character what replaces it: itself, a space for what is no letter, or nothing for accents."""
    replacement = np.full(_KNOWN_CHARACTERS, _SPACE, dtype=np.uint32)
    for code in range(_KNOWN_CHARACTERS):
        character = chr(code)
        if character.isalnum():
            replacement[code] = code
        elif unicodedata.combining(character):
            replacement[code] = _DROPPED
    replacement[_END] = _END
    return replacement
