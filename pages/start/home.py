"""What to bring, and what one gets."""

import streamlit as st

from backlink_audit.ui import session

st.title("Which of your backlinks matter?")
st.markdown(
    "Bring the backlink export of your site as your tool wrote it. Every link is read, compared by meaning with the "
    "page it points to, and given a verdict with a reason."
)
if session.get("backlinks") is None:
    session.ask("backlinks")
else:
    st.success("Your backlinks are loaded.")
    st.page_link("pages/backlinks/audit.py", label="Go to the audit", icon=":material/arrow_forward:")
