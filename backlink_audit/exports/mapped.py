"""Recognised rows -> the same rows under our names, each column with its type."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pandas as pd

from backlink_audit.exports.formats import scale_name
from backlink_audit.exports.layout import Format, header_key
from backlink_audit.exports.values import clean_cells, clean_prose, to_dates, to_flags, to_numbers
from backlink_audit.schema import LONGEST, SCALE, SOURCE_FILE, TABLES, TOOL, Column, Kind

_RATINGS = frozenset({"url_rating", "domain_rating", "toxic_score"})
"""Number columns whose values are at most 100."""
_FOLLOW_WORDS = {r"(?i)^\s*(?:do)?follow(?:ed)?\s*$": "true", r"(?i)^\s*no-?follow(?:ed)?\s*$": "false"}
LONGEST_VALUE = 100
"""Characters of a number, a flag or a date."""
NOTHING_KNOWN: Mapping[str, pd.Series] = {}


def map_rows(
    raw: pd.DataFrame,
    name: str,
    layout: Format,
    columns: Mapping[str, str],
    known: Mapping[str, pd.Series] = NOTHING_KNOWN,
) -> pd.DataFrame:
    """Return the rows under our names: every column of the schema, in its order, with its type.

    `known` gives the values of columns by their text, where `raw` is a part of a file and its other parts count too:
    decimal marks and the order of day and month are found from whole columns (`known_values`).
    """
    table = {}
    for column in TABLES[layout.table].columns:
        if column.name in known:
            table[column.name] = _looked_up(raw[columns[column.name]], known[column.name])
        elif column.name in columns:
            table[column.name] = _typed(_first_values(raw[columns[column.name]], column, layout), column)
        elif column.name == "link_type" and layout.flags:
            table[column.name] = _link_types(raw, layout)
        else:
            table[column.name] = _missing(column, raw.index)
    table[SOURCE_FILE.name] = _repeated(name, raw.index)
    if TOOL.name in table:
        table[TOOL.name] = _repeated(layout.tool, raw.index)
        table[SCALE.name] = _repeated(scale_name(layout, columns), raw.index)
    return pd.DataFrame(table, index=raw.index)


def columns_read_whole(layout: Format, columns: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns whose values cannot be read from a part of the file alone: numbers and dates."""
    return tuple(
        column
        for column in TABLES[layout.table].columns
        if column.name in columns and column.kind in ("number", "date")
    )


def known_values(texts: pd.Series, column: Column) -> pd.Series:
    """Return the typed value of each distinct text of a column of the whole file, indexed by the text."""
    return _typed(texts, column).set_axis(pd.Index(texts))


def _first_values(text: pd.Series, column: Column, layout: Format) -> pd.Series:
    """Return the first of several values of each cell, where the tool joins them; prose is whole."""
    if not layout.joined_by or column.kind == "prose":
        return text
    return text.str.partition(layout.joined_by)[0]


def _looked_up(text: pd.Series, known: pd.Series) -> pd.Series:
    return pd.Series(known.array.take(known.index.get_indexer(pd.Index(text))), index=text.index, name=text.name)


def _typed(text: pd.Series, column: Column) -> pd.Series:
    text = _bounded(text, column.kind)
    if column.name == "follow":  # elsewhere a flag says nofollow, and such words mean the opposite
        text = text.replace(_FOLLOW_WORDS, regex=True)
    if column.kind == "number":
        return to_numbers(text, rating=column.name in _RATINGS)
    if column.kind == "flag":
        return to_flags(text)
    if column.kind == "date":
        return to_dates(text)
    return clean_prose(text) if column.kind == "prose" else clean_cells(text)


def _bounded(text: pd.Series, kind: Kind) -> pd.Series:
    """Return the cells cut to the length that is read of their kind; a number or date that is longer is none."""
    most = LONGEST.get(kind, LONGEST_VALUE)
    long = text.str.len() > most
    if not long.any():
        return text
    return text.str.slice(0, most) if kind in LONGEST else text.mask(long, "")


def cut_cells(raw: pd.DataFrame, layout: Format, columns: Mapping[str, str]) -> Counter[str]:
    """Return how many cells of each header are longer than what is read of them."""
    kinds = {column.name: column.kind for column in TABLES[layout.table].columns}
    found: Counter[str] = Counter()
    for name, header in columns.items():
        if kinds[name] in LONGEST:
            found[header] = int((raw[header].str.len() > LONGEST[kinds[name]]).sum())
    return +found


def _missing(column: Column, index: pd.Index) -> pd.Series:
    if column.kind == "number":
        return pd.Series(np.nan, index=index, dtype="float64")
    if column.kind == "flag":
        return pd.Series(pd.NA, index=index, dtype="boolean")
    if column.kind == "date":
        return pd.Series(pd.NaT, index=index, dtype="datetime64[us]")
    return _repeated("", index)


def _repeated(value: str, index: pd.Index) -> pd.Series:
    return pd.Series(value, index=index, dtype="str")


def _link_types(raw: pd.DataFrame, layout: Format) -> pd.Series:
    """Return the link type from one true/false column for each type; "" where none is true."""
    types = _repeated("", raw.index)
    for word, headers in layout.flags.items():
        wanted = {header_key(header) for header in headers}
        for header in raw.columns:
            if header_key(header) in wanted:
                types = types.mask(to_flags(raw[header]).fillna(False).astype(bool), word)
    return types
