"""The relevance of two pages of a site, judged against its other pages."""

import numpy as np
import pytest

from backlink_audit.existing_links.verdicts import page_relevance


def test_the_nearest_pair_has_most_and_the_farthest_least():
    angles = np.array([0.0, 0.1, 0.2, 2.0])
    vectors = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    near, far = page_relevance(vectors, np.array([0, 0]), np.array([1, 3]))
    assert near > 70 and far < 20


def test_pairs_of_chance_have_fifty_on_average_and_both_ways_the_same():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((300, 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    source, target = rng.integers(0, 300, (2, 4_000))
    apart = source != target
    found = page_relevance(vectors, source[apart], target[apart])
    assert found.mean() == pytest.approx(50, abs=1.5)
    assert found == pytest.approx(page_relevance(vectors, target[apart], source[apart]))


def test_no_pairs_have_none():
    assert page_relevance(np.eye(2), np.array([], int), np.array([], int)).size == 0
