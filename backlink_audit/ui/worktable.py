"""A table to work in: search (by words or meaning), filters and columns above it, the opened row in full beside it."""

from collections.abc import Callable, Mapping, Sequence
from mimetypes import MimeTypes
from types import MappingProxyType
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.embedding import models
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.gap.result import Gap
from backlink_audit.glossary import describe
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.report import files as csv_file
from backlink_audit.report.rows import Sheet, Words
from backlink_audit.search.run import SearchIndex, index_links, index_pages, index_pairs, index_prospects, search
from backlink_audit.ui import column_looks, session
from backlink_audit.ui.column_looks import filled, labelled, sources, worded
from backlink_audit.ui.session import Key
from backlink_audit.wording import count

KINDS = MimeTypes()  # of files, whatever the system says
KINDS.add_type("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx")
Detail = Callable[[pd.Series], None]  # Shows one row in full; see `show.one_row`
Ordered = Callable[[pd.Index], pd.Index]  # Shows the choice of an order, and returns the rows' labels in it
Meaning = Callable[[pd.DataFrame, str], pd.DataFrame]
"""Returns those of some rows that a query means, best first, with the column match."""
ROWS_TO_MARK = 500  # Rows that the browser gets at a time where some can be selected and changed
ROWS_A_PAGE = 1_000  # Rows that the browser gets at a time where one can be selected; the order is that of all rows
LAZY_ROWS = 5_000  # Above this many rows, a table in which nothing is selected fetches the rows in view alone
ROW, HEADER = 35, 37  # Pixels of a row of one line, and of the headers with the border
TWO_LINES = 65  # Pixels of a row with two lines; Streamlit breaks lines only in rows of more than 4 rem
SENTENCES, FIRST_SEEN = frozenset({"why", "advice", "asks", "what_happened", "risk_evidence"}), 4
"""The columns of sentences, and how many columns are in sight at once."""
LEAST_IN_SIGHT, ROWS_IN_SIGHT = 10, 17
"""Rows that a table shows at once: what a laptop's screen has room for. An opened row has the height of the first."""
DETAIL_WIDTH = 400  # Pixels of the opened row; on a narrow screen it is beneath the table
MATCH = "match"  # The column that a search by meaning adds
OWN_ORDER = ""  # The order in which the rows come
DOMAIN, PAGE, PAIR = ("referring_domain",), ("url",), ("source_url", "target_url")
MOST = 1_000  # Rows that a search leaves at most


def table(
    sheet: Sheet,
    result: object,
    *,
    rows: pd.DataFrame | None = None,
    key: str = "",
    detail: Detail | None = None,
    ordered: Ordered | None = None,
    meaning: Meaning | None = None,
) -> pd.DataFrame:
    """Show a sheet of a result to work in: search and filters above, the count, links that open, scores as bars.

    Returned are the rows left by search and filters, with all their columns; columns without any value are not shown.
    `rows`: those to show instead of the sheet's own. `detail` shows a row beside the table once it is clicked.
    `ordered` offers orders of its own. `meaning`: offer that the search goes by meaning.
    """
    made = sheet.rows(result) if rows is None else rows
    rows, key = pd.DataFrame() if made is None else made, key or sheet.key
    first, labels = sheet.first or sheet.columns, sheet.words(result)
    offered = filled(rows, list(dict.fromkeys([*first, *sheet.columns]))) if first else list(rows.columns)
    left = filtered(rows, key, columns=sources(offered), filters=sheet.filters, search=sheet.search, meaning=meaning)
    if left.empty:
        st.info(f"No {sheet.noun}s match the filters." if len(rows) else f"No {sheet.noun}s.")
        return left
    _body(
        left,
        len(rows),
        key,
        offered,
        [name for name in offered if name in first] or offered,
        sheet,
        labels,
        detail,
        ordered,
    )
    return left


def for_file(rows: pd.DataFrame, offered: Sequence[str], labels: Words = MappingProxyType({})) -> bytes:
    return csv_file.write_csv(labelled(rows[sources(offered)], labels), for_spreadsheets=True)


@st.fragment
def _body(
    left: pd.DataFrame,
    total: int,
    key: str,
    offered: list[str],
    first: list[str],
    sheet: Sheet,
    labels: Words,
    detail: Detail | None,
    ordered: Ordered | None,
) -> None:
    """Draw what is below the filters. A fragment: a selected row or another column draws nothing else again."""
    noun, paged = sheet.noun, detail is not None and len(left) > ROWS_A_PAGE
    with st.container(horizontal=True, vertical_alignment="center"):
        counted = count(total, noun)
        st.caption(counted if len(left) == total else f"{len(left):,} of {counted}", width="stretch")
        order = ordered(left.index) if ordered and MATCH not in left else left.index
        part = left.loc[_page(order, key) if paged else order] if ordered else left
        shown = _chosen_columns(key, offered, first, labels) if len(first) < len(offered) else first
        shown = [MATCH, *shown] if MATCH in left.columns else shown
        if sheet.stem:
            download(
                "Download these rows",
                lambda: for_file(left.loc[order], offered, labels),
                f"{sheet.stem}.csv",
                f"{key}:download",
            )
    if detail is None:
        grid(left, f"{key}:table", shown, labels, lazy=len(left) > LAZY_ROWS)
        return
    if paged and not ordered:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            part = left.loc[_page(_sorted(left, key, sources(shown), noun, labels), key)]
    # Another key for other rows: a selection is a place in the table, and must not pass to the row that takes it.
    mark = hash(tuple(part.index))
    with st.container(horizontal=True, gap="small"):
        opened = grid(part, f"{key}:table:{mark}", shown, labels, select="single-cell")
        if opened:
            with st.container(width=DETAIL_WIDTH, height=_height(len(part), _row_height(shown)), border=False):
                detail(part.iloc[opened[0]])
    if not opened:
        st.caption(f"Click any cell of a {noun} to open it.")


def _chosen_columns(key: str, offered: list[str], first: list[str], labels: Words) -> list[str]:
    with st.popover("Columns"):
        chosen = st.pills(
            "Columns shown",
            offered,
            selection_mode="multi",
            default=first,
            format_func=lambda name: worded(name, labels).label,
            key=f"{key}:columns",
            persist_state="session",
        )
    return [name for name in offered if name in chosen] or first


def page_to_mark(rows: pd.DataFrame, key: str) -> tuple[int, pd.DataFrame]:
    """Show which page of the rows is on screen, where there are several; return its number from 1, and its rows."""
    pages = max(1, -(-len(rows) // ROWS_TO_MARK))
    page = st.number_input(f"Page (of {pages:,})", 1, pages, key=f"{key}:page:{pages}", width=160) if pages > 1 else 1
    return page, rows.iloc[(page - 1) * ROWS_TO_MARK : page * ROWS_TO_MARK]


def _page(rows: pd.Index, key: str) -> pd.Index:
    """Show which rows are on screen, and return those."""
    pages = -(-len(rows) // ROWS_A_PAGE)
    start = (st.pagination(pages, key=f"{key}:page:{pages}") - 1) * ROWS_A_PAGE
    return rows[start : start + ROWS_A_PAGE]


def _sorted(rows: pd.DataFrame, key: str, columns: list[str], noun: str, labels: Words) -> pd.Index:
    """Show by which column rows are sorted and whether it rises, and return their labels so."""
    by = st.selectbox(
        f"Sort all {len(rows):,} {noun}s by",
        [OWN_ORDER, *columns],
        format_func=lambda name: worded(name, labels).label if name else "Default order",
        key=f"{key}:by",
        persist_state="session",
        width=260,
    )
    rising = st.toggle("Ascending", key=f"{key}:rising", persist_state="session", disabled=not by)
    return rows[by].sort_values(ascending=rising, kind="stable", na_position="last").index if by else rows.index


def grid(
    rows: pd.DataFrame,
    key: str,
    shown: list[str],
    labels: Words,
    *,
    lazy: bool = False,
    select: Literal["single-cell", "multi-row"] | None = None,
) -> list[int]:
    """Draw the table itself, and return the places of its selected rows; `select`: how a row is selected."""
    drawn = column_looks.drawn(rows, shown)
    row = _row_height(shown)
    state = st.dataframe(
        column_looks.for_screen(drawn, 0 if select is None else 1 if row == ROW else column_looks.LINES),
        key=key,
        hide_index=True,
        column_config=column_looks.configure(drawn, labels),
        height="content" if len(rows) < ROWS_IN_SIGHT else _height(len(rows), row),
        row_height=row,
        lazy=lazy,
        placeholder="",
        on_select="rerun" if select else "ignore",
        selection_mode=select or "multi-row",
    )
    if select is None:
        return []
    selection = cast(Mapping[str, Any], state)["selection"]
    places = [place for place, _ in selection["cells"]] if select == "single-cell" else selection["rows"]
    return [place for place in places if place < len(rows)]  # a selection may be of rows that were there before


def _row_height(shown: Sequence[str]) -> int:
    return TWO_LINES if SENTENCES.intersection(shown[:FIRST_SEEN]) else ROW


def _height(rows: int, row: int) -> int:
    return HEADER + min(row * max(LEAST_IN_SIGHT, min(rows, ROWS_IN_SIGHT)), ROW * ROWS_IN_SIGHT)


def filtered(
    rows: pd.DataFrame,
    key: str,
    *,
    columns: Sequence[str] = (),
    filters: Sequence[str] = (),
    search: bool = True,
    meaning: Meaning | None = None,
) -> pd.DataFrame:
    """Show a search box and filters, and return the rows they leave.

    `columns`: texts that the search looks into; `filters`: columns with few distinct words; either may be missing.
    """
    offered = [name for name in filters if name in rows.columns and rows[name].nunique() > 1]
    if rows.empty or not (search or offered):
        return rows
    left = rows
    with st.grid(min_column_width=150):
        if search:
            wanted = st.text_input(
                "Search", key=f"{key}:search", persist_state="session", placeholder="Text in any column"
            )
            by_meaning = meaning is not None and st.toggle(
                "By meaning",
                key=f"{key}:meaning",
                persist_state="session",
                help="Finds rows about a subject whatever words they use. Rows with exactly these words come first.",
            )
            if meaning is not None and by_meaning and wanted.strip():
                left = meaning(left, wanted)
            else:
                left = rows_with(left, [name for name in columns if name in rows.columns], wanted)
        for name in offered:
            words = [word for word in rows[name].value_counts().index if word != ""]
            label = describe(name).label
            chosen = st.multiselect(label, words, key=f"{key}:{name}", persist_state="session", placeholder="All")
            left = left[left[name].isin(chosen)] if chosen else left
    return left


def rows_with(rows: pd.DataFrame, columns: Sequence[str], wanted: str) -> pd.DataFrame:
    """Return the rows whose text columns together have all these words, whole or in part, ignoring case and accents."""
    words = _folded(pa.array([wanted]))[0].as_py().split()
    texts = [name for name in columns if pd.api.types.is_string_dtype(rows[name].dtype)]
    if not words or not texts:
        return rows.head(0) if words else rows
    folded = [_folded(pa.array(rows[name], type=pa.large_string(), from_pandas=True)) for name in texts]
    joined = pc.binary_join_element_wise(*folded, pa.scalar("\n", pa.large_string()), null_handling="replace")
    held = [pc.match_substring(joined, word) for word in words]
    return rows[np.logical_and.reduce([np.asarray(column) for column in held])]


def _folded(texts: pa.Array) -> pa.Array:
    return pc.utf8_lower(pc.replace_substring_regex(pc.utf8_normalize(texts, "NFKD"), r"\p{Mn}", ""))


def download(
    label: str,
    data: bytes | str | Callable[[], bytes],
    name: str,
    key: str,
    *,
    primary: bool = False,
    disabled: bool = False,
) -> None:
    """Offer a file, or what makes it once its button is pressed; the page is not drawn again for it."""
    looks: Literal["primary", "secondary"] = "primary" if primary else "secondary"
    kind = KINDS.guess_type(name)[0] or "application/octet-stream"
    st.download_button(label, data, name, kind, key=key, on_click="ignore", type=looks, disabled=disabled)


def links(audit: Audit) -> Meaning:
    return _meaning(audit.settings.model, audit.scored, lambda encoder: index_links(audit.scored, encoder))


def prospects(gap: Gap) -> Meaning:
    return _meaning(gap.settings.model, gap.domains, lambda encoder: index_prospects(gap.domains, encoder), DOMAIN)


def pairs(result: Opportunities) -> Meaning:
    return _meaning(result.settings.model, result.table, lambda encoder: index_pairs(result.table, encoder), PAIR)


def pages(result: Opportunities) -> Meaning:
    """Return the search of a crawl's pages."""
    table = result.cleaned.table
    return _meaning(result.settings.model, table, lambda encoder: index_pages(table, encoder), PAGE)


def _meaning(
    model: str, table: pd.DataFrame, index: Callable[[Encoder], SearchIndex], same: tuple[str, ...] = ()
) -> Meaning:
    def found(rows: pd.DataFrame, query: str) -> pd.DataFrame:
        with st.spinner("Searching by meaning"):
            encoder = models.load_encoder(model)
            made = session.made_of(Key.SEARCHED, (table,), lambda: index(encoder))
            return among(rows, made, query, encoder, same)

    return found


def among(
    rows: pd.DataFrame, index: SearchIndex, query: str, encoder: Encoder, same: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Return those of some rows of the indexed table that a query means, best first, with why each was found.

    `same`: the columns that say which row of the indexed table each is, where its index does not.
    """
    try:
        table = search(index, query, encoder, len(index.rows)).table
    except InvalidSetting:  # a query without any word
        return rows.head(0)
    if same:
        places = pd.MultiIndex.from_frame(rows[[*same]]).get_indexer(pd.MultiIndex.from_frame(table[[*same]]))
    else:
        places = rows.index.get_indexer(table.index)
    there = places >= 0
    return rows.iloc[places[there][:MOST]].assign(**{MATCH: table.loc[there, MATCH].to_numpy()[:MOST]})
