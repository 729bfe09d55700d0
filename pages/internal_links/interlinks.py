"""Which pages of the site should link to each other, on which words, in which sentence?"""

import streamlit as st

from backlink_audit.report.charts import interlinks as charts
from backlink_audit.report.charts import link_trees
from backlink_audit.ui import menu
from backlink_audit.ui.jobs import languages
from backlink_audit.ui.pages import inputs, search
from backlink_audit.ui.pages.interlinks import choice, downloads, suggestions, tabs
from backlink_audit.ui.tables import show

st.title(menu.INTERLINKS.title)
place = inputs.place("interlinks", "pages", words=[inputs.model_named("interlinks:model")], label=suggestions.LABEL)
with place:
    pages = inputs.file("pages")
    inputs.other_files("interlinks")
    with st.expander("Settings"):
        settings = suggestions.settings(pages)
languages.offer_multilingual(settings.model, [pages], "interlinks:model")
result = suggestions.run(pages, settings, place)
if result is None:
    st.stop()

result = choice.narrow(choice.with_earnings(result))
show.headline(result.headline)
orphans = result.orphans
show.figures(
    [
        ("Pages", len(result.pages), "Pages that match the filters."),
        ("Links suggested", len(result.suggested), "Near duplicates are not included."),
        (
            "With an anchor",
            result.with_anchor,
            f"Links whose anchor text is already on the source page. Exact matches: {result.with_exact_anchor:,}; "
            f"near in meaning: {result.with_near_anchor:,}.",
        ),
        ("Mean similarity", result.mean_similarity, "Mean similarity (cosine) of the suggested links."),
        (
            "Orphans",
            None if orphans is None else len(orphans),
            "load the “All inlinks” export of the same crawl to see this"
            if orphans is None
            else "Pages without any inlink.",
        ),
        ("Isolated", len(result.isolated), "Pages with no similar page: none reaches the minimum similarity."),
    ]
)
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
tabs.say_what_was_found(result)

names = [
    "Links",
    "One page",
    "Pages",
    "Tree",
    "Radial tree",
    "Network",
    "Heat map",
    "Excluded",
    "Orphans",
    "Subjects",
    "Download",
]
links, one, every_page, tree, radial, network, heat, alike, alone, subjects, download = st.tabs(
    names, on_change="rerun", key="interlinks:tabs"
)
if links.open:
    with links:
        tabs.lists_of_links(result, search.pairs(result))
        show.chart(charts.similarities(result.suggested, result.settings.min_similarity), "link-similarities")
if every_page.open:
    with every_page:
        tabs.all_pages(result, search.pages(result))
if one.open:
    with one:
        url = tabs.pick_page(result)
        with st.grid(2, min_column_width=380, gap="medium"):
            sources, targets = result.sources_for(url), result.targets_for(url)
            with st.container():
                st.markdown("**Pages that should link here**")
                tabs.sentences_to_edit(sources, "source_title")
                show.table(sources, "sources", columns=tabs.SOURCES, search=False, noun="source")
            with st.container():
                st.markdown("**Pages it should link to**")
                tabs.sentences_to_edit(targets, "target_title")
                show.table(targets, "targets", columns=tabs.TARGETS, search=False, noun="target")
if tree.open:
    with tree:
        show.chart(link_trees.tree(result.suggested, tabs.tree_look("tree", link_trees.TREE_HEIGHT)), "link-tree")
if radial.open:
    with radial:
        look = tabs.tree_look("radial")
        show.chart(link_trees.radial_tree(result.suggested, look), "link-radial-tree")
        tabs.numbered(link_trees.numbered(result.suggested, look))
if network.open:
    with network:
        strongest = st.slider("Strongest links", 10, 300, 60, 10, key="network:strongest")
        show.chart(charts.network(result.strongest(strongest), len(result.suggested)), "link-network")
if heat.open:
    with heat:
        chosen = tabs.pick_pages(result, "heat:pages")
        titles = tabs.titles_of(result, chosen)
        show.chart(charts.heat_map(result.similarities(chosen), titles), "link-heat-map")
if alike.open:
    with alike:
        tabs.set_aside(result)
if alone.open:
    with alone, st.grid(2, min_column_width=380, gap="medium"):
        with st.container():
            st.markdown("**Orphan pages: no inlinks**")
            tabs.list_of_pages(orphans, "orphans", "orphan page")
        with st.container():
            st.markdown("**Isolated pages: no similar page**")
            tabs.list_of_pages(result.isolated, "isolated-pages", "isolated page")
if subjects.open:
    with subjects:
        tabs.subjects(result)
if download.open:
    with download:
        downloads.offer(result)
