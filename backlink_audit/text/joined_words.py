"""Names written in one word, as users and sites write them, split into their words: "bulktreeoil" is "bulk tree oil".

A model knows the words, but not the name. Only what is no word itself is split, and only into common English words.
"""

import re
from functools import cache, lru_cache

from backlink_audit.text.commonest_words import COMMON, EVERYDAY, by_frequency, commonest
from backlink_audit.text.languages import words
from backlink_audit.text.word_lists import read_list

SHORTEST_NAME = 9
"""Letters of a name that is split; shorter ones are made of words by chance."""
SHORTEST_WORD, LONGEST_WORD = 3, 14
"""Letters of its words. One of three letters must be an everyday word: ant, era and den are in many foreign words."""

_NAME = re.compile(rf"(?<![\w.@])[A-Za-z]{{{SHORTEST_NAME},{4 * LONGEST_WORD}}}(?![\w@]|\.\w)")
"""Not a part of a host name or an address: those are split elsewhere."""


def split_joined(text: str) -> str:
    """Return a text with its joined names split.

    >>> split_joined("Profile of bulktreeoil"), split_joined("Javascript smartphones")
    ('Profile of bulk tree oil', 'Javascript smartphones')
    """
    return _NAME.sub(lambda name: _split(name[0]), text)


@lru_cache(100_000)
def _split(name: str) -> str:
    """Return the words of a name, as few as possible, the commonest of as few; the name itself where it has none."""
    folded = name.lower()
    if folded in _known():
        return name
    ranks = _ranks()
    best: list[tuple[int, int, tuple[str, ...]] | None] = [(0, 0, ()), *[None] * len(name)]
    for end in range(SHORTEST_WORD, len(name) + 1):
        for start in range(max(0, end - LONGEST_WORD), end - SHORTEST_WORD + 1):
            before, rank = best[start], ranks.get(folded[start:end])
            if before is not None and rank is not None:
                found = (before[0] + 1, before[1] + rank, (*before[2], name[start:end]))
                here = best[end]
                best[end] = found if here is None else min(here, found)
    whole = best[-1]
    return name if whole is None else " ".join(whole[2])


@cache
def _ranks() -> dict[str, int]:
    """Return the words that names are split into, each with its place among the commonest."""
    everyday = commonest(EVERYDAY)
    listed = enumerate(by_frequency()[:COMMON])
    return {word: rank for rank, word in listed if len(word) > SHORTEST_WORD or word in everyday}


@cache
def _known() -> frozenset[str]:
    """Return what is a word itself: of English, or one that names what a page is about (blockchain)."""
    topics = (words(row["topic"]) for row in read_list("topics"))
    field_words = (words(row["words"]) for row in read_list("field_words"))
    return frozenset(by_frequency()).union(*topics, *field_words)
