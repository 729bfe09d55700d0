"""Which of the links that the site has already need work?"""

import streamlit as st

from backlink_audit.existing_links import charts
from backlink_audit.existing_links.tables import tables
from backlink_audit.labels import INLINK_VERDICTS
from backlink_audit.ui import menu, show
from backlink_audit.ui.pages import existing_links, inputs

LINKS = (
    *("verdict", "source_title", "anchor", "target_title", "why", "page_relevance", "anchor_class", "position"),
    *("source_url", "target_url"),
)
ANCHORS = ("verdict", "anchor", "targets", "links", "why", "example_targets")
PAGES = ("title", "url", "depth", "links_in", "links_out", "anchors", "top_anchors")

st.title(menu.INLINKS.title)
place = inputs.place("inlinks", "inlinks", label=menu.INLINKS.button)
with place:
    links = inputs.file("inlinks")
    others = inputs.other_files("inlinks")
    with st.expander("Settings"):
        settings = existing_links.settings()
result = existing_links.run(links, others, settings, place)
if result is None:
    st.stop()

counts = result.verdict_counts
show.headline(result.headline)
show.figures(
    [
        (
            "Links checked",
            len(result.links),
            "Links between two pages of the site; only links in the content, if you chose that in the settings.",
        ),
        *((verdict.word, counts[verdict.word], verdict.meaning) for verdict in INLINK_VERDICTS),
    ]
)
existing_links.say_notes(result)

names = ["Links", "Anchors", "Pages", "Download"]
table, anchors, pages, download = st.tabs(names, on_change="rerun", key="inlinks:tabs")
if table.open:
    with table:
        filters = ("verdict", "anchor_class", "position")
        show.table(result.links, "links", columns=LINKS, filters=filters, noun="link", stem="existing-links")
        show.chart(charts.relevances(result.links), "relevances")
if anchors.open:
    with anchors:
        st.caption(
            "Anchors that are used for more than one target page. Reword those that do not show which page it is."
        )
        show.table(result.anchors, "anchors", columns=ANCHORS, filters=("verdict",), noun="anchor", stem="anchors")
if pages.open:
    with pages:
        show.table(result.pages, "pages", columns=PAGES, noun="page", stem="linked-pages")
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the links.")
        show.downloads(tables(result), "existing-links")
