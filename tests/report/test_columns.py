"""A column that comes in several tables is written as one that comes whole."""

import pandas as pd
import pytest

from backlink_audit.report.rows import survey


def column(*parts):
    """The only column of tables that are put beneath each other."""
    columns, rows = survey(pd.DataFrame({"Code": part}) for part in parts)
    assert rows == sum(map(len, parts))
    return columns[0]


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ([["1", "2"], ["3", ""]], "number"),
        ([["1", "2"], ["x"]], "string"),
        ([["x"], ["1"]], "string"),
        ([["1"], ["007"]], "string"),
        ([["", ""], [""]], "string"),
        ([["", ""], ["5"]], "number"),
        ([[True], [False]], "boolean"),
        ([pd.to_datetime(["2025-10-06"]), pd.DatetimeIndex(["NaT"])], "datetime"),
    ],
)
def test_every_part_has_a_say_in_what_the_cells_are(parts, kind):
    assert column(*parts).written_as == kind


def test_numbers_are_counts_only_if_those_of_all_parts_are_whole():
    assert column([1.0, None], [3.0]).style == "count"
    assert column([1.0, None], [3.55]).style == "similarity"
    assert column([47.0, None], [3.5]).style == ""
    assert column([None], [2.0]).style == "count"


def test_a_part_without_rows_does_not_decide_the_type():
    assert column(pd.Series([], dtype=object), [1.5]).kind == "number"
    assert column([1.5], pd.Series([], dtype=object)).kind == "number"
    assert column(pd.Series([], dtype="str")).kind == "string"


def test_cells_too_long_are_counted_over_all_parts():
    several = column(["x" * 40_000], ["y"], ["z" * 50_000])
    assert several.too_long == 2
    assert len(several.cells(pd.Series(["z" * 50_000]))[0]) == 32_767


def test_the_first_rows_of_all_parts_set_the_width():
    assert column(["x"] * 3, ["x" * 30]).width == 32
    assert column(["x"] * 200, ["x" * 30]).width == 8


def test_a_column_goes_by_its_name_where_its_label_stands_for_two_terms():
    table = pd.DataFrame({"Day": ["03"], "Score": [0.5]})
    columns, _ = survey([table], {"Day": "visited_on", "Score": "redirect_score"})
    assert [column.term.name for column in columns if column.term] == ["visited_on", "redirect_score"]
