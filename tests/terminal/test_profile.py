"""The terminal's `profile`: the page's sheets as a file."""

import openpyxl
import pandas as pd

from tests.terminal.calls import name_of, run


def sheets(path):
    return openpyxl.load_workbook(path).sheetnames


def test_with_scores_the_workbook_has_the_topics(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "profile", name_of("backlinks"), "-o", "profile.xlsx")
    assert code == 0
    assert "referring domains" in said
    assert {"Summary", "Referring domains", "Anchors", "Topics"} <= set(sheets(folder / "profile.xlsx"))


def test_without_scores_it_has_none(folder, monkeypatch, capsys):
    run(monkeypatch, capsys, "profile", name_of("backlinks"), "-o", "profile.xlsx", "--no-scores")
    assert "Topics" not in sheets(folder / "profile.xlsx")


def test_csv_holds_one_row_for_each_referring_domain(folder, monkeypatch, capsys):
    arguments = ["profile", name_of("backlinks"), "-o", "profile.csv", "--no-scores"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    some = pd.read_csv(folder / "profile.csv")["Referring domain"]
    assert some.is_unique
    assert run(monkeypatch, capsys, *arguments, "--filters", "none")[0] == 0
    assert len(pd.read_csv(folder / "profile.csv")) > len(some)


def test_googles_linking_texts_are_a_sheet_and_alone_a_table(folder, monkeypatch, capsys):
    (folder / "longroad.example-Top linking text.csv").write_text("Rank,Link text\n1,Longroad\n2,click here\n")
    texts = ["--texts", "longroad.example-Top linking text.csv"]
    arguments = ["profile", name_of("backlinks"), *texts, "-o", "profile.xlsx", "--no-scores"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    assert "Linking texts" in sheets(folder / "profile.xlsx")
    code, said = run(monkeypatch, capsys, "profile", *texts, "-o", "texts.csv")
    assert code == 0 and "Google lists 2 linking texts of longroad.example" in said
    assert pd.read_csv(folder / "texts.csv")["Anchor class"].tolist() == ["branded", "generic"]
    code, said = run(monkeypatch, capsys, "profile", "-o", "nothing.csv")
    assert code == 2 and "Add a backlink export" in said
