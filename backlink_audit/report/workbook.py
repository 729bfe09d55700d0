"""Named tables -> one xlsx workbook that is pleasant to work in.

Written row by row in constant memory. Text stays text, never a formula; web addresses are links as far as Excel allows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import xlsxwriter
from xlsxwriter.exceptions import XlsxFileError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from backlink_audit.glossary import TERMS, Style
from backlink_audit.labels import BANDS, VERDICTS, Label, readable_on
from backlink_audit.report.rows import MAX_CHARACTERS, WIDEST, Column, Rows, pieces, survey

MAX_ROWS = 1_048_576  # Rows of an Excel sheet, its header included
MAX_SHEET_NAME = 31
MAX_LINKS = 65_530  # Links of an Excel sheet
MAX_LINK_CHARACTERS = 2_000  # Of an address; Excel refuses a workbook with one above 2,079
A4 = 9  # Excel's number of the paper
ROWS_AT_A_TIME = 5_000
WIDE_TABLE = 8
"""Columns from which a sheet's first ones are frozen and those with the same value in every row are left out."""
LINE_POINTS = 15  # Height of a line. Rows of several lines have theirs written: not every program finds it by itself.
MOST_LINES = 20
FROZEN, FROZEN_WIDTH = 2, 66  # Columns that are frozen at most, and how many characters they may take together

NUMBER_FORMATS: dict[Style, str] = {
    "count": "#,##0",
    "rating": "0.0",
    "similarity": "0.000",
    "score": "0.000",
    "percent": "0.0%",
    "date": "yyyy-mm-dd",
    "month": "mmmm yyyy",
}
COLOUR_SCALED = frozenset({"similarity", "relevance", "cas", "cas_percentile", "score", "redirect_score"})
COLOUR_SCALE = {"type": "2_color_scale", "min_color": "#FFFFFF", "max_color": "#7FB8EA"}
TO_FILL_IN: frozenset[str] = frozenset({"Outreach state", "Notes", "Note", "State", "Pitch"})
"""Columns that wait for the reader's own words: they stay, though they are empty yet."""
TASKS = frozenset(TERMS[name].label for name in ("asks", "outreach_reason", "advice"))
"""Columns that say what to do: they stay, though every row may say the same."""
MARKED = {name: TERMS[name].marks for name in ("verdict", "band", "state")}  # their words have colours
SUMMARY = "Summary"
PLACE, ROWS_BETWEEN = "E", 20  # The column of the summary in which charts are, and the rows from one to the next
WIDTH, HEIGHT = 560, 360  # Pixels
ACCENT = "#2E7EBB"


@dataclass
class Written:
    """What in the workbook is not as it was: cells cut to Excel's limit, tables continued on further sheets."""

    sheets: list[str] = field(default_factory=list)
    cut: dict[tuple[str, str], int] = field(default_factory=dict)
    continued: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    """The columns of each sheet with the same value in every row, each with that value."""
    unlinked: dict[str, int] = field(default_factory=dict)  # How many web addresses of a sheet are plain text

    @property
    def notes(self) -> list[str]:
        """The same in sentences, for the reader of the workbook."""
        cut = [
            f"{count:,} cell(s) of “{column}” in sheet “{sheet}” were shortened to {MAX_CHARACTERS:,} characters, "
            "the maximum in Excel."
            for (sheet, column), count in self.cut.items()
        ]
        continued = [
            f"“{sheet}” has more rows than fit in one Excel sheet, so it is split into {count} sheets."
            for sheet, count in self.continued.items()
        ]
        unlinked = [
            f"URLs without a link in sheet “{sheet}”: {count:,}, as an Excel sheet has at most {MAX_LINKS:,} links."
            for sheet, count in self.unlinked.items()
        ]
        left_out = [
            f"Columns not included in sheet “{sheet}”, because all their values are the same: {', '.join(columns)}."
            for sheet, columns in self.left_out.items()
        ]
        return cut + continued + unlinked + left_out


def write_workbook(
    sheets: Mapping[str, Rows],
    target: Path | str | BytesIO,
    scratch: Path | None = None,
    names: Mapping[str, Mapping[str, str]] | None = None,
) -> Written:
    """Write the tables as sheets of these names, in order, and a sheet of notes where something had to be cut.

    `names`: of a sheet, its headers -> their names in code (`survey`).
    `scratch`: the folder for what is written meanwhile, about five times the workbook (default: the system's).
    Raises OSError when `target` cannot be written.
    """
    options = {
        "constant_memory": True,
        "strings_to_urls": False,
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": False,
        "use_zip64": True,  # a full sheet of a wide export is more than 2 GB before it is packed
        "tmpdir": scratch and str(scratch),
    }
    written = Written()
    try:
        with xlsxwriter.Workbook(target if isinstance(target, BytesIO) else str(target), options) as workbook:
            formats = _formats(workbook)
            for name, content in sheets.items():
                _write_sheet(workbook, formats, name, content, written, (names or {}).get(name))
            add_charts(workbook, sheets)
            if written.notes:
                _write_sheet(workbook, formats, "Notes", pd.DataFrame({"Note": written.notes}), written)
    except XlsxFileError as error:  # xlsxwriter's own, which is no OSError even where the disk is full
        inner = error.args[0] if error.args else None
        raise inner if isinstance(inner, OSError) else OSError(str(error)) from error
    return written


def _formats(workbook: xlsxwriter.Workbook) -> dict[str, Format]:
    formats: dict[str, Format] = {
        style: workbook.add_format({"num_format": code}) for style, code in NUMBER_FORMATS.items()
    }
    formats["wrapped"] = workbook.add_format({"text_wrap": True, "valign": "top"})
    formats["url"] = workbook.get_default_url_format()
    formats["header"] = workbook.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
    for label in {label.word: label for labels in MARKED.values() for label in labels}.values():
        formats[label.word] = workbook.add_format({"bg_color": label.colour, "font_color": readable_on(label.colour)})
    return formats


def _write_sheet(
    workbook: xlsxwriter.Workbook,
    formats: dict[str, Format],
    name: str,
    content: Rows,
    written: Written,
    names: Mapping[str, str] | None = None,
) -> None:
    """Write a sheet, and further ones where there are more rows than Excel allows. Tables are gone through twice."""
    columns, rows = survey(pieces(content), names)
    if len(columns) >= WIDE_TABLE:
        stays = TO_FILL_IN | TASKS
        empty = [one for one in columns if one.is_constant and one.label not in stays and _name(one) not in MARKED]
        if empty:
            written.left_out[name] = [f"{column.label} ({column.shown_value or 'empty'})" for column in empty]
        columns = [column for column in columns if column not in empty]
    written.cut.update({(name, column.label): column.too_long for column in columns if column.too_long})
    parts = max(1, -(-rows // (MAX_ROWS - 1)))
    if parts > 1:
        written.continued[name] = parts
    values = _rows(columns, pieces(content))
    for part in range(parts):
        rows_here = min(MAX_ROWS - 1, rows - part * (MAX_ROWS - 1))
        title = _sheet_name(name, part, taken=written.sheets)
        sheet = workbook.add_worksheet(title)
        written.sheets.append(title)
        _lay_out(sheet, formats, columns, rows_here)
        unlinked = _write_rows(sheet, formats, columns, islice(values, rows_here))
        if unlinked:
            written.unlinked[title] = unlinked


def _sheet_name(name: str, part: int, taken: list[str]) -> str:
    clean = "".join("-" if character in "[]:*?/\\" else character for character in name).strip("'") or "Sheet"
    number = part + 1
    while True:
        suffix = f" ({number})" if number > 1 else ""
        title = clean[: MAX_SHEET_NAME - len(suffix)] + suffix
        if title.casefold() not in {other.casefold() for other in taken}:
            return title
        number += 1


def _lay_out(sheet: Worksheet, formats: dict[str, Format], columns: list[Column], rows: int) -> None:
    sheet.freeze_panes(1, _frozen(columns))
    sheet.set_landscape()
    sheet.set_paper(A4)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    if columns and rows:
        sheet.autofilter(0, 0, rows, len(columns) - 1)
    for position, column in enumerate(columns):
        wrapped = "wrapped" if _wraps(column, columns) else column.style
        sheet.set_column(position, position, column.width, formats.get(wrapped))
        if not rows:
            continue
        if _name(column) in COLOUR_SCALED and column.written_as == "number":
            sheet.conditional_format(1, position, rows, position, COLOUR_SCALE)
        for label in MARKED.get(_name(column), ()):
            rule = {"type": "cell", "criteria": "==", "value": f'"{label.word}"', "format": formats[label.word]}
            sheet.conditional_format(1, position, rows, position, rule)


def _name(column: Column) -> str:
    return column.term.name if column.term else ""


def _wraps(column: Column, columns: list[Column]) -> bool:
    return len(columns) < WIDE_TABLE and column.longest > WIDEST


def _lines(text: str, width: float) -> int:
    r"""Return about how many lines a text takes in a column of so many characters.

    >>> _lines("short", 60), _lines("word " * 20, 60), _lines("one\ntwo", 60)
    (1, 2, 2)
    """
    return sum(max(1, -(-len(line) // max(1, int(width)))) for line in text.split("\n"))


def _frozen(columns: list[Column]) -> int:
    if len(columns) < WIDE_TABLE:
        return 0
    widths = accumulate(column.width for column in columns[:FROZEN])
    return sum(width <= FROZEN_WIDTH for width in widths)


def _write_rows(
    sheet: Worksheet, formats: dict[str, Format], columns: list[Column], rows: Iterator[tuple[Any, ...]]
) -> int:
    """Write the header and the rows, and return how many web addresses are beyond the links that a sheet can have."""
    links = unlinked = 0
    for position, column in enumerate(columns):
        sheet.write_string(0, position, column.label[:MAX_CHARACTERS], formats["header"])
    kinds = [column.written_as for column in columns]
    writers = [
        (getattr(sheet, f"write_{kind}"), formats.get(column.style))
        for kind, column in zip(kinds, columns, strict=True)
    ]
    wrapping = [(position, column.width) for position, column in enumerate(columns) if _wraps(column, columns)]
    for row, values in enumerate(rows, 1):
        lines = max((_lines(str(values[position] or ""), width) for position, width in wrapping), default=1)
        if lines > 1:
            sheet.set_row(row, LINE_POINTS * min(lines, MOST_LINES))
        for position, ((write, style), value) in enumerate(zip(writers, values, strict=True)):
            if value is None or value == "":
                continue
            if kinds[position] != "url":
                write(row, position, value, style)
            elif links < MAX_LINKS and len(value) <= MAX_LINK_CHARACTERS:
                links += 1
                write(row, position, value, formats["url"], value)
            else:
                unlinked += 1
                sheet.write_string(row, position, value)
    return unlinked


def _rows(columns: list[Column], tables: Iterator[pd.DataFrame]) -> Iterator[tuple[Any, ...]]:
    for table in tables:
        for start in range(0, len(table), ROWS_AT_A_TIME):
            rows = table.iloc[start : start + ROWS_AT_A_TIME]
            yield from zip(*(column.cells(rows.iloc[:, column.place]) for column in columns), strict=True)


class Counted(NamedTuple):
    """What is drawn: the links of each word of a column, on a sheet."""

    sheet: str
    column: str
    title: str
    labels: tuple[Label, ...] = ()


CHARTS = (
    Counted("Verdicts", "Verdict", "How many links have each verdict?", VERDICTS),
    Counted("Relevance", "Relevance", "How relevant are the links?", BANDS),
)
VALUES = "Links"


def add_charts(workbook: xlsxwriter.Workbook, sheets: Mapping[str, Any]) -> None:
    """Draw the charts whose sheets are there on the sheet Summary; none where there is no such sheet."""
    summary = workbook.get_worksheet_by_name(SUMMARY)
    drawn = [chart for chart in CHARTS if isinstance(sheets.get(chart.sheet), pd.DataFrame)] if summary else []
    for place, chart in enumerate(drawn):
        summary.insert_chart(f"{PLACE}{2 + place * ROWS_BETWEEN}", _bars(workbook, chart, sheets[chart.sheet]))


def _bars(workbook: xlsxwriter.Workbook, chart: Counted, table: pd.DataFrame) -> Any:
    colours = {label.word: label.colour for label in chart.labels}
    names, values = (list(table.columns).index(name) for name in (chart.column, VALUES))
    bars = workbook.add_chart({"type": "bar"})
    bars.add_series(
        {
            "name": VALUES,
            "categories": [chart.sheet, 1, names, len(table), names],
            "values": [chart.sheet, 1, values, len(table), values],
            "points": [{"fill": {"color": colours.get(word, ACCENT)}} for word in table[chart.column]],
            "data_labels": {"value": True},
            "gap": 40,
        }
    )
    bars.set_title({"name": chart.title, "name_font": {"size": 12}, "overlay": False})
    bars.set_legend({"none": True})
    bars.set_y_axis({"reverse": True, "major_tick_mark": "none"})
    bars.set_x_axis({"visible": False, "major_gridlines": {"visible": False}})
    bars.set_size({"width": WIDTH, "height": HEIGHT})
    return bars
