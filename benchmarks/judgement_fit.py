"""How the trees are grown from labelled links, and what they say of sites that were left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit, logit
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from backlink_audit.judgement.features import FEATURE_NAMES
from backlink_audit.judgement.judge import KINDS

GROWTH: Mapping[str, Any] = {
    "max_depth": 3,
    "max_iter": 80,
    "learning_rate": 0.1,
    "l2_regularization": 5,
    "min_samples_leaf": 15,
    "early_stopping": False,
    "random_state": 0,
}
"""How the trees are grown: few and shallow, chosen with whole sites left out; docs/judgement.md."""
FOLDS = 10
DIGITS = 4
"""Digits that are written of each number."""
INVENTED_WEIGHTS = {"swapped": 0.02, "inserted": 0.1, "attacks": 0.02}
"""What an invented row weighs beside a real one: with a swapped target, in another site's export, of an attack."""


def grow(
    table: np.ndarray, answers: np.ndarray, weights: np.ndarray | None = None, rising: Sequence[int] | None = None
) -> HistGradientBoostingClassifier:
    """Return trees grown on rows (rows, features) with their answers; `rising`: 1 for features that only add."""
    return HistGradientBoostingClassifier(**GROWTH, monotonic_cst=rising).fit(table, answers, sample_weight=weights)


def nearness(columns: Sequence[str]) -> list[int]:
    """Return 1 for each feature that is a nearness to what the site is about, else 0: more of it is never less."""
    return [int(name.startswith("to_")) for name in columns]


@dataclass(frozen=True)
class Calibration:
    """What log-odds are multiplied by, and what is added, so that the share that is true is the one promised.

    `of_site`: what each of SITE_FEATURES, less its mean, is multiplied by, to be added.
    """

    slope: float = 1
    shift: float = 0
    of_site: tuple[float, ...] = (0, 0)

    @classmethod
    def of(cls, says: np.ndarray, told: np.ndarray, of_site: np.ndarray) -> "Calibration":
        """Return the one that fits probabilities of rows left out, (rows,), to their answers, bool (rows,) (Platt)."""
        fitted = LogisticRegression(C=np.inf).fit(np.column_stack([_log_odds(says), np.nan_to_num(of_site)]), told)
        slope, *others = fitted.coef_[0].tolist()
        return cls(slope, float(fitted.intercept_[0]), tuple(others))

    def applied(self, says: np.ndarray, of_site: np.ndarray) -> np.ndarray:
        """Return the probabilities that are kept."""
        beside = np.nan_to_num(of_site) @ np.array(self.of_site)
        kept: np.ndarray = expit(self.slope * _log_odds(says) + self.shift + beside)
        return kept


def _log_odds(says: np.ndarray) -> np.ndarray:
    odds: np.ndarray = logit(np.clip(says, 1e-6, 1 - 1e-6))
    return odds


def written_forest(
    grown: HistGradientBoostingClassifier, output: int = 0, calibration: Calibration = Calibration()
) -> dict[str, Any]:
    """Return the trees of one output, calibrated, as `analysis.relevance.forest.read_forest` reads them."""
    baseline = float(grown._baseline_prediction.ravel()[output])
    trees = [_written_tree(rounds[output].nodes, calibration.slope) for rounds in grown._predictors]
    shifted = round(calibration.slope * baseline + calibration.shift, DIGITS)
    return {"baseline": shifted, "of_site": [round(value, DIGITS) for value in calibration.of_site], "trees": trees}


def _written_tree(nodes: np.ndarray, slope: float) -> dict[str, list[Any]]:
    values = slope * _mean_values(nodes)
    return {
        "feature": nodes["feature_idx"].tolist(),
        "threshold": nodes["num_threshold"].tolist(),
        "missing_left": nodes["missing_go_to_left"].astype(int).tolist(),
        "left": np.where(nodes["is_leaf"], 0, nodes["left"]).tolist(),
        "right": np.where(nodes["is_leaf"], 0, nodes["right"]).tolist(),
        "value": [round(float(value), DIGITS) for value in values],
    }


def _mean_values(nodes: np.ndarray) -> np.ndarray:
    """Return the value of each node: a leaf's own, else the mean of its children's by how many rows came to them."""
    values = nodes["value"].astype(float).copy()
    for place in range(len(nodes) - 1, -1, -1):
        if not nodes["is_leaf"][place]:
            sides = [int(nodes["left"][place]), int(nodes["right"][place])]
            values[place] = np.average(values[sides], weights=nodes["count"][sides])
    return values


def folds(sites: np.ndarray, seed: int) -> np.ndarray:
    """Return the fold of each row: all rows of a site are in one."""
    names = np.unique(np.asarray(sites, dtype=object).astype(str))
    order = np.random.default_rng(seed).permutation(len(names))
    place = dict(zip(names[order], np.arange(len(names)) % FOLDS, strict=True))
    return np.array([place[site] for site in sites])


def left_out(
    features: pd.DataFrame,
    answers: np.ndarray,
    sites: np.ndarray,
    invented: pd.DataFrame | None = None,
    columns: Sequence[str] = FEATURE_NAMES,
    weights: np.ndarray | None = None,
    seeds: Sequence[int] = (0, 1),
    rising: Sequence[int] | None = None,
) -> np.ndarray:
    """Return the probabilities of each row from trees that saw none of its site, (rows, answers in order).

    `invented`: rows whose answer is no, with site and weight, that are learnt from and never asked.
    """
    table = features[list(columns)].to_numpy(dtype=np.float32)
    distinct = np.unique(answers)
    found = np.zeros((len(table), len(distinct)))
    weights = np.ones(len(table)) if weights is None else weights
    for seed in seeds:
        fold = folds(sites, seed)
        of_site = dict(zip(sites, fold, strict=True))
        for number in range(FOLDS):
            seen = fold != number
            learned, told, heavy = [table[seen]], [answers[seen]], [weights[seen]]
            if invented is not None:
                rows = np.array([of_site.get(site, -1) != number for site in invented["site"]])
                learned.append(invented[list(columns)].to_numpy(dtype=np.float32)[rows])
                told.append(np.zeros(rows.sum(), dtype=bool))
                heavy.append(invented["weight"].to_numpy(dtype=float)[rows])
            grown = grow(np.concatenate(learned), np.concatenate(told), np.concatenate(heavy), rising)
            found[~seen] += grown.predict_proba(table[~seen]) / len(seeds)
    return found


def calibrated(says: np.ndarray, told: np.ndarray, sites: np.ndarray, of_site: np.ndarray) -> np.ndarray:
    """Return probabilities of a yes, (rows,), each calibrated on the rows of other sites."""
    fold, kept = folds(sites, len(sites)), np.zeros(len(says))
    for number in range(FOLDS):
        here = fold == number
        calibration = Calibration.of(says[~here], told[~here], of_site[~here])
        kept[here] = calibration.applied(says[here], of_site[here])
    return kept


def balance(kinds: np.ndarray) -> np.ndarray:
    """Return weights that make rare kinds count more: one over the root of how often each is."""
    counts = pd.Series(kinds).map(pd.Series(kinds).value_counts()).to_numpy(dtype=float)
    weights: np.ndarray = np.sqrt(len(kinds) / counts / len(KINDS))
    return weights
