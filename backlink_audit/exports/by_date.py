"""Clicks by day, week or month beside the pages of a file: Search Console's Chart, and which period a file covers."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

import pandas as pd

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.archive import holds_tables, unpack_table
from backlink_audit.exports.decode import to_utf8
from backlink_audit.exports.delimited import read_delimited
from backlink_audit.exports.layout import header_key
from backlink_audit.exports.performance_formats import CLICKS, IMPRESSIONS, is_by_date
from backlink_audit.exports.spreadsheet import read_spreadsheet
from backlink_audit.exports.values import to_dates, to_numbers

COLUMNS = ("date", "until", "clicks", "impressions")
"""Of clicks by date: the first and the last day of each row (datetime64), and its figures (float64)."""
_ZIP = b"PK\x03\x04"
_BETWEEN_DAYS = r"\s+[-–]\s+|\s*–\s*"
"""What stands between the two days of a date range."""
_GA4_DAY = re.compile(rb"^#\s*(Start|End) date:\s*(\d{8})", re.MULTILINE)
_COMMENTS = 4 * 1024
"""Bytes in which GA4's comment lines end."""

Period = tuple[date, date]


class Dated(NamedTuple):
    """What the files say of dates. `rows`: COLUMNS, by date, each day of the first file that has it."""

    rows: pd.DataFrame
    periods: Mapping[str, Period]
    """The name of each file whose period is known -> its first and last day."""
    without_pages: frozenset[str]
    """Files that hold clicks by date and no pages: Chart.csv."""

    @property
    def note(self) -> str:
        """Say which file covers which period where they differ; "" where they agree."""
        if len(set(self.periods.values())) < 2:
            return ""
        said = "; ".join(f"{name}: {first} to {last}" for name, (first, last) in self.periods.items())
        return f"The files cover different periods, so compare their figures with care ({said})."


def read_dates(files: Sequence[tuple[str, bytes]]) -> Dated:
    """Return what files (name, bytes) of clicks or visits say of dates; what cannot be read says nothing."""
    found = {name: _by_date(data, name) for name, data in files}
    rows = [table for table in found.values() if table is not None]
    days = pd.concat(rows, ignore_index=True) if rows else _nothing()
    periods = {name: period for name, data in files if (period := _period(data, found[name]))}
    alone = [name for name, data in files if found[name] is not None and not data.startswith(_ZIP)]
    days = days.drop_duplicates("date").sort_values("date", ignore_index=True)
    return Dated(days, periods, frozenset(alone))


def _by_date(data: bytes, name: str) -> pd.DataFrame | None:
    """Return the file's clicks by date, None where it holds none."""
    raw = None
    with suppress(UnreadableFile):
        if not data.startswith(_ZIP):
            raw = read_delimited(to_utf8(data, name), name)
        elif holds_tables(data):
            raw = read_delimited(to_utf8(unpack_table(data, name, is_by_date), name), name)
        else:
            raw = read_spreadsheet(data, name, wanted="dates")
    return None if raw is None or not is_by_date(list(raw.columns)) else _typed(raw)


def _typed(raw: pd.DataFrame) -> pd.DataFrame:
    ends = raw.iloc[:, 0].str.split(_BETWEEN_DAYS, n=1, regex=True)
    first, last = to_dates(ends.str[0].str.strip()), to_dates(ends.str[-1].str.strip())
    figures = {"clicks": _numbers(raw, CLICKS), "impressions": _numbers(raw, IMPRESSIONS)}
    table = pd.DataFrame({"date": first, "until": last.where(last >= first, first), **figures})
    return table[table["date"].notna()].reset_index(drop=True)


def _numbers(raw: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    keys = {header_key(name) for name in names}
    header = next((header for header in raw.columns if header_key(header) in keys), None)
    return pd.Series(float("nan"), raw.index) if header is None else to_numbers(raw[header])


def _period(data: bytes, days: pd.DataFrame | None) -> Period | None:
    """Return the first and the last day of the file's figures: by its days or by GA4's comments."""
    if days is not None and len(days):
        return days["date"].min().date(), days["until"].max().date()
    told = dict(_GA4_DAY.findall(data[:_COMMENTS]))
    if len(told) == 2:
        both = pd.to_datetime([told[b"Start"].decode(), told[b"End"].decode()], format="%Y%m%d", errors="coerce")
        return None if both.isna().any() else (both[0].date(), both[1].date())
    return None


def _nothing() -> pd.DataFrame:
    return _typed(pd.DataFrame({"Date": []}, dtype="str"))
