from io import BytesIO

import pandas as pd

from backlink_audit.report.csv import write_csv


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
