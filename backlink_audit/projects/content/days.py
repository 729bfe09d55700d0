"""Of which day an export is: taken from its file's name, else from the newest date in it, else today."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

import pandas as pd

from backlink_audit.analysis.profile.velocity import DATES, newest_day

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_YEAR_FIRST = re.compile(r"(?<!\d)(20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_MONTH_ALONE = re.compile(r"(?<!\d)(20\d\d)[-_.](0[1-9]|1[0-2])(?![-_.]?\d)")
_MONTH_IN_WORDS = re.compile(rf"(?i)(?<!\d)(\d\d?)[-_. ]({'|'.join(_MONTHS)})[a-z]*[-_. ](20\d\d)(?!\d)")
GIVEN, FILE_NAME, NEWEST, TODAY = "given", "file name", "newest date", "today"
"""What a day is taken from."""


@dataclass(frozen=True)
class Day:
    """A day, what it was taken from, and a sentence where one is needed."""

    day: date
    source: str
    note: str = ""


def day_of(names: Iterable[str], links: pd.DataFrame, today: date) -> Day:
    """Return the day of an export: the latest in the names of its files, the newest date in its rows, or today.

    A day in the future is no day of an export, and gets a note. `links` has DATES.
    """
    latest = today + timedelta(days=1)  # somewhere it is tomorrow already
    named = [day for name in names for day in days_in(name)]
    newest, known = links[list(DATES)].max().max(), newest_day(links, today)
    in_rows = [] if pd.isna(newest) else [newest.date()]
    future = max((day for day in named + in_rows if day > latest), default=None)
    note = f"A date in the file is in the future ({future}) and was ignored." if future else ""
    for days, source in ((named, FILE_NAME), ([] if known is None else [known.date()], NEWEST)):
        past = [day for day in days if day <= latest]
        if past:
            return Day(max(past), source, note)
    return Day(today, TODAY, note or "The file has no dates, so the snapshot has today's date.")


def days_in(name: str) -> list[date]:
    """Return the days in a file's name; of a month alone, its first day.

    >>> days_in("site-backlinks_2025-11-18_12-33.csv"), days_in("export 8-Nov-2025.csv"), days_in("links-2025-05.csv")
    ([datetime.date(2025, 11, 18)], [datetime.date(2025, 11, 8)], [datetime.date(2025, 5, 1)])
    >>> days_in("export_20251118.csv"), days_in("links-12345678.csv")
    ([datetime.date(2025, 11, 18)], [])
    """
    whole = [_day(year, month, day) for year, _, month, day in _YEAR_FIRST.findall(name)]
    whole += [_day(year, _MONTHS.index(month.lower()) + 1, day) for day, month, year in _MONTH_IN_WORDS.findall(name)]
    months = [_day(year, month, 1) for year, month in _MONTH_ALONE.findall(_YEAR_FIRST.sub("", name))]
    return [day for day in whole or months if day is not None]


def _day(year: str, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
