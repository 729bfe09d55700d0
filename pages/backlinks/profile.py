"""What is the backlink profile made of, and how does it change?"""

import streamlit as st

from backlink_audit.profile import charts
from backlink_audit.profile.tables import tables
from backlink_audit.ui import audit, inputs, menu, profile, show

DOMAINS = (
    *("verdict", "referring_domain", "authority", "authority_band", "links", "followed_share", "mean_similarity"),
    *("mean_relevance", "best_cas", "topic", "first_seen", "last_seen", "domain_traffic", "country", "country_from"),
)
ANCHORS = ("anchor", "anchor_class", "links", "domains", "followed_domains", "domain_share", "mean_similarity")

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

ratings = result.authority_labels
missing, word = result.missing, {"authority": result.authority_word, "authority_band": f"{result.authority_word} band"}
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
        show.table(
            profile.sorted_domains(result.referring_domains),
            "domains",
            columns=DOMAINS,
            filters=("authority_band", "verdict"),
            noun="domain",
            stem="referring-domains",
            labels=word,
        )
if anchors.open:
    with anchors:
        profile.warn_of_dominant_anchors(result)
        st.caption(f"Anchors with one of these names count as branded: {show.plain(', '.join(result.brands))}.")
        show.chart(charts.anchors_fit(result.anchors, why_not=missing.get("relevance", "")), "anchors-fit")
        show.note(missing.get("anchors", ""))
        show.table(result.anchors, "anchors", columns=ANCHORS, filters=("anchor_class",), noun="anchor", stem="anchors")
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
        show.table(result.topics, "topics", noun="topic", stem="topics")
if targets.open:
    with targets:
        show.chart(charts.target_pages(result.target_pages), "targets")
        show.table(result.target_pages, "target-pages", noun="target page", stem="target-pages", labels=word)
if best.open:
    with best:
        if result.earned is None:
            st.info("To see which pages get the most clicks or visits, load a file with these figures.")
        else:
            show.table(result.best_pages, "best-pages", noun="page", stem="best-pages")
if links.open:
    with links:
        st.subheader("Nofollow links that may bring traffic", anchor=False)
        show.note(missing.get("visitors", "Nofollow links from relevant pages with high traffic."))
        if "visitors" not in missing:
            show.table(
                result.may_bring_visitors,
                "visitors",
                columns=profile.TO_READ,
                noun="link",
                stem="visitors",
                labels=ratings,
            )
        st.subheader("A sample to review", anchor=False)
        number = st.number_input(
            "Sample number",
            *(1, 1_000, 1),
            key="profile:sample",
            help="Change the number to see another sample.",
            width=160,
        )
        show.table(
            result.sample(int(number)),
            "sample",
            columns=profile.TO_READ,
            search=False,
            noun="link",
            stem="sample",
            labels=ratings,
        )
if months.open:
    with months:
        shown = inputs.months(result.months, "profile")
        show.chart(charts.months(shown, profile.why_no_months(result), profile.days_of_clicks(result)), "months")
        show.table(result.months, "months-table", noun="month", search=False, stem="new-and-lost")
if download.open:
    with download:
        st.caption(
            "The workbook contains all tables of this page; csv and parquet contain the domains. Files are created "
            "when you click."
        )
        show.downloads(tables(result), "backlink-profile")
