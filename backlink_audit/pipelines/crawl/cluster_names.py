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
from backlink_audit.text.pages import PageTexts
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
    bodies = [body[:BODY_CHARACTERS] for body in texts.bodies]
    phrases = without_words_of_the_site(
        Phrases.of(title_phrases(texts, words), _phrases(bodies, texts.languages, texts.language, words))
    )
    weights = candidates(phrases, found.labels, found.k)
    if encoder is not None:
        weights = _fitting(weights, found.centres, encoder, on_progress)
    fallbacks = [texts.names[hub] for hub in found.middles(vectors)]
    written = spellings([*texts.names, *bodies])
    return numbered([", ".join(spell(name, written)) for name in choose_names(weights, fallbacks)])


def title_phrases(texts: PageTexts, words: int) -> list[set[str]]:
    """Return the phrases of what each page is called, of one to `words` words."""
    return _phrases(texts.names, texts.languages, texts.language, words)


def _phrases(texts: Sequence[str], languages: Sequence[str], site: str, words: int) -> list[set[str]]:
    """Without the stop words of the page's own language, and of the site's: a short text is easily misjudged."""
    return [page_phrases(text, {language, site}, words) for text, language in zip(texts, languages, strict=True)]


def _fitting(
    weights: list[dict[str, float]], centres: np.ndarray, encoder: Encoder, on_progress: Progress
) -> list[dict[str, float]]:
    """Return the candidates' weights times their cosine to the centre; those that point away are left out."""
    vectors = encoder.encode([phrase for own in weights for phrase in own], on_progress)
    owners = np.repeat(np.arange(len(weights)), [len(own) for own in weights])
    cosines = iter(np.einsum("ij,ij->i", vectors, centres[owners]).tolist())
    fits = [{phrase: (weight, next(cosines)) for phrase, weight in own.items()} for own in weights]
    return [{phrase: weight * fit for phrase, (weight, fit) in own.items() if fit > 0} for own in fits]
