"""Shallow trees that add up to a probability: how they are evaluated, and what each feature contributed.

The trees are data (`fitted/*.json`), written by `python -m benchmarks.judgement`; scikit-learn grows them, and is not
needed to read them. A feature that is not known (NaN) goes the way that most like it went when the trees were grown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


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
    """Trees over named features, whose values add up to log-odds."""

    features: tuple[str, ...]
    baseline: float
    trees: tuple[Tree, ...]

    def log_odds(self, table: np.ndarray) -> np.ndarray:
        """Return the sum for each row of `table`, float32 (rows, features) in the order of `features`; (rows,)."""
        total = np.full(len(table), self.baseline, dtype=np.float32)
        for tree in self.trees:
            steps = _steps(tree, table)
            total += tree.value[steps[-1][1]] if steps else tree.value[0]
        return total

    def contributions(self, table: np.ndarray) -> np.ndarray:
        """Return what each feature adds to each row's log-odds, float32 (rows, features).

        A step down a tree counts for the feature that decides it: by how much the values of the two nodes differ.
        """
        found = np.zeros(table.shape, dtype=np.float32)
        rows = np.arange(len(table))
        for tree in self.trees:
            for before, after in _steps(tree, table):
                moved = before != after
                features = tree.feature[before[moved]]
                found[rows[moved], features] += tree.value[after[moved]] - tree.value[before[moved]]
        return found


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
    return Forest(tuple(features), float(written["baseline"]), tuple(_read_tree(tree) for tree in written["trees"]))


def _read_tree(columns: Mapping[str, Sequence[float]]) -> Tree:
    return Tree(
        feature=np.array(columns["feature"], dtype=np.intp),
        threshold=np.array(columns["threshold"], dtype=np.float64),
        missing_left=np.array(columns["missing_left"], dtype=bool),
        left=np.array(columns["left"], dtype=np.intp),
        right=np.array(columns["right"], dtype=np.intp),
        value=np.array(columns["value"], dtype=np.float32),
    )


def _steps(tree: Tree, table: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the nodes of all rows before and after each step down; a row that is at a leaf stays there."""
    rows = np.arange(len(table))
    node = np.zeros(len(table), dtype=np.intp)
    steps = []
    while (inner := tree.left[node] > 0).any():
        value = table[rows, tree.feature[node]]
        to_left = np.where(np.isnan(value), tree.missing_left[node], value <= tree.threshold[node])
        after = np.where(inner, np.where(to_left, tree.left[node], tree.right[node]), node)
        steps.append((node, after))
        node = after
    return steps
