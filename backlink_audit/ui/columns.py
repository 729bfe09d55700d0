"""How each column looks in a table on screen: the word above it, its help text, and its style.

Looked up in the glossary and in the schema, by the name in code or by the label.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from backlink_audit.glossary import GLOSSARY, Term
from backlink_audit.labels import (
    AUTHORITY_VERDICTS,
    BANDS,
    CONFIDENCES,
    INLINK_VERDICTS,
    LINK_STATES,
    OUTREACH_STATES,
    PAGE_KINDS,
    STATES,
    VERDICTS,
    Label,
)
from backlink_audit.report.charts.theme import shorten
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

LABELLED: dict[str, tuple[Label, ...]] = {
    "verdict": tuple({one.word: one for one in (*AUTHORITY_VERDICTS, *INLINK_VERDICTS, *VERDICTS)}.values()),
    "band": BANDS,
    "state": STATES,
    "outreach_state": OUTREACH_STATES,
    "link_state": LINK_STATES,
    "page_kind": PAGE_KINDS,
    "confidence": CONFIDENCES,
}
"""Columns whose words have colours."""

BARS = {
    **dict.fromkeys(("similarity", "redirect_score"), 1.0),
    **dict.fromkeys(("relevance", "cas_percentile", "link_score", "page_relevance"), 100.0),
}
"""Scores with a known upper end, drawn as bars up to it."""

PAGES: dict[str, tuple[str, str]] = {
    "referring_page": ("referring_title", "referring_url"),
    "example_page": ("example_title", "example_url"),
}
"""Columns of the screen alone: a page's title above its address. Beside each stands a link that opens the page."""

OPEN = "open_"
"""Begins the name of such a link's column."""

WRAPPED: dict[str, int] = {
    **dict.fromkeys(("why", "kind_why"), 84),
    **dict.fromkeys(("asks", "to_do"), 96),
    **dict.fromkeys(("anchor", "example_anchor"), 36),
    "risk_evidence": 130,
}
"""Columns of sentences, which go over three lines where a row is tall, and how many letters of them; the rest is in the
detail of the row."""

SENTENCES = ("risk_evidence", "why", "asks", "to_do")
"""Make the rows of their table tall: cut to one line they would say nothing."""

TITLE_LETTERS, ADDRESS_LETTERS = 58, 28
"""Of a page: two lines of title, one of address, which is cut in the middle."""

TALL_ROW = 66
"""Pixels of a row with three lines of text."""

TALL_WIDTHS = {
    "verdict": 136,
    "state": 116,
    "outreach_state": 116,
    **dict.fromkeys(PAGES, 220),
    "anchor": 104,
    "example_anchor": 104,
    "target_url": 100,
    "example_target": 120,
    "our_page": 120,
    "gap_class": 80,
    "prospect_cas": 84,
    "domain_rating": 46,
    "url_rating": 46,
    "authority": 76,
    "relevance": 80,
    "band": 96,
    "page_kind": 96,
    "signals": 64,
    **dict.fromkeys(("source_title", "target_title"), 170),
    "title": 200,
    "links": 64,
    "why": 196,
    "asks": 240,
    "to_do": 240,
    "risk_evidence": 290,
}
"""Pixels of the columns of tall rows: the eight of a table of links fit a window of 1,400 pixels without scrolling."""

PINNED = ("verdict", "state", "outreach_state")
"""Stays where it is when a tall table is scrolled sideways."""

MARK_WIDTH = 140
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
    "number": "%.12g",
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
    looks = {name: _configure(worded(name, labels), table[name]) for name in table.columns}
    if row_height(list(table.columns)) is None:
        return looks
    return {name: _tall(name, look) for name, look in looks.items()}


def labelled(table: pd.DataFrame, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return the table with its columns' words as headers, for a download."""
    return table.rename(columns={name: worded(name, labels).label for name in table.columns})


def filled(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return those of the columns that the table has and that hold anything (in an empty table: all it has)."""
    present = [name for name in columns if all(source in table.columns for source in sources([name]))]
    return [name for name in present if table.empty or any(_holds_anything(table[one]) for one in sources([name]))]


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


def drawn(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return the columns of a screen: those of the table, pages as title above address, in tall rows sentences cut."""
    made: dict[str, pd.Series] = {}
    tall = row_height(names) is not None
    for name in names:
        if name in PAGES:
            title, url = (_one_line(table[source]) for source in PAGES[name])
            address = url.map(lambda one: shorten(one, ADDRESS_LETTERS))
            made[name] = (_cut(title, TITLE_LETTERS) + "\n").where(title != "", "") + address
            made[OPEN + name] = table[PAGES[name][1]]
        else:
            made[name] = _cut(_one_line(table[name]), WRAPPED[name]) if tall and name in WRAPPED else table[name]
    return pd.DataFrame(made, index=table.index)


def row_height(names: Sequence[str]) -> int | None:
    """Return the height of a table's rows in pixels; None: one line, the library's own."""
    return TALL_ROW if any(name in PAGES or name in SENTENCES for name in names) else None


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


def worded(name: str, labels: Mapping[str, str] | None) -> Term:
    """Return what is said of a column, under another word where `labels` has one."""
    term = describe(name)
    return replace(term, label=labels[name]) if labels and name in labels else term


def _holds_anything(values: pd.Series) -> bool:
    return bool((values.notna() & (values != "")).any())


def _one_line(texts: pd.Series) -> pd.Series:
    return texts.astype("str").fillna("").str.replace(r"\s+", " ", regex=True)


def _cut(texts: pd.Series, letters: int) -> pd.Series:
    return texts.where(texts.str.len() <= letters, texts.str.slice(0, letters - 1).str.rstrip() + "…")


def _tall(name: str, column: Any) -> Any:
    """Return a column's configuration with its width in tall rows."""
    column = dict(column) | {"width": TALL_WIDTHS.get(name, column["width"])}
    return column | {"pinned": True} if name in PINNED else column


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
    if term.name.startswith(OPEN):
        return column.LinkColumn(label="Open", help="Opens the page.", display_text=":material/open_in_new:", width=46)
    if term.style == "url":
        shown = _PATH if _one_site(values) else _ADDRESS
        words = values.astype("str").str.extract(shown, expand=False)
        return column.LinkColumn(**text, display_text=shown, width=text_width(term.label, words.fillna("")))
    return column.TextColumn(**text, width=text_width(term.label, values))


def _number(term: Term, values: pd.Series, text: dict[str, Any]) -> Any:
    column = st.column_config
    if term.name in BARS:
        style = "%.3f" if BARS[term.name] == 1 else "%.1f"
        return column.ProgressColumn(
            **text, format=style, min_value=0, max_value=BARS[term.name], width=header_width(term.label)
        )
    if term.style == "text" and not _whole(values):
        return column.NumberColumn(**text, format="%.3f", width=header_width(term.label))
    if term.style in ("number", "rating"):
        as_written = term.style != "rating" or _whole(values * 10)
        style = "localized" if _whole(values) else FORMATS["number" if as_written else "rating"]
        return column.NumberColumn(**text, format=style, width=header_width(term.label))
    return column.NumberColumn(**text, format=FORMATS.get(term.style, "localized"), width=header_width(term.label))


def _whole(values: pd.Series) -> bool:
    known = values.dropna()
    return bool(pd.api.types.is_integer_dtype(values.dtype) or (known == known.round()).all())


def _one_site(urls: pd.Series) -> bool:
    """Whether all addresses are of one site, so that their paths tell them apart."""
    sites = urls.dropna().astype("str").str.extract(r"^https?://(?:www\.)?([^/?#]+)", expand=False)
    return len(urls) > 1 and sites.nunique() == 1


_PATH = r"^https?://(?:www\.)?(?:[^/]+(?=/.))?(.*?)/?$"
"""The path, or the site of an address without one."""
_ADDRESS = r"^https?://(?:www\.)?(.*?)/?$"


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
