"""The frame around every page: the menu, the loaded files, and nothing else."""

import streamlit as st

from backlink_audit.ui import files_panel
from backlink_audit.ui.menu import HOME, MENU

# The icon is a file of ours: the browser would fetch a ":material/…:" one from the internet.
st.set_page_config(page_title="Backlink Audit", page_icon="docs/icon.svg", layout="wide")
st.logo("docs/logo.svg", size="large")

page = st.navigation(
    {
        section: [st.Page(one.path, title=one.title, icon=one.icon, default=one is HOME) for one in pages]
        for section, pages in MENU.items()
    }
)
files_panel.sidebar()
page.run()
