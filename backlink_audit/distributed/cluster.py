"""A Ray cluster to work on: reached or made for the run, its nodes checked for access to the folder."""

import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from backlink_audit.audit.run_folders import digest
from backlink_audit.distributed.processes import TEXTS_PER_CHUNK, embed_chunk, vectors_of, write_chunk
from backlink_audit.embedding.encoder import Encoder, number_texts
from backlink_audit.errors import AuditError
from backlink_audit.progress import Progress, silent

PACKAGE = Path(__file__).parent.parent
SECONDS_TO_ANSWER = 10  # how long a cluster may take to answer the first request
GOES_ON = "the finished parts are saved: run the same command again to continue."


def _knock(address: str | None) -> None:
    if address and address != "auto":
        place = urlsplit(address if "//" in address else f"//{address}")
        if place.hostname is None or place.port is None:
            raise ValueError("write it as host:port.")
        socket.create_connection((place.hostname, place.port), timeout=SECONDS_TO_ANSWER).close()


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Connect to the cluster, or make one of this machine's cores; leave one that was connected before as it is.

    Raises AuditError where Ray is not installed, where the cluster cannot be reached, and where it breaks down.
    """
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


CPUS_LEFT_FREE = 1  # actors that took every CPU would leave none to those that read and write, and the job would hang

Load = Callable[[str], Encoder]


class ClusterEncoder:
    """An Encoder that has the actors of a cluster embed; `folder` is one that all nodes see, and keeps the vectors.

    The same texts are embedded once, also by another process, as long as the folder is there.
    """

    def __init__(self, local: Encoder, model: str, folder: Path, load: Load) -> None:
        """`local` is the model on this machine, and embeds nothing; `load` gives it to every actor, by its name."""
        self.name = local.name
        self.dimensions = local.dimensions
        self.device = "cluster"
        self.identity = local.identity
        self._model = model
        self._folder = folder
        self._load = load

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return float32 unit rows, (len(texts), dimensions); see `Encoder`."""
        distinct, numbers = number_texts(texts)
        if not distinct:
            return np.empty((0, self.dimensions), dtype=np.float32)
        folder = self._folder / digest(self.identity, *distinct)
        folder.mkdir(parents=True, exist_ok=True)
        chunks = [slice(start, start + TEXTS_PER_CHUNK) for start in range(0, len(distinct), TEXTS_PER_CHUNK)]
        for chunk, rows in enumerate(chunks):
            write_chunk(folder, chunk, distinct[rows])
        embed_chunks(folder, len(chunks), self._model, self._load, on_progress)
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        for chunk, rows in enumerate(chunks):
            vectors[rows] = np.load(vectors_of(folder, chunk))
        return vectors if len(distinct) == len(texts) else vectors[numbers]


def embed_chunks(
    folder: Path, chunks: int, model: str, load: Load, on_progress: Progress = silent
) -> frozenset[tuple[str, int]]:
    """Embed the chunks of the folder that have no vectors yet; return who did, as (node, process) pairs.

    Raises AuditError with what went wrong on a node.
    """
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
        embed_chunk(self._folder, chunk, self._encoder)
