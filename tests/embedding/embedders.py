"""An embedder that needs no model, for testing what happens around one."""

import hashlib
from collections.abc import Sequence

import numpy as np


class CountingEmbedder:
    """Gives each text its own pseudo-random unit vector and remembers the batches it was asked for."""

    device = "cpu"

    def __init__(self, dimensions: int = 8) -> None:
        self.dimensions = dimensions
        self.batches: list[list[str]] = []

    def lengths(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([len(text) for text in texts])

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.batches.append(list(texts))
        return np.stack([vector_of(text, self.dimensions) for text in texts])

    @property
    def embedded(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


def vector_of(text: str, dimensions: int = 8) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    vector = np.random.default_rng(seed).standard_normal(dimensions)
    return (vector / np.linalg.norm(vector)).astype(np.float32)
