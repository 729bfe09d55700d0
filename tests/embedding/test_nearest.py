import numpy as np
import pytest

from backlink_audit.embedding.nearest import nearest, top_k
from backlink_audit.errors import Cancelled


def topics(rows, seed=0):
    """Unit rows around a few centres, as a site's pages are."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((12, 24))
    rows = centres[rng.integers(0, 12, rows)] + 0.5 * rng.standard_normal((rows, 24))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_it_finds_nearly_what_comparing_every_pair_finds():
    targets = topics(4_000)
    queries = targets[:300]
    indices, scores = nearest(queries, targets, 15)
    exact, exact_scores = top_k(queries, targets, 15)
    found = [len(set(a) & set(b)) for a, b in zip(indices.tolist(), exact.tolist(), strict=True)]
    assert np.mean(found) > 0.95 * 15
    np.testing.assert_allclose(scores[:, 0], exact_scores[:, 0], atol=1e-5)
    assert (np.diff(scores, axis=1) <= 1e-6).all()
    assert [str(found.dtype) for found in (indices, scores)] == ["int32", "float32"]


def test_it_gives_the_same_result_every_time():
    vectors = topics(2_000)
    first, second = (nearest(vectors, vectors, 10) for _ in range(2))
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


def test_copies_do_not_hide_what_is_unlike_them():
    vectors = topics(3_000)
    vectors[::2] = vectors[0]
    queries = vectors[1:400:2]
    _, scores = nearest(queries, vectors, 15)
    _, exact = top_k(queries, vectors, 15)
    assert (scores >= exact - 1e-5).mean() > 0.95


def test_of_copies_the_first_are_returned_and_no_more_than_wanted():
    vectors = np.repeat(topics(4), [6, 1, 1, 1], axis=0)
    indices, scores = nearest(vectors[:1], vectors, 5, copies=3)
    assert indices[0, :3].tolist() == [0, 1, 2]
    assert set(indices[0, 3:].tolist()) < {6, 7, 8}
    assert scores[0, :3] == pytest.approx([1, 1, 1], abs=1e-5)
    assert nearest(vectors[:1], vectors, 5)[0].tolist() == [[0, 1, 2, 3, 4]]


def test_what_is_not_there_is_marked():
    vectors = topics(5)
    indices, scores = nearest(vectors, vectors, 8)
    assert (indices[:, :5] >= 0).all()
    assert sorted(indices[0, :5]) == [0, 1, 2, 3, 4]
    assert (indices[:, 5:] == -1).all()
    assert np.isneginf(scores[:, 5:]).all()


def test_no_queries_give_no_rows():
    assert nearest(topics(0), topics(50), 3)[0].shape == (0, 3)


@pytest.mark.parametrize(("rows", "k"), [(0, 3), (5, 0)])
def test_where_there_is_nothing_to_find_nothing_is_found(rows, k):
    indices, scores = nearest(topics(4), topics(rows), k)
    assert indices.shape == scores.shape == (4, k)
    assert (indices == -1).all()


def test_it_can_be_stopped():
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        nearest(topics(50), topics(50), 3, stop)
