"""An audit in parts on a Ray cluster: each stage is a Ray Data job over the parts, embedding has actors of its own.

    clean -> distinct texts -> embedding actors -> compare -> judge -> parquet

All nodes see the folder of the run. Every task writes one file, whole or not at all, and does nothing where that file
is there: so a task can be done again when its node has died, and a run can be repeated over partial output.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backlink_audit.distributed.cluster import cluster, numbers_apart, problem_in, refuse_blind_nodes
from backlink_audit.distributed.texts import (
    TEXTS_PER_CHUNK,
    StoredVectors,
    embed_chunk,
    number_texts,
    vectors_of,
    write_texts,
)
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.errors import AuditError
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit_parts import PartedAudit, begin, finish
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.wording import count

CPUS_LEFT_FREE = 1
"""Actors that took every CPU would leave none to those that read and write, and the job would hang."""


@dataclass(frozen=True)
class ClusterAudit:
    """A finished audit, and who embedded its texts: (node, process) pairs; none where an earlier run had done it."""

    audit: PartedAudit
    workers: frozenset[tuple[str, int]]

    @property
    def nodes(self) -> frozenset[str]:
        """The nodes that embedded."""
        return frozenset(node for node, _ in self.workers)

    @property
    def sentence(self) -> str:
        """Where the texts were embedded, in words."""
        if not self.workers:
            return "Every text had been embedded before."
        return f"Texts embedded by {count(len(self.workers), 'worker')} on {count(len(self.nodes), 'node')}."


def audit_on_ray(
    export: PartedExport,
    settings: AuditSettings,
    folder: Path,
    pages: Export | None = None,
    *,
    address: str | None = None,
    load: Callable[[str], Encoder] = load_encoder,
    on_progress: Progress = silent,
) -> ClusterAudit:
    """Audit an export in parts on the cluster at `address` (default: one of this machine's cores, made for the run).

    `folder` is one that all nodes see. The rows are those of `audit_parts`. Raises AuditError where Ray is not
    installed or the cluster cannot be reached, and whatever `audit_parts` raises.
    """
    run = begin(export, settings, folder, pages)
    with cluster(address):
        refuse_blind_nodes(folder)
        run.find_repeats()
        _each("Cleaning", run.clean, run.parts, on_progress)
        run.removed()
        targets = run.targets()
        _each("Reading texts", lambda number: write_texts(run, number, targets), run.parts, on_progress)
        workers = _embed(folder, number_texts(run, TEXTS_PER_CHUNK), settings.model, load, on_progress)
        _each(
            "Comparing",
            lambda number: run.compare(number, targets, StoredVectors(folder, number)),
            run.parts,
            on_progress,
        )
        run.rank()
        _each("Judging", run.judge, run.parts, on_progress)
    return ClusterAudit(finish(run, settings.model), workers)


class _Embedder:
    """An actor that holds the model, once it has been asked for something."""

    def __init__(self, folder: Path, model: str, load: Callable[[str], Encoder]) -> None:
        self._folder = folder
        self._model = model
        self._load = load
        self._encoder: Encoder | None = None

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        import ray

        here = {"node": ray.get_runtime_context().get_node_id(), "process": os.getpid()}
        return {**here, "problem": problem_in(lambda: self._embed(int(row["number"])))}

    def _embed(self, chunk: int) -> None:
        self._encoder = self._encoder or self._load(self._model)
        embed_chunk(self._folder, chunk, self._encoder)


def _embed(
    folder: Path, chunks: int, model: str, load: Callable[[str], Encoder], on_progress: Progress
) -> frozenset[tuple[str, int]]:
    """Embed the chunks that have no vectors yet in actors, on GPUs where the cluster has any; return who did."""
    import ray

    missing = [chunk for chunk in range(chunks) if not vectors_of(folder, chunk).exists()]
    if not missing:
        return frozenset()
    resources = ray.cluster_resources()
    gpus = int(resources.get("GPU", 0))
    actors = gpus or max(1, int(resources.get("CPU", 1)) - CPUS_LEFT_FREE)
    embedded = numbers_apart(missing).map(
        _Embedder,
        fn_constructor_args=(folder, model, load),
        concurrency=(1, min(actors, len(missing))),
        num_cpus=1,
        num_gpus=1 if gpus else 0,
    )
    return frozenset(
        (str(row["node"]), int(row["process"]))
        for row in _finished("Embedding texts", embedded, len(missing), on_progress)
    )


def _each(what: str, work: Callable[[int], None], total: int, on_progress: Progress) -> None:
    """Do the work for every number below `total`, each in a task of its own."""

    def task(row: dict[str, Any]) -> dict[str, Any]:
        return {"problem": problem_in(lambda: work(int(row["number"])))}

    for _ in _finished(what, numbers_apart(range(total)).map(task, num_cpus=1), total, on_progress):
        pass


def _finished(what: str, tasks: Any, total: int, on_progress: Progress) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset as its tasks come to their end. Raises AuditError with the problem of one of them."""
    for number, row in enumerate(tasks.iter_rows()):
        if row["problem"]:
            raise AuditError(row["problem"])
        on_progress(what, number + 1, total)
        yield row
