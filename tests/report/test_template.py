"""A workbook of one's own is filled in by its names; all else in it is as it was."""

from datetime import date
from io import BytesIO

import openpyxl
import pandas as pd
import pytest
from openpyxl.workbook.defined_name import DefinedName

from backlink_audit import limited_child
from backlink_audit.errors import AuditError
from backlink_audit.report import own_workbook
from backlink_audit.report.own_workbook import check, fill
from tests.toy import run_here


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Workbooks are changed here, which is quicker; one test has the real child."""
    monkeypatch.setattr(limited_child, "run", run_here)


FIGURES = {"audit_links": 12, "audit_date": date(2026, 1, 2), "audit_headline": "=cmd", "audit_lost": None}
TABLES = {"Verdicts": pd.DataFrame({"Verdict": ["Protect", "Weak"], "Links": [3, 9], "Share": [0.25, 0.75]})}


def cover():
    """A cover with three named cells and a formula, and a sheet for the verdicts with headers of the agency's own."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Cover"
    sheet["A1"], sheet["B2"].number_format, sheet["B3"] = "Our report", "#,##0", "=B2*2"
    verdicts = made.create_sheet("VERDICTS")
    verdicts["A1"], verdicts["A3"], verdicts["B3"], verdicts["C3"] = "By verdict", "Links", "Our note", "verdict"
    for name, place in {"Audit_Links": "Cover!$B$2", "audit_date": "Cover!$C$2:$D$9", "mine": "Cover!$A$1"}.items():
        made.defined_names[name] = DefinedName(name, attr_text=place)
    sheet.defined_names["audit_lost"] = DefinedName("audit_lost", attr_text="Cover!$E$5")
    return made


def data_of(made):
    target = BytesIO()
    made.save(target)
    return target.getvalue()


def filled(made):
    return openpyxl.load_workbook(BytesIO(fill(data_of(made), FIGURES, TABLES)))


def test_cells_of_our_names_have_our_figures_and_all_else_stays():
    back = filled(cover())
    sheet = back["Cover"]
    assert (sheet["B2"].value, sheet["B2"].number_format) == (12, "#,##0")
    assert sheet["C2"].value.date() == date(2026, 1, 2) and sheet["D9"].value is None
    assert sheet["E5"].value == "–", "what is not known is a dash"
    assert (sheet["A1"].value, sheet["B3"].value) == ("Our report", "=B2*2")
    assert back.sheetnames == ["Cover", "VERDICTS"] and "mine" in back.defined_names


def test_a_table_stands_under_the_headers_that_are_ours():
    sheet = filled(cover())["VERDICTS"]
    assert [[cell.value for cell in row] for row in sheet["A3:C5"]] == [
        ["Links", "Our note", "verdict"],
        [3, None, "Protect"],
        [9, None, "Weak"],
    ]


def test_a_sheet_without_our_headers_gets_the_whole_table_below_what_it_has():
    made = openpyxl.Workbook()
    made.active.title = "Verdicts"
    made.active["A1"] = "By verdict"
    rows = [[cell.value for cell in row] for row in filled(made)["Verdicts"].iter_rows()]
    assert rows == [["By verdict", None, None], ["Verdict", "Links", "Share"], ["Protect", 3, 0.25], ["Weak", 9, 0.75]]
    made = openpyxl.Workbook()
    made.active.title = "Verdicts"
    assert filled(made)["Verdicts"]["A1"].value == "Verdict"


def test_our_words_never_become_a_formula():
    made = cover()
    made.defined_names["audit_headline"] = DefinedName("audit_headline", attr_text="Cover!$A$9")
    assert filled(made)["Cover"]["A9"].data_type == "s"


def test_names_that_lead_nowhere_are_left_alone_and_alone_are_nothing():
    made = openpyxl.Workbook()
    made.active.merge_cells("A1:B2")
    for name, place in {"audit_links": "Sheet!$B$2", "audit_date": "Gone!$A$1", "audit_lost": "#REF!"}.items():
        made.defined_names[name] = DefinedName(name, attr_text=place)
    with pytest.raises(AuditError, match="nothing to fill in: name a cell audit_date or audit_headline, or a sheet"):
        check(data_of(made), FIGURES, TABLES)


def test_a_table_too_long_for_a_template_is_said(monkeypatch):
    monkeypatch.setattr(own_workbook, "MOST_ROWS", 1)
    with pytest.raises(AuditError, match="“Verdicts” has 2 rows; a template takes at most 1"):
        filled(cover())
