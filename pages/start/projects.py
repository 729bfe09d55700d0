"""Which sites do I work on, and where did I leave each?"""

import streamlit as st

from backlink_audit.ui import menu
from backlink_audit.ui.pages import projects, projects_list
from backlink_audit.ui.server import secrets_file, store
from backlink_audit.ui.tables import show

st.title(menu.PROJECTS.title)
st.markdown(
    "A project saves your files, audits (as snapshots), decisions, open tabs and filters. While a project is open, "
    "everything is saved automatically and comes back after a reload."
)
found = projects_list.every()
if found is None:
    st.stop()
if projects.current() is None:
    projects_list.make()
projects_list.bring()
counts = projects_list.snapshots_of(found)
for project in found:
    projects_list.one(project, counts.get(project.id, 0))
if not found:
    st.caption("There are no projects yet.")
if not secrets_file.asks_for_sign_in():
    st.caption(f"Saved in {show.plain(store.name())}.")
