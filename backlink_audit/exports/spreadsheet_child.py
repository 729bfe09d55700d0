"""The child process that unpacks a workbook: `python -m …spreadsheet_child IN OUT BYTES SECONDS WHAT`.

It limits itself before it opens the file, so that a workbook made to exhaust memory or time ends this process and
nothing else. The first sheet that is an export we can use goes to OUT as an Arrow file without header, else the first
that looks like one, else the first that holds anything; where WHAT is `dates`, only the first with clicks by date. The
exit code says how it went; any but these means that the system ended it.
"""

import functools
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import fastexcel
    import pyarrow as pa

SHEET_WRITTEN = 0
NO_SHEET = 3
NOT_A_WORKBOOK = 4
TOO_LARGE = 5
NO_TABLE = 6
LARGEST_SHEET = 1024**3
"""Bytes of text handed to the parent, which takes about three times as much for a while. 100,000 rows of 34 columns
hold 0.06 GB; one long text that a million cells share holds 30."""


def limit(memory: int, seconds: int) -> None:
    """Limit this process's address space in bytes and its processor time in seconds, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; there the parent's clock is the only one.
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (bound, bound))
        except (ValueError, OSError):  # macOS refuses some limits.
            continue


def main(source: str, target: str, wanted: str = "export") -> int:
    """Write the workbook's table to `target`; return the exit code."""
    import fastexcel
    import pyarrow as pa

    from backlink_audit.exports.formats import Format, find_format
    from backlink_audit.exports.header import find_header
    from backlink_audit.exports.performance_formats import is_by_date

    try:
        workbook = fastexcel.read_excel(source)
    except fastexcel.FastExcelError:
        return NOT_A_WORKBOOK
    first: pa.RecordBatch | None = None
    is_known = False
    unreadable = 0
    for sheet_name in workbook.sheet_names:
        try:
            sheet = _load(workbook, sheet_name)
        except fastexcel.FastExcelError:  # a sheet that holds a chart, for instance
            unreadable += 1
            continue
        if not sheet.num_columns or not sheet.num_rows:
            continue
        rows = [[cell or "" for cell in row.values()] for row in sheet.slice(0, 40).to_pylist()]
        header = find_header(rows)
        headers = [] if header is None else rows[header]
        if wanted == "dates" and not is_by_date(headers):
            continue
        first = sheet if first is None else first
        found = find_format(headers)
        if isinstance(found, Format) or (found is not None and not is_known):
            first, is_known = sheet, True
        if isinstance(found, Format):
            break
    if first is None:
        return NO_TABLE if unreadable else NO_SHEET
    if first.nbytes > LARGEST_SHEET:
        return TOO_LARGE
    with pa.OSFile(target, "wb") as sink, pa.ipc.new_file(sink, first.schema) as writer:
        writer.write_batch(first)
    return SHEET_WRITTEN


def _load(workbook: "fastexcel.ExcelReader", sheet_name: str) -> "pa.RecordBatch":
    sheet = workbook.load_sheet(sheet_name, header_row=None, dtypes="string", skip_whitespace_tail_rows=True)
    return _trimmed(sheet.to_arrow())


def _trimmed(sheet: "pa.RecordBatch") -> "pa.RecordBatch":
    """Drop blank rows, and blank columns at the right: a stray cell far away must not cost the parent memory."""
    import pyarrow.compute as pc

    filled = [pc.fill_null(pc.not_equal(column, ""), False) for column in sheet.columns]
    used = [position for position, cells in enumerate(filled) if pc.any(cells).as_py()]
    if not used:
        return sheet.slice(0, 0)
    rows = functools.reduce(pc.or_, filled)
    return sheet.select(list(range(used[-1] + 1))).filter(rows)


if __name__ == "__main__":
    _source, _target, _memory, _seconds, _wanted = sys.argv[1:]
    limit(int(_memory), int(_seconds))
    try:
        sys.exit(main(_source, _target, _wanted))
    except MemoryError:
        sys.exit(TOO_LARGE)
