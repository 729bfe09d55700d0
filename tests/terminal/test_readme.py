"""The commands of the README, in order, on the sample's files: each works, and none replaces another one's file."""

import re
import shlex
import sys

import pytest
import typer

from backlink_audit import sample
from backlink_audit.fetching import addresses, requests
from backlink_audit.fetching import check as fetching
from tests.fetching.servers import QUICK, SameProcess
from tests.terminal.calls import call
from tests.terminal.test_report import picture
from tests.ui.app import ROOT

ROLES = {
    "backlinks.csv": "backlinks",
    "ours.csv": "backlinks",
    "newer.csv": "backlinks",
    "older.csv": "older",
    "theirs.csv": "competitors",
    "crawl.csv": "pages",
    "new-crawl.csv": "pages",
    "old-crawl.csv": "old_pages",
    "all_inlinks.csv": "inlinks",
    "ai-pages-2026-06-29.csv": "citations",
}


async def unknown(host, port):
    """No name leads anywhere: nobody is asked."""
    raise OSError(f"{host} is not known")


@pytest.fixture
def at_a_terminal(monkeypatch):
    """A user who says yes to the requests of `check` and `crawl`, in a network where no name is known."""
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(typer, "confirm", lambda question, err: True)
    monkeypatch.setattr(fetching, "PUBLIC", fetching.Network(find=unknown, readers=SameProcess))
    monkeypatch.setattr(addresses, "public_addresses", unknown)
    monkeypatch.setattr(requests, "request_limits_of", lambda settings: QUICK)


def files(folder):
    """When each file of the folder was last written; the cache and the store are folders."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}


@pytest.mark.slow
@pytest.mark.usefixtures("at_a_terminal")
def test_the_commands_of_the_readme_run_in_order(folder, monkeypatch, capsys):
    for name, role in ROLES.items():
        (folder / name).write_bytes(sample.files()[role][0][1])
    (folder / "logo.png").write_bytes(picture("PNG"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## From a terminal")[2]
    commands = [shlex.split(line) for line in re.findall(r"^    backlink-audit (.+)$", readme, re.MULTILINE)]
    written: list[str] = []
    for command in commands:
        before = files(folder)
        site_is_silent = command[0] == "crawl"  # nothing was read, so nothing is written
        assert call(monkeypatch, *command) == (2 if site_is_silent else 0), (command, capsys.readouterr().err)
        now = files(folder)
        assert [name for name, at in before.items() if now[name] != at] == [], command
        written += (
            []
            if site_is_silent
            else [word for option, word in zip(command, command[1:], strict=False) if option in ("-o", "--digest")]
        )
    assert len(written) == len(set(written)) > 10 and all((folder / name).stat().st_size for name in written)
