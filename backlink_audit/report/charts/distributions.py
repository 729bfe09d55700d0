"""How values are spread: histograms of similarity, relevance and CAS, by band of relevance.

Nothing is dropped: blanks, zeros and negative values have bars of their own, so that the bars add up to the rows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import BANDS, NOT_ENOUGH_DATA, Label
from backlink_audit.report.charts.theme import UNCLEAR, count_axis, empty, figure
from backlink_audit.wording import by_number, count, part_of, percent

NO_LINKS = "No links to show."
BLANK, NEGATIVE, ZERO, TINY = "blank", "negative", "0", "under 0.001"
TICKS = {NEGATIVE: "&lt;0", TINY: "&lt;0.001"}
"""Short words for the axis."""
NO_BAND = Label("no text to compare", NOT_ENOUGH_DATA.colour, NOT_ENOUGH_DATA.meaning)

GUTTER = 0.12
"""Share of the width between the two scales, for the numbers of the right one."""

PER_COLUMN = "<b>%{x}</b><br>%{fullData.name}: %{y:,} links<extra></extra>"

SIMILARITY_EDGES = np.round(np.linspace(0, 1, 21), 2)
RELEVANCE_EDGES = np.arange(0, 101, 5)
CAS_EDGES = np.array([float(f"{lead}e{power}") for power in range(-3, 5) for lead in (1, 3)])
"""Steps of about three times, from 0.001 to 30,000."""


def similarity_histogram(links: pd.DataFrame) -> go.Figure:
    """How close are the links to their target pages: counts in steps of 0.05."""
    title = "How similar are the referring pages to their target pages?"
    if links.empty:
        return empty(title, NO_LINKS)
    values = links["similarity"]
    if values.notna().any():
        title = f"Half of the links have a similarity above {values.median():.2f}"
    where = interval_names(values, SIMILARITY_EDGES).mask(values < 0, NEGATIVE).mask(values.isna(), BLANK)
    return _bars(links, where, [BLANK, NEGATIVE], SIMILARITY_EDGES, 4, title, "Similarity (cosine)")


def relevance_histogram(links: pd.DataFrame) -> go.Figure:
    """How relevant are the links: counts of relevance in steps of 5."""
    if links.empty:
        return empty("How relevant are the links?", NO_LINKS)
    relevant = int((links["band"] == BANDS[0].word).sum())
    title = f"{part_of(relevant, len(links), 'link')} {by_number(relevant, 'is', 'are')} relevant"
    values = links["relevance"]
    where = interval_names(values, RELEVANCE_EDGES).mask(values.isna(), BLANK)
    return _bars(links, where, [BLANK], RELEVANCE_EDGES, 4, title, "Relevance (0 to 100)")


def cas_histogram(links: pd.DataFrame) -> go.Figure:
    """How is CAS spread: counts in steps of about three times, since its tail is long."""
    title = "Which links have the highest CAS?"
    if links.empty:
        return empty(title, NO_LINKS)
    values = links["cas"]
    positive = values[values > 0]
    if len(positive):
        tenth = max(1, round(len(positive) / 10))
        share = positive.nlargest(tenth).sum() / positive.sum()
        strongest = by_number(tenth, "The strongest link has", f"The strongest {tenth:,} links have")
        title = f"{strongest} {percent(share)} of all CAS"
    edges = _used(CAS_EDGES, positive if len(positive) else pd.Series([0.1]))
    where = interval_names(values, edges).mask(values < CAS_EDGES[0], TINY).mask(values == 0, ZERO)
    where = where.mask(values < 0, NEGATIVE).mask(values.isna(), BLANK)
    axis = "CAS (log scale)"
    return _bars(links, where, [BLANK, NEGATIVE, ZERO, TINY], edges, 2, title, axis)


def about_finding(fields: pd.Series) -> str:
    """Say what most referring pages are about; `fields`: rows of each field, the unclear ones among them.

    >>> about_finding(pd.Series({"unclear": 3, "Travel": 1}))
    '25% come from pages about travel; 75% with an unclear topic'
    """
    clear = fields.drop(UNCLEAR, errors="ignore").sort_values(ascending=False, kind="stable")
    if clear.empty:
        return "The topics of the referring pages are unclear"
    unclear = f"; {percent(fields[UNCLEAR] / fields.sum())} with an unclear topic" if UNCLEAR in fields else ""
    return f"{percent(clear.iloc[0] / fields.sum())} come from pages about {clear.index[0].lower()}{unclear}"


def counts_by_band(links: pd.DataFrame, where: pd.Series, names: Sequence[str]) -> list[tuple[Label, list[int]]]:
    """Return the number of links of each name, for every band that has any, and for the links without a band.

    `where` has one of `names` for each link.
    """
    bands = [*BANDS, NO_BAND]
    band = pd.Index([label.word for label in BANDS]).get_indexer(pd.Index(links["band"]))
    name = pd.Index(list(names)).get_indexer(pd.Index(where))
    known = name >= 0
    cells = name[known] * len(bands) + np.where(band[known] < 0, len(BANDS), band[known])
    table = np.bincount(cells, minlength=len(names) * len(bands)).reshape(len(names), len(bands))
    return [(label, table[:, column].tolist()) for column, label in enumerate(bands) if table[:, column].any()]


def interval_names(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return the name of the interval [low, high) of each value that is at least the lowest edge.

    Values above the highest edge count to the last interval.
    """
    codes = np.digitize(values.fillna(edges[0]), edges) - 1
    return pd.Series(_names(edges)[codes.clip(0, len(edges) - 2)], index=values.index, dtype="object")


def _names(edges: np.ndarray) -> np.ndarray:
    return np.array([f"{low:g}–{high:g}" for low, high in zip(edges, edges[1:], strict=False)], dtype=object)


def _used(edges: np.ndarray, values: pd.Series) -> np.ndarray:
    """The edges around the values, at least two."""
    first = max(0, int(np.digitize(values.min(), edges)) - 1)
    last = min(len(edges) - 1, max(int(np.digitize(values.max(), edges)), first + 1))
    return edges[first : last + 1]


def _bars(
    links: pd.DataFrame, where: pd.Series, apart: list[str], edges: np.ndarray, labelled: int, title: str, axis: str
) -> go.Figure:
    """Stacked bars: those named `apart` first, then one for each interval, every few of them labelled.

    Zeros are often more than all other values together. They would flatten the rest, so then they have their own scale.
    """
    totals = where.value_counts()
    intervals = list(_names(edges))
    special = [name for name in apart if name in totals]
    own_scale = bool(special) and totals[special].max() > totals.drop(special).max()
    blanks = int(totals.get(BLANK, 0))
    drawn = figure(title, f"{count(len(links), 'link')}" + (f", {blanks:,} of them without a value" if blanks else ""))
    if own_scale:
        _add_bars(drawn, links, where, special, xaxis="x2", yaxis="y2", showlegend=False)
    _add_bars(drawn, links, where, intervals if own_scale else special + intervals)
    shown = ([] if own_scale else special) + intervals[::labelled]
    drawn.update_layout(barmode="stack", bargap=0.06)
    drawn.update_xaxes(title_text=axis, type="category", tickvals=shown, ticktext=_ticks(shown), tickangle=0)
    drawn.update_yaxes(**count_axis("Links", totals.drop(special).max() if own_scale else totals.max()))
    return _set_apart(drawn, special, len(intervals), totals[special].max()) if own_scale else drawn


def _add_bars(drawn: go.Figure, links: pd.DataFrame, where: pd.Series, names: list[str], **looks: Any) -> None:
    for label, counts in counts_by_band(links, where, names):
        drawn.add_bar(
            x=names,
            y=counts,
            name=label.word,
            legendgroup=label.word,
            marker_color=label.colour,
            hovertemplate=PER_COLUMN,
            **looks,
        )


def _set_apart(drawn: go.Figure, special: list[str], intervals: int, most: float) -> go.Figure:
    """Lay out the bars that have a scale of their own: on the left, about as wide as the others."""
    share = min(0.4, len(special) / (len(special) + intervals) + 0.05)
    drawn.update_layout(
        xaxis={"domain": [share + GUTTER, 1]},
        yaxis={"title": {"text": ""}},
        xaxis2={
            "domain": [0, share],
            "anchor": "y2",
            "type": "category",
            "tickvals": special,
            "ticktext": _ticks(special),
        },
        yaxis2=count_axis("Links", most) | {"anchor": "x2", "automargin": True, "zeroline": False},
    )
    return drawn


def _ticks(names: list[str]) -> list[str]:
    return [TICKS.get(name, name.partition("–")[0]) for name in names]
