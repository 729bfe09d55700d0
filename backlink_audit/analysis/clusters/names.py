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
LEAST_SHARE = 0.25
"""A word on less than this share of a group's pages, or on one page alone, does not name the group."""
LEAST_SHARE_OF_PHRASES = 0.15
"""The same for phrases of several words, which say more than each of their words."""
SMALL_GROUP = 4
"""Below so many pages a phrase of one page may name the group: what two pages share is often a common word."""
PAIR_WORTH = 0.5
"""A longer phrase replaces a shorter one in it from this share of its weight on."""
FURTHER_WORTH = 0.35
"""A further phrase joins the name from this share of the first one's weight on."""
NEARLY_ALL = 0.75
"""A word on this share of the site's pages names none of its groups: the site's subject, its brand, its menu."""
FEWEST_FOR_ALL = 10
"""Pages of a site from which on that is looked at; on fewer, most of a group's words are on most pages."""
IN_NO_TITLE = 0.4
"""What a phrase is worth that is only in the text of a group's pages, and in none of their titles."""
TITLE_WORTH = 3.0
"""A phrase in a page's title counts as much as in the text of this many pages."""

LEAST_TOLD = 5
"""Pages of a group from which on its name is tried."""
LEAST_IN_TITLES = 0.2
"""A name that is in the titles of fewer of the group's pages says little of them, …"""
LEAST_ABOVE_OTHERS, LEAST_COVERED = 3.0, 0.25
"""… unless its phrases are on so many times the share of other pages, and on this share of the group's."""

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


def without_words_of_the_site(phrases: Phrases) -> Phrases:
    """Return the phrases without those that contain a word found on nearly all pages."""
    pages = phrases.counts.shape[0]
    if pages < FEWEST_FOR_ALL:
        return phrases
    pages_with = np.asarray((phrases.counts > 0).sum(axis=0)).ravel()
    listed = zip(phrases.vocabulary, pages_with, strict=True)
    everywhere = {phrase for phrase, number in listed if " " not in phrase and number >= NEARLY_ALL * pages}
    kept = [place for place, phrase in enumerate(phrases.vocabulary) if everywhere.isdisjoint(phrase.split(" "))]
    return Phrases(tuple(phrases.vocabulary[place] for place in kept), phrases.counts[:, kept])


def candidates(phrases: Phrases, labels: np.ndarray, groups: int) -> list[Weights]:
    """Return the heaviest phrases of each group, heaviest first. `labels` int (pages,), from 0 to groups - 1."""
    members = csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(groups, len(labels)))
    in_group = members @ phrases.counts
    pages = members @ (phrases.counts > 0).astype(np.float64)
    titles = members @ (phrases.counts >= TITLE_WORTH).astype(np.float64)
    everywhere = np.asarray(in_group.sum(axis=0)).ravel()
    rarity = np.log1p(everywhere.sum() / groups / everywhere.clip(1))
    is_longer = np.array([" " in phrase for phrase in phrases.vocabulary], dtype=bool)
    least = np.where(is_longer, LEAST_SHARE_OF_PHRASES, LEAST_SHARE)
    found = []
    for number, size in enumerate(np.bincount(labels, minlength=groups)):
        own = in_group[[number]]
        share = own.data / max(1, size)
        share_elsewhere = (everywhere[own.indices] - own.data) / max(1, len(labels) - size)
        in_titles = np.isin(own.indices, titles[[number]].indices)
        weights = (share - share_elsewhere) * rarity[own.indices] * np.where(in_titles, 1, IN_NO_TITLE)
        enough = pages[[number]].data >= (1 if size < SMALL_GROUP else (least[own.indices] * size).clip(2))
        usable = np.flatnonzero((weights > 0) & (enough | ~enough.any()))
        best = usable[np.lexsort((own.indices[usable], -weights[usable]))[:CANDIDATES]]
        found.append({phrases.vocabulary[own.indices[place]]: float(weights[place]) for place in best})
    return found


def choose_names(weights: Sequence[Weights], fallbacks: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each group one to three phrases that name it, best first.

    `fallbacks`: one text per group, for a group without candidates. A group whose phrases an earlier one has too gets
    further ones of its own; where it has none, `numbered` makes the two different once their names are written out.
    """
    taken: set[frozenset[str]] = set()
    chosen: list[tuple[str, ...]] = []
    for own, fallback in zip(weights, fallbacks, strict=True):
        name = _choose(own)
        further = iter(_phrases_beside(name, own))
        while name and frozenset(name) in taken and (phrase := next(further, "")):
            name = (*name, phrase)
        taken.add(frozenset(name))
        chosen.append(name or (fallback,))
    return chosen


def tells_little(in_title: np.ndarray, in_page: np.ndarray, members: np.ndarray) -> bool:
    """Whether the pages of a group have little in common that others have not: they are what other groups left.

    `in_title`, `in_page` bool (pages,): which pages have a phrase of the group's name in the title, and anywhere;
    `members` bool (pages,): which are of the group.
    """
    if members.sum() < LEAST_TOLD or members.all() or in_title[members].mean() >= LEAST_IN_TITLES:
        return False
    covered = in_page[members].mean()
    return bool(covered < LEAST_COVERED or covered < LEAST_ABOVE_OTHERS * in_page[~members].mean())


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names, a number behind each that an earlier one equals, ignoring capitals.

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
    chosen: list[str] = []
    for phrase in best:
        if weights[phrase] < FURTHER_WORTH * weights[best[0]] or len(chosen) == PHRASES_PER_NAME:
            break
        worthy = _fullest(phrase, best, weights)
        if not _repeats(worthy, chosen):
            chosen.append(worthy)
    return tuple(chosen)


def _fullest(phrase: str, best: Sequence[str], weights: Weights) -> str:
    """Return the heaviest longer phrase that has the given one in it, and a longer one with that; else the given."""
    longer = (other for other in best if other != phrase and f" {phrase} " in f" {other} ")
    found = next((other for other in longer if weights[other] >= PAIR_WORTH * weights[phrase]), "")
    return _fullest(found, best, weights) if found else phrase


def _repeats(phrase: str, chosen: Sequence[str]) -> bool:
    """Whether a phrase has a form of a word that is chosen already."""
    return any(_alike(word, other) for word in phrase.split() for done in chosen for other in done.split())


def _phrases_beside(name: Sequence[str], weights: Weights) -> list[str]:
    """Return the group's other phrases that say something more, heaviest first."""
    return [phrase for phrase in sorted(weights, key=lambda phrase: -weights[phrase]) if not _repeats(phrase, name)]


def _alike(word: str, other: str) -> bool:
    """Whether two words are forms of one: they share all but the last few letters.

    >>> _alike("agency", "agencies"), _alike("designer", "design"), _alike("code", "coffee")
    (True, True, False)
    """
    shared = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return shared >= 3 and shared >= max(len(word), len(other)) - 3 and shared >= min(len(word), len(other)) - 1
