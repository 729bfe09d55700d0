"""How results are shown: the answer first, then figures, charts, tables to work in, and downloads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from backlink_audit.report import csv as csv_file
from backlink_audit.report import files
from backlink_audit.ui import columns as column_looks
from backlink_audit.wording import count, set_aside, uncapitalised

Figure = tuple[str, str | int | float | None, str]
"""A figure's label, its value (None: cannot be computed, the help says why), and its help text."""

LAZY_ROWS = 5_000
"""Above this many rows the browser fetches the rows in view instead of the whole table."""

TABLE_HEIGHT = 480
"""Pixels of a long table."""


@dataclass(frozen=True)
class Selection:
    """What is selected in a chart: boxes (`x` and `y`, each a low and a high end) and single points (plotly's)."""

    boxes: tuple[Mapping[str, Any], ...] = ()
    points: tuple[Mapping[str, Any], ...] = ()

    def rows(self, table: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
        """Return the table's rows that are selected, by the chart's two columns; all of them without a selection.

        A box takes every row inside it, drawn or not. Single points and lassos take the rows that their marks'
        `customdata` names.
        """
        if self.boxes:
            inside = pd.Series(False, index=table.index)
            for box in self.boxes:
                inside |= table[x].between(*sorted(box["x"])) & table[y].between(*sorted(box["y"]))
            return table[inside]
        if self.points:
            return table[table.index.isin([point.get("customdata") for point in self.points])]
        return table

    def __bool__(self) -> bool:
        """Whether anything is selected."""
        return bool(self.boxes or self.points)


def headline(sentence: str) -> None:
    """Show the answer: one sentence, first on the page."""
    st.subheader(sentence, anchor=False)


def figures(values: Sequence[Figure]) -> None:
    """Show four to six figures side by side; on a narrow screen they wrap."""
    with st.container(border=True), st.grid(min_column_width=130, gap="xsmall"):
        for label, value, help_text in values:
            st.metric(label, as_text(value), help=help_text or None)
    for label, value, help_text in values:
        if value is None:
            st.caption(f"{label}: {help_text}")


def as_text(value: str | int | float | None) -> str:
    """Write a figure: whole numbers with thousands, others with three decimals, a missing one as a dash.

    >>> as_text(1508), as_text(0.4567), as_text(None), as_text("27%")
    ('1,508', '0.457', '–', '27%')
    """
    if value is None or (isinstance(value, float) and value != value):
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def counts(label: str, numbers: Mapping[str, int]) -> None:
    """Show in one line how many rows had which fate, those with none left out; nothing if there are none at all."""
    some = {reason: number for reason, number in numbers.items() if number}
    if some:
        parts = "; ".join(f"{uncapitalised(reason)} {number:,}" for reason, number in some.items())
        st.caption(f"{label}: {sum(some.values()):,} ({plain(parts)}).")


def note(sentence: str) -> None:
    """Show a sentence beside the answer; nothing where it is ""."""
    if sentence:
        st.caption(plain(sentence))


def nothing_chosen(numbers: Mapping[str, int]) -> None:
    """Say that the choice of links leaves none, and what there is."""
    parts = ", ".join(f"{state} {number:,}" for state, number in numbers.items())
    st.info(f"No links match this choice. In the file: {plain(parts)}. Choose “Everything” above to see them.")


def removed(numbers: Mapping[str, int], rows: int, change: str = "under Settings") -> None:
    """Say how many rows of the file the filters removed, plainly where that is most of them, and where to change it."""
    sentence = set_aside(numbers, rows)
    if sentence:
        say = st.info if 2 * sum(numbers.values()) > rows else st.caption
        say(f"{plain(sentence)} Change it {change}.")


def chart(drawn: go.Figure, key: str, *, select: bool = False) -> Selection:
    """Show a chart, its title and subtitle above it as text, which wraps on a narrow screen.

    Args:
        drawn: A figure made with `report.charts.theme`.
        key: Unique on the page.
        select: Let the visitor select marks.

    Returns:
        What is selected.
    """
    title, subtitle = drawn.layout.title.text, drawn.layout.title.subtitle.text
    with st.container(gap="xsmall"):
        if title:
            st.markdown(f"**{plain(title)}**")
        if subtitle:
            st.caption(plain(subtitle))
        bare = go.Figure(drawn)
        bare.update_layout(title=None, margin_t=24, font_color=text_colour())
        state = st.plotly_chart(
            bare,
            key=key,
            on_select="rerun" if select else "ignore",
            config={"displaylogo": False, "toImageButtonOptions": {"filename": key, "scale": 2}},
            alt=f"{title or key}. {subtitle or ''}",
        )
    if not select:
        return Selection()
    selected = cast(Mapping[str, Any], state)["selection"]
    return Selection(tuple(selected["box"]), tuple(selected["points"]))


def filtered(
    rows: pd.DataFrame, key: str, *, columns: Sequence[str] = (), filters: Sequence[str] = (), search: bool = True
) -> pd.DataFrame:
    """Show a search box and filters, and return the rows they leave.

    Args:
        rows: Columns by their names in code.
        key: Unique on the page.
        columns: The text columns the search looks into; others are passed over.
        filters: Columns with few distinct words, each offered as a filter.
        search: Offer the search.
    """
    offered = [name for name in filters if name in rows.columns and rows[name].nunique() > 1]
    if rows.empty or not (search or offered):
        return rows
    left = rows
    with st.grid(min_column_width=170):
        if search:
            wanted = st.text_input("Search", key=f"{key}:search", placeholder="Words in any column")
            left = rows_with(left, [name for name in columns if name in rows.columns], wanted)
        for name in offered:
            words = [word for word in rows[name].value_counts().index if word != ""]
            chosen = st.multiselect(column_looks.describe(name).label, words, key=f"{key}:{name}", placeholder="All")
            left = left[left[name].isin(chosen)] if chosen else left
    return left


def text_colour() -> str | None:
    """Return the colour of text in the theme that the visitor sees; None: the library's own."""
    return st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")


def table(
    rows: pd.DataFrame,
    key: str,
    *,
    columns: Sequence[str] | None = None,
    filters: Sequence[str] = (),
    search: bool = True,
    noun: str = "row",
    stem: str | None = None,
    labels: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Show a table to work in: search and filters above, the count, links that open, scores as bars.

    Args:
        rows: Columns by their names in code or their labels; see `ui.columns`.
        key: Unique on the page.
        columns: Which to show, in which order, as far as they hold anything; None: all.
        filters: Columns with few distinct words, each offered as a filter.
        search: Offer a search over all text that is shown.
        noun: What a row is, for the count.
        stem: Name of the file (without suffix) that the rows left can be downloaded as; None: no download.
        labels: Other words above columns than the glossary's.

    Returns:
        The rows left by search and filters, with all their columns.
    """
    shown = list(rows.columns) if columns is None else column_looks.filled(rows, columns)
    left = filtered(rows, key, columns=shown, filters=filters, search=search)
    counted = count(len(rows), noun)
    if left.empty:
        st.info(f"None of {counted} fits." if len(rows) else f"There are no {noun}s here.")
        return left
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(counted if len(left) == len(rows) else f"{len(left):,} of {counted}", width="stretch")
        if stem:
            st.download_button(
                "Download these rows",
                data=lambda: csv_file.write_csv(column_looks.labelled(left, labels), for_spreadsheets=True),
                file_name=f"{stem}.csv",
                mime="text/csv",
                key=f"{key}:download",
                on_click="ignore",
            )
    st.dataframe(
        column_looks.for_screen(left[shown]),
        key=f"{key}:table",
        hide_index=True,
        column_config=column_looks.configure(left[shown], labels),
        height=TABLE_HEIGHT if len(left) > 12 else "content",
        lazy=len(left) > LAZY_ROWS,
        placeholder="",
    )
    return left


def downloads(tables: files.Tables, stem: str) -> None:
    """Offer a result as xlsx, csv and parquet. Each file is built when its button is pressed; nothing is sampled."""
    with st.container(horizontal=True):
        for label, build, suffix, kind in (
            ("Workbook (xlsx)", lambda: files.to_xlsx(tables), "xlsx", _XLSX),
            ("Table (csv)", lambda: files.to_csv(tables), "csv", "text/csv"),
            ("Table (parquet)", lambda: files.to_parquet(tables), "parquet", "application/octet-stream"),
        ):
            st.download_button(
                label,
                data=build,
                file_name=f"{stem}.{suffix}",
                mime=kind,
                key=f"{stem}:{suffix}",
                on_click="ignore",
                type="primary" if suffix == "xlsx" else "secondary",
            )


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def rows_with(rows: pd.DataFrame, columns: Sequence[str], wanted: str) -> pd.DataFrame:
    """Return the rows whose text columns together hold all wanted words, whole or in part; case and accents aside."""
    words = _folded(pa.array([wanted]))[0].as_py().split()
    texts = [name for name in columns if pd.api.types.is_string_dtype(rows[name].dtype)]
    if not words or not texts:
        return rows.head(0) if words else rows
    folded = [_folded(pa.array(rows[name], type=pa.large_string(), from_pandas=True)) for name in texts]
    joined = pc.binary_join_element_wise(*folded, pa.scalar("\n", pa.large_string()), null_handling="replace")
    held = [pc.match_substring(joined, word) for word in words]
    return rows[np.logical_and.reduce([np.asarray(column) for column in held])]


def _folded(texts: pa.Array) -> pa.Array:
    """Return texts in small letters without accents."""
    return pc.utf8_lower(pc.replace_substring_regex(pc.utf8_normalize(texts, "NFKD"), r"\p{Mn}", ""))


def plain(text: str) -> str:
    r"""Escape what markdown would read as formatting, as an image or as a character's number.

    >>> print(plain(r"![x](https://a.example/i.png) \[y] &#91;"))
    !\[x\](https://a.example/i.png) \\\[y\] \&#91;
    """
    return "".join(f"\\{letter}" if letter in "\\&*_[]$`~<>" else letter for letter in text)
