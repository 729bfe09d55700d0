"""The terminal gets words of a file without anything that it would obey, and one sentence for each failure."""

import errno
import sys
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from backlink_audit import cli
from backlink_audit.errors import OUT_OF_MEMORY, AuditError
from backlink_audit.report.files import check_target
from backlink_audit.terminal import files
from backlink_audit.terminal.files import SECONDS_BETWEEN_LINES, lines_now_and_then, progress, say, shown


def test_codes_of_a_terminal_are_not_obeyed(capsys):
    say("a\x1b]0;owned\x07\x1b[2J\x9b31m :smile: [red]b[/red] \u202ecsv.exe\nnext")
    said = capsys.readouterr().err
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(said)
    assert ":smile: [red]b[/red]" in said
    assert said.count("\n") == 1


@given(st.text())
def test_whatever_is_said_stands_on_one_line_of_characters_that_are_seen(text):
    said = shown(text)
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in said)
    said.encode()


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (MemoryError(), OUT_OF_MEMORY),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"), OUT_OF_MEMORY),
        (OSError(errno.ENOSPC, "No space left on device", "/tmp/x"), "/tmp/x: no space left on device."),
        (AuditError("a.csv: it is empty."), "a.csv: it is empty."),
    ],
)
def test_every_failure_is_one_sentence(monkeypatch, capsys, failure, sentence):
    def fails(**_):
        raise failure

    monkeypatch.setattr(cli, "terminal", fails)
    monkeypatch.setattr(sys, "argv", ["backlink-audit"])
    with pytest.raises(SystemExit) as end:
        cli.run()
    assert (end.value.code, capsys.readouterr().err) == (2, f"{sentence}\n")


def test_a_bug_is_not_taken_for_a_full_memory(monkeypatch):
    def fails(**_):
        raise RuntimeError("dictionary changed size during iteration")

    monkeypatch.setattr(cli, "terminal", fails)
    with pytest.raises(RuntimeError, match="dictionary"):
        cli.run()


def test_a_name_too_long_is_found_before_the_run(tmp_path):
    with pytest.raises(AuditError, match="name too long"):
        check_target(tmp_path / ("x" * 300 + ".csv"))


def test_where_standard_error_is_a_file_a_long_run_says_a_line_now_and_then(capsys):
    time = 0.0
    report = lines_now_and_then(lambda: time)
    for done in range(4):
        time = done * SECONDS_BETWEEN_LINES / 2
        report("Embedding", done, 4_000)
    assert capsys.readouterr().err == "Embedding: 2 of 4,000\n"


def test_a_short_run_says_nothing_on_its_way(capsys):
    with progress() as report:
        report("Embedding", 1, 2)
    assert capsys.readouterr().err == ""


def test_in_a_terminal_every_stage_has_a_bar_and_those_before_it_are_full(monkeypatch):
    written = StringIO()
    monkeypatch.setattr(files, "errors", Console(file=written, force_terminal=True, width=100))
    with progress() as report:
        report("Loading", 0, 1)
        report("Embedding", 1, 4)
        report("Embedding", 2, 4)
    said = written.getvalue()
    assert "Loading" in said and "1/1" in said and "2/4" in said
