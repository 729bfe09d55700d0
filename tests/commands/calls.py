"""Calling a command as a user does."""

import pytest

from backlink_audit import cli, sample


def name_of(role: str) -> str:
    return sample.files()[role][0][0]


def run(monkeypatch, capsys, *arguments: str) -> tuple[int, str]:
    """Run the command line; return its exit code and what it wrote to standard error."""
    monkeypatch.setattr("sys.argv", ["backlink_audit", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.run()
    return int(ended.value.code or 0), capsys.readouterr().err
