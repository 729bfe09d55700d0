"""Which links and domains look risky, and what is to be done about them?"""

import streamlit as st

from backlink_audit.report.charts import risk as charts
from backlink_audit.ui import audits, choices, disavowing, inputs, reviews, show

DOMAINS = (
    *("state", "referring_domain", "signals", "risk_evidence", "links", "authority", "followed_share"),
    *("mean_relevance", "best_cas", "topic", "verdict", "referring_url", "first_seen", "last_seen"),
)
LINKS = (
    *("state", "referring_url", "signals", "risk_evidence", "referring_title", "anchor", "target_url"),
    *("relevance", "cas", "topic", "verdict", "first_seen"),
)

st.title("Risk review")
backlinks = inputs.file("backlinks")
audit = audits.last()
with st.expander("Settings"):
    filters = reviews.filters(audit, key="risk:filters")
    limits = reviews.limits("risk:limits")
risks = reviews.risks(backlinks, audit, filters, limits)
if risks is None:
    st.stop()

result = reviews.reviewed(risks)
show.headline(risks.headline)
show.removed(risks.removed, len(backlinks.raw))
show.figures(
    [
        ("Links", len(risks.links), "Links left after the filters."),
        ("With a signal", risks.flagged_links, "Links with at least one risk signal."),
        ("Worth a look", risks.to_review, f"Links with {risks.review_signals} or more signals: the verdict Review."),
        ("Domains with a signal", risks.flagged_domains, "Referring domains with at least one risk signal."),
        ("Of these decided", f"{result.decided:,} of {risks.flagged_domains:,}", "Of the domains with a signal."),
        ("To disavow", result.to_disavow, "Domains and single links you marked; none is marked by itself."),
    ]
)
if audit is None:
    st.caption("Topics are known once the audit has run; until then the signal of risky topics is never found.")

review, signals, disavow, download = st.tabs(
    ["Review", "Signals", "Disavow file", "Download"], on_change="rerun", key="risk:tabs"
)
if review.open:
    with review:
        if result.review.decisions:
            show.chart(charts.states(result.state_counts), "states")
        scope = choices.one_of("Decide by", ("domain", "URL"), "risk:scope", {"domain": "Domain", "URL": "Single link"})
        columns, item = (DOMAINS, "referring_domain") if scope == "domain" else (LINKS, "referring_url")
        left = reviews.narrowed(result.rows(scope), f"risk:{scope}", columns)
        reviews.mark(left, item, scope, f"risk:{scope}", columns)
        with st.expander("Load a saved review, or start over"):
            reviews.load_review()
if signals.open:
    with signals:
        show.chart(charts.signals(risks.signal_counts, len(risks.links)), "signals")
        show.table(reviews.explained(risks), "signal-table", noun="signal", search=False)
if disavow.open:
    with disavow:
        st.caption("An upload to Google replaces the former file: load that one first, and nothing in it is lost.")
        disavowing.preview(result, disavowing.existing_file())
if download.open:
    with download:
        st.caption("The review (csv) can be loaded again here. The workbook holds every signal with its evidence.")
        reviews.download_review()
        show.downloads(result, "risk-review")
