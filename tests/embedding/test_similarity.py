import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backlink_audit.embedding import nearest
from backlink_audit.embedding.nearest import top_k, top_k_blocks
from backlink_audit.errors import Cancelled


def unit_rows(rows, dimensions=16, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def whole_numbers(rows, seed):
    """Vectors whose dot products are exact and often equal."""
    return np.random.default_rng(seed).integers(-3, 4, (rows, 6)).astype(np.float32)


def sorted_whole(scores, k):
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(scores, order, axis=1)


@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(50, 9_000, 15), (7, 3, 15), (40, 400, 7), (3, 1, 1), (300, 70, 70)]
)
def test_top_k_equals_sorting_everything(rows, columns, k):
    queries, targets = whole_numbers(rows, 1), whole_numbers(columns, 2)
    indices, scores = top_k(queries, targets, k)
    expected_indices, expected_scores = sorted_whole(queries @ targets.T, k)
    np.testing.assert_array_equal(indices, expected_indices)
    np.testing.assert_array_equal(scores, expected_scores)
    assert [str(found.dtype) for found in (indices, scores)] == ["int32", "float32"]


def test_blocks_leave_no_seams(monkeypatch):
    vectors = unit_rows(5_000)
    whole = top_k(vectors, vectors, 15)
    monkeypatch.setattr(nearest, "BLOCK_SCORES", 700 * len(vectors))
    indices, scores = top_k(vectors, vectors, 15)
    np.testing.assert_array_equal(indices, whole[0])
    np.testing.assert_allclose(scores, whole[1], atol=1e-6)


def test_no_row_is_its_own_match():
    vectors = unit_rows(600)
    indices, scores = top_k(vectors, vectors, 15, exclude_self=True)
    assert not (indices == np.arange(600)[:, None]).any()
    with_self, _ = top_k(vectors, vectors, 16)
    np.testing.assert_array_equal(indices, with_self[:, 1:])
    assert scores.max() < 1


def test_many_identical_rows_stand_in_their_order():
    vectors = np.full((3_000, 4), 0.5, dtype=np.float32)
    indices, scores = top_k(vectors, vectors, 4, exclude_self=True)
    assert indices[0].tolist() == [1, 2, 3, 4]
    assert indices[2_999].tolist() == [0, 1, 2, 3]
    assert (scores == 1).all()


def test_one_row_has_no_other():
    indices, scores = top_k(unit_rows(1), unit_rows(1), 15, exclude_self=True)
    assert indices.shape == scores.shape == (1, 0)


def test_no_rows_and_no_targets():
    assert top_k(unit_rows(0), unit_rows(5), 3)[0].shape == (0, 3)
    assert top_k(unit_rows(5), unit_rows(0), 3)[0].shape == (5, 0)


def test_forbidden_pairs_come_last():
    def score(start, stop):
        scores = np.full((stop - start, 5_000), -np.inf, dtype=np.float32)
        scores[:, 4_321] = 0.5
        return scores

    indices, scores = top_k_blocks(score, 10, 3, block=4)
    assert (indices[:, 0] == 4_321).all()
    assert np.isneginf(scores[:, 1:]).all()


def test_a_run_can_be_stopped_between_blocks():
    def stop(what, done, total):
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        top_k_blocks(
            lambda start, stop: np.zeros((stop - start, 9), dtype=np.float32), 100, 3, block=10, on_progress=stop
        )


@given(
    arrays(np.float32, st.tuples(st.integers(0, 6), st.integers(1, 3)), elements=st.integers(-3, 3)),
    arrays(np.float32, st.tuples(st.integers(0, 40), st.just(3)), elements=st.integers(-3, 3)),
    st.integers(0, 12),
    st.integers(1, 4),
)
def test_any_block_of_scores_gives_what_a_full_sort_gives(queries, targets, k, block):
    scores = queries @ targets[:, : queries.shape[1]].T
    indices, values = top_k_blocks(lambda start, stop: scores[start:stop].copy(), len(scores), k, block=block)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    if len(scores):
        np.testing.assert_array_equal(indices, order)
        np.testing.assert_array_equal(values, np.take_along_axis(scores, order, axis=1))
