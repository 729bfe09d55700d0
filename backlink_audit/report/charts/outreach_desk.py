"""The outreach desk's chart: the states of the prospects."""

from collections.abc import Mapping

import plotly.graph_objects as go

from backlink_audit.labels import OUTREACH_STATES, WON
from backlink_audit.report.charts.theme import empty, one_bar
from backlink_audit.wording import by_number, part_of


def states(counts: Mapping[str, int]) -> go.Figure:
    """Which states do the prospects have: how many have each state, as one bar."""
    total = sum(counts.values())
    if not total:
        return empty("How many prospects are in each state?", "The outreach desk has no prospects yet.")
    won = counts.get(WON.word, 0)
    title = f"{part_of(won, total, 'prospect')} {by_number(won, 'links', 'link')} to you now"
    return one_bar(title, "All prospects by state", counts, OUTREACH_STATES)
