"""Which rows a query means: words by their weights, meaning by cosine, and both joined by their ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

FLATTENING = 60  # of reciprocal rank fusion: how little the first ranks differ (Cormack, Clarke, Büttcher: SIGIR 2009)
WORDS_WEIGH = 0.5
"""What the rank by words counts beside the rank by meaning: rows that have one of three words are many."""
SATURATION = 1.2  # of BM25: how soon more of the same word adds nothing (Robertson and Zaragoza 2009)
LENGTH = 0.75  # of BM25: how much a long text has to say a word more often


@dataclass(frozen=True, eq=False)
class WordTable:
    """What each word says about each row: `weights` is (rows, words), BM25."""

    places: dict[str, int]
    weights: sparse.csc_array

    def scores(self, words: Sequence[str]) -> np.ndarray:
        """Return how much each row is about these words, float64 (rows,), 0 where it has none of them."""
        known = [self.places[word] for word in dict.fromkeys(words) if word in self.places]
        if not known:
            return np.zeros(self.weights.shape[0])
        return np.asarray(self.weights[:, known].sum(axis=1)).ravel()


def word_table(rows: Sequence[Sequence[str]]) -> WordTable:
    """Return the weights of the words of every row; a word of every row weighs next to nothing.

    >>> word_table([["oak", "chair"], ["oak", "table"]]).scores(["chair"]).round(2).tolist()
    [0.69, 0.0]
    """
    places: dict[str, int] = {}
    numbers = np.fromiter((places.setdefault(word, len(places)) for row in rows for word in row), np.int64)
    lengths = np.fromiter((len(row) for row in rows), np.int64, len(rows))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    counts = sparse.csr_array((np.ones(len(numbers)), numbers, starts), shape=(len(rows), len(places)))
    counts.sum_duplicates()
    found_in = np.bincount(counts.indices, minlength=len(places))
    rarity = np.log1p((len(rows) - found_in + 0.5) / (found_in + 0.5))
    longer = 1 - LENGTH + LENGTH * lengths / max(1.0, lengths.mean()) if len(rows) else np.ones(0)
    often = counts.data
    by_row = np.repeat(longer, np.diff(counts.indptr))
    counts.data = rarity[counts.indices] * often * (SATURATION + 1) / (often + SATURATION * by_row)
    return WordTable(places, sparse.csc_array(counts))


def ranks(scores: np.ndarray) -> np.ndarray:
    """Return the rank of every score from 1, the highest first, equal ones in their order.

    >>> ranks(np.array([0.1, 0.9, 0.5])).tolist()
    [3, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    found = np.empty(len(scores), dtype=np.int64)
    found[order] = np.arange(1, len(scores) + 1)
    return found


def joined(meaning: np.ndarray, words: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Return the order of the rows: those with the exact words first, then by both ranks (reciprocal rank fusion).

    `meaning`: cosines, `words`: weights of the words, `exact`: whether the query's words stand in the row as they
    are; all (rows,). A row without any of the words has no rank by words.
    """
    by_words = np.where(words > 0, WORDS_WEIGH / (FLATTENING + ranks(words)), 0)
    both = 1 / (FLATTENING + ranks(meaning)) + by_words
    return np.lexsort((-both, ~exact))
