"""The nearest of very many vectors: approximate, where comparing every pair would take hours.

docs/decisions/top-k.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from backlink_audit.analysis.vectors.graph import search_graph
from backlink_audit.analysis.vectors.similarity import TopK
from backlink_audit.progress import Progress, silent

EXACT_ROWS = 100_000
"""Up to so many targets every pair is compared."""
ROWS_AT_ONCE = 2_048
"""Queries whose matches are spread over the copies of a target at a time."""

Search: TypeAlias = Callable[[np.ndarray, np.ndarray, int, Progress], TopK]
"""Finds about the k nearest of targets that are all different: queries, targets, k, progress -> indices, scores.

Unit rows of float32. Indices (int32) and scores (float32), both (queries, k), best first; -1 and -inf where fewer are
found; the same at every run.
"""


def nearest(
    queries: np.ndarray,
    targets: np.ndarray,
    k: int,
    on_progress: Progress = silent,
    *,
    copies: int | None = None,
    search: Search = search_graph,
) -> TopK:
    """Return about the k targets with the highest cosine for every query, best first; unit rows of float32.

    Of targets that are the same at most `copies` are returned for a query, the first ones (None: all). Indices (int32)
    and scores, both (len(queries), k); -1 and -inf where fewer are found. The same at every run.
    """
    if not k or not len(targets):
        return np.full((len(queries), k), -1, np.int32), np.full((len(queries), k), -np.inf, np.float32)
    same = _Same.of(targets)
    found, scores = search(queries, targets[same.order[same.starts]], k, on_progress)
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
