"""A static model at work: the mean of its word pieces' vectors, without a network and without torch."""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from backlink_audit.embedding.catalogue import Model
from backlink_audit.embedding.encoder import Batch
from backlink_audit.embedding.transformer import FROM_CACHE, first_line, sound_text
from backlink_audit.errors import ModelUnavailable

if TYPE_CHECKING:
    from model2vec import StaticModel

TEXTS_AT_ONCE = 8_192
"""Texts of a batch: a third of a second's work, between two reports of progress."""

_loading = threading.Lock()


class StaticEmbedder:
    """The vectors in `folder`, loaded when first needed; raises ModelUnavailable then if they do not fit `model`."""

    def __init__(self, model: Model, folder: Path) -> None:
        """Remember what to load from where."""
        self.model = model
        self.folder = folder
        self._loaded: StaticModel | None = None

    @property
    def longest_input(self) -> int:
        """Tokens of a text that count; the rest is cut."""
        return self.model.longest_input

    @property
    def device(self) -> str:
        """Where it computes: "cpu"; "cache" while nothing had to be computed."""
        return FROM_CACHE if self._loaded is None else "cpu"

    def embed(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield batch after batch of (positions in `texts`, their float32 unit rows), in the order of the texts."""
        table = self._table()
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            part = [sound_text(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            # Threads of its own would compete with the tokenizer's.
            vectors = table.encode(part, max_length=self.longest_input, use_multiprocessing=False)
            yield np.arange(start, start + len(part)), with_directions(vectors.astype(np.float32, copy=False), part)

    def _table(self) -> "StaticModel":
        with _loading:
            if self._loaded is None:
                self._loaded = _load(self.model, self.folder)
            return self._loaded


def with_directions(vectors: np.ndarray, texts: Sequence[str]) -> np.ndarray:
    """Return the unit rows, where a row of zeros gets a direction of its own, made of its text.

    Zeros are what a text without any known word piece comes to. It must be like nothing but itself: with one vector
    for all of them, any two would be the same.
    """
    for row in np.flatnonzero(~vectors.any(axis=1)).tolist():
        seed = int.from_bytes(hashlib.blake2b(texts[row].encode(), digest_size=8).digest(), "little")
        direction = np.random.default_rng(seed).standard_normal(vectors.shape[1])
        vectors[row] = direction / np.linalg.norm(direction)
    return vectors


def _load(model: Model, folder: Path) -> "StaticModel":
    """Load the vectors and see that they are those of the catalogue; raises ModelUnavailable."""
    from model2vec import StaticModel

    try:
        table = StaticModel.from_pretrained(folder)
    except Exception as problem:  # a folder that is no such model makes the library raise whatever it likes
        raise ModelUnavailable(
            f"The model {model.name} in {folder} cannot be loaded ({first_line(problem)}); delete that folder, and "
            "the model is created again."
        ) from problem
    if table.dim != model.dimensions:
        raise ModelUnavailable(
            f"The files of {model.name} in {folder} give vectors with {table.dim} dimensions instead of "
            f"{model.dimensions}, so they are from another model."
        )
    return table
