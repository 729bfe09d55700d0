"""A map of texts: unit vectors laid out in two dimensions so that similar texts are near each other."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

PERPLEXITY = 30
"""About how many neighbours a point keeps near (the usual choice, van der Maaten and Hinton 2008)."""
COMPONENTS = 50
"""Dimensions that t-SNE starts from, as its authors advise."""
FEWEST_FOR_TSNE = 8
"""Below so many distinct points the two principal components say as much."""


def lay_out(vectors: np.ndarray, seed: int) -> np.ndarray:
    """Return a place for each row, float (rows, 2), within -1 to 1; equal rows share theirs.

    t-SNE from scikit-learn, begun at the principal components. Distances between far groups mean little, nearness
    means likeness. The same vectors and seed give the same map: it runs in one thread.
    """
    distinct, where = np.unique(vectors, axis=0, return_inverse=True)
    with threadpool_limits(1):
        places = _principal(distinct, 2)
        if len(distinct) >= FEWEST_FOR_TSNE:
            places = TSNE(
                init="pca",
                learning_rate="auto",
                perplexity=min(PERPLEXITY, (len(distinct) - 1) / 3),
                random_state=seed,
            ).fit_transform(_principal(distinct, COMPONENTS))
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    return (places / max(np.abs(places).max(), 1e-9))[where.ravel()]


def _principal(vectors: np.ndarray, wanted: int) -> np.ndarray:
    """Return the first principal components, as float32 (rows, wanted); zeros where there are fewer."""
    number = min(wanted, *vectors.shape)
    if len(vectors) == 1:
        return np.zeros((1, wanted), dtype=np.float32)
    found = PCA(number, svd_solver="full").fit_transform(vectors)
    return np.pad(found, ((0, 0), (0, wanted - number))).astype(np.float32)
