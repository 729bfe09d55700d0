"""Pages in groups of like subject: k-means on unit vectors, and how many groups there are.

Vectors are float32 of length 1, one row per page. On unit vectors Euclidean k-means groups by cosine. Everything runs
with a fixed seed in one thread, because sums taken in another order can tip a page into another group.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import silhouette_samples
from threadpoolctl import threadpool_limits

from backlink_audit.progress import Progress, silent

MINI_BATCH_ABOVE = 20_000
"""Pages above which k-means learns from batches instead of all pages at every step."""
BATCH = 4_096
STARTS = 10
"""Independent starts, of which the tightest grouping is kept."""
STARTS_WHILE_CHOOSING = 3
MOST_TRIED = 12
"""Numbers of groups that are tried where the site's size sets the range."""
LARGEST_MIDDLE = 50
"""The middle of that range is never higher: nobody reads several hundred clusters."""
FEWEST_OF_A_SET = 3
"""Pages of a language from which on it has groups of its own."""
SILHOUETTE_PAGES = 2_000
"""Pages the silhouette is taken over: its cost grows with the square. An even sample of a larger site."""


@dataclass(frozen=True, eq=False)
class Partition:
    """A grouping: `labels` int (pages,) from 0, the largest group first; `centres` unit rows (groups, dimensions)."""

    labels: np.ndarray
    centres: np.ndarray

    @property
    def k(self) -> int:
        """How many groups there are."""
        return len(self.centres)

    @property
    def sizes(self) -> np.ndarray:
        """How many pages each group has, int (groups,)."""
        return np.bincount(self.labels, minlength=self.k)

    def similarities(self, vectors: np.ndarray) -> np.ndarray:
        """Return the cosine of each page to the centre of its group, float32 (pages,), -1 to 1."""
        return np.einsum("ij,ij->i", vectors, self.centres[self.labels]).clip(-1, 1)

    def middles(self, vectors: np.ndarray) -> np.ndarray:
        """Return the page nearest to each centre, int (groups,); of equals the first."""
        order = np.lexsort((-self.similarities(vectors), self.labels))
        return order[np.searchsorted(self.labels[order], np.arange(self.k))]


def most_groups(vectors: np.ndarray) -> int:
    """Return the highest number of groups that make sense: below the number of pages, at most one per distinct vector.

    >>> most_groups(np.eye(4, dtype=np.float32)), most_groups(np.ones((4, 1), dtype=np.float32))
    (3, 1)
    """
    return max(1, min(len(vectors) - 1, len(np.unique(vectors, axis=0))))


def group(vectors: np.ndarray, k: int, seed: int, *, starts: int = STARTS) -> Partition:
    """Return the pages in k groups, or in as many as make sense. There must be a page.

    The same vectors, k and seed give the same groups, on any number of cores.
    """
    k = min(k, most_groups(vectors))
    with threadpool_limits(1):
        if len(vectors) > MINI_BATCH_ABOVE:
            model = MiniBatchKMeans(k, batch_size=BATCH, n_init=starts, random_state=seed)
        else:
            model = KMeans(k, n_init=starts, random_state=seed)
        labels = model.fit_predict(vectors)
    return partition(vectors, labels)


def group_within(vectors: np.ndarray, k: int, seed: int, sets: np.ndarray, *, starts: int = STARTS) -> Partition:
    """Return the pages in k groups, each of pages of one set; `sets` int (pages,).

    Every set has as many groups as fit its size, at least one, even where that makes more than k. The pages of very
    small sets are one set.
    """
    members = _kept_apart(sets)
    if len(members) == 1:
        return group(vectors, k, seed, starts=starts)
    labels = np.zeros(len(vectors), dtype=np.int64)
    for pages, parts in zip(members, _shares(vectors, members, k), strict=True):
        labels[pages] = labels.max() + 1 + group(vectors[pages], parts, seed, starts=starts).labels
    return partition(vectors, labels)


def _kept_apart(sets: np.ndarray) -> list[np.ndarray]:
    """Return the pages of each set that has groups of its own."""
    numbers, own, sizes = np.unique(sets, return_inverse=True, return_counts=True)
    own = np.where(sizes[own] < FEWEST_OF_A_SET, len(numbers), own)
    return [np.flatnonzero(own == number) for number in np.unique(own)]


def _shares(vectors: np.ndarray, members: Sequence[np.ndarray], k: int) -> list[int]:
    """Return how many of k groups each set gets: one, and further ones where a group would have most pages."""
    most = [most_groups(vectors[pages]) for pages in members]
    parts = [1] * len(members)
    for _ in range(min(k, sum(most)) - len(members)):
        room = [len(own) / (part + 1) * (part < limit) for own, part, limit in zip(members, parts, most, strict=True)]
        parts[int(np.argmax(room))] += 1
    return parts


def range_for(pages: int) -> tuple[int, int]:
    """Return the lowest and the highest number of groups worth trying for a site of so many pages.

    The middle is the root of the number of pages: as many groups as pages in each of them.

    >>> range_for(16), range_for(500), range_for(1_000_000)
    ((2, 8), (11, 44), (25, 100))
    """
    middle = min(round(pages**0.5), LARGEST_MIDDLE)
    return max(2, middle // 2), max(3, 2 * middle)


def numbers_to_try(k_range: tuple[int, int], most: int | None = None) -> list[int]:
    """Return the numbers of a range, both ends among them: every one, or at most `most`, each as much larger in ratio.

    >>> numbers_to_try((2, 5)), numbers_to_try((10, 40), most=4)
    ([2, 3, 4, 5], [10, 16, 25, 40])
    """
    low, high = k_range
    if most is None or high - low < most:
        return list(range(low, high + 1))
    return sorted(set(np.geomspace(low, high, most).round().astype(int).tolist()))


def silhouettes(
    vectors: np.ndarray, numbers: Sequence[int], seed: int, sets: np.ndarray, on_progress: Progress = silent
) -> dict[int, float]:
    """Return the mean silhouette (cosine distances, -1 to 1) of the pages grouped in k, for each of the numbers k.

    The pages are grouped as in `group_within`, and each is held against groups of its own set alone.

    A page's silhouette shows how much nearer it is to its own group than to the next one (Rousseeuw 1987). Every k
    that makes sense is tried; none does for fewer than three distinct pages.
    """
    step = max(1, -(-len(vectors) // SILHOUETTE_PAGES))
    sample, sets = vectors[::step], sets[::step]
    most = min(most_groups(sample), len(sample) - 1)
    tried = [k for k in numbers if k <= most]
    distances = (1 - sample @ sample.T).clip(0, 2)
    np.fill_diagonal(distances, 0)
    curve = {}
    for done, k in enumerate(tried):
        on_progress("Choosing the number of clusters", done, len(tried))
        labels = group_within(sample, k, seed, sets, starts=STARTS_WHILE_CHOOSING).labels
        parts = _kept_apart(sets)
        curve[k] = float(
            np.concatenate([_silhouettes(distances[np.ix_(own, own)], labels[own]) for own in parts]).mean()
        )
    return curve


def _silhouettes(distances: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the silhouette of each page among those of its set, (pages,): 0 where all are in one group, or alone."""
    groups = len(np.unique(labels))
    if not 1 < groups < len(labels):
        return np.zeros(len(labels))
    return np.asarray(silhouette_samples(distances, labels, metric="precomputed"))


def best_k(curve: dict[int, float]) -> int:
    """Return the k with the highest silhouette, the lowest of equals; 1 without a curve.

    >>> best_k({2: 0.1, 3: 0.3, 4: 0.3}), best_k({})
    (3, 1)
    """
    return max(curve, key=lambda k: (curve[k], -k)) if curve else 1


def partition(vectors: np.ndarray, labels: np.ndarray) -> Partition:
    """Return the grouping of `labels`: numbered by size, equals by their first page, with their centres."""
    found, first, numbers, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(found), dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(len(found))
    ordered = rank[numbers]
    sums = np.zeros((len(found), vectors.shape[1]), dtype=np.float64)
    np.add.at(sums, ordered, vectors)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return Partition(ordered, (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32))
