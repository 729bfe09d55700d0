"""What changed between two exports of our backlinks, what did it cost, and what is worth winning back?"""

import streamlit as st

from backlink_audit.changes import charts, reclaim
from backlink_audit.changes.tables import tables
from backlink_audit.settings import AuditSettings
from backlink_audit.ui import changes, inputs, instant, menu, show, upload_state

DOMAINS = ("change", "referring_domain", "what_changed", "domain_rating", "links_before", "links_after")
RECLAIM = (
    *(
        "verdict",
        "referring_page",
        "anchor",
        "target_url",
        "how_lost",
        "advice",
        "domain_rating",
        "url_rating",
        "relevance",
    ),
    *("cas",),
)
MORE_TO_RECLAIM = (
    "clicks",
    "views",
    "why",
    "http_status",
    "first_seen",
    "last_seen",
    "referring_title",
    "referring_url",
)
REDIRECTS = ("target_url", "redirect_to", "similarity", "target_status", "links", "domains", "cas", "clicks", "views")

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
    instant.offer_multilingual(settings.model, [backlinks], "changes:model")

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
            filters = ("change", "changed_columns", "verdict_after")
            words = result.authority_labels
            columns = changes.LINKS if result.noun == "link" else DOMAINS
            show.table(
                result.ranked,
                "changes",
                columns=columns,
                more=changes.MORE,
                filters=filters,
                noun=result.noun,
                stem="changes",
                labels=words,
                detail=changes.in_full(words) if result.noun == "link" else None,
            )
            if result.noun == "link":
                st.subheader("Referring domains", anchor=False)
                show.table(
                    result.domains, "changed-domains", columns=changes.ROLLED, filters=("change",), noun="domain"
                )
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
            words = found.authority_labels
            show.table(
                found.links,
                "reclaim",
                columns=RECLAIM,
                more=MORE_TO_RECLAIM,
                filters=("verdict",),
                noun="link",
                stem="reclaim",
                labels=words,
                detail=changes.in_full(words),
            )
            if len(found.redirects):
                st.subheader("Redirect targets for dead pages", anchor=False)
                words = {"target_url": "Dead page"}
                show.table(found.redirects, "redirects", columns=REDIRECTS, noun="dead page", labels=words)
                changes.download_redirects(found)
            show.chart(charts.cas_to_reclaim(found.links), "reclaim-cas")
            show.downloads(reclaim.tables(found), "reclaim")
