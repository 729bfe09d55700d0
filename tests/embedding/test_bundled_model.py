"""The real model that comes with the app."""

import numpy as np
import pytest

from backlink_audit.embedding.catalogue import find_in_catalogue
from backlink_audit.embedding.distil import PARAMETERS
from backlink_audit.embedding.models import load_encoder, status
from backlink_audit.settings import DEFAULT_MODEL

pytestmark = pytest.mark.model

TEXTS = [
    "A man is eating food.",
    "A man eats something.",
    "The new tax law passed in parliament yesterday.",
    "",
    "Привет, мир",
    "running shoes " * 300,
    *(f"trail running shoes number {number}" for number in range(20)),
]


@pytest.fixture(scope="module")
def plain():
    """The same weights in plain sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    from backlink_audit.embedding.weights import find_folder

    return SentenceTransformer(str(find_folder(find_in_catalogue(DEFAULT_MODEL))), local_files_only=True)


def test_vectors_equal_those_of_plain_sentence_transformers(plain):
    vectors = load_encoder(DEFAULT_MODEL).encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    np.testing.assert_allclose(vectors, plain.encode(TEXTS), atol=1e-5)


def test_a_known_pair_is_closer_than_an_unrelated_one():
    eating, eats, law = load_encoder(DEFAULT_MODEL).encode(TEXTS[:3])
    assert eating @ eats == pytest.approx(0.755, abs=0.2)
    assert eating @ law < 0.2


def test_a_texts_vector_does_not_depend_on_its_company(tmp_path, monkeypatch):
    together = load_encoder(DEFAULT_MODEL).encode(TEXTS)
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "another"))
    encoder = load_encoder(DEFAULT_MODEL)
    np.testing.assert_allclose(encoder.encode(TEXTS[2:3])[0], together[2], atol=1e-5)
    np.testing.assert_allclose(encoder.encode(TEXTS[::-1]), together[::-1], atol=1e-5)


def test_a_second_run_gives_the_very_same_vectors():
    first = load_encoder(DEFAULT_MODEL).encode(TEXTS)
    np.testing.assert_array_equal(load_encoder(DEFAULT_MODEL).encode(TEXTS), first)


def test_a_lone_surrogate_is_no_obstacle():
    assert np.isfinite(load_encoder(DEFAULT_MODEL).encode(["broken \ud800 text"])).all()


def test_the_model_is_ready_and_names_its_device():
    assert status(find_in_catalogue(DEFAULT_MODEL)) == "ready"
    encoder = load_encoder(DEFAULT_MODEL)
    encoder.encode(["a text of its own"])
    assert encoder.device in ("cuda", "mps", "cpu")


def test_instant_is_distilled_from_it_and_knows_what_is_alike(monkeypatch):
    short_words_only = r"^(?!\[).{5,}"  # all of them would take half a minute
    monkeypatch.setitem(PARAMETERS, "token_remove_pattern", short_words_only)
    encoder = load_encoder("instant")
    eating, eats, law = encoder.encode(["A man ate some fish.", "The boy eats food.", "A new tax law."])
    assert (encoder.name, encoder.device) == ("Instant", "cpu")
    assert eating @ eats > eating @ law + 0.2
