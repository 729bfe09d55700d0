"""Named tables -> one xlsx workbook that is pleasant to work in.

Written row by row in constant memory. Text stays text: nothing becomes a link (Excel allows 65,530) or a formula.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import xlsxwriter
from xlsxwriter.exceptions import XlsxFileError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from backlink_audit.glossary import GLOSSARY, Style
from backlink_audit.labels import BANDS, STATES, VERDICTS, Label

MAX_ROWS = 1_048_576
"""Rows of an Excel sheet, its header included."""
MAX_CHARACTERS = 32_767
"""Characters of an Excel cell."""
MAX_SHEET_NAME = 31
EXACT_DIGITS = 15
"""Excel keeps 15 digits of a number; longer ones (ids) stay text."""
FIRST_YEAR = 1900
"""Excel's calendar begins with it; 0001-01-01 is how some tools write that there is no date."""
SAMPLED_ROWS = 200
"""Rows looked at to set a column's width."""
ROWS_AT_A_TIME = 5_000
NARROWEST, WIDEST = 8, 60
"""Column widths, in characters."""

NUMBER_FORMATS: dict[Style, str] = {
    "count": "#,##0",
    "rating": "0.0",
    "similarity": "0.000",
    "score": "0.000",
    "percent": "0.0%",
    "date": "yyyy-mm-dd",
}
COLOUR_SCALED: frozenset[str] = frozenset({"Similarity", "Relevance", "CAS", "CAS percentile", "Score"})
COLOUR_SCALE = {"type": "2_color_scale", "min_color": "#FFFFFF", "max_color": "#7FB8EA"}
LABELLED_COLUMNS: dict[str, tuple[Label, ...]] = {"Verdict": VERDICTS, "Band": BANDS, "State": STATES}
STYLES: dict[str, Style] = {term.label: term.style for term in GLOSSARY}


@dataclass
class Written:
    """What the workbook holds that is not as it was: cells cut to Excel's limit, tables continued on further sheets."""

    sheets: list[str] = field(default_factory=list)
    cut: dict[tuple[str, str], int] = field(default_factory=dict)
    continued: dict[str, int] = field(default_factory=dict)

    @property
    def cut_cells(self) -> int:
        """How many cells were longer than Excel allows."""
        return sum(self.cut.values())

    @property
    def notes(self) -> list[str]:
        """The same in sentences, for the reader of the workbook."""
        cut = [
            f"{count:,} cell(s) of “{column}” in sheet “{sheet}” were cut to Excel's {MAX_CHARACTERS:,} characters."
            for (sheet, column), count in self.cut.items()
        ]
        continued = [
            f"“{sheet}” has more rows than an Excel sheet holds; it goes on over {count} sheets."
            for sheet, count in self.continued.items()
        ]
        return cut + continued


def write_workbook(sheets: Mapping[str, pd.DataFrame], target: Path | str | BytesIO) -> Written:
    """Write the tables as sheets of these names, in order, and a sheet of notes where something had to be cut.

    Raises OSError when `target` cannot be written.
    """
    options = {
        "constant_memory": True,
        "strings_to_urls": False,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": False,
    }
    written = Written()
    try:
        with xlsxwriter.Workbook(target if isinstance(target, BytesIO) else str(target), options) as workbook:
            formats = _formats(workbook)
            for name, table in sheets.items():
                _write_table(workbook, formats, name, table, written)
            if written.notes:
                _write_table(workbook, formats, "Notes", pd.DataFrame({"Note": written.notes}), written)
    except XlsxFileError as error:  # xlsxwriter's own, which is no OSError even where the disk is full
        raise OSError(str(error)) from error
    return written


def _formats(workbook: xlsxwriter.Workbook) -> dict[str, Format]:
    formats: dict[str, Format] = {
        style: workbook.add_format({"num_format": code}) for style, code in NUMBER_FORMATS.items()
    }
    formats["header"] = workbook.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
    for label in {label.word: label for labels in LABELLED_COLUMNS.values() for label in labels}.values():
        formats[label.word] = workbook.add_format({"bg_color": label.colour, "font_color": _readable_on(label.colour)})
    return formats


def _readable_on(colour: str) -> str:
    """Black or white, whichever reads better on a colour.

    >>> _readable_on("#0B5394"), _readable_on("#C8CCD0")
    ('#FFFFFF', '#000000')
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#FFFFFF" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else "#000000"


def _write_table(
    workbook: xlsxwriter.Workbook, formats: dict[str, Format], name: str, table: pd.DataFrame, written: Written
) -> None:
    columns = [_prepare(table.iloc[:, i], str(label), name, written) for i, label in enumerate(table.columns)]
    parts = max(1, -(-len(table) // (MAX_ROWS - 1)))
    if parts > 1:
        written.continued[name] = parts
    for part in range(parts):
        start = part * (MAX_ROWS - 1)
        rows = min(MAX_ROWS - 1, len(table) - start)
        title = _sheet_name(name, part, taken=written.sheets)
        sheet = workbook.add_worksheet(title)
        written.sheets.append(title)
        _lay_out(sheet, formats, columns, rows)
        _write_rows(sheet, formats, columns, start, rows)


def _sheet_name(name: str, part: int, taken: list[str]) -> str:
    """A name Excel accepts, unlike those taken."""
    clean = "".join("-" if character in "[]:*?/\\" else character for character in name).strip("'") or "Sheet"
    number = part + 1
    while True:
        suffix = f" ({number})" if number > 1 else ""
        title = clean[: MAX_SHEET_NAME - len(suffix)] + suffix
        if title.casefold() not in {other.casefold() for other in taken}:
            return title
        number += 1


@dataclass
class _Column:
    label: str
    values: pd.Series
    style: str
    """A key of the formats, or "" for text."""
    method: str
    """The worksheet's method that writes one value."""


def _prepare(values: pd.Series, label: str, sheet: str, written: Written) -> _Column:
    style: str = STYLES.get(label, "")
    if pd.api.types.is_bool_dtype(values.dtype):
        return _Column(label, values, "", "write_boolean")
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return _Column(label, values.dt.tz_localize(None), "date", "write_datetime")
    if pd.api.types.is_numeric_dtype(values.dtype):
        return _Column(label, values, style or _number_style(values), "write_number")
    text = values.astype("str").fillna("")
    if label not in STYLES and _holds_numbers(text):
        numbers = pd.to_numeric(text.where(text != ""), errors="coerce").astype("float64")
        return _Column(label, numbers, "", "write_number")
    too_long = int((text.str.len() > MAX_CHARACTERS).sum())
    if too_long:
        written.cut[(sheet, label)] = too_long
        text = text.str.slice(0, MAX_CHARACTERS)
    return _Column(label, text, "", "write_string")


def _number_style(values: pd.Series) -> str:
    if pd.api.types.is_integer_dtype(values.dtype):
        return "count"
    known = values.dropna()
    return "count" if len(known) and (known == known.round()).all() else "similarity"


def _holds_numbers(text: pd.Series) -> bool:
    """Whether every value is a number that Excel keeps as it is written (no leading zeros, no 20-digit ids)."""
    distinct = pd.Series(text[text != ""].unique(), dtype="str")
    if distinct.empty:
        return False
    plain = distinct.str.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?").all()
    return bool(plain and (distinct.str.len() <= EXACT_DIGITS).all())


def _lay_out(sheet: Worksheet, formats: dict[str, Format], columns: list[_Column], rows: int) -> None:
    sheet.freeze_panes(1, 0)
    if columns and rows:
        sheet.autofilter(0, 0, rows, len(columns) - 1)
    for position, column in enumerate(columns):
        sheet.set_column(position, position, _width(column), formats.get(column.style))
        if not rows:
            continue
        if column.label in COLOUR_SCALED and column.method == "write_number":
            sheet.conditional_format(1, position, rows, position, COLOUR_SCALE)
        for label in LABELLED_COLUMNS.get(column.label, ()):
            rule = {"type": "cell", "criteria": "==", "value": f'"{label.word}"', "format": formats[label.word]}
            sheet.conditional_format(1, position, rows, position, rule)


def _width(column: _Column) -> float:
    longest = max((len(_shown(value)) for value in _python_values(column.values.head(SAMPLED_ROWS))), default=0)
    return min(WIDEST, max(NARROWEST, longest + 2, min(len(column.label) + 3, 24)))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _write_rows(sheet: Worksheet, formats: dict[str, Format], columns: list[_Column], start: int, rows: int) -> None:
    for position, column in enumerate(columns):
        sheet.write_string(0, position, column.label[:MAX_CHARACTERS], formats["header"])
    writers = [(getattr(sheet, column.method), formats.get(column.style)) for column in columns]
    for row, values in enumerate(_rows(columns, start, start + rows), 1):
        for position, ((write, style), value) in enumerate(zip(writers, values, strict=True)):
            if value is not None and value != "":
                write(row, position, value, style)


def _rows(columns: list[_Column], start: int, stop: int) -> Iterator[tuple[Any, ...]]:
    """Rows of Python values, a few thousand turned at a time: a whole table of them would fill the memory."""
    for first in range(start, stop, ROWS_AT_A_TIME):
        last = min(first + ROWS_AT_A_TIME, stop)
        yield from zip(*(_python_values(column.values.iloc[first:last]) for column in columns), strict=True)


def _python_values(values: pd.Series) -> list[Any]:
    """Python values with None for whatever is missing, infinite or before Excel's calendar."""
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return [value.to_pydatetime() if value.year >= FIRST_YEAR else None for value in values]  # NaT's year is NaN
    if pd.api.types.is_float_dtype(values.dtype):
        values = values.where(values.abs() != float("inf"))
    return values.astype(object).where(values.notna(), None).tolist()
