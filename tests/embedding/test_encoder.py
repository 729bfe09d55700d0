import numpy as np
import pytest

from backlink_audit.embedding import encoder as encoder_module
from backlink_audit.embedding.encoder import CachedEncoder, VectorCache
from backlink_audit.errors import Cancelled
from tests.embedding.embedders import BATCH, CountingEmbedder, vector_of


def make_encoder(embedder, identity="weights"):
    return CachedEncoder("counting", embedder.dimensions, embedder, VectorCache(identity, embedder.dimensions))


def test_each_row_is_its_texts_vector():
    texts = ["b", "a", "b", "", "c"]
    vectors = make_encoder(CountingEmbedder()).encode(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, np.stack([vector_of(text) for text in texts]))


def test_a_text_that_repeats_is_embedded_once():
    embedder = CountingEmbedder()
    make_encoder(embedder).encode(["a", "b", "a", "a"])
    assert sorted(embedder.embedded) == ["a", "b"]


def test_no_texts_give_no_rows():
    assert make_encoder(CountingEmbedder()).encode([]).shape == (0, 8)


def test_a_second_run_embeds_only_what_is_new():
    make_encoder(CountingEmbedder()).encode(["a", "b"])
    embedder = CountingEmbedder()
    vectors = make_encoder(embedder).encode(["b", "c", "a"])
    assert embedder.embedded == ["c"]
    np.testing.assert_array_equal(vectors, np.stack([vector_of(text) for text in "bca"]))


def test_other_weights_share_no_vectors():
    make_encoder(CountingEmbedder()).encode(["a"])
    embedder = CountingEmbedder()
    make_encoder(embedder, identity="other weights").encode(["a"])
    assert embedder.embedded == ["a"]


def test_progress_counts_the_texts_that_have_to_be_embedded():
    make_encoder(CountingEmbedder()).encode(["known"])
    steps = []
    texts = ["known", *(f"text {number}" for number in range(BATCH + 1))]
    make_encoder(CountingEmbedder()).encode(texts, lambda what, done, total: steps.append((done, total)))
    total = BATCH + 1
    assert steps == [(0, total), (BATCH, total), (total, total)]


def test_a_stopped_run_keeps_what_it_has_embedded():
    texts = [f"text {number:04}" for number in range(3 * BATCH)]

    def stop_after_two_batches(what, done, total):
        if done == 2 * BATCH:
            raise Cancelled

    with pytest.raises(Cancelled):
        make_encoder(CountingEmbedder()).encode(texts, stop_after_two_batches)
    embedder = CountingEmbedder()
    make_encoder(embedder).encode(texts)
    assert len(embedder.embedded) == BATCH


def test_vectors_are_stored_while_the_run_goes_on(monkeypatch):
    monkeypatch.setattr(encoder_module, "_SECONDS_BETWEEN_STORES", 0)
    embedder = CountingEmbedder()
    cache = VectorCache("weights", embedder.dimensions)
    stored = []
    monkeypatch.setattr(cache, "store", lambda keys, vectors: stored.append(len(keys)))
    CachedEncoder("counting", 8, embedder, cache).encode([str(number) for number in range(BATCH + 1)])
    assert [count for count in stored if count] == [BATCH, 1]


def test_progress_counts_a_long_text_as_more_work():
    steps = []
    texts = [f"{number}".rjust(180) for number in range(BATCH)] + [f"{number}".rjust(20) for number in range(BATCH)]
    make_encoder(CountingEmbedder()).encode(texts, lambda what, done, total: steps.append((done, total)))
    assert steps == [(0, 8), (7, 8), (8, 8)]
