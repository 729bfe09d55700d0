"""Rows of three lines: a page's title above its address, and sentences cut to what fits."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from backlink_audit.report.charts.theme import shorten
from backlink_audit.ui.columns import PAGES

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
"""Make the rows of their table tall: cut to one line they would be of no use."""

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


def as_tall(name: str, column: Any) -> Any:
    """Return a column's configuration with its width in tall rows."""
    column = dict(column) | {"width": TALL_WIDTHS.get(name, column["width"])}
    return column | {"pinned": True} if name in PINNED else column


def _one_line(texts: pd.Series) -> pd.Series:
    return texts.astype("str").fillna("").str.replace(r"\s+", " ", regex=True)


def _cut(texts: pd.Series, letters: int) -> pd.Series:
    return texts.where(texts.str.len() <= letters, texts.str.slice(0, letters - 1).str.rstrip() + "…")
