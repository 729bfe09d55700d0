"""What the charts of pages and the links between them share."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go


def draw_edges(drawn: go.Figure, edges: Sequence[tuple[int, int]], x: np.ndarray, y: np.ndarray) -> None:
    """Draw all edges as one trace, with a gap between them."""
    gap = [None]
    drawn.add_scatter(
        x=[value for one, other in edges for value in (x[one], x[other], *gap)],
        y=[value for one, other in edges for value in (y[one], y[other], *gap)],
        mode="lines",
        line={"width": 1, "color": "rgba(138, 141, 145, 0.45)"},
        hoverinfo="skip",
        showlegend=False,
    )


def hide_axes(drawn: go.Figure) -> None:
    """Hide both axes, in place: only who is joined to whom has a meaning."""
    drawn.update_xaxes(visible=False)
    drawn.update_yaxes(visible=False)
