"""The gap's charts: who shares which sites with whom, and which prospects are strong and close."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import GAP_CLASSES
from backlink_audit.report.charts import ACCENT, MUTED, count_axis, empty, figure, shorten
from backlink_audit.wording import by_number, count

MOST_COMBINATIONS = 12  # Combinations of sites drawn; the rest are few, and counted in the subtitle
MOST_POINTS = 3_000  # Marks of a scatter plot; above, the strongest are drawn

NO_DOMAINS = "No referring domains to show."


def overlap(overlaps: pd.DataFrame, ours: str) -> go.Figure:
    """Which sites share their referring domains: a bar for each combination of sites, its sites as dots beneath it."""
    title = "Which sites share their referring domains?"
    if overlaps.empty:
        return empty(title, NO_DOMAINS)
    sites = [name for name in overlaps.columns if name != "domains"]
    shown = overlaps.head(MOST_COMBINATIONS)
    total, drawn_domains = int(overlaps["domains"].sum()), int(shown["domains"].sum())
    shared = int(overlaps.loc[overlaps[ours] & (overlaps[sites].sum(axis=1) > 1), "domains"].sum())
    subtitle = f"{count(total, 'referring domain')} by the sites they link to"
    if len(shown) < len(overlaps):
        subtitle += (
            f"; not shown: {count(total - drawn_domains, 'domain')} in {len(overlaps) - len(shown)} other combinations"
        )
    finding = f"{count(shared, 'domain')} {by_number(shared, 'links', 'link')} to you and to a competitor"
    drawn = figure(finding, subtitle, height=260 + 30 * len(sites))
    names = [", ".join(site for site in sites if row[site]) for _, row in shown.iterrows()]
    drawn.add_bar(
        x=list(range(len(shown))),
        y=shown["domains"],
        marker_color=[ACCENT if ours_too else MUTED for ours_too in shown[ours]],
        text=[f"{number:,}" for number in shown["domains"]],
        textposition="outside",
        cliponaxis=False,
        customdata=names,
        hovertemplate="%{customdata}<br>%{y:,} domains<extra></extra>",
        name="Referring domains",
        showlegend=False,
    )
    _add_dots(drawn, shown, sites, ours)
    split = 30 * len(sites) / (180 + 30 * len(sites))
    drawn.update_layout(
        yaxis=count_axis("Domains", int(shown["domains"].max())) | {"domain": [split + 0.06, 1]},
        yaxis2={"domain": [0, split], "anchor": "x", "automargin": True, "zeroline": False, "showgrid": False},
    )
    drawn.update_layout(
        yaxis2_tickvals=list(range(len(sites))),
        yaxis2_ticktext=[f"{shorten(site, 22)} (you)" if site == ours else shorten(site, 28) for site in sites],
        yaxis2_range=[len(sites) - 0.5, -0.5],
    )
    drawn.update_xaxes(visible=False, range=[-0.6, max(len(shown), 4) - 0.4])
    return drawn


def _add_dots(drawn: go.Figure, shown: pd.DataFrame, sites: Sequence[str], ours: str) -> None:
    """Add the matrix: a full dot where the combination has the site, a faint one where not, a line through the full."""
    has = shown[list(sites)].to_numpy(bool)
    columns, rows = np.meshgrid(np.arange(len(shown)), np.arange(len(sites)), indexing="ij")
    for column, row in enumerate(has):
        places = np.flatnonzero(row)
        drawn.add_scatter(
            x=[column, column],
            y=[int(places.min()), int(places.max())],
            yaxis="y2",
            mode="lines",
            line={"color": MUTED, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    for full, colour, opacity in ((True, ACCENT, 1.0), (False, MUTED, 0.25)):
        drawn.add_scatter(
            x=columns[has == full],
            y=rows[has == full],
            yaxis="y2",
            mode="markers",
            marker={"size": 11, "color": colour, "opacity": opacity},
            hoverinfo="skip",
            showlegend=False,
            name="links" if full else "does not",
        )


def strength_and_fit(prospects: pd.DataFrame) -> go.Figure:
    """Which prospects are both strong and close to our pages: authority against relevance, coloured by class."""
    title = "Which prospects are strong and relevant to your pages?"
    placed = prospects[prospects["authority"].notna() & prospects["relevance"].notna()]
    if placed.empty:
        return empty(title, "No prospect has both authority and relevance.")
    shown = placed.nlargest(MOST_POINTS, "relevance")
    relevant = int((placed["band"] == "relevant").sum())
    parts = [count(len(placed), "prospect")]
    parts += [f"the {len(shown):,} most relevant are shown"] if len(shown) < len(placed) else []
    parts += (
        [f"not shown: {len(prospects) - len(placed):,} without one of the two values"]
        if len(placed) < len(prospects)
        else []
    )
    drawn = figure(
        f"{count(relevant, 'prospect')} {by_number(relevant, 'is', 'are')} relevant", "; ".join(parts), height=420
    )
    for label in GAP_CLASSES[:3]:
        part = shown[shown["gap_class"] == label.word]
        if part.empty:
            continue
        drawn.add_scatter(
            x=part["relevance"],
            y=part["authority"],
            mode="markers",
            name=label.word,
            marker={"color": label.colour, "size": 9, "opacity": 0.75, "line": {"width": 0.5, "color": "white"}},
            customdata=part[["referring_domain", "competitors", "authority_scale"]],
            hovertemplate="<b>%{customdata[0]}</b><br>links to %{customdata[1]}<br>relevance %{x:.1f}, "
            "%{customdata[2]} %{y:.0f}<extra></extra>",
        )
    drawn.update_xaxes(title_text="Relevance to your pages (0–100)", range=[-3, 103])
    drawn.update_yaxes(title_text="Authority (0–100)")
    return drawn
