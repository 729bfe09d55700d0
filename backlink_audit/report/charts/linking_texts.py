"""The chart of Google's linking texts."""

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import ANCHOR_CLASSES
from backlink_audit.report.charts.theme import MUTED, bars_height, count_axis, empty, figure
from backlink_audit.wording import count, percent

_COLOURS = {label.word: label.colour for label in ANCHOR_CLASSES}


def text_classes(mix: pd.DataFrame) -> go.Figure:
    """What are the texts made of that Google lists: texts of each class, those that need their target in grey."""
    if mix.empty:
        return empty("What kinds of linking texts are there?", "The list is empty.")
    total = int(mix["texts"].sum())
    first = mix.iloc[0]
    drawn = figure(
        f"Most frequent kind of linking text: {first['anchor_class']}, {percent(first['share'])} of the texts",
        f"{count(total, 'linking text')} listed by Google; each text is counted once",
        height=bars_height(len(mix)),
    )
    drawn.add_bar(
        y=mix["anchor_class"].tolist(),
        x=mix["texts"].tolist(),
        orientation="h",
        marker_color=[_COLOURS.get(word, MUTED) for word in mix["anchor_class"]],
        text=[f"{texts:,} ({percent(share)})" for texts, share in zip(mix["texts"], mix["share"], strict=True)],
        textposition="auto",
        textangle=0,
        hovertemplate="%{y}: %{x:,}<extra></extra>",
        showlegend=False,
    )
    drawn.update_yaxes(autorange="reversed", type="category")
    drawn.update_xaxes(**count_axis("Linking texts", int(mix["texts"].max())))
    return drawn
