"""The store of projects in the browser: opened once for all visitors, off where everybody would see everything."""

from collections.abc import Callable

import streamlit as st

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.projects.connection import Store
from backlink_audit.projects.projects import NOBODY
from backlink_audit.projects.store import address, display_name, open_store
from backlink_audit.ui import show, sign_in

HERE = ("localhost", "127.0.0.1", "::1", "[::1]")
OFF = (
    "Projects are switched off: other people use this app, and without sign-in everybody would see all projects. "
    "Run the app on your own computer, or ask the administrator of this server to set up sign-in."
)


@st.cache_resource(show_spinner=False)
def _opened(name: str) -> Store:
    return open_store(name or None)


def opened() -> Store:
    """Return the store. Raises StoreProblem, also where projects are off."""
    if is_off():
        raise StoreProblem(OFF)
    return _opened(address().render_as_string(hide_password=False))


def is_off() -> bool:
    """Whether the app is served to others and nobody has signed in: then everybody would see everything."""
    if sign_in.owner() != NOBODY:
        return False
    host = (st.context.headers.get("Host") or HERE[0]).rsplit(":", 1)[0]
    return isinstance(st.context.ip_address, str) or host not in HERE  # Streamlit knows no address of this machine


def name() -> str:
    """Return where projects are kept, without a password."""
    return display_name(address())


def attempt(change: Callable[[], object]) -> None:
    """Change the store and draw the page again, or say why the store could not be changed."""
    try:
        change()
    except AuditError as problem:
        st.error(show.plain(str(problem)))
    else:
        st.rerun()
