"""What the target pages of suggested links earn, and those first that a link may lift to the top of the results."""

from dataclasses import replace

import pandas as pd

from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.page_figures import read_figures, read_queries
from backlink_audit.wording import count

NEAR_TOP = (4.0, 20.0)
"""Average positions from and to which a page is close to the top of the results, but not there."""
NO_POSITIONS = "No target page has an average position, so the order does not change."
TARGET_FIGURES = {
    "clicks": "target_clicks",
    "impressions": "target_impressions",
    "average_position": "target_position",
    "views": "target_views",
    "sessions": "target_sessions",
    "organic_traffic": "target_traffic",
}
"""Which figures of the target stand beside a suggestion, and under which names."""


def with_figures(result: Opportunities, performance: Export, *, near_top_first: bool = False) -> Opportunities:
    """Return the result with the figures of each target page, and near_top: whether its position is 4 to 20.

    Where the file says which queries find which page, also with these.

    `near_top_first`: of each source page the targets near the top come first, and the ranks are counted anew; near
    duplicates stay last.
    """
    earned = read_figures(performance, result.pages["url"])
    if earned is None:
        return result
    figures = earned.of(result.table["target_url"])
    wanted = {name: new for name, new in TARGET_FIGURES.items() if name in figures}
    table = result.table.join(figures[list(wanted)].rename(columns=wanted))
    note = earned.note(result.pages["url"], "crawled pages")
    if "target_position" in table:
        table = table.assign(near_top=table["target_position"].between(*NEAR_TOP))
        note += f" {count(int(table['near_top'].sum()), 'suggestion')} to a page at position 4 to 20."
        table = _near_top_first(table) if near_top_first else table
    elif near_top_first:
        note += f" {NO_POSITIONS}"
    queries = read_queries(performance, result.pages["url"])
    return replace(result, table=table, queries=queries, notes=(*result.notes, note))


def _near_top_first(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the targets near the top first on each source page, in the order of the source pages."""
    places = {url: place for place, url in enumerate(table["source_url"].unique())}
    order = table.assign(place=table["source_url"].map(places), later=~table["near_top"]).sort_values(
        ["place", "near_duplicate", "later", "rank"], kind="stable"
    )
    ranks = order.groupby("place").cumcount() + 1
    return order.assign(rank=ranks.astype(table["rank"].dtype)).drop(columns=["place", "later"]).reset_index(drop=True)
