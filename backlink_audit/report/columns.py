"""What a column of a sheet is written as, found from all of its rows, which may come in several tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from backlink_audit.glossary import GLOSSARY, TERMS, Style, Term

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
    """Return the columns of tables that are put beneath each other, and how many rows they have together.

    `names`: headers -> names in code; without them, a header is looked up among the glossary's labels.
    """
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
