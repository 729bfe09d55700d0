"""The internal links' charts: trees, network, heat map, and how similar the suggested pairs are.

They take the table of `pipelines.interlinks.Opportunities`. igraph places the nodes; nothing here lays them out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import igraph as ig
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.report.charts.names_on_map import CHARACTER_WIDTH, place_names
from backlink_audit.report.charts.theme import (
    ACCENT,
    MUTED,
    PALETTE,
    count_axis,
    empty,
    figure,
    shorten,
    shorten_distinct,
)
from backlink_audit.wording import count

LEVEL_COLOURS = (MUTED, PALETTE[0], PALETTE[2])
LEVEL_NAMES = ("Site", "Link from", "Link to")
LABEL_CHARACTERS = 42
MOST_HEAT_NAMES = 40
"""Pages named beside the heat map; more names would cover each other."""
MOST_LABELS = 20
"""Pages named in the network, those with the most links."""
NETWORK_HEIGHT = 640
EDGE = 0.05
"""Share of the network's frame that stays free at each side."""
STEP = 0.02
"""Width of the bars of similarity."""
_ROUND = 360


@dataclass(frozen=True)
class TreeLook:
    """What a tree shows and how: pages linked from (level 1), pages each links to (level 2), sizes in pixels."""

    level_1: int = 12
    level_2: int = 4
    node_size: int = 9
    font_size: int = 12
    height: int = 760


@dataclass(frozen=True, eq=False)
class _Tree:
    """Nodes from the root on: titles, urls and levels (0 root, 1, 2), the parent of each, and their order by level."""

    titles: list[str]
    urls: list[str]
    levels: list[int]
    parents: list[int]


def tree(pairs: pd.DataFrame, look: TreeLook) -> go.Figure:
    """Which pages should link to which? The site on the left, the pages to edit, and their targets on the right."""
    title = "Which pages should link to which?"
    if pairs.empty:
        return empty(title, "There are no suggested links to draw.")
    nodes = _tree(pairs, look)
    placed = np.array(_graph(nodes).layout_reingold_tilford(root=[0]).coords)
    x, y = placed[:, 1], placed[:, 0]
    drawn = _draw_tree(nodes, x, y, look, title, pairs)
    for level, side in enumerate(("bottom center", "top center", "middle right")):
        names = [shorten(nodes.titles[node], LABEL_CHARACTERS) for node in _on_level(nodes, level)]
        drawn.update_traces(
            selector={"name": LEVEL_NAMES[level]},
            mode="markers+text",
            text=names,
            textposition=side,
            textfont_size=look.font_size,
            cliponaxis=False,
        )
    drawn.update_xaxes(range=[-0.35, 3.1])
    return drawn


def radial_tree(pairs: pd.DataFrame, look: TreeLook) -> go.Figure:
    """Which pages should link to which? The site in the middle, around it the pages to edit, then their targets."""
    title = "Which pages should link to which?"
    if pairs.empty:
        return empty(title, "There are no suggested links to draw.")
    nodes = _tree(pairs, look)
    placed = np.array(_graph(nodes).layout_reingold_tilford_circular(root=[0]).coords)
    x, y = placed[:, 0], placed[:, 1]
    drawn = _draw_tree(nodes, x, y, look, title, pairs)
    for node in range(1, len(nodes.titles)):
        _radial_name(
            drawn, shorten(nodes.titles[node], LABEL_CHARACTERS // 2), x[node], y[node], nodes.levels[node], look
        )
    reach = float(np.hypot(x, y).max()) * 1.6
    drawn.update_xaxes(range=[-reach, reach])
    drawn.update_yaxes(range=[-reach, reach], scaleanchor="x")
    return drawn


def network(pairs: pd.DataFrame, strongest: int) -> go.Figure:
    """Where do the strongest suggested links run? Pages as dots, the larger the more links they give or get."""
    title = "Where do the strongest suggested links run?"
    if pairs.empty:
        return empty(title, "There are no suggested links to draw.")
    urls = list(dict.fromkeys([*pairs["source_url"], *pairs["target_url"]]))
    titles = dict(zip(pairs["target_url"], pairs["target_title"], strict=True)) | dict(
        zip(pairs["source_url"], pairs["source_title"], strict=True)
    )
    number = {url: place for place, url in enumerate(urls)}
    edges = [(number[one], number[other]) for one, other in zip(pairs["source_url"], pairs["target_url"], strict=True)]
    graph = ig.Graph(n=len(urls), edges=edges)
    places = np.array(graph.layout_kamada_kawai(seed=graph.layout_circle().coords).coords)
    links = np.array(graph.degree())
    drawn = figure(
        title,
        f"The {count(len(pairs), 'link')} with the highest score of {strongest:,}, between {count(len(urls), 'page')}",
        height=NETWORK_HEIGHT,
    )
    _lines(drawn, edges, places[:, 0], places[:, 1])
    order = np.argsort(-links, kind="stable")
    shares = (places - places.min(axis=0)) / np.maximum(np.ptp(places, axis=0), 1e-9) * (1 - 2 * EDGE) + EDGE
    across, up = shares[order, 0], shares[order, 1]
    first_named = [shorten(titles[urls[place]], 28) for place in order]
    placed = place_names(across, up, first_named, height=NETWORK_HEIGHT, most=MOST_LABELS)
    named = dict(zip(order.tolist(), placed, strict=True))
    drawn.add_scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers+text",
        marker={"size": 7 + 3 * np.sqrt(links), "color": ACCENT, "line": {"width": 1, "color": "white"}},
        text=[named[place][0] for place in range(len(urls))],
        textposition=[named[place][1] for place in range(len(urls))],
        hovertext=[f"{escape(titles[url])}<br>{escape(url)}<br>{links[place]} links" for place, url in enumerate(urls)],
        hoverinfo="text",
        customdata=urls,
        showlegend=False,
    )
    return _bare(drawn)


def heat_map(similarities: pd.DataFrame, titles: Sequence[str]) -> go.Figure:
    """How similar are the chosen pages to each other? Cosines, labelled by title."""
    title = "How similar are these pages to each other?"
    if len(similarities) < 2:
        return empty(title, "Choose at least two pages.")
    names = shorten_distinct(titles, 28)
    drawn = figure(title, f"Cosines of {count(len(names), 'page')}", height=260 + 28 * len(names))
    drawn.add_heatmap(
        z=similarities.to_numpy(),
        x=names,
        y=names,
        zmin=0,
        zmax=1,
        colorscale="Blues",
        colorbar={"orientation": "h", "thickness": 10, "y": 1, "yanchor": "bottom", "title": {"text": "Similarity"}},
        text=[[f"{escape(one)}<br>{escape(other)}" for other in similarities.columns] for one in similarities.index],
        hovertemplate="%{text}<br>Similarity %{z:.3f}<extra></extra>",
        texttemplate="%{z:.2f}" if len(names) <= 12 else None,
    )
    drawn.update_yaxes(autorange="reversed", dtick=1)
    drawn.update_xaxes(tickangle=-45, dtick=1)
    if len(names) > MOST_HEAT_NAMES:
        drawn.update_xaxes(showticklabels=False)
        drawn.update_yaxes(showticklabels=False)
    return drawn


def similarities(pairs: pd.DataFrame, minimum: float) -> go.Figure:
    """How similar are the suggested pairs? A histogram over all of them."""
    title = "How similar are the pages of a suggested link?"
    if pairs.empty:
        return empty(title, "There are no suggested links to draw.")
    drawn = figure(title, f"{count(len(pairs), 'suggested link')}; the minimum is {minimum:.2f}")
    drawn.add_histogram(
        x=pairs["similarity"], xbins={"size": STEP}, marker_color=ACCENT, hovertemplate="%{x}: %{y}<extra></extra>"
    )
    drawn.update_xaxes(title_text="Similarity (cosine)")
    counts = np.unique((pairs["similarity"] // STEP).to_numpy(), return_counts=True)[1]
    drawn.update_yaxes(**count_axis("Suggested links", int(counts.max())))
    return drawn


def _tree(pairs: pd.DataFrame, look: TreeLook) -> _Tree:
    """Choose the pages with the best-scored suggestions, and of each its best targets."""
    best = pairs.sort_values("score", ascending=False, kind="stable").drop_duplicates("source_url")["source_url"]
    site = shorten(pairs["source_url"].iloc[0], 200).partition("/")[0]
    nodes = _Tree([site], [""], [0], [0])
    groups = dict(list(pairs.groupby("source_url", sort=False)))
    for url in best.head(look.level_1):
        rows = groups[url].head(look.level_2)
        parent = len(nodes.titles)
        _add(nodes, rows["source_title"].iloc[0], url, 1, 0)
        for title, target in zip(rows["target_title"], rows["target_url"], strict=True):
            _add(nodes, title, target, 2, parent)
    return nodes


def _add(nodes: _Tree, title: str, url: str, level: int, parent: int) -> None:
    nodes.titles.append(title)
    nodes.urls.append(url)
    nodes.levels.append(level)
    nodes.parents.append(parent)


def _graph(nodes: _Tree) -> ig.Graph:
    return ig.Graph(n=len(nodes.titles), edges=[(nodes.parents[node], node) for node in range(1, len(nodes.titles))])


def _draw_tree(
    nodes: _Tree, x: np.ndarray, y: np.ndarray, look: TreeLook, title: str, pairs: pd.DataFrame
) -> go.Figure:
    sources = nodes.levels.count(1)
    drawn = figure(
        title,
        f"{count(sources, 'page')} with the best suggestions and at most {look.level_2} targets each, "
        f"of {count(len(pairs), 'suggested link')}",
        height=look.height,
    )
    _lines(drawn, [(nodes.parents[node], node) for node in range(1, len(nodes.titles))], x, y)
    for level, colour in enumerate(LEVEL_COLOURS):
        here = _on_level(nodes, level)
        drawn.add_scatter(
            x=x[here],
            y=y[here],
            mode="markers",
            name=LEVEL_NAMES[level],
            marker={"size": look.node_size, "color": colour},
            hovertext=[f"{escape(nodes.titles[node])}<br>{escape(nodes.urls[node])}" for node in here],
            hoverinfo="text",
            customdata=[nodes.urls[node] for node in here],
        )
    drawn.update_layout(legend_y=0, legend_yanchor="top")
    return _bare(drawn)


def _on_level(nodes: _Tree, level: int) -> list[int]:
    return [node for node, its in enumerate(nodes.levels) if its == level]


def _radial_name(drawn: go.Figure, name: str, x: float, y: float, level: int, look: TreeLook) -> None:
    """Write a name along its branch, outside its node, readable from left to right on both sides."""
    angle = np.arctan2(y, x)
    degrees = float(np.degrees(angle))
    left = abs(degrees) > _ROUND / 4
    size = look.font_size if level == 1 else max(7, look.font_size - 2)
    away = look.node_size + CHARACTER_WIDTH * size * len(name) / 2
    drawn.add_annotation(
        x=x,
        y=y,
        text=escape(name),
        textangle=-(degrees + _ROUND / 2 if left else degrees),
        showarrow=False,
        font_size=size,
        xshift=away * float(np.cos(angle)),
        yshift=away * float(np.sin(angle)),
    )


def _lines(drawn: go.Figure, edges: Sequence[tuple[int, int]], x: np.ndarray, y: np.ndarray) -> None:
    """Draw all edges as one trace; a gap parts them."""
    gap = [None]
    drawn.add_scatter(
        x=[value for one, other in edges for value in (x[one], x[other], *gap)],
        y=[value for one, other in edges for value in (y[one], y[other], *gap)],
        mode="lines",
        line={"width": 1, "color": "rgba(138, 141, 145, 0.45)"},
        hoverinfo="skip",
        showlegend=False,
    )


def _bare(drawn: go.Figure) -> go.Figure:
    drawn.update_xaxes(visible=False)
    drawn.update_yaxes(visible=False)
    return drawn
