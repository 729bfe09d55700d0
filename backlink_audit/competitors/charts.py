"""The chart of profiles side by side: shares of one part, a bar for each file."""

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import ANCHOR_CLASSES, IN_CONTENT, OUTSIDE_CONTENT
from backlink_audit.report.charts import bars_height, cut_middle, distinct_labels, empty, field_colour, figure
from backlink_audit.wording import count, percent

MOST_VALUES = 7  # Values of a part that have a colour; the rest is together
REST, REST_COLOUR = "all others", "#C8CCD0"
NAME_LETTERS = 20  # Of a file's name: on a narrow screen a longer one would leave no room for the legend
BANDS = ("#0B5394", "#3B9AE1", "#C4B454", "#E69F00", "#8A8D91", "#CC79A7", "#009E73")
"""Colours of values that have none of their own, in their order."""
_OWN = {
    **{label.word: label.colour for label in ANCHOR_CLASSES},
    "in the content": IN_CONTENT.colour,
    "outside the content": OUTSIDE_CONTENT.colour,
    **dict(zip(("text", "image", "redirect", "canonical"), BANDS[:4], strict=True)),
}  # Colours of values that have the same one whatever else is drawn


def shares(table: pd.DataFrame, part: str) -> go.Figure:
    """How do the files differ in one part: a stacked bar for each file. `table`: value, file and share, 0-1."""
    title = f"{part}, side by side"
    if table.empty:
        return empty(title, "Not in any of the files.")
    files = list(dict.fromkeys(table["file"]))
    largest = table.groupby("value")["share"].max().sort_values(ascending=False, kind="stable").index[:MOST_VALUES]
    kept = table.assign(value=table["value"].where(table["value"].isin(largest), REST))
    summed = kept.groupby(["value", "file"], sort=False)["share"].sum()
    values = [value for value in dict.fromkeys(kept["value"]) if value != REST]
    values += [REST] if REST in set(kept["value"]) else []
    names = distinct_labels(cut_middle(file.removesuffix(".csv"), NAME_LETTERS) for file in files)
    drawn = figure(
        title, f"Share of each file’s own links or domains; {count(len(files), 'file')}", height=bars_height(len(files))
    )
    for place, (value, name) in enumerate(zip(values, distinct_labels(values), strict=True)):
        found = [float(summed.get((value, file), 0.0)) for file in files]
        colour = REST_COLOUR if value == REST else _OWN.get(value) or _colour(part, value, place)
        drawn.add_bar(
            y=names,
            x=found,
            orientation="h",
            name=name,
            marker_color=colour,
            customdata=[percent(share) for share in found],
            hovertemplate="%{y}: %{customdata}<extra>%{fullData.name}</extra>",
        )
    drawn.update_layout(barmode="stack", legend_traceorder="normal")
    drawn.update_xaxes(tickformat=".0%", range=[0, 1])
    drawn.update_yaxes(autorange="reversed")
    return drawn


def _colour(part: str, value: str, place: int) -> str:
    return field_colour(value) if part == "Topics" else BANDS[place % len(BANDS)]
