"""Calling a command as a user does."""

from pathlib import Path

import pytest

from backlink_audit import cli, sample
from backlink_audit.embedding import models
from tests.toy import ToyEncoder


def name_of(role: str) -> str:
    return sample.files()[role][0][0]


def work_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go into a folder with the sample's files, and embed with the toy."""
    for files in sample.files().values():
        for name, data in files:
            (folder / name).write_bytes(data)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(models, "load_encoder", lambda name, **_: ToyEncoder())


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command line; return its exit code."""
    monkeypatch.setattr("sys.argv", ["backlink_audit", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.run()
    return int(ended.value.code or 0)


def run(monkeypatch, capsys, *arguments: str) -> tuple[int, str]:
    """Run the command line; return its exit code and what it wrote to standard error."""
    return call(monkeypatch, *arguments), capsys.readouterr().err
