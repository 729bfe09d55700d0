"""What every chart shares: the base layout, the empty state, the colours, and how long URLs are shortened.

Colours of the text, the ground and the grid are left to the viewer, so that a chart reads in light and in dark.
"""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import BANDS, NOT_ENOUGH_DATA, Label, readable_on
from backlink_audit.wording import by_number, count, part_of, percent

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#8A8D91")
"""Seven colours that colour-blind eyes keep apart (Okabe and Ito, 2008), readable on light and dark ground."""

ACCENT = "#2E7EBB"
"""The one colour of a chart whose marks all mean the same thing."""

MUTED = "#8A8D91"
"""Whatever is not the point: reference lines, blanks, the rest."""

UNCLEAR = "unclear"  # The field of pages whose subject is not clear

HEIGHT = 360  # Pixels; high enough for about a dozen bars with labels

BAR_HEIGHT = 26  # Pixels for each bar of a bar chart that lists names

LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.0, "yanchor": "bottom", "title": {"text": ""}}
"""Above the marks: beneath them it covers the axis as soon as the window is made narrower."""

READABLE = {"minsize": 10, "mode": "hide"}
"""For the tiles of a tree map: words that would be smaller are left to the hover."""

NAMED_BAR_HEIGHT = 42  # Pixels for each bar that has its name above it


MOST_SINGLE_TICKS = 12  # Counts up to here have a tick each; the library would put halves between few of them
NO_LINKS = "No links to show."
BLANK, NEGATIVE, ZERO, TINY = "blank", "negative", "0", "under 0.001"
TICKS = {NEGATIVE: "&lt;0", TINY: "&lt;0.001"}  # Short words for the axis
NO_BAND = Label("no text to compare", NOT_ENOUGH_DATA.colour, NOT_ENOUGH_DATA.meaning)

GUTTER = 0.12  # Share of the width between the two scales, for the numbers of the right one

PER_COLUMN = "<b>%{x}</b><br>%{fullData.name}: %{y:,} links<extra></extra>"

SIMILARITY_EDGES = np.round(np.linspace(0, 1, 21), 2)
RELEVANCE_EDGES = np.arange(0, 101, 5)
CAS_EDGES = np.array([float(f"{lead}e{power}") for power in range(-3, 5) for lead in (1, 3)])
"""Steps of about three times, from 0.001 to 30,000."""


def figure(title: str, subtitle: str = "", *, height: int = HEIGHT) -> go.Figure:
    """Return an empty figure with the house's layout; `height` in pixels (`bars_height` for charts that list names).

    `title`: the chart's finding or question; `subtitle`: what is drawn, and from how many rows.
    """
    return go.Figure(
        layout=go.Layout(
            title={"text": title, "subtitle": {"text": subtitle}, "x": 0, "xanchor": "left"},
            height=height,
            margin={"l": 8, "r": 8, "t": 64, "b": 8},
            colorway=PALETTE,
            bargap=0.12,
            hoverlabel={"align": "left", "namelength": -1},
            legend=LEGEND,
            xaxis={"automargin": True, "zeroline": False},
            yaxis={"automargin": True, "zeroline": False},
            separators=".,",
        )
    )


def one_bar(title: str, subtitle: str, counts: Mapping[str, int], labels: Sequence[Label]) -> go.Figure:
    """Return how many have which state, as one bar in the states' colours; `counts` by the labels' words."""
    drawn = figure(title, subtitle, height=150)
    for label in labels:
        number = counts.get(label.word, 0)
        drawn.add_bar(
            y=[""],
            x=[number],
            name=label.word,
            orientation="h",
            marker_color=label.colour,
            text=[f"{number:,}" if number else ""],
            insidetextfont_color=readable_on(label.colour),
            hovertemplate=f"{label.word}: {number:,}<extra></extra>",
        )
    drawn.update_layout(barmode="stack", legend_traceorder="normal")
    drawn.update_yaxes(visible=False)
    drawn.update_xaxes(visible=False)
    return drawn


def empty(title: str, sentence: str) -> go.Figure:
    """Return a figure that says in words why there is nothing to draw."""
    drawn = figure(title, height=160)
    drawn.update_xaxes(visible=False)
    drawn.update_yaxes(visible=False)
    drawn.add_annotation(text=sentence, x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False)
    return drawn


def bars_height(bars: int) -> int:
    """Return the height in pixels of a chart with that many named bars.

    >>> bars_height(2) < bars_height(20)
    True
    """
    return 110 + BAR_HEIGHT * max(bars, 3)


def named_bars(
    title: str,
    subtitle: str,
    *,
    names: Sequence[str],
    values: Sequence[float],
    labels: Sequence[Label] | None = None,
    hovers: Sequence[str] | None = None,
    number_format: str = ",.3f",
) -> go.Figure:
    """Return bars side on, first on top, each with its name above it, so that long names fit a narrow screen.

    `labels` gives each bar its meaning: bars of one label share its colour and its entry in the legend.
    """
    drawn = figure(title, subtitle, height=100 + NAMED_BAR_HEIGHT * max(len(names), 2))
    meanings = labels or [Label("", ACCENT, "")] * len(names)
    for label in dict.fromkeys(meanings):
        rows = [row for row, meaning in enumerate(meanings) if meaning == label]
        drawn.add_bar(
            y=rows,
            x=[values[row] for row in rows],
            orientation="h",
            width=0.36,
            name=label.word,
            marker_color=label.colour,
            text=[format(values[row], number_format) for row in rows],
            textposition="outside",
            cliponaxis=False,
            hovertext=[(hovers or names)[row] for row in rows],
            hoverinfo="text",
            showlegend=bool(label.word),
        )
    low, high = min([0, *values]), max([0, *values])
    room = 0.16 * (high - low) or 1.0
    left = low - room if low < 0 else 0
    drawn.add_scatter(
        y=[row - 0.36 for row in range(len(names))],
        x=[left] * len(names),
        mode="text",
        text=list(names),
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )
    drawn.update_yaxes(visible=False, range=[len(names) - 0.6, -0.8])
    drawn.update_xaxes(range=[left, high + room])
    drawn.update_layout(barmode="overlay")
    return drawn


def count_axis(word: str, most: float) -> dict[str, Any]:
    """Return the look of an axis that counts: whole numbers only, from 0; `most` is the highest count drawn.

    >>> count_axis("Links", 3)["dtick"], count_axis("Links", 3_000)["dtick"]
    (1, None)
    """
    dtick = 1 if most < MOST_SINGLE_TICKS else None
    return {"title": {"text": word}, "tickformat": ",d", "rangemode": "tozero", "dtick": dtick}


def written(value: float, number_format: str) -> str:
    """Return a number as a hover shows it; words where it is blank.

    >>> written(0.25, ".3f"), written(float("nan"), ".3f")
    ('0.250', 'not known')
    """
    return "not known" if value != value else format(value, number_format)


def shorten(url: str, limit: int = 60) -> str:
    """Return the URL readable: without scheme and www, percent-decoded, at most `limit` long, cut in the middle.

    >>> shorten("https://www.example.org/one/")
    'example.org/one'
    >>> shorten("https://example.org/caf%C3%A9")
    'example.org/café'
    >>> shorten("https://example.org/a-very-long-folder/and-a-long-page-name.html", limit=30)
    'example.org/a-v…page-name.html'
    """
    is_web_url = url.startswith(("http://", "https://"))
    text = unquote(url.partition("://")[2]).removeprefix("www.").rstrip("/") if is_web_url else url
    return cut_middle(text, limit)


def shorten_distinct(urls: Iterable[str], limit: int = 60) -> list[str]:
    """Shorten names for an axis, keeping different ones different: a category axis would add up equal labels.

    >>> shorten_distinct(["https://a.example/", "http://a.example"])
    ['a.example', 'a.example (2)']
    """
    return distinct_labels(shorten(url, limit) for url in urls)


def distinct_labels(labels: Iterable[str]) -> list[str]:
    """Return labels with a number behind each that was there before.

    >>> distinct_labels(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    seen: dict[str, int] = {}
    different = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        different.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return different


def cut_middle(text: str, limit: int = 60) -> str:
    """Return a text of at most so many letters, cut in the middle.

    >>> cut_middle("https://a.example/one", 12)
    'https:…e/one'
    """
    tail = (limit - 1) // 2
    return text if len(text) <= limit else f"{text[: limit - 1 - tail]}…{text[-tail:]}"


def field_colour(field: str) -> str:
    """Return the colour of a topic's field: the same in every chart, whatever else is drawn.

    >>> field_colour("Travel") == field_colour("Travel")
    True
    >>> field_colour(UNCLEAR) == MUTED
    True
    """
    return MUTED if field == UNCLEAR else PALETTE[zlib.crc32(field.encode()) % len(PALETTE)]


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
    """Return the number of links of each name, for every band that has any, and for the links without a band."""
    bands = [*BANDS, NO_BAND]
    band = pd.Index([label.word for label in BANDS]).get_indexer(pd.Index(links["band"]))
    name = pd.Index(list(names)).get_indexer(pd.Index(where))
    known = name >= 0
    cells = name[known] * len(bands) + np.where(band[known] < 0, len(BANDS), band[known])
    table = np.bincount(cells, minlength=len(names) * len(bands)).reshape(len(names), len(bands))
    return [(label, table[:, column].tolist()) for column, label in enumerate(bands) if table[:, column].any()]


def interval_names(values: pd.Series, edges: np.ndarray) -> pd.Series:
    """Return the name of the interval [low, high) of each value that is at least the lowest edge."""
    codes = np.digitize(values.fillna(edges[0]), edges) - 1
    return pd.Series(_names(edges)[codes.clip(0, len(edges) - 2)], index=values.index, dtype="object")


def _names(edges: np.ndarray) -> np.ndarray:
    return np.array([f"{low:g}–{high:g}" for low, high in zip(edges, edges[1:], strict=False)], dtype=object)


def _used(edges: np.ndarray, values: pd.Series) -> np.ndarray:
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


def draw_edges(drawn: go.Figure, edges: Sequence[tuple[int, int]], x: np.ndarray, y: np.ndarray) -> None:
    """Draw all edges as one trace, with a gap between them."""
    gap = [None]
    drawn.add_scatter(
        x=[value for one, other in edges for value in (x[one], x[other], *gap)],
        y=[value for one, other in edges for value in (y[one], y[other], *gap)],
        mode="lines",
        line={"width": 1, "color": "rgba(138, 141, 145, 0.45)"},
        hoverinfo="skip",
        showlegend=False,
    )


def hide_axes(drawn: go.Figure) -> None:
    """Hide both axes, in place: only who is joined to whom has a meaning."""
    drawn.update_xaxes(visible=False)
    drawn.update_yaxes(visible=False)
