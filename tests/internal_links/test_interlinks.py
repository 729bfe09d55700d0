import numpy as np
import pytest
import scipy.sparse as sp

from backlink_audit.internal_links.suggestions import Limits, Signal, editorial_signals, find_opportunities


def limits(pages, **changes):
    everything = np.ones(pages, dtype=bool)
    plain = {
        "per_page": 3,
        "per_target": None,
        "min_similarity": -1.0,
        "near_duplicate": 1.1,
        "sources": everything,
        "targets": everything,
        "linked": sp.csr_matrix((pages, pages), dtype=bool),
    }
    return Limits(**(plain | changes))


def unit(rows, dimensions=8, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def pairs(found):
    return list(zip(found.source.tolist(), found.target.tolist(), strict=True))


def test_the_order_is_exactly_that_of_a_full_sort():
    vectors = unit(40)
    found = find_opportunities(vectors, limits(40, per_page=5))
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -np.inf)
    expected = np.argsort(-cosines, axis=1, kind="stable")[:, :5]
    assert found.target.reshape(40, 5).tolist() == expected.tolist()
    assert found.rank.reshape(40, 5).tolist() == [[1, 2, 3, 4, 5]] * 40
    assert found.similarity == pytest.approx(np.take_along_axis(cosines, expected, axis=1).ravel(), abs=1e-6)


def test_no_page_is_its_own_target_and_existing_links_are_left_out_in_their_direction_only():
    vectors = unit(10)
    linked = sp.csr_matrix(([True], ([2], [5])), shape=(10, 10))
    found = pairs(find_opportunities(vectors, limits(10, per_page=10, linked=linked)))
    assert (2, 5) not in found
    assert (5, 2) in found
    assert all(source != target for source, target in found)
    assert len(found) == 10 * 9 - 1


def test_the_minimum_similarity_and_the_isolated_page():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, -1]], dtype=np.float32)
    found = find_opportunities(vectors, limits(3, min_similarity=0.5))
    assert pairs(found) == [(0, 1), (1, 0)]
    assert found.nearest.tolist() == pytest.approx([0.8, 0.8, 0.0], abs=1e-6)


def test_sources_and_targets_outside_the_masks_do_not_appear():
    sources, targets = np.arange(10) < 3, np.arange(10) >= 7
    found = find_opportunities(unit(10), limits(10, per_page=10, sources=sources, targets=targets))
    assert set(found.source.tolist()) == {0, 1, 2}
    assert set(found.target.tolist()) == {7, 8, 9}
    assert np.isnan(found.nearest[3:]).all()


def test_targets_are_capped_and_the_best_pairs_kept():
    vectors = unit(30)
    found = find_opportunities(vectors, limits(30, per_page=4, per_target=2))
    assert np.bincount(found.target).max() <= 2
    assert np.bincount(found.source).max() <= 4
    best = find_opportunities(vectors, limits(30, per_page=1))
    strongest = int(np.argmax(best.score))
    assert (best.source[strongest], best.target[strongest]) in pairs(found)


def test_signals_are_added_in_their_own_standard_deviations():
    vectors = unit(50)
    small, large = Signal(vectors, vectors), Signal(vectors * 100, vectors * 100)
    one = find_opportunities(vectors, limits(50), [small])
    other = find_opportunities(vectors, limits(50), [large])
    assert one.target.tolist() == other.target.tolist()
    assert one.score == pytest.approx(other.score, abs=1e-3)


def test_near_duplicates_come_last_in_editorial_order_with_their_true_score():
    vectors = np.array([[1, 0], [1, 0.01], [0.8, 0.6], [0.6, 0.8]], dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = find_opportunities(vectors, limits(4, near_duplicate=0.95), [Signal(vectors, vectors)])
    assert found.target[found.source == 0].tolist() == [2, 3, 1]
    assert np.abs(found.score).max() < 10


def test_near_duplicates_are_found_even_where_other_targets_take_every_place():
    vectors = unit(30) * 0.5 + np.ones(8, dtype=np.float32)
    vectors[7] = vectors[3]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    found = find_opportunities(vectors, limits(30, near_duplicate=0.9999), [Signal(vectors, vectors)])
    assert (3, 7) not in pairs(found)
    assert found.alike.tolist() == np.argwhere(np.triu(cosines >= 0.9999, 1)).tolist() == [[3, 7]]


def test_a_mention_and_shared_words_outweigh_a_like_meaning():
    vectors = unit(6)
    bodies = sp.csr_matrix(np.eye(6, dtype=np.float32))
    titles = sp.csr_matrix(np.eye(6, dtype=np.float32))
    mentioned = sp.csr_matrix(([1.0], ([0], [4])), shape=(6, 6), dtype=np.float32)
    nothing = sp.csr_matrix((6, 1), dtype=np.float32)
    signals = editorial_signals(vectors * 0, bodies, mentioned, titles, [True] * 6, (nothing, nothing), nothing)
    assert pairs(find_opportunities(vectors, limits(6), signals))[0] == (0, 4)


def test_one_page_and_no_page_give_no_pair():
    assert pairs(find_opportunities(unit(1), limits(1))) == []
    assert pairs(find_opportunities(unit(1), limits(1), [Signal(unit(1), unit(1))])) == []


def test_many_identical_pages_give_as_many_targets_as_asked_for():
    vectors = np.tile(unit(1), (2_000, 1))
    found = find_opportunities(vectors, limits(2_000, per_page=15))
    assert np.bincount(found.source).tolist() == [15] * 2_000
