"""What every test may lean on: a toy encoder, a cache folder of its own, and no way to the network's model hub."""

import os
from itertools import count
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


NUMBERS = count()


@pytest.fixture(autouse=True)
def own_cache_and_store(stores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(NUMBERS)
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(stores / f"cache-{number}"))
    monkeypatch.setenv("BACKLINK_AUDIT_STORE", str(stores / f"{number}.sqlite"))


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stores")  # the app makes no folder that somebody named


@pytest.fixture
def toy() -> ToyEncoder:
    return ToyEncoder()
