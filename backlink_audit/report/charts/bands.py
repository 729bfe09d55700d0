"""Bars by bands of ten, from 0 to 100, stacked by label: how the rows of each label spread over a scale."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import Label
from backlink_audit.report.charts.theme import count_axis

BAND, BANDS = 10, 10
"""Width and number of the bands; a row without a value counts to one beyond them."""
UNKNOWN = "unknown"


def add_bands(
    drawn: go.Figure, values: pd.Series, words: pd.Series, labels: Sequence[Label], *, scale: str, axis: str, noun: str
) -> None:
    """Add stacked bars of rows to a figure, with both axes.

    Args:
        drawn: The figure.
        values: Of each row, 0 to 100 or missing.
        words: The label's word of each row; others than those of `labels` are not drawn.
        labels: In the order in which they are stacked.
        scale: What the values are, for the hover.
        axis: The same, for the axis.
        noun: What a row is, in the plural.
    """
    unknown = bool(values.isna().any())
    band = (values.clip(0, 99.9) // BAND).fillna(BANDS).astype(int)
    names = [f"{BAND * place} to {BAND * (place + 1)}" for place in range(BANDS)] + [UNKNOWN]
    for label in labels:
        counts = band[words == label.word].value_counts().sort_index()
        if counts.empty:
            continue
        drawn.add_bar(
            x=[BAND * (place + 0.5) for place in counts.index],
            y=counts.to_numpy(),
            width=0.9 * BAND,
            name=label.word,
            marker_color=label.colour,
            customdata=[names[place] for place in counts.index],
            hovertemplate=f"{scale} %{{customdata}}<br>%{{fullData.name}}: %{{y:,}} {noun}<extra></extra>",
        )
    ticks = [float(BAND * place) for place in range(0, BANDS + 1, 2)]
    texts = [f"{tick:g}" for tick in ticks]
    if unknown:
        ticks, texts = [*ticks, BAND * (BANDS + 0.5)], [*texts, UNKNOWN]
    right = BAND * (BANDS + 1 if unknown else BANDS) + 1
    drawn.update_layout(barmode="stack")
    drawn.update_xaxes(title_text=axis, range=[-1, right], tickvals=ticks, ticktext=texts)
    most = int(band.value_counts().max()) if len(band) else 0
    drawn.update_yaxes(**count_axis(noun.capitalize(), most))
