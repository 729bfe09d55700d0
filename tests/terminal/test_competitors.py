"""The terminal's `competitors`: a column for each file."""

import pandas as pd

from backlink_audit import sample
from tests.terminal.calls import name_of, run


def test_csv_holds_a_column_for_each_file(folder, monkeypatch, capsys):
    theirs = [name for name, _ in sample.files()["competitors"]]
    code, said = run(monkeypatch, capsys, "competitors", name_of("backlinks"), *theirs, "-o", "side.csv")
    assert code == 0
    assert "different tools (Ahrefs, Semrush)" in said
    assert pd.read_csv(folder / "side.csv").columns.tolist() == ["Section", "Metric", name_of("backlinks"), *theirs]
