import logging
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from backlink_audit.embedding import catalogue
from backlink_audit.embedding import models as models_module
from backlink_audit.embedding.catalogue import MODELS
from backlink_audit.embedding.models import find_model, language_warning, load_encoder, own_models, status
from backlink_audit.errors import InvalidSetting, ModelUnavailable
from backlink_audit.settings import DEFAULT_MODEL
from tests.embedding.stand_ins import expected_vectors, save_bert, save_stand_in

TEXTS = ["running shoes", "tax law", "wet running shoes in the trail", "law"]


@pytest.fixture
def local_models(tmp_path, monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(models_module, "_loaded", {})
    return tmp_path / "models"


@pytest.fixture
def any_weights(monkeypatch):
    """LinkBERT-large as a stand-in: its weights are not compared with the published ones."""
    unchecked = tuple(replace(one, sha256=None) if one.name == "LinkBERT-large" else one for one in MODELS)
    monkeypatch.setattr(catalogue, "MODELS", unchecked)
    return find_model("LinkBERT-large")


@pytest.fixture
def empty_hub(tmp_path, monkeypatch):
    """A hub cache with nothing in it."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.mark.parametrize(
    "model", [model for model in MODELS if model.repo and model.name != DEFAULT_MODEL], ids=lambda model: model.name
)
def test_every_model_loads_with_its_own_pooling_prompt_and_dimensions(model, local_models, any_weights):
    folder = save_stand_in(model, local_models / model.name)
    encoder = load_encoder(model.name)
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), model.dimensions)
    np.testing.assert_allclose(vectors, expected_vectors(model, folder, TEXTS), atol=1e-5)
    assert status(model) == "ready"


def test_loading_is_quiet(local_models, capfd, caplog):
    model = find_model("paraphrase-MiniLM-L3-v2")
    save_stand_in(model, local_models / model.name)
    capfd.readouterr()
    caplog.clear()
    load_encoder(model.name).encode(["running " * 1000])
    assert capfd.readouterr() == ("", "")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_files_of_another_model_are_refused(local_models):
    save_stand_in(find_model("paraphrase-MiniLM-L3-v2"), local_models / "all-mpnet-base-v2")
    with pytest.raises(ModelUnavailable, match="384 dimensions instead of 768"):
        load_encoder("all-mpnet-base-v2").encode(["law"])


def test_another_pooling_than_the_catalogues_is_refused(local_models):
    save_stand_in(find_model("paraphrase-MiniLM-L3-v2"), local_models / "bge-small-en-v1.5")
    with pytest.raises(ModelUnavailable, match="pool"):
        load_encoder("bge-small-en-v1.5").encode(["law"])


def test_damaged_weights_are_refused_in_one_line(local_models, any_weights):
    model = any_weights
    save_bert(local_models / model.name, model.dimensions)
    (local_models / model.name / "model.safetensors").write_bytes(b"garbage")
    with pytest.raises(ModelUnavailable, match="cannot be loaded") as caught:
        load_encoder(model.name).encode(["law"])
    assert "\n" not in str(caught.value)


def test_pickled_weights_do_not_count_as_a_model(local_models, empty_hub):
    model = find_model("LinkBERT-large")
    save_bert(local_models / model.name, 16)
    (local_models / model.name / "model.safetensors").rename(local_models / model.name / "pytorch_model.bin")
    assert status(model) == "download"


@pytest.mark.parametrize("name", [DEFAULT_MODEL, "LinkBERT-large"])
def test_weights_that_are_not_the_expected_ones_are_refused(name, local_models):
    save_bert(local_models / name, find_model(name).dimensions)
    with pytest.raises(ModelUnavailable, match="SHA-256"):
        load_encoder(name)


def test_changed_weights_share_no_vectors_with_the_former_ones(local_models, any_weights):
    model = any_weights
    folder = local_models / model.name
    save_bert(folder, model.dimensions)
    before = load_encoder(model.name).encode(["law"])
    (folder / "config.json").write_text((folder / "config.json").read_text().replace('"gelu"', '"relu"'))
    after = load_encoder(model.name).encode(["law"])
    assert not np.allclose(before, after)


def test_a_model_that_cannot_be_downloaded_is_one_clear_sentence(empty_hub):
    with pytest.raises(ModelUnavailable, match="could not be downloaded: downloads are switched off") as caught:
        load_encoder("all-mpnet-base-v2")
    assert "\n" not in str(caught.value)


def test_an_unreachable_hub_is_one_clear_sentence_without_half_a_minute_of_trying(
    empty_hub, monkeypatch, capfd, caplog
):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("It waits to try again."))
    with pytest.raises(ModelUnavailable, match=r"http://127.0.0.1:9 does not respond; choose a model that is ready"):
        load_encoder("all-mpnet-base-v2")
    assert not caplog.records
    assert capfd.readouterr().err == ""


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InvalidSetting, match=DEFAULT_MODEL):
        load_encoder("word2vec")


def test_names_are_taken_in_any_case_of_letters():
    assert find_model("ALL-minilm-l6-V2").name == DEFAULT_MODEL
    assert find_model("baai/BGE-small-en-v1.5").name == "bge-small-en-v1.5"


def test_names_and_repositories_are_unique():
    names = [name.casefold() for model in MODELS for name in (model.name, model.repo) if name]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("codes", "warned"),
    [
        (["es", "de-AT", "EN", "fr, en"], True),
        (["en", "es"], False),
        (["en-US", "en, es", "fr"], False),
        (["", None, "?"], False),
        ([], False),
    ],
)
def test_an_english_model_on_a_mostly_foreign_export_is_warned_about(codes, warned):
    languages = pd.Series(codes, dtype="object")
    assert bool(language_warning(find_model(DEFAULT_MODEL), languages)) == warned
    assert language_warning(find_model("multilingual-e5-small"), languages) is None


def test_the_warning_says_how_many():
    sentence = language_warning(find_model(DEFAULT_MODEL), pd.Series(["es", "es", "es", "en", ""]))
    assert sentence and "75% of the 4 pages" in sentence


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_model_of_ones_own_is_named_by_its_folder_and_described_by_its_files(pooling, local_models):
    own = replace(find_model("paraphrase-MiniLM-L3-v2"), name="mine", dimensions=24, pooling=pooling)
    folder = save_stand_in(own, local_models / "mine")
    for name in (str(folder), "mine"):
        encoder = load_encoder(name)
        found = encoder.encode(["running shoes", "tax law"])
        assert encoder.dimensions == 24
        np.testing.assert_allclose(found, expected_vectors(own, folder, ["running shoes", "tax law"]), atol=1e-5)
    assert [model.name for model in own_models()] == ["mine"]
    assert not find_model("mine").english_only


def test_a_model_of_the_hub_is_named_by_its_owner_and_a_name_alone_is_none():
    assert find_model("somebody/some-model").repo == "somebody/some-model"
    with pytest.raises(InvalidSetting, match="a folder with a model, or owner/name on Hugging Face"):
        find_model("some-model")


@pytest.mark.parametrize("name", ["./mine", "-a/b", "~nobody-here/x", "a/b/c", "a--b/c", "a/b.git", "a" * 5_000])
def test_what_is_no_name_of_a_model_is_refused_in_a_sentence(name):
    with pytest.raises(InvalidSetting, match="There is no model"):
        find_model(name)


@pytest.mark.parametrize("width", ['"wide"', "[384]", "-1", "true", "null"])
def test_an_odd_configuration_stops_no_list_of_models(width, local_models):
    (local_models / "odd").mkdir(parents=True)
    (local_models / "odd" / "config.json").write_text(f'{{"hidden_size": {width}, "num_hidden_layers": {width}}}')
    (local_models / "odd" / "model.safetensors").touch()
    assert [(model.name, model.dimensions) for model in own_models()] == [("odd", 768)]
