"""Which sites are to be asked for a link, where does each stand, and who is to be written to now?"""

import streamlit as st

from backlink_audit.projects import client_report
from backlink_audit.projects.outreach_desk import tables
from backlink_audit.ui import menu, outreach_desk, show

st.title(menu.OUTREACH_DESK.title)
desk = outreach_desk.of_open_project()
if desk is None:
    st.stop()
show.headline(desk.headline)
if desk.prospects:
    show.figures(outreach_desk.figures(desk))
else:
    st.info("Prospects are sites that you want a link from. Enter them here, or add prospects from the page Gap.")
with st.container(horizontal=True, vertical_alignment="center"):
    outreach_desk.add_by_hand()
    st.page_link(menu.GAP.path, label="Find prospects on the page Gap", icon=menu.GAP.icon)
if not desk.prospects:
    st.stop()

prospects, letters, download = st.tabs(["Prospects", "Emails", "Download"], on_change="rerun", key="desk:tabs")
if prospects.open:
    with prospects:
        outreach_desk.work(desk)
        show.chart(client_report.states(desk.counts), "desk-states")
if letters.open:
    with letters:
        outreach_desk.letters(desk)
if download.open:
    with download:
        st.caption("All prospects with state, contact, note and follow-up date.")
        show.downloads(tables(desk), "outreach-desk")
