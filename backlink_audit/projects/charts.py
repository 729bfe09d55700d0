"""The charts of a project's history: one figure over the snapshots, the verdicts, and what came and went."""

from collections.abc import Mapping
from html import escape

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import LOST, NEW, OUTREACH_STATES, VERDICTS, WON
from backlink_audit.report.charts import ACCENT, MUTED, count_axis, distinct_labels, empty, figure, one_bar
from backlink_audit.report.figures import EARNED, RATED, SHARES, difference_in_words, in_words
from backlink_audit.wording import by_number, count, part_of


def over_time(table: pd.DataFrame, name: str, label: str, before: pd.DataFrame | None = None) -> go.Figure:
    """How did a figure move: a point per snapshot, and before the first one the months by its dates.

    `table` is `History.figures`, `name` one of its columns and `label` its word, `before` is `History.before`, drawn
    for the referring domains alone. Ratings of different tools are not joined.
    """
    known = table.dropna(subset=[name])
    if known.empty:
        return empty(label, "No snapshot has this metric.")
    first, last = _number(name, known[name].iloc[0]), _number(name, known[name].iloc[-1])
    tools = known["authority_name"].map(escape) if name in RATED else pd.Series("", index=known.index)
    several = tools.nunique() > 1
    title = f"{label}: {in_words(name, last)}"
    moved = difference_in_words(name, last, first) if len(known) > 1 and tools.iloc[0] == tools.iloc[-1] else ""
    if moved:
        title += f", {moved} since {known['day'].iloc[0]:%Y-%m-%d}"
    shown = before if before is not None and name == "domains" else pd.DataFrame()
    subtitle = f"{label} in {count(len(known), 'snapshot')}"
    if several:
        subtitle += (
            f", rated by {' and '.join(tools.unique())}; these ratings cannot be compared, so no line connects them"
        )
    if len(shown):
        subtitle += (
            "; dotted line: calculated from the dates in the first file; domains that this file no longer lists "
            "are missing"
        )
    drawn = figure(title, subtitle)
    if len(shown):
        joined = pd.concat([shown.rename(columns={"month": "day"}), known[["day", "domains"]].head(1)])
        drawn.add_scatter(
            x=joined["day"],
            y=joined["domains"],
            mode="lines",
            name="From the dates in the first file",
            line={"color": MUTED, "width": 2, "dash": "dot"},
            hovertemplate="%{x|%B %Y}: %{y:,}<extra></extra>",
        )
    for _, stretch in known.groupby(tools.ne(tools.shift()).cumsum()):
        tool = tools[stretch.index[0]] if several else ""
        drawn.add_scatter(
            x=stretch["day"],
            y=stretch[name],
            mode="lines+markers",
            name="Snapshots",
            line={"color": ACCENT, "width": 2},
            marker={"size": 9},
            customdata=[in_words(name, _number(name, value)) for value in stretch[name]],
            hovertemplate=f"%{{x|%Y-%m-%d}}: %{{customdata}}<extra>{tool}</extra>",
            showlegend=False if several else None,
        )
    drawn.update_yaxes(rangemode="tozero", tickformat=".0%" if name in SHARES else ",")
    if len(known) == 1 and shown.empty:
        drawn.update_xaxes(tickvals=known["day"].tolist(), tickformat="%Y-%m-%d")
    return drawn


def verdicts(table: pd.DataFrame) -> go.Figure:
    """How did the verdicts move: a stacked bar per snapshot. `table` is `History.figures`."""
    days = distinct_labels(f"{day:%Y-%m-%d}" for day in table["day"])
    drawn = figure("Verdicts of each snapshot", f"Live links of {count(len(table), 'snapshot')} by verdict")
    present = [label for label in VERDICTS if table[label.word].any()]
    for label in present:
        drawn.add_bar(
            x=days,
            y=table[label.word],
            name=label.word,
            marker_color=label.colour,
            hovertemplate="%{x}<br>%{fullData.name}: %{y:,} links<extra></extra>",
        )
    most = table[[label.word for label in present]].sum(axis=1).max()
    drawn.update_layout(barmode="stack", bargap=_gap(len(table)))
    drawn.update_xaxes(type="category")
    drawn.update_yaxes(**count_axis("Links", most))
    return drawn


def moves(table: pd.DataFrame) -> go.Figure:
    """What came and went: new referring domains of each snapshot up, lost ones down. `table` is `History.figures`."""
    title = "New and lost referring domains between snapshots"
    known = table.dropna(subset=["new_domains"])
    if known.empty:
        return empty(
            title, "This needs two snapshots." if len(table) < 2 else "The snapshots have not been compared yet."
        )
    days = distinct_labels(f"{day:%Y-%m-%d}" for day in known["day"])
    new, lost = int(known["new_domains"].sum()), int(known["lost_domains"].sum())
    drawn = figure(
        f"{new:,} new and {lost:,} lost referring domains between snapshots",
        f"Each of {count(len(known), 'snapshot')} compared with the one before"
        if len(known) > 1
        else "Compared with the one before",
    )
    for label, column, sign in ((NEW, "new_domains", 1), (LOST, "lost_domains", -1)):
        drawn.add_bar(
            x=days,
            y=sign * known[column],
            name=label.word.capitalize(),
            marker_color=label.colour,
            customdata=known[column],
            hovertemplate="%{x}<br>%{fullData.name}: %{customdata:,} domains<extra></extra>",
        )
    drawn.update_layout(barmode="relative", bargap=_gap(len(known)))
    drawn.update_xaxes(type="category")
    drawn.update_yaxes(**count_axis("Referring domains", known[["new_domains", "lost_domains"]].max().max()))
    return drawn


def _gap(bars: int) -> float:
    return max(0.2, 0.8 - 0.15 * bars)


def _number(name: str, value: float) -> float:
    return int(value) if name in ("links", "domains", *EARNED) else value


def states(counts: Mapping[str, int]) -> go.Figure:
    """Which states do the prospects have: how many have each state, as one bar."""
    total = sum(counts.values())
    if not total:
        return empty("How many prospects are in each state?", "The outreach desk has no prospects yet.")
    won = counts.get(WON.word, 0)
    title = f"{part_of(won, total, 'prospect')} {by_number(won, 'links', 'link')} to you now"
    return one_bar(title, "All prospects by state", counts, OUTREACH_STATES)
