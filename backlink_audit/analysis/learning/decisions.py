"""What decisions teach: the layer fitted on them, whether it is right more often than without, and how sure it is."""

from dataclasses import dataclass

import numpy as np

from backlink_audit.analysis.learning.certainty import sure_from
from backlink_audit.analysis.learning.layer import Layer, fit_layer, log_odds

LEAST_DECISIONS = 30
"""On fewer nothing is fitted."""
LEAST_OF_A_KIND = 2
"""So many have to be kept, and as many not: from one kind alone nothing can be told apart."""
USUAL = {0.05: 0.8239, 0.1: 0.6882, 0.2: 0.5002}
"""The certainty from which at most that share of the links of sites left out was judged wrongly: fitted on 1,614 links
that readers labelled, by `python -m benchmarks.learning` (November 2026)."""
PARTS = 5
"""Parts into which decisions are cut to try the layer on those that it has not seen."""
CUTS = 4
"""How often they are cut anew: with few decisions a single cut says little."""


@dataclass(frozen=True)
class Learned:
    """What decisions taught. `layer` says what is used: the general judgement where the decisions' is no better.

    `general` and `own`: the share of the decisions (0-1) that the general judgement and the layer had right, the layer
    on decisions that it had not seen; NaN where nothing was fitted. `why_not`: in words why nothing was; "" else.
    """

    layer: Layer
    decisions: int
    general: float
    own: float
    sure_from: float
    why_not: str = ""

    @property
    def is_used(self) -> bool:
        """Whether the decisions change the judgement."""
        return self.own > self.general


def learn(scores: np.ndarray, kept: np.ndarray, domains: np.ndarray, errors: float, usual: float) -> Learned:
    """Return what decisions teach.

    Args:
        scores: Relevance, worth and suspicion of the decided links, 0-100, (links, 3).
        kept: What was decided, bool (links,).
        domains: The referring domain of each: all links of one are tried together.
        errors: The share of the links called sure that may be wrong, 0-1.
        usual: The certainty from which the general judgement keeps that promise; the least one, whatever was learned:
            some dozens of decisions alone promise too much.
    """
    general = Layer()
    few = min(int(kept.sum()), int((~kept).sum()))
    if len(kept) < LEAST_DECISIONS:
        why_not = f"{LEAST_DECISIONS} decisions are needed; there are {len(kept)}."
    elif few < LEAST_OF_A_KIND:
        why_not = f"At least {LEAST_OF_A_KIND} links to keep and {LEAST_OF_A_KIND} to drop are needed."
    else:
        own = unseen(scores, kept, domains)
        said = general.keep(scores)
        right, right_own = float(((said >= 0.5) == kept).mean()), float(((own >= 0.5) == kept).mean(axis=1).mean())
        if right_own > right:
            limit = max(usual, float(np.median([sure_from(one, kept, errors) for one in own])))
            return Learned(fit_layer(scores, kept), len(kept), right, right_own, limit)
        return Learned(general, len(kept), right, right_own, usual)
    return Learned(general, len(kept), float("nan"), float("nan"), usual, why_not)


def unseen(scores: np.ndarray, kept: np.ndarray, domains: np.ndarray) -> np.ndarray:
    """Return what layers say of decisions that they were not fitted on, float64 (CUTS, links)."""
    names, place = np.unique(domains.astype(str), return_inverse=True)
    found = np.empty((CUTS, len(kept)))
    for cut in range(CUTS):
        part = np.random.default_rng(cut).permutation(len(names))[place] % PARTS
        for number in range(PARTS):
            others = part != number
            if (~others).any():
                found[cut, ~others] = fit_layer(scores[others], kept[others]).keep(scores[~others])
    return found


def most_telling(scores: np.ndarray, keep: np.ndarray, domains: np.ndarray, most: int = 20) -> np.ndarray:
    """Return the places of the links whose reading would teach most: unsure ones, unlike each other, one of a domain.

    The least sure comes first; each further one is the one that is unsure and far from those chosen before.
    """
    doubt = 1 - np.abs(2 * keep - 1)
    order = np.argsort(-doubt, kind="stable")
    _, first = np.unique(domains[order].astype(str), return_index=True)
    open_ones = order[np.sort(first)]
    if not len(open_ones):
        return open_ones
    odds = log_odds(scores[open_ones])
    chosen = [0]
    distance = np.linalg.norm(odds - odds[0], axis=1)
    while len(chosen) < min(most, len(open_ones)):
        worth = doubt[open_ones] * distance
        worth[chosen] = -1
        chosen.append(int(worth.argmax()))
        distance = np.minimum(distance, np.linalg.norm(odds - odds[chosen[-1]], axis=1))
    return open_ones[chosen]
