"""The nearest of very many vectors, through an index: approximate, where comparing every pair would take hours.

The vectors become a graph of neighbours (faiss, HNSW), and a query walks from neighbour to neighbour towards what is
nearest to it. docs/decisions/top-k.md.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from backlink_audit.analysis.similarity import TopK
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    import faiss

EXACT_ROWS = 100_000
"""Up to so many targets every pair is compared."""
NEIGHBOURS = 16
"""Of each vector in the graph; twice as many on its lowest level."""
KEPT_BUILDING = 80
KEPT_SEARCHING = 256
"""The nearest vectors that are kept in mind on the way: more find more, and take longer."""
ROWS_AT_ONCE = 2_048
"""Rows between two reports of progress."""


def nearest(
    queries: np.ndarray, targets: np.ndarray, k: int, on_progress: Progress = silent, *, copies: int | None = None
) -> TopK:
    """Return about the k targets with the highest cosine for every query, best first; unit rows of float32.

    Of targets that are the same at most `copies` are returned for a query, the first ones (None: all). Indices (int32)
    and scores, both (len(queries), k); -1 and -inf where fewer are found. The same at every run.
    """
    same = _Same.of(targets)
    index = _build(targets[same.order[same.starts]], on_progress)
    index.hnsw.efSearch = max(KEPT_SEARCHING, k)
    parts = []
    for start in range(0, len(queries), ROWS_AT_ONCE):
        on_progress("Searching the index", start, len(queries))
        scores, found = index.search(queries[start : start + ROWS_AT_ONCE], k)
        parts.append(same.expand(found, scores, k, copies or k))
    if not parts:
        return np.empty((0, k), dtype=np.int32), np.empty((0, k), dtype=np.float32)
    indices, values = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(values)


@dataclass(frozen=True)
class _Same:
    """Which rows are the same: a graph of neighbours must hold each only once, or its paths end among copies.

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


def _build(targets: np.ndarray, on_progress: Progress) -> "faiss.IndexHNSWFlat":
    import faiss

    index = faiss.IndexHNSWFlat(targets.shape[1], NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = KEPT_BUILDING
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # several would give another graph each time
    try:
        for start in range(0, len(targets), ROWS_AT_ONCE):
            on_progress("Building an index", start, len(targets))
            index.add(targets[start : start + ROWS_AT_ONCE])
    finally:
        faiss.omp_set_num_threads(threads)
    return index
