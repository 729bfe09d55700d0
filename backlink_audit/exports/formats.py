"""Every export format that we know, where its header row is, and how headers are compared.

A format is data: `data/formats.csv` has a row for each format and for each look-alike, `data/headers.csv` which headers
stand for which of our columns. In both, ` | ` stands between headers of which any will do, `@title` means the headers
of that column, `@CLICKS` those of a list that several formats share. `marks` are the groups of headers, with ` & `
between them, of each of which a file must have one; `without`: it must have none of these; `only`: it may have no
other; `like`: the format whose headers it has besides its own. Look-alikes are tried before formats, formats of a tool
before plain ones; the first that fits wins.
"""

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_PERIOD = re.compile(rf"{_DAY} ?[-–] ?{_DAY} (?=\S)")
"""What Search Console writes before a figure's name where it compares two periods."""
_DATA = Path(__file__).parent / "data"
_TYPE_FLAG = "link_type="  # in `headers.csv`, before the type of link that a true/false column stands for
Headers = Mapping[str, tuple[str, ...]]
Signature = tuple[tuple[str, ...], ...]
EARLIER = {
    "clicks": "clicks_before",
    "impressions": "impressions_before",
    "average_position": "average_position_before",
}
"""Figures that Search Console gives for two periods: ours -> ours of the earlier period."""
ROWS_SEARCHED = 30  # A header is within the first rows; tools write at most a title, a date and a blank line above it
_FEWEST_CELLS = 3  # so many rows of so many cells, or an address and one less, are no lines above a table
LONGEST_HEADER = 1000  # characters. No tool has a header of more than 100; a longer one means that the file is no table
MOST_COLUMNS = 2000
"""Wider than any export (a crawl with every option has about 300); a wider row means that the file is no table."""


@dataclass(frozen=True)
class Format:
    """One layout of one tool. `headers`: our column -> the tool's headers for it, the preferred one first.

    `scale` names the authority scale of its ratings (`judgement.scales`), "" where the headers show it or it has none.
    """

    name: str
    tool: str
    table: str
    headers: Headers
    signature: Signature
    scale: str = ""
    without: tuple[str, ...] = ()
    joined_by: str = ""  # What separates several values of a cell, of which the first counts; "" where a cell has one
    flags: Headers = field(default_factory=dict)
    """Link type -> headers of true/false columns: tools that give one column to each type of link."""
    rated_to: float = 100  # The highest rating that a tool gives by default, where that is more than 100
    only: tuple[str, ...] = ()  # Where a single header says little: all that the file may have

    def fits(self, keys: frozenset[str]) -> bool:
        return _fits(self.signature, self.without, keys) and (not self.only or keys <= header_keys(self.only))

    def columns(self, headers: Iterable[str]) -> dict[str, str]:
        """Return our column -> the file's own header, for every column that the file has."""
        by_key: dict[str, str] = {}
        for header in headers:
            by_key.setdefault(header_key(header), header)
        found: dict[str, str] = {}
        for ours, aliases in self.headers.items():
            theirs = next((by_key[key] for key in map(header_key, aliases) if key in by_key), None)
            if theirs is not None:
                found[ours] = theirs
        return found


@dataclass(frozen=True)
class Lookalike:
    """A known file with nothing we can use. `name` says what it is, `instead` what to export."""

    name: str
    instead: str
    signature: Signature
    without: tuple[str, ...] = ()

    def fits(self, keys: frozenset[str]) -> bool:
        return bool(self.signature) and _fits(self.signature, self.without, keys)


def header_key(header: str) -> str:
    r"""Return the form in which headers are compared.

    >>> header_key("\ufeff Referring  page URL ")
    'referring page url'
    >>> header_key("10/1/25 - 12/31/25 Clicks")
    'clicks'
    """
    key = " ".join(unicodedata.normalize("NFC", header.replace("\ufeff", "")).casefold().split())
    period = _PERIOD.match(key)
    return key[period.end() :] if period else key


def has_period(header: str) -> bool:
    return bool(_PERIOD.match(" ".join(header.split())))


def header_keys(headers: Iterable[str]) -> frozenset[str]:
    return frozenset(map(header_key, headers))


def _fits(signature: Signature, without: tuple[str, ...], keys: frozenset[str]) -> bool:
    return all(not header_keys(group).isdisjoint(keys) for group in signature) and header_keys(without).isdisjoint(keys)


def _rows(name: str) -> list[dict[str, str]]:
    with (_DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _words(cell: str, lists: Headers) -> tuple[str, ...]:
    found = [lists[word[1:]] if word.startswith("@") else (word,) for word in cell.split(" | ") if word]
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def _read() -> tuple[tuple[Format, ...], tuple[Lookalike, ...], Headers]:
    """Return the formats, the look-alikes, and the lists that several formats share."""
    shared: dict[str, tuple[str, ...]] = {}
    headers: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for row in _rows("headers.csv"):
        of_format = headers[row["format"]] if row["format"] else shared
        of_format[row["column"]] = _words(row["headers"], shared)
    formats, lookalikes = [], []
    for row in _rows("formats.csv"):
        theirs = {**headers.get(row["like"], {}), **headers[row["name"]]}
        lists = {**shared, **theirs}
        signature = tuple(_words(group, lists) for group in row["marks"].split(" & ") if group)
        without, only = _words(row["without"], lists), _words(row["only"], lists)
        if not row["table"]:
            lookalikes.append(Lookalike(row["name"], row["instead"], signature, without))
            continue
        formats.append(
            Format(
                row["name"],
                row["tool"],
                row["table"],
                headers={column: words for column, words in theirs.items() if not column.startswith(_TYPE_FLAG)},
                signature=signature,
                scale=row["scale"],
                without=without,
                joined_by=row["joined_by"],
                flags={
                    column.removeprefix(_TYPE_FLAG): words
                    for column, words in theirs.items()
                    if column.startswith(_TYPE_FLAG)
                },
                only=only,
                rated_to=float(row["rated_to"] or 100),
            )
        )
    return tuple(formats), tuple(lookalikes), shared


FORMATS, LOOKALIKES, SHARED = _read()
BY_NAME = {one.name: one for one in FORMATS}
AHREFS_BACKLINKS, SCREAMING_FROG_PAGES = BY_NAME["Ahrefs backlinks"], BY_NAME["Screaming Frog pages"]
PLAIN_INLINKS = BY_NAME["Inlinks (other tools)"]
AHREFS_PAGE_INTERSECT = BY_NAME["Ahrefs link intersect (pages)"]
"""A row for each referring page and site that it links to."""
AHREFS_LINK_INTERSECT = BY_NAME["Ahrefs link intersect"]
"""One column per competitor follows, named after it: how often each domain links to it (`pipelines.gap.sites`)."""
DOMAIN_LIST = next(one for one in LOOKALIKES if not one.signature)
"""Recognised by its values: one column, every value a host."""
KNOWN_HEADERS = header_keys(
    chain.from_iterable(
        chain(*layout.headers.values(), *layout.flags.values(), *layout.signature) for layout in FORMATS
    )
) | header_keys(chain.from_iterable(chain(*lookalike.signature) for lookalike in LOOKALIKES))
"""Keys of every header that any format or look-alike names: how a header row is distinguished from a title line."""
RATINGS = ("url_rating", "domain_rating")
SCALE_OF_HEADER = {
    header_key(header): layout.scale
    for layout in FORMATS
    if layout.scale
    for rating in RATINGS
    for header in layout.headers.get(rating, ())
}
"""Which scale a rating's header means, taken from the formats of tools."""


def scale_name(layout: Format, columns: Mapping[str, str]) -> str:
    """Return the authority scale of a file's ratings; `columns`: our column -> the file's header.

    That of the format; a plain one's is found by the headers, and is "" where they are of no tool, or of two.
    """
    scales = {SCALE_OF_HEADER.get(header_key(columns[rating]), "") for rating in RATINGS if columns.get(rating)}
    return layout.scale or (scales.pop() if len(scales) == 1 else "")


def find_format(headers: Iterable[str], table: str | None = None) -> Format | Lookalike | None:
    """Return the format or look-alike that a file with these headers has, or None.

    `table` is the table that is asked for: among plain formats, which fit more than one table, it comes first.
    """
    keys = header_keys(headers)
    tools = [layout for layout in FORMATS if layout.tool]
    plain = sorted((layout for layout in FORMATS if not layout.tool), key=lambda layout: layout.table != table)
    candidates: list[Format | Lookalike] = [*LOOKALIKES, *tools, *plain]
    return next((candidate for candidate in candidates if candidate.fits(keys)), None)


def is_by_date(headers: Sequence[str]) -> bool:
    """Return whether a table with these headers has clicks by day, week or month, as Search Console's Chart does.

    With any header beside the date and the figures (a query, a page in any language) a day may have many rows.

    >>> is_by_date(["Date", "Clicks", "CTR"]), is_by_date(["Date", "Page", "Clicks"])
    (True, False)
    """
    keys = header_keys(headers)
    first = header_key(headers[0]) if headers else ""
    figures = header_keys(chain.from_iterable(SHARED[name] for name in ("CLICKS", "IMPRESSIONS", "CTR", "POSITION")))
    dates, clicks = header_keys(SHARED["DATES"]), header_keys(SHARED["CLICKS"])
    return first in dates and bool(keys & clicks) and keys <= figures | dates


def with_earlier(columns: Mapping[str, str], headers: Sequence[str]) -> dict[str, str]:
    """Return our columns and those of the earlier of two periods, which comes after the later one.

    >>> later, earlier = "10/1/25 - 12/31/25 Clicks", "10/1/24 - 12/31/24 Clicks"
    >>> with_earlier({"clicks": later}, [later, earlier])["clicks_before"]
    '10/1/24 - 12/31/24 Clicks'
    """
    found = dict(columns)
    for ours, earlier in EARLIER.items():
        header = columns.get(ours, "")
        same = [one for one in headers if header_key(one) == header_key(header) and one != header]
        if has_period(header) and same and has_period(same[0]):
            found[earlier] = same[0]
    return found


def known_headers(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell and header_key(cell) in KNOWN_HEADERS)


def find_header(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the header row: the one with most known headers, else the first that looks like one.

    None if every row is blank or too long to be a header. A title line has one cell where the table has several. What
    is a table itself stands above no header: then the first is the header, and the second one of its rows.
    """
    rows = rows[:ROWS_SEARCHED]
    filled = [sum(1 for cell in row if cell.strip()) for row in rows]
    if not any(filled):
        return None
    known = [known_headers(row) for row in rows]
    if max(known) >= 2:
        best = known.index(max(known))
        wide = [index for index in range(best) if filled[index] + ("http" in "".join(rows[index])) >= _FEWEST_CELLS]
        tables = [index for index in range(best) if known[index] > 1 and isinstance(find_format(rows[index]), Format)]
        return [*tables, *(wide if len(wide) >= _FEWEST_CELLS else []), best][0]
    fewest = min(2, max(filled))
    first = next(index for index, cells in enumerate(filled) if cells >= fewest)
    is_header = len(rows[first]) <= MOST_COLUMNS and max(map(len, rows[first])) <= LONGEST_HEADER
    return first if is_header else None


def column_names(cells: Sequence[str], width: int) -> list[str]:
    """Return `width` different names: the header cells, "Unnamed 5" for blank ones, "Title (2)" for repeated ones.

    >>> column_names(["URL", " ", "Title", "Title"], 5)
    ['URL', 'Unnamed 2', 'Title', 'Title (2)', 'Unnamed 5']
    """
    wanted = []
    for position in range(width):
        cell = cells[position].replace("\ufeff", "") if position < len(cells) else ""
        wanted.append(cell if cell.strip() else f"Unnamed {position + 1}")
    return distinct_names(wanted)


def distinct_names(wanted: Sequence[str]) -> list[str]:
    """Return the names with a number behind those that repeat, so that all are different.

    >>> distinct_names(["links.csv", "links.csv", "other.csv"])
    ['links.csv', 'links.csv (2)', 'other.csv']
    """
    names: list[str] = []
    taken: set[str] = set()
    for one in wanted:
        name, repeat = one, 2
        while name in taken:
            name, repeat = f"{one} ({repeat})", repeat + 1
        taken.add(name)
        names.append(name)
    return names


def names_beside(ours: Collection[str], theirs: Sequence[str]) -> list[str]:
    """Return the file's column names as they can be used beside ours: all different, and different from ours.

    >>> names_beside(["CAS"], ["URL", "CAS"])
    ['URL', 'CAS (in the file)']
    """
    return distinct_names([f"{name} (in the file)" if name in ours else name for name in theirs])
