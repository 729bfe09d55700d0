"""What every test may lean on: a toy encoder, a cache folder of its own, and no way to the network's model hub."""

import os
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["BACKLINK_AUDIT_PRECISION"] = "fp32"  # the same numbers on every machine

import pytest
from hypothesis import settings

from tests.toy import ToyEncoder

# How long an example takes shows how busy the machine is, not whether the code is right.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.mktemp("store")  # the app makes no folder that somebody named
    monkeypatch.setenv("BACKLINK_AUDIT_STORE", str(folder / "projects.sqlite"))


@pytest.fixture
def toy() -> ToyEncoder:
    return ToyEncoder()
