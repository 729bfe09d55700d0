"""The user's own workbook with our columns at the right of its table; everything else in it stays as it was."""

import re
import warnings
from collections.abc import Callable
from copy import copy
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pandas as pd
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, Cell
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.worksheet.dimensions import ColumnDimension
from openpyxl.worksheet.table import TableColumn
from openpyxl.worksheet.worksheet import Worksheet

from backlink_audit import limited_child
from backlink_audit.errors import AuditError
from backlink_audit.report.rows import MAX_CHARACTERS, Column, survey
from backlink_audit.report.workbook import NUMBER_FORMATS

MOST_COLUMNS = 16_384  # Of an Excel sheet
MOST_CELLS = 2_000_000
"""Of a workbook that is changed: openpyxl keeps each in memory, blank ones too, with about 0.5 kB."""
_CELL = re.compile(rb"<(?:\w+:)?c[ />]")
_LOST = {
    "macros": r"xl/vbaProject",
    "charts": r"xl/(?:charts|chartsheets)/",
    "shapes": r"xl/(?:diagrams|ctrlProps|activeX|embeddings)/",
    "pictures": r"xl/(?:media|richData)/",
    "slicers": r"xl/(?:slicers|timelines|slicerCaches|timelineCaches)/",
    "comments": r"xl/(?:threadedComments|comments\d*\.xml)",
    "pivot tables": r"xl/pivotTables/",
    "queries": r"xl/(?:connections\.xml|queryTables/|model/)",
    "a signature": r"_xmlsignatures/",
}  # Parts of a workbook that openpyxl drops or writes otherwise than they were
_SHAPE = b":sp>"
_HARMLESS = r"(?i).*no default style"
"""The one warning of openpyxl that is not about something it drops: tools write workbooks without any styles."""


def refuse_lost(data: bytes) -> None:
    """Raise AuditError where the workbook has something that would not come back as it was."""
    with ZipFile(BytesIO(data)) as archive:
        names = archive.namelist()
        has = [what for what, part in _LOST.items() if any(re.match(part, name) for name in names)]
        drawings = [name for name in names if re.match(r"xl/drawings/[^/]+\.xml", name)]
        if "shapes" not in has and any(_SHAPE in archive.read(name) for name in drawings):
            has.append("shapes")
    if has:
        raise AuditError(f"This workbook has {' and '.join(has)}, which would be lost or changed.")


def add_columns(data: bytes, sheet: str, header: int, rows: tuple[int, ...], table: pd.DataFrame) -> bytes:
    """Return the workbook (xlsx) with the table's columns added to a sheet, each row beside its own.

    `header`: the row of the sheet's header, from 1; `rows`: those beside which ours are written, in the table's order;
    rows without any value stay blank. Raises AuditError where something in the workbook would be lost.
    """
    return in_child(_added, data, sheet, header, rows, table)


def in_child(work: Callable[..., bytes], *given: object) -> bytes:
    """Return what a function makes of the user's workbook, in a limited process. Raises AuditError."""
    try:
        return limited_child.run(f"{work.__module__}:{work.__name__}", "own workbook", *given)
    except limited_child.ChildEnded:
        raise AuditError("This workbook takes too much memory or time to be changed.") from None


def _added(data: bytes, sheet: str, header: int, rows: tuple[int, ...], table: pd.DataFrame) -> bytes:
    workbook = opened(data)
    _add(workbook[sheet], header, rows, table)
    return saved(workbook)


def opened(data: bytes) -> Workbook:
    """Return a workbook to be changed. Raises AuditError where something in it would be lost."""
    refuse_lost(data)
    with ZipFile(BytesIO(data)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        cells = sum(sum(1 for _ in _CELL.finditer(archive.read(name))) for name in sheets)
    if cells > MOST_CELLS:
        raise AuditError(f"This workbook has {cells:,} cells; one to be changed can have at most {MOST_CELLS:,}.")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            workbook = load_workbook(BytesIO(data), rich_text=True)
        except Exception as error:  # openpyxl raises what it meets: KeyError, ValueError, TypeError …
            raise AuditError("This workbook could not be opened to be changed.") from error
    if any(not re.match(_HARMLESS, str(one.message)) for one in said):
        raise AuditError("This workbook has something that would be lost or changed.")
    return workbook


def saved(workbook: Workbook) -> bytes:
    """Return a workbook as a file."""
    workbook.calculation.fullCalcOnLoad = True  # the values of formulas are not kept, only the formulas
    target = BytesIO()
    workbook.save(target)
    return target.getvalue()


def _add(sheet: Worksheet, header: int, rows: tuple[int, ...], table: pd.DataFrame) -> None:
    used = [cell.column for row in sheet.iter_rows() for cell in row if cell.value not in (None, "")]
    merged = [area.max_col for area in sheet.merged_cells.ranges]
    tables = [range_boundaries(one.ref)[2] for one in sheet.tables.values()]
    first = max([*used, *merged, *tables], default=0) + 1
    last = first + len(table.columns) - 1
    if last > MOST_COLUMNS:
        raise AuditError("The sheet has no room for more columns.")
    headers = {str(cell.value).casefold() for cell in sheet[header] if cell.value is not None}
    neighbour = _last_header(sheet, header)
    _split_widths(sheet, first, last)
    columns, _ = survey([table])
    for place, column in enumerate(columns, first):
        name = _unlike(column.label, headers)
        headers.add(name.casefold())
        top = sheet.cell(header, place)
        write(top, name)
        if neighbour is not None:
            top._style = copy(neighbour._style)
        sheet.column_dimensions[get_column_letter(place)].width = column.width
        write_cells(sheet, place, rows, column, table.iloc[:, column.place])
    _widen(sheet, header, first, last)


def _last_header(sheet: Worksheet, header: int) -> Cell | None:
    filled = [cell for cell in sheet[header] if cell.value not in (None, "") and isinstance(cell, Cell)]
    return filled[-1] if filled else None


def _unlike(name: str, taken: set[str]) -> str:
    new, number = name, 2
    while new.casefold() in taken:
        new, number = f"{name} ({number})", number + 1
    return new


def write_cells(sheet: Worksheet, place: int, rows: tuple[int, ...], column: Column, values: pd.Series) -> None:
    """Write a column's values into these rows, in its format; what is blank leaves its cell as it is."""
    number_format = NUMBER_FORMATS.get(column.style) if column.style else None
    for row, value in zip(rows, column.cells(values), strict=True):
        if value is None or value == "":
            continue
        cell = sheet.cell(row, place)
        write(cell, value)
        if number_format:
            cell.number_format = number_format


def write(cell: Any, value: Any) -> None:
    """Write a value; text stays text, whatever it begins with."""
    if isinstance(value, str):
        cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)[:MAX_CHARACTERS]
        cell.data_type = "s"
    else:
        cell.value = value


def _split_widths(sheet: Worksheet, first: int, last: int) -> None:
    """Give our columns widths of their own where one entry is for many columns: two for one column damage the file."""
    for letter, entry in list(sheet.column_dimensions.items()):
        if entry.min is None or entry.max is None or entry.max < first or entry.min > last:
            continue
        behind, most = entry.min, entry.max
        del sheet.column_dimensions[letter]
        for start, end in ((behind, first - 1), (last + 1, most)):
            if start <= end:
                key = get_column_letter(start)
                part = ColumnDimension(sheet, index=key, width=entry.width, hidden=entry.hidden, min=start, max=end)
                part._style = copy(entry._style)
                sheet.column_dimensions[key] = part


def _widen(sheet: Worksheet, header: int, first: int, last: int) -> None:
    """Let the filter and the table that end beside our columns take them in."""
    if sheet.auto_filter.ref:
        sheet.auto_filter.ref = _widened(sheet.auto_filter.ref, header, first, last)
    for table in sheet.tables.values():
        wider = _widened(table.ref, header, first, last)
        if wider == table.ref or table.totalsRowCount:
            continue
        table.ref = wider
        if table.autoFilter is not None and table.autoFilter.ref:
            table.autoFilter.ref = _widened(table.autoFilter.ref, header, first, last)
        number = max(column.id for column in table.tableColumns)
        for place in range(first, last + 1):
            number += 1
            table.tableColumns.append(TableColumn(id=number, name=str(sheet.cell(header, place).value)))


def _widened(area: str, header: int, first: int, last: int) -> str:
    """Return an area with our columns, where it begins at the header and ends beside them.

    >>> _widened("A1:D9", 1, 5, 6), _widened("A3:D9", 1, 5, 6)
    ('A1:F9', 'A3:D9')
    """
    left, top, right, bottom = range_boundaries(area)
    if top != header or right != first - 1:
        return area
    return f"{get_column_letter(left)}{top}:{get_column_letter(last)}{bottom}"
