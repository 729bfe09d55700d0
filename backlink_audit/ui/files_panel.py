"""The loaded files, seen and replaced from every page: a list in the sidebar, and a window with every uploader."""

from datetime import date

import streamlit as st

from backlink_audit.audit.sentences import Recognised, recognised
from backlink_audit.exports.recognise import Export
from backlink_audit.sources import ROLES
from backlink_audit.ui import menu, projects, session, show, store, upload_state, uploads
from backlink_audit.ui import uploads as ui_uploads
from backlink_audit.ui.session import Key
from backlink_audit.wording import count


def sidebar() -> None:
    """Show in the sidebar what is loaded, and the button that opens the window."""
    with st.sidebar:
        st.markdown("**Your files**")
        for role, exports in upload_state.everything().items():
            names = "  \n".join(f"{show.plain(export.name)} ({count(len(export.raw), 'row')})" for export in exports)
            st.caption(f"**{ROLES[role].label}**  \n{names}")
        if not upload_state.everything():
            st.caption("No files yet. To keep files after a reload, save them in a project.")
        elif projects.current() is None and not store.is_off():
            st.caption("No project is open: these files are lost when you reload the page.")
            st.page_link(menu.PROJECTS.path, label="Save them as a project", icon=menu.PROJECTS.icon)
        if st.button("Add or replace files", key="open-files", width="stretch"):
            window()


@st.dialog("Your files", width="large")
def window() -> None:
    """Show every role: its files, its columns, an uploader, and a way to remove it."""
    for role in ROLES.values():
        exports = upload_state.everything().get(role.name, ())
        names = ", ".join(show.plain(export.name) for export in exports)
        with st.expander(f"{role.label}: {names}" if exports else role.label):
            for export in exports:
                st.caption(f"{show.plain(export.name)}: {ui_uploads.summary(export)}.")
            uploads.upload(role.name, key=uploads.WINDOW)
            if exports and st.button("Remove", key=f"remove:{role.name}"):
                upload_state.drop(role.name)
                st.rerun()


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
                window()
