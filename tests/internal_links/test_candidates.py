from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from backlink_audit.internal_links import order as module
from backlink_audit.internal_links.order import find_among_nearest
from backlink_audit.internal_links.suggestions import Signal, find_opportunities
from tests.embedding.test_nearest import topics
from tests.internal_links.test_interlinks import limits, pairs

PAGES = 600


@pytest.fixture
def vectors():
    return topics(PAGES)


@pytest.fixture
def signals(vectors):
    """One signal that is the similarity, and one of sparse words that has nothing to do with it."""
    words = sp.random(PAGES, 40, density=0.1, format="csr", random_state=0, dtype=np.float32)
    return [Signal(vectors, vectors, 1.0), Signal(words, words, np.full(PAGES, 0.1, dtype=np.float32))]


def test_where_every_page_is_a_candidate_the_result_is_the_exact_one(vectors, signals, monkeypatch):
    monkeypatch.setattr(module, "CANDIDATES", PAGES)
    monkeypatch.setattr("backlink_audit.embedding.nearest.KEPT_SEARCHING", PAGES)
    linked = sp.csr_matrix((np.ones(2, dtype=bool), ([3, 4], [5, 6])), shape=(PAGES, PAGES))
    none: list[Signal] = []
    for chosen in (none, signals):
        bounds = limits(PAGES, per_page=5, min_similarity=0.2, near_duplicate=0.97, linked=linked)
        bounds = replace(bounds, sources=np.arange(PAGES) % 3 > 0, targets=np.arange(PAGES) % 5 > 0)
        exact = find_opportunities(vectors, bounds, chosen)
        found, recall = find_among_nearest(vectors, bounds, chosen)
        assert pairs(found) == pairs(exact)
        np.testing.assert_allclose(found.score, exact.score, atol=1e-4)
        np.testing.assert_allclose(found.nearest, exact.nearest, atol=1e-5)
        np.testing.assert_array_equal(found.alike, exact.alike)
        assert recall == 1


def test_the_recall_is_that_of_the_suggestions_on_a_sample(vectors, signals, monkeypatch):
    monkeypatch.setattr(module, "CANDIDATES", 20)
    bounds = limits(PAGES, per_page=10, min_similarity=-1.0)
    found, recall = find_among_nearest(vectors, bounds, signals)
    exact = set(pairs(find_opportunities(vectors, bounds, signals)))
    assert recall == pytest.approx(len(exact & set(pairs(found))) / len(exact), abs=0.05)
    assert 0.5 < recall < 1


def test_targets_stay_capped(vectors, monkeypatch):
    monkeypatch.setattr(module, "CANDIDATES", 50)
    found, recall = find_among_nearest(vectors, limits(PAGES, per_page=4, per_target=2))
    assert np.bincount(found.target).max() <= 2
    assert recall > 0.9


def test_nothing_to_suggest_has_no_recall(vectors):
    found, recall = find_among_nearest(vectors, limits(PAGES, min_similarity=1.0))
    assert not len(found.source)
    assert np.isnan(recall)
