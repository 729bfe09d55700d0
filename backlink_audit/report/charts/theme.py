"""What every chart shares: the base layout, the empty state, the colours, and how long URLs are shortened.

Colours of the text, the ground and the grid are left to the viewer, so that a chart reads in light and in dark.
"""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import plotly.graph_objects as go

from backlink_audit.labels import Label, readable_on

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#8A8D91")
"""Seven colours that colour-blind eyes keep apart (Okabe and Ito, 2008), readable on light and dark ground."""

ACCENT = "#2E7EBB"
"""The one colour of a chart whose marks all mean the same thing."""

MUTED = "#8A8D91"
"""Whatever is not the point: reference lines, blanks, the rest."""

UNCLEAR = "unclear"
"""The field of pages whose subject is not clear."""

HEIGHT = 360
"""Pixels; high enough for about a dozen bars with labels."""

BAR_HEIGHT = 26
"""Pixels for each bar of a bar chart that lists names."""

LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.0, "yanchor": "bottom", "title": {"text": ""}}
"""Above the marks: beneath them it covers the axis as soon as the window is made narrower."""

READABLE = {"minsize": 10, "mode": "hide"}
"""For the tiles of a tree map: words that would be smaller are left to the hover."""

NAMED_BAR_HEIGHT = 42
"""Pixels for each bar that has its name above it."""


MOST_SINGLE_TICKS = 12
"""Counts up to here have a tick each; the library would put halves between few of them."""


def figure(title: str, subtitle: str = "", *, height: int = HEIGHT) -> go.Figure:
    """Return an empty figure with the house's layout.

    Args:
        title: The chart's finding or question.
        subtitle: What is drawn, and from how many rows.
        height: In pixels; see `bars_height` for charts that list names.
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
