"""Which links can be decided without being read, at a promised rate of errors: split conformal selection."""

import numpy as np

NEVER = np.inf


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
