"""The search for the nearest of very many vectors on a Ray cluster: a task for each batch of partitions."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from backlink_audit.analysis.vectors.partitions import Partitions, Searched, search_batch, search_partitions

TASKS_PER_CPU = 2
"""Handed over at a time: more results than are fetched would fill the memory of the nodes."""


def search_in_tasks(partitions: Partitions, queries: np.ndarray, targets: np.ndarray, k: int) -> Iterator[Searched]:
    """Search the batches in tasks of the cluster that is connected, and yield them as they end.

    Every node that works needs memory for all targets. A task whose node dies is done again elsewhere.
    """
    import ray

    shared = ray.put(partitions), ray.put(targets)
    task: Any = ray.remote(num_cpus=1)(search_batch)
    at_once = TASKS_PER_CPU * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting, running = partitions.batches(), dict[Any, np.ndarray]()
    while True:
        for numbers in islice(waiting, at_once - len(running)):
            rows = partitions.queries_of(numbers)
            running[task.remote(*shared, numbers, queries[rows], k)] = rows
        if not running:
            return
        (ready,), _ = ray.wait(list(running))
        yield running.pop(ready), ray.get(ready)


search_on_cluster = partial(search_partitions, search=search_in_tasks)
"""A `Search` (`analysis.vectors.nearest`) that needs a cluster that is connected."""
