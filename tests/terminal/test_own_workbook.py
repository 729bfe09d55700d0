"""The terminal's `audit --into-own-workbook`: the file itself with our columns."""

from io import BytesIO

import openpyxl
import pandas as pd

from backlink_audit import sample
from tests.terminal.calls import run


def own(folder):
    [(_, data)] = sample.files()["backlinks"]
    made = pd.read_csv(BytesIO(data), sep="\t", encoding="utf-16")
    made.loc[3, "Referring page URL"] = "mailto:oak@shop.example"
    with pd.ExcelWriter(folder / "links.xlsx", engine="openpyxl") as book:
        made.to_excel(book, sheet_name="Links", index=False)
        pd.DataFrame({"Budget": [1, 2]}).to_excel(book, sheet_name="Budget", index=False)
    return made


def test_every_scored_row_gets_its_verdict_and_rows_set_aside_stay_blank(folder, monkeypatch, capsys):
    theirs = own(folder)
    code, said = run(monkeypatch, capsys, "audit", "links.xlsx", "-o", "mine.xlsx", "--into-own-workbook")
    assert code == 0 and "Written: mine.xlsx" in said and "ordinary" not in said
    back = openpyxl.load_workbook(folder / "mine.xlsx")
    assert back.sheetnames == ["Links", "Budget"]
    table = pd.read_excel(folder / "mine.xlsx", sheet_name="Links")
    pd.testing.assert_frame_equal(table[list(theirs.columns)], pd.read_excel(folder / "links.xlsx"))
    run(monkeypatch, capsys, "audit", "links.xlsx", "-o", "all.csv", "--links", "everything")
    scored = pd.read_csv(folder / "all.csv", encoding="utf-8-sig")
    assert table["Verdict"].notna().sum() == len(scored) < len(table)
    assert table["Verdict"].dropna().tolist() == scored["Verdict"].tolist()


def test_a_workbook_that_would_lose_something_gets_the_ordinary_one(folder, monkeypatch, capsys):
    own(folder)
    book = openpyxl.load_workbook(folder / "links.xlsx")
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(book["Budget"], min_col=1, min_row=1, max_row=3))
    book["Budget"].add_chart(chart)
    book.save(folder / "links.xlsx")
    code, said = run(monkeypatch, capsys, "audit", "links.xlsx", "-o", "mine.xlsx", "--into-own-workbook")
    assert code == 0 and "charts, which would be lost or changed. The ordinary workbook is written instead." in said
    assert "Scored backlinks" in openpyxl.load_workbook(folder / "mine.xlsx").sheetnames


def test_it_needs_one_workbook(folder, monkeypatch, capsys):
    [(name, _)] = sample.files()["backlinks"]
    code, said = run(monkeypatch, capsys, "audit", name, "-o", "mine.xlsx", "--into-own-workbook")
    assert code != 0 and "needs one .xlsx file" in said
