"""Where an audit runs, and what is kept of a run that was stopped."""

import os

import pandas as pd
import pytest

from backlink_audit import cli, sample
from backlink_audit.embedding import models
from backlink_audit.errors import AuditError, Cancelled
from backlink_audit.exports.load import load
from backlink_audit.pipelines import engine
from backlink_audit.pipelines.audit_run import AuditRun
from backlink_audit.settings import AuditSettings
from tests.toy import ToyEncoder


@pytest.fixture
def links(tmp_path):
    name, data = sample.files()["backlinks"][0]
    path = tmp_path / name
    path.write_bytes(data)
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


def test_large_files_are_audited_in_parts_and_small_ones_in_one_piece(links, tmp_path, monkeypatch):
    out = tmp_path / "out.csv"
    assert engine.choose_engine("auto", [links], out) == "memory"
    monkeypatch.setattr(engine, "PARTS_FROM", links.stat().st_size)
    assert engine.choose_engine("auto", [links], out) == "parts"


def test_a_workbook_is_made_in_one_piece_however_large(links, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "PARTS_FROM", 1)
    assert engine.choose_engine("auto", [links], tmp_path / "out.xlsx") == "memory"
    with pytest.raises(AuditError, match="a workbook is made in one piece"):
        engine.choose_engine("parts", [links], tmp_path / "out.xlsx")


def test_the_terminal_writes_the_same_file_in_parts_and_in_one_piece(links, tmp_path, terminal):
    said = {}
    for name in ("memory", "parts"):
        code, said[name] = terminal(links, "-o", tmp_path / f"{name}.csv", "--engine", name)
        assert code == 0
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "memory.csv").read_bytes()
    assert said["parts"].splitlines()[:-1] == said["memory"].splitlines()[:-1]


def test_nothing_is_kept_of_a_run_that_has_come_to_its_end(links, tmp_path, terminal):
    terminal(links, "-o", tmp_path / "out.parquet", "--engine", "parts")
    assert len(pd.read_parquet(tmp_path / "out.parquet")) > 100
    assert list((tmp_path / "cache" / "runs").iterdir()) == []


def test_a_problem_in_parts_is_one_line_and_exit_code_2(tmp_path, terminal):
    path = tmp_path / "empty.csv"
    path.write_text("")
    code, said = terminal(path, "-o", tmp_path / "out.csv", "--engine", "parts")
    assert (code, said) == (2, "empty.csv: the file is empty; export it again.\n")


def test_a_run_with_other_settings_or_weights_has_a_folder_of_its_own(links, tmp_path):
    export = engine.split_files([links], tmp_path / "runs")
    folders = [
        engine.run_folder(export, AuditSettings(), "weights"),
        engine.run_folder(export, AuditSettings(authority="DR"), "weights"),
        engine.run_folder(export, AuditSettings(), "other weights"),
        engine.run_folder(export, AuditSettings(), "weights", load(sample.files()["pages"], "pages")),
    ]
    assert len(set(folders)) == 4
    assert engine.run_folder(export, AuditSettings(), "weights") == folders[0]


def test_a_stopped_run_is_kept_and_an_old_one_deleted(links, tmp_path):
    runs = tmp_path / "runs"
    folder = engine.split_files([links], runs).folder
    assert engine.split_files([links], runs).folder == folder
    assert folder.exists()
    os.utime(folder, (0, 0))
    other = links.with_name("other.csv")
    other.write_bytes(links.read_bytes())
    engine.split_files([other], runs)
    assert not folder.exists()


def test_the_terminal_takes_a_stopped_run_up_again(links, tmp_path, terminal, monkeypatch):
    arguments = (links, "-o", tmp_path / "out.csv", "--engine", "parts")

    def stop(*_):
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr(AuditRun, "judge", stop)
        assert terminal(*arguments)[0] == 2
    [compared] = (tmp_path / "cache" / "runs").glob("*/*/compared-00000.parquet")
    with monkeypatch.context() as patch:
        patch.setattr("backlink_audit.pipelines.audit_run.compare_links", stop)
        assert terminal(*arguments)[0] == 0
    assert not compared.exists()
