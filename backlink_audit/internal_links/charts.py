"""The internal links' charts: network, heat map, and how similar the suggested pairs are.

They take the table of `internal_links.result.Opportunities`. networkx places the nodes of the network.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import networkx as nx
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.clusters.charts import CHARACTER_WIDTH, NARROW, place_names
from backlink_audit.labels import readable_on
from backlink_audit.report.charts import (
    ACCENT,
    MUTED,
    PALETTE,
    draw_edges,
    empty,
    figure,
    hide_axes,
    shorten,
    shorten_distinct,
)
from backlink_audit.wording import count

MOST_HEAT_NAMES = 40  # Pages named beside the heat map; more names would cover each other
MOST_LABELS = 20  # Pages named in the network, those with the most links
NETWORK_HEIGHT = 640
NETWORK_CHARACTERS = 22  # Letters of a name, so that some have room on a telephone
LAYOUT_STEPS = 300
EDGE = 0.05  # Share of the network's frame that stays free at each side
HEAT_CHARACTERS = 20
"""Letters of a name beside the heat map; below it are the names' numbers, which leave room for those in the cells."""
HEAT = [(0.0, "#F7FBFF"), (1.0, "#6BAED6")]
"""From similarity 0 to 1: light enough at both ends for the black numbers in the cells."""
LEVEL_COLOURS = (MUTED, PALETTE[0], PALETTE[2])
LEVEL_NAMES = ("Site", "Link from", "Link to")
LABEL_CHARACTERS = 42
ROW_WIDTH = 18  # From the site to the end of a row, in steps from one level to the next: narrow steps, room for names
TREE_HEIGHT = 1_000  # Pixels of a tree with the usual number of rows
RADIAL_CHARACTERS = 16  # Letters of a target's name in the radial tree
RADIAL_REACH = 2.0
"""From the middle to the frame, as a multiple of the targets' distance: there are the targets' names, on a telephone
too."""
_ROUND, _ROUND_TURN = 360, 2 * np.pi


def network(pairs: pd.DataFrame, strongest: int) -> go.Figure:
    """Where do the strongest suggested links run? Pages as dots, the larger the more links they give or get."""
    title = "Which pages do the best suggestions connect?"
    if pairs.empty:
        return empty(title, "No suggested links to show.")
    urls = list(dict.fromkeys([*pairs["source_url"], *pairs["target_url"]]))
    titles = dict(zip(pairs["target_url"], pairs["target_title"], strict=True)) | dict(
        zip(pairs["source_url"], pairs["source_title"], strict=True)
    )
    number = {url: place for place, url in enumerate(urls)}
    edges = [(number[one], number[other]) for one, other in zip(pairs["source_url"], pairs["target_url"], strict=True)]
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(len(urls)))
    spread = nx.spring_layout(graph, seed=0, iterations=LAYOUT_STEPS, method="energy")
    places = np.array([spread[place] for place in range(len(urls))])
    links = np.bincount(np.ravel(edges), minlength=len(urls))
    drawn = figure(
        title,
        f"The {count(len(pairs), 'link')} with the highest score of {strongest:,}, between {count(len(urls), 'page')}",
        height=NETWORK_HEIGHT,
    )
    draw_edges(drawn, edges, places[:, 0], places[:, 1])
    order = np.argsort(-links, kind="stable")
    shares = (places - places.min(axis=0)) / np.maximum(np.ptp(places, axis=0), 1e-9) * (1 - 2 * EDGE) + EDGE
    across, up = shares[order, 0], shares[order, 1]
    first_named = [shorten(titles[urls[place]], NETWORK_CHARACTERS) for place in order]
    placed = place_names(across, up, first_named, height=NETWORK_HEIGHT, most=MOST_LABELS, width=NARROW)
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
    hide_axes(drawn)
    return drawn


def heat_map(similarities: pd.DataFrame, titles: Sequence[str]) -> go.Figure:
    """How similar are the chosen pages to each other? Cosines, labelled by title."""
    title = "How similar are these pages to each other?"
    if len(similarities) < 2:
        return empty(title, "Choose at least two pages.")
    names = [f"{name} {number}" for number, name in enumerate(shorten_distinct(titles, HEAT_CHARACTERS), 1)]
    drawn = figure(
        title, f"Similarity (cosine) of {count(len(names), 'page')}, in hundredths", height=260 + 28 * len(names)
    )
    drawn.add_heatmap(
        z=similarities.to_numpy(),
        x=[str(number) for number in range(1, len(names) + 1)],
        y=names,
        zmin=0,
        zmax=1,
        colorscale=HEAT,
        colorbar={"orientation": "h", "thickness": 10, "y": 1, "yanchor": "bottom", "title": {"text": "Similarity"}},
        text=_hundredths(similarities),
        texttemplate="%{text}" if len(names) <= 12 else None,
        hovertext=[
            [f"{escape(one)}<br>{escape(other)}" for other in similarities.columns] for one in similarities.index
        ],
        hovertemplate="%{hovertext}<br>Similarity %{z:.3f}<extra></extra>",
        textfont_color=readable_on(HEAT[1][1]),
    )
    drawn.update_yaxes(autorange="reversed", dtick=1)
    drawn.update_xaxes(type="category", tickangle=0, dtick=1)
    if len(names) > MOST_HEAT_NAMES:
        drawn.update_xaxes(showticklabels=False)
        drawn.update_yaxes(showticklabels=False)
    return drawn


def _hundredths(similarities: pd.DataFrame) -> list[list[str]]:
    numbers = np.rint(100 * similarities.to_numpy()).astype(int)
    return [["" if one == other else str(cell) for other, cell in enumerate(row)] for one, row in enumerate(numbers)]


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
    """Which pages should link to which? Rows one below the other: the site, each page to edit, and then its targets.

    Every name has the rest of its row, so that it is whole on a telephone too.
    """
    title = "Which pages should link to which?"
    if pairs.empty:
        return empty(title, "No suggested links to show.")
    nodes = _tree(pairs, look)
    x, y = np.array(nodes.levels), -np.arange(len(nodes.levels))
    drawn = _draw_tree(nodes, x, y, look, title, pairs, corners=True)
    for level in range(len(LEVEL_NAMES)):
        names = [shorten(nodes.titles[node], LABEL_CHARACTERS) for node in _on_level(nodes, level)]
        drawn.update_traces(
            selector={"name": LEVEL_NAMES[level]},
            mode="markers+text",
            text=names,
            textposition="middle right",
            textfont_size=look.font_size,
            cliponaxis=False,
        )
    drawn.update_xaxes(range=[-0.5, ROW_WIDTH])
    return drawn


def radial_tree(pairs: pd.DataFrame, look: TreeLook) -> go.Figure:
    """Which pages should link to which? The site in the middle, around it the pages to edit, then their targets.

    The pages to edit have numbers, since on a narrow screen there is no room for their names: `numbered` returns those.
    """
    title = "Which pages should link to which?"
    if pairs.empty:
        return empty(title, "No suggested links to show.")
    nodes = _tree(pairs, look)
    distance = np.array(nodes.levels)
    angles = _ROUND_TURN * _places(nodes) / nodes.levels.count(2)
    x, y = distance * np.cos(angles), distance * np.sin(angles)
    drawn = _draw_tree(nodes, x, y, look, title, pairs)
    for number, node in enumerate(_on_level(nodes, 1), 1):
        _radial_number(drawn, number, x[node], y[node], look)
    for node in _on_level(nodes, 2):
        _radial_name(drawn, shorten(nodes.titles[node], RADIAL_CHARACTERS), x[node], y[node], look)
    reach = float(distance.max()) * RADIAL_REACH
    drawn.update_xaxes(range=[-reach, reach])
    drawn.update_yaxes(range=[-reach, reach], scaleanchor="x")
    return drawn


def numbered(pairs: pd.DataFrame, look: TreeLook) -> list[str]:
    """Return the titles of the pages to link from, in the order of their numbers in the radial tree."""
    if pairs.empty:
        return []
    nodes = _tree(pairs, look)
    return [nodes.titles[node] for node in _on_level(nodes, 1)]


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


def _places(nodes: _Tree) -> np.ndarray:
    """Return each node's place across the tree: targets one after the other, others in the middle of their children."""
    places = np.zeros(len(nodes.levels))
    places[_on_level(nodes, 2)] = np.arange(nodes.levels.count(2))
    parents = np.array(nodes.parents)
    for node in [*_on_level(nodes, 1), 0]:
        children = np.flatnonzero(parents == node)
        children = children[children > node]
        places[node] = (places[children[0]] + places[children[-1]]) / 2
    return places


def _draw_tree(
    nodes: _Tree,
    x: np.ndarray,
    y: np.ndarray,
    look: TreeLook,
    title: str,
    pairs: pd.DataFrame,
    *,
    corners: bool = False,
) -> go.Figure:
    sources = nodes.levels.count(1)
    drawn = figure(
        title,
        f"{count(sources, 'page')} with the best suggestions, at most {look.level_2} targets each; "
        f"{count(len(pairs), 'suggested link')} in total",
        height=look.height,
    )
    edges = [(nodes.parents[node], node) for node in range(1, len(nodes.titles))]
    if corners:  # down from the parent, then across: no line runs through a name
        turns = [(parent, place) for place, (parent, _) in enumerate(edges, len(x))]
        parents = [parent for parent, _ in edges]
        lines = [*turns, *((turn, node) for (_, turn), (_, node) in zip(turns, edges, strict=True))]
        draw_edges(drawn, lines, np.r_[x, x[parents]], np.r_[y, y[1:]])
    else:
        draw_edges(drawn, edges, x, y)
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
    hide_axes(drawn)
    return drawn


def _on_level(nodes: _Tree, level: int) -> list[int]:
    return [node for node, its in enumerate(nodes.levels) if its == level]


def _radial_number(drawn: go.Figure, number: int, x: float, y: float, look: TreeLook) -> None:
    """Write a page's number beside its node, on the side of the middle."""
    angle, size = np.arctan2(y, x), _radial_size(look)
    away = -(look.node_size / 2 + size)
    drawn.add_annotation(
        x=x,
        y=y,
        text=f"<b>{number}</b>",
        showarrow=False,
        font_size=size,
        xshift=away * float(np.cos(angle)),
        yshift=away * float(np.sin(angle)),
    )


def _radial_name(drawn: go.Figure, name: str, x: float, y: float, look: TreeLook) -> None:
    """Write a target's name outside its node along its branch, readable from left to right."""
    angle = np.arctan2(y, x)
    degrees = float(np.degrees(angle))
    left = abs(degrees) > _ROUND / 4
    size = _radial_size(look)
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


def _radial_size(look: TreeLook) -> int:
    return max(7, look.font_size - 2)
