"""Fitted trees are evaluated as scikit-learn evaluates them, and say what each feature added."""

import json

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from backlink_audit.judgement.judge import Forest, probability, read_forest, shares
from benchmarks.judgement_fit import Calibration, written_forest

NAMES = ("a", "b", "c", "d")


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    random = np.random.default_rng(3)
    rows = random.standard_normal((600, len(NAMES))).astype(np.float32)
    rows[random.random(rows.shape) < 0.2] = np.nan
    return rows


def grown(table: np.ndarray, answers: np.ndarray) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(max_depth=3, max_iter=20, early_stopping=False).fit(table, answers)


def read(grown: HistGradientBoostingClassifier, output: int = 0) -> Forest:
    return read_forest(NAMES, json.loads(json.dumps(written_forest(grown, output))))


@pytest.fixture(scope="module")
def two(table: np.ndarray) -> HistGradientBoostingClassifier:
    return grown(table, np.nan_to_num(table[:, 0]) + np.isnan(table[:, 1]) > 0.5)


def test_the_probabilities_are_those_of_scikit_learn(table, two):
    ours = probability(read(two).log_odds(table))
    np.testing.assert_allclose(ours, two.predict_proba(table)[:, 1], atol=2e-3)
    assert ours.min() < 0.2 and ours.max() > 0.8


def test_what_promised_too_little_promises_what_is_so(table, two):
    says = two.predict_proba(table)[:, 1]
    odds = says / (1 - says)
    so = 2 * odds**1.5 / (1 + 2 * odds**1.5)  # a slope of 1.5 and a shift of log 2
    told = np.random.default_rng(4).random((50, len(says))) < so
    beside = np.zeros((len(says), 2))
    found = Calibration.of(np.tile(says, 50), told.ravel(), np.tile(beside, (50, 1)))
    assert found.slope == pytest.approx(1.5, rel=0.05) and found.shift == pytest.approx(np.log(2), rel=0.1)
    written = read_forest(NAMES, written_forest(two, calibration=found))
    np.testing.assert_allclose(probability(written.log_odds(table)), found.applied(says, beside), atol=2e-3)


def test_the_shares_of_several_kinds_are_those_of_scikit_learn(table):
    kinds = np.digitize(np.nan_to_num(table[:, 2]), [-0.5, 0.5])
    several = grown(table, kinds)
    ours = shares([read(several, place).log_odds(table) for place in range(3)])
    np.testing.assert_allclose(ours, several.predict_proba(table), atol=2e-3)
    np.testing.assert_allclose(ours.sum(axis=1), 1, atol=1e-5)


def test_what_the_features_add_comes_to_the_log_odds(table, two):
    forest = read(two)
    start = forest.baseline + sum(float(tree.value[0]) for tree in forest.trees)
    np.testing.assert_allclose(start + forest.contributions(table).sum(axis=1), forest.log_odds(table), atol=1e-3)


def test_a_feature_that_decides_nothing_adds_nothing(table, two):
    added = np.abs(read(two).contributions(table)).sum(axis=0)
    assert added[0] > 10 * added[3]


def test_a_tree_of_one_leaf_adds_its_value():
    leaf = {"feature": [0], "threshold": [0.0], "missing_left": [0], "left": [0], "right": [0], "value": [0.5]}
    forest = read_forest(["a"], {"baseline": 1.0, "trees": [leaf]})
    rows = np.array([[1.0], [np.nan]], dtype=np.float32)
    assert forest.log_odds(rows).tolist() == [1.5, 1.5]
    assert forest.contributions(rows).tolist() == [[0], [0]]


def test_no_rows_have_no_log_odds(two):
    none = np.empty((0, len(NAMES)), np.float32)
    assert read(two).log_odds(none).shape == (0,) and read(two).contributions(none).shape == (0, len(NAMES))


def test_very_high_log_odds_are_no_error():
    assert probability(np.array([-90.0, 0.0, 90.0])).round(3).tolist() == [0, 0.5, 1]
    assert shares([np.array([900.0]), np.array([-900.0])]).tolist() == [[1, 0]]
