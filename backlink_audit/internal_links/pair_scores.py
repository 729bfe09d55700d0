"""How likely an editor would set a suggested link, 0 to 100: by ranks, which mean the same on every site.

A cosine says little of another site; that a page is the third nearest of all does. Of each pair it is known how near it
is among the candidates of its source, and among those of its target, by shared words and by meaning; how many folders
the two addresses share; how strong it is by the sum of the editorial order; and whether the source has words to link.
All ranks count the same: weights fitted on some sites ordered others worse (docs/decisions/editorial-order.md).
"""

from collections.abc import Mapping

import numpy as np

from backlink_audit.internal_links.suggestions import Found, Matrix, Signal, products

RANKED = 60  # pairs of each source among which ranks are counted
MOST_FOLDERS = 2  # folders that two addresses share count up to so many
RANK_WORTH, FOLDER_WORTH, STRENGTH_WORTH, ANCHOR_WORTH = 0.35, 0.18, 1.4, 1.05
"""What each adds to the logarithm of the odds: a rank by its logarithm, a folder, the strength by its logarithm."""
CONSTANT = 0.8  # set so that LEAST_SCORE keeps nine tenths of the links that readers call good
LEAST_SCORE = 50  # the score from which a link is suggested
BLOCK_PAIRS = 65_536


def pair_facts(found: Found, words: Signal, meaning: Signal, folders: Matrix) -> dict[str, np.ndarray]:
    """Return what is known of each pair, each float32 (pairs,), times its worth.

    `folders` (pages, folders) has 1 for each outer folder that a page's address is in.
    """
    facts = {}
    for name, signal in (("words", words), ("meaning", meaning)):
        values = _pair_values(signal.left, signal.right, found.source, found.target)
        facts[f"{name} of source"] = RANK_WORTH * _rank(found.source, values)
        facts[f"{name} of target"] = RANK_WORTH * _rank(found.target, values)
    facts["folders"] = FOLDER_WORTH * _pair_values(folders, folders, found.source, found.target)
    facts["strength"] = STRENGTH_WORTH * np.log1p(found.score.clip(0))
    return facts


def pair_scores(facts: Mapping[str, np.ndarray], has_anchor: np.ndarray) -> np.ndarray:
    """Return the score of each pair, 0 to 100, float64 (pairs,). `has_anchor` bool (pairs,): the source has words."""
    odds = CONSTANT + ANCHOR_WORTH * has_anchor + sum(facts.values(), start=np.zeros(len(has_anchor)))
    return np.asarray(100 / (1 + np.exp(-odds)), dtype=np.float64)


def _rank(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    order = np.lexsort((-values, groups))
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = -np.log1p(places_in_groups(groups[order]))
    return ranks


def places_in_groups(groups: np.ndarray) -> np.ndarray:
    """Return for sorted groups the place of each row inside its own, from 0.

    >>> places_in_groups(np.array([4, 4, 7])).tolist()
    [0, 1, 0]
    """
    if not len(groups):
        return np.empty(0, np.int64)
    begins = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    return np.arange(len(groups)) - np.repeat(begins, np.diff(np.r_[begins, len(groups)]))


def _pair_values(left: Matrix, right: Matrix, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    blocks = range(0, len(source), BLOCK_PAIRS)
    parts = [products(left, right, source[at : at + BLOCK_PAIRS], target[at : at + BLOCK_PAIRS, None]) for at in blocks]
    return np.concatenate(parts).ravel() if parts else np.empty(0, np.float32)
