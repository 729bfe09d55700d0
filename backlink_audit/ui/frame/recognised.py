"""What was uploaded, before the audit runs: what it was recognised as, and what would show more."""

from datetime import date

import streamlit as st

from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.recognised import Recognised, recognised
from backlink_audit.sources import ROLES
from backlink_audit.ui import session
from backlink_audit.ui.files import upload_state
from backlink_audit.ui.frame import files_panel
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show


def card(export: Export) -> None:
    """Show what the backlinks were recognised as, what they lack, and which further files would show more."""
    found: Recognised = session.made_of(Key.RECOGNISED, (export,), lambda: recognised(export, date.today()))
    st.subheader(f"{show.plain(found.name)} is ready", anchor=False)
    facts = {
        "Recognised as": found.tool,
        "Rows": f"{found.rows:,}",
        "Site": found.site,
        "Newest date": f"{found.newest or 'no dates'}",
        "Language of the pages": found.languages or "not known",
    }
    with st.container(border=True), st.grid(min_column_width=150, gap="small"):
        for label, value in facts.items():
            with st.container(gap="xxsmall"):
                st.caption(show.plain(label))
                st.markdown(f"**{show.plain(value)}**")
    if found.lacks:
        st.caption(f"Not in this file: {show.plain('; '.join(found.lacks))}.")
    loaded = upload_state.everything()
    more = {role.label: role.shows for role in ROLES.values() if role.shows and role.name not in loaded}
    if more:
        with st.container(horizontal=True, vertical_alignment="center"):
            wanted = "; ".join(f"{label.lower()} ({gives})" for label, gives in more.items())
            st.caption(f"To see more, add: {show.plain(wanted)}.", width="stretch")
            if st.button("Add files", key="add-files", icon=":material/add:"):
                files_panel.window()
