"""What the decisions of a review teach, in the browser: how right it is, and the links to read next."""

import streamlit as st

from backlink_audit.pipelines.risk.lesson import lesson
from backlink_audit.pipelines.risk.result import RiskReview
from backlink_audit.ui import session
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show

TO_READ = (
    *("verdict", "referring_page", "anchor", "target_url", "certainty", "keep", "why", "relevance", "risk_evidence"),
)


def show_lesson(result: RiskReview) -> None:
    """Show what was learned, what is sure, and the links whose reading would teach most."""
    found = session.made_of(Key.LESSON, (result,), lambda: lesson(result))
    if found is None:
        st.info("Run the audit first: without its scores nothing can be learned from your decisions.")
        return
    show.note(found.headline)
    show.note(found.promise)
    st.caption("Your decision on these links teaches most. Decide on them in the tab Review.")
    show.table(found.to_read, "to-read", columns=TO_READ, search=False, noun="link", stem="read-these")
