"""The names of clusters: phrases of their pages' titles and texts."""

from collections.abc import Sequence

import numpy as np

from backlink_audit.analysis.cluster_names import (
    Phrases,
    candidates,
    choose_names,
    numbered,
    without_words_of_the_site,
)
from backlink_audit.analysis.clusters import Partition
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.progress import Progress, silent
from backlink_audit.text.pages import PageTexts, language_groups
from backlink_audit.text.phrases import BODY_CHARACTERS, page_phrases, spell, spellings


def name_clusters(
    texts: PageTexts,
    found: Partition,
    vectors: np.ndarray,
    encoder: Encoder | None,
    words: int = 2,
    on_progress: Progress = silent,
) -> list[str]:
    """Return a name for each cluster, as a reader writes it; no two are the same.

    `encoder`: the one that `vectors` are from; without it the phrases' meaning is left out of account. `words`: the
    most words of a phrase.
    """
    on_progress("Naming the clusters", 0, 1)
    weights = _weights(texts, found, words)
    if encoder is not None:
        weights = _fitting(weights, found.centres, encoder, on_progress)
    fallbacks = [texts.names[hub] for hub in found.middles(vectors)]
    written = spellings([*texts.names, *_beginnings(texts)])
    return numbered([", ".join(spell(name, written)) for name in choose_names(weights, fallbacks)])


def title_phrases(texts: PageTexts, words: int) -> list[set[str]]:
    """Return the phrases of what each page is called, of one to `words` words."""
    return _phrases(texts.names, texts, words)


def _weights(texts: PageTexts, found: Partition, words: int) -> list[dict[str, float]]:
    """Return the candidates of each cluster: what sets it apart from the others in its language."""
    titles, bodies = title_phrases(texts, words), _phrases(_beginnings(texts), texts, words)
    languages = language_groups(texts)
    of_cluster = np.array([np.bincount(languages[found.labels == label]).argmax() for label in range(found.k)])
    weights: list[dict[str, float]] = [{} for _ in range(found.k)]
    for language in np.unique(of_cluster):
        clusters = np.flatnonzero(of_cluster == language)
        pages = np.flatnonzero(np.isin(found.labels, clusters))
        told = Phrases.of([titles[page] for page in pages], [bodies[page] for page in pages])
        labels = np.searchsorted(clusters, found.labels[pages])
        found_here = candidates(without_words_of_the_site(told), labels, len(clusters))
        for cluster, own in zip(clusters, found_here, strict=True):
            weights[cluster] = own
    return weights


def _beginnings(texts: PageTexts) -> list[str]:
    return [body[:BODY_CHARACTERS] for body in texts.bodies]


def _phrases(said: Sequence[str], texts: PageTexts, words: int) -> list[set[str]]:
    """Without stop words of the page's own language, and of the site's, and without phrases of brand words alone."""
    found = (page_phrases(text, {own, texts.language}, words) for text, own in zip(said, texts.languages, strict=True))
    return [{phrase for phrase in phrases if not texts.brand_words.issuperset(phrase.split(" "))} for phrases in found]


def _fitting(
    weights: list[dict[str, float]], centres: np.ndarray, encoder: Encoder, on_progress: Progress
) -> list[dict[str, float]]:
    """Return the candidates' weights times their cosine to the centre; those that point away are left out."""
    vectors = encoder.encode([phrase for own in weights for phrase in own], on_progress)
    owners = np.repeat(np.arange(len(weights)), [len(own) for own in weights])
    cosines = iter(np.einsum("ij,ij->i", vectors, centres[owners]).tolist())
    fits = [{phrase: (weight, next(cosines)) for phrase, weight in own.items()} for own in weights]
    return [{phrase: weight * fit for phrase, (weight, fit) in own.items() if fit > 0} for own in fits]
