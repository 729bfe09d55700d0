"""How each column looks in a table on screen: the word above it, its help text, and its style.

Looked up in the glossary and in the schema, by the name in code or by the label.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from backlink_audit.glossary import GLOSSARY, Term
from backlink_audit.labels import BANDS, LINK_STATES, PAGE_KINDS, STATES, VERDICTS, Label
from backlink_audit.schema import TABLES, Kind

STYLE_OF_KIND: dict[Kind, str] = {
    "text": "text",
    "prose": "text",
    "vector": "text",
    "url": "url",
    "number": "number",
    "flag": "flag",
    "date": "date",
}

LABELLED: dict[str, tuple[Label, ...]] = {
    "verdict": VERDICTS,
    "band": BANDS,
    "state": STATES,
    "link_state": LINK_STATES,
    "page_kind": PAGE_KINDS,
}
"""Columns whose words have colours."""

BARS = {"similarity": 1.0, "relevance": 100.0, "cas_percentile": 100.0}
"""Scores with a known upper end, drawn as bars up to it."""

MARK_WIDTH = 150
"""Pixels; the longest verdict fits."""

LEAST_WIDTH = 90
MOST_WIDTH = 320
MEASURED_ROWS = 500
LETTER_WIDTH = 7.5
HEADER_MARGINS = 26
"""Pixels: of a narrow column, of a column of texts (measured by its first rows), of a letter, and of both margins."""

FORMATS = {
    "count": "localized",
    "rating": "%.1f",
    "similarity": "%.3f",
    "score": "%.3f",
    "percent": "%.1f%%",
    "number": "localized",
}


def describe(name: str) -> Term:
    """Return a column's label, style and help, by its name in code or by its label; unknown ones speak for themselves.

    >>> describe("cas").label, describe("CAS").name, describe("my_column").label
    ('CAS', 'cas', 'My column')
    """
    known = _KNOWN.get(name) or _BY_LABEL.get(name)
    return known or Term(name, name[:1].upper() + name[1:].replace("_", " "), "text", "")


def configure(table: pd.DataFrame, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the column configuration of a table for st.dataframe; `labels` replaces words of the glossary."""
    return {name: _configure(_worded(name, labels), table[name]) for name in table.columns}


def labelled(table: pd.DataFrame, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return the table with its columns' words as headers, for a download."""
    return table.rename(columns={name: _worded(name, labels).label for name in table.columns})


def filled(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return those of the columns that the table has and that hold anything (in an empty table: all it has)."""
    present = [name for name in columns if name in table.columns]
    return [name for name in present if table.empty or (table[name].notna() & (table[name] != "")).any()]


def for_screen(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table as the screen draws it.

    Words with colours become one-item lists, shown as coloured marks; shares become percent, so that all of them can
    have the same decimals, which Streamlit's own format of shares does not give.
    """
    shown = table.copy(deep=False)
    for name in table.columns:
        term = describe(name)
        if term.name in LABELLED:
            words = table[name].astype("object")
            lists = {word: [word] if word else [] for word in words.unique() if isinstance(word, str)}
            shown[name] = words.map(lists)
        elif term.style == "percent":
            shown[name] = table[name] * 100
    return shown


def header_width(label: str) -> int:
    """Return the width of a narrow column, in pixels, in which its header is not cut.

    >>> header_width("CAS"), header_width("Share of followed domains")
    (90, 213)
    """
    return max(LEAST_WIDTH, int(HEADER_MARGINS + LETTER_WIDTH * len(label)))


def text_width(label: str, values: pd.Series) -> int:
    """Return the width of a column of texts, in pixels: nine of ten of its first texts fit, and its header.

    >>> text_width("Topic", pd.Series(["gardening", "gardening"])), text_width("Topic", pd.Series(["word " * 100]))
    (93, 320)
    """
    lengths = values.iloc[:MEASURED_ROWS].astype("str").str.len()
    longest = 0 if lengths.empty else float(lengths.quantile(0.9))
    return max(header_width(label), min(int(HEADER_MARGINS + LETTER_WIDTH * longest), MOST_WIDTH))


def _worded(name: str, labels: Mapping[str, str] | None) -> Term:
    term = describe(name)
    return replace(term, label=labels[name]) if labels and name in labels else term


def _configure(term: Term, values: pd.Series) -> Any:
    column = st.column_config
    text: dict[str, Any] = {"label": term.label, "help": term.help or None}
    if term.name in LABELLED:
        labels = LABELLED[term.name]
        return column.MultiselectColumn(
            **text, options=[label.word for label in labels], color=[label.colour for label in labels], width=MARK_WIDTH
        )
    if pd.api.types.is_bool_dtype(values.dtype):
        return column.CheckboxColumn(**text, width=header_width(term.label))
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return column.DateColumn(**text, format="YYYY-MM-DD", width=header_width(term.label))
    if pd.api.types.is_numeric_dtype(values.dtype):
        return _number(term, values, text)
    if term.style == "url":
        return column.LinkColumn(**text, display_text=r"^https?://(?:www\.)?(.*?)/?$", width="large")
    return column.TextColumn(**text, width=text_width(term.label, values))


def _number(term: Term, values: pd.Series, text: dict[str, Any]) -> Any:
    column = st.column_config
    if term.name in BARS:
        style = "%.3f" if term.name == "similarity" else "%.1f"
        return column.ProgressColumn(
            **text, format=style, min_value=0, max_value=BARS[term.name], width=header_width(term.label)
        )
    if term.style in ("text", "number") and not _whole(values):
        return column.NumberColumn(**text, format="%.3f", width=header_width(term.label))
    return column.NumberColumn(**text, format=FORMATS.get(term.style, "localized"), width=header_width(term.label))


def _whole(values: pd.Series) -> bool:
    known = values.dropna()
    return bool(pd.api.types.is_integer_dtype(values.dtype) or (known == known.round()).all())


_FROM_SCHEMA = {
    column.name: Term(column.name, column.label, STYLE_OF_KIND[column.kind], column.help)  # type: ignore[arg-type]
    for table in reversed(list(TABLES.values()))
    for column in table.columns
}
_KNOWN: dict[str, Term] = _FROM_SCHEMA | {term.name: term for term in GLOSSARY}
_BY_LABEL: dict[str, Term] = {term.label: term for term in _KNOWN.values()}
