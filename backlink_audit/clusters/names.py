"""Names for groups of pages: the phrases that set each group apart from the others (class-based TF-IDF).

A phrase's weight in a group is the share of the group's pages that have it, less the share of all other pages, times
the root of log(1 + A / f): A the mean number of phrases per group, f how often the phrase comes in all groups. After
Grootendorst, BERTopic (2022); pages that have a phrase are counted in place of its repeats, so that one long page
cannot name its group, and what all groups have is taken off, because a site about one subject repeats its words
everywhere; the root, because rare words are seldom subjects. The caller may multiply a weight by the phrase's cosine to
the group's centre: that leaves out words that come often but are not what the pages are about.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from backlink_audit.clusters.grouping import (
    MOST_TRIED,
    Partition,
    best_k,
    group,
    group_within,
    numbers_to_try,
    partition,
    range_for,
    silhouettes,
)
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings
from backlink_audit.text.languages import form
from backlink_audit.text.languages import words as any_words
from backlink_audit.text.page_kinds import COUNTED, segments, template_groups
from backlink_audit.text.page_texts import PageTexts, language_groups
from backlink_audit.text.phrases import BODY_CHARACTERS, WholePhrases, capitalised, page_phrases
from backlink_audit.text.text_vectors import unit_rows

PHRASES_PER_NAME = 3
CANDIDATES = 20  # phrases of each group that are looked at for its name
LEAST_TITLES = 2  # A phrase in the titles of so many of a group's pages may name it, …
LEAST_SHARE = 0.25  # … and so may one on this share of them, and on so many at least
SMALL_GROUP = 4
"""Below so many pages a phrase of one page may name the group: what two pages share is often a common word."""
PAIR_WORTH = 0.5  # A longer phrase replaces a shorter one in it from this share of its weight on
FURTHER_WORTH = 0.35  # A further phrase joins the name from this share of the first one's weight on, …
LEAST_NEW_SHARE = 0.12
"""… if it is in the titles of this share of the group's pages, and of LEAST_TITLES (of a small group: of one), whose
titles have no phrase of the name yet."""
COMMON, IN_MOST_TITLES = 0.3, 0.5
"""A word on more than this share of the other pages names a group only if it is in this share of its titles, and
on no more of the others: the site's subject, its brand, its menu. Only from FEWEST_FOR_ALL pages on."""
FEWEST_FOR_ALL = 10
IN_NO_TITLE = 0.4  # what a phrase is worth that is only in the text of a group's pages, and in none of their titles
TITLE_WORTH = 3.0  # A phrase in a page's title counts as much as in the text of this many pages

LEAST_TOLD = 5  # pages of a group from which on its name is tried
LEAST_IN_TITLES = 0.2  # A name that is in the titles of fewer of the group's pages says little of them, …
LEAST_ABOVE_OTHERS, LEAST_COVERED = 3.0, 0.6
"""… unless its phrases are on so many times the share of other pages, and on this share of the group's."""
LEFT_OVER = "Other pages"
"""The name of a cluster of pages that have little in common and no words to name any of them by."""
MIXED = "Mixed: "  # what stands before the words that some of such a cluster's pages share
OF_ONE_FOLDER = 0.6
"""A cluster whose titles tell little is called by the folder that at least this share of its pages are in, …"""
ABOVE_THE_SITE = 2  # … and so many times the share of all pages
_COUNTED = re.compile(rf"\b(?:{COUNTED})[ #.]*\d+|[$€£]\s?\d\S*", re.I)  # a part of a series, a price
_NUMBER = re.compile(r" \(\d+\)$")  # behind a name that another cluster has too
LEAST_SPLIT, PART = 20, 10  # pages of a mixed cluster from which on it is split, and about how many each part has
ALIKE = 0.8  # least cosine of a page to the mean of its template; one further away is about something of its own


@dataclass(frozen=True)
class Candidate:
    """How much a phrase says about a group, and the rows of the group's pages that have it in their titles."""

    weight: float
    titled: frozenset[int] = frozenset()


Weights = dict[str, Candidate]  # the candidates of a group by their phrases


@dataclass(frozen=True)
class Name:
    """The phrases that name a group, best first, and how many of its pages' titles they, or a part of them, are in."""

    phrases: tuple[str, ...]
    titled: int = 0


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
    in_titles = phrases.counts >= TITLE_WORTH
    in_group = members @ phrases.counts
    pages = members @ (phrases.counts > 0).astype(np.float64)
    titles = members @ in_titles.astype(np.float64)
    everywhere = np.asarray(in_group.sum(axis=0)).ravel()
    pages_with = np.asarray(pages.sum(axis=0)).ravel()
    is_word = np.array([" " not in phrase for phrase in phrases.vocabulary], dtype=bool)
    rarity = np.sqrt(np.log1p(everywhere.sum() / groups / everywhere.clip(1)))
    titled = in_titles.tocsc()
    found = []
    for number, size in enumerate(np.bincount(labels, minlength=groups)):
        own = in_group[[number]]
        share = own.data / max(1, size)
        share_elsewhere = (everywhere[own.indices] - own.data) / max(1, len(labels) - size)
        in_own_titles = titles[[number]].toarray()[0, own.indices]
        weights = (share - share_elsewhere) * rarity[own.indices] * np.where(in_own_titles > 0, 1, IN_NO_TITLE)
        elsewhere = (pages_with[own.indices] - pages[[number]].data) / max(1, len(labels) - size)
        untitled = (in_own_titles < IN_MOST_TITLES * size) | (elsewhere > IN_MOST_TITLES)
        is_common = is_word[own.indices] & (elsewhere > COMMON) & untitled
        weights[is_common & (len(labels) >= FEWEST_FOR_ALL)] = 0
        enough = (in_own_titles >= LEAST_TITLES) | (pages[[number]].data >= max(2, LEAST_SHARE * size))
        usable = np.flatnonzero((weights > 0) & (enough | (size < SMALL_GROUP) | ~enough.any()))
        best = usable[np.lexsort((own.indices[usable], -weights[usable]))[:CANDIDATES]]
        listed = {}
        for place in best:
            column = own.indices[place]
            rows = titled.indices[titled.indptr[column] : titled.indptr[column + 1]]
            having = frozenset(rows[labels[rows] == number].tolist())
            listed[phrases.vocabulary[column]] = Candidate(float(weights[place]), having)
        found.append(listed)
    return found


def choose_names(weights: Sequence[Weights], sizes: Sequence[int], fallbacks: Sequence[str]) -> list[Name]:
    """Return for each group one to three phrases that name it, best first.

    `sizes`: how many pages each group has. `fallbacks`: one text per group, for a group without candidates. A group
    whose phrases an earlier one has too gets further ones of its own; where it has none, `numbered` makes the two
    different once their names are written out.
    """
    taken: set[frozenset[str]] = set()
    chosen: list[Name] = []
    for own, size, fallback in zip(weights, sizes, fallbacks, strict=True):
        name = _choose(own, size)
        further = iter(_phrases_beside(name.phrases, own))
        while name.phrases and frozenset(name.phrases) in taken and (phrase := next(further, "")):
            name = replace(name, phrases=(*name.phrases, phrase))
        taken.add(frozenset(name.phrases))
        chosen.append(name if name.phrases else Name((fallback,)))
    return chosen


def tells_little(name: Name, in_page: np.ndarray, members: np.ndarray) -> bool:
    """Whether the pages of a group have little in common that others have not: they are what other groups left.

    `in_page` bool (pages,): which pages have a phrase of the group's name; `members` bool (pages,): which are of the
    group.
    """
    size = members.sum()
    if size < LEAST_TOLD or members.all() or name.titled >= LEAST_IN_TITLES * size:
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


def _choose(own: Weights, size: int) -> Name:
    """Take phrases in order, leaving out those that repeat what a chosen one says, or are in the same titles."""
    best = _heaviest_first(own)
    chosen: list[str] = []
    covered = frozenset[int]()
    least_new = max(1 if size < SMALL_GROUP else LEAST_TITLES, LEAST_NEW_SHARE * size)
    for phrase in best:
        if own[phrase].weight < FURTHER_WORTH * own[best[0]].weight or len(chosen) == PHRASES_PER_NAME:
            break
        if chosen and len(own[phrase].titled - covered) < least_new:
            continue
        worthy = _fullest(phrase, best, own)
        if not _repeats(worthy, chosen):
            chosen.append(worthy)
            covered |= own[phrase].titled
    return Name(tuple(chosen), len(covered))


def _heaviest_first(own: Weights) -> list[str]:
    return sorted(own, key=lambda phrase: (-own[phrase].weight, phrase))


def _fullest(phrase: str, best: Sequence[str], own: Weights) -> str:
    longer = (other for other in best if other != phrase and f" {phrase} " in f" {other} ")
    found = next((other for other in longer if own[other].weight >= PAIR_WORTH * own[phrase].weight), "")
    return _fullest(found, best, own) if found else phrase


def _repeats(phrase: str, chosen: Sequence[str]) -> bool:
    return any(_alike(word, other) for word in phrase.split() for done in chosen for other in done.split())


def _phrases_beside(name: Sequence[str], own: Weights) -> list[str]:
    return [phrase for phrase in _heaviest_first(own) if not _repeats(phrase, name)]


def _alike(word: str, other: str) -> bool:
    """Whether two words are forms of one: they share all but the last few letters.

    >>> _alike("agency", "agencies"), _alike("designer", "design"), _alike("code", "coffee")
    (True, True, False)
    """
    shared = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return shared >= 3 and shared >= max(len(word), len(other)) - 3 and shared >= min(len(word), len(other)) - 1


def group_and_name(
    texts: PageTexts,
    vectors: np.ndarray,
    sets: np.ndarray,
    settings: ClusterSettings,
    encoder: Encoder | None,
    urls: Sequence[str],
    on_progress: Progress = silent,
) -> tuple[Partition, list[str], dict[int, float], np.ndarray]:
    """Return the clusters, their names, the silhouettes of the numbers that were tried, and the vectors grouped.

    Large mixed clusters are split, unless the settings say how many there are.
    """
    grouped = without_templates(vectors, texts)
    numbers = numbers_to_try(*((settings.k_range,) if settings.k_range else (range_for(len(vectors)), MOST_TRIED)))
    curve = {} if settings.k else silhouettes(grouped, numbers, settings.seed, sets, on_progress)
    on_progress("Clustering", 0, 1)
    found = group_within(grouped, settings.k or best_k(curve), settings.seed, sets)
    names = name_clusters(texts, found, vectors, encoder, settings.name_words, on_progress, urls)
    labels = found.labels.copy()
    for number, called in enumerate(names):
        members = np.flatnonzero(found.labels == number)
        if not settings.k and called.startswith((MIXED, LEFT_OVER)) and len(members) >= LEAST_SPLIT:
            labels[members] = labels.max() + 1 + group(grouped[members], len(members) // PART, settings.seed).labels
    if (labels != found.labels).any():
        found = partition(grouped, labels)
        names = name_clusters(texts, found, vectors, encoder, settings.name_words, on_progress, urls)
    return found, names, curve, grouped


def name_clusters(
    texts: PageTexts,
    found: Partition,
    vectors: np.ndarray,
    encoder: Encoder | None,
    words: int = 4,
    on_progress: Progress = silent,
    urls: Sequence[str] = (),
) -> list[str]:
    """Return a name for each cluster, as a reader writes it; no two are the same.

    A cluster of one page is called as the page is. One whose pages have little in common is called by the folder that
    most of them are in, by their `urls`; else mixed.

    `encoder`: the one that `vectors` are from; without it the phrases' meaning is left out of account. `words`: the
    most words of a phrase.
    """
    on_progress("Naming the clusters", 0, 1)
    titles, bodies = title_phrases(texts, words), _phrases(_beginnings(texts), texts, words)
    weights = _weights(texts, found, titles, bodies)
    if encoder is not None:
        weights = _fitting(weights, found.centres, encoder, on_progress)
    fallbacks = [texts.names[middle] for middle in found.middles(vectors)]
    members = [np.flatnonzero(found.labels == label).tolist() for label in range(found.k)]
    chosen = choose_names(weights, list(map(len, members)), fallbacks)
    said = [title | body for title, body in zip(titles, bodies, strict=True)]
    for number, rest in enumerate(_left_over(texts, found, chosen, said)):
        if rest and (phrase := _of_titles(titles, said, found, number)):
            chosen[number] = Name((phrase,), len(members[number]))
    left = _left_over(texts, found, chosen, said)
    whole = WholePhrases.of(_unnumbered(texts), _beginnings(texts), texts.brand_words)
    names: list[str] = []
    for number, (name, rest, pages) in enumerate(zip(chosen, left, members, strict=True)):
        written = capitalised(", ".join(whole.find(phrase, pages, words) for phrase in name.phrases))
        if rest:
            folder = capitalised(_folder_of(pages, urls)) if urls else ""
            told = f"{folder}: {written}" if folder in names else folder
            written = told or (f"{MIXED}{written}" if name.titled else LEFT_OVER)
        elif written in names and (further := next(iter(_phrases_beside(name.phrases, weights[number])), "")):
            written = f"{written}, {whole.find(further, pages, words)}"
        names.append(texts.names[pages[0]] if len(pages) == 1 else written)
    return numbered(names)


def _of_titles(titles: Sequence[set[str]], said: Sequence[set[str]], found: Partition, number: int) -> str:
    """Return the phrase that enough titles of a group have, and few other titles of the site or texts; "" without.

    >>> titles = [{"oak"}, {"oak", "care"}, {"care"}, {"lamp"}]
    >>> _of_titles(titles, titles, Partition(np.array([0, 0, 1, 1]), np.eye(2)), 0)
    'oak'
    """
    own, size = found.labels == number, found.sizes[number]
    inside, others = (
        Counter(p for page in np.flatnonzero(some).tolist() for p in titles[page]) for some in (own, ~own)
    )
    least = max(LEAST_TITLES, LEAST_IN_TITLES * size)
    rest = max(1, len(own) - size)
    common = {
        p
        for p, n in Counter(p for page in np.flatnonzero(~own).tolist() for p in said[page]).items()
        if n > COMMON * rest
    }
    telling = [
        p
        for p, n in inside.items()
        if n >= least
        and n / size >= LEAST_ABOVE_OTHERS * others[p] / rest
        and (p not in common or n >= IN_MOST_TITLES * size)
    ]
    return max(telling, key=lambda p: (inside[p] / size - others[p] / rest, p.count(" "), p), default="")


def _folder_of(pages: Sequence[int], urls: Sequence[str]) -> str:
    """Return the words of the innermost folder that most of the pages are in, and few others of the site; else "".

    >>> _folder_of([0, 1], [f"https://a.example/{path}" for path in ("our-style/x", "our-style/y", "a", "b", "c")])
    'our style'
    """
    every, own = (
        Counter(tuple(path[:depth]) for path in map(segments, some) for depth in range(1, len(path)))
        for some in (urls, [urls[page] for page in pages])
    )
    telling = [
        folder
        for folder, having in own.items()
        if having >= max(OF_ONE_FOLDER * len(pages), ABOVE_THE_SITE * every[folder] * len(pages) / len(urls))
    ]
    inner = max(telling, key=len, default=())
    return " ".join(any_words(inner[-1])) if inner else ""


def title_phrases(texts: PageTexts, words: int) -> list[set[str]]:
    return _phrases(_unnumbered(texts), texts, words)


def _unnumbered(texts: PageTexts) -> list[str]:
    return [_COUNTED.sub("|", name) for name in texts.names]


def about_name(titles: Sequence[str], name: str) -> np.ndarray:
    """Return how much pages of these titles are about a cluster's name, (pages,): 0, 1 or 2.

    2: the title has all words of the name's first phrase, or any two of the name. 1: one word of the first phrase.
    Singular and plural are one.

    >>> about_name(["Shelves of oak", "Oak tables", "Beech", "Wood care"], "Oak table, wood care")
    array([1., 2., 0., 2.])
    """
    name = _NUMBER.sub("", name)
    if name == LEFT_OVER or name.startswith(MIXED):
        return np.zeros(len(titles))
    phrases = [_forms(phrase) for phrase in name.split(", ")]
    every = set[str]().union(*phrases)
    said = [_forms(title) for title in titles]
    whole = [phrases[0] <= words or len(every & words) > 1 for words in said]
    return np.where(whole, 2.0, np.where([not phrases[0].isdisjoint(words) for words in said], 1.0, 0.0))


def _forms(text: str) -> set[str]:
    return set(map(form, any_words(text)))


def _left_over(texts: PageTexts, found: Partition, names: Sequence[Name], said: Sequence[set[str]]) -> list[bool]:
    """Return which clusters have pages with little in common, judged by their names among pages of their language."""
    languages = language_groups(texts)
    left = []
    for number, name in enumerate(names):
        members = found.labels == number
        pages = np.flatnonzero(np.isin(languages, languages[members])).tolist()
        in_page = np.array([not said[page].isdisjoint(name.phrases) for page in pages])
        left.append(tells_little(name, in_page, members[pages]))
    return left


def _weights(
    texts: PageTexts, found: Partition, titles: Sequence[set[str]], bodies: Sequence[set[str]]
) -> list[Weights]:
    """Return the candidates of each cluster: what sets it apart from the others in its language."""
    languages = language_groups(texts)
    of_cluster = np.array([np.bincount(languages[found.labels == label]).argmax() for label in range(found.k)])
    weights: list[Weights] = [{} for _ in range(found.k)]
    for language in np.unique(of_cluster):
        clusters = np.flatnonzero(of_cluster == language)
        pages = np.flatnonzero(np.isin(found.labels, clusters)).tolist()
        told = Phrases.of([titles[page] for page in pages], [bodies[page] for page in pages])
        labels = np.searchsorted(clusters, found.labels[pages])
        found_here = candidates(told, labels, len(clusters))
        for cluster, own in zip(clusters.tolist(), found_here, strict=True):
            weights[cluster] = own
    return weights


def _beginnings(texts: PageTexts) -> list[str]:
    return [body[:BODY_CHARACTERS] for body in texts.bodies]


def _phrases(said: Sequence[str], texts: PageTexts, words: int) -> list[set[str]]:
    found = (page_phrases(text, {own, texts.language}, words) for text, own in zip(said, texts.languages, strict=True))
    brand = set(map(form, texts.brand_words))
    formed = ([tuple(map(form, phrase.split(" "))) for phrase in phrases] for phrases in found)
    return [{" ".join(phrase) for phrase in phrases if brand.isdisjoint(phrase)} for phrases in formed]


def _fitting(weights: list[Weights], centres: np.ndarray, encoder: Encoder, on_progress: Progress) -> list[Weights]:
    vectors = encoder.encode([phrase for own in weights for phrase in own], on_progress)
    owners = np.repeat(np.arange(len(weights)), [len(own) for own in weights])
    cosines = iter(np.einsum("ij,ij->i", vectors, centres[owners]).tolist())
    fits = [{phrase: (candidate, next(cosines)) for phrase, candidate in own.items()} for own in weights]
    return [
        {phrase: replace(one, weight=one.weight * fit) for phrase, (one, fit) in own.items() if fit > 0} for own in fits
    ]


def without_templates(vectors: np.ndarray, texts: PageTexts) -> np.ndarray:
    """Return unit vectors, one and the same for all pages of a template, so that no grouping parts them.

    Pages of a template have titles that differ by numbers alone, and much the same text.
    """
    groups = template_groups(texts.names)
    together = vectors.copy()
    for number in range(int(groups.max(initial=-1)) + 1):
        members = np.flatnonzero(groups == number)
        mean = unit_rows(vectors[members].mean(axis=0, keepdims=True))
        together[members[vectors[members] @ mean[0] >= ALIKE]] = mean
    return together
