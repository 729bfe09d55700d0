"""Text with delimiters (csv, tsv, semicolons, pipes) -> a table of text.

The fast way is Arrow's parser. A file with ragged rows or quotes gone wrong takes the slow, forgiving way.
"""

import csv
import io
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.formats import column_names, find_header, known_headers

DELIMITERS = (",", "\t", ";", "|")
_HEAD = 256 * 1024  # bytes looked at to find delimiter and header
_HEAD_ROWS = 60
_BLOCK = 64 * 1024 * 1024  # arrow needs each row to fit into a block; a crawl's page content can be megabytes long
_PART = 16 * 1024 * 1024  # the same for the blocks of a file read in parts: no cell of a backlink export is as long
_SMALL = 1024 * 1024  # the same where every cell of a block is looked at and most are blank
MOST_BLANK = 5_000_000
"""Cells of a table that is nearly all blank; where it has more, only the columns that have anything are read."""
LONGEST_CELL = 10_000_000
"""Characters. The longest page of a crawl has about a million; a longer cell means that the file is no table."""
_LONGEST_LINE = 32 * 1024 * 1024  # bytes between two line ends
EXTRA_COLUMNS = 20
"""Rows longer than the header get so many unnamed columns; what is beyond is put together in the last one."""
LONGEST_QUOTE = 10_000
"""Lines that a quote without an end may take into its cell: of a file that was cut off within a page's text."""
_NO_EXPORT = "this does not look like an export of an SEO tool."
LONGEST_NAME = 60  # characters of a header that a sentence quotes
_SEPARATOR_LINE = re.compile(rb"\Asep=(.)\r?\n", re.IGNORECASE)
Choice = Callable[[pd.DataFrame], Collection[str]]  # which headers of a table (without rows) are wanted


def read_delimited(data: bytes, name: str) -> pd.DataFrame:
    """Return the table in UTF-8 text: columns named as in its header row, every value text, "" where blank.

    Raises UnreadableFile (there is no header row).
    """
    separator = _SEPARATOR_LINE.match(data)
    if separator:
        data = data[separator.end() :]
    if has_long_line(data):
        raise UnreadableFile(name, f"one line has more than {_LONGEST_LINE:,} bytes; {_NO_EXPORT}")
    delimiter = separator[1].decode() if separator else find_delimiter(data)
    header, start = _find_header(data, delimiter)
    if header is None:
        raise UnreadableFile(name, _without_header(data))
    rows = data[start:] if start else data
    sparse = is_sparse(rows.count(delimiter.encode()), len(rows))
    filled = _filled_columns(rows, header, delimiter, name) if sparse else None
    try:
        table = _parse_fast(rows, header, delimiter, filled)
        table = _parse_forgiving(rows, header, delimiter) if table is None else table
    except _NeverCloses as problem:
        line = problem.args[0] + data.count(b"\n", 0, start) + bool(separator)
        raise UnreadableFile(
            name, f"the quote that opens in line {line:,} never closes; export the file again, or correct that line."
        ) from None
    except _CellTooLong:
        raise UnreadableFile(name, f"one cell has more than {LONGEST_CELL:,} characters; {_NO_EXPORT}") from None
    refuse_long_cells(table, name)
    return table


def is_sparse(cells: int, size: int) -> bool:
    return cells > max(MOST_BLANK, size // 4)


def _filled_columns(data: bytes, header: list[str], delimiter: str, name: str) -> list[str]:
    """Return the columns of a sparse table that have anything, found in blocks. Raises UnreadableFile for too many."""
    names, filled, rows = column_names(header, len(header)), set[str](), 0
    try:
        with pa_csv.open_csv(pa.BufferReader(data), **_options(header, delimiter, min(_SMALL, len(data)))) as blocks:
            for block in blocks:
                rows += block.num_rows
                left = [column for column in names if column not in filled]
                filled |= {column for column in left if pc.any(pc.not_equal(block.column(column), "")).as_py()}
    except pa.ArrowInvalid:
        filled, rows = set(names), data.count(delimiter.encode()) // max(1, len(names) - 1)
    if is_sparse(rows * len(filled), len(data)):
        cells = data.count(delimiter.encode())
        raise UnreadableFile(name, f"it has about {cells:,} cells, nearly all blank; delete those and try again.")
    return [column for column in names if column in filled]


def refuse_long_cells(table: pd.DataFrame, name: str) -> None:
    """Raise UnreadableFile if a cell has more characters than any export's."""
    for header in table.columns:
        if len(table) and (longest := int(table[header].str.len().max())) > LONGEST_CELL:
            raise UnreadableFile(
                name,
                f"one cell in the column “{header[:LONGEST_NAME]}” has {longest:,} characters, but the maximum is "
                f"{LONGEST_CELL:,}; {_NO_EXPORT}",
            )


def has_long_line(data: bytes) -> bool:
    """Whether there are more bytes between two line ends than any row of an export has; read in blocks."""
    since_end = 0
    for start in range(0, len(data), _LONGEST_LINE):
        block = data[start : start + _LONGEST_LINE]
        first = min((found for end in (b"\n", b"\r") if (found := block.find(end)) >= 0), default=-1)
        if since_end + (first if first >= 0 else len(block)) > _LONGEST_LINE:
            return True
        last = max(block.rfind(b"\n"), block.rfind(b"\r"))
        since_end = len(block) - last - 1 if last >= 0 else since_end + len(block)
    return False


class _CellTooLong(Exception):
    """A cell is longer than LONGEST_CELL."""


class _NeverCloses(Exception):
    """A quote takes the rest of the file into one cell; its argument is the line."""


def read_delimited_parts(path: Path, start: int, name: str, wanted: Choice | None = None) -> Iterator[pd.DataFrame]:
    """Yield the rows of UTF-8 text from byte `start` of a file in blocks, as `read_delimited` would give them.

    `wanted`: which columns to read; rows in which these are blank are left out. None: all. Raises UnreadableFile (there
    is no header row), pyarrow.ArrowInvalid (ragged rows, or quotes that do not close; such a file has to be read in one
    piece).
    """
    with path.open("rb") as file:
        file.seek(start)
        head = file.read(_HEAD + 1)
    separator = _SEPARATOR_LINE.match(head)
    delimiter = separator[1].decode() if separator else find_delimiter(head)
    skipped = separator.end() if separator else 0
    header, first = _find_header(head[skipped:], delimiter)
    if header is None:
        raise UnreadableFile(name, _without_header(head))
    if len(header) == 1:
        raise pa.ArrowInvalid("A file with a single column cannot be read in parts.")
    options = _options(header, delimiter, _PART)
    if wanted is not None:
        names = column_names(header, len(header))
        chosen = set(wanted(pd.DataFrame({column: pd.Series(dtype="str") for column in names})))
        options["convert_options"].include_columns = [column for column in names if column in chosen]
    with path.open("rb") as file:
        file.seek(start + skipped + first)
        with pa_csv.open_csv(pa.PythonFile(file), **options) as blocks:
            for block in blocks:
                yield _without_blank_rows(pa.Table.from_batches([block]).to_pandas())


def is_even(path: Path, start: int, name: str) -> bool:
    """Whether `read_delimited_parts` can read the file to its end. Raises UnreadableFile.

    The rows are parsed whole, but one column alone is turned into text: that takes a fraction of the time.
    """
    try:
        for _ in read_delimited_parts(path, start, name, lambda table: [str(table.columns[0])]):
            pass
    except pa.ArrowInvalid:
        return False
    return True


def find_delimiter(data: bytes) -> str:
    return max(DELIMITERS, key=lambda delimiter: _delimiter_score(data, delimiter))


def _delimiter_score(data: bytes, delimiter: str) -> tuple[int, float]:
    rows = [row for row, _ in _head_rows(data, delimiter)]
    if not rows:
        return 0, 0.0
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count)
    return max(map(known_headers, rows)), (usual > 1) * widths.count(usual) / len(widths) * min(usual, 5)


def _head_rows(data: bytes, delimiter: str) -> Iterator[tuple[list[str], int]]:
    """Yield each of the first rows and the number of bytes up to its end."""
    cut = (data.rfind(b"\n", 0, _HEAD) + 1) or (data.rfind(b"\r", 0, _HEAD) + 1)
    text = data[: len(data) if len(data) <= _HEAD else cut].decode("utf-8", "ignore")
    ends = [0]
    lines = io.StringIO(text, newline="")

    def counted() -> Iterator[str]:
        for line in lines:
            ends[0] += len(line.encode())
            yield line

    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(counted(), delimiter=delimiter)
    for _, row in zip(range(_HEAD_ROWS), reader, strict=False):
        yield row, ends[0]


def _find_header(data: bytes, delimiter: str) -> tuple[list[str] | None, int]:
    rows = list(_head_rows(data, delimiter))
    index = find_header([row for row, _ in rows])
    return (None, 0) if index is None else rows[index]


def _without_header(data: bytes) -> str:
    line = data[:_HEAD].lstrip()
    if len(data) <= _HEAD or b"\n" in line or b"\r" in line:
        return "the file has no table; export it again as csv or xlsx."
    return f"its first line has more than {_HEAD:,} bytes; {_NO_EXPORT}"


def _parse_fast(
    data: bytes, header: list[str], delimiter: str, columns: list[str] | None = None
) -> pd.DataFrame | None:
    """Return the rows under a header, or None if a row has another number of cells or the quotes do not close."""
    names = column_names(header, len(header))
    if not data[:_HEAD].strip() and not data.strip():
        return pd.DataFrame({name: pd.Series(dtype="str") for name in names})
    if len(header) == 1:
        return None
    options = _options(header, delimiter, min(_BLOCK, max(len(data), 1024)))
    options["convert_options"].include_columns = columns or []
    try:
        table = pa_csv.read_csv(pa.BufferReader(data), **options)
    except pa.ArrowInvalid:
        return None
    return _without_blank_rows(table.to_pandas())


def _options(header: list[str], delimiter: str, block: int) -> dict[str, Any]:
    """Return how Arrow is to read the rows under a header, `block` bytes at a time: every cell as text."""
    names = column_names(header, len(header))
    return {
        "read_options": pa_csv.ReadOptions(column_names=names, block_size=block),
        "parse_options": pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        "convert_options": pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False, null_values=[]
        ),
    }


def _parse_forgiving(data: bytes, header: list[str], delimiter: str) -> pd.DataFrame:
    """Return the rows under a header; short rows end in blanks, longer ones get unnamed columns."""
    text = data.decode("utf-8", "replace")
    rows = _forgiven(text, header, delimiter)
    most = len(header) + EXTRA_COLUMNS
    rows = [
        row if len(row) <= most else [*row[: most - 1], delimiter.join(row[most - 1 :])] for row in rows if any(row)
    ]
    width = max(len(header), *map(_used, rows))
    columns = {
        column: pd.Series([row[position] if position < len(row) else "" for row in rows], dtype="str")
        for position, column in enumerate(column_names(header, width))
    }
    return pd.DataFrame(columns)


def _forgiven(text: str, header: list[str], delimiter: str) -> list[list[str]]:
    """Return the rows, quotes taken for letters where they do not close. Raises _CellTooLong, _NeverCloses."""
    try:
        return _rows(text, delimiter, strict=True)
    except csv.Error as problem:
        if "limit" in str(problem) and text.count('"') % 2 == 0:
            raise _CellTooLong from None
        is_open = "limit" in str(problem) or "end of data" in str(problem)
    readings = []
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        try:
            readings.append(_rows(text, delimiter, quoting=quoting))
        except csv.Error:  # of a cell too long, the only one left where nothing is strict
            continue
    if not readings:
        raise _CellTooLong
    fitting = [sum(len(row) == len(header) for row in reading) for reading in readings]
    best = readings[fitting.index(max(fitting))]
    if is_open and (best is readings[0] or max(fitting) < len(best) / 2):
        _refuse_open_quote(text, delimiter)
    return best


def _refuse_open_quote(text: str, delimiter: str) -> None:
    """Raise _NeverCloses where a quote takes more lines into its cell than any cell has; it is in the last row."""
    reader, begun, ended, row = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 0, 0, list[str]()
    try:
        while (following := next(reader, None)) is not None:
            row, begun, ended = following, ended, reader.line_num
    except csv.Error:  # the cell is longer than any
        row, begun = [], ended
    line = 1 + begun + sum(cell.count("\n") for cell in row[:-1])
    if text.count("\n") - line > LONGEST_QUOTE:
        raise _NeverCloses(line)


def _rows(text: str, delimiter: str, **options: Any) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, **options)
    return [row for row in reader]  # not list(reader), which lets no other thread in, and so no visitor, until its end


def _used(row: list[str]) -> int:
    return next((position + 1 for position in range(len(row) - 1, -1, -1) if row[position].strip()), 0)


def _without_blank_rows(table: pd.DataFrame) -> pd.DataFrame:
    maybe = table.index[table.iloc[:, 0].eq("")]
    for column in table.columns[1:]:
        if maybe.empty:
            return table
        maybe = maybe[table.loc[maybe, column].eq("")]
    return table.drop(index=maybe).reset_index(drop=True)
