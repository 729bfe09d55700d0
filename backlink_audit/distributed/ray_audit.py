"""An audit in parts on a Ray cluster: each stage is a Ray Data job over the parts, embedding has actors of its own.

    clean -> distinct texts -> embedding actors -> compare -> judge -> parquet

All nodes see the folder of the run. Every task writes one file, whole or not at all, and does nothing where that file
is there: so a task can be done again when its node has died, and a run can be repeated over partial output.
"""

import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from backlink_audit.distributed.texts import TEXTS_PER_CHUNK, StoredVectors, embed_chunk, number_texts, write_texts
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.errors import AuditError
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit_parts import PartedAudit, begin, finish
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.wording import count

PACKAGE = Path(__file__).parent.parent
CPUS_LEFT_FREE = 1
"""Actors that took every CPU would leave none to those that read and write, and the job would hang."""

SECONDS_TO_ANSWER = 10


@dataclass(frozen=True)
class ClusterAudit:
    """A finished audit, and who embedded its texts: (node, process) pairs; none where nothing was left to embed."""

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
    with _cluster(address):
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
    """An actor that holds the model."""

    def __init__(self, folder: Path, model: str, load: Callable[[str], Encoder]) -> None:
        self._folder = folder
        self._encoder = load(model)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        import ray

        for chunk in batch["number"]:
            embed_chunk(self._folder, int(chunk), self._encoder)
        here = ray.get_runtime_context().get_node_id()
        return {"node": [here] * len(batch["number"]), "process": [os.getpid()] * len(batch["number"])}


def _embed(
    folder: Path, chunks: int, model: str, load: Callable[[str], Encoder], on_progress: Progress
) -> frozenset[tuple[str, int]]:
    """Embed all chunks in actors, on GPUs where the cluster has any; return who did."""
    import ray

    resources = ray.cluster_resources()
    gpus = int(resources.get("GPU", 0))
    actors = gpus or max(1, int(resources.get("CPU", 1)) - CPUS_LEFT_FREE)
    done = _numbers(chunks).map_batches(
        _Embedder,
        fn_constructor_args=(folder, model, load),
        batch_size=1,
        concurrency=(1, min(actors, chunks)),
        num_cpus=1,
        num_gpus=1 if gpus else 0,
    )
    workers = set()
    for number, row in enumerate(done.iter_rows()):
        on_progress("Embedding texts", number + 1, chunks)
        workers.add((str(row["node"]), int(row["process"])))
    return frozenset(workers)


def _each(what: str, work: Callable[[int], None], total: int, on_progress: Progress) -> None:
    """Do the work for every number below `total`, each in a task of its own."""

    def task(row: dict[str, Any]) -> dict[str, Any]:
        work(int(row["number"]))
        return row

    for done, _ in enumerate(_numbers(total).map(task, num_cpus=1).iter_rows()):
        on_progress(what, done + 1, total)


def _numbers(total: int) -> Any:
    """Return the numbers below `total` as a dataset with a block for each, so that no worker waits for another's."""
    import ray

    return ray.data.from_items([{"number": number} for number in range(total)], override_num_blocks=total)


def _knock(address: str | None) -> None:
    """Raise OSError or ValueError if nobody answers at "host:port"; Ray itself would try for a quarter of an hour."""
    if address and address != "auto":
        place = urlsplit(address if "//" in address else f"//{address}")
        if place.hostname is None or place.port is None:
            raise ValueError("give it as host:port.")
        socket.create_connection((place.hostname, place.port), timeout=SECONDS_TO_ANSWER).close()


@contextmanager
def _cluster(address: str | None) -> Iterator[None]:
    """Connect to the cluster, or make one of this machine's cores; leave one that was connected before as it is."""
    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "error")
    try:
        import ray
        import ray.data
    except ImportError as missing:
        raise AuditError(
            "The engine ray is not installed; run `pip install -r requirements-cluster.txt` on every node."
        ) from missing
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    ours = not ray.is_initialized()
    try:
        if ours:
            _knock(address)
            ray.init(
                address=address,
                runtime_env={"py_modules": [str(PACKAGE)]},
                logging_level=logging.ERROR,
                log_to_driver=False,
                include_dashboard=None if address else False,
            )
    except (OSError, RuntimeError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem).strip() or type(problem).__name__
        reason = reason.splitlines()[0]
        raise AuditError(f"The cluster {address or 'of this machine'} cannot be reached: {reason}") from problem
    try:
        yield
    finally:
        if ours:
            ray.shutdown()
