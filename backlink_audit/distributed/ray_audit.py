"""An audit in parts on a Ray cluster, reached or made for the run: each stage is a Ray Data job over the parts.

    clean -> distinct texts -> embedding actors -> compare -> judge -> parquet

All nodes see the folder of the run. Every task writes one file, whole or not at all, and does nothing where that file
is there: so a task can be done again when its node has died, and a run can be repeated over partial output.
"""

import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from backlink_audit.audit.parts import AuditRun, PartedAudit, Work, begin, run_stages
from backlink_audit.distributed import processes
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.models import load_encoder
from backlink_audit.errors import AuditError
from backlink_audit.exports.parts import PartedExport
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.link_texts import LinkedSites
from backlink_audit.wording import count

PACKAGE = Path(__file__).parent.parent
SECONDS_TO_ANSWER = 10  # how long a cluster may take to answer the first request
GOES_ON = "the finished parts are saved: run the same command again to continue."
CPUS_LEFT_FREE = 1  # actors that took every CPU would leave none to those that read and write, and the job would hang

Load = Callable[[str], Encoder]


def _knock(address: str | None) -> None:
    if address and address != "auto":
        place = urlsplit(address if "//" in address else f"//{address}")
        if place.hostname is None or place.port is None:
            raise ValueError("write it as host:port.")
        socket.create_connection((place.hostname, place.port), timeout=SECONDS_TO_ANSWER).close()


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Connect to the cluster, or make one of this machine's cores; one connected before stays. Raises AuditError."""
    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    try:
        import ray
        import ray.data
        from ray.exceptions import RayError, RayTaskError
    except ImportError as missing:
        raise AuditError(
            "Ray is not installed; run `pip install 'backlink-audit[cluster]'` on every node."
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
        raise AuditError(f"The Ray cluster {address or 'of this machine'} cannot be reached: {reason}") from problem
    try:
        yield
    except RayTaskError:
        raise  # a mistake in the program, to be seen whole
    except RayError as problem:
        words = (str(problem).strip() or type(problem).__name__).splitlines()[0]
        raise AuditError(f"The Ray cluster could not finish the run ({words}); {GOES_ON}") from problem
    finally:
        if ours:
            ray.shutdown()


def require_shared_folder(folder: Path) -> None:
    """Raise AuditError if a node that may be given work does not see the folder of the run."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    sees = ray.remote(num_cpus=0)(lambda: folder.is_dir())
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    answers = [
        sees.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote()
        for node in nodes
    ]
    lacking = [node["NodeManagerAddress"] for node, answer in zip(nodes, ray.get(answers), strict=True) if not answer]
    if lacking:
        raise AuditError(
            f"{folder}: the node {lacking[0]} of the Ray cluster has no access to this folder; set --folder to a "
            "folder that all nodes can access."
        )


def numbers_apart(numbers: Sequence[int]) -> Any:
    """Return the numbers as a dataset with a block for each, so that no worker waits for another's."""
    import ray

    return ray.data.from_items([{"number": number} for number in numbers], override_num_blocks=len(numbers))


def problem_in(work: Callable[[], None]) -> str:
    """Do some work of a task, and return what went wrong in a sentence, "" if nothing did.

    Ray hands on an exception as a traceback in text, in which the exception itself is lost.
    """
    try:
        work()
    except AuditError as problem:
        return str(problem)
    except OSError as problem:
        return f"A node of the Ray cluster failed ({problem.strerror or problem}); {GOES_ON}"
    return ""


def finished(what: str, tasks: Any, total: int, on_progress: Progress) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset as its tasks come to their end. Raises AuditError with the problem of one of them."""
    for number, row in enumerate(tasks.iter_rows()):
        if row["problem"]:
            raise AuditError(row["problem"])
        on_progress(what, number + 1, total)
        yield row


def embed_chunks(
    folder: Path, chunks: int, model: str, load: Load, on_progress: Progress = silent
) -> frozenset[tuple[str, int]]:
    """Embed the chunks without vectors; return who did, as (node, process) pairs. Raises AuditError."""
    import ray

    missing = [chunk for chunk in range(chunks) if not processes.vectors_of(folder, chunk).exists()]
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
        for row in finished("Embedding texts", embedded, len(missing), on_progress)
    )


class _Embedder:
    """An actor with the model in memory, once there is something to embed."""

    def __init__(self, folder: Path, model: str, load: Load) -> None:
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
        processes.embed_chunk(self._folder, chunk, self._encoder)


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
        self.each("Reading texts", run, lambda number, _: processes.write_texts(run, number, sites))
        chunks = processes.chunk_texts(run, processes.TEXTS_PER_CHUNK)
        self.embedded_by = embed_chunks(run.folder, chunks, self.model, self._load, self._on_progress)
        return partial(processes.StoredVectors, run.folder)
