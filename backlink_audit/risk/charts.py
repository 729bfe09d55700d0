"""The risk review's charts: which signals were found, and how far the review is."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import REVIEW, STATES, UNDECIDED, readable_on
from backlink_audit.report.charts import MUTED, bars_height, count_axis, empty, figure, one_bar
from backlink_audit.wording import by_number, count, part_of


def signals(counts: pd.DataFrame, links: int) -> go.Figure:
    """Which risk signals do the links show: links and domains of each signal, in the order of the signals."""
    title = "Which risk signals do the links show?"
    if not links:
        return empty(title, "No links to show.")
    known = counts.dropna(subset=["links"])
    if not known["links"].sum():
        return empty(title, f"No risk signal was found in {count(links, 'link')}.")
    first = known.iloc[known["links"].argmax()]
    lacking = len(counts) - len(known)
    missing = f"; {count(lacking, 'signal')} not available in this export" if lacking else ""
    drawn = figure(
        f"{first['label']} is the most frequent signal: {count(int(first['links']), 'link')}",
        f"{count(links, 'link')} checked; a link can have several signals{missing}",
        height=bars_height(2 * len(known)),
    )
    for name, word, colour in (("links", "Links", REVIEW.colour), ("domains", "Referring domains", MUTED)):
        drawn.add_bar(
            y=known["label"],
            x=known[name],
            name=word,
            orientation="h",
            marker_color=colour,
            text=[f"{number:,}" for number in known[name]],
            textposition="auto",
            insidetextfont_color=readable_on(colour),
            textangle=0,
            hovertemplate="%{y}: %{x:,} " + word.lower() + "<extra></extra>",
        )
    drawn.update_layout(barmode="group")
    drawn.update_yaxes(autorange="reversed")
    drawn.update_xaxes(**count_axis("Number", int(known[["links", "domains"]].max().max())))
    return drawn


def states(counts: Mapping[str, int]) -> go.Figure:
    """How far is the review: referring domains of each state, as one bar."""
    title = "How many domains are reviewed?"
    total = sum(counts.values())
    if not total:
        return empty(title, "No referring domains to show.")
    decided = total - counts.get(UNDECIDED.word, 0)
    return one_bar(
        f"{part_of(decided, total, 'referring domain')} {by_number(decided, 'is', 'are')} decided",
        "All referring domains by state, including domains without a signal",
        counts,
        STATES,
    )
