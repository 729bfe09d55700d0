"""The frame around every page: the menu, the loaded files, and nothing else."""

import streamlit as st

from backlink_audit.ui import files_panel

# The icon is a file of ours: the browser would fetch a ":material/…:" one from the internet.
st.set_page_config(page_title="Backlink Audit", page_icon="docs/icon.svg", layout="wide")
st.logo("docs/logo.svg", size="large")

page = st.navigation(
    {
        "": [
            st.Page("pages/start/home.py", title="Home", icon=":material/home:", default=True),
        ],
        "Backlinks": [
            st.Page("pages/backlinks/audit.py", title="Backlink audit", icon=":material/fact_check:"),
            st.Page("pages/backlinks/profile.py", title="Backlink profile", icon=":material/donut_small:"),
            st.Page("pages/backlinks/risk.py", title="Risk review", icon=":material/gpp_maybe:"),
            st.Page("pages/backlinks/gap.py", title="Gap", icon=":material/compare_arrows:"),
            st.Page("pages/backlinks/changes.py", title="Changes", icon=":material/difference:"),
        ],
        "Internal links": [
            st.Page("pages/internal_links/opportunities.py", title="Link opportunities", icon=":material/add_link:"),
            st.Page("pages/internal_links/clusters.py", title="Topic clusters", icon=":material/bubble_chart:"),
        ],
    }
)
files_panel.sidebar()
page.run()
