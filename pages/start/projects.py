"""Which sites do I work on, and where did I leave each?"""

import streamlit as st

from backlink_audit.ui import access, menu, projects, show

st.title(menu.PROJECTS.title)
st.markdown(
    "A project saves your files, audits (as snapshots), decisions, open tabs and filters. While a project is open, "
    "everything is saved automatically and comes back after a reload."
)
found = projects.every()
if found is None:
    st.stop()
if projects.current() is None:
    projects.make()
counts = projects.snapshots_of(found)
for project in found:
    projects.one(project, counts.get(project.id, 0))
if not found:
    st.caption("There are no projects yet.")
if not access.asks_for_sign_in():
    st.caption(f"Saved in {show.plain(projects.name())}.")
