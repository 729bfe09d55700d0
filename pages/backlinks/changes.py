"""What changed between two exports of our backlinks, what did it cost, and what is worth winning back?"""

import streamlit as st

from backlink_audit.changes import charts, reclaim
from backlink_audit.changes.result import DOMAINS, LINKS, ONLY_DOMAINS, tables
from backlink_audit.settings import AuditSettings
from backlink_audit.ui import changes, inputs, menu, show, upload_state

st.title(menu.CHANGES.title)
model_named = inputs.model_named("changes:model", AuditSettings().model)
place = inputs.place("changes", inputs.own_role(), "older", words=[model_named], label=menu.CHANGES.button)
with place:
    backlinks = inputs.own_site()
    others = inputs.other_files("changes")
    with st.expander("Settings"):
        settings = AuditSettings(model=inputs.model("changes:model", default=AuditSettings().model))
        scores = changes.with_scores()
if scores:
    inputs.offer_multilingual(settings.model, [backlinks], "changes:model")

compared, won_back = st.tabs(["Changes", "Reclaim"], on_change="rerun", key="changes:tabs")
if compared.open:
    with compared:
        with compared if upload_state.get("older") is None else place:
            older = changes.older(backlinks)
        result = changes.run(older, backlinks, settings, scores, others, place) if older else None
        if result is not None:
            show.headline(result.headline)
            show.figures(changes.figures(result))
            for note in result.notes:
                show.note(note)
            of_links = result.noun == "link"
            in_full = changes.in_full(result.authority_labels) if of_links else None
            show.table(LINKS if of_links else ONLY_DOMAINS, result, detail=in_full)
            if of_links:
                st.subheader("Referring domains", anchor=False)
                show.table(DOMAINS, result)
            months = inputs.months(result.months, "changes")
            with st.grid(2, min_column_width=380, gap="medium"):
                show.chart(charts.months(result.months, result.counts, months), "changes-months")
                show.chart(charts.cas_moved(result.domains), "changes-cas")
                show.chart(charts.where_lost(result.targets, "target_url", "target page"), "changes-targets")
                show.chart(charts.verdict_moves(result.verdict_moves), "changes-verdicts")
            show.downloads(tables(result), "changes")
if won_back.open:
    with won_back:
        with place:
            inputs.other_files("reclaim")
        found = changes.reclaim(backlinks, settings, place)
        if found is not None:
            show.headline(found.headline)
            for note in found.notes:
                show.note(note)
            show.table(reclaim.LINKS, found, detail=changes.in_full(found.authority_labels))
            if len(found.redirects):
                st.subheader("Redirect targets for dead pages", anchor=False)
                show.table(reclaim.REDIRECTS, found)
                changes.download_redirects(found)
            show.chart(charts.cas_to_reclaim(found.links), "reclaim-cas")
            show.downloads(reclaim.tables(found), "reclaim")
