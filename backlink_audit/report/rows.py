"""What every feature's tables are made of: a main table, named sheets, headers, and what a column is written as."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import pandas as pd

from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import GLOSSARY, TERMS, Style, Term
from backlink_audit.schema import BACKLINKS, CITATIONS, LINKING_TEXTS, PERFORMANCE

Kind = Literal["boolean", "datetime", "number", "string", "url"]  # Of a cell, as the writer of the workbook names it

MAX_CHARACTERS = 32_767  # Characters of an Excel cell
EXACT_DIGITS = 15  # Excel keeps 15 digits of a number; longer ones (ids) stay text
FIRST_YEAR = 1900  # Excel's calendar begins with it; 0001-01-01 is how some tools write that there is no date
SAMPLED_ROWS = 200  # Rows looked at to set a column's width
NARROWEST, WIDEST = 8, 60  # Column widths, in characters
MOMENT = r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?"
"""A date as tools write it so that nobody can misread it; others stay as the tool wrote them."""
WEB_ADDRESS = r"(?i)https?://\S+"

BY_LABEL = {term.label: term for term in GLOSSARY}

DIGITS: Mapping[str, int] = {"rating": 1, "similarity": 4, "score": 4, "percent": 4}
"""Decimals that the values of a style mean, at most; a file has no others."""
ADDED_UP = frozenset({"pagerank", "from_outside", "share_after", "passes"})
"""Shares of all that is there: however small, they are added up and compared."""
Rows: TypeAlias = pd.DataFrame | Callable[[], Iterator[pd.DataFrame]]
"""A table, or a function that yields the tables that are put beneath each other, again at every call."""
S = TypeVar("S", bound=Rows, covariant=True)
Words: TypeAlias = Mapping[str, str]  # Names in code -> headers, before the glossary's
Row: TypeAlias = tuple[str, str, object]  # Of a summary: the part it belongs to, what it says, and the value


def with_digits(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the digits that its figures mean; columns of the user's own stay as they are."""
    rounded = table.copy(deep=False)
    for place, label in enumerate(table.columns):
        term, values = BY_LABEL.get(str(label)), table.iloc[:, place]
        if term and term.name not in ADDED_UP and pd.api.types.is_float_dtype(values.dtype) and term.style in DIGITS:
            rounded.isetitem(place, values.round(DIGITS[term.style]).array)
    return rounded


@dataclass
class Column:
    """A column, and what is known of it from the rows read so far."""

    label: str
    place: int = 0  # Which column of the table it is
    term: Term | None = None  # What the glossary says of it; None for a column of the user's own
    kind: Kind = "string"
    filled: bool = False  # Whether any value is there, besides blank text
    all_whole: bool = True
    all_short: bool = True  # Whether no number has more than one decimal
    all_numbers: bool = True
    all_dates: bool = True
    all_urls: bool = True
    all_same: bool = True
    value: Any = None  # That of the first row
    too_long: int = 0  # How many cells have more than Excel allows
    rows: int = 0
    sampled: int = 0
    longest: int = 0

    def add_rows(self, values: pd.Series) -> None:
        """Take more rows into account."""
        if not self.filled:  # a column without values may not know its own type
            self.kind = _kind(values.dtype)
        if self.kind == "string":
            self._add_texts(_text(values))
        else:
            known = values.dropna()
            self.filled |= len(known) > 0
            self.all_whole = self.all_whole and self.kind == "number" and bool((known == known.round()).all())
            self.all_short = self.all_short and self.kind == "number" and bool((known == known.round(1)).all())
        self._compare(values)
        sample = _python_values(values.head(SAMPLED_ROWS - self.sampled))
        self.sampled += len(sample)
        self.longest = max([self.longest, *(len(_shown(value)) for value in sample)])

    def _add_texts(self, text: pd.Series) -> None:
        distinct = pd.Series(text[text != ""].unique(), dtype="str")
        self.filled |= len(distinct) > 0
        self.all_numbers = self.all_numbers and self.said != "text" and _are_numbers(distinct)
        self.all_dates = self.all_dates and bool(distinct.str.fullmatch(MOMENT).all())
        self.all_urls = self.all_urls and bool(distinct.str.fullmatch(WEB_ADDRESS).all())
        self.too_long += int((text.str.len() > MAX_CHARACTERS).sum())

    def _compare(self, values: pd.Series) -> None:
        if len(values) and not self.rows:
            self.value = values.iloc[0]
        if self.all_same and len(values):
            same = values.isna() if pd.isna(self.value) else values == self.value
            self.all_same = bool(same.fillna(False).all())
        self.rows += len(values)

    @property
    def said(self) -> Style | None:
        return self.term.style if self.term else None

    @property
    def is_constant(self) -> bool:
        return self.all_same and self.rows > 1

    @property
    def shown_value(self) -> str:
        return "" if pd.isna(self.value) else str(self.value)[:100]

    @property
    def written_as(self) -> Kind:
        """The kind of its cells: a user's column of nothing but numbers, dates or web addresses is written as such."""
        if self.kind != "string" or not self.filled:
            return self.kind
        if self.all_numbers:
            return "number"
        if self.all_dates:
            return "datetime"
        return "url" if self.all_urls else "string"

    @property
    def style(self) -> Style | Literal[""]:
        """How its cells are shown; "" for text, and for values that stay as the user's tool wrote them."""
        if self.written_as == "datetime":
            return "month" if self.said == "month" else "date"
        if self.kind == "number":
            return self.said or self._style_of_numbers
        return ""

    @property
    def _style_of_numbers(self) -> Style | Literal[""]:
        if self.filled and self.all_whole:
            return "count"
        return "" if self.all_short else "similarity"

    @property
    def width(self) -> float:
        """In characters."""
        longest = (self.term.letters if self.term else 0) or WIDEST
        return min(longest, max(NARROWEST, self.longest + 2, min(len(self.label) + 3, 24)))

    def cells(self, values: pd.Series) -> list[Any]:
        """Return Python values, None for whatever is missing, infinite or before Excel's calendar; "" for no text."""
        if self.kind != "string":
            return _python_values(values)
        text = _text(values)
        if self.written_as == "number":
            return _python_values(pd.to_numeric(text.where(text != ""), errors="coerce").astype("float64"))
        if self.written_as == "datetime":
            return _python_values(pd.to_datetime(text.where(text != ""), errors="coerce", format="ISO8601"))
        return (text.str.slice(0, MAX_CHARACTERS) if self.too_long else text).tolist()


def survey(tables: Iterable[pd.DataFrame], names: Mapping[str, str] | None = None) -> tuple[list[Column], int]:
    """Return the columns of tables put beneath each other, and their rows; `names`: headers -> names in code."""
    columns: list[Column] = []
    rows = 0
    for table in tables:
        columns = columns or [_column(place, str(label), names) for place, label in enumerate(table.columns)]
        for column in columns:
            column.add_rows(table.iloc[:, column.place])
        rows += len(table)
    return columns, rows


def _column(place: int, label: str, names: Mapping[str, str] | None) -> Column:
    return Column(label, place, BY_LABEL.get(label) if names is None else TERMS.get(names.get(label, "")))


def _kind(dtype: Any) -> Kind:
    if pd.api.types.is_bool_dtype(dtype):
        return "boolean"
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return "datetime"
    return "number" if pd.api.types.is_numeric_dtype(dtype) else "string"


def _text(values: pd.Series) -> pd.Series:
    return values.astype("str").fillna("")


def _are_numbers(distinct: pd.Series) -> bool:
    plain = distinct.str.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?").all()
    return bool(plain and (distinct.str.len() <= EXACT_DIGITS).all())


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _python_values(values: pd.Series) -> list[Any]:
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        local = values.dt.tz_localize(None)
        return [value.to_pydatetime() if value.year >= FIRST_YEAR else None for value in local]  # NaT's year is NaN
    if pd.api.types.is_float_dtype(values.dtype):
        values = values.where(values.abs() != float("inf"))
    return values.astype(object).where(values.notna(), None).tolist()


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
    """Return a sentence for each part none of whose columns has a value in any of the links."""
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
