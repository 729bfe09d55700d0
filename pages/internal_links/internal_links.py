"""Which pages of the site should link to each other, on which words, in which sentence?"""

import streamlit as st

from backlink_audit.internal_links import charts
from backlink_audit.ui import instant, menu, show
from backlink_audit.ui.pages import inputs, internal_links, search

st.title(menu.INTERLINKS.title)
place = inputs.place("interlinks", "pages", words=[inputs.model_named("interlinks:model")], label=menu.INTERLINKS.button)
with place:
    pages = inputs.file("pages")
    inputs.other_files("interlinks")
    with st.expander("Settings"):
        settings = internal_links.settings(pages)
instant.offer_multilingual(settings.model, [pages], "interlinks:model")
result = internal_links.run(pages, settings, place)
if result is None:
    st.stop()

result = internal_links.narrow(internal_links.with_earnings(result))
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
internal_links.say_what_was_found(result)

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
        internal_links.lists_of_links(result, search.pairs(result))
        show.chart(charts.similarities(result.suggested, result.settings.min_similarity), "link-similarities")
if every_page.open:
    with every_page:
        internal_links.all_pages(result, search.pages(result))
if one.open:
    with one:
        url = internal_links.pick_page(result)
        with st.grid(2, min_column_width=380, gap="medium"):
            sources, targets = result.sources_for(url), result.targets_for(url)
            with st.container():
                st.markdown("**Pages that should link here**")
                internal_links.sentences_to_edit(sources, "source_title")
                show.table(sources, "sources", columns=internal_links.SOURCES, search=False, noun="source")
            with st.container():
                st.markdown("**Pages it should link to**")
                internal_links.sentences_to_edit(targets, "target_title")
                show.table(targets, "targets", columns=internal_links.TARGETS, search=False, noun="target")
if tree.open:
    with tree:
        show.chart(charts.tree(result.suggested, internal_links.tree_look("tree", charts.TREE_HEIGHT)), "link-tree")
if radial.open:
    with radial:
        look = internal_links.tree_look("radial")
        show.chart(charts.radial_tree(result.suggested, look), "link-radial-tree")
        internal_links.numbered(charts.numbered(result.suggested, look))
if network.open:
    with network:
        strongest = st.slider("Strongest links", 10, 300, 60, 10, key="network:strongest")
        show.chart(charts.network(result.strongest(strongest), len(result.suggested)), "link-network")
if heat.open:
    with heat:
        chosen = internal_links.pick_pages(result, "heat:pages")
        titles = internal_links.titles_of(result, chosen)
        show.chart(charts.heat_map(result.similarities(chosen), titles), "link-heat-map")
if alike.open:
    with alike:
        internal_links.set_aside(result)
if alone.open:
    with alone, st.grid(2, min_column_width=380, gap="medium"):
        with st.container():
            st.markdown("**Orphan pages: no inlinks**")
            internal_links.list_of_pages(orphans, "orphans", "orphan page")
        with st.container():
            st.markdown("**Isolated pages: no similar page**")
            internal_links.list_of_pages(result.isolated, "isolated-pages", "isolated page")
if subjects.open:
    with subjects:
        internal_links.subjects(result)
if download.open:
    with download:
        internal_links.offer(result)
