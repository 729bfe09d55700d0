"""The nearest vectors: exact in blocks, approximate where every pair would take hours, joined with words for a search.

Vectors are float32 of length 1, so that a cosine is a dot product; the row of an empty text is NaN.

docs/decisions/top-k.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    import faiss


FLATTENING = 60  # of reciprocal rank fusion: how little the first ranks differ (Cormack, Clarke, Büttcher: SIGIR 2009)
WORDS_WEIGH = 0.5
"""What the rank by words counts beside the rank by meaning: rows that have one of three words are many."""
SATURATION = 1.2  # of BM25: how soon more of the same word adds nothing (Robertson and Zaragoza 2009)
LENGTH = 0.75  # of BM25: how much a long text has to say a word more often
BLOCK_SCORES = 32 * 1024**2  # scores in memory at once: 128 MiB of float32

_GROUP = 64
_CROWDED = 8

TopK = tuple[np.ndarray, np.ndarray]  # indices (int32) and scores (float32), both (rows, k), best first
SCORES_AT_ONCE = 16 * 1024**2  # cosines in memory at once: 64 MiB of float32
NEIGHBOURS = 16  # of each vector in the graph; twice as many on its lowest level
KEPT_BUILDING = 80
KEPT_SEARCHING = 256  # the nearest vectors that are remembered on the way: more find more, and take longer
EXACT_ROWS = 100_000  # up to so many targets every pair is compared
ROWS_AT_ONCE = 2_048  # queries whose matches are spread over the copies of a target at a time


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


def top_k(
    queries: np.ndarray, targets: np.ndarray, k: int, *, exclude_self: bool = False, on_progress: Progress = silent
) -> TopK:
    """Return the k targets with the highest cosine for every query; vectors are unit rows without NaN.

    With `exclude_self`, queries and targets are the same rows and no row is its own match. Fewer than k columns come
    back where there are fewer targets. Equal scores are in the order of the targets.
    """

    def cosines(start: int, stop: int) -> np.ndarray:
        return queries[start:stop] @ targets.T

    block = max(1, BLOCK_SCORES // max(1, len(targets)))
    return top_k_blocks(cosines, len(queries), k, exclude_self=exclude_self, block=block, on_progress=on_progress)


def top_k_blocks(
    score: Callable[[int, int], np.ndarray],
    rows: int,
    k: int,
    *,
    exclude_self: bool = False,
    block: int = 512,
    on_progress: Progress = silent,
) -> TopK:
    """Return the k highest scores of every row of a matrix that is only ever made in blocks of rows.

    `score(start, stop)` gives float32 (stop - start, columns), never NaN; it may be overwritten here. -inf marks
    what must not be chosen: it comes last, and stays -inf where a row has fewer than k other scores. Otherwise as
    `top_k`.
    """
    parts = []
    for start in range(0, rows, block):
        on_progress("Comparing", start, rows)
        stop = min(rows, start + block)
        scores = score(start, stop)
        if exclude_self:
            scores[np.arange(stop - start), np.arange(start, stop)] = -np.inf
        parts.append(_largest(scores, min(k, scores.shape[1] - exclude_self)))
    if not parts:
        return np.empty((0, k), dtype=np.int32), np.empty((0, k), dtype=np.float32)
    on_progress("Comparing", rows, rows)
    indices, values = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(values)


def _largest(scores: np.ndarray, k: int) -> TopK:
    """Return the k largest of each row, best first, equal ones in the order of the columns.

    Nearly all scores are thrown out by one comparison with a bound; only the few that are left are sorted. Where
    many are equal to the bound (pages with the same title), the exact k-th score takes its place.
    """
    if k == 0:
        return np.empty((len(scores), 0), dtype=np.int32), np.empty((len(scores), 0), dtype=np.float32)
    chosen = scores >= _lower_bound(scores, k)[:, None]
    crowded = np.flatnonzero(np.count_nonzero(chosen, axis=1) > _CROWDED * k)
    if len(crowded):
        chosen[crowded] = _exactly_largest(scores[crowded], k)
    rows, columns = np.nonzero(chosen)
    values = scores[rows, columns]
    order = np.lexsort((columns, -values, rows))
    first = np.searchsorted(rows, np.arange(len(scores)))
    best = order[first[:, None] + np.arange(k)]
    return columns[best].astype(np.int32), values[best]


def _lower_bound(scores: np.ndarray, k: int) -> np.ndarray:
    """Return the k-th largest of the maxima of groups of columns: the row's own k-th largest is not below it."""
    groups = scores.shape[1] // _GROUP
    if groups < 4 * k:
        return np.partition(scores, -k, axis=1)[:, -k]
    maxima = scores[:, : groups * _GROUP].reshape(len(scores), _GROUP, groups).max(axis=1)
    return np.partition(maxima, -k, axis=1)[:, -k]


def _exactly_largest(scores: np.ndarray, k: int) -> np.ndarray:
    bound = np.partition(scores, -k, axis=1)[:, -k, None]
    above = scores > bound
    equal = scores == bound
    room = k - np.count_nonzero(above, axis=1)[:, None]
    return above | (equal & (np.cumsum(equal, axis=1) <= room))


def closest(
    queries: np.ndarray, targets: Sequence[np.ndarray], on_progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of the closest target of each query and their cosine; -1 and NaN where no target has text.

    `targets` has one or more matrices of the same number of rows; the closest of a row's vectors counts.
    """
    place = np.full(len(queries), -1)
    cosine = np.full(len(queries), np.nan, np.float32)
    blank = [~target.any(axis=1) for target in targets]
    if not targets or np.logical_and.reduce(blank).all():
        return place, cosine
    rows = max(1, SCORES_AT_ONCE // len(targets[0]))
    for start in range(0, len(queries), rows):
        block = slice(start, start + rows)
        scores = np.maximum.reduce(
            [np.where(empty, -np.inf, queries[block] @ target.T) for target, empty in zip(targets, blank, strict=True)]
        )
        place[block] = scores.argmax(axis=1)
        cosine[block] = scores.max(axis=1)
        on_progress("Finding the closest pages", min(start + rows, len(queries)), len(queries))
    return place, cosine


def spread_evenly(rows: int, most: int) -> np.ndarray:
    """Return the places of at most so many of the rows, evenly spread from the first to the last.

    >>> spread_evenly(9, 3).tolist(), spread_evenly(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.linspace(0, rows - 1, min(most, rows)).round().astype(int)


def search_graph(queries: np.ndarray, targets: np.ndarray, k: int, on_progress: Progress = silent) -> TopK:
    """Return about the k nearest targets of every query, all of them different; otherwise as `nearest`."""
    graph = _build(targets, on_progress)
    graph.hnsw.efSearch = max(KEPT_SEARCHING, k)
    found = np.empty((len(queries), k), dtype=np.int32)
    scores = np.empty((len(queries), k), dtype=np.float32)
    for start in range(0, len(queries), ROWS_AT_ONCE):
        on_progress("Searching for similar pages", start, len(queries))
        stop = start + ROWS_AT_ONCE
        scores[start:stop], found[start:stop] = graph.search(queries[start:stop], k)
    scores[found < 0] = -np.inf
    return found, scores


def _build(targets: np.ndarray, on_progress: Progress) -> "faiss.IndexHNSWFlat":
    import faiss

    graph = faiss.IndexHNSWFlat(targets.shape[1], NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = KEPT_BUILDING
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # several would give another graph each time
    try:
        for start in range(0, len(targets), ROWS_AT_ONCE):
            on_progress("Preparing the search", start, len(targets))
            graph.add(targets[start : start + ROWS_AT_ONCE])
    finally:
        faiss.omp_set_num_threads(threads)
    return graph


def nearest(
    queries: np.ndarray, targets: np.ndarray, k: int, on_progress: Progress = silent, *, copies: int | None = None
) -> TopK:
    """Return about the k targets with the highest cosine for every query, best first; unit rows of float32.

    Of targets that are the same at most `copies` are returned for a query, the first ones (None: all). Indices (int32)
    and scores, both (len(queries), k); -1 and -inf where fewer are found. The same at every run.
    """
    if not k or not len(targets):
        return np.full((len(queries), k), -1, np.int32), np.full((len(queries), k), -np.inf, np.float32)
    same = _Same.of(targets)
    found, scores = search_graph(queries, targets[same.order[same.starts]], k, on_progress)
    for start in range(0, len(queries), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        found[rows], scores[rows] = same.expand(found[rows], scores[rows], k, copies or k)
    return found, scores


@dataclass(frozen=True)
class _Same:
    """Which rows are the same: each is searched for once. The paths of a graph would end among copies.

    Row numbers in `order`, grouped; group g begins at `starts[g]` and has `sizes[g]` rows, in their order.
    """

    order: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray) -> "_Same":
        whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
        _, first, group, sizes = np.unique(whole, return_index=True, return_inverse=True, return_counts=True)
        rank = np.empty(len(first), dtype=np.int64)  # groups in the order of their first rows
        rank[np.argsort(first, kind="stable")] = np.arange(len(first))
        sizes = sizes[np.argsort(first, kind="stable")]
        return cls(np.argsort(rank[group], kind="stable"), np.cumsum(sizes) - sizes, sizes)

    def expand(self, found: np.ndarray, scores: np.ndarray, k: int, copies: int) -> TopK:
        """Return the rows of the groups found, at most so many of each group and k of each query."""
        there = np.where(found >= 0, np.minimum(self.sizes[found], copies), 0)
        taken = np.clip(k - (np.cumsum(there, axis=1) - there), 0, there)
        indices = np.full((len(found), k), -1, dtype=np.int32)
        values = np.full((len(found), k), -np.inf, dtype=np.float32)
        filled = np.arange(k) < taken.sum(axis=1)[:, None]
        flat = taken.ravel()
        within = np.arange(flat.sum()) - np.repeat(np.cumsum(flat) - flat, flat)
        indices[filled] = self.order[self.starts[np.repeat(found.ravel(), flat)] + within]
        values[filled] = np.repeat(scores.ravel(), flat)
        return indices, values
