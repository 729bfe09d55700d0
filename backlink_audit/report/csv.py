"""Tables as csv that no spreadsheet will run."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

RUNS_IN_A_SPREADSHEET = r"^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""Cells that begin so are taken for a formula (OWASP, CSV injection); the last four are the wide forms of = + - @."""

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
    r"""Return the table with ' in front of headers and cells that a spreadsheet would run, and line breaks as "\n".

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
    risky = text.str.match(RUNS_IN_A_SPREADSHEET, na=False)
    risky &= ~text.str.fullmatch(PLAIN_NUMBER, na=False)
    return text.mask(risky, "'" + text) if risky.any() else values
