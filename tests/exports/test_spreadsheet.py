"""Tests of backlink_audit.exports.spreadsheet: no workbook can take the process down."""

import datetime as dt
import io
import subprocess
import time
import zipfile

import pandas as pd
import pytest
import xlsxwriter

from backlink_audit import limited_child
from backlink_audit.errors import UnreadableFile
from backlink_audit.exports import spreadsheet
from backlink_audit.exports.load import load
from backlink_audit.exports.spreadsheet import read_sheets
from tests.exports.made import HEADER, ROWS, sample, xlsx_bytes


def repacked(data: bytes, **changed: bytes) -> bytes:
    """Return a workbook with some of its parts (slashes and dots written as _) replaced."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, changed.get(part.replace("/", "_").replace(".", "_"), old.read(part)))
    return target.getvalue()


def read_spreadsheet(data: bytes, name: str) -> pd.DataFrame:
    return read_sheets(data, name)[0]


def test_cells_look_as_in_a_csv():
    when = dt.datetime(2025, 10, 6, 9, 40, 20)
    data = xlsx_bytes(
        [["Text", "Whole", "Number", "Day", "Time", "Flag"], ["NULL", 200.0, 3.7, dt.date(2025, 10, 6), when, True]]
    )
    assert read_spreadsheet(data, "a.xlsx").iloc[0].tolist() == [
        "NULL",
        "200",
        "3.7",
        "2025-10-06",
        "2025-10-06 09:40:20",
        "true",
    ]


def test_blank_cells_are_blank_text():
    table = read_spreadsheet(xlsx_bytes([["A", "B"], ["x", None], [None, "y"], [None, None]]), "a.xlsx")
    assert table.to_numpy().tolist() == [["x", ""], ["", "y"]]
    assert {str(dtype) for dtype in table.dtypes} == {"str"}
    assert isinstance(table.index, pd.RangeIndex)


def test_blank_and_title_rows_before_the_header_are_left_out():
    table = read_spreadsheet(xlsx_bytes([[], ["Internal - All"], [], HEADER, *ROWS]), "a.xlsx")
    assert list(table.columns) == HEADER
    assert len(table) == len(ROWS)


def test_of_several_sheets_the_first_that_is_recognised_is_taken():
    data = xlsx_bytes([["Notes"], ["by Anna"]], [], [HEADER, *ROWS], [HEADER, ROWS[0]])
    assert read_spreadsheet(data, "a.xlsx").to_numpy().tolist() == ROWS


def test_of_unknown_sheets_the_first_that_holds_anything_is_taken():
    assert list(read_spreadsheet(xlsx_bytes([], [["Colour", "Size"], ["red", 4]]), "a.xlsx").columns) == [
        "Colour",
        "Size",
    ]


def test_header_cells_left_blank_are_named_by_position():
    table = read_spreadsheet(
        xlsx_bytes(
            [["Referring page URL", None, None, "Target URL"], ["https://a.example", 1, 2, "https://b.example"]]
        ),
        "a.xlsx",
    )
    assert list(table.columns) == ["Referring page URL", "Unnamed 2", "Unnamed 3", "Target URL"]


def test_an_export_saved_as_workbook_reads_like_the_export():
    native = load([("a.csv", sample("ahrefs_backlinks_2025.csv"))])
    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"strings_to_urls": False, "strings_to_formulas": False}) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, native.raw.columns)
        for number, row in enumerate(native.raw.to_numpy().tolist(), 1):
            for column, cell in enumerate(row):
                sheet.write(number, column, float(cell) if cell.replace(".", "").isdigit() else cell)
    saved = load([("a.csv", target.getvalue())])
    pd.testing.assert_frame_equal(saved.table, native.table)


def test_an_empty_workbook_is_said():
    with pytest.raises(UnreadableFile, match=r"^a\.xlsx: the workbook is empty"):
        read_spreadsheet(xlsx_bytes([]), "a.xlsx")


def test_a_cell_in_the_last_corner_ends_in_a_sentence():
    target = io.BytesIO()
    with xlsxwriter.Workbook(target) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write(0, 0, "URL")
        sheet.write(1_048_575, 16_383, "x")
    assert len(target.getvalue()) < 10_000
    with pytest.raises(UnreadableFile, match="needs more memory than this computer has"):
        read_spreadsheet(target.getvalue(), "corner.xlsx")


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    bomb = repacked(xlsx_bytes([["A"]]), xl_worksheets_sheet1_xml=bytes(spreadsheet.ALWAYS_UNPACKED + 1))
    start = time.process_time()
    with pytest.raises(UnreadableFile, match=r"unpacks to 0\.3 GB"):
        read_spreadsheet(bomb, "bomb.xlsx")
    assert time.process_time() - start < 1


@pytest.mark.slow
def test_the_memory_limit_is_what_ends_the_child(monkeypatch):
    target = io.BytesIO()
    with xlsxwriter.Workbook(target) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["URL", "Title"])
        sheet.write(49_999, 299, "x")
    assert len(read_spreadsheet(target.getvalue(), "wide.xlsx")) == 1
    little = limited_child.Limit(450 * 1024**2, 120, "enough to import, too little for the cells")
    monkeypatch.setattr(limited_child, "LIMITS", {"workbook": little})
    with pytest.raises(UnreadableFile, match="needs more memory than this computer has"):
        read_spreadsheet(target.getvalue(), "wide.xlsx")


def test_a_workbook_that_takes_too_long_ends_in_a_sentence(monkeypatch):
    def never_ends(*arguments, **options):
        raise subprocess.TimeoutExpired("child", options["timeout"])

    monkeypatch.setattr(subprocess, "run", never_ends)
    with pytest.raises(UnreadableFile, match="takes more than 120 seconds"):
        read_spreadsheet(xlsx_bytes([["A"], ["1"]]), "slow.xlsx")


@pytest.mark.parametrize("part", ["xl_worksheets_sheet1_xml", "xl_workbook_xml"])
def test_a_damaged_workbook_is_said(part):
    damaged = repacked(xlsx_bytes([["A"], ["1"]]), **{part: b"<not xml"})
    with pytest.raises(
        UnreadableFile, match=r"^bad\.xlsx: (the workbook is damaged|the workbook has no sheet that can be read)"
    ):
        read_spreadsheet(damaged, "bad.xlsx")


def test_a_cut_workbook_is_said():
    with pytest.raises(UnreadableFile, match="damaged or incomplete"):
        read_spreadsheet(xlsx_bytes([["A"]])[:-200], "cut.xlsx")


def test_nothing_is_left_in_the_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    read_spreadsheet(xlsx_bytes([HEADER, *ROWS]), "a.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", ["xl_worksheets_sheet1_xml", "xl_workbook_xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_doctype_is_named_as_what_it_is(part, encoding):
    laughs = '<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><s>&b;</s>'
    with pytest.raises(UnreadableFile, match="contains a DOCTYPE"):
        read_spreadsheet(repacked(xlsx_bytes([["A"], ["1"]]), **{part: laughs.encode(encoding)}), "laughs.xlsx")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (-9, "needs more memory than this computer has"),
        (-24, "takes more than 120 seconds"),
        (-6, "needs more memory than this computer has"),
        (3, "is empty"),
        (6, "the workbook has no sheet"),
        (1, "is damaged"),
    ],
)
def test_how_the_child_ended_is_said_truly(code, reason):
    assert reason in spreadsheet._what_went_wrong(code)
