"""16 bits where the processor is built for them: nearly the same vectors, never mixed with the others."""

import numpy as np
import pytest

from backlink_audit.embedding import models as models_module
from backlink_audit.embedding import transformer as precision_module
from backlink_audit.embedding.catalogue import find_in_catalogue
from backlink_audit.embedding.models import load_encoder
from backlink_audit.embedding.transformer import PRECISION_SETTING, _has_bf16, precision
from backlink_audit.settings import DEFAULT_MODEL
from tests.embedding.stand_ins import save_stand_in

SMALL = "paraphrase-MiniLM-L3-v2"
TEXTS = ["running shoes", "tax law", "wet running shoes in the trail", "law"]


@pytest.fixture
def with_bf16(monkeypatch):
    """A processor that has bf16. One that has not computes the same, slowly."""
    monkeypatch.setattr(precision_module, "_has_bf16", lambda: True)
    monkeypatch.delenv(PRECISION_SETTING, raising=False)


@pytest.fixture
def local_models(tmp_path, monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(models_module, "_loaded", {})
    return tmp_path / "models"


@pytest.mark.parametrize(
    ("flags", "has"),
    [
        ("flags\t\t: fpu avx2 avx512f avx512_bf16 clwb", True),
        ("flags\t\t: fpu avx512f amx_bf16 avx512_fp16 amx_tile", True),
        ("flags\t\t: fpu avx2 avx512f avx512_vnni", False),
        ("", False),
    ],
)
def test_the_processors_own_description_says_whether_it_has_bf16(tmp_path, flags, has):
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\n{flags}\n")
    assert _has_bf16(tmp_path / "cpuinfo") is has


def test_where_nothing_describes_the_processor_32_bits_are_used(tmp_path):
    assert not _has_bf16(tmp_path / "nothing")


def test_it_can_be_switched_off(with_bf16, monkeypatch):
    assert precision() == "bf16"
    monkeypatch.setenv(PRECISION_SETTING, "fp32")
    assert precision() == "fp32"


def test_vectors_of_16_and_32_bits_are_nearly_the_same_and_never_mixed(with_bf16, local_models, monkeypatch):
    save_stand_in(find_in_catalogue(SMALL), local_models / SMALL)
    encoder = load_encoder(SMALL)
    in_16 = encoder.encode(TEXTS)
    monkeypatch.setenv(PRECISION_SETTING, "fp32")
    exact = load_encoder(SMALL)
    in_32 = exact.encode(TEXTS)
    assert encoder.identity != exact.identity
    assert exact.device == "cpu"  # computed, not taken from the other's cache
    assert not np.array_equal(in_16, in_32)
    assert in_16.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(in_16, axis=1), 1, rtol=1e-5)
    assert np.einsum("ij,ij->i", in_16, in_32).min() > 0.999


def test_models_without_torch_do_not_know_of_it(with_bf16, monkeypatch):
    before = load_encoder("use-multilingual-v3").identity
    monkeypatch.setenv(PRECISION_SETTING, "fp32")
    assert load_encoder("use-multilingual-v3").identity == before


@pytest.mark.model
def test_the_default_model_loses_next_to_nothing(with_bf16, monkeypatch):
    texts = ["A man is eating food.", "New tax law", "shoes", "", "Привет, мир", "running shoes " * 60]
    in_16 = load_encoder(DEFAULT_MODEL).encode(texts)
    monkeypatch.setenv(PRECISION_SETTING, "fp32")
    assert np.einsum("ij,ij->i", in_16, load_encoder(DEFAULT_MODEL).encode(texts)).min() > 0.9998
