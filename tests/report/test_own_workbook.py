"""The user's own workbook comes back with our columns; all else in it is as it was."""

import warnings
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pandas as pd
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table

from backlink_audit import limited_child
from backlink_audit.errors import AuditError
from backlink_audit.exports import spreadsheet
from backlink_audit.exports.load import load
from backlink_audit.exports.spreadsheet import find_rows
from backlink_audit.report import own_workbook
from backlink_audit.report.own_workbook import add_columns
from tests.toy import run_here

IN_A_CHILD = limited_child.run


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Workbooks are changed here, which is quicker; one test has the real child."""
    monkeypatch.setattr(limited_child, "run", run_here)


OURS = pd.DataFrame(
    {
        "Verdict": ["Protect", None, "Weak"],
        "Why": ["=1+1", None, "@SUM(A1)\x02"],
        "CAS": [0.1234, None, 2.0],
        "Relevance": [71.0, None, 3.0],
    }
)
"""Ours for the three links of `book`."""
HEADER, ROWS = 3, (4, 6, 7)


def book():
    """A title, a blank row, the header in row 3, three links with a blank row between them, and a second sheet."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Links"
    sheet["A1"] = "Our links"
    for place, name in enumerate(["Referring page URL", "Target URL", "Anchor", "Price", "Double", "Verdict"], 1):
        cell = sheet.cell(HEADER, place, name)
        cell.font, cell.fill = Font(bold=True, color="FF112233"), PatternFill("solid", fgColor="FFEEDDCC")
    for place, row in enumerate(ROWS):
        sheet.cell(row, 1, f"https://{place}.example/oak")
        sheet.cell(row, 2, "https://shop.example/oak")
        sheet.cell(row, 3, "oak")
        sheet.cell(row, 4, 1.5 + place).number_format = "#,##0.00 [$€-1]"
        sheet.cell(row, 5, f"=D{row}*2")
        sheet.cell(row, 6, "mine")
    sheet["C7"] = "=oak"
    sheet["C7"].data_type = "s"
    sheet.auto_filter.ref = "A3:F7"
    sheet.row_dimensions[6].hidden = True
    sheet.column_dimensions["A"].width = 51
    sheet.freeze_panes = "B4"
    other = made.create_sheet("Budget")
    other["A1"] = "=SUM(Links!D4:D7)"
    other.column_dimensions["B"].width = 33
    return made


def data_of(made):
    target = BytesIO()
    made.save(target)
    return target.getvalue()


def added(made, ours=OURS):
    return openpyxl.load_workbook(BytesIO(add_columns(data_of(made), "Links", HEADER, ROWS, ours)))


def cells(sheet, row, first=7, last=10):
    return [sheet.cell(row, place).value for place in range(first, last + 1)]


def test_our_columns_are_at_the_right_each_beside_its_row():
    sheet = added(book())["Links"]
    assert cells(sheet, HEADER) == ["Verdict (2)", "Why", "CAS", "Relevance"]
    assert cells(sheet, 4) == ["Protect", "=1+1", 0.1234, 71]
    assert cells(sheet, 5) == cells(sheet, 6) == [None] * 4
    assert cells(sheet, 7) == ["Weak", "@SUM(A1)", 2, 3]
    assert sheet.max_row == 7


def test_no_text_of_ours_or_theirs_becomes_a_formula():
    sheet = added(book())["Links"]
    assert sheet["H4"].data_type == "s" and sheet["C7"].data_type == "s"


def test_the_header_looks_as_its_neighbour_and_numbers_as_in_our_workbook():
    sheet = added(book())["Links"]
    assert sheet["G3"].style_id == sheet["F3"].style_id and sheet["G3"].font.b
    assert sheet["I4"].number_format == "0.000"


def test_formulas_widths_formats_filter_hidden_rows_and_other_sheets_stay():
    came_back = added(book())
    sheet, other = came_back["Links"], came_back["Budget"]
    assert came_back.sheetnames == ["Links", "Budget"]
    assert [sheet["A1"].value, sheet["E6"].value, other["A1"].value] == ["Our links", "=D6*2", "=SUM(Links!D4:D7)"]
    assert [sheet.column_dimensions["A"].width, other.column_dimensions["B"].width] == [51, 33]
    assert sheet["D4"].number_format == "#,##0.00 [$€-1]"
    assert [row for row, entry in sheet.row_dimensions.items() if entry.hidden] == [6]
    assert sheet.freeze_panes == "B4"
    assert sheet.auto_filter.ref == "A3:J7"


def test_a_table_of_excel_takes_our_columns_in():
    made = book()
    made["Links"].auto_filter.ref = None
    made["Links"].add_table(Table(displayName="Links1", ref="A3:F7"))
    table = added(made)["Links"].tables["Links1"]
    assert table.ref == table.autoFilter.ref == "A3:J7"
    assert table.column_names[-4:] == ["Verdict (2)", "Why", "CAS", "Relevance"]
    assert len({column.id for column in table.tableColumns}) == 10


def test_notes_beside_the_table_are_not_written_over_and_the_filter_stays_as_it_was():
    made = book()
    made["Links"]["I5"] = "a note"
    sheet = added(made)["Links"]
    assert sheet["I5"].value == "a note" and sheet["J3"].value == "Verdict (2)"
    assert sheet.auto_filter.ref == "A3:F7"


def test_a_width_for_all_columns_to_the_right_is_split_around_ours():
    made = book()
    wide = made["Links"].column_dimensions["E"]
    wide.min, wide.max, wide.width, wide.hidden = 5, 16_384, 17, False
    widths = added(made)["Links"].column_dimensions
    spans = sorted((entry.min, entry.max) for entry in widths.values())
    assert all(before[1] < after[0] for before, after in zip(spans, spans[1:], strict=False))
    assert (5, 6) in spans and (11, 16_384) in spans


def test_what_would_be_lost_is_said():
    made = book()
    chart = BarChart()
    chart.add_data(Reference(made["Links"], min_col=4, min_row=3, max_row=7))
    made["Budget"].add_chart(chart)
    with pytest.raises(AuditError, match="This workbook has charts, which would be lost or changed"):
        added(made)


def test_the_rows_of_an_export_are_found_again_in_its_workbook():
    data = data_of(book())
    place = find_rows(data, load([("links.xlsx", data)]))
    assert (place.sheet, place.header, place.rows) == ("Links", HEADER, ROWS)


def test_a_table_that_begins_in_another_column_and_sheet_is_found():
    made = book()
    made["Links"].insert_cols(1, 2)
    made["Links"].auto_filter.ref = None
    made.move_sheet("Budget", -1)
    data = data_of(made)
    place = find_rows(data, load([("links.xlsx", data)]))
    assert (place.sheet, place.header, place.rows) == ("Links", HEADER, ROWS)
    sheet = openpyxl.load_workbook(BytesIO(add_columns(data, place.sheet, place.header, place.rows, OURS)))["Links"]
    assert cells(sheet, 4, 9, 10) == ["Protect", "=1+1"]


def test_another_workbook_and_one_too_large_are_refused(monkeypatch):
    data = data_of(book())
    export = load([("links.xlsx", data)])
    other = book()
    other["Links"]["C4"] = "elm"
    with pytest.raises(AuditError, match="was not found again"):
        find_rows(data_of(other), export)
    monkeypatch.setattr(spreadsheet, "MOST_BYTES", 100)
    with pytest.raises(AuditError, match="at most 0 MB"):
        find_rows(data, export)
    monkeypatch.setattr(spreadsheet, "MOST_ROWS", 2)
    with pytest.raises(AuditError, match="at most 2 rows"):
        find_rows(data, export)


def test_drawn_shapes_would_be_lost():
    with_shape = BytesIO(data_of(book()))
    with ZipFile(with_shape, "a") as archive:
        archive.writestr("xl/drawings/drawing1.xml", "<xdr:wsDr><xdr:sp></xdr:sp></xdr:wsDr>")
    with pytest.raises(AuditError, match="This workbook has shapes, which would be lost"):
        add_columns(with_shape.getvalue(), "Links", HEADER, ROWS, OURS)


@pytest.mark.parametrize(
    ("fails", "words"),
    [(KeyError("x"), "could not be opened"), (UserWarning("Data Validation extension"), "would be lost or changed")],
)
def test_what_openpyxl_cannot_read_or_drops_is_refused(monkeypatch, fails, words):
    def reads(data, **_):
        if isinstance(fails, UserWarning):
            warnings.warn(fails, stacklevel=1)
            return book()
        raise fails

    monkeypatch.setattr(own_workbook, "load_workbook", reads)
    with pytest.raises(AuditError, match=words):
        add_columns(data_of(book()), "Links", HEADER, ROWS, OURS)


def test_a_sheet_without_room_is_refused():
    made = book()
    made["Links"].cell(1, own_workbook.MOST_COLUMNS - 2, "far away")
    with pytest.raises(AuditError, match="no room for more columns"):
        added(made)


def test_a_width_that_begins_with_our_columns_leaves_nothing_before_them():
    made = book()
    wide = made["Links"].column_dimensions["G"]
    wide.min, wide.max, wide.width, wide.hidden = 7, 16_384, 17, False
    spans = [(entry.min, entry.max) for entry in added(made)["Links"].column_dimensions.values()]
    assert (11, 16_384) in spans and not any(low <= 7 <= high and low != high for low, high in spans)


def test_a_table_with_a_row_of_totals_stays_as_it_was_and_one_without_a_filter_is_widened():
    for totals, filtered, area in ((1, True, "A3:F7"), (None, False, "A3:J7")):
        made = book()
        made["Links"].auto_filter.ref = None
        table = Table(displayName="Links1", ref="A3:F7", totalsRowCount=totals)
        table._initialise_columns()
        for column, cell in zip(table.tableColumns, made["Links"][HEADER], strict=True):
            column.name = str(cell.value)
        if not filtered:
            table.autoFilter = None
        made["Links"].add_table(table)
        assert added(made)["Links"].tables["Links1"].ref == area


def test_a_header_row_that_is_blank_lends_no_looks():
    made = openpyxl.Workbook()
    made.active.title = "Links"
    sheet = openpyxl.load_workbook(BytesIO(add_columns(data_of(made), "Links", 1, (2,), OURS.head(1))))["Links"]
    assert sheet["A1"].value == "Verdict" and not sheet["A1"].font.b


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ('<row r="2">' + "<c/>" * 5_000_000 + "</row>", "5,000,026 cells; one to be changed can have at most"),
        (
            '<row r="2"><c r="A2"/></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
            "<sheetData>",
            "",
        ),
    ],
)
def test_a_small_workbook_that_takes_gigabytes_is_refused_by_the_child(monkeypatch, rows, words):
    monkeypatch.setattr(limited_child, "run", IN_A_CHILD)
    little = limited_child.Limit(2**30, 60, "what the two of them would take many times over")
    monkeypatch.setattr(limited_child, "LIMITS", {"own workbook": little})
    bomb = BytesIO()
    with ZipFile(BytesIO(data_of(book()))) as source, ZipFile(bomb, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "xl/worksheets/sheet2.xml":
                part = part.replace(b"<sheetData>", b"<sheetData>" + rows.encode())
            target.writestr(name, part)
    assert len(bomb.getvalue()) < 100_000
    with pytest.raises(AuditError, match=words or "too much memory or time|could not be opened"):
        add_columns(bomb.getvalue(), "Links", HEADER, ROWS, OURS)
