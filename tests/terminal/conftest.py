"""A folder with the sample's files, in which a command is called."""

import pytest

from tests.terminal.calls import work_in


@pytest.fixture
def folder(tmp_path, monkeypatch):
    work_in(tmp_path, monkeypatch)
    return tmp_path
