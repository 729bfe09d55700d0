import numpy as np
import pytest

from backlink_audit.embedding.transformer import cut_batches, sound_text


@pytest.mark.parametrize("count", [0, 1, 500])
def test_batches_hold_every_text_once(count):
    lengths = np.random.default_rng(0).integers(1, 200, count)
    batches = list(cut_batches(lengths, 1024))
    assert sorted(row for batch in batches for row in batch) == list(range(count))


def test_batches_keep_to_their_budget_and_pad_little():
    lengths = np.random.default_rng(0).integers(1, 200, 5_000)
    padded = [lengths[batch].max() * len(batch) for batch in cut_batches(lengths, 1024)]
    assert max(padded) <= 1024
    assert sum(padded) < 1.06 * lengths.sum()


def test_longest_texts_come_first():
    lengths = np.array([3, 50, 7, 50])
    assert next(cut_batches(lengths, 100)).tolist() == [1, 3]


def test_a_text_over_the_budget_has_a_batch_of_its_own():
    assert [batch.tolist() for batch in cut_batches(np.array([99, 99]), 10)] == [[0], [1]]


def test_lone_surrogates_are_replaced():
    assert sound_text("a \ud800 b") == "a ? b"
