"""Where in its workbook an export stands: the sheet, the header's row and the row of each of its rows."""

import io
import json
import zipfile
from dataclasses import dataclass

import fastexcel
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit import limited_child
from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.exports.spreadsheet import table_of
from backlink_audit.exports.spreadsheet_child import trimmed

MOST_ROWS = 50_000
"""Rows of an export whose own workbook is written: all its cells are in memory. With 20 columns and 13 of ours,
50,000 rows take half a minute and 1 GB."""
MOST_BYTES = 20 * 1024**2
"""Of such a workbook, and `MOST_UNPACKED` of what it unpacks to: openpyxl takes about ten times that much memory."""
MOST_UNPACKED = 128 * 1024**2


@dataclass(frozen=True)
class Place:
    """Where the rows of an export are in its workbook; rows are counted from 1, as in Excel."""

    sheet: str
    header: int
    rows: tuple[int, ...]


def is_workbook(name: str) -> bool:
    """Whether a file of this name is a workbook that can come back: those with macros and binary ones cannot."""
    return name.lower().endswith(".xlsx")


def refuse_large(data: bytes, export: Export) -> None:
    """Raise AuditError where a workbook is too large to come back."""
    if len(export.raw) > MOST_ROWS:
        raise AuditError(f"{export.name}: our columns can be added to a workbook of at most {MOST_ROWS:,} rows.")
    refuse_heavy(export.name, data)


def refuse_heavy(name: str, data: bytes) -> None:
    """Raise AuditError for a file that is no workbook, or takes too much memory to be changed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        raise AuditError(f"{name}: this is no .xlsx workbook; save it as one and try again.") from error
    if len(data) > MOST_BYTES or unpacked > MOST_UNPACKED:
        raise AuditError(
            f"{name}: a workbook to be changed can have at most {MOST_BYTES // 1024**2} MB "
            f"({MOST_UNPACKED // 1024**2} MB unpacked)."
        )


def find_rows(data: bytes, export: Export) -> Place:
    """Return where the rows of an export are in the workbook it was read from.

    Raises AuditError where the workbook is too large, or no sheet has just these rows.
    """
    refuse_large(data, export)
    try:
        place = limited_child.run(f"{__name__}:found_rows", "own workbook", data, export.name, export.raw)
    except limited_child.ChildEnded:
        raise AuditError(f"{export.name}: the workbook takes too much memory or time to be changed.") from None
    sheet, header, rows = json.loads(place)
    return Place(sheet, header, tuple(rows))


def found_rows(data: bytes, file_name: str, raw: pd.DataFrame) -> bytes:
    """Return the fields of a `Place` as JSON, within the limits of a child. Raises AuditError."""
    workbook = fastexcel.read_excel(data)
    for name in workbook.sheet_names:
        try:
            # Without `skip_rows`, rows are counted from the first that has anything.
            loaded = workbook.load_sheet(
                name, header_row=None, skip_rows=0, dtypes="string", skip_whitespace_tail_rows=True
            )
        except fastexcel.FastExcelError:  # a sheet that has a chart, for instance
            continue
        found = _rows_of(loaded.to_arrow(), raw)
        if found is not None:
            return json.dumps([name, *found]).encode()
    raise AuditError(f"{file_name}: the table was not found again in the workbook.")


def _rows_of(sheet: pa.RecordBatch, raw: pd.DataFrame) -> tuple[int, tuple[int, ...]] | None:
    """Return the rows of the header and of the table, where the sheet has just the export's rows."""
    if not sheet.num_columns or not sheet.num_rows:
        return None
    filled = [pc.fill_null(pc.not_equal(column, ""), False).to_numpy(zero_copy_only=False) for column in sheet.columns]
    numbers = np.flatnonzero(np.logical_or.reduce(filled)) + 1
    if len(numbers) <= len(raw):
        return None
    try:
        table = table_of(pa.Table.from_batches([trimmed(sheet)]), "")
    except AuditError:
        return None
    theirs = list(table.columns)
    if len(table) != len(raw) or not set(theirs) <= set(raw.columns):
        return None
    if not (table.astype("str").to_numpy() == raw[theirs].astype("str").to_numpy()).all():
        return None
    header, *rows = numbers[-len(raw) - 1 :].tolist()
    return header, tuple(rows)
