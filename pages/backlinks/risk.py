"""Which links and domains look risky, and what is to be done about them?"""

import streamlit as st

from backlink_audit.glossary import figures
from backlink_audit.risk import charts
from backlink_audit.risk.review import Scope
from backlink_audit.risk.tables import DOMAINS, LINKS, SIGNAL_COUNTS, tables
from backlink_audit.ui import audit, inputs, menu, profile, risk, show

st.title(menu.RISK.title)
audited = audit.last()
with inputs.place("risk", "backlinks"):
    backlinks = inputs.file("backlinks")
    with st.expander("Settings"):
        filters = profile.filters(audited, key="risk:filters")
        limits = risk.limits("risk:limits")
risks = risk.risks(backlinks, audited, filters, limits)
if risks is None:
    st.stop()
if risks.links.empty:
    st.info("This file has no live links, so there is nothing to review.")
    st.stop()

result = risk.reviewed(risks)
show.headline(risks.headline)
show.removed(risks.removed, len(backlinks.raw), profile.changed_at(audited))
if audited is None:
    st.caption("Run the audit to find topics. Without it, the signal “Risky topic” is not available.")

decide, learned, second, signals, new_file, download = st.tabs(
    ["Review", "Read next", "Second opinion", "Signals", "Disavow file", "Download"], on_change="rerun", key="risk:tabs"
)
if decide.open:
    with decide:
        scopes = {"domain": "Domain", "URL": "Single link"}
        if audited is not None and len(audited.campaigns):
            scopes = {"campaign": "Campaign", **scopes}
        chosen = inputs.one_of("Decide for each", tuple(scopes), "risk:scope", scopes, named=False)
        if chosen == "campaign" and audited is not None:
            risk.campaigns(result, audited)
        else:
            scope: Scope = "domain" if chosen == "domain" else "URL"
            columns = (DOMAINS if scope == "domain" else LINKS).first
            left = risk.filtered(result.rows(scope), f"risk:{scope}", columns, risks.is_judged)
            risk.mark(risks, left, scope, f"risk:{scope}", columns)
        if result.review.decisions:
            show.chart(charts.states(result.state_counts), "states")
        with st.expander("Load a saved review or start again"):
            risk.load_review()
if learned.open:
    with learned:
        risk.show_lesson(result)
if second.open:
    with second:
        risk.show_second_opinion(result)
if signals.open:
    with signals:
        show.chart(charts.signals(risks.signal_counts, len(risks.links)), "signals")
        show.table(SIGNAL_COUNTS, result)
if new_file.open:
    with new_file:
        st.caption(
            "An upload to Google replaces your current disavow file. Load that file here first, so that its "
            "entries are kept."
        )
        existing = risk.existing_file()
        risk.preview(result, existing)
        risk.disavowed_links(result.links, existing)
if download.open:
    with download:
        st.caption(
            "You can load the review (csv) here again later. The workbook contains every signal with its evidence."
        )
        risk.download_review()
        show.downloads(tables(result), "risk-review")
shown = {
    "links": len(risks.links),
    "flagged_links": risks.flagged_links,
    "to_review" if risks.is_judged else "to_review_by_signals": risks.to_review,
    "enough": risks.with_enough_signals,
    "flagged_domains": risks.flagged_domains,
    "decided": f"{result.decided:,} of {risks.flagged_domains:,}",
    "to_disavow": result.to_disavow,
}
show.figures(figures("risk", shown, many=risks.review_signals))
