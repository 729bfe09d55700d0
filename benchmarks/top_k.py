"""The 15 most similar of 50,000 vectors for each of them, exactly: ours beside scikit-learn and sentence-transformers.

    python -m benchmarks.top_k

Each in a process of its own, on the same made-up vectors. Extra memory is the peak above that of the process with the
vectors and the libraries loaded. Then 200,000 of 200,000 approximately, through a graph, beside an exact search for
some of them.
"""

import resource
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.measure import MIB_PER_KIB, machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.top_k"
ROWS, DIMENSIONS, K = 50_000, 384, 15
LARGE_ROWS, SAMPLED_ROWS = 200_000, 500
TOPICS = 500
"""Vectors lie around this many centres, as those of a site's pages do."""


def make_vectors(rows: int) -> np.ndarray:
    """Return float32 unit rows, (rows, DIMENSIONS)."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32)
    vectors = centres[rng.integers(0, TOPICS, rows)]
    vectors += 1.2 * rng.standard_normal((rows, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def save_vectors(file: str, rows: str) -> dict[str, float]:
    """Write the vectors; in a process of its own too, whose memory the others do not inherit."""
    np.save(file, make_vectors(int(rows)))
    return {}


def ours(file: str) -> dict[str, float]:
    """Time analysis.similarity.top_k."""
    from backlink_audit.embedding.nearest import top_k

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


def exact_for_some(file: str) -> dict[str, float]:
    """Time analysis.similarity.top_k for SAMPLED_ROWS queries, and return what all would take at this speed."""
    from backlink_audit.embedding.nearest import top_k

    vectors = np.load(file)
    figures, start = {"rows": float(len(vectors))}, _peak()
    with timed(figures):
        top_k(vectors[_sample(len(vectors))], vectors, K + 1)
    figures["seconds"] *= len(vectors) / SAMPLED_ROWS
    return {**figures, "recall": 1.0, "extra": _peak() - start}


def graph(file: str) -> dict[str, float]:
    """Time the graph, as a large site is searched, and compare it with the exact result of some."""
    from backlink_audit.embedding.nearest import nearest, top_k

    vectors = np.load(file)
    figures, start = {"rows": float(len(vectors))}, _peak()
    with timed(figures):
        found, _ = nearest(vectors, vectors, K + 1)
    extra, some = _peak() - start, _sample(len(vectors))
    exact, _ = top_k(vectors[some], vectors, K + 1)
    recall = np.mean([np.isin(right, guess).mean() for right, guess in zip(exact, found[some], strict=True)])
    return {**figures, "recall": float(recall), "extra": extra}


def _sample(rows: int) -> np.ndarray:
    return np.random.default_rng(1).permutation(rows)[:SAMPLED_ROWS]


def _sklearn(file: str, metric: str) -> dict[str, float]:
    from sklearn.neighbors import NearestNeighbors

    vectors = np.load(file)
    figures, start = {"rows": float(ROWS)}, _peak()
    with timed(figures):
        NearestNeighbors(n_neighbors=K, metric=metric, algorithm="brute").fit(vectors).kneighbors()
    return {**figures, "extra": _peak() - start}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MIB_PER_KIB


EXACT = (ours, semantic_search, sklearn_euclidean, sklearn_cosine)
LARGE = (exact_for_some, graph)
STEPS = {step.__name__: step for step in (save_vectors, *EXACT, *LARGE)}


def main() -> None:
    """Measure every way and write the tables."""
    before = machine()
    steps = _measure(EXACT, ROWS)
    rows = [[f"`{name}`", f"{step['seconds']:.1f}", f"{step['extra']:,.0f}"] for name, step in steps.items()]
    write_section("Top 15 of 50,000 x 384, exact", f"{before}.\n\n{table(('way', 'seconds', 'extra peak MiB'), rows)}")


def main_large() -> None:
    """Measure the approximate ways beside the exact one and write the table."""
    before = machine()
    rows = [
        [f"`{name}`", f"{step['seconds']:.0f}", f"{step['recall']:.3f}", f"{step['extra']:,.0f}"]
        for name, step in _measure(LARGE, LARGE_ROWS).items()
    ]
    write_section(
        "Top 15 of 200,000 x 384, approximately",
        f"{before}. The exact way was timed on {SAMPLED_ROWS} queries, and its seconds are those of all.\n\n"
        + table(("way", "seconds", f"recall on {SAMPLED_ROWS}", "extra peak MiB"), rows),
    )


def _measure(ways: Sequence[Callable[[str], dict[str, float]]], rows: int) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "vectors.npy")
        run_step(MODULE, save_vectors.__name__, file, str(rows))
        return {way.__name__: run_step(MODULE, way.__name__, file) for way in ways}


if __name__ == "__main__" and not step_asked_for(STEPS):
    main()
    main_large()
