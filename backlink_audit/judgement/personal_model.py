"""A layer of four numbers on the general judgement, fitted on decisions: keep a link, or not.

It starts from the general judgement, the log-odds of a link's worth, and moves away from it only as far as decisions
pull: with few of them it says nearly what it said before.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

PULL = 2.0
"""How strongly the numbers stay near 0, as so many decisions would hold them: found on labels of sites left out
(`benchmarks.learning`)."""
STEPS = 25  # newton steps; five are enough where there is anything to learn
LEAST, MOST = 0.01, 0.99
"""Probabilities are held between these: a forest that is quite sure is so because it saw few like it."""
NEVER = np.inf
LEAST_DECISIONS = 30  # on fewer nothing is fitted
LEAST_OF_A_KIND = 2  # so many have to be kept, and as many not: from one kind alone nothing can be told apart
USUAL = {0.05: 0.8239, 0.1: 0.6882, 0.2: 0.5002}
"""The certainty from which at most that share of the links of sites left out was judged wrongly: fitted on 1,614 links
that readers labelled, by `python -m benchmarks.learning` (November 2026)."""
PARTS = 5  # parts into which decisions are cut to try the layer on those that it has not seen
CUTS = 4  # how often they are cut anew: with few decisions a single cut says little


@dataclass(frozen=True)
class Layer:
    """`numbers` are added to the log-odds of worth: one for every link, and one for each of `Layer.of`, times it."""

    of: ClassVar[tuple[str, ...]] = ("relevance", "worth", "suspicion")
    numbers: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)

    def keep(self, scores: np.ndarray) -> np.ndarray:
        """Return the probability of each link to be kept, by relevance, worth and suspicion, 0-100 (links, 3)."""
        odds = log_odds(scores)
        return _probability(odds[:, 1] + _with_one(odds) @ np.array(self.numbers))


def log_odds(scores: np.ndarray) -> np.ndarray:
    """Return the log-odds of scores of 0-100; a blank one counts as even."""
    shares = np.clip(np.nan_to_num(scores.astype("float64") / 100, nan=0.5), LEAST, MOST)
    return np.log(shares / (1 - shares))


def fit_layer(scores: np.ndarray, kept: np.ndarray) -> Layer:
    """Return the layer that fits decisions best: penalised logistic regression beside the general judgement."""
    odds = log_odds(scores)
    table, numbers = _with_one(odds), np.zeros(len(Layer.of) + 1)
    holds = PULL * np.eye(len(numbers))
    holds[0, 0] = PULL / 4  # how much of everything is kept differs most from site to site
    for _ in range(STEPS):
        said = _probability(odds[:, 1] + table @ numbers)
        slope = table.T @ (kept - said) - holds @ numbers
        bend = (table * (said * (1 - said))[:, None]).T @ table + holds
        step = np.linalg.solve(bend, slope)
        numbers = numbers + step
        if np.abs(step).max() < 1e-6:
            break
    return Layer(tuple(float(number) for number in numbers))


def _with_one(odds: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(odds)), odds])


def _probability(odds: np.ndarray) -> np.ndarray:
    result: np.ndarray = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return result


def sure_from(keep: np.ndarray, kept: np.ndarray, errors: float) -> float:
    """Return the certainty from which a link is sure, so that of those called sure at most `errors` (0-1) are wrong.

    Found on links whose decision is known and that nothing was fitted on. The link to come counts as one that is
    wrong, as in split conformal prediction, so that few known links promise little. NEVER where no limit keeps the
    promise. `keep`: probabilities, `kept`: what was decided, both (links,).
    """
    certain = certainty(keep)
    order = np.argsort(-certain, kind="stable")
    wrong = np.cumsum((keep[order] >= 0.5) != kept[order])
    share = (wrong + 1) / (np.arange(len(order)) + 2)
    holds = np.flatnonzero(share <= errors)
    return float(certain[order[holds[-1]]]) if len(holds) else NEVER


def certainty(keep: np.ndarray) -> np.ndarray:
    """Return how sure a probability is either way, 0.5-1."""
    result: np.ndarray = np.maximum(keep, 1 - keep)
    return result


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
        return self.own > self.general


def learn(scores: np.ndarray, kept: np.ndarray, domains: np.ndarray, errors: float, usual: float) -> Learned:
    """Return what decisions teach.

    `scores`: relevance, worth and suspicion of the decided links, 0-100, (links, 3); `kept`: what was decided, bool;
    `domains`: all links of one are tried together; `errors`: the share of links called sure that may be wrong, 0-1;
    `usual`: the certainty from which the general judgement keeps that promise, the least one whatever was learned from
    so few decisions.
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
