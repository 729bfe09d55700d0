"""Tests of backlink_audit.exports.formats."""

from backlink_audit.exports.formats import LONGEST_HEADER, MOST_COLUMNS, column_names, find_header


def test_the_row_with_known_headers_is_the_header():
    assert (
        find_header([["Internal - All", "2025-01-01"], [], ["Address", "Status Code"], ["https://a.example", "200"]])
        == 2
    )


def test_a_title_line_above_unknown_headers_is_skipped():
    assert find_header([["My list"], [""], ["Colour", "Size"], ["red", "4"]]) == 2


def test_a_table_of_one_column_has_its_first_filled_row_as_header():
    assert find_header([[""], ["Site"], ["a.example"]]) == 1


def test_a_header_with_mostly_blank_cells_is_found_by_its_known_ones():
    row = ["Referring page URL", "", "", "Target URL", "", ""]
    assert find_header([row, ["https://a.example", "x", "y", "https://b.example", "1", "2"]]) == 0


def test_blank_rows_have_no_header():
    assert find_header([]) is None
    assert find_header([["", " "], []]) is None


def test_a_row_too_long_to_be_a_header_is_none():
    assert find_header([["x" * (LONGEST_HEADER + 1)]]) is None
    assert find_header([["x"] * (MOST_COLUMNS + 1)]) is None


def test_column_names_are_all_different_and_never_blank():
    assert column_names(["A", "", "A", "A", "Unnamed 2"], 6) == [
        "A",
        "Unnamed 2",
        "A (2)",
        "A (3)",
        "Unnamed 2 (2)",
        "Unnamed 6",
    ]


def test_column_names_keep_their_spaces():
    assert column_names(["Traffic ", "\ufeffURL"], 2) == ["Traffic ", "URL"]
