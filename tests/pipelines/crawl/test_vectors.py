"""Embeddings that were saved: a file whose parts do not fit each other is refused, and says what is wrong."""

from io import BytesIO

import numpy as np
import pytest

from backlink_audit.errors import EmbeddingMismatch, UnreadableFile
from backlink_audit.pipelines.crawl.vectors import read_page_vectors

URLS = np.array(["https://a.example/", "https://b.example/"])


def npz(**parts) -> bytes:
    buffer = BytesIO()
    np.savez(buffer, **parts)
    return buffer.getvalue()


def test_as_many_vectors_as_pages_are_read_at_length_one():
    read = read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.array([[3, 4], [0, 2]]), model="m", text="h1"))
    assert read.urls == tuple(URLS)
    np.testing.assert_allclose(read.vectors, [[0.6, 0.8], [0, 1]], atol=1e-7)


def test_another_number_of_vectors_than_of_pages_is_refused_with_both():
    with pytest.raises(EmbeddingMismatch, match=r"pages\.npz: it holds 2 URLs, but 1 vectors"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.ones((1, 4)), model="m", text="h1"))


@pytest.mark.parametrize("broken", [0.0, np.nan, np.inf])
def test_a_vector_without_a_direction_is_refused(broken):
    vectors = np.array([[1.0, 0.0], [broken, 0.0]])
    with pytest.raises(EmbeddingMismatch, match="1 of its 2 embeddings are empty or not finite"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=vectors, model="m", text="h1"))


def test_a_part_that_lacks_is_named():
    with pytest.raises(UnreadableFile, match="lacks a part: model"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.ones((2, 2)), text="h1"))
