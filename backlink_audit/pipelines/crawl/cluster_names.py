"""The names of clusters: phrases of their pages' titles and texts."""

import re
from collections.abc import Sequence

import numpy as np

from backlink_audit.analysis.clusters.grouping import Partition
from backlink_audit.analysis.clusters.names import (
    Phrases,
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
from backlink_audit.text.pages.phrases import BODY_CHARACTERS, page_phrases, spell, spellings

LEFT_OVER = "Other pages: {}"
"""The name of a cluster of pages that have little in common."""
_NUMBER = re.compile(r" \(\d+\)$")
"""Behind a name that another cluster has too."""


def name_clusters(
    texts: PageTexts,
    found: Partition,
    vectors: np.ndarray,
    encoder: Encoder | None,
    words: int = 2,
    on_progress: Progress = silent,
) -> list[str]:
    """Return a name for each cluster, as a reader writes it; no two are the same. What is left over is called so.

    `encoder`: the one that `vectors` are from; without it the phrases' meaning is left out of account. `words`: the
    most words of a phrase.
    """
    on_progress("Naming the clusters", 0, 1)
    titles, bodies = title_phrases(texts, words), _phrases(_beginnings(texts), texts, words)
    weights = _weights(texts, found, titles, bodies)
    if encoder is not None:
        weights = _fitting(weights, found.centres, encoder, on_progress)
    fallbacks = [texts.names[hub] for hub in found.middles(vectors)]
    written = spellings([*texts.names, *_beginnings(texts)])
    chosen = choose_names(weights, fallbacks)
    spelt = [", ".join(spell(name, written)) for name in chosen]
    left = _left_over(texts, found, chosen, titles, bodies)
    return numbered([LEFT_OVER.format(name) if rest else name for name, rest in zip(spelt, left, strict=True)])


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
    phrases = [_forms(phrase) for phrase in _NUMBER.sub("", name.removeprefix(LEFT_OVER.format(""))).split(", ")]
    every = set[str]().union(*phrases)
    said = [_forms(title) for title in titles]
    whole = [phrases[0] <= words or len(every & words) > 1 for words in said]
    return np.where(whole, 2.0, np.where([not phrases[0].isdisjoint(words) for words in said], 1.0, 0.0))


def _forms(text: str) -> set[str]:
    return set(map(form, any_words(text)))


def _left_over(
    texts: PageTexts,
    found: Partition,
    names: Sequence[tuple[str, ...]],
    titles: Sequence[set[str]],
    bodies: Sequence[set[str]],
) -> list[bool]:
    """Return which clusters have pages with little in common, judged by their names among pages of their language."""
    languages = language_groups(texts)
    left = []
    for number, name in enumerate(names):
        members = found.labels == number
        pages = np.flatnonzero(np.isin(languages, languages[members])).tolist()
        in_title = np.array([not titles[page].isdisjoint(name) for page in pages])
        in_page = in_title | np.array([not bodies[page].isdisjoint(name) for page in pages])
        left.append(tells_little(in_title, in_page, members[pages]))
    return left


def _weights(
    texts: PageTexts, found: Partition, titles: Sequence[set[str]], bodies: Sequence[set[str]]
) -> list[dict[str, float]]:
    """Return the candidates of each cluster: what sets it apart from the others in its language."""
    languages = language_groups(texts)
    of_cluster = np.array([np.bincount(languages[found.labels == label]).argmax() for label in range(found.k)])
    weights: list[dict[str, float]] = [{} for _ in range(found.k)]
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
    """Without stop words of the page's own language, and of the site's, and without phrases of brand words alone."""
    found = (page_phrases(text, {own, texts.language}, words) for text, own in zip(said, texts.languages, strict=True))
    brand = {form(word) for word in texts.brand_words}
    return [{phrase for phrase in phrases if not brand.issuperset(map(form, phrase.split(" ")))} for phrases in found]


def _fitting(
    weights: list[dict[str, float]], centres: np.ndarray, encoder: Encoder, on_progress: Progress
) -> list[dict[str, float]]:
    """Return the candidates' weights times their cosine to the centre; those that point away are left out."""
    vectors = encoder.encode([phrase for own in weights for phrase in own], on_progress)
    owners = np.repeat(np.arange(len(weights)), [len(own) for own in weights])
    cosines = iter(np.einsum("ij,ij->i", vectors, centres[owners]).tolist())
    fits = [{phrase: (weight, next(cosines)) for phrase, weight in own.items()} for own in weights]
    return [{phrase: weight * fit for phrase, (weight, fit) in own.items() if fit > 0} for own in fits]
