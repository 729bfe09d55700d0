"""Instant models, made here of a teacher of two layers."""

import logging
from dataclasses import replace

import numpy as np
import pytest

from backlink_audit.embedding import distil as distil_module
from backlink_audit.embedding import made_models
from backlink_audit.embedding import models as models_module
from backlink_audit.embedding.catalogue import find_in_catalogue
from backlink_audit.embedding.distil import distil, find_distilled
from backlink_audit.embedding.encoder import cache_folder
from backlink_audit.embedding.models import load_encoder, status
from backlink_audit.errors import Cancelled, ModelUnavailable
from tests.embedding.stand_ins import WORDS, save_stand_in

TEACHER = "paraphrase-MiniLM-L3-v2"
TEXTS = ["running shoes", "tax law", "wet running shoes in the trail"]


@pytest.fixture
def teacher(tmp_path, monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_MODELS", str(tmp_path / "models"))
    return save_stand_in(find_in_catalogue(TEACHER), tmp_path / "models" / TEACHER)


@pytest.fixture
def instant(teacher, monkeypatch):
    """The catalogue's model, of a tiny teacher and with as few dimensions."""
    model = replace(find_in_catalogue("Instant"), teacher=TEACHER, dimensions=8)
    monkeypatch.setattr(models_module, "_loaded", {})
    monkeypatch.setattr(models_module, "find_model", lambda name: model)
    return model


def test_it_is_made_once_and_then_ready(instant):
    assert status(instant) == "created on this computer in about 15 s"
    vectors = load_encoder("Instant").encode(TEXTS)
    assert vectors.shape == (3, 8)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    assert status(instant) == "ready"
    steps = []
    load_encoder("Instant", on_progress=lambda *step: steps.append(step))
    assert not steps


def test_two_distillations_give_the_very_same_files_and_vectors(instant, tmp_path, monkeypatch):
    first = distil(instant)
    vectors = load_encoder("Instant").encode(TEXTS)
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "elsewhere"))
    second = distil(instant)
    assert first != second
    for file in first.iterdir():
        assert file.read_bytes() == (second / file.name).read_bytes()
    np.testing.assert_array_equal(load_encoder("Instant").encode(TEXTS), vectors)


def test_its_progress_counts_the_word_pieces(instant):
    steps = []
    distil(instant, lambda *step: steps.append(step))
    total = len(WORDS) + 4
    assert steps[0] == ("Creating the model Instant", 0, total)
    assert steps[-1][0] == "Creating the model Instant"
    assert 0 < steps[-1][1] <= total


def test_it_is_made_in_silence(instant, capfd, caplog):
    distil(instant)
    assert capfd.readouterr() == ("", "")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_run_stopped_while_it_is_made_leaves_nothing_behind(instant):
    def stop(what, done, total):
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        distil(instant, stop)
    assert find_distilled(instant) is None
    assert not list((cache_folder() / "distilled").iterdir())


def test_another_teacher_another_model(instant, teacher):
    first = distil(instant)
    config = teacher / "config.json"
    config.write_text(config.read_text().replace('"gelu"', '"relu"'))
    assert find_distilled(instant) is None
    assert distil(instant) != first


def test_other_parameters_another_model(instant, monkeypatch):
    distil(instant)
    monkeypatch.setitem(distil_module.PARAMETERS, "sif_coefficient", 1e-3)
    assert find_distilled(instant) is None


def test_another_version_of_the_library_another_model(instant, monkeypatch):
    distil(instant)
    monkeypatch.setattr(distil_module, "version", lambda package: "0.0")
    assert find_distilled(instant) is None


def test_a_folder_that_cannot_be_written_is_one_clear_sentence(instant, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelUnavailable, match="cannot be saved in .*BACKLINK_AUDIT_CACHE") as caught:
        load_encoder("Instant")
    assert "\n" not in str(caught.value)


def test_a_teacher_that_cannot_be_loaded_is_one_clear_sentence(instant, teacher):
    (teacher / "model.safetensors").write_bytes(b"garbage")
    with pytest.raises(ModelUnavailable, match="cannot be created from") as caught:
        load_encoder("Instant")
    assert "\n" not in str(caught.value)


def test_a_damaged_folder_says_what_to_do(instant):
    (distil(instant) / "model.safetensors").write_bytes(b"garbage")
    with pytest.raises(ModelUnavailable, match="delete that folder"):
        load_encoder("Instant").encode(TEXTS)


def test_a_copy_that_another_process_made_meanwhile_is_used(instant, monkeypatch):
    made = distil(instant)
    looked = iter([False])  # when the first look finds none, and the rename finds it there
    monkeypatch.setattr(made_models, "is_made", lambda folder: next(looked, True))
    assert distil(instant) == made
    assert [folder.name for folder in made.parent.iterdir()] == [made.name]
