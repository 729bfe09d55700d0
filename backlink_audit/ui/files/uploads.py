"""Where files come in: the uploaders of the roles, with what to bring, and those of small files that a page reads."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import session
from backlink_audit.ui.files import mapping, upload_state
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show

T = TypeVar("T")

FILE_TYPES = ["csv", "tsv", "txt", "xlsx", "zip", "jl", "jsonl", "xml"]
WINDOW = "window"
"""The `key` of uploaders in the window of all files."""


def require(role: RoleName) -> Export:
    """Return the export loaded for a role; without one say what to bring, offer the sample, and stop the page.

    Not for competitors: `ask("competitors")` shows the empty state, `upload_state.competitors()` has the exports.
    """
    export = upload_state.get(role)
    if export is None:
        ask(role)
        st.stop()
    return export


def ask(*roles: RoleName, sample_opens: str = "") -> None:
    """Show the empty state of a role, or of several that can be used instead: what to bring, and the sample project.

    `sample_opens`: the page that is shown once the sample project is open; "" stays.
    """
    with st.container(border=True):
        for role in roles:
            upload(role, key="empty")
    _sample_button(sample_opens)


def upload(role: RoleName, *, key: str = "page") -> None:
    """Show an uploader for a role. Files that cannot be used leave a sentence and change nothing else.

    Args:
        role: One of ROLES.
        key: Distinguishes two uploaders of the same role.
    """
    kind, slot = ROLES[role], f"{role}:{key}"
    files = st.file_uploader(
        f"**{kind.label}.** {kind.bring}", type=FILE_TYPES, accept_multiple_files=True, key=widget_key(slot)
    )
    if files:
        taken(slot)
        with st.spinner(f"Reading {', '.join(show.plain(file.name) for file in files)}"):
            accepted = upload_state.receive(role, [(file.name, file.getvalue()) for file in files])
        # The window of all files would be closed by a run of the whole page, and the sentence with it.
        st.rerun(scope="fragment" if key == WINDOW and not accepted else "app")
    refused = upload_state.refusal(role)
    if refused and not refused.loaded:
        sentence = st.empty()
        mapping.by_hand(role, slot)
        sentence.error(show.plain((upload_state.refusal(role) or refused).sentence))


def read_at_once(label: str, types: list[str], slot: str, read: Callable[[bytes, str], T]) -> tuple[str, T] | None:
    """Show an uploader of a small file; return a new file's name and what is in it, once, and empty the uploader.

    A file that cannot be read stays, under the sentence that says why.
    """
    file = st.file_uploader(label, type=types, key=widget_key(slot))
    if file is None:
        return None
    try:
        found = read(file.getvalue(), file.name)
    except AuditError as problem:
        show.problem(problem)
        return None
    taken(slot)
    return file.name, found


def _sample_button(then: str = "") -> None:
    """Show the button that opens the sample project, and after it the page `then`, if one is named."""
    with st.container(horizontal=True, vertical_alignment="center"):
        clicked = st.button("Open the sample project", key="sample", type="primary")
        st.caption("A fictional shop with 300 backlinks, a crawl and two competitors. No upload needed.")
    if clicked:
        with st.spinner("Opening the sample project"):
            session.leave_project()  # else it would take the place of the open project's files
            upload_state.open_sample()
        if then:
            st.switch_page(then)
        st.rerun()


def widget_key(slot: str) -> str:
    """Return an uploader's key: another after each file, so that the server does not keep the bytes twice."""
    turns: dict[str, int] = session.kept(Key.UPLOADS, dict)
    return f"upload:{slot}:{turns.get(slot, 0)}"


def taken(slot: str) -> None:
    """Give an uploader another key at its next drawing: its file was taken over."""
    turns: dict[str, int] = session.kept(Key.UPLOADS, dict)
    turns[slot] = turns.get(slot, 0) + 1
