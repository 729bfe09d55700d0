import numpy as np
import pytest

from backlink_audit.embedding import nearest as module
from backlink_audit.embedding.nearest import assign, nearest, search_partitions, top_k
from tests.embedding.test_nearest import topics


@pytest.fixture(autouse=True)
def small_partitions(monkeypatch):
    monkeypatch.setattr(module, "PARTITION_ROWS", 100)
    monkeypatch.setattr(module, "REACH", 6)


def test_more_partitions_in_reach_find_more(monkeypatch):
    targets = topics(2_000)
    exact, _ = top_k(targets, targets, 15)
    shares = []
    for reach in (1, 2, 6):
        monkeypatch.setattr(module, "REACH", reach)
        found, _ = search_partitions(targets, targets, 15)
        shares.append(np.mean([np.isin(one, other).mean() for one, other in zip(exact, found, strict=True)]))
    assert 0.3 < shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.98


def test_scores_are_the_cosines_best_first():
    targets = topics(2_000)
    queries = targets[:300]
    indices, scores = search_partitions(queries, targets, 15)
    np.testing.assert_allclose(scores, np.einsum("qd,qkd->qk", queries, targets[indices]), atol=1e-6)
    assert (np.diff(scores, axis=1) <= 1e-6).all()
    assert [str(found.dtype) for found in (indices, scores)] == ["int32", "float32"]


def test_with_every_partition_in_reach_it_is_exact(monkeypatch):
    monkeypatch.setattr(module, "REACH", 1_000)
    queries, targets = topics(200, seed=1), topics(1_000)
    np.testing.assert_array_equal(search_partitions(queries, targets, 10)[0], top_k(queries, targets, 10)[0])


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
    whole = search_partitions(vectors, vectors, 5)
    assert len(list(assign(vectors, vectors).batches())) == 1
    monkeypatch.setattr(module, "QUERIES_AT_ONCE", 250)
    batches = list(assign(vectors, vectors).batches())
    assert 3 <= len(batches) <= 5
    assert np.concatenate(batches).tolist() == list(range(10))
    np.testing.assert_array_equal(search_partitions(vectors, vectors, 5)[0], whole[0])


def test_there_are_never_more_partitions_than_their_limit(monkeypatch):
    monkeypatch.setattr(module, "MOST_PARTITIONS", 4)
    assert len(assign(topics(10), topics(2_000)).targets) == 4


def test_copies_of_a_page_are_searched_for_once():
    vectors = np.repeat(topics(400), 3, axis=0)
    indices, _ = nearest(vectors, vectors, 12, copies=2, search=search_partitions)
    assert (indices // 3 == np.arange(1_200)[:, None] // 3).sum(axis=1).tolist() == [2] * 1_200
