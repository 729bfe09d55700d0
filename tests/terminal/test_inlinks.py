"""The terminal's `inlinks`, on the sample's files and with a toy encoder."""

import openpyxl
import pandas as pd

from tests.terminal.calls import name_of, run


def test_every_link_in_content_gets_a_verdict_with_its_reason(folder, monkeypatch, capsys):
    arguments = ["inlinks", name_of("inlinks"), "--pages", name_of("pages")]
    code, said = run(monkeypatch, capsys, *arguments, "-o", "out.csv")
    table = pd.read_csv(folder / "out.csv")
    assert code == 0 and "links in the content should be improved" in said
    assert table.columns.tolist() == [
        *("Source URL", "Target URL", "Anchor", "Position", "Relevance", "Anchor class", "Verdict", "Why")
    ]
    assert set(table["Verdict"]) <= {"Mend", "Reword", "Off-topic", "Fine"} and set(table["Position"]) == {"Content"}
    assert run(monkeypatch, capsys, *arguments, "--no-content-only", "-o", "out.xlsx")[0] == 0
    assert openpyxl.load_workbook(folder / "out.xlsx")["Links"].max_row > len(table) + 1


def test_another_export_is_refused_in_one_line(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "inlinks", name_of("pages"), "-o", "out.csv")
    assert code == 2 and name_of("pages") in said and said.count("\n") == 1
