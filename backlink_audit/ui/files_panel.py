"""The loaded files, seen and replaced from every page: a list in the sidebar, and a window with every uploader."""

import streamlit as st

from backlink_audit.ui import mapping, session


def sidebar() -> None:
    """Show in the sidebar what is loaded, and the button that opens the window."""
    with st.sidebar:
        st.markdown("**Your files**")
        for role, exports in session.loaded().items():
            for export in exports:
                rows = f"{len(export.raw):,} rows"
                st.caption(f"{session.ROLES[role].label}: {export.name} ({rows}, {export.format.tool})")
        if not session.loaded():
            st.caption("None yet.")
        if st.button("Add or replace files", key="open-files", width="stretch"):
            window()


@st.dialog("Your files", width="large")
def window() -> None:
    """Show every role: what it holds, its columns, an uploader, and a way to forget it."""
    for name, role in session.ROLES.items():
        exports = session.loaded().get(name, ())
        title = f"{role.label}: {', '.join(export.name for export in exports)}" if exports else role.label
        with st.expander(title, expanded=not exports and name == "backlinks"):
            st.caption(role.bring)
            session.upload(name, key="window")
            for export in exports:
                st.caption(mapping.summary(export))
            if exports and st.button("Forget", key=f"forget:{name}"):
                session.drop(name)
                st.rerun()
