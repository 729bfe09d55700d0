"""An audit in parts on a Ray cluster: each stage is a Ray Data job over the parts, embedding has actors of its own.

    clean -> distinct texts -> embedding actors -> compare -> judge -> parquet

All nodes see the folder of the run. Every task writes one file, whole or not at all, and does nothing where that file
is there: so a task can be done again when its node has died, and a run can be repeated over partial output.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from backlink_audit.distributed.actors import Load, embed_chunks
from backlink_audit.distributed.cluster import cluster, finished, numbers_apart, problem_in, require_shared_folder
from backlink_audit.distributed.texts import TEXTS_PER_CHUNK, StoredVectors, chunk_texts, write_texts
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.exports.parts import PartedExport
from backlink_audit.pipelines.audit.part_stages import AuditRun, LinkedSites
from backlink_audit.pipelines.audit.parts import PartedAudit, Work, begin, run_stages
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.wording import count


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

    `folder` is one that all nodes see. The rows are those of `audit_parts`. Raises AuditError where Ray is not
    installed or the cluster cannot be reached, and whatever `audit_parts` raises.
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
