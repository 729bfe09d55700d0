"""What is the site about: which pages belong together, and which page is the hub of each subject?"""

import streamlit as st

from backlink_audit.clusters import charts
from backlink_audit.clusters.tables import tables
from backlink_audit.ui import instant, menu, show
from backlink_audit.ui.pages import clusters, inputs

EARNED = ("clicks", "impressions", "average_position", "views", "sessions", "organic_traffic")
GROUPS = ("cluster", "size", "page_share", *EARNED, "mean_similarity", "hub_title", "hub_url", "missing_links")
PAGES = ("cluster", "title", "url", *EARNED, "similarity", "is_hub")
LINKING = ("title", "url", "target_url")
LINKS = ("cluster", "direction", "source_title", "target_title", "similarity", "source_url", "target_url")

st.title(menu.CLUSTERS.title)
place = inputs.place("clusters", "pages", words=[inputs.model_named("clusters:model")], label=menu.CLUSTERS.button)
with place:
    pages = inputs.file("pages")
    inputs.other_files("clusters")
    with st.expander("Settings"):
        settings = clusters.settings(pages)
instant.offer_multilingual(settings.model, [pages], "clusters:model")
found = clusters.run(pages, settings, place)
if found is None:
    st.stop()
edited = clusters.edited(found)
result = clusters.with_earnings(edited)

show.headline(result.headline)
show.figures(
    [
        ("Pages", len(result.pages), "Pages that match the filters."),
        ("Clusters", result.k, "Groups of pages about the same subject."),
        ("Largest", int(result.groups["size"].iloc[0]), "Pages in the largest cluster."),
        ("Smallest", int(result.groups["size"].iloc[-1]), "Pages in the smallest cluster."),
        (
            "Mean similarity",
            result.mean_similarity,
            "Mean similarity (cosine) of the pages to the centre of their cluster.",
        ),
    ]
)
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
clusters.say_what_was_cut(result)

names = ["Topic map", "Clusters", "Tree map", "Missing links", "Pages", "Download"]
topic_map, groups, tree, links, table, download = st.tabs(names, on_change="rerun", key="clusters:tabs")
if topic_map.open:
    with topic_map:
        drawn, referring = clusters.pages_on_the_map(result)
        selection = show.chart(charts.topic_map(drawn, result.groups, referring), "topic-map", select=True)
        linking = selection.rows(referring, "x", "y")
        if selection and len(linking):
            show.table(linking, "linking", columns=LINKING, search=False, noun="referring page", stem="referring-pages")
        chosen = selection.rows(drawn, "x", "y")
        if len(chosen):
            show.table(chosen, "on-the-map", columns=PAGES, filters=("cluster",), noun="page", stem="pages-on-the-map")
if groups.open:
    with groups:
        show.chart(charts.sizes(result.groups), "sizes")
        if result.worth:
            show.chart(charts.earned(result.groups, *result.worth), "earned")
        if result.settings.k is None:
            show.chart(charts.silhouette(found.curve, found.k), "silhouette")
        clusters.edit(found, edited)
        show.table(result.groups, "groups", columns=GROUPS, noun="cluster", stem="clusters")
if tree.open:
    with tree:
        show.chart(charts.tree_map(result.pages, result.groups), "tree-map")
if links.open:
    with links:
        clusters.missing_links(result, LINKS)
if table.open:
    with table:
        show.table(result.pages, "pages", columns=PAGES, filters=("cluster",), noun="page", stem="clustered-pages")
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the pages with their clusters.")
        show.downloads(tables(result), "clusters")
