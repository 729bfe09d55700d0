"""The clusters' charts: topic map, tree map, and what each cluster earns.

They take the tables of `clusters.Clusters`. A cluster keeps its colour and mark in all of them.
"""

import textwrap
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import Label, readable_on
from backlink_audit.report.charts import MUTED, PALETTE, READABLE, count_axis, empty, figure, named_bars, shorten
from backlink_audit.wording import count, part_of, percent

COLOURS = PALETTE[:6]
MARKS = ("circle", "diamond", "square", "triangle-up", "cross")
"""Six colours come around again with another mark, so that thirty clusters can be distinguished."""
MOST_EARNING = 10  # Clusters whose clicks are drawn
MOST_BARS = 40
MOST_NAMES = 12  # Names written on the map; more would cover each other
MOST_LEAVES = 1_500  # Pages drawn in the tree map; the browser slows down beyond
MOST_TILES = 90
"""Pages up to which tiles are large enough for words; of more, the tree map shows clusters, and a click their pages."""
LINE = 14  # Characters of a line in a tile of the tree map
EDGE = 0.06  # Share of the map's frame that stays free at each side, for marks and names
MAP_HEIGHT = 560
TREE_HEIGHT = 620
WIDTH = 760  # Pixels of a map's frame that names are placed for: less than a wide screen's, more than a telephone's
NARROW = 340  # The same on a telephone
CHARACTER_WIDTH = 0.55  # Width of a letter, in font sizes
LINE_HEIGHT = 1.3  # Height of a line, in font sizes
MARK = 16  # Pixels of a mark, with the gap to its name
SIDES = ("top center", "bottom center", "middle right", "middle left")
"""plotly's names of the sides that a name can be on; the first that has room wins."""
NO_NAME = "top center"

Box = tuple[float, float, float, float]


def earned(groups: pd.DataFrame, figure_name: str, word: str) -> go.Figure:
    """Which clusters get the clicks? The clusters with most of a figure, by its column and its word."""
    known = groups[groups[figure_name] > 0].sort_values(figure_name, ascending=False, kind="stable")
    if known.empty:
        return empty(f"Which clusters get the {word}?", f"No page of the crawl has {word}.")
    shown, total = known.head(MOST_EARNING), known[figure_name].sum()
    drawn = named_bars(
        f"“{shorten(known['cluster'].iloc[0], 40)}” gets {percent(known[figure_name].iloc[0] / total)} of the {word}",
        f"{_of(len(shown), len(groups), 'cluster')} by {word}; all together {total:,.0f}",
        names=[shorten(name, 60) for name in shown["cluster"]],
        values=shown[figure_name].tolist(),
        labels=[Label("", colour(number), "") for number in shown.index],
        number_format=",.0f",
    )
    drawn.update_xaxes(**count_axis(word.capitalize(), float(shown[figure_name].max())))
    return drawn


def topic_map(pages: pd.DataFrame, groups: pd.DataFrame, referring: pd.DataFrame) -> go.Figure:
    """Which pages are about the same? Each page a mark near those like it, coloured by its cluster.

    `pages` are those on the map: cluster, cluster_number, title, url, is_hub, x and y. `referring` (title, url, x, y)
    are the pages that link to the site.
    """
    if pages.empty:
        return empty("What is the site about?", "No pages to show.")
    drawn = figure("What is the site about?", _what_is_drawn(pages, referring), height=MAP_HEIGHT)
    if len(referring):
        _marks(drawn, referring, "Referring page", MUTED, "x-thin-open", size=7)
    for number, name in enumerate(groups["cluster"]):
        members = pages[(pages["cluster_number"] == number) & ~pages["is_hub"]]
        _marks(drawn, members, name, colour(number), mark(number), size=9)
    (left, right), (low, high) = (_frame(pd.concat([pages[axis], referring[axis]])) for axis in ("x", "y"))
    hubs = pages[pages["is_hub"]].sort_values("cluster_number", kind="stable")
    _hubs(drawn, hubs, (hubs["x"] - left) / (right - left), (hubs["y"] - low) / (high - low))
    drawn.update_xaxes(visible=False, range=[left, right])
    drawn.update_yaxes(visible=False, range=[low, high])
    drawn.update_layout(dragmode="pan")
    return drawn


def tree_map(pages: pd.DataFrame, groups: pd.DataFrame) -> go.Figure:
    """Which pages make up each cluster? Areas by number of pages; a click opens a cluster."""
    title = "Which pages make up each cluster?"
    if pages.empty:
        return empty(title, "No pages to show.")
    shown = pages.sort_values(["cluster_number", "similarity"], ascending=[True, False], kind="stable")
    shown = shown[shown.groupby("cluster_number").cumcount() < max(3, MOST_LEAVES // len(groups))]
    drawn_of = shown["cluster_number"].value_counts().reindex(groups.index, fill_value=0)
    left_out = (groups["size"] - drawn_of)[lambda rest: rest > 0]
    colours = [colour(number) for number in (*groups.index, *shown["cluster_number"], *left_out.index)]
    drawn = figure(
        title,
        f"{_of(len(shown), len(pages), 'page')} in {count(len(groups), 'cluster')}; click a tile to open it",
        height=TREE_HEIGHT,
    )
    drawn.update_layout(uniformtext=READABLE)
    drawn.add_treemap(
        ids=[f"c{number}" for number in groups.index]
        + [f"p{place}" for place in range(len(shown))]
        + [f"r{number}" for number in left_out.index],
        labels=[
            *(_cluster_tile(*row) for row in zip(groups["cluster"], groups["size"], strict=True)),
            *(_wrapped(title) for title in shown["title"]),
        ]
        + [f"and {rest:,} more" for rest in left_out],
        parents=[""] * len(groups)
        + [f"c{number}" for number in shown["cluster_number"]]
        + [f"c{number}" for number in left_out.index],
        values=[*groups["size"], *([1] * len(shown)), *left_out],
        hovertext=_cluster_hovers(groups)
        + _hovers(shown, shown["cluster"])
        + ["The table lists every page."] * len(left_out),
        hoverinfo="text",
        marker_colors=colours,
        textfont_color=[readable_on(its) for its in colours],
        marker_line_width=1,
        branchvalues="total",
        tiling_pad=2,
        pathbar_visible=True,
        # The ground beneath the clusters is a level, too.
        maxdepth=3 if len(shown) <= MOST_TILES else 2,
    )
    return drawn


def colour(number: int) -> str:
    """Return the colour of a cluster.

    >>> colour(0) == colour(6), colour(0) == colour(1)
    (True, False)
    """
    return COLOURS[number % len(COLOURS)]


def mark(number: int) -> str:
    """Return the mark of a cluster's pages on the map.

    >>> mark(0), mark(6), mark(40)
    ('circle', 'diamond', 'diamond')
    """
    return MARKS[number // len(COLOURS) % len(MARKS)]


def _marks(drawn: go.Figure, rows: pd.DataFrame, name: str, colour: str, symbol: str, *, size: int) -> None:
    drawn.add_scatter(
        x=rows["x"],
        y=rows["y"],
        mode="markers",
        name=name,
        marker={"color": colour, "symbol": symbol, "size": size, "line_color": colour, "opacity": 0.8},
        hovertext=_hovers(rows, [name] * len(rows)),
        hoverinfo="text",
        customdata=rows.index,
        showlegend=name == "Referring page",
    )


def _frame(places: pd.Series) -> tuple[float, float]:
    low, high = float(places.min()), float(places.max())
    free = EDGE * (high - low) or 1.0
    return low - free, high + free


def _hubs(drawn: go.Figure, hubs: pd.DataFrame, x: pd.Series, y: pd.Series) -> None:
    """Draw the hubs, those of the largest clusters with the first words of their names, as far as there is room."""
    numbers = hubs["cluster_number"]
    names = [shorten(_first_words(name), 24) for name in hubs["cluster"]]
    placed = place_names(x.to_numpy(), y.to_numpy(), names, height=MAP_HEIGHT, most=MOST_NAMES)
    drawn.add_scatter(
        x=hubs["x"],
        y=hubs["y"],
        mode="markers+text",
        text=[_bold(name) if name else "" for name, _ in placed],
        textposition=[side for _, side in placed],
        name="Hub of a cluster",
        marker={
            "color": [colour(number) for number in numbers],
            "symbol": "star",
            "size": 15,
            "line": {"width": 1, "color": "#FFFFFF"},
        },
        hovertext=_hovers(hubs, "Hub of " + hubs["cluster"]),
        hoverinfo="text",
        customdata=hubs.index,
    )


def _what_is_drawn(pages: pd.DataFrame, referring: pd.DataFrame) -> str:
    others = f" and {count(len(referring), 'referring page')}" if len(referring) else ""
    return (
        f"{count(len(pages), 'page')}{others}. Pages that are close together are similar; distances between "
        "separate groups mean little (t-SNE)"
    )


def _hovers(rows: pd.DataFrame, below: Iterable[str]) -> list[str]:
    return [
        "<br>".join(line for line in (_bold(shorten(title, 90)), escape(shorten(url, 110)), escape(last)) if line)
        for title, url, last in zip(rows["title"], rows["url"], below, strict=True)
    ]


def _first_words(name: str) -> str:
    return name.partition(", ")[0]


def _cluster_tile(name: str, size: int) -> str:
    return f"{escape(shorten(_first_words(name), 30))} ({size:,})"


def _wrapped(title: str) -> str:
    return "<br>".join(escape(line) for line in textwrap.wrap(shorten(title, 60), LINE))


def _bold(text: str) -> str:
    return f"<b>{escape(text)}</b>"


def _cluster_hovers(groups: pd.DataFrame) -> list[str]:
    columns = (groups["cluster"], groups["size"], groups["mean_similarity"], groups["hub_title"])
    return [
        f"{_bold(name)}<br>{count(size, 'page')}, mean similarity {similarity:.3f}<br>Hub: {escape(hub)}"
        for name, size, similarity, hub in zip(*columns, strict=True)
    ]


def _of(shown: int, total: int, noun: str) -> str:
    return count(total, noun) if shown == total else part_of(shown, total, noun)


def place_names(
    x: Sequence[float] | np.ndarray,
    y: Sequence[float] | np.ndarray,
    names: Sequence[str],
    *,
    height: int,
    font: int = 12,
    most: int = 20,
    width: int = WIDTH,
) -> list[tuple[str, str]]:
    """Return each mark's name with the side it is on; "" for a name that would cover another or leave the frame.

    `x`, `y`: shares of the frame, from the left and from the bottom. `names` of the first marks are placed first,
    `most` at most; "" is none. `width`, `height`, `font`: pixels; what has room in one width has it in every wider one.
    """
    left, top = np.asarray(x) * width, np.asarray(y) * height
    marks: list[Box] = [
        (a - MARK / 2, b - MARK / 2, a + MARK / 2, b + MARK / 2)
        for a, b, name in zip(left, top, names, strict=True)
        if name
    ]
    taken: list[Box] = []
    placed = []
    for a, b, name in zip(left, top, names, strict=True):
        side = _free_side(a, b, name, (width, height), font, [*taken, *marks]) if name and len(taken) < most else None
        if side:
            taken.append(_box(a, b, name, side, font))
        placed.append((name, side) if side else ("", NO_NAME))
    return placed


def _free_side(a: float, b: float, name: str, frame: tuple[int, int], font: int, taken: list[Box]) -> str | None:
    for side in SIDES:
        box = _box(a, b, name, side, font)
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= frame[0] and box[3] <= frame[1]
        if inside and not any(_overlap(box, other) for other in taken):
            return side
    return None


def _box(a: float, b: float, name: str, side: str, font: int) -> Box:
    wide, high = CHARACTER_WIDTH * font * len(name), LINE_HEIGHT * font
    vertical, horizontal = side.split()
    middle = {"left": a - MARK / 2 - wide / 2, "center": a, "right": a + MARK / 2 + wide / 2}[horizontal]
    level = {"bottom": b - MARK / 2 - high / 2, "middle": b, "top": b + MARK / 2 + high / 2}[vertical]
    return middle - wide / 2, level - high / 2, middle + wide / 2, level + high / 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
