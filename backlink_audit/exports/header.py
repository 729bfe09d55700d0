"""Where a table's header row is, and what its columns are called."""

from collections.abc import Collection, Sequence

from backlink_audit.exports.formats import KNOWN_HEADERS
from backlink_audit.exports.layout import header_key

ROWS_SEARCHED = 30
"""A header is within the first rows; tools write at most a title, a date and a blank line above it."""


LONGEST_HEADER = 1000
"""Characters. No tool has a header of more than 100; a longer one means that the file is no table."""


MOST_COLUMNS = 2000
"""Wider than any export (a crawl with every option has about 300); a wider row means that the file is no table."""


def known_headers(row: Sequence[str]) -> int:
    """Return how many cells of a row are headers of some export that we know."""
    return sum(1 for cell in row if cell and header_key(cell) in KNOWN_HEADERS)


def find_header(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the header row: the one with most known headers, else the first that looks like one.

    None if every row is blank or too long to be a header. A title line has one cell where the table has several.
    """
    rows = rows[:ROWS_SEARCHED]
    filled = [sum(1 for cell in row if cell.strip()) for row in rows]
    if not any(filled):
        return None
    known = [known_headers(row) for row in rows]
    if max(known) >= 2:
        return known.index(max(known))
    wide = min(2, max(filled))
    first = next(index for index, cells in enumerate(filled) if cells >= wide)
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
