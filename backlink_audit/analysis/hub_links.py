"""Which links are missing between the pages of a group and its hub."""

import numpy as np
import scipy.sparse as sp


def missing_hub_links(labels: np.ndarray, hubs: np.ndarray, linked: sp.csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return the sources and targets (row numbers) of the links that no page and its hub have, both ways.

    `labels` int (pages,): each page's group; `hubs` int (groups,): each group's hub; `linked` (pages, pages) is true
    where the row links to the column. Links to the hubs come first.

    >>> missing_hub_links(np.array([0, 0, 1]), np.array([0, 2]), sp.csr_matrix(np.eye(3, k=-1, dtype=bool)))
    (array([0]), array([1]))
    """
    members = np.setdiff1d(np.arange(len(labels)), hubs)
    own_hubs = hubs[labels[members]]
    sources = np.concatenate([members, own_hubs])
    targets = np.concatenate([own_hubs, members])
    missing = ~np.asarray(linked[sources, targets]).ravel().astype(bool)
    return sources[missing], targets[missing]
