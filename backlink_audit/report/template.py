"""A workbook of one's own filled in: cells by their names, sheets by the names of our tables; all else stays."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd
from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from backlink_audit.errors import AuditError
from backlink_audit.report.columns import survey
from backlink_audit.report.own_workbook import opened, saved, write, write_cells

MOST_ROWS = 50_000
"""Of a table in a template: openpyxl keeps every cell in memory."""
NOT_KNOWN = "–"


def check(data: bytes, figures: Collection[str], tables: Collection[str]) -> None:
    """Raise AuditError where the workbook would lose something, or has nothing to be filled in."""
    workbook = opened(data)
    if not _cells(workbook, figures) and not _sheets(workbook, tables):
        raise AuditError(
            f"The template has nothing to fill in: name a cell {' or '.join(sorted(figures)[:2])}, or a sheet "
            f"“{next(iter(tables))}” (the documentation lists all names)."
        )


def fill(data: bytes, figures: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> bytes:
    """Return the workbook with our figures and tables.

    Args:
        data: An xlsx file.
        figures: What each cell of this name gets; None: a dash.
        tables: What each sheet of this name gets, below all that is on it: under the headers of its last row, where
            some are ours; else the whole table with its headers.

    Raises:
        AuditError: something would be lost, nothing is to be filled in, or a table is too long.
    """
    check(data, figures, tables)
    workbook = opened(data)
    for name, cell in _cells(workbook, figures):
        write(cell, NOT_KNOWN if figures[name] is None else figures[name])
    for name, sheet in _sheets(workbook, tables):
        if len(tables[name]) > MOST_ROWS:
            raise AuditError(f"“{name}” has {len(tables[name]):,} rows; a template takes at most {MOST_ROWS:,}.")
        _append(sheet, tables[name])
    return saved(workbook)


def _cells(workbook: Workbook, figures: Collection[str]) -> list[tuple[str, Cell]]:
    """Return the cells with one of our names, whatever its capitals; of an area the first."""
    found = []
    for scope in (workbook, *workbook.worksheets):
        for name, defined in scope.defined_names.items():
            places = defined.destinations if name.casefold() in figures else ()
            for title, area in places:
                if title in workbook.sheetnames:
                    column, row, *_ = range_boundaries(area)
                    cell = workbook[title].cell(row or 1, column or 1)
                    found += [(name.casefold(), cell)] if isinstance(cell, Cell) else []  # not within merged ones
    return found


def _sheets(workbook: Workbook, tables: Collection[str]) -> list[tuple[str, Worksheet]]:
    named = {name.casefold(): name for name in tables}
    sheets = [sheet for sheet in workbook.worksheets if sheet.title.casefold() in named]
    return [(named[sheet.title.casefold()], sheet) for sheet in sheets]


def _append(sheet: Worksheet, table: pd.DataFrame) -> None:
    last = max((cell.row for row in sheet.iter_rows() for cell in row if cell.value not in (None, "")), default=0)
    headers = {str(cell.value).strip().casefold(): cell.column for cell in sheet[last]} if last else {}
    columns, _ = survey([table])
    places = {headers[column.label.casefold()]: column for column in columns if column.label.casefold() in headers}
    if not places:
        last += 1
        places = dict(enumerate(columns, 1))
        for place, column in places.items():
            write(sheet.cell(last, place), column.label)
    rows = tuple(range(last + 1, last + 1 + len(table)))
    for place, column in places.items():
        write_cells(sheet, place, rows, column, table.iloc[:, column.place])
