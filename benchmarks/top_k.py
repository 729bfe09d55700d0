"""The 15 most similar of 50,000 vectors for each of them: ours beside scikit-learn and sentence-transformers.

    python -m benchmarks.top_k

Exact ways only; each in a process of its own, on the same made-up vectors. Extra memory is the peak above that of the
process with the vectors and the libraries loaded.
"""

import resource
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import MIB_PER_KIB, machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.top_k"
ROWS, DIMENSIONS, K = 50_000, 384, 15
TOPICS = 500
"""Vectors lie around this many centres, as those of a site's pages do."""


def make_vectors() -> np.ndarray:
    """Return float32 unit rows, (ROWS, DIMENSIONS)."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32)
    vectors = centres[rng.integers(0, TOPICS, ROWS)]
    vectors += 1.2 * rng.standard_normal((ROWS, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def ours(file: str) -> dict[str, float]:
    """Time analysis.similarity.top_k."""
    from backlink_audit.analysis.similarity import top_k

    vectors = np.load(file)
    figures, start = {"rows": float(ROWS)}, _peak()
    with timed(figures):
        top_k(vectors, vectors, K, exclude_self=True)
    return {**figures, "extra": _peak() - start}


def sklearn_cosine(file: str) -> dict[str, float]:
    """Time scikit-learn's brute-force neighbours by cosine."""
    return _sklearn(file, "cosine")


def sklearn_euclidean(file: str) -> dict[str, float]:
    """Time scikit-learn's brute-force neighbours by distance, the same order for unit vectors."""
    return _sklearn(file, "euclidean")


def semantic_search(file: str) -> dict[str, float]:
    """Time sentence_transformers.util.semantic_search."""
    import torch
    from sentence_transformers.util import semantic_search as search

    vectors = torch.from_numpy(np.load(file))
    figures, start = {"rows": float(ROWS)}, _peak()
    with timed(figures):
        search(vectors, vectors, top_k=K + 1)
    return {**figures, "extra": _peak() - start}


def _sklearn(file: str, metric: str) -> dict[str, float]:
    from sklearn.neighbors import NearestNeighbors

    vectors = np.load(file)
    figures, start = {"rows": float(ROWS)}, _peak()
    with timed(figures):
        NearestNeighbors(n_neighbors=K, metric=metric, algorithm="brute").fit(vectors).kneighbors()
    return {**figures, "extra": _peak() - start}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MIB_PER_KIB


STEPS = {step.__name__: step for step in (ours, semantic_search, sklearn_euclidean, sklearn_cosine)}


def main() -> None:
    """Measure every way and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npy"
        np.save(file, make_vectors())
        steps = {name: run_step(MODULE, name, str(file)) for name in STEPS}
    rows = [[f"`{name}`", f"{step['seconds']:.1f}", f"{step['extra']:,.0f}"] for name, step in steps.items()]
    write_section("Top 15 of 50,000 x 384, exact", f"{before}.\n\n{table(('way', 'seconds', 'extra peak MiB'), rows)}")


if __name__ == "__main__" and not step_asked_for(STEPS):
    main()
