"""Which links and domains look risky, and what is to be done about them?"""

import streamlit as st

from backlink_audit.pipelines.risk.result import Scope
from backlink_audit.pipelines.risk.tables import tables
from backlink_audit.report.charts import risk as charts
from backlink_audit.ui import audit, choices, inputs, menu, profile, show
from backlink_audit.ui.risk import disavow, review

DOMAINS = (
    *("state", "referring_domain", "signals", "risk_evidence", "verdict", "links", "authority", "mean_relevance"),
    *("followed_share", "best_cas", "topic", "referring_url", "first_seen", "last_seen", "google_lists"),
)
LINKS = (
    *("state", "referring_page", "signals", "risk_evidence", "verdict", "anchor", "target_url", "relevance"),
    *("cas", "topic", "first_seen", "google_lists", "seen_by"),
)

st.title(menu.RISK.title)
backlinks = inputs.file("backlinks")
audited = audit.last()
with st.expander("Settings"):
    filters = profile.filters(audited, key="risk:filters")
    limits = review.limits("risk:limits")
risks = review.risks(backlinks, audited, filters, limits)
if risks is None:
    st.stop()
if risks.links.empty:
    st.info("No live links in this file: there is nothing to review.")
    st.stop()

result = review.reviewed(risks)
show.headline(risks.headline)
show.removed(risks.removed, len(backlinks.raw))
show.figures(
    [
        ("Live links", len(risks.links), "Every live link, wherever on its page it stands."),
        ("With a signal", risks.flagged_links, "Links with at least one risk signal."),
        ("To review", risks.to_review, f"Links with {risks.review_signals} or more signals: the verdict Review."),
        ("Domains flagged", risks.flagged_domains, "Referring domains with at least one risk signal."),
        ("Decided", f"{result.decided:,} of {risks.flagged_domains:,}", "Of the domains with a signal."),
        ("To disavow", result.to_disavow, "Domains and single links you marked; nothing is marked automatically."),
    ]
)
if audited is None:
    st.caption("Topics are known once the audit has run; until then no link can have the signal “Risky topic”.")

decide, signals, new_file, download = st.tabs(
    ["Review", "Signals", "Disavow file", "Download"], on_change="rerun", key="risk:tabs"
)
if decide.open:
    with decide:
        if result.review.decisions:
            show.chart(charts.states(result.state_counts), "states")
        scope: Scope = choices.one_of(
            "Decide by", ("domain", "URL"), "risk:scope", {"domain": "Domain", "URL": "Single link"}
        )
        columns = DOMAINS if scope == "domain" else LINKS
        left = review.filtered(result.rows(scope), f"risk:{scope}", columns)
        review.mark(risks, left, scope, f"risk:{scope}", columns)
        with st.expander("Load a saved review, or start over"):
            review.load_review()
if signals.open:
    with signals:
        show.chart(charts.signals(risks.signal_counts, len(risks.links)), "signals")
        show.table(review.explained(risks), "signal-table", noun="signal", search=False)
if new_file.open:
    with new_file:
        st.caption(
            "Uploading to Google replaces your previous file: load it here first, so that nothing in it is lost."
        )
        existing = disavow.existing_file()
        disavow.preview(result, existing)
        disavow.disavowed_links(result.links, existing)
if download.open:
    with download:
        st.caption("The review (csv) can be loaded again here. The workbook holds every signal with its evidence.")
        review.download_review()
        show.downloads(tables(result), "risk-review")
