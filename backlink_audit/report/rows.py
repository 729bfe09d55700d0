"""What every feature's tables are made of: a main table, named sheets, the headers and the rows of a summary."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import pandas as pd

from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import TERMS
from backlink_audit.schema import BACKLINKS, CITATIONS, LINKING_TEXTS, PERFORMANCE

Rows: TypeAlias = pd.DataFrame | Callable[[], Iterator[pd.DataFrame]]
"""A table, or a function that yields the tables that are put beneath each other, again at every call."""
S = TypeVar("S", bound=Rows, covariant=True)
Words: TypeAlias = Mapping[str, str]  # Names in code -> headers, before the glossary's
Row: TypeAlias = tuple[str, str, object]  # Of a summary: the part it belongs to, what it says, and the value


def pieces(rows: Rows) -> Iterator[pd.DataFrame]:
    return rows() if callable(rows) else iter([rows])


@dataclass(frozen=True)
class Tables(Generic[S]):
    """A result for its reader. Each is made when it is called for, and again at every call.

    `main`: the one table of csv and parquet. `sheets`: those of the workbook by name, in order. `names`: of some of
    them, their headers -> names in code; other headers are looked up among the glossary's labels. `scratch`: a folder
    with room for what is written meanwhile, where the result is larger than the memory.
    """

    main: Callable[[], S]
    sheets: Callable[[], Mapping[str, S]]
    scratch: Path | None = None
    names: Mapping[str, Words] = field(default_factory=dict)


WholeTables: TypeAlias = Tables[pd.DataFrame]  # Tables none of which is made in parts


@dataclass(frozen=True)
class Sheet:
    """A table of a result, declared once in data/sheets.csv: for the screen, the workbook, a program and a snapshot.

    `rows` makes it of the result, its columns by their names in code; None: this result has no such table.
    `columns`: all that it may have, in the order of files; (): all that the rows have. `first`: those that the screen
    shows at first, in its order; (): the same. `filters`: those with few words. `program`: those that a program
    gets. `headers`: in files, other words than
    the glossary's, and `decimals`, what numbers are rounded to there. `words`: of the result, what else its tools
    call a column, on screen too. `key`: what names its widgets. `stem`: the name of the file (without suffix) that the
    rows left on screen can be downloaded as; "": none.
    """

    rows: Callable[[Any], Any]
    key: str
    name: str = ""
    noun: str = "row"
    stem: str = ""
    search: bool = True
    filters: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    program: tuple[str, ...] = ()
    headers: Words = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)
    words: Callable[[Any], Words] = lambda _: {}

    def table(self, result: object) -> Any:
        """Return the table under the headers of files, of its columns those that the rows have; None: there is none."""
        rows = self.rows(result)
        return None if rows is None else self.written(rows, result)

    def written(self, rows: pd.DataFrame, result: object) -> pd.DataFrame:
        return shown(rows.round(dict(self.decimals)), self.columns or rows.columns, self._words(result))

    def names(self, result: object) -> Words:
        """Return headers of its table -> their names in code."""
        words = _WORDS | self._words(result)
        return {words[name]: name for name in self.columns if name in words}

    def _words(self, result: object) -> dict[str, str]:
        return {**self.headers, **self.words(result)}


def sheet(which: str, rows: Callable[[Any], Any], words: Callable[[Any], Words] = lambda _: {}) -> Sheet:
    """Return the sheet of that name in data/sheets.csv, with what makes its rows."""
    row = _DECLARED[which]
    filters, first, columns, program = (tuple(row[name].split()) for name in _LISTS)
    headers, decimals = (dict(part.split("=") for part in row[name].split("; ") if part) for name in _PAIRS)
    rounded = {name: int(number) for name, number in decimals.items()}
    return Sheet(
        *(rows, row["key"], row["name"], row["noun"], row["stem"], row["search"] != "no"),
        filters=filters,
        first=first,
        columns=columns,
        program=program,
        headers=headers,
        decimals=rounded,
        words=words,
    )


def tables_of(result: object, main: Sheet, sheets: Sequence[Sheet], summary: Callable[[], pd.DataFrame]) -> WholeTables:
    """Return the tables of a result that are declared as sheets, with its summary as the first one of the workbook."""

    def made() -> dict[str, pd.DataFrame]:
        made = {sheet.name: sheet.table(result) for sheet in sheets}
        return {"Summary": summary()} | {name: table for name, table in made.items() if table is not None}

    def main_table() -> pd.DataFrame:
        return main.written(main.rows(result), result)

    names = {sheet.name: sheet.names(result) for sheet in sheets if sheet.columns}
    return Tables(main_table, made, names=names)


_LISTS = ("filters", "first", "columns", "program")
_PAIRS = ("headers", "decimals")
with (files("backlink_audit") / "data" / "sheets.csv").open(encoding="utf-8") as _lines:
    _DECLARED = {row["sheet"]: row for row in csv.DictReader(_lines)}
_WORDS = {
    column.name: column.label
    for table in (BACKLINKS, PERFORMANCE, LINKING_TEXTS, CITATIONS)
    for column in table.columns
} | {name: term.label for name, term in TERMS.items()}


def with_headers(table: pd.DataFrame, words: Mapping[str, str] = {}) -> pd.DataFrame:  # noqa: B006 (never changed)
    return table.rename(columns=_WORDS | dict(words))


def shown(
    table: pd.DataFrame,
    names: Iterable[str],
    words: Mapping[str, str] = {},  # noqa: B006 (never changed)
) -> pd.DataFrame:
    return with_headers(table[[name for name in names if name in table.columns]], words)


def summary_table(rows: Iterable[Row]) -> pd.DataFrame:
    """Return the rows of a summary as columns Part, What and Value, the values in words."""
    worded = [(part, what, _worded(value)) for part, what, value in rows]
    return pd.DataFrame(worded, columns=["Part", "What", "Value"])


def rows_of_file(in_file: int, removed: Mapping[str, int]) -> list[Row]:
    return [("Rows", "In the file", in_file), *(("Rows", f"Excluded: {label}", n) for label, n in removed.items())]


def rows_of_notes(notes: Iterable[str]) -> list[Row]:
    return [("Notes", "", note) for note in notes]


def _worded(value: object) -> str:
    """Write a value of a summary.

    >>> _worded(1508), _worded(0.5), _worded(datetime(2026, 1, 31, 9, 5))
    ('1,508', '0.5', '2026-01-31 09:05')
    """
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="minutes")
    return f"{value:,}" if isinstance(value, int) else str(value)


def missing_parts(export: Export, links: pd.DataFrame, needs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return a sentence for each part none of whose columns has a value in any of the links.

    `needs` maps parts to the columns they can be computed from, any one of them.
    """
    return {
        part: _sentence(export, columns)
        for part, columns in needs.items()
        if not any(has_values(links[column]) for column in columns)
    }


def has_values(values: pd.Series) -> bool:
    """Return whether any value is there: neither missing nor "".

    >>> has_values(pd.Series(["", ""])), has_values(pd.Series([None, 0.0]))
    (False, True)
    """
    return bool((values.notna() & (values != "")).any())


def _sentence(export: Export, columns: Sequence[str]) -> str:
    there = [column for column in columns if export.has(column)]
    if there:
        return f"The column “{BACKLINKS.column(there[0]).label}” of this export is empty."
    words = " or ".join(f"“{BACKLINKS.column(column).label}”" for column in columns)
    return f"This export has no column {words}."
