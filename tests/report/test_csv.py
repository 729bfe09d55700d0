import csv
import io
import re
from io import BytesIO

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.report.files import append_csv, write_csv

CELL = "ab=+-@,;'\"\\\r\n\t #é東＝0."


def test_cells_a_spreadsheet_would_run_are_prefixed():
    table = pd.DataFrame({"Anchor": ["=1+1", "+x", "-x", "@x", "plain", ""], "n": [-1.5, 2, 3, 4, 5, 6]})
    back = pd.read_csv(BytesIO(write_csv(table)), keep_default_na=False)
    assert back["Anchor"].tolist() == ["'=1+1", "'+x", "'-x", "'@x", "plain", ""]
    assert back["n"].tolist() == [-1.5, 2, 3, 4, 5, 6]


def test_a_negative_number_that_is_text_is_no_formula():
    table = pd.DataFrame({"Change": ["-5", "+3.5", "-5+cmd"]})
    assert pd.read_csv(BytesIO(write_csv(table)), dtype=str)["Change"].tolist() == ["-5", "+3.5", "'-5+cmd"]


def test_missing_values_are_blank_and_the_table_is_not_changed():
    table = pd.DataFrame({"CAS": [1.0, None], "Title": ["=x", "NULL"]})
    before = table.copy()
    assert write_csv(table).decode() == "CAS,Title\n1.0,'=x\n,NULL\n"
    pd.testing.assert_frame_equal(table, before)


def test_spreadsheets_get_a_byte_order_mark_and_programs_do_not():
    table = pd.DataFrame({"Title": ["Grüße"]})
    assert write_csv(table, for_spreadsheets=True).startswith(b"\xef\xbb\xbf")
    assert write_csv(table).startswith(b"Title")


def test_a_header_a_spreadsheet_would_run_is_prefixed():
    assert write_csv(pd.DataFrame({"=x": [1]})).decode() == "'=x\n1\n"


@given(st.lists(st.text(CELL, max_size=12), min_size=1, max_size=6))
def test_every_reader_finds_the_same_cells(tmp_path_factory, cells):
    table = pd.DataFrame({"Title": cells, "n": [f"row {row}" for row in range(len(cells))]})
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    append_csv([table.iloc[:1], table.iloc[1:]], path)
    assert path.read_bytes() == write_csv(table)
    with path.open(encoding="utf-8", newline="") as file:
        found = [row[0] for row in list(csv.reader(file))[1:]]
    assert found == pd.read_csv(path, dtype=str, keep_default_na=False)["Title"].tolist()
    dialect = "delim = ',', quote = '\"', escape = '\"', comment = '', header = true, all_varchar = true"
    query = duckdb.sql(f"SELECT * FROM read_csv('{path}', {dialect})")
    assert query
    blank_is_null = query.fetchall()
    assert found == [title or "" for title, _ in blank_is_null]
    assert [cell.replace("'", "") for cell in found] == [
        cell.replace("\r\n", "\n").replace("\r", "\n").replace("'", "") for cell in cells
    ]


@pytest.mark.parametrize("separator", [";", "\t"])
@given(st.lists(st.text(CELL, max_size=12), min_size=1, max_size=6))
def test_no_cell_is_a_formula_for_a_spreadsheet_with_another_separator(separator, cells):
    text = write_csv(pd.DataFrame({"Title": cells, "Anchor": cells[::-1], "n": 1})).decode()
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        for cell in row:
            number = re.fullmatch(r"[+-]?\d+(?:[.,]\d+)*", cell.partition(",")[0].strip('"'))
            assert number or not cell.startswith(tuple("=+-@＝＋－＠")), cell


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"),
        ("x\t=1+1", "x\t'=1+1"),
        ("x\n@SUM(1)", "x\n'@SUM(1)"),
        ('x;"=1+1"', 'x;\'"=1+1"'),
        ("x; =1+1;-2", "x;' =1+1;'-2"),
        ("Tents; poles – pegs", "Tents; poles – pegs"),
        (";-)", ";'-)"),
    ],
)
def test_a_cell_that_comes_alive_behind_another_separator_is_prefixed_there(cell, written):
    table = pd.DataFrame({"Title": [cell], "n": [1]})
    assert pd.read_csv(BytesIO(write_csv(table)), dtype=str)["Title"].tolist() == [written]
    assert next(csv.reader(io.StringIO(write_csv(pd.DataFrame({cell: [1]})).decode(), newline=""))) == [written]


@pytest.mark.parametrize("cell", ["a\r=1+1", "a\r\n=1+1", "a\n=1+1", "\r=1+1", "a,\r=1+1"])
def test_a_line_break_in_a_cell_begins_no_row_with_a_formula(cell):
    rows = list(csv.reader(io.StringIO(write_csv(pd.DataFrame({"Title": [cell], "n": [1]})).decode(), newline="")))
    assert len(rows) == 2
    assert not any(value.startswith(("=", "\n", "\r")) for row in rows for value in row)


@pytest.mark.parametrize("before", [" ", "\u00a0", "\u200b", "\ufeff", "\u2060", "\u3000", " \u200b "])
@pytest.mark.parametrize("sign", "=+-@\uff1d")
def test_no_cell_is_a_formula_behind_what_is_not_seen(before, sign):
    written = write_csv(pd.DataFrame({"a": [f"{before}{sign}cmd", f"x;{before}{sign}cmd", "plain text"]}))
    assert written.decode() == f"a\n'{before}{sign}cmd\nx;'{before}{sign}cmd\nplain text\n"
