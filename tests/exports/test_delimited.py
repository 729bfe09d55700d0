"""Tests of backlink_audit.exports.delimited."""

import csv
import threading

import pandas as pd
import pytest

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports import delimited
from backlink_audit.exports.delimited import EXTRA_COLUMNS, find_delimiter, read_delimited
from tests.exports.made import HEADER, ROWS, csv_bytes


def read(text: str) -> pd.DataFrame:
    return read_delimited(text.encode(), "a.csv")


def as_rows(table: pd.DataFrame) -> list[list[str]]:
    return table.to_numpy().tolist()


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_every_delimiter_gives_the_same_table(delimiter):
    table = read_delimited(csv_bytes(delimiter=delimiter), "a.csv")
    assert list(table.columns) == HEADER
    assert as_rows(table) == ROWS


@pytest.mark.parametrize(
    "before", ["Internal - All\n", "\n\n", '"Backlinks of shop.example"\n\n', "sep=,\n", "sep=,\r\n"]
)
def test_lines_before_the_header_are_left_out(before):
    assert as_rows(read_delimited(csv_bytes(before=before), "a.csv")) == ROWS


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_will_do(end):
    assert as_rows(read(f"URL,Title{end}https://a.example,One{end}https://b.example,Two{end}")) == [
        ["https://a.example", "One"],
        ["https://b.example", "Two"],
    ]


def test_a_last_line_without_its_end_is_read():
    assert as_rows(read("URL,Title\nhttps://a.example,One")) == [["https://a.example", "One"]]


def test_commas_quotes_and_line_ends_within_quotes_belong_to_the_cell():
    table = read('URL,Title\nhttps://a.example,"One, ""two""\nand three"\n')
    assert as_rows(table) == [["https://a.example", 'One, "two"\nand three']]


def test_words_for_nothing_stay_text():
    cells = ["NULL", "NA", "N/A", "nan", "None", "", "1e5"]
    assert read("URL,Title\n" + "".join(f"x,{cell}\n" for cell in cells))["Title"].tolist() == cells


def test_numbers_stay_text_as_they_stand():
    assert read("A,B\n007,1.50\n")["A"].tolist() == ["007"]


def test_a_short_row_ends_in_blanks():
    assert as_rows(read("A,B,C\n1,2,3\n4,5\n6\n")) == [["1", "2", "3"], ["4", "5", ""], ["6", "", ""]]


def test_a_long_row_gets_unnamed_columns():
    table = read("A,B\n1,2\n3,4,5\n")
    assert list(table.columns) == ["A", "B", "Unnamed 3"]
    assert as_rows(table) == [["1", "2", ""], ["3", "4", "5"]]


def test_delimiters_at_the_end_of_rows_make_no_columns():
    assert list(read("A,B\n1,2,,\n3,4,\n").columns) == ["A", "B"]


def test_one_endless_row_does_not_make_endless_columns():
    table = read("A,B\n1,2\n" + ",".join(map(str, range(5000))) + "\n")
    assert len(table.columns) == 2 + EXTRA_COLUMNS
    assert str(table.iloc[1, -1]).endswith("4998,4999")


def test_blank_rows_within_and_after_the_table_are_dropped():
    table = read("A,B\n1,2\n\n,\n3,4\n,\n")
    assert as_rows(table) == [["1", "2"], ["3", "4"]]
    assert isinstance(table.index, pd.RangeIndex)


def test_a_quote_that_never_closes_does_not_swallow_the_file():
    assert read('A,B\n"x,1\ny,2\nz,3\n')["B"].tolist() == ["1", "2", "3"]


def test_text_after_a_closing_quote_does_not_break_other_rows():
    table = read('A,B\n"Foo" bar,1\n"a, b",2\n')
    assert table["B"].tolist() == ["1", "2"]
    assert table["A"].tolist()[1] == "a, b"


def test_a_very_long_cell_is_read():
    assert len(read("A,B\nx," + "word " * 400_000 + "\n")["B"][0]) == 2_000_000


def test_a_cell_longer_than_any_page_is_refused_with_its_length():
    with pytest.raises(
        UnreadableFile, match=r"the column “B” has 10,000,001 characters, but the maximum is 10,000,000"
    ):
        read("A,B\nx," + "y" * 10_000_001 + "\n")
    lines = '"' + "y\n" * 5_000_001 + '"'
    with pytest.raises(UnreadableFile, match="10,000,00[0-9]"):
        read(f"A,B\nx,{lines}\n")
    with pytest.raises(UnreadableFile, match="one cell has more than 10,000,000 characters"):
        read(f"A,B\nx,{lines},ragged\n")


@pytest.mark.parametrize("cell", ["x", ",", '"', " ", "é"])
def test_a_line_longer_than_any_row_is_refused_before_it_is_taken_apart(monkeypatch, cell):
    monkeypatch.setattr(delimited, "_parse_fast", pytest.fail)
    with pytest.raises(UnreadableFile, match=r"^a\.csv: one line has more than 33,554,432 bytes"):
        read("A,B\nx," + cell * (40_000_000 // len(cell.encode())) + "\n")


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_many_lines_are_not_taken_for_a_long_one(end):
    row = "y" * (1024 * 1024 - 1) + end
    assert not delimited.has_long_line((row * 70).encode())
    assert not delimited.has_long_line(("y" * (32 * 1024 * 1024) + end).encode())
    assert delimited.has_long_line((row * 3 + "y" * (32 * 1024 * 1024 + 1) + end + row).encode())


def test_a_header_alone_is_a_table_without_rows():
    table = read("URL,Title\n")
    assert list(table.columns) == ["URL", "Title"]
    assert table.empty


def test_one_column_is_a_table():
    assert read("Site\na.example\nb.example\n")["Site"].tolist() == ["a.example", "b.example"]


def test_blank_and_repeated_headers_get_names():
    assert list(read("A,,A\n1,2,3\n").columns) == ["A", "Unnamed 2", "A (2)"]


def test_a_line_without_end_is_said():
    with pytest.raises(UnreadableFile, match=r"^a\.csv: its first line has more than 262,144 bytes"):
        read("x," * 500_000)


def test_every_column_is_of_the_string_type():
    assert {str(dtype) for dtype in read("A,B\n1,2\n").dtypes} == {"str"}
    assert {str(dtype) for dtype in read("A,B\n1,2\n3\n").dtypes} == {"str"}


def test_known_headers_decide_on_the_delimiter_before_anything_else():
    assert find_delimiter(b"Referring page URL;Target URL\na,b,c,d;e,f,g,h\n") == ";"


def test_other_threads_go_on_while_a_broken_file_is_taken_apart():
    text, turns, ended = "x,y\n" * 600_000, 0, threading.Event()

    def another_visitor():
        nonlocal turns
        while not ended.wait(0.001):
            turns += 1

    thread = threading.Thread(target=another_visitor)
    thread.start()
    rows = delimited._rows(text, ",", quoting=csv.QUOTE_NONE)
    ended.set()
    thread.join()
    assert len(rows) == 600_000
    assert turns > 5


LINES = ["URL,Title,Inlinks", *(f'https://a.example/{n},"Page {n}, of many",3' for n in range(30))]


@pytest.mark.parametrize(
    "rest", ["x,\n" * 20_000, ("x" * 99 + ",\n") * 120_000], ids=["a cell", "longer than any cell"]
)
@pytest.mark.parametrize(("before", "first"), [(0, ""), (20, ""), (20, "sep=,\n")])
def test_a_quote_that_never_closes_is_said_with_its_line(before, first, rest):
    data = (first + "\n".join(LINES[: before + 1]) + '\nhttps://a.example/bad,"' + rest).encode()
    line = before + 2 + bool(first)
    with pytest.raises(UnreadableFile, match=rf"^open\.csv: the quote that opens in line {line} never closes; "):
        read_delimited(data, "open.csv")


def test_a_file_that_was_cut_off_within_a_cell_keeps_its_rows():
    data = ("\n".join(LINES) + '\nhttps://a.example/bad,"a long\ntext, that').encode()
    assert len(read_delimited(data, "cut.csv")) == len(LINES)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_million_headers_are_said(delimiter):
    data = (delimiter.join(f"c{number}" for number in range(1_000_000)) + "\n").encode() * 2
    with pytest.raises(UnreadableFile, match=r"its first line has more than 262,144 bytes"):
        read_delimited(data, "wide.csv")
