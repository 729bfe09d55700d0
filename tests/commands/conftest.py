"""A folder with the sample's files, in which a command is called."""

import pytest

from backlink_audit import sample
from backlink_audit.embedding import models
from tests.toy import ToyEncoder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for files in sample.files().values():
        for name, data in files:
            (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(models, "load_encoder", lambda name, **_: ToyEncoder())
    return tmp_path
