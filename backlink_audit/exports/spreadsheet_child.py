"""The child process that unpacks a workbook: `python -m backlink_audit.exports.spreadsheet_child IN OUT BYTES SECONDS`.

It limits itself before it opens the file, so that a workbook made to exhaust memory or time ends this process and
nothing else. The first sheet that we recognise goes to OUT as an Arrow file without header, else the first that holds
anything. Exit codes are `SHEET_WRITTEN`, `NO_SHEET` and `NOT_A_WORKBOOK`; anything else means that it was ended.
"""

import sys
from pathlib import Path

SHEET_WRITTEN = 0
NO_SHEET = 3
NOT_A_WORKBOOK = 4


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


def main(source: str, target: str) -> int:
    """Write the workbook's table to `target`; return the exit code."""
    import fastexcel
    import pyarrow as pa

    from backlink_audit.exports.formats import find_format
    from backlink_audit.exports.header import find_header

    try:
        workbook = fastexcel.read_excel(source)
    except Exception:  # noqa: BLE001
        return NOT_A_WORKBOOK
    first: pa.RecordBatch | None = None
    for sheet_name in workbook.sheet_names:
        sheet = workbook.load_sheet(
            sheet_name, header_row=None, dtypes="string", skip_whitespace_tail_rows=True
        ).to_arrow()
        if not sheet.num_columns or not sheet.num_rows:
            continue
        first = sheet if first is None else first
        rows = [[cell or "" for cell in row.values()] for row in sheet.slice(0, 40).to_pylist()]
        header = find_header(rows)
        if header is not None and find_format(rows[header]) is not None:
            first = sheet
            break
    if first is None:
        return NO_SHEET
    with pa.OSFile(target, "wb") as sink, pa.ipc.new_file(sink, first.schema) as writer:
        writer.write_batch(first)
    return SHEET_WRITTEN


if __name__ == "__main__":
    _source, _target, _memory, _seconds = sys.argv[1:]
    limit(int(_memory), int(_seconds))
    sys.exit(main(_source, str(Path(_target))))
