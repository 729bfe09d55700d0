"""Embeddings that were saved: a file whose parts do not fit each other is refused, and says what is wrong."""

import tracemalloc
import zipfile
from contextlib import suppress
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.errors import EmbeddingMismatch, UnreadableFile
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from backlink_audit.site import vectors as npz_file
from backlink_audit.site.vectors import PageVectors, crawl_vectors, read_page_vectors
from backlink_audit.text.text_vectors import unit_rows

URLS = np.array(["https://a.example/", "https://b.example/"])


def npz(**parts) -> bytes:
    buffer = BytesIO()
    np.savez(buffer, **parts)
    return buffer.getvalue()


def test_as_many_vectors_as_pages_are_read_at_length_one():
    read = read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.array([[3, 4], [0, 2]]), model="m", text="h1"))
    assert read.urls == tuple(URLS)
    np.testing.assert_allclose(read.vectors, np.array([[0.6, 0.8], [0, 1]]), atol=1e-7)


def test_another_number_of_vectors_than_of_pages_is_refused_with_both():
    with pytest.raises(EmbeddingMismatch, match=r"pages\.npz: it has 2 URLs, but 1 vectors"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.ones((1, 4)), model="m", text="h1"))


@pytest.mark.parametrize("broken", [0.0, np.nan, np.inf])
def test_a_vector_without_a_direction_is_refused(broken):
    vectors = np.array([[1.0, 0.0], [broken, 0.0]])
    with pytest.raises(EmbeddingMismatch, match="1 of its 2 embeddings are empty or not valid numbers"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=vectors, model="m", text="h1"))


@pytest.mark.parametrize("number", [1e308, -1e308, 3e38])
def test_numbers_too_large_for_a_vector_are_refused_without_a_warning(number):
    """In a test a warning is an error; in the terminal it was shown with its line of code."""
    with pytest.raises(EmbeddingMismatch, match="2 of its 2 embeddings are empty or not valid numbers"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.full((2, 8), number), model="m", text="h1"))


def test_a_part_that_lacks_is_named():
    with pytest.raises(UnreadableFile, match="is incomplete: model"):
        read_page_vectors("pages.npz", npz(urls=URLS, vectors=np.ones((2, 2)), text="h1"))


def packed(**entries: bytes) -> bytes:
    """An archive of these .npy files, each as it is."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def npy(array) -> bytes:
    buffer = BytesIO()
    np.save(buffer, np.asarray(array))
    return buffer.getvalue()


def header(shape: str, kind: str = "<f4") -> bytes:
    """The beginning of an .npy file, whatever follows it."""
    words = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(words).to_bytes(2, "little") + words.encode()


PARTS = {"urls": npy(URLS), "vectors": npy(np.eye(2, dtype=np.float32)), "model": npy("m"), "text": npy("h1")}
HOSTILE = {
    "vectors that are nearly all zeros": {"vectors": header("(6000000, 4)") + bytes(96_000_000)},
    "a shape that lies": {"vectors": header("(1000000000, 1000)") + bytes(8)},
    "a shape below zero": {"vectors": header("(-2, -2)") + bytes(16)},
    "a shape of more numbers than follow": {"vectors": header("(2, 4)") + bytes(16)},
    "nested without end": {"vectors": header("(" * 60)},
    "an array of objects": {"vectors": npy(np.array([print, print], dtype=object))},
    "texts for vectors": {"vectors": npy(np.array([["a"], ["b"]]))},
    "numbers for URLs": {"urls": npy(np.array([1.0, 2.0]))},
    "URLs in a square": {"urls": npy(np.array([["a", "b"]]))},
    "many names of a model": {"model": npy(["m", "n"])},
    "a name of a model without end": {"model": npy("m" * 100_000)},
    "a header that is cut off": {"vectors": header("(2, 2)")[:40]},
    "vectors of too many numbers": {"vectors": npy(np.ones((2, 20_000)))},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_in_one_sentence_and_little_memory(case):
    data = packed(**(PARTS | HOSTILE[case]))
    tracemalloc.start()
    try:
        with pytest.raises(
            UnreadableFile, match=r"^pages\.npz: (this is not an \.npz|its embeddings need more memory)"
        ):
            read_page_vectors("pages.npz", data)
        assert tracemalloc.get_traced_memory()[1] < 64 * 1024**2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("limit", ["LARGEST_URLS", "MOST_LETTERS"])
def test_urls_that_take_too_much_are_refused(monkeypatch, limit):
    monkeypatch.setattr(npz_file, limit, 20)
    with pytest.raises(UnreadableFile, match="need more memory"):
        read_page_vectors("pages.npz", packed(**PARTS))


def test_an_archive_that_numpy_does_not_write_is_refused():
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in PARTS.items():
            archive.writestr(f"{name}.npy", data)
    with pytest.raises(UnreadableFile, match=r"not an \.npz file"):
        read_page_vectors("pages.npz", buffer.getvalue())


def test_a_saved_file_is_read_as_it_was():
    rng = np.random.default_rng(4)
    vectors = unit_rows(rng.normal(size=(3, 5)).astype(np.float32))
    saved = PageVectors(("https://a.example/é", "b", "https://a.example/" + 3_000 * "x"), vectors, "m", None)
    read = read_page_vectors("pages.npz", saved.to_npz())
    assert (read.urls, read.model, read.text) == (saved.urls, "m", None)
    np.testing.assert_allclose(read.vectors, vectors, atol=1e-7)


@given(st.binary(max_size=400), st.integers(0, 2_000))
def test_a_file_with_broken_bytes_is_read_or_refused(noise, place):
    whole = packed(**PARTS)
    data = whole[: place % len(whole)] + noise + whole[place % len(whole) + len(noise) :]
    with suppress(UnreadableFile, EmbeddingMismatch):
        read_page_vectors("pages.npz", data)


def crawl(*cells: str) -> Export:
    """A crawl whose first page has a sound vector: by that the column is known."""
    lines = [f'https://shop.example/{row},Page,"{cell}"' for row, cell in enumerate(("1,0", *cells))]
    return load([("crawl.csv", "\n".join(["URL,Title,OpenAI Embedding", *lines]).encode())], "pages")


def test_the_numbers_of_a_crawl_are_read_with_and_without_brackets():
    read = crawl_vectors(crawl("[3, 4e0]", " 0.0,2 "))
    np.testing.assert_allclose(read.vectors, np.array([[1, 0], [0.6, 0.8], [0, 1]]), atol=1e-7)


@pytest.mark.parametrize("cell", ["[" * 50_000, "1,x", "1,,2", "[[1,2]]", "null", "1" * 400, "1e400", "NaN", "[]"])
def test_a_hostile_cell_of_a_crawl_is_refused_in_one_sentence(cell):
    with pytest.raises(EmbeddingMismatch, match=r"^crawl\.csv: .{1,120}$"):
        crawl_vectors(crawl(cell))


def test_a_vector_of_more_numbers_than_any_model_makes_is_refused():
    with pytest.raises(EmbeddingMismatch, match="20,000 numbers"):
        crawl_vectors(crawl(",".join(["1"] * 20_000)))
