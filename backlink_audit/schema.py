"""Our column names: which table has which columns, what kind of value each has, and which are needed.

A mapped table always has every column of its `Table`; a column the export does not have is all missing
(`Export.has(column)` shows it). Kinds and their pandas types:

    text    str, "" where missing             (never NaN: a title that reads "NULL" is text)
    prose   as text, its lines kept
    vector  as text: numbers
    url     as text
    number  float64, NaN where missing
    flag    pandas "boolean", <NA> where missing
    date    datetime64, NaT where missing
"""

import csv
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["text", "prose", "vector", "url", "number", "flag", "date"]


LONGEST: dict[Kind, int] = {"text": 8_192, "url": 8_192, "prose": 1_000_000, "vector": 200_000}
"""Characters of a cell that are read, by kind; the rest is cut off, with a note. Browsers go no further in a URL."""


@dataclass(frozen=True)
class Column:
    """One of our columns: its name in code, its name on screen, the kind of its values, and what it means.

    `counted`: its numbers count something, and have separators. `width`: on screen, in pixels; 0: as wide as
    its header and its texts.
    """

    name: str
    label: str
    kind: Kind = "text"
    help: str = ""
    counted: bool = False
    width: int = 0


@dataclass(frozen=True)
class Table:
    """One of our tables. `required` names the columns without which an export is of no use."""

    name: str
    label: str
    columns: tuple[Column, ...]
    required: tuple[str, ...]

    def column(self, name: str) -> Column:
        return {column.name: column for column in self.columns}[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


DEAD_FROM = 400  # HTTP status from which a target page is dead: 4xx and 5xx
MARKS_OF_LOSS = ("lost_date", "lost_link", "lost_status", "drop_reason")
"""The columns of backlinks by which an export marks lost links, any one of them."""
with (files("backlink_audit") / "data" / "columns.csv").open(encoding="utf-8") as _lines:
    _ROWS = list(csv.DictReader(_lines))


def _column(row: dict[str, str]) -> Column:
    kind: Any = row["kind"]
    return Column(row["name"], row["label"], kind, row["help"], bool(row["counted"]), int(row["width"] or 0))


def _table(name: str, label: str) -> Table:
    rows = [row for row in _ROWS if row["table"] == name and row["name"]]
    return Table(name, label, tuple(map(_column, rows)), tuple(row["name"] for row in rows if row["required"]))


_ALL = {row["table"]: _table(row["table"], row["label"]) for row in _ROWS if not row["name"]}
"""Every table; a row without a column's name says what its table is called in a sentence."""
BACKLINKS, REFERRING_DOMAINS, PAGES, INLINKS = (
    _ALL[name] for name in ("backlinks", "referring_domains", "pages", "inlinks")
)
PERFORMANCE, LINKING_TEXTS, CHECKED_LINKS = (_ALL[name] for name in ("performance", "linking_texts", "checked_links"))
CITATIONS, DOMAIN_RANKS = _ALL["citations"], _ALL["domain_ranks"]
PAGE_FACTS, LINK_FACTS = _ALL.pop("page_facts"), _ALL.pop("link_facts")
TABLES = _ALL
SOURCE_FILE, TOOL, SCALE = (BACKLINKS.column(name) for name in ("source_file", "tool", "scale"))
