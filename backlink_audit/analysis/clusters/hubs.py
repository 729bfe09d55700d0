"""The hub of each group: the page that a reader of the group should come to first."""

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
import scipy.sparse as sp

from backlink_audit.analysis.clusters.grouping import Partition

DEPTH_COST = 0.15
"""What each folder of a page's path takes off how general it is, from 0 to 1 by its title."""
DEEPEST = 5
REACH_WORTH = 1.0
"""What the page of a group that most pages of the site link to gains on how general it is; others less."""
NEAR_SHARE = 0.9
"""The share of a group's pages, the nearest to its centre, among which its hub is."""
NEAR_SHARE_OF_LINKED = 0.5
"""The same for a page that is the hub for its links: much linked pages are often about something more."""
FEWEST_VOTES = 2
"""Links from so many pages of its group make a hub; one alone may be chance."""
ABOUT_WORTH = 0.5
"""What each degree of being about its group's name adds to how general a page is; it multiplies links."""
NO_HUB = -1


def choose_hubs(
    found: Partition,
    similarities: np.ndarray,
    generality: np.ndarray,
    linked: sp.csr_matrix | None = None,
    about: np.ndarray | None = None,
) -> np.ndarray:
    """Return the hub of each group, int (groups,), a row number; NO_HUB where no page is about the group's name.

    It is one of its pages near the centre: the one to which most pages of the group link, and where hardly any do, or
    which links exist is not known (`linked` None), the most general one. Being more about
    the name counts beside both.

    Args:
        found: The grouping.
        similarities: Each page's cosine to the centre of its group, (pages,).
        generality: How general each page is (see `generality_of`), (pages,).
        linked: (pages, pages), true where the row links to the column in its content.
        about: How much each page is about what its group is called, (pages,): 0 not at all, then 1 and 2; None: all
            are.
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
    titles: Sequence[Collection[str]],
    depths: np.ndarray,
    inlinks: np.ndarray,
    is_home: np.ndarray,
    labels: np.ndarray,
) -> np.ndarray:
    """Return how general each page is within its group, float (pages,): shared title words, a short path, many inlinks.

    Args:
        titles: The words of each page's title that name a subject.
        depths: How many folders each page's path has, (pages,).
        inlinks: How many pages of the site link to each page, from any place; NaN where unknown, (pages,).
        is_home: Which pages are homepages: about the site rather than the subject, they come last, (pages,).
        labels: Each page's group, (pages,).
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
    """Return the logarithm of each page's inlinks as a share of its group's highest, (pages,); 0 where unknown."""
    linked = np.log1p(np.nan_to_num(inlinks))
    highest = np.zeros(int(labels.max()) + 1)
    np.maximum.at(highest, labels, linked)
    return linked / np.where(highest > 0, highest, 1)[labels]


def _links_within(labels: np.ndarray, linked: sp.csr_matrix) -> np.ndarray:
    """Return how many other pages of its own group link to each page, (pages,)."""
    links = linked.tocoo()
    within = (labels[links.row] == labels[links.col]) & (links.row != links.col)
    return np.bincount(links.col[within], minlength=len(labels))


def _near(similarities: np.ndarray, found: Partition, share: float) -> np.ndarray:
    """Return which pages are among that share of their group's that is nearest to the centre, bool (pages,)."""
    limits = [np.quantile(similarities[found.labels == number], 1 - share) for number in range(found.k)]
    return similarities >= np.array(limits)[found.labels] - 1e-6
