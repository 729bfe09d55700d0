"""Which columns a table on screen has, and under which words; what is said of each stands in the glossary."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from backlink_audit.glossary import KNOWN, TERMS, Term, describe

PAGES: dict[str, tuple[str, str]] = {
    "referring_page": ("referring_title", "referring_url"),
    "example_page": ("example_title", "example_url"),
}
"""Columns of the screen alone: a page's site and title. Beside each is a link that opens the page."""


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
    return name in KNOWN


def is_judged(name: str) -> bool:
    """Return whether a column is a result of ours, not a column of an export."""
    return name in TERMS


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
