"""Charts of the links that a site has already. They take the judged links of `existing_links`."""

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.audit.charts import add_bands
from backlink_audit.labels import GOOD_LINK, INLINK_VERDICTS
from backlink_audit.report.charts import MUTED, empty, figure
from backlink_audit.wording import count, part_of


def relevances(links: pd.DataFrame) -> go.Figure:
    """How relevant are the two pages of each link to each other: links by relevance, coloured by verdict."""
    title = "How similar are the linked pages?"
    known = links[links["page_relevance"].notna()]
    if known.empty:
        return empty(title, "No links to check.")
    fine = int((links["verdict"] == GOOD_LINK.word).sum())
    drawn = figure(
        f"{part_of(fine, len(links), 'link')}: nothing to do",
        f"{count(len(known), 'link')} by the relevance of the two pages; the line shows the typical relevance of "
        "two random pages",
    )
    add_bands(
        drawn,
        known["page_relevance"],
        known["verdict"],
        INLINK_VERDICTS,
        scale="relevance",
        axis="Relevance of the two pages (0–100)",
        noun="links",
    )
    drawn.add_vline(50, line={"color": MUTED, "dash": "dot", "width": 1})
    return drawn
