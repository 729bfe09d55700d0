"""An embedder that needs no model, for testing what happens around one."""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

BATCH = 4
"""Texts in a batch."""


class CountingEmbedder:
    """Gives each text its own pseudo-random unit vector and remembers the batches it was asked for."""

    device = "cpu"

    def __init__(self, dimensions: int = 8) -> None:
        self.dimensions = dimensions
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for start in range(0, len(texts), BATCH):
            batch = list(texts[start : start + BATCH])
            self.batches.append(batch)
            yield np.arange(start, start + len(batch)), np.stack([vector_of(text, self.dimensions) for text in batch])

    @property
    def embedded(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


def vector_of(text: str, dimensions: int = 8) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    vector = np.random.default_rng(seed).standard_normal(dimensions)
    return (vector / np.linalg.norm(vector)).astype(np.float32)
