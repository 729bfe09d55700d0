"""The loaded files, seen and replaced from every page: a list in the sidebar, and a window with every uploader."""

import streamlit as st

from backlink_audit.sources import ROLES
from backlink_audit.ui import menu
from backlink_audit.ui.files import mapping, upload_state, uploads
from backlink_audit.ui.pages import projects
from backlink_audit.ui.server import store
from backlink_audit.ui.tables import show
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
                st.caption(f"{show.plain(export.name)}: {mapping.summary(export)}.")
            uploads.upload(role.name, key=uploads.WINDOW)
            if exports and st.button("Remove", key=f"remove:{role.name}"):
                upload_state.drop(role.name)
                st.rerun()
