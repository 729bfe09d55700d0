"""What every feature's tables are made of: a main table, named sheets, the headers and the rows of a summary."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

import pandas as pd

from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import TERMS
from backlink_audit.schema import BACKLINKS, CITATIONS, LINKING_TEXTS, PERFORMANCE

Sheet: TypeAlias = pd.DataFrame | Callable[[], Iterator[pd.DataFrame]]
"""A table, or a function that yields the tables that are put beneath each other, again at every call."""
S = TypeVar("S", bound=Sheet, covariant=True)

Row: TypeAlias = tuple[str, str, object]
"""Of a summary: the part it belongs to, what it says, and the value."""


@dataclass(frozen=True)
class Tables(Generic[S]):
    """A result for its reader. Both are made when they are called for, and again at every call."""

    main: Callable[[], S]
    """The one table of csv and parquet."""
    sheets: Callable[[], Mapping[str, S]]
    """The workbook's sheets by name, in order."""
    scratch: Path | None = None
    """A folder with room for what is written meanwhile, where the result is larger than the memory."""


WholeTables: TypeAlias = Tables[pd.DataFrame]
"""Tables none of which is made in parts."""

_WORDS = {
    column.name: column.label
    for table in (BACKLINKS, PERFORMANCE, LINKING_TEXTS, CITATIONS)
    for column in table.columns
} | {name: term.label for name, term in TERMS.items()}


def with_headers(table: pd.DataFrame, words: Mapping[str, str] = {}) -> pd.DataFrame:  # noqa: B006 (never changed)
    """Return the table under the headers a reader sees; `words` go before the glossary and the schema."""
    return table.rename(columns=_WORDS | dict(words))


def shown(
    table: pd.DataFrame,
    names: Iterable[str],
    words: Mapping[str, str] = {},  # noqa: B006 (never changed)
) -> pd.DataFrame:
    """Return those of the columns that the table has, in this order, under the headers that `with_headers` gives."""
    return with_headers(table[[name for name in names if name in table.columns]], words)


def summary_table(rows: Iterable[Row]) -> pd.DataFrame:
    """Return the rows of a summary as columns Part, What and Value, the values in words."""
    worded = [(part, what, _worded(value)) for part, what, value in rows]
    return pd.DataFrame(worded, columns=["Part", "What", "Value"])


def rows_of_file(in_file: int, removed: Mapping[str, int]) -> list[Row]:
    """Return the rows of a summary on how many rows the file has, and how many of them each filter set aside."""
    return [("Rows", "In the file", in_file), *(("Rows", f"Excluded: {label}", n) for label, n in removed.items())]


def rows_of_notes(notes: Iterable[str]) -> list[Row]:
    """Return the rows of a summary on what the reader should know besides."""
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
