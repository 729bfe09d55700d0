"""Clicks by day, week or month beside the pages of a file: Search Console's Chart."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from backlink_audit.exports.layout import header_key
from backlink_audit.exports.performance_formats import CLICKS, IMPRESSIONS
from backlink_audit.exports.periods import note_on_periods, period_of
from backlink_audit.exports.values import clean_cells, to_dates, to_numbers
from backlink_audit.wording import by_number, count

COLUMNS = ("date", "until", "clicks", "impressions")
"""Of clicks by date: the first and the last day of each row (datetime64), and its figures (float64)."""
LONGEST_SPAN = 31
"""Days of one row: Search Console has days, weeks and months."""
_ZIP = b"PK\x03\x04"
_BETWEEN_DAYS = " [-–] |–"
"""What separates the two days of a date range, once the cell is clean."""


class Dated(NamedTuple):
    """What the files say of dates. `rows`: COLUMNS, by date; no two rows have a day in common."""

    rows: pd.DataFrame
    without_pages: frozenset[str]
    """Files with clicks by date and without pages: Chart.csv."""
    notes: tuple[str, ...]
    """What the user should know of these files: rows that are left out, periods that differ."""


def join_dates(files: Sequence[tuple[str, bytes, pd.DataFrame | None]]) -> Dated:
    """Return what files of clicks or visits say of dates: name, bytes, and table of clicks by date or None of each.

    Of rows that have a day in common the one of the earlier file counts, so that no click is counted twice.
    """
    days, found, notes = _nothing(), dict[str, pd.DataFrame](), []
    for name, _, raw in files:
        if raw is None:
            continue
        found[name] = _typed(raw)
        new = _without(found[name], days)
        notes += _notes(name, len(raw) - len(found[name]), len(found[name]) - len(new))
        days = pd.concat([days, new], ignore_index=True).sort_values("date", ignore_index=True)
    alone = frozenset(name for name, data, _ in files if name in found and not data.startswith(_ZIP))
    periods = {name: period for name, data, _ in files if (period := period_of(data, found.get(name)))}
    return Dated(days, alone, (*notes, *filter(None, [note_on_periods(periods)])))


def _typed(raw: pd.DataFrame) -> pd.DataFrame:
    """Return COLUMNS by date, without rows whose days cannot be read or are more than `LONGEST_SPAN`."""
    ends = clean_cells(raw.iloc[:, 0]).str.split(_BETWEEN_DAYS, n=1, regex=True)
    first, last = to_dates(ends.str[0].str.strip()), to_dates(ends.str[-1].str.strip())
    figures = {"clicks": _numbers(raw, CLICKS), "impressions": _numbers(raw, IMPRESSIONS)}
    table = pd.DataFrame({"date": first, "until": last.where(last >= first, first), **figures})
    fits = (table["until"] - table["date"]).dt.days < LONGEST_SPAN  # False where no day was read
    return table[fits].sort_values(["date", "until"], kind="stable", ignore_index=True)


def _without(table: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table by date that have no day in common with one of those known, nor with one returned."""
    begun = known["date"].searchsorted(table["until"], side="right")
    ends = pd.concat([pd.Series([pd.NaT], dtype=known["until"].dtype), known["until"].cummax()], ignore_index=True)
    new = table[~(table["date"] <= ends.iloc[begun].set_axis(table.index))]
    kept, last = [], pd.Timestamp.min
    for place, (date, until) in enumerate(zip(new["date"], new["until"], strict=True)):
        if date > last:
            kept.append(place)
            last = until
    return new.iloc[kept]


def _notes(name: str, unread: int, known: int) -> list[str]:
    said = []
    if unread:
        said.append(
            f"{count(unread, 'row')} of clicks by date in {name} {by_number(unread, 'is', 'are')} excluded: the "
            "date cannot be read, or the period is longer than a month."
        )
    if known:
        said.append(
            f"{count(known, 'row')} of clicks by date in {name} {by_number(known, 'is', 'are')} excluded: an "
            "earlier row or file already has these days."
        )
    return said


def _numbers(raw: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    keys = {header_key(name) for name in names}
    header = next((header for header in raw.columns if header_key(header) in keys), None)
    return pd.Series(float("nan"), raw.index) if header is None else to_numbers(raw[header])


def _nothing() -> pd.DataFrame:
    return _typed(pd.DataFrame({"Date": []}, dtype="str"))
