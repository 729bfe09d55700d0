"""The nearest of very many vectors: approximate, where comparing every pair would take hours.

docs/decisions/top-k.md.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from backlink_audit.embedding.similarity import TopK, top_k
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    import faiss

NEIGHBOURS = 16  # of each vector in the graph; twice as many on its lowest level
KEPT_BUILDING = 80
KEPT_SEARCHING = 256  # the nearest vectors that are remembered on the way: more find more, and take longer


def search_graph(queries: np.ndarray, targets: np.ndarray, k: int, on_progress: Progress = silent) -> TopK:
    """Return about the k nearest targets of every query; a `Search` (`analysis.vectors.nearest`)."""
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


EXACT_ROWS = 100_000  # up to so many targets every pair is compared
ROWS_AT_ONCE = 2_048  # queries whose matches are spread over the copies of a target at a time

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


PARTITION_ROWS = 200
"""Targets of a partition, on average; a subject must have several, or its pages are scattered among others."""
MOST_PARTITIONS = 8_192  # of more than these the centroids would take longer than the search
REACH = 128  # partitions whose targets a query is compared with: more find more, and take longer
QUERIES_AT_ONCE = 5_000  # queries of a batch, about; seconds of work
TRAINED_ON, ROUNDS, SEED = 64, 10, 0
"""k-means: random targets for each centroid, rounds, and what the choice begins with."""


@dataclass(frozen=True, eq=False)
class Partitions:
    """Who belongs where. `queries[n]` and `targets[n]` are the row numbers of a partition, ascending.

    `reach` (partitions, REACH or fewer) has the partitions nearest to each, itself first.
    """

    queries: tuple[np.ndarray, ...]
    targets: tuple[np.ndarray, ...]
    reach: np.ndarray

    def batches(self) -> Iterator[np.ndarray]:
        """Yield the numbers of partitions that have about QUERIES_AT_ONCE queries together, or of one that has more."""
        sizes = np.array([len(rows) for rows in self.queries])
        batch = (np.cumsum(sizes) - sizes) // QUERIES_AT_ONCE
        yield from np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(batch)) + 1)

    def queries_of(self, numbers: Sequence[int] | np.ndarray) -> np.ndarray:
        return np.concatenate([self.queries[number] for number in numbers])

    def within_reach(self, number: int) -> np.ndarray:
        return np.sort(np.concatenate([self.targets[near] for near in self.reach[number]]))


Searched: TypeAlias = tuple[np.ndarray, TopK]  # row numbers of queries, and what is nearest to them
SearchBatches: TypeAlias = Callable[[Partitions, np.ndarray, np.ndarray, int], Iterator[Searched]]
"""Partitions, queries, targets, k -> the queries of each batch with their result."""


def assign(queries: np.ndarray, targets: np.ndarray) -> Partitions:
    """Assign queries and targets, unit rows of float32, to the centroids of the targets. The same at every run."""
    centroids = _centroids(targets)
    near, _ = top_k(centroids, centroids, min(REACH, len(centroids)))
    reach = [
        [number, *[other for other in row if other != number][: near.shape[1] - 1]]  # of two equal centroids either
        for number, row in enumerate(near.tolist())
    ]
    return Partitions(_members(queries, centroids), _members(targets, centroids), np.array(reach))


def search_in_turn(partitions: Partitions, queries: np.ndarray, targets: np.ndarray, k: int) -> Iterator[Searched]:
    """Search one batch after the other."""
    for numbers in partitions.batches():
        rows = partitions.queries_of(numbers)
        yield rows, search_batch(partitions, targets, numbers, queries[rows], k)


def search_partitions(
    queries: np.ndarray,
    targets: np.ndarray,
    k: int,
    on_progress: Progress = silent,
    search: SearchBatches = search_in_turn,
) -> TopK:
    """Return about the k nearest targets of every query; a `Search` (`analysis.vectors.nearest`).

    `search` searches the batches, in whatever order.
    """
    on_progress("Grouping the pages", 0, 1)
    partitions = assign(queries, targets)
    found = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
    done = 0
    for rows, nearest in search(partitions, queries, targets, k):
        found[rows], scores[rows] = nearest
        done += len(rows)
        on_progress("Searching for similar pages", done, len(queries))
    return found, scores


def search_batch(partitions: Partitions, targets: np.ndarray, numbers: np.ndarray, queries: np.ndarray, k: int) -> TopK:
    """Return the k nearest targets within reach of the queries of some partitions, -1 and -inf where there are fewer.

    `queries` are those of `queries_of(numbers)`; the result has a row for each.
    """
    found = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
    start = 0
    for number in numbers:
        stop = start + len(partitions.queries[number])
        rows = partitions.within_reach(number)
        places, best = top_k(queries[start:stop], targets[rows], min(k, len(rows)))
        found[start:stop, : places.shape[1]] = rows[places]
        scores[start:stop, : places.shape[1]] = best
        start = stop
    return found, scores


def _centroids(targets: np.ndarray) -> np.ndarray:
    import faiss

    count = min(MOST_PARTITIONS, max(1, round(len(targets) / PARTITION_ROWS)))
    kmeans = faiss.Kmeans(
        targets.shape[1],
        count,
        niter=ROUNDS,
        seed=SEED,
        spherical=True,
        min_points_per_centroid=1,
        max_points_per_centroid=TRAINED_ON,
    )
    kmeans.train(targets)
    return np.asarray(kmeans.centroids)


def _members(rows: np.ndarray, centroids: np.ndarray) -> tuple[np.ndarray, ...]:
    nearest, _ = top_k(rows, centroids, 1)
    order = np.argsort(nearest[:, 0], kind="stable")
    ends = np.searchsorted(nearest[order, 0], np.arange(1, len(centroids)))
    return tuple(np.split(order, ends))
