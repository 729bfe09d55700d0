"""Which columns a table on screen has, and the word and the help text of each.

Looked up in the glossary and in the schema, by the name in code or by the label.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from backlink_audit.glossary import GLOSSARY, Term
from backlink_audit.schema import PERFORMANCE, TABLES, Kind

STYLE_OF_KIND: dict[Kind, str] = {
    "text": "text",
    "prose": "text",
    "vector": "text",
    "url": "url",
    "number": "number",
    "flag": "flag",
    "date": "date",
}

PAGES: dict[str, tuple[str, str]] = {
    "referring_page": ("referring_title", "referring_url"),
    "example_page": ("example_title", "example_url"),
}
"""Columns of the screen alone: a page's site and title. Beside each is a link that opens the page."""


def describe(name: str) -> Term:
    """Return a column's label, style and help, by its name in code or by its label; unknown ones are their own label.

    >>> describe("cas").label, describe("CAS").name, describe("my_column").label
    ('CAS', 'cas', 'My column')
    """
    known = _KNOWN.get(name) or _BY_LABEL.get(name)
    return known or Term(name, name[:1].upper() + name[1:].replace("_", " "), "text", "")


def labelled(table: pd.DataFrame, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return the table with its columns' words as headers, for a download."""
    return table.rename(columns={name: worded(name, labels).label for name in table.columns})


def filled(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return those of the columns that the table has and that have any value (in an empty table: all it has)."""
    present = [name for name in columns if all(source in table.columns for source in sources([name]))]
    return [name for name in present if table.empty or any(_has_values(table[one]) for one in sources([name]))]


def spread(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return those of the columns that have different values, or where none has, those that have any (`filled`)."""
    return [name for name in columns if table[name].nunique() > 1] or filled(table, columns)


def is_known(name: str) -> bool:
    """Return whether a column has a word of its own, in the glossary or in the schema."""
    return name in _KNOWN


def is_judged(name: str) -> bool:
    """Return whether a column is a result of ours, not a column of an export."""
    return name in _RESULTS


def sources(names: Sequence[str]) -> list[str]:
    """Return the columns of the table that the columns on screen are made of, each once.

    >>> sources(["verdict", "referring_page", "referring_url"])
    ['verdict', 'referring_title', 'referring_url']
    """
    return list(dict.fromkeys(source for name in names for source in PAGES.get(name, (name,))))


def worded(name: str, labels: Mapping[str, str] | None) -> Term:
    """Return what is said of a column, under another word where `labels` has one."""
    term = describe(name)
    return replace(term, label=labels[name]) if labels and name in labels else term


def _has_values(values: pd.Series) -> bool:
    return bool((values.notna() & (values != "")).any())


_COUNTED = frozenset({"page_traffic", "domain_traffic", "external_links"}) | {
    column.name for column in PERFORMANCE.columns if column.kind == "number" and "position" not in column.name
}
"""Numbers of a file that count something: shown with separators."""
_FROM_SCHEMA = {
    column.name: Term(
        column.name,
        column.label,
        "count" if column.name in _COUNTED else STYLE_OF_KIND[column.kind],  # type: ignore[arg-type]
        column.help,
    )
    for table in reversed(list(TABLES.values()))
    for column in table.columns
}
_RESULTS = {term.name: term for term in GLOSSARY}
_KNOWN: dict[str, Term] = _FROM_SCHEMA | _RESULTS
_BY_LABEL: dict[str, Term] = {term.label: term for term in _KNOWN.values()}
