"""Link suggestions for very large sites: an index finds each page's candidates, and only these are judged.

How much that misses is measured: a sample of pages is judged against every page too.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from backlink_audit.analysis.internal_links.interlinks import Found, Limits, Signal, find_opportunities
from backlink_audit.analysis.vectors.graph import search_graph
from backlink_audit.analysis.vectors.nearest import Search, nearest
from backlink_audit.progress import Progress, silent

CANDIDATES = 200
"""Pages judged for each source: those nearest in meaning, the page itself among them."""
SAMPLED_SOURCES = 500
"""Pages that are judged against every page as well; chosen at random, the same at every run."""

ROUNDING = 1e-4
"""Scores that differ by less are equal."""


def find_among_nearest(
    vectors: np.ndarray,
    limits: Limits,
    signals: Sequence[Signal] = (),
    on_progress: Progress = silent,
    search: Search = search_graph,
) -> tuple[Found, float]:
    """Return the best of each source's candidates, and the share of the true best targets that are among them.

    As `find_opportunities` otherwise. The share (0-1) is measured on a sample, without a cap of the targets; NaN where
    there is nothing to suggest.
    """
    rows, targets = np.flatnonzero(limits.sources), np.flatnonzero(limits.targets)
    wanted = min(max(CANDIDATES, 2 * limits.per_page), len(targets))
    together = np.zeros(len(vectors), dtype=np.int64) if limits.together is None else limits.together
    candidates = np.full((len(rows), wanted), -1, dtype=np.int32)
    for number in np.unique(together[rows]):
        own, others = np.flatnonzero(together[rows] == number), targets[together[targets] == number]
        most = min(wanted, len(others))
        # Of pages that are all the same a few are enough: they would leave no room for others.
        copies = limits.per_page + 1
        places, _ = nearest(vectors[rows[own]], vectors[others], most, on_progress, copies=copies, search=search)
        candidates[own, :most] = np.where(places >= 0, others[places] if most else -1, -1)
    # In the order of the pages, as everywhere: it decides between equals.
    candidates.sort(axis=1)
    found = find_opportunities(vectors, limits, signals, on_progress, candidates)
    return found, _recall(vectors, limits, signals, rows, candidates)


def _recall(
    vectors: np.ndarray, limits: Limits, signals: Sequence[Signal], rows: np.ndarray, candidates: np.ndarray
) -> float:
    """Return the share of what an exact search suggests for some sources that the candidates match.

    A suggestion is matched by one as good: among equal pages it does not matter which.
    """
    sampled = np.sort(np.random.default_rng(0).permutation(len(rows))[:SAMPLED_SOURCES])
    few = replace(limits, sources=np.isin(np.arange(len(vectors)), rows[sampled]), per_target=None)
    exact = find_opportunities(vectors, few, signals)
    found = find_opportunities(vectors, few, signals, candidates=candidates[sampled])
    worst = np.full(len(vectors), np.inf)
    np.minimum.at(worst, exact.source, exact.score)
    as_good = np.count_nonzero(found.score >= worst[found.source] - ROUNDING)
    return as_good / len(exact.source) if len(exact.source) else float("nan")
