"""Shallow trees that add up to a probability: how they are evaluated, and what each feature contributed.

The trees are data (`fitted/*.json`), written by `python -m benchmarks.judgement`; scikit-learn grows them, and is not
needed to read them. A feature that is not known (NaN) goes the way that most like it went when the trees were grown.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from backlink_audit.labels import KIND_LIST, KIND_PAGE, KIND_SPAM, KIND_VISITORS
from backlink_audit.settings import LINKS_MODEL


@dataclass(frozen=True)
class Tree:
    """One tree, an entry per node, the root first. `left` and `right`: places of the children, 0 at a leaf.

    `value`: what the node adds to the sum on average over the links that came to it, in log-odds.
    """

    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray


@dataclass(frozen=True)
class Forest:
    """Trees over named features, whose values add up to log-odds.

    `of_site`: what each of `features.SITE_FEATURES` is multiplied by, to be added, float32.
    """

    features: tuple[str, ...]
    baseline: float
    trees: tuple[Tree, ...]
    of_site: np.ndarray

    def log_odds(self, table: np.ndarray) -> np.ndarray:
        """Return the sum for each row of `table`, float32 (rows, features) in the order of `features`; (rows,)."""
        columns = np.ascontiguousarray(table.T)
        total = np.full(len(table), self.baseline, dtype=np.float32)
        for tree in self.trees:
            for leaf, rows in _leaves(tree, columns):
                total += tree.value[leaf] * rows
        return total

    def contributions(self, table: np.ndarray) -> np.ndarray:
        """Return what each feature adds to each row's log-odds, float32 (rows, features).

        A step down a tree counts for the feature that decides it: by how much the values of the two nodes differ.
        """
        columns = np.ascontiguousarray(table.T)
        found = np.zeros(columns.shape, dtype=np.float32)
        for tree in self.trees:
            for node, child, rows in _steps(tree, columns):
                found[tree.feature[node]] += (tree.value[child] - tree.value[node]) * rows
        return found.T


def probability(log_odds: np.ndarray) -> np.ndarray:
    """Return the probability of log-odds, 0-1, float32.

    >>> probability(np.array([0.0])).tolist()
    [0.5]
    """
    return (1 / (1 + np.exp(-log_odds.astype(np.float64)))).astype(np.float32)


def shares(log_odds: Sequence[np.ndarray]) -> np.ndarray:
    """Return the probability of each of several kinds that exclude each other, float32 (rows, kinds)."""
    table = np.stack(log_odds, axis=1).astype(np.float64)
    weights = np.exp(table - table.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def read_forest(features: Sequence[str], written: Mapping[str, Any]) -> Forest:
    """Return a forest from its entry in a file of fitted trees; see `written_forest`."""
    trees = tuple(_read_tree(tree) for tree in written["trees"])
    of_site = np.array(written.get("of_site", [0, 0]), dtype=np.float32)
    return Forest(tuple(features), float(written["baseline"]), trees, of_site)


def _read_tree(columns: Mapping[str, Sequence[float]]) -> Tree:
    return Tree(
        feature=np.array(columns["feature"], dtype=np.intp),
        threshold=_rounded_down(np.array(columns["threshold"], dtype=np.float64)),
        missing_left=np.array(columns["missing_left"], dtype=bool),
        left=np.array(columns["left"], dtype=np.intp),
        right=np.array(columns["right"], dtype=np.intp),
        value=np.array(columns["value"], dtype=np.float32),
    )


def _rounded_down(thresholds: np.ndarray) -> np.ndarray:
    rounded = thresholds.astype(np.float32)
    return np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)


def _steps(tree: Tree, columns: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield every step down from a node to a child, the root's first, with the rows that make it, bool (rows,).

    `columns` (features, rows). All rows are looked at in every step, which is quicker than to gather those concerned.
    """
    waiting = [(0, np.ones(columns.shape[1], dtype=bool))]
    while waiting:
        node, here = waiting.pop()
        if tree.left[node] == 0:
            continue
        column, threshold = columns[tree.feature[node]], tree.threshold[node]
        to_left = ~(column > threshold) if tree.missing_left[node] else column <= threshold  # NaN is neither
        for child, rows in ((tree.left[node], here & to_left), (tree.right[node], here & ~to_left)):
            yield node, child, rows
            waiting.append((child, rows))


def _leaves(tree: Tree, columns: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    if len(tree.left) == 1:
        yield 0, np.ones(columns.shape[1], dtype=bool)
    for _, child, rows in _steps(tree, columns):
        if tree.left[child] == 0:
            yield child, rows


KINDS = tuple(kind.word for kind in (KIND_PAGE, KIND_LIST, KIND_SPAM, KIND_VISITORS))
"""The kinds of pages that are told apart, in the order of their forests."""


@dataclass(frozen=True)
class Fitted:
    """What was fitted for one model, all on the same features.

    `trust`: may the link teach what its target's site is about, by ROW_FEATURES alone; `middle`: of each of
    SITE_FEATURES, what adds nothing.

    `relevance`: is the page about its target's subject; `worth`: would an SEO keep the link; `suspicion`: would one
    look at it, as at spam; `kinds`: one forest for each of KINDS, whose log-odds are weighed against each other.
    """

    relevance: Forest
    worth: Forest
    suspicion: Forest
    kinds: tuple[Forest, ...]
    trust: Forest
    middle: np.ndarray


@cache
def load_fitted(model: str) -> Fitted:
    """Return what was fitted for a model; for one without a fit of its own, what was fitted for the default."""
    folder = files("backlink_audit.judgement") / "fitted"
    own, default = folder / f"{model}.json", folder / f"{LINKS_MODEL}.json"
    written: dict[str, Any] = json.loads((own if own.is_file() else default).read_text("utf-8"))
    features = written["features"]
    return Fitted(
        relevance=read_forest(features, written["relevance"]),
        worth=read_forest(features, written["worth"]),
        suspicion=read_forest(features, written["suspicion"]),
        kinds=tuple(read_forest(features, written["kinds"][kind]) for kind in KINDS),
        trust=read_forest(features, written["trust"]),
        middle=np.array(written["middle"], dtype=np.float32),
    )
