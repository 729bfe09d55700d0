"""How many visitors there are, and who comes when the server is full."""

import streamlit as st
from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from backlink_audit.ui.server import secrets_file, sign_in
from backlink_audit.ui.server.limits import limits

FULL = "This server has too many users at the moment. Please try again in a few minutes."


def running() -> Runtime | None:
    """Return the server that this process is; None in a test of pages alone."""
    found = runtime.get_instance() if runtime.exists() else None
    return found if hasattr(found, "_session_mgr") else None  # tests of pages have a stand-in


def admit() -> None:
    """Let the visitor in, or say that the server is full, and stop. Those who came earlier stay.

    Who has not signed in yet takes nobody's place: else anybody with the address could keep everybody out.
    """
    most = limits().visitors
    server = running()
    if not most or server is None:
        return
    context = get_script_run_ctx()
    sessions = [one.session for one in server._session_mgr.list_active_sessions()]
    needs_sign_in = secrets_file.asks_for_sign_in()
    inside = [session.id for session in sessions if not needs_sign_in or sign_in.is_signed_in(session._user_info)]
    if context is not None and context.session_id in inside[most:]:
        st.title("Backlink Audit")
        st.info(FULL)
        st.stop()
