"""Names for groups of pages: the phrases that set each group apart from the others (class-based TF-IDF).

A phrase's weight in a group is the share of the group's pages that have it, less the share of all other pages, times
log(1 + A / f): A the mean number of phrases per group, f how often the phrase comes in all groups. After Grootendorst,
BERTopic (2022); pages that have a phrase are counted in place of its repeats, so that one long page cannot name its
group, and what all groups have is taken off, because a site about one subject repeats its words everywhere. The caller
may multiply a weight by the phrase's cosine to the group's centre: that leaves out words that come often but are not
what the pages are about.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

PHRASES_PER_NAME = 3
CANDIDATES = 20
"""Phrases of each group that are looked at for its name."""
LEAST_SHARE = 0.15
"""A phrase on less than this share of a group's pages, or on one page alone, does not name the group."""
SMALL_GROUP = 4
"""Below so many pages a phrase of one page may name the group: what two pages share is often a common word."""
PAIR_WORTH = 0.3
"""A pair of words stands for its single words from this share of their weight on."""
FURTHER_WORTH = 0.35
"""A further phrase joins the name from this share of the first one's weight on."""
TITLE_WORTH = 3.0
"""A phrase in a page's title counts as much as in the text of this many pages."""

Weights = dict[str, float]
"""The candidates of a group and their weights."""


@dataclass(frozen=True, eq=False)
class Phrases:
    """Which page has which phrase: `vocabulary` the distinct phrases, `counts` float (pages, phrases)."""

    vocabulary: tuple[str, ...]
    counts: csr_array

    @classmethod
    def of(cls, titles: Sequence[Collection[str]], bodies: Sequence[Collection[str]]) -> "Phrases":
        """Collect the distinct phrases of each page's title and text."""
        places: dict[str, int] = {}
        rows: list[int] = []
        columns: list[int] = []
        weights: list[float] = []
        for row, (title, body) in enumerate(zip(titles, bodies, strict=True)):
            for phrase in sorted({*title, *body}):
                rows.append(row)
                columns.append(places.setdefault(phrase, len(places)))
                weights.append(TITLE_WORTH if phrase in title else 1.0)
        counts = csr_array((weights, (rows, columns)), shape=(len(titles), len(places)))
        return cls(tuple(places), counts)


def candidates(phrases: Phrases, labels: np.ndarray, groups: int) -> list[Weights]:
    """Return the heaviest phrases of each group, heaviest first. `labels` int (pages,), from 0 to groups - 1."""
    members = csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(groups, len(labels)))
    in_group = members @ phrases.counts
    pages = members @ (phrases.counts > 0).astype(np.float64)
    everywhere = np.asarray(in_group.sum(axis=0)).ravel()
    rarity = np.log1p(everywhere.sum() / groups / everywhere.clip(1))
    found = []
    for number, size in enumerate(np.bincount(labels, minlength=groups)):
        own = in_group[[number]]
        share = own.data / max(1, size)
        share_elsewhere = (everywhere[own.indices] - own.data) / max(1, len(labels) - size)
        weights = (share - share_elsewhere) * rarity[own.indices]
        enough = pages[[number]].data >= (1 if size < SMALL_GROUP else max(2, LEAST_SHARE * size))
        usable = np.flatnonzero((weights > 0) & (enough | ~enough.any()))
        best = usable[np.lexsort((own.indices[usable], -weights[usable]))[:CANDIDATES]]
        found.append({phrases.vocabulary[own.indices[place]]: float(weights[place]) for place in best})
    return found


def choose_names(weights: Sequence[Weights], fallbacks: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each group one to three phrases that name it, best first.

    `fallbacks`: one text per group, for a group without candidates. Groups may get the same: `numbered` tells them
    apart once their names are written out.
    """
    return [_choose(own) or (fallback,) for own, fallback in zip(weights, fallbacks, strict=True)]


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names, a number behind each that an earlier one equals, capitals aside.

    >>> numbered(["Home", "Tents", "home", "Home"])
    ['Home', 'Tents', 'home (2)', 'Home (3)']
    """
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        number, unlike = 1, name
        while unlike.casefold() in taken:
            number += 1
            unlike = f"{name} ({number})"
        taken.add(unlike.casefold())
        found.append(unlike)
    return found


def _choose(weights: Weights) -> tuple[str, ...]:
    """Take phrases in order, leaving out those that repeat what a chosen one says."""
    best = sorted(weights, key=lambda phrase: -weights[phrase])
    pairs = {word: phrase for phrase in reversed(best) for word in phrase.split() if " " in phrase}
    chosen: list[str] = []
    for phrase in best:
        if weights[phrase] < FURTHER_WORTH * weights[best[0]] or len(chosen) == PHRASES_PER_NAME:
            break
        pair = pairs.get(phrase, phrase)
        worthy = pair if weights[pair] >= PAIR_WORTH * weights[phrase] else phrase
        if not any(_alike(word, other) for word in worthy.split() for done in chosen for other in done.split()):
            chosen.append(worthy)
    return tuple(chosen)


def _alike(word: str, other: str) -> bool:
    """Whether two words are forms of one: they share all but the last few letters.

    >>> _alike("agency", "agencies"), _alike("designer", "design"), _alike("code", "coffee")
    (True, True, False)
    """
    shared = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return shared >= 3 and shared >= max(len(word), len(other)) - 3 and shared >= min(len(word), len(other)) - 1
