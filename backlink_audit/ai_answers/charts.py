"""The charts of citations: what changed between two dates, and what they are about."""

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.report.charts import ACCENT, bars_height, cut_middle, distinct_labels, empty, field_colour, figure
from backlink_audit.wording import count, percent

MOST_BARS = 12
LETTERS = 42
LOSS = "#D55E00"


def changes(moved: pd.DataFrame, dates: tuple[str, ...]) -> go.Figure:
    """Which pages gained and lost citations: a bar for each of the pages that changed most."""
    title = "Which pages gained or lost citations?"
    if len(dates) < 2 or moved.empty:
        return empty(title, "Load the files of two dates to see this.")
    rows = moved.head(MOST_BARS).sort_values("cited_change")
    gained = int((moved["cited_change"] > 0).sum())
    drawn = figure(
        f"{count(gained, 'page')} gained citations, {len(moved) - gained:,} lost some",
        f"Change from {dates[-2]} to {dates[-1]}; the {len(rows)} largest",
        height=bars_height(len(rows)),
    )
    names = rows["title"].where(rows["title"] != "", rows["url"])
    drawn.add_bar(
        y=distinct_labels(cut_middle(name, LETTERS) for name in names),
        x=rows["cited_change"],
        orientation="h",
        marker_color=[ACCENT if change > 0 else LOSS for change in rows["cited_change"]],
        customdata=rows[["url", "citations"]],
        hovertemplate="%{customdata[0]}<br>%{x:+,}, now %{customdata[1]:,}<extra></extra>",
    )
    return drawn


def topics(shares: pd.DataFrame) -> go.Figure:
    """What are the cited pages about: a bar for each field, by its share of the citations."""
    title = "What are the cited pages about?"
    if shares.empty:
        return empty(title, "No page is cited.")
    rows = shares.head(MOST_BARS)
    drawn = figure(
        f"{percent(rows['share'].iloc[0])} of the citations are of pages about {rows['topic_field'].iloc[0].lower()}",
        f"{count(int(shares['citations'].sum()), 'citation')} by topic of the cited page",
        height=bars_height(len(rows)),
    )
    drawn.add_bar(
        y=rows["topic_field"],
        x=rows["citations"],
        orientation="h",
        marker_color=[field_colour(name) for name in rows["topic_field"]],
        customdata=[percent(share) for share in rows["share"]],
        hovertemplate="%{y}: %{x:,} (%{customdata})<extra></extra>",
    )
    drawn.update_yaxes(autorange="reversed")
    return drawn
