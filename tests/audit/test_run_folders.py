"""Folders of audits in parts, and audits in parts from the terminal."""

import errno
import os
import subprocess
import sys

import openpyxl
import pandas as pd
import pytest

from backlink_audit import cli, sample
from backlink_audit.audit import parts
from backlink_audit.audit.parts import AuditRun
from backlink_audit.embedding import models
from backlink_audit.errors import AuditError, Cancelled
from backlink_audit.exports.load import load
from backlink_audit.exports.parts import split
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder

LINKS = 50
OPEN_AND_WAIT = """
import sys
from pathlib import Path
from backlink_audit.audit.parts import open_folder
with open_folder([Path(sys.argv[1])], Path(sys.argv[2])):
    print("open", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def links(tmp_path):
    """The first of the sample's backlinks."""
    name, data = sample.files()["backlinks"][0]
    path = tmp_path / name
    path.write_bytes("".join(data.decode("utf-16").splitlines(keepends=True)[: 1 + LINKS]).encode("utf-16"))
    return path


@pytest.fixture
def terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(models, "load_encoder", lambda name, **_: ToyEncoder())
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "cache"))

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["backlink_audit", "audit", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.run()
        return ended.value.code or 0, capsys.readouterr().err

    return run


def test_the_terminal_writes_the_same_file_in_parts_and_in_one_piece(links, tmp_path, terminal):
    said = {}
    for name in ("memory", "parts"):
        code, said[name] = terminal(links, "-o", tmp_path / f"{name}.csv", "--engine", name)
        assert code == 0
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "memory.csv").read_bytes()
    assert said["parts"].splitlines()[:-1] == said["memory"].splitlines()[:-1]


def test_the_terminal_writes_a_workbook_in_parts(links, tmp_path, terminal):
    for name in ("memory", "parts"):
        assert terminal(links, "-o", tmp_path / f"{name}.xlsx", "--engine", name)[0] == 0
    book, expected = (openpyxl.load_workbook(tmp_path / f"{name}.xlsx") for name in ("parts", "memory"))
    assert book.sheetnames == expected.sheetnames
    scored, others = (list(one["Scored backlinks"].iter_rows(values_only=True)) for one in (book, expected))
    assert scored == others
    assert list((tmp_path / "cache" / "runs").iterdir()) == []


def test_search_consoles_links_of_a_site_that_is_given_are_the_same_in_parts(tmp_path, terminal):
    path = tmp_path / "Latest links.csv"
    path.write_text("Linking page,Last crawled\nhttps://a.example/oak,2026-07-01\nhttps://b.example/beds,2026-07-02\n")
    for name in ("memory", "parts"):
        code, _ = terminal(path, "-o", tmp_path / f"{name}.csv", "--engine", name, "--site", "shop.example")
        assert code == 0
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "memory.csv").read_bytes()


def test_nothing_is_kept_of_a_run_that_has_come_to_its_end(links, tmp_path, terminal):
    terminal(links, "-o", tmp_path / "out.parquet", "--engine", "parts")
    assert len(pd.read_parquet(tmp_path / "out.parquet")) > LINKS / 2
    assert list((tmp_path / "cache" / "runs").iterdir()) == []


def test_a_problem_in_parts_is_one_line_and_exit_code_2(tmp_path, terminal):
    path = tmp_path / "empty.csv"
    path.write_text("")
    code, said = terminal(path, "-o", tmp_path / "out.csv", "--engine", "parts")
    assert (code, said) == (2, "empty.csv: the file is empty; export it again.\n")


@pytest.mark.slow
def test_the_terminal_takes_a_stopped_run_up_again(links, tmp_path, terminal, monkeypatch):
    arguments = (links, "-o", tmp_path / "out.csv", "--engine", "parts")

    def stop(*_):
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr(AuditRun, "judge", stop)
        assert terminal(*arguments)[0] == 2
    [compared] = (tmp_path / "cache" / "runs").glob("*/*/compared-00000.parquet")
    with monkeypatch.context() as patch:
        patch.setattr(parts, "compare_links", stop)
        assert terminal(*arguments)[0] == 0
    assert not compared.exists()


def test_an_address_without_a_cluster_is_refused(links, tmp_path, terminal):
    code, said = terminal(links, "-o", tmp_path / "out.csv", "--address", "127.0.0.1:6379")
    assert (code, said.count("\n")) == (2, 1)
    assert "--engine ray" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "out"), [("raw", "out.csv"), ("compared", "out.csv"), ("judged", "out.csv"), ("sorted", "out.xlsx")]
)
def test_a_disk_that_is_full_is_one_line_and_the_run_goes_on_later(links, tmp_path, terminal, monkeypatch, stage, out):
    arguments = (links, "-o", tmp_path / out, "--engine", "parts")
    write = pd.DataFrame.to_parquet

    def full(table, path, **options):
        if f"{stage}-" in str(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(table, path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(pd.DataFrame, "to_parquet", full)
        code, said = terminal(*arguments)
    assert (code, said.count("\n")) == (2, 1)
    assert "(No space left on device); free some space or choose another folder with --folder" in said
    assert not (tmp_path / out).exists()
    assert terminal(*arguments)[0] == 0


def test_a_folder_that_cannot_be_made_is_one_line(links, tmp_path, terminal):
    (tmp_path / "file").write_text("")
    code, said = terminal(links, "-o", tmp_path / "out.csv", "--engine", "parts", "--folder", tmp_path / "file")
    assert (code, said.count("\n")) == (2, 1)
    assert "is a file" in said


def test_a_run_with_other_settings_weights_or_crawl_has_a_folder_of_its_own(links, tmp_path):
    export = split([links], tmp_path / "run")
    folders = [
        parts.stages_folder(export, AuditSettings(), "weights"),
        parts.stages_folder(export, AuditSettings(authority="DR"), "weights"),
        parts.stages_folder(export, AuditSettings(), "other weights"),
        parts.stages_folder(export, AuditSettings(), "weights", Sources(pages=load(sample.files()["pages"], "pages"))),
    ]
    assert len(set(folders)) == 4
    assert parts.stages_folder(export, AuditSettings(), "weights") == folders[0]


def test_what_another_version_has_begun_is_not_taken_up(links, tmp_path, monkeypatch):
    with parts.open_folder([links], tmp_path) as before:
        pass
    monkeypatch.setattr(parts, "_code", lambda: "another version")
    with parts.open_folder([links], tmp_path) as after:
        assert after != before


def test_a_stopped_run_is_kept_and_an_old_one_deleted(links, tmp_path):
    place = tmp_path / "runs"
    with pytest.raises(Cancelled), parts.open_folder([links], place) as folder:
        (folder / "done").touch()
        raise Cancelled
    with parts.open_folder([links], place) as again:
        assert (again / "done").exists()
    os.utime(folder, (0, 0))
    with parts.open_folder([links.with_name("other.csv")], place):
        assert not folder.exists()


def test_a_run_that_is_taken_up_again_is_young_again(links, tmp_path):
    with parts.open_folder([links], tmp_path / "runs") as folder:
        pass
    os.utime(folder, (0, 0))
    with parts.open_folder([links], tmp_path / "runs"):
        assert folder.exists()


def test_what_else_stands_in_the_place_of_the_folders_is_left_alone(links, tmp_path):
    others = [tmp_path / name for name in ("photos", "audit-2019", "0123456789abcdef")]
    for folder in others:
        folder.mkdir()
        os.utime(folder, (0, 0))
    with parts.open_folder([links], tmp_path):
        pass
    assert all(folder.exists() for folder in others)


@pytest.mark.slow
def test_a_second_process_on_the_same_files_is_refused_until_the_first_has_ended(links, tmp_path):
    place = tmp_path / "runs"
    command = [sys.executable, "-c", OPEN_AND_WAIT, str(links), str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout and first.stdout.readline() == "open\n"
        with (
            pytest.raises(AuditError, match=f"^{links.name}: another run is using "),
            parts.open_folder([links], place),
        ):
            pass
        with parts.open_folder([links.with_name("other.csv")], place):
            pass
        first.kill()
    with parts.open_folder([links], place) as folder:
        assert folder.is_dir()


def test_a_run_stopped_from_the_keyboard_says_how_to_go_on(links, tmp_path, terminal, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(AuditRun, "judge", stop)
    code, said = terminal(links, "-o", tmp_path / "out.csv", "--engine", "parts")
    assert code == 130
    assert said.splitlines()[0] == "Stopped. Run the same command again to continue where it stopped."
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights another way")
def test_a_runs_folder_is_for_its_user_alone(links, tmp_path):
    with parts.open_folder([links], tmp_path / "runs") as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    with parts.open_folder([links], tmp_path / "runs"):
        assert folder.stat().st_mode & 0o777 == 0o700
