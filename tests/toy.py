"""A deterministic encoder without a model: texts that share words get similar vectors."""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import import_module

import numpy as np

from backlink_audit.limited_child import ChildEnded
from backlink_audit.progress import Progress, silent
from backlink_audit.sources import NO_SOURCES


class ToyEncoder:
    """Sums one pseudo-random unit vector per word; the same text always gives the same vector."""

    name = "toy"
    identity = "toy"
    device = "toy"

    def __init__(self, dimensions: int = 64) -> None:
        """Remember the size and, for tests, every text that was asked for."""
        self.dimensions = dimensions
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return float32 unit rows, shape (len(texts), dimensions)."""
        self.seen.extend(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split() or ["\0"]:
                vectors[row] += _word_vector(word, self.dimensions)
        on_progress("Embedding", len(texts), len(texts))
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-9)


@cache
def _word_vector(word: str, dimensions: int) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    vector = np.random.default_rng(seed).standard_normal(dimensions)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def run_here(task: str, limit: str, *given: object) -> bytes:
    """Stand in for `limited_child.run` within this process, which is quicker."""
    module, _, name = task.partition(":")
    found = getattr(import_module(module), name)(*given)
    if isinstance(found, bytes):
        return found
    raise ChildEnded(found)


def audit_parts(export, settings, encoder, folder, sources=NO_SOURCES, on_progress=silent):
    """Audit an export in parts in this process."""
    from backlink_audit.audit.parts import Here, begin, run_stages

    return run_stages(begin(export, settings, folder, sources), Here(encoder, on_progress))
