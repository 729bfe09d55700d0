"""What an encoder is: texts in, unit vectors out; and the one in use, which computes only what no run has yet."""

import time
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from backlink_audit.embedding.cache import VectorCache
from backlink_audit.progress import Progress, silent

_TEXT_WORK = 20  # work of a text besides its letters, in letters

_SECONDS_BETWEEN_STORES = 2.0  # at most this much work is lost when the process is killed


class Encoder(Protocol):
    """Turns texts into vectors. Tests pass a toy; `load_encoder` gives the real ones."""

    name: str
    dimensions: int

    @property
    def device(self) -> str: ...

    @property
    def identity(self) -> str: ...

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return one row per text, float32 of shape (len(texts), dimensions), each of length 1.

        Texts may repeat; each distinct text is embedded once. May raise Cancelled through `on_progress`.
        """
        ...


Batch = tuple[np.ndarray, np.ndarray]  # positions in the texts asked for, and their float32 unit rows


class Embedder(Protocol):
    """A model at work. It has its own order and size of batches."""

    @property
    def device(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Iterator[Batch]: ...


def number_texts(texts: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Return the distinct texts in the order in which they are first met, and the number of each text among them."""
    number_of: dict[str, int] = {}
    numbers = np.fromiter((number_of.setdefault(text, len(number_of)) for text in texts), np.int64, len(texts))
    return list(number_of), numbers


class CachedEncoder:
    """An Encoder that computes only what no earlier run has computed."""

    def __init__(self, name: str, dimensions: int, embedder: Embedder, cache: VectorCache) -> None:
        """Join a model with its cache."""
        self.name = name
        self.dimensions = dimensions
        self._embedder = embedder
        self._cache = cache

    @property
    def device(self) -> str:
        return self._embedder.device

    @property
    def identity(self) -> str:
        return self._cache.keys([""])[0].hex()

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return float32 unit rows, (len(texts), dimensions); see `Encoder`.

        Progress counts the distinct texts that had to be computed, a long one as more: embedders take the longest
        first. What is done when a run is stopped stays cached.
        """
        distinct, numbers = number_texts(texts)
        vectors = np.empty((len(distinct), self.dimensions), dtype=np.float32)
        keys = self._cache.keys(distinct)
        missing = np.flatnonzero(~self._cache.fill(keys, vectors))
        if len(missing):
            self._compute(distinct, keys, missing, vectors, on_progress)
        return vectors if len(distinct) == len(texts) else vectors[numbers]

    def _compute(
        self,
        texts: Sequence[str],
        keys: Sequence[bytes],
        missing: np.ndarray,
        vectors: np.ndarray,
        on_progress: Progress,
    ) -> None:
        """Embed the rows `missing` of `vectors`, and store them every few seconds and at the end, however it ends."""
        total, done = len(missing), 0.0
        work = np.array([_TEXT_WORK + len(texts[row]) for row in missing], dtype=np.float64)
        share = total / work.sum()
        unsaved: list[int] = []
        saved_at = time.monotonic()
        on_progress("Embedding texts", 0, total)
        try:
            for positions, batch in self._embedder.embed([texts[row] for row in missing]):
                rows = missing[positions]
                vectors[rows] = batch
                unsaved.extend(rows)
                done += work[positions].sum() * share
                if time.monotonic() - saved_at > _SECONDS_BETWEEN_STORES:
                    self._store(keys, unsaved, vectors)
                    unsaved, saved_at = [], time.monotonic()
                on_progress("Embedding texts", round(done), total)
        finally:
            self._store(keys, unsaved, vectors)

    def _store(self, keys: Sequence[bytes], rows: Sequence[int], vectors: np.ndarray) -> None:
        self._cache.store([keys[row] for row in rows], vectors[rows])
