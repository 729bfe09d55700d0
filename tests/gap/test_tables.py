from io import BytesIO

import openpyxl

from backlink_audit.gap.result import tables
from backlink_audit.report.files import to_csv, to_xlsx
from tests.gap.made import make


def test_the_csv_has_one_row_per_domain_with_the_agreed_columns() -> None:
    gap = make()
    table = tables(gap).main()
    assert {"Referring domain", "Class", "Competitors", "Links", "Relevance", "Our page to pitch"} <= set(table.columns)
    assert len(table) == len(gap.domains)
    assert table.loc[table["Prospect"], "Referring domain"].tolist() == ["oakblog.example", "gone.example"]
    assert to_csv(tables(gap)).count(b"\n") == len(gap.domains) + 1


def test_the_workbook_holds_what_the_screen_shows() -> None:
    gap = make()
    book = openpyxl.load_workbook(BytesIO(to_xlsx(tables(gap))))
    assert book.sheetnames == ["Summary", "Prospects", "All referring domains", "Overlap", "Notes"]
    rows = list(book["Prospects"].values)
    assert {"Outreach state", "Notes"} <= set(rows[0])
    assert [row[0] for row in rows[1:]] == gap.prospects["referring_domain"].tolist()
    summary = {row[1]: row[2] for row in book["Summary"].values}
    assert summary["In a sentence"] == gap.headline
    assert summary["Remaining prospects"] == "2"
    assert sum(row[-1] for row in list(book["Overlap"].values)[1:]) == len(gap.domains)
