"""The names of clusters: phrases of their pages' titles and texts."""

import re
from collections.abc import Sequence

import numpy as np

from backlink_audit.analysis.clusters.grouping import Partition
from backlink_audit.analysis.clusters.names import (
    Name,
    Phrases,
    Weights,
    candidates,
    choose_names,
    numbered,
    tells_little,
    without_words_of_the_site,
)
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.progress import Progress, silent
from backlink_audit.text.languages.any_language import words as any_words
from backlink_audit.text.languages.word_forms import form
from backlink_audit.text.pages.page_texts import PageTexts, language_groups
from backlink_audit.text.pages.phrases import BODY_CHARACTERS, capitalised, page_phrases
from backlink_audit.text.pages.whole_phrases import WholePhrases

LEFT_OVER = "Other pages"
"""The name of a cluster of pages that have little in common."""
_NUMBER = re.compile(r" \(\d+\)$")
"""Behind a name that another cluster has too."""


def name_clusters(
    texts: PageTexts,
    found: Partition,
    vectors: np.ndarray,
    encoder: Encoder | None,
    words: int = 4,
    on_progress: Progress = silent,
) -> list[str]:
    """Return a name for each cluster, as a reader writes it; no two are the same. What is left over is called so.

    A cluster of one page is called as the page is.

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
    left = _left_over(texts, found, chosen, [title | body for title, body in zip(titles, bodies, strict=True)])
    whole = WholePhrases.of(texts.names, _beginnings(texts), texts.brand_words)
    names = []
    for name, rest, pages in zip(chosen, left, members, strict=True):
        written = ", ".join(whole.find(phrase, pages, words) for phrase in name.phrases)
        names.append(LEFT_OVER if rest else texts.names[pages[0]] if len(pages) == 1 else capitalised(written))
    return numbered(names)


def title_phrases(texts: PageTexts, words: int) -> list[set[str]]:
    """Return the phrases of what each page is called, of one to `words` words."""
    return _phrases(texts.names, texts, words)


def about_name(titles: Sequence[str], name: str) -> np.ndarray:
    """Return how much pages of these titles are about a cluster's name, (pages,): 0, 1 or 2.

    2: the title has all words of the name's first phrase, or any two of the name. 1: one word of the first phrase.
    Singular and plural are one.

    >>> about_name(["Shelves of oak", "Oak tables", "Beech", "Wood care"], "Oak table, wood care")
    array([1., 2., 0., 2.])
    """
    name = _NUMBER.sub("", name)
    if name == LEFT_OVER:
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
        found_here = candidates(without_words_of_the_site(told), labels, len(clusters))
        for cluster, own in zip(clusters.tolist(), found_here, strict=True):
            weights[cluster] = own
    return weights


def _beginnings(texts: PageTexts) -> list[str]:
    return [body[:BODY_CHARACTERS] for body in texts.bodies]


def _phrases(said: Sequence[str], texts: PageTexts, words: int) -> list[set[str]]:
    """As forms of their words, without stop words of the page's own language, and of the site's, and brand words."""
    found = (page_phrases(text, {own, texts.language}, words) for text, own in zip(said, texts.languages, strict=True))
    brand = set(map(form, texts.brand_words))
    formed = ([tuple(map(form, phrase.split(" "))) for phrase in phrases] for phrases in found)
    return [{" ".join(phrase) for phrase in phrases if brand.isdisjoint(phrase)} for phrases in formed]


def _fitting(weights: list[Weights], centres: np.ndarray, encoder: Encoder, on_progress: Progress) -> list[Weights]:
    """Return the candidates' weights times their cosine to the centre; those that point away are left out."""
    vectors = encoder.encode([phrase for own in weights for phrase in own], on_progress)
    owners = np.repeat(np.arange(len(weights)), [len(own) for own in weights])
    cosines = iter(np.einsum("ij,ij->i", vectors, centres[owners]).tolist())
    fits = [{phrase: (candidate, next(cosines)) for phrase, candidate in own.items()} for own in weights]
    return [{phrase: candidate.times(fit) for phrase, (candidate, fit) in own.items() if fit > 0} for own in fits]
