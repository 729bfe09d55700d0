"""Workbooks (xlsx, xlsm, xlsb) -> a table of text, and where in its workbook each row of a table stands.

They are unpacked in a child process that cannot take this one down.
"""

import io
import json
import signal
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import fastexcel
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit import limited_child
from backlink_audit.errors import AuditError, UnreadableFile
from backlink_audit.exports import spreadsheet_child
from backlink_audit.exports.formats import ROWS_SEARCHED, column_names, find_header
from backlink_audit.exports.recognise import Export
from backlink_audit.exports.spreadsheet_child import trimmed

UNPACKED_LIMIT = 4 * 1024**3
"""Bytes of XML a workbook may unpack to; a full sheet of 1,048,576 rows and 34 columns takes about 3 GB."""
ALWAYS_UNPACKED = 256 * 1024**2
RATIO_LIMIT = 100
"""A workbook that unpacks to more than `ALWAYS_UNPACKED` bytes may do so by this factor; tables reach 10 to 30."""
_DAMAGED = (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zlib.error)
_TOO_LARGE = (
    "the workbook needs more memory than this computer has (it has a cell far outside the table, or it is "
    "malicious); save the table as csv and upload that."
)
_TOO_SLOW = (
    f"reading the workbook takes more than {limited_child.LIMITS['workbook'].seconds} seconds; save the table as csv "
    "and upload that."
)
_DOCTYPE = (
    "the workbook contains a DOCTYPE, which spreadsheet programs never write and which can be an attack; save the "
    "table as csv and upload that."
)
_PROLOG = 4 * 1024  # bytes of a part in which a DOCTYPE would be
_MIDNIGHT = " 00:00:00"
MOST_ROWS = 50_000
"""Rows of an export whose own workbook is written: all its cells are in memory. With 20 columns and 13 of ours,
50,000 rows take half a minute and 1 GB."""
MOST_BYTES = 20 * 1024**2
"""Of such a workbook, and `MOST_UNPACKED` of what it unpacks to: openpyxl takes about ten times that much memory."""
MOST_UNPACKED = 128 * 1024**2


def read_sheets(data: bytes, name: str, *, dates: bool = False) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the table of a workbook's first sheet that is recognised, else of its first sheet that has anything.

    With `dates` also that of its first sheet of clicks by date, None where it has none. Numbers and dates come as text
    that looks as in a csv ("200", "2025-10-06"). Raises UnreadableFile (not a workbook, damaged, empty, or too large to
    unpack).
    """
    _check_archive(data, name)
    sheet, by_date = _unpack(data, name, dates)
    return table_of(sheet, name), None if by_date is None else table_of(by_date, name)


def table_of(sheet: pa.Table, name: str) -> pd.DataFrame:
    """Return a sheet under its header. Raises UnreadableFile where it has none."""
    rows = [[cell or "" for cell in row.values()] for row in sheet.slice(0, ROWS_SEARCHED).to_pylist()]
    header = find_header(rows)
    if header is None:
        raise UnreadableFile(name, "the workbook has no table; export it again as csv or xlsx.")
    names = column_names(rows[header], sheet.num_columns)
    body = sheet.slice(header + 1)
    columns = {name: _as_text(body.column(position)) for position, name in enumerate(names)}
    return pa.table(columns).to_pandas()


def _check_archive(data: bytes, name: str) -> None:
    """Raise UnreadableFile if the archive is no workbook or says itself that it unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if any(_declares_a_type(archive, entry) for entry in entries):
                raise UnreadableFile(name, _DOCTYPE)
    except _DAMAGED as error:
        raise UnreadableFile(name, "the workbook is damaged or incomplete; export it again.") from error
    if not any(entry.filename.startswith("xl/") for entry in entries):
        raise UnreadableFile(name, "this is an archive, not a workbook; unpack it and upload the csv or xlsx inside.")
    packed = sum(entry.compress_size for entry in entries)
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > UNPACKED_LIMIT or (unpacked > ALWAYS_UNPACKED and unpacked > RATIO_LIMIT * packed):
        raise UnreadableFile(
            name, f"the workbook unpacks to {unpacked / 1024**3:.1f} GB; save the table as csv and upload that."
        )


def _declares_a_type(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    if not entry.filename.endswith((".xml", ".rels")):
        return False
    with archive.open(entry) as part:
        return b"<!DOCTYPE" in part.read(_PROLOG).upper().replace(b"\0", b"")


def _unpack(data: bytes, name: str, dates: bool) -> tuple[pa.Table, pa.Table | None]:
    """Return the sheet as the child process reads it, and that of clicks by date where it is wanted and there."""
    with tempfile.TemporaryDirectory(prefix="backlink-audit-") as folder:
        source, target, by_date = (Path(folder, part) for part in ("workbook.xlsx", "sheet.arrow", "dates.arrow"))
        source.write_bytes(data)
        places = [str(place) for place in ((source, target, by_date) if dates else (source, target))]
        try:
            limited_child.run(f"{spreadsheet_child.__name__}:main", "workbook", *places)
        except limited_child.ChildEnded as ended:
            raise UnreadableFile(name, _what_went_wrong(ended.code)) from ended
        return _read(target), _read(by_date) if by_date.exists() else None


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        return reader.read_all()


def _what_went_wrong(code: int | None) -> str:
    """Return the sentence for a child's exit code; negative ones are the signals that ended it."""
    if code == spreadsheet_child.NO_SHEET:
        return "the workbook is empty; export it again."
    if code == spreadsheet_child.NO_TABLE:
        return "the workbook has no sheet that can be read as a table; save the table as csv and upload that."
    if code is None or code == -getattr(signal, "SIGXCPU", 0):
        return _TOO_SLOW
    if code < 0 or code == limited_child.TOO_LARGE:
        return _TOO_LARGE
    return (
        "the workbook is damaged; open it in Excel or another spreadsheet program, save the table as csv and "
        "upload that."
    )


def _as_text(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    text = pc.fill_null(cells.cast(pa.large_string()), "")
    filled = text.filter(pc.not_equal(text, ""))
    if len(filled) and pc.all(pc.ends_with(filled, _MIDNIGHT)).as_py():
        return pc.replace_substring(text, _MIDNIGHT, "")
    return text


@dataclass(frozen=True)
class Place:
    """Where the rows of an export are in its workbook; rows are counted from 1, as in Excel."""

    sheet: str
    header: int
    rows: tuple[int, ...]


def is_workbook(name: str) -> bool:
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
    """Return where the rows of an export are in its workbook. Raises AuditError where no sheet has just these."""
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
