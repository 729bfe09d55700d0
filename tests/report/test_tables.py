"""What the tables of every feature are made of."""

import pandas as pd

from backlink_audit.report.rows import Tables, rows_of_file, rows_of_notes, shown, summary_table


def test_nothing_is_made_before_it_is_asked_for():
    made = []

    def main() -> pd.DataFrame:
        made.append("main")
        return pd.DataFrame()

    def sheets() -> dict[str, pd.DataFrame]:
        made.append("sheets")
        return {}

    tables = Tables(main, sheets)
    assert made == []
    tables.sheets()
    assert made == ["sheets"]


def test_columns_that_a_table_lacks_are_left_out_and_the_others_have_a_reader_s_headers():
    table = pd.DataFrame({"cas": [1.0], "anchor": ["oak"], "referring_url": ["https://a.example/"]})
    assert shown(table, ("referring_url", "verdict", "cas")).columns.tolist() == ["Referring page URL", "CAS"]


def test_a_summary_has_its_values_in_words():
    rows = [*rows_of_file(12_000, {"Lost links": 1_000}), *rows_of_notes(["No dates."])]
    assert summary_table(rows).to_numpy().tolist() == [
        ["Rows", "In the file", "12,000"],
        ["Rows", "Excluded: Lost links", "1,000"],
        ["Notes", "", "No dates."],
    ]
