"""What a page asks for: the loaded export of a role, or else the visitor to bring one.

`get("pages")` gives an export or None; `require("backlinks")` gives one or shows what to bring and stops the page.
"""

import streamlit as st

from backlink_audit.exports.recognise import Export
from backlink_audit.ui import loaded, mapping
from backlink_audit.ui.loaded import ROLES, RoleName, competitors, get

__all__ = ["ROLES", "RoleName", "ask", "competitors", "get", "require", "sample_button", "upload"]

FILE_TYPES = ["csv", "tsv", "txt", "xlsx"]


def require(role: RoleName) -> Export:
    """Return the export loaded for a role; without one say what to bring, offer the sample, and stop the page.

    Not for competitors: there `ask("competitors")` shows the empty state, and `competitors()` gives the exports.
    """
    export = get(role)
    if export is None:
        ask(role)
        st.stop()
    return export


def ask(*roles: RoleName, sample_opens: str = "") -> None:
    """Show the empty state of a role, or of several that can stand for it: what to bring, and the sample project.

    `sample_opens`: the page that is shown once the sample project is open; "" stays.
    """
    with st.container(border=True):
        for role in roles:
            upload(role, key="empty")
    sample_button(sample_opens)


def upload(role: RoleName, *, key: str = "page") -> None:
    """Show an uploader for a role. Files that cannot be used leave a sentence and change nothing else.

    Args:
        role: One of ROLES.
        key: Tells two uploaders of the same role apart.
    """
    kind = ROLES[role]
    turns = st.session_state.setdefault("upload_turns", {})
    slot = f"{role}:{key}"
    files = st.file_uploader(
        f"**{kind.label}.** {kind.bring}",
        type=FILE_TYPES,
        accept_multiple_files=True,
        # A new key after each upload empties the uploader, so that the server does not hold the bytes twice.
        key=f"upload:{slot}:{turns.get(slot, 0)}",
    )
    if files:
        turns[slot] = turns.get(slot, 0) + 1
        with st.spinner(f"Reading {', '.join(file.name for file in files)}"):
            loaded.receive(role, [(file.name, file.getvalue()) for file in files])
        st.rerun()
    if refused := loaded.refusal(role):
        st.error(refused.sentence)
        mapping.by_hand(role)


def sample_button(then: str = "") -> None:
    """Show the button that opens the sample project, and after it the page `then`, if one is named."""
    with st.container(horizontal=True, vertical_alignment="center"):
        clicked = st.button("Open the sample project", key="sample", type="primary")
        st.caption("An invented shop with 300 backlinks, a crawl and two competitors; nothing to upload.")
    if clicked:
        with st.spinner("Opening the sample project"):
            loaded.open_sample()
        if then:
            st.switch_page(then)
        st.rerun()
