"""Tests of backlink_audit.exports.values."""

import math
from datetime import datetime

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.exports.values import clean_cells, clean_prose, parse_number, to_dates, to_flags, to_numbers


def text(*values: str) -> pd.Series:
    return pd.Series(values, dtype="str")


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("200", "404.0", " 7 "), (200, 404, 7)),
        (("1,240", "12"), (1240, 12)),
        (("0,425", "12"), (0.425, 12)),
        (("5,29787234", "100"), (5.29787234, 100)),
        (("24 541", "24\u00a0541", "24\u202f541", "24\u2009541"), (24541,) * 4),
        (("1.240", "12"), (1240, 12)),
        (("1.234.567,8",), (1234567.8,)),
        (("1,234,567.8",), (1234567.8,)),
        (("1’240", "1'240"), (1240, 1240)),
        (("3%", "1.2K", "2M"), (3, 1200, 2_000_000)),
        (("-5", "\u22125", "+5"), (-5, -5, 5)),
        (("1e3",), (1000,)),
    ],
)
def test_numbers_are_read_as_their_column_writes_them(cells, numbers):
    assert to_numbers(text(*cells)).tolist() == list(numbers)


def test_a_rating_with_three_decimals_is_not_thousands():
    assert to_numbers(text("3,700", "12"), rating=True).tolist() == [3.7, 12]
    assert to_numbers(text("3.700", "12"), rating=True).tolist() == [3.7, 12]


def test_what_is_no_number_is_missing():
    values = to_numbers(text("", "-", "n/a", "12 px", "1,2,3.4.5", "1e999"))
    assert all(math.isnan(value) for value in values)
    assert values.dtype == "float64"


def test_the_decimal_mark_is_decided_for_each_column_alone():
    assert to_numbers(text("1,5", "2")).tolist() == [1.5, 2]
    assert to_numbers(text("1.5", "2")).tolist() == [1.5, 2]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("1.234", "12.5", "34,5", "1.234,5"), [1234, 12.5, 34.5, 1234.5]),
        (("1.234,5", "1,234.5"), [1234.5, 1234.5]),
        (("1,234", "1,234.5", "22.5"), [1234, 1234.5, 22.5]),
        (("1.234.567", "1.234"), [1_234_567, 1234]),
        (("n/a, or.", "1.2K", "1,234"), [None, 1200, 1234]),
    ],
)
def test_the_decimal_mark_is_decided_by_all_values_whatever_their_order(cells, numbers):
    for shift in range(len(cells)):
        moved = [*cells[shift:], *cells[:shift]]
        found = dict(zip(moved, to_numbers(text(*moved)).astype(object), strict=True))
        assert [None if pd.isna(found[cell]) else found[cell] for cell in cells] == numbers


def test_flags_are_read_in_several_languages():
    flags = to_flags(text("true", "FALSE", "1", "0", "Yes", "nein", "Vrai", "", "maybe"))
    assert flags.dtype == "boolean"
    assert flags.tolist() == [True, False, True, False, True, False, True, pd.NA, pd.NA]


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (("2025-10-06 09:40:20", "2025-10-06", "2025-10-06T09:40:20Z"), ("2025-10-06",) * 3),
        (("2025-10-06 9:40", "2025-10-07 11:40"), ("2025-10-06", "2025-10-07")),
        (("06/10/2025 09:40", "25/10/2025 10:00"), ("2025-10-06", "2025-10-25")),
        (("10/06/2025", "10/25/2025"), ("2025-10-06", "2025-10-25")),
        (("6.10.2025", "25.10.2025"), ("2025-10-06", "2025-10-25")),
        (("6 Oct 2025", "25 Oct 2025"), ("2025-10-06", "2025-10-25")),
        (("Oct 6, 2025", "Oct 25, 2025"), ("2025-10-06", "2025-10-25")),
        (("45936", "45937.5"), ("2025-10-06", "2025-10-07")),
    ],
)
def test_dates_are_read_in_several_layouts(cells, days):
    dates = to_dates(text(*cells))
    assert dates.dt.strftime("%Y-%m-%d").tolist() == list(days)
    assert dates.dtype == "datetime64[us]"


def test_the_time_of_day_is_kept_in_utc():
    dates = to_dates(text("2025-10-06 09:40:20", "2025-10-06T09:40:20+02:00"))
    assert dates.astype(str).tolist() == ["2025-10-06 09:40:20", "2025-10-06 07:40:20"]


def test_what_is_no_date_is_missing():
    assert to_dates(text("", "-", "soon", "0000-00-00", "2025-13-40")).isna().all()


def test_two_layouts_in_one_column_are_both_read():
    assert to_dates(text("2025-10-06", "25/10/2025", "")).notna().tolist() == [True, True, False]


def test_text_loses_what_cannot_be_seen():
    cells = ("a\u200bb", "\ufeffstart", "lost \ufffd sign", "\u00a0no\u00a0break ", "two\nlines", "soft\u00adhyphen")
    assert clean_cells(text(*cells)).tolist() == ["ab", "start", "lost sign", "no break", "two lines", "softhyphen"]


JOINERS = ("می\u200cخواهم", "क्\u200dष", "👩\u200d🚀", "a\u200cb\u200d", "\u200dक \u200c", "Öl\u200dकष")


@pytest.mark.parametrize("clean", [clean_cells, clean_prose])
def test_joiners_stay_in_the_words_that_are_written_with_them(clean):
    assert clean(text(*JOINERS)).tolist() == ["می\u200cخواهم", "क्\u200dष", "👩\u200d🚀", "ab", "क", "Ölकष"]


def test_prose_keeps_its_lines_and_at_most_one_blank_one():
    cells = ("Teak\r\nA  table.", "one\rtwo \u2028 three", "\n\n a\t\n \n\u00a0\n\nb\n", "x\u200by\n\u3000", "one line")
    assert clean_prose(text(*cells)).tolist() == ["Teak\nA table.", "one\ntwo\nthree", "a\n\nb", "xy", "one line"]


def test_text_keeps_everything_else():
    cells = ("NULL", "=1+1", "庭の椅子", "🪑 chairs", "a  b", "")
    assert clean_cells(text(*cells)).tolist() == ["NULL", "=1+1", "庭の椅子", "🪑 chairs", "a b", ""]


@pytest.mark.parametrize("function", [clean_cells, clean_prose, to_numbers, to_flags, to_dates])
def test_an_empty_column_stays_empty_and_the_index_stays(function):
    assert function(text()).empty
    assert function(pd.Series(["1", ""], index=[9, 4], dtype="str")).index.tolist() == [9, 4]


MARKS = st.sampled_from(
    [(".", ""), (".", ","), (".", " "), (".", "\u00a0"), (".", "\u2019"), (",", ""), (",", "."), (",", "\u202f")]
)
HALVES = st.integers(-2_000_000_000, 2_000_000_000).map(lambda number: number / 2)


def as_written(number: float, decimal: str, thousands: str, digits: int) -> str:
    return f"{number:,.{digits}f}".replace(",", "\0").replace(".", decimal).replace("\0", thousands)


@given(MARKS, st.lists(HALVES), st.sampled_from([1, 2]))
def test_numbers_of_any_computer_are_read_as_they_were(marks, numbers, digits):
    numbers = [0.5, *numbers]  # one that cannot be thousands
    column = text(*(as_written(number, marks[0], marks[1], digits) for number in numbers))
    assert to_numbers(column).tolist() == numbers


@given(st.sampled_from(".,"), st.lists(st.integers(0, 100_000).map(lambda number: number / 1000)))
def test_ratings_of_any_computer_are_read_as_they_were(decimal, ratings):
    column = text(*(as_written(rating, decimal, "", 3) for rating in ratings))
    assert to_numbers(column, rating=True).tolist() == ratings


LAYOUTS = ["%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%d %b %Y", "%b %d, %Y", "%B %d, %Y"]
TIMES = ["", " %H:%M", " %H:%M:%S"]


@given(
    st.sampled_from(LAYOUTS), st.sampled_from(TIMES), st.lists(st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)))
)
def test_dates_of_any_computer_are_read_as_they_were(layout, time, moments):
    moments = [datetime(2025, 4, 25), *moments]  # one whose day cannot be a month
    column = text(*(moment.strftime(layout + time) for moment in moments))
    expected = [datetime.strptime(cell, layout + time) for cell in column]
    assert to_dates(column).dt.to_pydatetime().tolist() == expected


@given(st.lists(st.integers(20_000, 79_999)))
def test_day_numbers_of_a_spreadsheet_are_dates(days):
    expected = [pd.Timestamp("1899-12-30") + pd.Timedelta(days=day) for day in days]
    assert to_dates(text(*map(str, days))).tolist() == expected


@pytest.mark.parametrize("function", [clean_cells, clean_prose])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)))
def test_clean_text_is_clean(function, cells):
    once = function(text(*cells))
    assert function(once).tolist() == once.tolist()
    for before, after in zip(cells, once, strict=True):
        assert after == after.strip() and "  " not in after and "\r" not in after
        assert [c for c in after if c.isalnum()] == [c for c in before if c.isalnum()]


@pytest.mark.parametrize("number", ["1e308", "-1e308", "1e17", "9e15k", "inf", "1e999"])
def test_a_number_too_large_to_be_counted_with_is_none(number):
    assert math.isnan(parse_number(number))
