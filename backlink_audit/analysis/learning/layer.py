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
STEPS = 25
"""Newton steps; five are enough where there is anything to learn."""
LEAST, MOST = 0.01, 0.99
"""Probabilities are held between these: a forest that is quite sure is so because it saw few like it."""


@dataclass(frozen=True)
class Layer:
    """`numbers` are added to the log-odds of worth: one for every link, and one for each of `Layer.of`, times it."""

    of: ClassVar[tuple[str, ...]] = ("relevance", "worth", "suspicion")
    numbers: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)

    def keep(self, scores: np.ndarray) -> np.ndarray:
        """Return the probability that each link is worth keeping, float64 (links,).

        `scores`: relevance, worth and suspicion, 0-100, float (links, 3).
        """
        odds = log_odds(scores)
        return _probability(odds[:, 1] + _with_one(odds) @ np.array(self.numbers))


def log_odds(scores: np.ndarray) -> np.ndarray:
    """Return the log-odds of scores of 0-100; a blank one counts as even."""
    shares = np.clip(np.nan_to_num(scores.astype("float64") / 100, nan=0.5), LEAST, MOST)
    return np.log(shares / (1 - shares))


def fit_layer(scores: np.ndarray, kept: np.ndarray) -> Layer:
    """Return the layer that fits decisions best: penalised logistic regression beside the general judgement.

    `scores` as `Layer.keep` takes them, `kept` bool (links,).
    """
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
