"""Tables as csv that no spreadsheet will run."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

RUNS_IN_A_SPREADSHEET = "^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""Cells that begin so are taken for a formula (OWASP, CSV injection); the last four are the wide forms of = + - @."""

RUNS_BEHIND_A_SEPARATOR = '([;\t\n])([ "]*[=+\\-@\uff1d\uff0b\uff0d\uff20])'
"""A spreadsheet that separates cells by semicolons or tabs begins a cell there, whatever quotes stand around it."""

PLAIN_NUMBER = r"[+-]?\d+(?:[.,]\d+)*"
"""A signed number begins like a formula, but is none."""


def write_csv(table: pd.DataFrame, *, for_spreadsheets: bool = False) -> bytes:
    """Return the table as UTF-8 csv; text that a spreadsheet would run is prefixed with '.

    `for_spreadsheets` puts a byte order mark in front, without which Excel takes UTF-8 for the local code page.
    """
    text = harmless(table).to_csv(index=False, lineterminator="\n")
    return text.encode("utf-8-sig" if for_spreadsheets else "utf-8", errors="replace")


def append_csv(tables: Iterable[pd.DataFrame], path: Path) -> None:
    """Write tables of the same columns beneath each other into one file, as `write_csv` would write them in one."""
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        for place, table in enumerate(tables):
            harmless(table).to_csv(file, index=False, header=place == 0, lineterminator="\n")


def harmless(table: pd.DataFrame) -> pd.DataFrame:
    r"""Return the table with ' before what a spreadsheet would run in headers and cells, and line breaks as "\n".

    A csv writer puts quotes around "\n", but not around a "\r" alone, at which most readers begin a row.
    """
    safe = table.copy(deep=False)
    for position in range(len(table.columns)):
        values = table.iloc[:, position]
        if pd.api.types.is_string_dtype(values.dtype) or values.dtype == object:
            safe.isetitem(position, _harmless_cells(values).array)
    safe.columns = pd.Index(_harmless_cells(pd.Series(table.columns.astype(str))))
    return safe


def _harmless_cells(values: pd.Series) -> pd.Series:
    text = values.astype("str")
    if text.str.contains("\r", regex=False, na=False).any():
        values = text = text.str.replace("\r\n", "\n", regex=False).str.replace("\r", "\n", regex=False)
    if _matches(text, RUNS_BEHIND_A_SEPARATOR).any():
        values = text = text.str.replace(RUNS_BEHIND_A_SEPARATOR, r"\1'\2", regex=True)
    risky = _matches(text, RUNS_IN_A_SPREADSHEET)
    if risky.any():
        risky &= ~text.str.fullmatch(PLAIN_NUMBER, na=False)
    return text.mask(risky, "'" + text) if risky.any() else values


def _matches(text: pd.Series, pattern: str) -> pd.Series:
    """Return which cells a pattern of RE2 matches anywhere, bool; blank ones do not."""
    cells = pa.array(text, type=pa.large_string(), from_pandas=True)
    return pd.Series(
        pc.fill_null(pc.match_substring_regex(cells, pattern), False).to_numpy(zero_copy_only=False), text.index
    )
