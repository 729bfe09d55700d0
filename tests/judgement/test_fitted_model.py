"""The fitted files that the package carries."""

import json
from importlib.resources import files

import numpy as np
import pytest

from backlink_audit.judgement.features import FEATURE_NAMES
from backlink_audit.judgement.judge import KINDS, load_fitted
from backlink_audit.settings import LINKS_MODEL

FITTED = sorted(
    file.name for file in (files("backlink_audit.judgement") / "fitted").iterdir() if file.name.endswith("json")
)


@pytest.mark.parametrize("name", FITTED)
def test_every_file_has_all_features_and_kinds(name):
    written = json.loads((files("backlink_audit.judgement") / "fitted" / name).read_text("utf-8"))
    assert tuple(written["features"]) == FEATURE_NAMES
    assert name == f"{written['model']}.json"
    assert set(written["kinds"]) == set(KINDS)


@pytest.mark.parametrize("name", FITTED)
def test_every_tree_is_whole(name):
    fitted = load_fitted(name.removesuffix(".json"))
    for forest in (fitted.relevance, fitted.worth, fitted.suspicion, *fitted.kinds):
        assert forest.trees and np.isfinite(forest.baseline)
        for tree in forest.trees:
            inner = np.flatnonzero(tree.left > 0)
            assert len(tree.feature) == len(tree.left) == len(tree.right) == len(tree.value)
            assert (tree.left[inner] > inner).all() and (tree.right[inner] > inner).all()
            assert max(tree.left.max(), tree.right.max()) < len(tree.value)
            assert ((tree.feature >= 0) & (tree.feature < len(FEATURE_NAMES))).all()
            assert np.isfinite(tree.value).all() and not np.isnan(tree.threshold).any()


def test_a_model_without_a_fit_of_its_own_has_that_of_the_default():
    assert f"{LINKS_MODEL}.json" in FITTED
    own, other = load_fitted(LINKS_MODEL), load_fitted("no such model")
    assert own.relevance.baseline == other.relevance.baseline
    assert own.kinds[2].trees[0].value.tolist() == other.kinds[2].trees[0].value.tolist()
