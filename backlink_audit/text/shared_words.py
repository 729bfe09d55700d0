"""The words that a referring page's text shares with the pages of the site it links to: the reasons of a verdict."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from backlink_audit.text.commonest_words import COMMON, EVERYDAY, commonest
from backlink_audit.text.languages import stop_words_of, words

MOST = 3
"""Words named for one link."""
SHORTEST = 3
"""Letters of a word that can be a reason; a script without spaces has pairs, which are let through."""
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl")
"""Whose stop words are never a reason: a title rarely says which language it is in."""
OFTEN = 0.1
"""Share of the site's pages on which an everyday word says something all the same."""


def site_words(pages: Mapping[str, Sequence[str]]) -> dict[str, Counter[str]]:
    """Return for each site on how many of its pages each word is; `pages` has the texts of its pages.

    Everyday words are left out, unless many pages have them.

    >>> site_words({"shop.example": ["oak chairs", "Oak tables and more"]})["shop.example"].most_common(1)
    [('oak', 2)]
    """
    return {site: _counted(texts) for site, texts in pages.items()}


def _counted(texts: Sequence[str]) -> Counter[str]:
    counts = Counter(word for text in texts for word in set(_distinctive(text)))
    least = max(3, OFTEN * len(texts))
    everyday = commonest(EVERYDAY)
    return Counter({word: count for word, count in counts.items() if count >= least or word not in everyday})


def shared_words(texts: pd.Series, sites: pd.Series, of_sites: Mapping[str, Mapping[str, int]]) -> pd.Series:
    """Return the words that each text shares with its site, those on most of its pages first, as "oak, chairs".

    `texts` and `sites` are text Series with the same index; `of_sites` as `site_words` gives it. "" where none is.
    """
    codes, distinct = pd.factorize(pd.MultiIndex.from_arrays([sites, texts]))
    found = [_shared(text, of_sites.get(site, {})) for site, text in distinct]
    return pd.Series(found, dtype="str").take(codes).set_axis(texts.index)


def _shared(text: str, site: Mapping[str, int]) -> str:
    here = dict.fromkeys(word for word in words(text) if word in site)
    if len(here) == 1 and not commonest(COMMON).isdisjoint(here):
        return ""
    return ", ".join(sorted(here, key=lambda word: -site[word])[:MOST])


def _distinctive(text: str) -> Collection[str]:
    """Return the words of a page's text that say something about it."""
    stop = stop_words_of(LANGUAGES)
    return [word for word in words(text) if _is_distinctive(word) and word not in stop]


def _is_distinctive(word: str) -> bool:
    return not word.isdigit() and (len(word) >= SHORTEST or not word.isascii())
