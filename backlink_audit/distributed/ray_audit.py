"""An audit in parts on a Ray cluster: each stage is a Ray Data job over the parts, embedding has actors of its own.

    clean -> distinct texts -> embedding actors -> compare -> judge -> parquet

All nodes see the folder of the run. Every task writes one file, whole or not at all, and does nothing where that file
is there: so a task can be done again when its node has died, and a run can be repeated over partial output.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from backlink_audit.audit.parts import AuditRun, PartedAudit, Work, begin, run_stages
from backlink_audit.distributed.cluster import (
    ClusterEncoder,
    Load,
    cluster,
    embed_chunks,
    finished,
    numbers_apart,
    problem_in,
    require_shared_folder,
)
from backlink_audit.distributed.processes import TEXTS_PER_CHUNK, StoredVectors, chunk_texts, write_texts
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.embedding.nearest import Partitions, Searched, search_batch, search_partitions
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import Export
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings, InterlinkSettings
from backlink_audit.site.vectors import PageVectors
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.link_texts import LinkedSites
from backlink_audit.wording import count


@dataclass(frozen=True)
class ClusterAudit:
    """A finished audit, and who embedded its texts: (node, process) pairs; none where an earlier run had done it."""

    audit: PartedAudit
    workers: frozenset[tuple[str, int]]

    @property
    def nodes(self) -> frozenset[str]:
        return frozenset(node for node, _ in self.workers)

    @property
    def sentence(self) -> str:
        """Where the texts were embedded, in words."""
        if not self.workers:
            return "All texts were already embedded."
        return f"Texts embedded with {count(len(self.workers), 'worker')} on {count(len(self.nodes), 'node')}."


def audit_on_ray(
    export: PartedExport,
    settings: AuditSettings,
    folder: Path,
    sources: Sources = NO_SOURCES,
    *,
    address: str | None = None,
    load: Load = load_encoder,
    on_progress: Progress = silent,
) -> ClusterAudit:
    """Audit an export in parts on the cluster at `address` (default: one of this machine's cores, made for the run).

    `folder` is one that all nodes see. The rows are those of `run_stages`. Raises AuditError where Ray is not
    installed or the cluster cannot be reached, and whatever `run_stages` raises.
    """
    run = begin(export, settings, folder, sources)
    with cluster(address):
        require_shared_folder(folder)
        workers = OnRay(settings.model, load, on_progress)
        return ClusterAudit(run_stages(run, workers), workers.embedded_by)


class OnRay:
    """Workers: the tasks and actors of the cluster that is connected."""

    device = "cluster"

    def __init__(self, model: str, load: Load, on_progress: Progress) -> None:
        """`load` gives the model to every actor that embeds, by its name."""
        self.model = model
        self.embedded_by: frozenset[tuple[str, int]] = frozenset()
        self._load = load
        self._on_progress = on_progress

    def each(self, what: str, run: AuditRun, work: Work) -> None:
        """Do the work for every part, each in a task of its own."""

        def task(row: dict[str, Any]) -> dict[str, Any]:
            return {"problem": problem_in(lambda: work(int(row["number"]), silent))}

        tasks = numbers_apart(range(run.parts)).map(task, num_cpus=1)
        for _ in finished(what, tasks, run.parts, self._on_progress):
            pass

    def encoders(self, run: AuditRun, sites: LinkedSites) -> Callable[[int], Encoder]:
        """Have every distinct text embedded, and return what looks up the vectors of a part's texts."""
        self.each("Reading texts", run, lambda number, _: write_texts(run, number, sites))
        chunks = chunk_texts(run, TEXTS_PER_CHUNK)
        self.embedded_by = embed_chunks(run.folder, chunks, self.model, self._load, self._on_progress)
        return partial(StoredVectors, run.folder)


def find_internal_links_on_ray(
    pages: Export,
    settings: InterlinkSettings,
    encoder: Encoder,
    folder: Path,
    sources: Sources = NO_SOURCES,
    vectors: PageVectors | None = None,
    *,
    address: str | None = None,
    load: Load = load_encoder,
    on_progress: Progress = silent,
) -> Opportunities:
    """Find the links that the pages of a crawl should have, on the cluster at `address`.

    Without an address one of this machine's cores is made for the run. `encoder` is the model on this machine, and
    embeds nothing. `folder` is one that all nodes see, and keeps the vectors. Up to `EXACT_ROWS` pages the result is
    that of `find_internal_links`; beyond, candidates come from partitions instead of a graph. Raises AuditError where
    Ray is not installed or the cluster cannot be reached, and whatever `find_internal_links` raises.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with cluster(address):
        require_shared_folder(folder)
        spread = ClusterEncoder(encoder, settings.model, folder, load)
        return find_internal_links(pages, settings, spread, sources, vectors, on_progress, search=search_on_cluster)


TASKS_PER_CPU = 2  # handed over at a time: more results than are fetched would fill the memory of the nodes


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
