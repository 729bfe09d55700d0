"""The internal links' charts: network, heat map, and how similar the suggested pairs are.

They take the table of `pipelines.interlinks.Opportunities`. networkx places the nodes of the network.
"""

from collections.abc import Sequence
from html import escape

import networkx as nx
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import readable_on
from backlink_audit.report.charts.graphs import draw_edges, hide_axes
from backlink_audit.report.charts.names_on_map import NARROW, place_names
from backlink_audit.report.charts.theme import (
    ACCENT,
    count_axis,
    empty,
    figure,
    shorten,
    shorten_distinct,
)
from backlink_audit.wording import count

MOST_HEAT_NAMES = 40
"""Pages named beside the heat map; more names would cover each other."""
MOST_LABELS = 20
"""Pages named in the network, those with the most links."""
NETWORK_HEIGHT = 640
NETWORK_CHARACTERS = 22
"""Letters of a name, so that some have room on a telephone."""
LAYOUT_STEPS = 300
EDGE = 0.05
"""Share of the network's frame that stays free at each side."""
HEAT_CHARACTERS = 20
"""Letters of a name beside the heat map; below it are the names' numbers, which leave room for those in the cells."""
HEAT = [(0.0, "#F7FBFF"), (1.0, "#6BAED6")]
"""From similarity 0 to 1: light enough at both ends for the black numbers in the cells."""
STEP = 0.02
"""Width of the bars of similarity."""


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
    """Return cosines as whole hundredths, which fit into a cell on a telephone; "" for a page and itself."""
    numbers = np.rint(100 * similarities.to_numpy()).astype(int)
    return [["" if one == other else str(cell) for other, cell in enumerate(row)] for one, row in enumerate(numbers)]


def similarities(pairs: pd.DataFrame, minimum: float) -> go.Figure:
    """How similar are the suggested pairs? A histogram over all of them."""
    title = "How similar are the two pages of a suggested link?"
    if pairs.empty:
        return empty(title, "No suggested links to show.")
    drawn = figure(title, f"{count(len(pairs), 'suggested link')}; the minimum is {minimum:.2f}")
    drawn.add_histogram(
        x=pairs["similarity"], xbins={"size": STEP}, marker_color=ACCENT, hovertemplate="%{x}: %{y}<extra></extra>"
    )
    drawn.update_xaxes(title_text="Similarity (cosine)")
    counts = np.unique((pairs["similarity"] // STEP).to_numpy(), return_counts=True)[1]
    drawn.update_yaxes(**count_axis("Suggested links", int(counts.max())))
    return drawn
