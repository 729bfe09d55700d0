"""Workbooks (xlsx, xlsm, xlsb) -> a table of text, unpacked in a child process that cannot take this one down."""

import io
import signal
import subprocess
import tempfile
import zipfile
import zlib
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports import limited_child, spreadsheet_child
from backlink_audit.exports.header import ROWS_SEARCHED, column_names, find_header

MEMORY_LIMIT = 3 * 1024**3
"""Bytes of address space for the child. 100,000 rows of 34 columns take a fifth of it."""
SECONDS_LIMIT = 120
"""Processor seconds for the child. 100,000 rows of 34 columns take about 2."""
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
_TOO_SLOW = f"reading the workbook takes more than {SECONDS_LIMIT} seconds; save the table as csv and upload that."
_DOCTYPE = (
    "the workbook contains a DOCTYPE, which spreadsheet programs never write and which can be an attack; save the "
    "table as csv and upload that."
)
_PROLOG = 4 * 1024
"""Bytes of a part in which a DOCTYPE would be."""
_MIDNIGHT = " 00:00:00"


def read_sheets(data: bytes, name: str, *, dates: bool = False) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return the table of a workbook's first sheet that is recognised, else of its first sheet that has anything.

    With `dates` also that of its first sheet of clicks by date, None where it has none.

    Numbers and dates come as text that looks as in a csv ("200", "2025-10-06").

    Raises:
        UnreadableFile: not a workbook, damaged, empty, or too large to unpack.
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
            code = limited_child.run(spreadsheet_child, *places, memory=MEMORY_LIMIT, seconds=SECONDS_LIMIT)
        except subprocess.TimeoutExpired as error:
            raise UnreadableFile(name, _TOO_SLOW) from error
        if code != spreadsheet_child.SHEET_WRITTEN:
            raise UnreadableFile(name, _what_went_wrong(code))
        return _read(target), _read(by_date) if by_date.exists() else None


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        return reader.read_all()


def _what_went_wrong(code: int) -> str:
    """Return the sentence for a child's exit code; negative ones are the signals that ended it."""
    if code == spreadsheet_child.NO_SHEET:
        return "the workbook is empty; export it again."
    if code == spreadsheet_child.NO_TABLE:
        return "the workbook has no sheet that can be read as a table; save the table as csv and upload that."
    if code == spreadsheet_child.TOO_LARGE:
        return _TOO_LARGE
    if code == -signal.SIGKILL:
        return (
            "the workbook could not be read, probably because there is not enough memory; save the table as csv "
            "and upload that."
        )
    if code == -getattr(signal, "SIGXCPU", 0):
        return _TOO_SLOW
    if code < 0:
        return _TOO_LARGE
    return (
        "the workbook is damaged; open it in Excel or another spreadsheet program, save the table as csv and "
        "upload that."
    )


def _as_text(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return cells as text; a column whose times are all midnight has dates."""
    text = pc.fill_null(cells.cast(pa.large_string()), "")
    filled = text.filter(pc.not_equal(text, ""))
    if len(filled) and pc.all(pc.ends_with(filled, _MIDNIGHT)).as_py():
        return pc.replace_substring(text, _MIDNIGHT, "")
    return text
