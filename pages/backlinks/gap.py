"""Which sites link to competitors and not to us, and which of our pages to pitch to them?"""

import streamlit as st

from backlink_audit.gap import charts
from backlink_audit.gap.tables import tables
from backlink_audit.settings import GapSettings
from backlink_audit.ui import gap, inputs, instant, menu, outreach_desk, search, show

PROSPECTS = (
    *("referring_domain", "authority", "relevance", "example_page", "example_anchor", "our_page", "page_kind"),
    *("gap_class", "prospect_cas"),
)
MORE = (
    *("band", "authority_scale", "our_page_title", "competitors", "links", "example_title", "example_url"),
    *("example_target", "followed_share", "topic_field", "topic", "similarity", "linked_before"),
    *("prospect_kind", "example_author", "first_seen", "domain_traffic", "country", "country_from"),
)
DOMAINS = (
    *("referring_domain", "example_page", "gap_class", "our_links", "links", "authority", "page_kind"),
    *("competitors",),
)
MORE_OF_DOMAINS = (
    *("authority_scale", "example_title", "example_url", "kind_why", "tied_to", "followed_share", "linked_before"),
)

st.title(menu.GAP.title)
model_named = inputs.model_named("gap:model", GapSettings().model)
place = inputs.place("gap", inputs.own_role(), "competitors", words=[model_named], label=menu.GAP.button)
with place:
    backlinks = inputs.own_site()
    competitors = gap.competitors()
    others = inputs.other_files("gap")
    with st.expander("Settings"):
        model = inputs.model("gap:model", default=GapSettings().model)
instant.offer_multilingual(model, [backlinks, *competitors], "gap:model")
found = gap.run(backlinks, competitors, model, others, place)
if found is None:
    st.stop()

result = gap.with_pitch(gap.filtered(found))
show.headline(result.headline)
classes = result.class_counts
show.figures(
    [
        (
            "Prospects",
            len(result.prospects),
            "Domains that link to a competitor but not to you, and match the filters.",
        ),
        ("Not linking to you", result.not_linking_to_us, "Domains that link to a competitor but not to you."),
        ("Missing", classes["missing"], "Domains that link to all competitors but not to you."),
        ("Weak", classes["weak"], "Domains that link to you, but send more links to a competitor."),
        (
            "Shared",
            classes["shared"],
            "Domains that link to competitors, and to you at least as often.",
        ),
        ("Only yours", classes["ours alone"], "Domains that link to you but to no competitor."),
    ]
)
show.counts("Excluded", result.set_aside)
for note in result.notes:
    show.note(note)

prospects, pitch, overlap, domains, download = st.tabs(
    ["Prospects", "Pitch", "Overlap", "All domains", "Download"], on_change="rerun", key="gap:tabs"
)
if prospects.open:
    with prospects:
        filters = ("gap_class", "band", "page_kind", "prospect_kind", "topic_field")
        left = show.table(
            result.prospects,
            "prospects",
            columns=PROSPECTS,
            more=MORE,
            filters=filters,
            noun="prospect",
            stem="prospects",
            detail=outreach_desk.in_full,
            meaning=search.prospects(result),
        )
        outreach_desk.offer(left)
        with st.grid(2, min_column_width=380, gap="medium"):
            show.chart(charts.strength_and_fit(result.prospects), "gap-fit")
            show.chart(charts.authority_by_class(result.domains, result.limits), "gap-authority")
if pitch.open:
    with pitch:
        gap.pitch_editor(result)
if overlap.open:
    with overlap:
        show.chart(charts.overlap(result.overlaps, result.ours), "gap-overlap")
        sites = {site: site for site in (result.ours, *result.competitors)}
        show.table(result.overlaps, "overlaps", search=False, noun="combination", stem="overlap", labels=sites)
if domains.open:
    with domains:
        show.table(
            result.domains,
            "domains",
            columns=DOMAINS,
            more=MORE_OF_DOMAINS,
            filters=("gap_class",),
            noun="domain",
            stem="gap-domains",
            detail=gap.in_full,
        )
if download.open:
    with download:
        st.caption("The workbook contains the prospects with columns for outreach state, notes and the pitch email.")
        gap.download_prospects(result)
        show.downloads(tables(result), "gap")
