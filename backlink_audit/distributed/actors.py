"""Texts in chunks, embedded by actors of a Ray cluster: each loads the model, on a GPU where its node has one."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backlink_audit.distributed.cluster import finished, numbers_apart, problem_in
from backlink_audit.distributed.texts import TEXTS_PER_CHUNK, embed_chunk, vectors_of, write_chunk
from backlink_audit.embedding.encoder import Encoder, number_texts
from backlink_audit.pipelines.run_folders import digest
from backlink_audit.progress import Progress, silent

CPUS_LEFT_FREE = 1
"""Actors that took every CPU would leave none to those that read and write, and the job would hang."""

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
