"""Which sites link to competitors and not to us, and which of our pages to pitch to them?"""

import streamlit as st

from backlink_audit.gap import charts
from backlink_audit.gap.result import DOMAINS, OVERLAP, PROSPECTS, tables
from backlink_audit.glossary import figures
from backlink_audit.settings import GapSettings
from backlink_audit.ui import gap, inputs, menu, outreach_desk, show, worktable

st.title(menu.GAP.title)
model_named = inputs.model_named("gap:model", GapSettings().model)
place = inputs.place("gap", inputs.own_role(), "competitors", words=[model_named], label=menu.GAP.button)
with place:
    backlinks = inputs.own_site()
    competitors = gap.competitors()
    others = inputs.other_files("gap")
    with st.expander("Settings"):
        model = inputs.model("gap:model", default=GapSettings().model)
inputs.offer_multilingual(model, [backlinks, *competitors], "gap:model")
found = gap.run(backlinks, competitors, model, others, place)
if found is None:
    st.stop()

result = gap.filtered(found)
show.headline(result.headline)
classes = result.class_counts
counted = {"prospects": len(result.prospects), "not_linking": result.not_linking_to_us}
shown = ("missing", "weak", "shared", "ours alone")
show.figures(figures("gap", counted | {name: classes[name] for name in shown}))
show.counts("Excluded", result.set_aside)
for note in result.notes:
    show.note(note)

prospects, overlap, domains, download = st.tabs(
    ["Prospects", "Overlap", "All domains", "Download"], on_change="rerun", key="gap:tabs"
)
if prospects.open:
    with prospects:
        meaning = worktable.prospects(result)
        left = show.table(PROSPECTS, result, detail=outreach_desk.in_full, meaning=meaning)
        outreach_desk.offer(left)
        show.chart(charts.strength_and_fit(result.prospects), "gap-fit")
if overlap.open:
    with overlap:
        show.chart(charts.overlap(result.overlaps, result.ours), "gap-overlap")
        show.table(OVERLAP, result)
if domains.open:
    with domains:
        show.table(DOMAINS, result, detail=gap.in_full)
if download.open:
    with download:
        st.caption("The workbook contains the prospects with columns for outreach state, notes and the pitch email.")
        gap.download_prospects(result)
        show.downloads(tables(result), "gap")
