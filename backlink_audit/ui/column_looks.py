"""How each column of a table is drawn on screen: one line a row; marks, bars, links, numbers, dates, and how wide."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from backlink_audit.glossary import KNOWN, TERMS, Term, describe
from backlink_audit.labels import contrast, luminance
from backlink_audit.report.charts import shorten

OPEN = "open_"  # Begins the name of the column with the link that opens a page
ADDRESS_LETTERS = 40  # Of a page without a title: its address, cut in the middle
MARK_WIDTH = 140  # Pixels; the longest verdict fits
DARKEST_UNDER_BLACK = 0.5
"""Luminance above which Streamlit writes the word of a mark in black, below it in white, whatever reads better."""
SMALL_WORDS = 4.5  # Contrast that small words need (WCAG 2.1, AA)
DATE_WIDTH = 124  # Pixels; "September 2024" fits
LEAST_WIDTH = 90
MOST_WIDTH = 320
MEASURED_ROWS = 500
LETTER_WIDTH = 7.5
HEADER_MARGINS = 26
"""Pixels: of a narrow column, of a column of texts (measured by its first rows), of a letter, and of both margins."""
SMALL_LETTER, LINES = 6.4, 2.7
"""Pixels of a letter of a usual sentence in a cell, and lines of it that fit into a row with room for them."""
BESIDE = r", with the anchor “[^”]*”|(?<=, a page)(?: without a title|: “[^”]*”)"
RELEVANCE = r"Relevance [\d.]*\d(?:: (\w)|\. ?)"
"""What the reason says of a page, of its anchor and in numbers, which a table has in columns of their own."""
FORMATS = {
    "count": "localized",
    "rating": "%.1f",
    "similarity": "%.3f",
    "score": "%.3f",
    "percent": "%.1f%%",
    "number": "%.12g",
}
_PATH = r"^https?://(?:www\.)?(?:[^/]+(?=/.))?(.*?)/?$"  # The path, or the site of an address without one
_ADDRESS = r"^https?://(?:www\.)?(.*?)/?$"
PAGES: dict[str, tuple[str, str]] = {
    "referring_page": ("referring_title", "referring_url"),
    "example_page": ("example_title", "example_url"),
}  # Columns of the screen alone: a page's site and title. Beside each is a link that opens the page.


def drawn(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return the columns of a screen: those of the table, of a page its title and its address.

    The page's site is before the title, unless it has a column of its own.
    """
    made: dict[str, pd.Series] = {}
    for name in names:
        if name in PAGES:
            title, url = (_one_line(table[source]) for source in PAGES[name])
            address = url.str.replace(r"^https?://(?:www\.)?", "", regex=True)
            named = title if "referring_domain" in names else address.str.partition("/")[0] + " · " + title
            made[name] = named.where(title != "", address.map(lambda one: shorten(one.rstrip("/"), ADDRESS_LETTERS)))
            made[OPEN + name] = table[PAGES[name][1]]
        else:
            made[name] = _one_line(table[name]) if _is_prose(name, table[name]) else table[name]
    if "why" in made and "anchor" in made and "referring_page" in made:
        short = made["why"].str.replace(BESIDE, "", regex=True)
        made["why"] = short.str.replace(RELEVANCE, lambda found: (found[1] or "").upper(), regex=True)
    return pd.DataFrame(made, index=table.index)


def configure(table: pd.DataFrame, labels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the columns' configuration for st.dataframe; only the first is pinned: another one would move there."""
    terms = {name: worded(name, labels) for name in table.columns}
    return {
        name: _configure(term, table[name]) | (_place(term, place) if term.name == name else {})
        for place, (name, term) in enumerate(terms.items())
    }


def _place(term: Term, place: int) -> dict[str, Any]:
    return ({"width": term.width} if term.width else {}) | ({"pinned": True} if term.pinned and place == 0 else {})


def _one_line(texts: pd.Series) -> pd.Series:
    return texts.astype("str").fillna("").str.replace(r"\s+", " ", regex=True).str.strip()


def _is_prose(name: str, values: pd.Series) -> bool:
    return describe(name).style == "text" and pd.api.types.is_string_dtype(values.dtype)


def shortened(texts: pd.Series, width: int, lines: float) -> pd.Series:
    """Return texts that fit into a cell of so many pixels and lines; what is cut ends with "…".

    >>> shortened(pd.Series(["oak", "an oak chair with arms"]), 90, 1).tolist()
    ['oak', 'an oak…']
    """
    letters = int(lines * (width - HEADER_MARGINS) / SMALL_LETTER)
    cut = texts.str.slice(0, letters).str.replace(r"\W+\w*$", "", regex=True) + "…"
    return texts.where(texts.str.len() <= letters, cut)


def for_screen(table: pd.DataFrame, lines: float = 0) -> pd.DataFrame:
    """Return the table as the screen draws it; `lines`: cut texts at what a cell of so many holds.

    Words with colours become one-item lists, shown as coloured marks; shares become percent, so that all of them can
    have the same decimals, which Streamlit's own format of shares does not give.
    """
    shown = table.copy(deep=False)
    for name in table.columns:
        term = describe(name)
        if term.marks:
            words = table[name].astype("object")
            lists = {word: [word] if word else [] for word in words.unique() if isinstance(word, str)}
            shown[name] = words.map(lists)
        elif term.style == "percent":
            shown[name] = table[name] * 100
        elif lines and _is_prose(name, table[name]):
            shown[name] = shortened(table[name], term.width or text_width(term.label, table[name]), lines)
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


def mark_colour(colour: str) -> str:
    """Return the nearest shade of a colour (hex) on which Streamlit's choice of black or white can be read.

    >>> mark_colour("#0B5394"), mark_colour("#C8CCD0")
    ('#0B5394', '#C8CCD0')
    >>> mark_colour("#E69F00"), mark_colour("#D55E00")
    ('#EBB336', '#C25600')
    """
    mixed = [_mixed(colour, ground, percent / 100) for percent in range(100) for ground in ("#000000", "#FFFFFF")]
    return next(shade for shade in mixed if _reads(shade))


def _reads(colour: str) -> bool:
    words = "#000000" if luminance(colour) > DARKEST_UNDER_BLACK else "#FFFFFF"
    return contrast(words, colour) >= SMALL_WORDS


def _mixed(colour: str, ground: str, share: float) -> str:
    parts = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(own + share * (its - own)):02X}" for own, its in parts)


def _configure(term: Term, values: pd.Series) -> Any:
    column = st.column_config
    text: dict[str, Any] = {"label": term.label, "help": term.help or None}
    if term.marks:
        return column.MultiselectColumn(
            **text,
            options=[label.word for label in term.marks],
            color=[mark_colour(label.colour) for label in term.marks],
            width=MARK_WIDTH,
        )
    if pd.api.types.is_bool_dtype(values.dtype):
        return column.CheckboxColumn(**text, width=header_width(term.label))
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        written = "MMMM YYYY" if term.style == "month" else "YYYY-MM-DD"
        return column.DateColumn(**text, format=written, width=max(header_width(term.label), DATE_WIDTH))
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
    if term.up_to:
        style = "%.3f" if term.up_to == 1 else "%.1f"
        return column.ProgressColumn(
            **text, format=style, min_value=0, max_value=float(term.up_to), width=header_width(term.label)
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
    sites = urls.dropna().astype("str").str.extract(r"^https?://(?:www\.)?([^/?#]+)", expand=False)
    return len(urls) > 1 and sites.nunique() == 1


def labelled(table: pd.DataFrame, labels: Mapping[str, str] | None = None) -> pd.DataFrame:
    return table.rename(columns={name: worded(name, labels).label for name in table.columns})


def filled(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return those of the columns that the table has and that have any value (in an empty table: all it has)."""
    present = [name for name in columns if all(source in table.columns for source in sources([name]))]
    return [name for name in present if table.empty or any(_has_values(table[one]) for one in sources([name]))]


def spread(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    return [name for name in columns if table[name].nunique() > 1] or filled(table, columns)


def is_known(name: str) -> bool:
    return name in KNOWN


def is_judged(name: str) -> bool:
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
