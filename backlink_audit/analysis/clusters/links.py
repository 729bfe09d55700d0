"""Which links are missing inside a group of pages: to and from its hub, and between pages that are much alike."""

import numpy as np
import scipy.sparse as sp

from backlink_audit.analysis.vectors.similarity import top_k_blocks

PAIRS_PER_PAGE = 3
"""How many links to other pages of its group are suggested for a page at most, besides those from and to the hub."""
BLOCK_CELLS = 4_000_000
"""Cosines made at a time."""


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

    Each page is paired with the most similar ones that it does not link to, at most PAIRS_PER_PAGE.

    Args:
        vectors: Unit rows, (pages, dimensions).
        labels: Each page's group, (pages,).
        hubs: Each group's hub, below 0 for none, (groups,).
        linked: (pages, pages), true where the row links to the column.
        lowest: The lowest cosine of a pair in each group, (groups,).
        near_duplicate: From this cosine on two pages should rather be merged than linked.
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
