"""The order that a site's own links teach: a logistic regression on what linked pairs of pages have and others lack.

It knows of each pair what the editorial order knows (shared words, mention, meaning and their sum), each also as its
rank among the source's candidates and among the target's; how many folders the two addresses share; and what the
links say: how many lead to the target, whether it links back, whether pages like the source link to it, and whether
the source links to pages like it. The link of the pair itself is never counted.

Whether it is better is measured: a fifth of the links is hidden in turn, and the shares found again are compared with
the editorial order's. How the signals were chosen: docs/decisions/learned-order.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from backlink_audit.internal_links.suggestions import Found, Limits, Signal, products, within_caps

LEAST_LINKS = 200
"""Links between the pages that are needed to learn from."""
CANDIDATES = 100
"""Pairs of each source that are put in order: the best by editorial order."""
FOLDS = 5
REPEATS, FEW_LINKS = 3, 5_000
"""Up to so many links, all are hidden in turn so many times, each time split in another way: one split may be luck."""
MENU_SHARE = 0.5
"""A target that more than this share of the pages link to is in a menu, and teaches nothing."""
LIKE = 20
"""Pages that are called like another: so many of its best candidates."""
STRENGTH = 0.03
"""Inverse strength of the regression's penalty, on signals in standard deviations."""
MOST_PAIRS = 400_000
"""Pairs without a link that the regression sees, at most; drawn at random, the same at every run."""
BLOCK_PAIRS = 65_536


@dataclass(frozen=True)
class Lesson:
    """What was learned: from how many links, and the shares (0-1) of hidden links found again by either order."""

    links: int
    learned: float
    editorial: float

    @property
    def is_better(self) -> bool:
        """Whether the learned order found more of the hidden links."""
        return self.learned > self.editorial


@dataclass(frozen=True, eq=False)
class Pairs:
    """Candidate pairs, those of one source side by side, best first by editorial order; `facts` is (pairs, signals)."""

    source: np.ndarray
    target: np.ndarray
    score: np.ndarray
    facts: np.ndarray
    like: sp.csr_matrix
    """How much each page is like its best candidates; a row adds up to 1."""


def teaching_links(linked: sp.csr_matrix) -> sp.csr_matrix:
    """Return the links (pages, pages) that an editor set one by one: none to the page itself or from a menu."""
    links = linked.astype(np.float32).tocoo()
    inlinks = np.bincount(links.col, minlength=links.shape[0])
    keep = (links.row != links.col) & (inlinks[links.col] <= MENU_SHARE * links.shape[0])
    shape = links.shape
    return sp.csr_matrix((np.ones(keep.sum(), np.float32), (links.row[keep], links.col[keep])), shape=shape)


def read_pairs(found: Found, signals: Sequence[Signal], folders: sp.csr_matrix) -> Pairs:
    """Return what is known of the candidates without looking at links.

    `folders` (pages, folders) has 1 for each folder that a page's address is in.
    """
    source, target = found.source, found.target
    values = [_pair_values(signal.left, signal.right, source, target) for signal in signals] + [found.score]
    columns = [column for value in values for column in (value, _rank(source, value), _rank(target, value))]
    facts = np.column_stack([*columns, _pair_values(folders, folders, source, target)]).astype(np.float32)
    pages = len(found.nearest)
    best = found.rank <= LIKE
    weights = np.clip(found.score[best], 0, None)
    like = sp.csr_matrix((weights, (source[best], target[best])), shape=(pages, pages))
    totals = np.asarray(like.sum(axis=1)).ravel()
    like = (sp.diags(np.divide(1, totals, out=np.zeros(pages), where=totals > 0)) @ like).tocsr()
    return Pairs(source, target, found.score, facts, like.astype(np.float32))


def try_out(pairs: Pairs, links: sp.csr_matrix, per_page: int) -> Lesson:
    """Hide a fifth of the links in turn, and count how many either order finds among its best `per_page`."""
    known = links.tocoo()
    random = np.random.default_rng(0)
    repeats = REPEATS if known.nnz <= FEW_LINKS else 1
    learned = editorial = 0
    for fold in (random.permutation(known.nnz) % FOLDS for _ in range(repeats)):
        for number in range(FOLDS):
            taught, hidden = _some(known, fold != number), _some(known, fold == number)
            free, wanted = ~_among(taught, pairs), _among(hidden, pairs)
            learned += _found_again(learned_scores(pairs, taught), pairs.source, free, wanted, per_page)
            editorial += _found_again(pairs.score, pairs.source, free, wanted, per_page)
    tries = repeats * known.nnz
    return Lesson(known.nnz, learned / tries, editorial / tries)


def learned_scores(pairs: Pairs, links: sp.csr_matrix) -> np.ndarray:
    """Return how much each pair looks like those that are linked, as the logarithm of the odds (pairs,)."""
    from sklearn.linear_model import LogisticRegression

    linked = _among(links, pairs)
    if linked.all() or not linked.any():
        return pairs.score
    facts = np.column_stack([pairs.facts, _link_facts(pairs, links, linked)])
    of_linking = np.diff(links.indptr)[pairs.source] > 0
    unlinked = np.flatnonzero(of_linking & ~linked)
    if len(unlinked) > MOST_PAIRS:
        unlinked = np.random.default_rng(0).choice(unlinked, MOST_PAIRS, replace=False)
    rows = np.concatenate([np.flatnonzero(linked), unlinked])
    mean, spread = facts[rows].mean(axis=0), facts[rows].std(axis=0)
    standard = (facts - mean) / np.where(spread > 1e-9, spread, 1)
    model = LogisticRegression(C=STRENGTH, max_iter=500).fit(standard[rows], linked[rows])
    return np.asarray(model.decision_function(standard), dtype=np.float32)


def best_pairs(found: Found, scores: np.ndarray, limits: Limits) -> Found:
    """Return the best candidates by these scores, as many as the limits allow; near duplicates come last."""
    free = ~np.asarray(limits.linked[found.source, found.target]).ravel().astype(bool)
    alike = found.similarity >= limits.near_duplicate
    order = np.lexsort((-scores, alike, found.source))
    order = order[free[order]]
    rows, places = _grid(found.source[order])
    keep = places < limits.per_page
    if limits.per_target is not None:
        shape = (rows[-1] + 1 if len(rows) else 0, places.max(initial=-1) + 1)
        targets, value, there = np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape, bool)
        targets[rows, places], value[rows, places], there[rows, places] = found.target[order], scores[order], True
        keep = within_caps(targets, value, there, limits.per_page, limits.per_target)[rows, places]
    chosen = order[keep]
    rank = _grid(found.source[chosen])[1] + 1
    return replace(
        found,
        source=found.source[chosen],
        target=found.target[chosen],
        similarity=found.similarity[chosen],
        score=scores[chosen],
        rank=rank,
    )


def _link_facts(pairs: Pairs, links: sp.csr_matrix, linked: np.ndarray) -> np.ndarray:
    """Return what the links say of each pair, the pair's own link left out (pairs, 4)."""
    source, target = pairs.source, pairs.target
    inlinks = np.asarray(links.sum(axis=0)).ravel()[target] - linked
    back = np.asarray(links[target, source]).ravel()
    from_like = np.asarray((pairs.like @ links)[source, target]).ravel()
    to_like = np.asarray((links @ pairs.like.T)[source, target]).ravel()
    return np.column_stack([np.log1p(inlinks), back, np.sqrt(from_like), np.sqrt(to_like)]).astype(np.float32)


def _some(links: sp.coo_matrix, chosen: np.ndarray) -> sp.csr_matrix:
    return sp.csr_matrix((links.data[chosen], (links.row[chosen], links.col[chosen])), shape=links.shape)


def _among(links: sp.csr_matrix, pairs: Pairs) -> np.ndarray:
    return np.asarray(links[pairs.source, pairs.target]).ravel() > 0


def _found_again(scores: np.ndarray, source: np.ndarray, free: np.ndarray, wanted: np.ndarray, most: int) -> int:
    """Count the wanted pairs among the best of each source, of those that are free."""
    order = np.lexsort((-scores, source))
    order = order[free[order]]
    return int(wanted[order][_grid(source[order])[1] < most].sum())


def _rank(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return minus the logarithm of each value's rank in its group, 0 for the highest."""
    order = np.lexsort((-values, groups))
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = -np.log1p(_grid(groups[order])[1])
    return ranks


def _grid(groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for sorted groups the number of each one's group, and its place inside it."""
    if not len(groups):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    begins = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    sizes = np.diff(np.r_[begins, len(groups)])
    return np.repeat(np.arange(len(begins)), sizes), np.arange(len(groups)) - np.repeat(begins, sizes)


def _pair_values(
    left: np.ndarray | sp.csr_matrix, right: np.ndarray | sp.csr_matrix, source: np.ndarray, target: np.ndarray
) -> np.ndarray:
    """Return the product of the two rows of each pair, float32 (pairs,)."""
    blocks = range(0, len(source), BLOCK_PAIRS)
    parts = [products(left, right, source[at : at + BLOCK_PAIRS], target[at : at + BLOCK_PAIRS, None]) for at in blocks]
    return np.concatenate(parts).ravel() if parts else np.empty(0, np.float32)
