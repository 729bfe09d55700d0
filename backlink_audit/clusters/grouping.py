"""Pages in groups of like subject: k-means on unit vectors, and how many groups there are.

Vectors are float32 of length 1, one row per page. On unit vectors Euclidean k-means groups by cosine. Everything runs
with a fixed seed in one thread, because sums taken in another order can tip a page into another group.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.metrics import silhouette_samples
from threadpoolctl import threadpool_limits

from backlink_audit.embedding.nearest import top_k_blocks
from backlink_audit.progress import Progress, silent

MINI_BATCH_ABOVE = 20_000  # pages above which k-means learns from batches instead of all pages at every step
BATCH = 4_096
STARTS = 10  # independent starts, of which the tightest grouping is kept
STARTS_WHILE_CHOOSING = 3
MOST_TRIED = 12  # numbers of groups that are tried where the site's size sets the range
LARGEST_MIDDLE = 50  # the middle of that range is never higher: nobody reads several hundred clusters
FEWEST_OF_A_SET = 3  # pages of a language from which on it has groups of its own
SORTED_BY = 4
"""Numbers of a vector by which pages are brought into an order of their own: they hardly ever agree in all."""
SILHOUETTE_PAGES = 2_000
"""Pages the silhouette is taken over: its cost grows with the square. An even sample of a larger site."""
DEPTH_COST = 0.15  # what each folder of a page's path takes off how general it is, from 0 to 1 by its title
DEEPEST = 5
REACH_WORTH = 1.0
"""What the page of a group that most pages of the site link to gains on how general it is; others less."""
NEAR_SHARE = 0.9  # the share of a group's pages, the nearest to its centre, among which its hub is
NEAR_SHARE_OF_LINKED = 0.5
"""The same for a page that is the hub for its links: much linked pages are often about something more."""
FEWEST_VOTES = 2  # links from so many pages of its group make a hub; one alone may be chance
ABOUT_WORTH = 0.5  # what each degree of being about its group's name adds to how general a page is; it multiplies links
NO_HUB = -1
PAIRS_PER_PAGE = 3
"""How many links to other pages of its group are suggested for a page at most, besides those from and to the hub."""
BLOCK_CELLS = 4_000_000  # cosines made at a time


@dataclass(frozen=True, eq=False)
class Partition:
    """A grouping: `labels` int (pages,) from 0, the largest group first; `centres` unit rows (groups, dimensions)."""

    labels: np.ndarray
    centres: np.ndarray

    @property
    def k(self) -> int:
        return len(self.centres)

    @property
    def sizes(self) -> np.ndarray:
        return np.bincount(self.labels, minlength=self.k)

    def similarities(self, vectors: np.ndarray) -> np.ndarray:
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

    The same vectors, k and seed give the same groups, in whatever order the pages come and on any number of cores.
    """
    k = min(k, most_groups(vectors))
    order, labels = _canonical(vectors), np.empty(len(vectors), dtype=np.int64)
    with threadpool_limits(1):
        if len(vectors) > MINI_BATCH_ABOVE:
            model = MiniBatchKMeans(k, batch_size=BATCH, n_init=starts, random_state=seed)
        else:
            model = KMeans(k, n_init=starts, random_state=seed)
        labels[order] = model.fit_predict(vectors[order])
    return partition(vectors, labels)


def _canonical(vectors: np.ndarray) -> np.ndarray:
    return np.lexsort(vectors.T[:SORTED_BY])


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
    numbers, own, sizes = np.unique(sets, return_inverse=True, return_counts=True)
    own = np.where(sizes[own] < FEWEST_OF_A_SET, len(numbers), own)
    return [np.flatnonzero(own == number) for number in np.unique(own)]


def _shares(vectors: np.ndarray, members: Sequence[np.ndarray], k: int) -> list[int]:
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
    order = _canonical(vectors)[::step]
    sample, sets = vectors[order], sets[order]
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
    """Return the grouping of `labels`: numbered by size, equals by their sum of vectors, with their centres."""
    found, numbers, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros((len(found), vectors.shape[1]), dtype=np.float64)
    np.add.at(sums, numbers, vectors)
    order = np.lexsort((*sums.round(6).T[:SORTED_BY], -sizes))
    rank = np.empty(len(found), dtype=np.int64)
    rank[order] = np.arange(len(found))
    ordered, sums = rank[numbers], sums[order]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return Partition(ordered, (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32))


def choose_hubs(
    found: Partition,
    similarities: np.ndarray,
    generality: np.ndarray,
    linked: sp.csr_matrix | None = None,
    about: np.ndarray | None = None,
) -> np.ndarray:
    """Return the hub of each group, int (groups,), a row number; NO_HUB where no page is about the group's name.

    It is one of its pages near the centre: the one to which most pages of the group link, and where hardly any do, or
    which links exist is not known (`linked` None), the most general one. Being more about the name counts beside both.

    `similarities` to the centre, `generality` and `about` (0 to 2: how much a page is about its group's name; None: all
    are): (pages,). `linked`: (pages, pages), true where the row links to the column in its content.
    """
    labels = found.labels
    degree = np.ones(len(labels)) if about is None else about
    votes = _links_within(labels, linked) if linked is not None else np.zeros(len(labels))
    votes = np.where((votes >= FEWEST_VOTES) & _near(similarities, found, NEAR_SHARE_OF_LINKED), votes * degree, 0)
    far = ~_near(similarities, found, NEAR_SHARE)
    order = np.lexsort((-similarities, -(generality + ABOUT_WORTH * degree), far, degree == 0, -votes, labels))
    first = order[np.searchsorted(labels[order], np.arange(found.k))]
    return np.where(degree[first] > 0, first, NO_HUB)


def generality_of(
    titles: Sequence[Collection[str]], depths: np.ndarray, inlinks: np.ndarray, is_home: np.ndarray, labels: np.ndarray
) -> np.ndarray:
    """Return how general each page is within its group, float (pages,): shared title words, a short path, many inlinks.

    `titles`: words that name a subject; `depths`: folders of the path; `inlinks`: pages that link to it, NaN where
    unknown; `is_home`: homepages are about the site rather than the subject, and come last.
    """
    pages_with = [Counter[str]() for _ in range(int(labels.max()) + 1)]
    for label, title in zip(labels, titles, strict=True):
        pages_with[label].update(set(title))
    sizes = np.bincount(labels)
    shared = [
        sum(pages_with[label][word] for word in title) / len(title) / sizes[label] if title else 0.0
        for label, title in zip(labels, titles, strict=True)
    ]
    path = DEPTH_COST * np.minimum(depths, DEEPEST)
    return np.array(shared) - path + REACH_WORTH * _reach(inlinks, labels) - np.where(is_home, DEEPEST, 0)


def _reach(inlinks: np.ndarray, labels: np.ndarray) -> np.ndarray:
    linked = np.log1p(np.nan_to_num(inlinks))
    highest = np.zeros(int(labels.max()) + 1)
    np.maximum.at(highest, labels, linked)
    return linked / np.where(highest > 0, highest, 1)[labels]


def _links_within(labels: np.ndarray, linked: sp.csr_matrix) -> np.ndarray:
    links = linked.tocoo()
    within = (labels[links.row] == labels[links.col]) & (links.row != links.col)
    return np.bincount(links.col[within], minlength=len(labels))


def _near(similarities: np.ndarray, found: Partition, share: float) -> np.ndarray:
    limits = [np.quantile(similarities[found.labels == number], 1 - share) for number in range(found.k)]
    return similarities >= np.array(limits)[found.labels] - 1e-6


def missing_hub_links(labels: np.ndarray, hubs: np.ndarray, linked: sp.csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return the sources and targets (row numbers) of the links that no page and its hub have, both ways.

    `labels` int (pages,): each page's group; `hubs` int (groups,): each group's hub, below 0 for none; `linked`
    (pages, pages) is true where the row links to the column. Links to the hubs come first.

    >>> missing_hub_links(np.array([0, 0, 1]), np.array([0, 2]), sp.csr_matrix(np.eye(3, k=-1, dtype=bool)))
    (array([0]), array([1]))
    """
    members = np.setdiff1d(np.flatnonzero(hubs[labels] >= 0), hubs)
    if not len(members):
        return members, members
    own_hubs = hubs[labels[members]]
    sources = np.concatenate([members, own_hubs])
    targets = np.concatenate([own_hubs, members])
    missing = ~np.asarray(linked[sources, targets]).ravel().astype(bool)
    return sources[missing], targets[missing]


def missing_pairs(
    vectors: np.ndarray,
    labels: np.ndarray,
    hubs: np.ndarray,
    linked: sp.csr_matrix,
    lowest: np.ndarray,
    near_duplicate: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the sources and targets (row numbers) of links missing between two pages of one group, neither its hub.

    Each page is paired with the most similar ones that it does not link to, at most PAIRS_PER_PAGE. `hubs`: below 0 for
    none; `linked`: (pages, pages), true where the row links to the column; `lowest`: the least cosine of a pair in each
    group; from `near_duplicate` on two pages should rather be merged than linked.
    """
    sources, targets = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for number, hub in enumerate(hubs):
        rows = np.flatnonzero(labels == number)
        rows = rows[rows != hub]
        if len(rows) < 2:
            continue
        own, links = vectors[rows], linked[rows][:, rows].tocsr()

        def cosines(start: int, stop: int, own: np.ndarray = own, links: sp.csr_matrix = links) -> np.ndarray:
            scores = own[start:stop] @ own.T
            scores[links[start:stop].toarray().astype(bool) | (scores >= near_duplicate)] = -np.inf
            return scores

        block = max(1, BLOCK_CELLS // len(rows))
        found, scores = top_k_blocks(cosines, len(rows), PAIRS_PER_PAGE, exclude_self=True, block=block)
        source, place = np.nonzero(scores >= lowest[number])
        sources.append(rows[source])
        targets.append(rows[found[source, place]])
    return np.concatenate(sources), np.concatenate(targets)
