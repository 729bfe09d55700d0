"""What is the backlink profile made of, and how does it change?"""

import streamlit as st

from backlink_audit.profile import charts
from backlink_audit.profile.result import ANCHORS, BEST, DOMAINS, MONTHS, SAMPLE, TARGETS, TOPICS, VISITORS, tables
from backlink_audit.ui import audit, inputs, menu, profile, show

st.title(menu.PROFILE.title)
profile.alone()
audited = audit.last()
with inputs.place("profile", "backlinks", words=[inputs.links_named()]):
    choice = inputs.shown_links()
    backlinks = inputs.file("backlinks")
    inputs.other_files("profile")
    with st.expander("Settings"):
        filters = profile.filters(audited, key="profile:filters")
result = profile.run(backlinks, audited, choice, filters)
if result is None:
    st.stop()
if result.links.empty:
    show.nothing_chosen(result.state_counts)
    st.stop()

missing = result.missing
show.headline(result.headline)
show.figures(result.figures)
show.removed(result.removed, len(backlinks.raw), profile.changed_at(audited))
if not result.is_judged:
    st.caption("Run the audit to add similarity, relevance, CAS, topics and verdicts.")

for note in result.notes:
    show.note(note)

names = ["Overview", "Referring domains", "Anchors", "Attributes", "Topics", "Target pages", "Best pages"]
overview, domains, anchors, attributes, topics, targets, best, links, months, download = st.tabs(
    [*names, "Links to review", "New and lost", "Download"], on_change="rerun", key="profile:tabs"
)
if overview.open:
    with overview, st.grid(2, min_column_width=330, gap="medium"):
        show.chart_of(
            result,
            lambda it: charts.authority_bands(it.authority_bands, it.authority_word, it.missing.get("authority", "")),
            "bands",
        )
        show.chart_of(result, lambda it: charts.anchor_classes(it.class_mix, it.missing.get("anchors", "")), "classes")
        show.chart_of(
            result,
            lambda it: charts.months(it.months, profile.why_no_months(it), profile.days_of_clicks(it)),
            "months-overview",
        )
        show.chart_of(result, lambda it: charts.target_pages(it.target_pages, most=5), "targets-overview")
if domains.open:
    with domains:
        show.table(DOMAINS, result, rows=profile.sorted_domains(result.referring_domains))
if anchors.open:
    with anchors:
        profile.warn_of_dominant_anchors(result)
        st.caption(f"Anchors with one of these names count as branded: {show.plain(', '.join(result.brands))}.")
        show.chart(charts.anchors_fit(result.anchors, why_not=missing.get("relevance", "")), "anchors-fit")
        show.note(missing.get("anchors", ""))
        show.table(ANCHORS, result)
        profile.beside_anchors(result.linking_texts)
if attributes.open:
    with attributes:
        st.caption(f"All {len(result.every_link):,} links of the export, including lost links.")
        profile.attribute_charts(result)
if topics.open:
    with topics:
        weight: charts.Weight = inputs.one_of(
            "Count", ("links", "domains"), "topics:by", {"links": "Links", "domains": "Domains"}
        )
        show.chart(charts.page_kinds(result.page_kinds, missing.get("topics", "")), "page-kinds")
        show.chart(charts.topics(result.topics, weight, missing.get("topics", "")), "topics-map")
        show.table(TOPICS, result)
if targets.open:
    with targets:
        show.chart(charts.target_pages(result.target_pages), "targets")
        show.table(TARGETS, result)
if best.open:
    with best:
        if result.earned is None:
            st.info("To see which pages get the most clicks or visits, load a file with these figures.")
        else:
            show.table(BEST, result)
if links.open:
    with links:
        st.subheader("Nofollow links that may bring traffic", anchor=False)
        show.note(missing.get("visitors", "Nofollow links from relevant pages with high traffic."))
        if "visitors" not in missing:
            show.table(VISITORS, result)
        st.subheader("A sample to review", anchor=False)
        number = st.number_input(
            "Sample number",
            *(1, 1_000, 1),
            key="profile:sample",
            help="Change the number to see another sample.",
            width=160,
        )
        show.table(SAMPLE, result, rows=result.sample(int(number)))
if months.open:
    with months:
        shown = inputs.months(result.months, "profile")
        show.chart(charts.months(shown, profile.why_no_months(result), profile.days_of_clicks(result)), "months")
        show.table(MONTHS, result)
if download.open:
    with download:
        st.caption(
            "The workbook contains all tables of this page; csv and parquet contain the domains. Files are created "
            "when you click."
        )
        show.downloads(tables(result), "backlink-profile")
