"""The store of projects in the browser: opened once for all visitors, off where everybody would see everything."""

from collections.abc import Callable

import streamlit as st

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.projects.projects import NOBODY
from backlink_audit.projects.store import Store, address, display_name, open_store
from backlink_audit.ui import access, show
from backlink_audit.ui.access import limits

HERE = frozenset({"localhost", "127.0.0.1", "::1"})  # Names and addresses of one's own machine alone
OF_A_PROXY = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"})
"""Headers that nobody but a proxy writes, beside those that begin with `x-forwarded-`."""
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
    return access.owner() == NOBODY and not limits().shared and is_served_to_others()


def is_served_to_others() -> bool:
    return not (_is_for_this_machine() and _is_from_here())


def _is_for_this_machine() -> bool:
    names = st.get_option("server.allowedHosts") or ["*"]
    others = st.get_option("server.corsAllowedOrigins")
    return st.get_option("server.address") in HERE and HERE.issuperset(names) and not others


def _is_from_here() -> bool:
    names = [name.lower() for name in st.context.headers]
    passed_on = any(name in OF_A_PROXY or name.startswith("x-forwarded-") for name in names)
    return not isinstance(st.context.ip_address, str) and not passed_on  # Streamlit knows no address of this machine


def name() -> str:
    return display_name(address())


def attempt(change: Callable[[], object]) -> None:
    """Change the store and draw the page again, or say why the store could not be changed."""
    try:
        change()
    except AuditError as problem:
        st.error(show.plain(str(problem)))
    else:
        st.rerun()
