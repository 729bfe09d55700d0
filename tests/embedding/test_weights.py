"""Fetching a model's weights: whatever goes wrong is one sentence that names the model and says why."""

import errno
import shutil

import pytest
from huggingface_hub.errors import RepositoryNotFoundError

from backlink_audit.embedding import weights
from backlink_audit.embedding.catalogue import find_in_catalogue
from backlink_audit.errors import ModelUnavailable

MODEL = find_in_catalogue("all-mpnet-base-v2")


def ends_with(problem):
    """A hub that answers, and whose download ends so."""

    def download(*_, **__):
        raise problem

    return download


@pytest.fixture
def hub(monkeypatch):
    monkeypatch.setattr(weights, "_reach_the_hub", lambda: None)
    return lambda download: monkeypatch.setattr("huggingface_hub.snapshot_download", download)


def test_a_disk_without_room_is_named(hub):
    hub(ends_with(OSError(errno.ENOSPC, "No space left on device", "/models")))
    with pytest.raises(ModelUnavailable, match=r"all-mpnet-base-v2 .*: no space left on device \(/models\); choose"):
        weights.download(MODEL)


def test_a_repository_that_is_not_offered_is_named(hub):
    hub(ends_with(RepositoryNotFoundError.__new__(RepositoryNotFoundError)))
    with pytest.raises(ModelUnavailable, match=f"access to {MODEL.repo} on Hugging Face is restricted"):
        weights.download(MODEL)


def test_weights_of_another_kind_are_not_loaded(hub, tmp_path):
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickled")
    hub(lambda *_, **__: str(tmp_path))
    with pytest.raises(ModelUnavailable, match="has no safetensors weights"):
        weights.download(MODEL)


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json", "vocab.txt", "1_Pooling/config.json"])
def test_a_changed_tokenizer_or_setting_of_the_bundled_model_is_refused(tmp_path, monkeypatch, name):
    model = find_in_catalogue("all-MiniLM-L6-v2")
    folder = tmp_path / "model"
    bundled = weights._package_folder(model)
    assert bundled
    shutil.copytree(bundled, folder)
    monkeypatch.setattr(weights, "_package_folder", lambda _: folder)
    assert weights.fingerprint(model, folder)
    (folder / name).write_text((folder / name).read_text() + " ")
    with pytest.raises(ModelUnavailable, match=f"The file {name} of all-MiniLM-L6-v2"):
        weights.fingerprint(model, folder)
