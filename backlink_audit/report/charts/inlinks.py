"""Charts of the links that a site has already. They take the judged links of `pipelines.inlinks`."""

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import GOOD_LINK, INLINK_VERDICTS
from backlink_audit.report.charts.theme import MUTED, count_axis, empty, figure
from backlink_audit.wording import count, part_of

BAND = 10
"""Relevance, 0 to 100, in steps of ten."""


def relevances(links: pd.DataFrame) -> go.Figure:
    """How relevant are the two pages of each link to each other: links by relevance, coloured by verdict."""
    title = "How close are the pages that are linked?"
    known = links[links["page_relevance"].notna()]
    if known.empty:
        return empty(title, "There are no links to judge.")
    fine = int((links["verdict"] == GOOD_LINK.word).sum())
    drawn = figure(
        f"{part_of(fine, len(links), 'link')}: nothing to do",
        f"{count(len(known), 'link')} by the relevance of their two pages; the line is where two pages of chance are",
    )
    band = (known["page_relevance"].clip(0, 99.9) // BAND).astype(int)
    for label in INLINK_VERDICTS:
        counts = band[known["verdict"] == label.word].value_counts().sort_index()
        if counts.empty:
            continue
        drawn.add_bar(
            x=[BAND * (place + 0.5) for place in counts.index],
            y=counts.to_numpy(),
            width=0.9 * BAND,
            name=label.word,
            marker_color=label.colour,
            customdata=[f"{BAND * place} to {BAND * (place + 1)}" for place in counts.index],
            hovertemplate="relevance %{customdata}<br>%{fullData.name}: %{y:,} links<extra></extra>",
        )
    drawn.add_vline(50, line={"color": MUTED, "dash": "dot", "width": 1})
    drawn.update_layout(barmode="stack")
    drawn.update_xaxes(title_text="Relevance of the two pages (0–100)", range=[-1, 101])
    drawn.update_yaxes(**count_axis("Links", int(band.value_counts().max())))
    return drawn
