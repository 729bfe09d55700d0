"""What Search Console's files leave to their name, or have beside their pages: the site, clicks by date, the period."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import permutations
from pathlib import PurePath
from typing import NamedTuple

import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.formats import SHARED, find_format, header_key, header_keys
from backlink_audit.exports.values import clean_cells, to_dates, to_numbers
from backlink_audit.text.urls import are_web_addresses, idna_host, registrable_domains
from backlink_audit.wording import by_number, count

TOOL_NAME = "Search Console"
TARGET_SITE = "Target site"  # the column that such a table gets: the site's address, as the target of every link
FILE_ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".zip")
_KEYS = header_keys(["Linking page", "Last crawled"])
_HOST = r"((?:[a-z0-9-]+\.)+(?:xn--[a-z0-9]+|[a-z]{2,}))"
_SITE = re.compile(rf"(?:https?___)?(?:sc-domain[_:])?(?:www\.)?{_HOST}(?=[_-]|\Z)", re.IGNORECASE)
_NO_SITE = re.compile(r"(?:latest|more|top)\.(?:links|sample|linking|linked)", re.IGNORECASE)
_GIVEN = re.compile(r"(?:https?://|sc-domain:)?(?:www\.)?([^/?#:@\s]{1,253})(?:[/?#:]\S*)?", re.IGNORECASE)
Period = tuple[date, date]  # the first and the last day
_GA4_DAY = re.compile(rb"^#\s*(Start|End) date:\s*(\d{8})", re.MULTILINE)
_COMMENTS = 4 * 1024  # bytes in which GA4's comment lines end
_SHAPES = (2, 5, 9)  # how many columns a table of Search Console has that is recognised by its values
_ROWS_OF_SHAPE = 200
MOST = 0.9  # the share of cells that have a form, from which on a column has it
_FIGURES = ("Clicks", "Impressions", "CTR", "Position")
_TWO_PERIODS = ("1/2/01 - 1/3/01 ", "1/1/01 - 1/2/01 ")
"""What stands before the figures of two periods under our headers; the real days are in the file's."""
_PERCENT = "[%٪]"
_ROUNDED = 0.006  # how far a ratio may be from that of the counts: some exports round to whole percents
_BLANK_FIGURES = 0.5
_DATED = r"(?=.*(?:19|20|25)\d\d)(?=.*\d)[^+]{6,25}"  # A day in any language: a year, and few characters
_OTHER_DATES = r"\b(?:added|changed|checked|contacted|created|ends?|modified|published|saved|starts?|updated|on|at)\b"
_OF_CLICKS = (  # what Search Console calls the ratio of clicks: CTR in most languages, or a word with "click"
    "ctr|[ck]li[ck]|kattint|nhấp|^(?:to|áka|vks|pr)$|кл[иі]к|κλικ|点击|點|クリック|클릭|نقر|کلیک|קליק|คลิก|क्लिक"
)
COLUMNS = ("date", "until", "clicks", "impressions")
"""Of clicks by date: the first and the last day of each row (datetime64), and its figures (float64)."""
LONGEST_SPAN = 31  # days of one row: Search Console has days, weeks and months
_ZIP = b"PK\x03\x04"
_BETWEEN_DAYS = " [-–] |–"  # what separates the two days of a date range, once the cell is clean


def names_of(table: pd.DataFrame) -> list[str]:
    """Return the English headers of a table of Search Console in any language; of any other table its own.

    Performance has addresses, words or dates, clicks, impressions, their ratio and a position, all of two periods or of
    one; links have addresses of several sites and a date. Headers that a format knows are left to it, and many tables
    have such a ratio: its header must speak of clicks.
    """
    if len(table.columns) not in _SHAPES or table.empty or find_format(table.columns) is not None:
        return list(table.columns)
    headers = list(table.columns)
    cells = [clean_cells(table[header].head(_ROWS_OF_SHAPE)) for header in headers]
    return (_names_of_links(headers, *cells) if len(cells) == 2 else _names_of_performance(headers, cells)) or headers


def _names_of_links(headers: Sequence[str], pages: pd.Series, days: pd.Series) -> list[str]:
    dated = days.str.fullmatch(_DATED)
    linked = are_web_addresses(pages).all() and registrable_domains(pages).nunique() > 1
    linked = linked and not any(re.search(_OTHER_DATES, header, re.IGNORECASE) for header in headers)
    return ["Linking page", "Last crawled"] if linked and dated.any() and (dated | days.eq("")).all() else []


def _names_of_performance(headers: Sequence[str], cells: Sequence[pd.Series]) -> list[str]:
    """Return the English headers if clicks and impressions have the ratio that the file says, whatever their order."""
    subject, *figures = cells
    periods = len(figures) // len(_FIGURES)
    numbers = [to_numbers(one.str.replace(_PERCENT, "", regex=True)) for one in figures]
    if any(one.isna().mean() > _BLANK_FIGURES for one in numbers):
        return []
    orders = permutations(range(4)) if periods == 1 else [tuple(range(0, 8, 2))]
    orders = [one for one in orders if re.search(_OF_CLICKS, headers[1 + one[2]], re.IGNORECASE)]
    order = next((one for one in orders if _is_performance(figures, numbers, *one)), None)
    if order is None:
        return []
    names = dict(zip(order, _FIGURES, strict=True))
    first = "Top pages" if are_web_addresses(subject).mean() > MOST else "Top queries"
    first = "Date" if to_dates(subject.str.split(_BETWEEN_DAYS, n=1, regex=True).str[0]).notna().all() else first
    if periods == 1:
        return [first, *(names[place] for place in range(4))]
    return [first, *(period + names[place] for place in order for period in _TWO_PERIODS)]


def _is_performance(
    cells: Sequence[pd.Series], numbers: Sequence[pd.Series], clicks: int, shown: int, ratio: int, position: int
) -> bool:
    percent = cells[ratio].str.contains(_PERCENT)
    said = numbers[ratio] / percent.map({True: 100.0, False: 1.0})
    there = numbers[clicks] / numbers[shown]
    counted = (numbers[clicks] % 1).eq(0) & (numbers[shown] % 1).eq(0) & numbers[clicks].between(0, numbers[shown])
    placed = (said - there).abs().le(_ROUNDED) & numbers[position].between(1, 2_000)
    fits = counted & (placed | numbers[shown].eq(0))
    telling = percent.mean() > MOST or numbers[clicks].sum() > 0
    return bool((fits | numbers[shown].isna()).all() and (counted & placed).any() and telling)


def lacks_site(headers: Collection[str]) -> bool:
    """Return whether a table with these headers is Search Console's links, which do not say where they lead.

    >>> lacks_site(["Linking page", "Last crawled"]), lacks_site(["Linking page", "Target page"])
    (True, False)
    """
    keys = header_keys(headers)
    return keys <= _KEYS and header_keys(["Linking page"]) <= keys


def with_site(raw: pd.DataFrame, name: str, otherwise: str = "") -> pd.DataFrame:
    """Return Search Console's links with the site they lead to; any other table, and links of no known site, as is."""
    site = site_of(name) or otherwise
    if not site or not lacks_site(names_of(raw)):
        return raw
    return raw.set_axis(names_of(raw), axis=1).assign(
        **{TARGET_SITE: pd.Series(f"https://{site}/", index=raw.index, dtype="str")}
    )


def named_after(files: Sequence[tuple[str, bytes]], site: str) -> list[tuple[str, bytes]]:
    """Return files (name, bytes) with the site before each name that has none.

    >>> named_after([("Latest links.csv", b"")], "shop.example")
    [('shop.example-Latest links.csv', b'')]
    """
    return [(name if site_of(name) else f"{site}-{name}", data) for name, data in files]


def site_given(text: str) -> str:
    """Return the host of the site that somebody names, by itself or as an address; raises InvalidSetting.

    >>> site_given(" https://www.Shop.example/oak "), site_given("shop.zip/")
    ('shop.example', 'shop.zip')
    """
    found = _GIVEN.fullmatch(text.strip())
    host = idna_host(found[1]) if found else ""
    if not _SITE.fullmatch(host):
        raise InvalidSetting(f"“{text.strip()}” is not a site; write it as example.com.")
    return host


def site_of(name: str) -> str:
    """Return the site that the name of a file from Search Console has; "" if it has none.

    >>> site_of("https___www.example.com_-Latest links-2026-07-18.csv"), site_of("example.co.uk-More sample links.csv")
    ('example.com', 'example.co.uk')
    >>> site_of("moreland.com.csv"), site_of("Latest-links.csv"), site_of("Latest.links.csv")
    ('moreland.com', '', '')
    """
    path = PurePath(name)
    found = _SITE.match(path.stem if path.suffix.lower() in FILE_ENDINGS else name)
    return found[1].lower() if found and not _NO_SITE.match(found[1]) else ""


def period_of(data: bytes, days: pd.DataFrame | None) -> Period | None:
    """Return the period of a file's figures: by its clicks by date (`COLUMNS`) or by GA4's comments."""
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


class Dated(NamedTuple):
    """What the files say of dates. `rows`: COLUMNS, by date; no two rows have a day in common."""

    rows: pd.DataFrame
    without_pages: frozenset[str]  # Files with clicks by date and without pages: Chart.csv
    notes: tuple[str, ...]  # What the user should know of these files: rows that are left out, periods that differ


def join_dates(files: Sequence[tuple[str, bytes, pd.DataFrame | None]]) -> Dated:
    """Return what files of clicks or visits say of dates: name, bytes, and table of clicks by date or None of each.

    Of rows that have a day in common the one of the earlier file counts, so that no click is counted twice.
    """
    days, found, notes = _typed(pd.DataFrame({"Date": []}, dtype="str")), dict[str, pd.DataFrame](), []
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
    ends = clean_cells(raw.iloc[:, 0]).str.split(_BETWEEN_DAYS, n=1, regex=True)
    first, last = to_dates(ends.str[0].str.strip()), to_dates(ends.str[-1].str.strip())
    figures = {"clicks": _numbers(raw, SHARED["CLICKS"]), "impressions": _numbers(raw, SHARED["IMPRESSIONS"])}
    table = pd.DataFrame({"date": first, "until": last.where(last >= first, first), **figures})
    fits = (table["until"] - table["date"]).dt.days < LONGEST_SPAN  # False where no day was read
    return table[fits].sort_values(["date", "until"], kind="stable", ignore_index=True)


def _without(table: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table by date that have no day in common with one of those known, nor with one returned."""
    begun = known["date"].searchsorted(table["until"], side="right")
    ends = pd.concat([pd.Series([pd.NaT], dtype=known["until"].dtype), known["until"].cummax()], ignore_index=True)
    new = table[~(table["date"] <= ends.iloc[begun].set_axis(table.index))]
    kept, last = [], pd.Timestamp.min
    for place, (begin, until) in enumerate(zip(new["date"], new["until"], strict=True)):
        if begin > last:
            kept.append(place)
            last = until
    return new.iloc[kept]


def _notes(name: str, unread: int, known: int) -> list[str]:
    reasons = {
        "the date cannot be read, or the period is longer than a month": unread,
        "an earlier row or file already has these days": known,
    }
    return [
        f"{count(rows, 'row')} of clicks by date in {name} {by_number(rows, 'is', 'are')} excluded: {why}."
        for why, rows in reasons.items()
        if rows
    ]


def _numbers(raw: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    keys = {header_key(name) for name in names}
    header = next((header for header in raw.columns if header_key(header) in keys), None)
    return pd.Series(float("nan"), raw.index) if header is None else to_numbers(raw[header])
