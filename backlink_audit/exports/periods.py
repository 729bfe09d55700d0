"""Which period a file of clicks or visits covers, and whether several files cover the same."""

import re
from collections.abc import Mapping
from datetime import date

import pandas as pd

Period = tuple[date, date]
"""The first and the last day."""
_GA4_DAY = re.compile(rb"^#\s*(Start|End) date:\s*(\d{8})", re.MULTILINE)
_COMMENTS = 4 * 1024
"""Bytes in which GA4's comment lines end."""


def period_of(data: bytes, days: pd.DataFrame | None) -> Period | None:
    """Return the period of a file's figures: by its clicks by date (`by_date.COLUMNS`) or by GA4's comments."""
    if days is not None and len(days):
        return days["date"].min().date(), days["until"].max().date()
    days_of = dict(_GA4_DAY.findall(data[:_COMMENTS]))
    if len(days_of) == 2:
        both = pd.to_datetime([days_of[b"Start"].decode(), days_of[b"End"].decode()], format="%Y%m%d", errors="coerce")
        return None if both.isna().any() else (both[0].date(), both[1].date())
    return None


def note_on_periods(periods: Mapping[str, Period]) -> str:
    """Say which file covers which period where they differ; "" where they agree. `periods`: name of the file -> its.

    >>> note_on_periods({"a.csv": (date(2025, 1, 1), date(2025, 1, 31))})
    ''
    """
    if len(set(periods.values())) < 2:
        return ""
    said = "; ".join(f"{name}: {first} to {last}" for name, (first, last) in periods.items())
    return f"The files cover different periods, so compare their numbers with care ({said})."
