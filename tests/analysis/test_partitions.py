import numpy as np
import pytest

from backlink_audit.analysis import partitions as module
from backlink_audit.analysis.nearest import nearest
from backlink_audit.analysis.partitions import assign, search_batch
from backlink_audit.analysis.similarity import top_k
from tests.analysis.test_nearest import topics


@pytest.fixture(autouse=True)
def small_partitions(monkeypatch):
    monkeypatch.setattr(module, "PARTITION_ROWS", 100)
    monkeypatch.setattr(module, "REACH", 6)


def search(queries, targets, k, on_progress=None):
    """Search one partition after the other, as a cluster does at the same time."""
    partitions = assign(queries, targets)
    found = np.full((len(queries), k), -2, np.int32)
    scores = np.empty((len(queries), k), np.float32)
    for numbers in partitions.batches():
        rows = partitions.queries_of(numbers)
        found[rows], scores[rows] = search_batch(partitions, targets, numbers, queries[rows], k)
    return found, scores


def test_more_partitions_in_reach_find_more(monkeypatch):
    targets = topics(2_000)
    exact, _ = top_k(targets, targets, 15)
    shares = []
    for reach in (1, 2, 6):
        monkeypatch.setattr(module, "REACH", reach)
        found, _ = search(targets, targets, 15)
        shares.append(np.mean([np.isin(one, other).mean() for one, other in zip(exact, found, strict=True)]))
    assert 0.3 < shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.98


def test_scores_are_the_cosines_best_first():
    targets = topics(2_000)
    queries = targets[:300]
    indices, scores = search(queries, targets, 15)
    np.testing.assert_allclose(scores, np.einsum("qd,qkd->qk", queries, targets[indices]), atol=1e-6)
    assert (np.diff(scores, axis=1) <= 1e-6).all()
    assert (indices.dtype, scores.dtype) == (np.int32, np.float32)


def test_with_every_partition_in_reach_it_is_exact(monkeypatch):
    monkeypatch.setattr(module, "REACH", 1_000)
    queries, targets = topics(200, seed=1), topics(1_000)
    np.testing.assert_array_equal(search(queries, targets, 10)[0], top_k(queries, targets, 10)[0])


def test_every_row_has_one_partition_and_every_partition_reaches_itself():
    queries, targets = topics(500, seed=1), topics(1_000)
    partitions = assign(queries, targets)
    assert len(partitions.targets) == len(partitions.queries) == 10
    assert sorted(np.concatenate(partitions.queries)) == list(range(500))
    assert sorted(np.concatenate(partitions.targets)) == list(range(1_000))
    assert partitions.reach.shape == (10, 6)
    for number, near in enumerate(partitions.reach):
        assert near[0] == number
        assert len(set(near)) == 6


def test_batches_of_partitions_give_the_same_result(monkeypatch):
    vectors = topics(1_000)
    whole = search(vectors, vectors, 5)
    assert len(list(assign(vectors, vectors).batches())) == 1
    monkeypatch.setattr(module, "QUERIES_AT_ONCE", 250)
    batches = list(assign(vectors, vectors).batches())
    assert 3 <= len(batches) <= 5
    assert np.concatenate(batches).tolist() == list(range(10))
    np.testing.assert_array_equal(search(vectors, vectors, 5)[0], whole[0])


def test_there_are_never_more_partitions_than_their_limit(monkeypatch):
    monkeypatch.setattr(module, "MOST_PARTITIONS", 4)
    assert len(assign(topics(10), topics(2_000)).targets) == 4


def test_it_gives_the_same_result_every_time():
    vectors = topics(1_500)
    first, second = search(vectors, vectors, 10), search(vectors, vectors, 10)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


def test_what_is_not_there_is_marked():
    vectors = topics(5)
    indices, scores = search(vectors, vectors, 8)
    assert sorted(indices[0, :5]) == [0, 1, 2, 3, 4]
    assert (indices[:, 5:] == -1).all()
    assert np.isneginf(scores[:, 5:]).all()


def test_no_queries_give_no_rows():
    assert search(topics(0), topics(50), 3)[0].shape == (0, 3)


def test_copies_of_a_page_are_searched_for_once():
    vectors = np.repeat(topics(400), 3, axis=0)
    indices, _ = nearest(vectors, vectors, 12, copies=2, search=search)
    assert (indices // 3 == np.arange(1_200)[:, None] // 3).sum(axis=1).tolist() == [2] * 1_200
