"""The search for the nearest of very many vectors on a Ray cluster: a task for each batch of partitions."""

from itertools import islice
from typing import Any

import numpy as np

from backlink_audit.analysis.partitions import assign, search_batch
from backlink_audit.analysis.similarity import TopK
from backlink_audit.progress import Progress, silent

TASKS_PER_CPU = 2
"""Handed over at a time: more results than are fetched would fill the memory of the nodes."""


def search_on_cluster(queries: np.ndarray, targets: np.ndarray, k: int, on_progress: Progress = silent) -> TopK:
    """Return about the k nearest targets of every query; a `Search` (`analysis.nearest`).

    Needs a cluster that is connected, and on every node that works memory for all targets. A task whose node dies is
    done again elsewhere.
    """
    import ray

    on_progress("Grouping the pages", 0, 1)
    partitions = assign(queries, targets)
    shared = ray.put(partitions), ray.put(targets)
    search: Any = ray.remote(num_cpus=1)(search_batch)
    at_once = TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
    found = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
    batches = list(partitions.batches())
    waiting, running = iter(batches), dict[Any, np.ndarray]()
    for done in range(len(batches)):
        for numbers in islice(waiting, at_once - len(running)):
            rows = partitions.queries_of(numbers)
            running[search.remote(*shared, numbers, queries[rows], k)] = rows
        (ready,), _ = ray.wait(list(running))
        rows = running.pop(ready)
        found[rows], scores[rows] = ray.get(ready)
        on_progress("Searching the partitions", done + 1, len(batches))
    return found, scores
