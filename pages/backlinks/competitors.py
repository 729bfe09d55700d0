"""How does our backlink profile stand beside those of competitors?"""

import streamlit as st

from backlink_audit.competitors import charts
from backlink_audit.competitors.result import PARTS
from backlink_audit.competitors.tables import tables
from backlink_audit.ui import menu, show
from backlink_audit.ui.pages import competitors, gap, inputs
from backlink_audit.ui.pages import inputs as pages_inputs

st.title(menu.COMPETITORS.title)
with inputs.place("competitors", "backlinks", "competitors", words=[pages_inputs.links_named()]):
    choice = pages_inputs.shown_links()
    ours = inputs.file("backlinks")
    theirs = competitors.with_links(gap.competitors())
    with st.expander("Settings"):
        filters = inputs.backlink_filters("competitors:filters")
result = competitors.run(ours, theirs, choice, filters)
if result is None:
    st.stop()
if result.profiles[0].links.empty:
    show.nothing_chosen(result.profiles[0].state_counts)
    st.stop()

show.headline(result.headline)
competitors.say_notes(result)
overview, charted, pages, download = st.tabs(
    ["Side by side", "Charts", "Most linked pages", "Download"], on_change="rerun", key="competitors:tabs"
)
if overview.open:
    with overview:
        show.table(
            result.table,
            "side-by-side",
            filters=("section",),
            noun="figure",
            stem="side-by-side",
            labels=result.own_names,
        )
if charted.open:
    with charted, st.grid(2, min_column_width=380, gap="medium"):
        for part in PARTS:
            shares = result.shares[result.shares["part"] == part]
            if len(shares):
                show.chart(charts.shares(shares, part), f"side-by-side-{part}")
if pages.open:
    with pages:
        show.table(
            result.most_linked,
            "most-linked",
            search=False,
            noun="place",
            stem="most-linked-pages",
            labels=result.own_names,
        )
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the metrics and shares.")
        show.downloads(tables(result), "competitors")
