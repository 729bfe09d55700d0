"""The nearest of very many vectors through a graph of neighbours (faiss, HNSW).

A query walks from neighbour to neighbour towards what is nearest to it. docs/decisions/top-k.md.
"""

from typing import TYPE_CHECKING

import numpy as np

from backlink_audit.analysis.vectors.similarity import TopK
from backlink_audit.progress import Progress, silent

if TYPE_CHECKING:
    import faiss

NEIGHBOURS = 16
"""Of each vector in the graph; twice as many on its lowest level."""
KEPT_BUILDING = 80
KEPT_SEARCHING = 256
"""The nearest vectors that are remembered on the way: more find more, and take longer."""
ROWS_AT_ONCE = 2_048
"""Rows between two reports of progress."""


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
