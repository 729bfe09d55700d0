"""The command search, on the sample's files and with a toy encoder."""

import pandas as pd

from tests.terminal.calls import call, name_of, run


def test_search_lists_the_best_rows_on_the_screen(folder, monkeypatch, capsys):
    assert call(monkeypatch, "search", "long road", name_of("backlinks"), "--rows", "3") == 0
    said = capsys.readouterr()
    assert said.out.count("[exact words]") == 3
    assert "310 links" in said.err


def test_search_writes_what_it_finds_in_a_crawl(folder, monkeypatch, capsys):
    assert run(monkeypatch, capsys, "search", "panniers", name_of("pages"), "-o", "found.csv")[0] == 0
    assert "Title" in pd.read_csv(folder / "found.csv").columns


def test_a_file_that_is_neither_is_one_line_and_exit_code_2(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "search", "panniers", name_of("inlinks"))
    assert (code, said.count("\n")) == (2, 1)
    assert "only backlinks and crawls" in said
