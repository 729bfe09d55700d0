"""What the limited child does that unpacks a workbook (`limited_child`).

The first sheet that is an export we can use goes to OUT as an Arrow file without header, else the first
that looks like one, else the first that has anything; the first with clicks by date goes to DATES, where that is
named. The exit code says how it went; any but these means that the system ended it.
"""

import functools
from typing import TYPE_CHECKING

from backlink_audit.limited_child import TOO_LARGE

if TYPE_CHECKING:
    import fastexcel
    import pyarrow as pa

NO_SHEET = 3
NOT_A_WORKBOOK = 4
NO_TABLE = 6
ANYTHING, LIKE_ONE, EXPORT = 1, 2, 3
"""How well a sheet fits: it has something, looks like an export, is one that we can use."""
LARGEST_SHEET = 1024**3
"""Bytes of text handed to the parent, which takes about three times as much for a while. 100,000 rows of 34 columns
take 0.06 GB; one long text that a million cells share takes 30."""


def main(source: str, target: str, dates: str = "") -> bytes | int:
    """Write the workbook's table to `target`, and that of clicks by date to `dates`; return nothing, or what failed."""
    import fastexcel

    from backlink_audit.exports.formats import Format, find_format, is_by_date

    try:
        workbook = fastexcel.read_excel(source)
    except fastexcel.FastExcelError:
        return NOT_A_WORKBOOK
    first: pa.RecordBatch | None = None
    by_date: pa.RecordBatch | None = None
    fits = 0
    unreadable = 0
    for sheet_name in workbook.sheet_names:
        try:
            sheet, visible = _load(workbook, sheet_name)
        except fastexcel.FastExcelError:  # a sheet that has a chart, for instance
            unreadable += 1
            continue
        if not sheet.num_columns or not sheet.num_rows:
            continue
        headers = _names_by_shape(sheet)
        if dates and by_date is None and is_by_date(headers):
            by_date = sheet
        found = find_format(headers)
        rank = EXPORT if isinstance(found, Format) else LIKE_ONE if found is not None else ANYTHING
        rank = 2 * rank + visible  # of two that fit as well a hidden one is last year's
        if rank > fits:
            first, fits = sheet, rank
        if fits == 2 * EXPORT + 1 and (by_date is not None or not dates):
            break
    if first is None:
        return NO_TABLE if unreadable else NO_SHEET
    return _write({target: first} if by_date is None else {target: first, dates: by_date})


def _write(sheets: "dict[str, pa.RecordBatch]") -> bytes | int:
    """Write each sheet to its file; return nothing, or what failed."""
    import pyarrow as pa

    if any(sheet.nbytes > LARGEST_SHEET for sheet in sheets.values()):
        return TOO_LARGE
    for path, sheet in sheets.items():
        with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, sheet.schema) as writer:
            writer.write_batch(sheet)
    return b""


def _names_by_shape(sheet: "pa.RecordBatch") -> list[str]:
    """Return the cells of a sheet's header, in English if its values show what it is; none where it has no header."""
    from backlink_audit.exports.formats import find_format, find_header

    rows = [[cell or "" for cell in row.values()] for row in sheet.slice(0, 240).to_pylist()]
    header = find_header(rows)
    if header is None or find_format(rows[header]) is not None:
        return [] if header is None else rows[header]
    import pandas as pd

    from backlink_audit.exports.search_console import names_of

    table = pd.DataFrame(rows[header + 1 :], columns=rows[header], dtype="str")
    return names_of(table) if table.columns.is_unique else rows[header]


def _load(workbook: "fastexcel.ExcelReader", sheet_name: str) -> "tuple[pa.RecordBatch, bool]":
    sheet = workbook.load_sheet(sheet_name, header_row=None, dtypes="string", skip_whitespace_tail_rows=True)
    return trimmed(sheet.to_arrow()), sheet.visible == "visible"


def trimmed(sheet: "pa.RecordBatch") -> "pa.RecordBatch":
    """Drop blank rows, and blank columns at the right: a stray cell far away must not cost the parent memory."""
    import pyarrow.compute as pc

    filled = [pc.fill_null(pc.not_equal(column, ""), False) for column in sheet.columns]
    used = [position for position, cells in enumerate(filled) if pc.any(cells).as_py()]
    if not used:
        return sheet.slice(0, 0)
    rows = functools.reduce(pc.or_, filled)
    return sheet.select(list(range(used[-1] + 1))).filter(rows)
